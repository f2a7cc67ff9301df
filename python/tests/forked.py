"""A process that forks while a searcher is open."""

from __future__ import annotations

import subprocess
import sys

PROGRAM = """
import os, sys
import hopwave as hw
device = sys.argv[1]
threads = 2 if device == "cpu" else 0
graph = hw.read("rmat:12,8" if device == "gpu" else "rmat:9,8")
searcher = hw.Searcher(graph, device=device, threads=threads)
for _ in range(4):
    rows = searcher.each(range(70))  # on a device the last are in memory that comes back
expected = rows.sum()
child = os.fork()
if child == 0:
    found = []
    try:
        searcher.bfs(0)
    except hw.Error as error:
        found.append(error.id)
    try:
        again = hw.Searcher(graph, device=device, threads=threads).each(range(70)).sum()
        found.append("the same" if again == expected else "another answer")
    except hw.Error as error:
        found.append(error.id)
    print(*found, sep=",", flush=True)
    del searcher, rows  # its threads and its GPU are not here
    os._exit(0)
code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
sys.exit(code or int(searcher.each(range(70)).sum() != expected))
"""


def around_a_fork(device: str) -> list[str]:
    """What the child met, with the searcher from before the fork and with one of its own. The parent goes on undisturbed."""
    run = subprocess.run([sys.executable, "-c", PROGRAM, device], timeout=120, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    return run.stdout.strip().split(",")
