#!/usr/bin/env python3
"""seed.py FOLDER makes the first inputs of each fuzzer: one byte of options (0), then the bytes of a file of tests/bad_input."""
import hashlib
import pathlib
import sys

SEEDS = pathlib.Path(sys.argv[1])
BAD = pathlib.Path(__file__).resolve().parent.parent / "tests" / "bad_input"
NAMES = {"mtx": "matrix_market", "rodinia": "rodinia", "metis": "metis", "gr": "dimacs", "sg": "gap", "wsg": "gap_weighted",
         "galois": "galois", "g500": "graph500", "npz": "npz", "hwg": "hwg", "adj": "adjacency", "cedge": "cedge", "el": "edge_list", "names": "names",
         "graphml": "graphml", "gml": "gml", "net": "pajek", "json": "json"}
rows = [line.split("\t") for line in (BAD / "expected.tsv").read_text().splitlines()[1:]]
for row in rows:
    data = b"\0" + (BAD / "files" / row[0]).read_bytes()
    packed = row[0].endswith((".gz", ".zst"))
    target = "sniff" if packed else NAMES.get(row[0].split("-")[0])
    if target is None or len(data) > 2000 or (row[2] != "ok" and int(hashlib.sha1(row[0].encode()).hexdigest(), 16) % 3):
        continue
    folder = SEEDS / target
    folder.mkdir(parents=True, exist_ok=True)
    (folder / hashlib.sha1(data).hexdigest()[:16]).write_bytes(data)
    if row[2] == "ok" and not packed:
        folder = SEEDS / "sniff"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / hashlib.sha1(data).hexdigest()[:16]).write_bytes(data)

GRIDS = {
    "maze": ["S.#\n.#E\n...\n", "..\n.#\n\n#E\n..\n", "type octile\nheight 2\nwidth 3\nmap\n.G@\nSOT\n"],
    "scenarios": ["version 1\n0\tm.map\t6\t5\t0\t0\t5\t4\t7.24264069\n1\tm.map\t6\t5\t0\t1\t0\t2\t1\n"],
    "netlist": ["grid 4 3\ncapacity 2\nnum net 2\n0 0 0 3 2\n1 1 1 2 0\n",
                "grid 4 3\nvertical capacity 2\nhorizontal capacity 3\nnum net 1\nn0 0 2\n0 0\n3 2\n",
                "grid 4 3 2\nvertical capacity 0 4\nhorizontal capacity 4 0\nminimum width 1 1\nminimum spacing 1 1\nvia spacing 1 1\n"
                "-10 0 10 20\nnum net 1\nn0 0 2 1\n-10 0 1\n29 59 2\n1\n0 0 1 1 0 1 0\n"],
}
for target, texts in GRIDS.items():
    folder = SEEDS / target
    folder.mkdir(parents=True, exist_ok=True)
    for text in texts:
        data = b"\0" + text.encode()
        (folder / hashlib.sha1(data).hexdigest()[:16]).write_bytes(data)
