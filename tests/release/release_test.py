"""scripts/release: the same commit gives the same files, and what was changed afterwards is found. Skipped (77) outside a clone."""
import json
import pathlib
import subprocess
import sys
import tempfile

root = pathlib.Path(__file__).resolve().parent.parent.parent
if subprocess.run(["git", "rev-parse", "HEAD"], cwd=root, capture_output=True).returncode != 0:
    print("release_test: skipped: no clone")
    sys.exit(77)
faults = []


def expect(code, text, *words):
    done = subprocess.run([sys.executable, root / "scripts" / "release", *map(str, words)], capture_output=True, text=True)
    if done.returncode != code or text not in done.stdout + done.stderr:
        faults.append(f"{' '.join(map(str, words))}: exit code {done.returncode}, expected {code} and \"{text}\"\n{done.stdout}{done.stderr}")


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    (folder / "extra.whl").write_text("a wheel\n")
    one, two = folder / "one", folder / "two"
    expect(0, "every file states version", "--versions")
    for out in (one, two):
        expect(0, "3 files", "--out", out, folder / "extra.whl")
    for file in sorted(one.iterdir()):
        if file.read_bytes() != (two / file.name).read_bytes():
            faults.append(f"{file.name} differs in two releases of one commit")
    bill = json.loads(next(one.glob("*.spdx.json")).read_text())
    known = {"SPDXRef-DOCUMENT", *(package["SPDXID"] for package in bill["packages"])}
    for relation in bill["relationships"]:
        if not {relation["spdxElementId"], relation["relatedSpdxElement"]} <= known:
            faults.append(f"the list of what is inside names an unknown package: {relation}")
    if not {"fmt", "zstd", "GTest"} <= {package["name"] for package in bill["packages"]}:
        faults.append("the list of what is inside lacks rows of docs/third-party.md")
    expect(0, "3 files are as they were made", "--check", one)
    expect(1, "is not empty", "--out", one)
    (one / "extra.whl").write_text("another\n")
    expect(1, "extra.whl has another checksum", "--check", one)
    (one / "extra.whl").unlink()
    expect(1, "extra.whl is missing", "--check", one)
    (two / "more.txt").write_text("")
    expect(1, "more.txt has no checksum", "--check", two)
    (two / "SHA256SUMS").unlink()
    expect(1, "has no SHA256SUMS", "--check", two)

if faults:
    sys.exit("\n".join(faults))
