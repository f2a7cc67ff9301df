#!/usr/bin/env python3
"""Makes the first corpus of each fuzz target from tests/bad_input: a file's bytes behind one byte of options (0)."""
import hashlib
import pathlib

HERE = pathlib.Path(__file__).parent
BAD = HERE.parent / "tests" / "bad_input"
NAMES = {"mtx": "matrix_market", "rodinia": "rodinia", "metis": "metis", "gr": "dimacs", "sg": "gap", "wsg": "gap_weighted",
         "galois": "galois", "g500": "graph500", "npz": "npz", "hwg": "hwg", "adj": "adjacency", "cedge": "cedge", "el": "edge_list", "names": "names"}
rows = [line.split("\t") for line in (BAD / "expected.tsv").read_text().splitlines()[1:]]
for row in rows:
    data = b"\0" + (BAD / "files" / row[0]).read_bytes()
    packed = row[0].endswith((".gz", ".zst"))
    target = "sniff" if packed else NAMES.get(row[0].split("-")[0])
    if target is None or len(data) > 2000 or (row[2] != "ok" and int(hashlib.sha1(row[0].encode()).hexdigest(), 16) % 3):
        continue
    folder = HERE / "corpus" / target
    folder.mkdir(parents=True, exist_ok=True)
    (folder / hashlib.sha1(data).hexdigest()[:16]).write_bytes(data)
    if row[2] == "ok" and not packed:
        folder = HERE / "corpus" / "sniff"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / hashlib.sha1(data).hexdigest()[:16]).write_bytes(data)
