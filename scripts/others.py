"""What scripts/outside and scripts/peers share: programs of others, given by path, run under a time limit and named when they fail."""
import os
import shutil
import signal
import subprocess


def is_program(path):
    return shutil.which(path) is not None


def program(*words, limit=None, environment=None, folder=None, errors=True):
    """Runs a program; its standard output, and with `errors` then its standard error. RuntimeError names it if it fails, is killed, or is not
    finished after `limit` seconds; then it is ended with all that it started."""
    words = list(map(str, words))
    name = " ".join(words)
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8", errors="replace", cwd=folder,
                               env={**os.environ, **(environment or {})}, start_new_session=True)
    try:
        out, err = process.communicate(timeout=limit)
    except subprocess.TimeoutExpired:
        raise RuntimeError(f"{name}: not finished after {limit:g} s (--limit)") from None
    finally:
        try:
            os.killpg(process.pid, signal.SIGKILL)  # also what it left running
        except ProcessLookupError:
            pass
        process.wait()
    if process.returncode != 0:
        how = f"exit code {process.returncode}" if process.returncode > 0 else f"killed by {signal.Signals(-process.returncode).name}"
        raise RuntimeError(f"{name}: {how}: {err[-2000:].strip() or out[-2000:].strip() or 'it printed nothing'}")
    return out + err if errors else out
