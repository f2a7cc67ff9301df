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
    # What cannot be made leaves nothing, so that the folder can be used again.
    (folder / "again").mkdir()
    (folder / "again" / "extra.whl").write_text("another wheel\n")
    (folder / "SHA256SUMS").write_text("")
    three = folder / "three"
    expect(1, "extra.whl already", "--out", three, folder / "extra.whl", folder / "again" / "extra.whl")
    expect(1, "SHA256SUMS already", "--out", three, folder / "SHA256SUMS")
    expect(1, "missing.whl is no file", "--out", three, folder / "missing.whl")
    expect(1, "again is no file", "--out", three, folder / "again")
    expect(1, "extra.whl is not a folder", "--out", folder / "extra.whl")
    expect(1, "gpg", "--out", three, "--sign", "nobody@example.invalid")
    expect(2, "without --out", "--versions", folder / "extra.whl")
    expect(2, "not allowed with", "--versions", "--check", one)
    if three.exists():
        faults.append("a release that failed left a folder")
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
