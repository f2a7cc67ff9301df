"""scripts/outside on tiny graphs of our own, in the formats of others: right answers are accepted, wrong ones are not.
python3 tests/outside/outside_test.py TOOL"""
import pathlib
import subprocess
import sys
import tempfile

script = pathlib.Path(__file__).resolve().parent.parent.parent / "scripts" / "outside"
tool = sys.argv[1]

# 7 → 8 → 9 with weights, 10 apart; 11 only in the list of vertices.
edges = "7 8 0.5\n8 9 0.25\n7 9 2.0\n10 8 1.0\n"
files = {
    "tiny.e": edges,
    "tiny.v": "7\n8\n9\n10\n11\n",
    "tiny.properties": "graph.tiny.directed = true\ngraph.tiny.bfs.source-vertex = 7\ngraph.tiny.sssp.source-vertex = 7\n",
    "tiny-BFS": "7 0\n8 1\n9 1\n10 9223372036854775807\n11 9223372036854775807\n",
    "tiny-SSSP": "7 0.0\n8 0.5\n9 0.75\n10 infinity\n11 Infinity\n",
    "tiny-WCC": "7 7\n8 7\n9 7\n10 7\n11 11\n",
    "bfs/undir-input": "1 2\n2 1 3\n3 2\n",
    "bfs/undir-output": "1 0\n2 1\n3 2\n",
    "roads.gr": "p sp 3 3\na 1 2 5\na 2 3 7\na 1 3 20\n",
    "roads.ss": "c two sources\np aux sp ss 2\ns 1\ns 3\n",
    "roads.ss.chk": "p chk sp ss 2\nd 17\nd 0\n",
    "roads.distances": "0 0\n1 5\n2 12\n",
}
# In the place of Graph500's program: 0–1–2 with a repeated edge and a self-loop; it reads the answers as the reference would.
reference = """#!{python}
import array, os, pathlib, struct
edges, answers = pathlib.Path(os.environ["TMPFILE"]), os.environ.get("ANSWERS")
if not answers:
    edges.write_bytes(array.array("I", [0, 1, 0, 1, 2, 0, 1, 0, 0, 2, 2, 0]).tobytes())
    edges.with_name(edges.name + ".weights").write_bytes(array.array("f", [.5, .25, .3, 1]).tobytes())
    print("root 0\\nroot 2")
right = {{0: ([0, 0, 1], [0, WEIGHT, WEIGHT + .25]), 2: ([1, 2, 2], [WEIGHT + .25, .25, 0])}}
bfs = "SKIP_BFS" not in os.environ
for count, root in enumerate(right if answers else []):
    whole = pathlib.Path(answers, f"{{root}}.npy").read_bytes() if bfs else bytes(10)
    parents = [struct.unpack("<qiq", whole[at:at + 20])[2] for at in range(10 + whole[8] + 256 * whole[9], len(whole), 20)]
    sums = [float(line.split()[1]) for line in pathlib.Path(answers, f"{{root}}.tsv").read_text().splitlines()][:3]
    for kernel, good in (("BFS", parents == right[root][0]), ("SSSP", [round(s, 4) for s in sums] == right[root][1]))[not bfs:]:
        print(f"Validate time for {{kernel}} {{count}} is 0.1")
        if not good:
            print(f"Validation failed for this {{kernel}} root; skipping rest.")
print("NBFS:    2\\nmin_nedge:    EDGES\\nmax_nedge:   3\\nmean_nedge: 3")
"""
# In the place of GAP's programs: a star of six vertices around 0; what they print is canned.
gapbs = """#!{python}
import pathlib, shutil, sys
name, words = pathlib.Path(sys.argv[0]).name, sys.argv[1:]
if name == "converter":
    shutil.copy("{folder}/star" + pathlib.Path(words[-1]).suffix, words[-1])
    sys.exit()
out, trials = [], int(words[words.index("-n") + 1])
for i in range(trials):
    out += ["Source:                    %d" % (s % 5 + 1) for s in (range(4 * i, 4 * i + 4) if name == "bc" else [i])] if "-l" in words else []
    out += ["Trial Time:           0.00200"] + ["Verification:           PASS"] * ("-v" in words)
out += dict(bfs=["BFS Tree has 6 nodes and 10 edges"], sssp=["SSSP Tree reaches 6 nodes"], cc=["There are 1 components", "0:6"],
            bc=["0:1", "1:0.3125", "2:0.3125", "3:0.3125", "4:0.3125"])[name]
print("\\n".join(out))
"""
# LAGraph's answers for two of its matrices, here of our own: a path of three vertices.
lagraph = {
    "data/path.mtx": "%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n2 1\n3 2\n",
    "data/karate.mtx": "%%MatrixMarket matrix coordinate pattern symmetric\n32 32 31\n" + "".join(f"{v + 1} {v}\n" for v in range(1, 32)),
    "data/west0067.mtx": "%%MatrixMarket matrix coordinate pattern general\n3 3 2\n1 2\n2 3\n",
    "data/cover.mtx": "%%MatrixMarket matrix coordinate pattern general\n3 3 3\n1 2\n2 1\n2 3\n",
    "test/test_ConnectedComponents.c": '{ 1, "path.mtx" }, { 1, "karate.mtx" },\n',
    "test/test_BreadthFirstSearch.c": "int LEVELS30 [32] = {" + ", ".join(str(abs(30 - v)) for v in range(32)) + "};\n",
    "test/test_Betweenness.c": "double karate_bc [32] = {" + ", ".join(str(31 - v if v and v < 31 else 0) for v in range(32)) + "};\n"
                               "int karate_sources [1] = {0};\ndouble west0067_bc [3] = {0, 1, 0};\nint west0067_sources [1] = {0};\n",
    "test/test_scc.c": "int scc_cover [3] = {0, 0, 2};\n",
}
faults = []


def expect(code, text, *words):
    done = subprocess.run([sys.executable, script, *map(str, words), "--tool", tool], capture_output=True, text=True)
    if done.returncode != code or text not in done.stdout + done.stderr:
        faults.append(f"{' '.join(map(str, words))}: exit code {done.returncode}, expected {code} and \"{text}\"\n{done.stdout}{done.stderr}")


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    for file, text in files.items():
        (folder / file).parent.mkdir(exist_ok=True)
        (folder / file).write_text(text)
    expect(0, "8 comparisons, 0 with differences", "graphalytics", folder, "--device", "cpu,sim")
    expect(0, "| roads.gr | cpu | 2 | 0 |", "dimacs", folder / "roads.gr", folder / "roads.ss", folder / "roads.ss.chk")
    distances = ["distances", folder / "roads.gr", folder / "roads.distances", "-s", 1, "--shift", 1]
    expect(0, "| 3 | 0 |", *distances, "--weights")
    expect(1, "| 3 | 2 |", *distances)  # hops are other numbers
    for file, right, wrong in (("tiny-BFS", "9 1", "9 2"), ("tiny-BFS", "10 9223372036854775807", "10 3"), ("tiny-SSSP", "0.75", "0.7502"),
                               ("tiny-WCC", "11 11", "11 7"), ("tiny-WCC", "9 7", "9 9"), ("bfs/undir-output", "3 2", "3 9223372036854775807")):
        (folder / file).write_text(files[file].replace(right, wrong))
        expect(1, "4 comparisons, 1 with differences", "graphalytics", folder)
        (folder / file).write_text(files[file])
    (folder / "tiny-SSSP").write_text(files["tiny-SSSP"].replace("0.75", "0.75001"))  # within the benchmark's tolerance
    expect(0, "1e-05", "graphalytics", folder)
    (folder / "roads.ss.chk").write_text("d 18\nd 0\n")
    expect(1, "| 2 | 1 |", "dimacs", folder / "roads.gr", folder / "roads.ss", folder / "roads.ss.chk")
    program = folder / "reference"
    for edges, weight, bits, code, text in ((3, .3, 0, 0, "2 comparisons, 0 with"), (2, .3, 0, 1, "| 2 | no |"), (3, .31, 0, 1, "2 comparisons, 1 with"),
                                            (3, .3125, 4, 0, "2 comparisons, 0 with")):
        program.write_text(reference.format(python=sys.executable).replace("EDGES", str(edges)).replace("WEIGHT", str(weight)))
        program.chmod(0o755)
        expect(code, text, "graph500", program, "--scale", 2, "--weight-bits", bits)
    # Programs that crash, stop in the middle or never end; edges that another scale left behind.
    good = program.read_text()
    for what, text in (("import os, signal; os.kill(os.getpid(), signal.SIGABRT)", "killed by SIGABRT"), ("import sys; sys.exit(3)", "exit code 3"),
                       ("import signal; signal.pause()", "not finished after 0 s")):
        program.write_text(f"#!{sys.executable}\n{what}\n")
        expect(2, text, "graph500", program, "--scale", 2, *(["--limit", 0] if "pause" in what else []))
    program.write_text(good.replace('print(f"Validate time for', 'count or print(f"Validate time for'))
    expect(1, "2 comparisons, 2 with differences", "graph500", program, "--scale", 2, "--weight-bits", 4)
    program.write_text(good.replace("NBFS:    2", "NBFS:    64"))
    expect(1, "2 comparisons, 2 with differences", "graph500", program, "--scale", 2, "--weight-bits", 4)
    program.write_text(good.replace("if not answers:", "if not answers and not edges.exists():"))
    (folder / "kept").mkdir()
    (folder / "kept" / "edges.g500").write_bytes(b"of another scale")
    expect(0, "2 comparisons, 0 with", "graph500", program, "--scale", 2, "--weight-bits", 4, "--folder", folder / "kept")
    expect(0, "1 comparisons, 0 with", "graph500", program, "--scale", 2, "--weight-bits", 4, "--kernel", "sssp")
    expect(2, "no-such-program", "graph500", folder / "no-such-program", "--scale", 2)
    # GAP: right answers; a vertex, an edge, a component, a score that differ; a trial, a source, a verification that are missing or refused.
    (folder / "star.mtx").write_text("%%MatrixMarket matrix coordinate pattern symmetric\n6 6 5\n" + "".join(f"{v} 1\n" for v in range(2, 7)))
    (folder / "star.weights").write_text("".join(f"0 {v} 3\n" for v in range(1, 6)))
    for source, made in ("star.mtx", "star.sg"), ("star.weights", "star.wsg"):
        subprocess.run([tool, "convert", folder / source, folder / made, "--undirected", "-q"], check=True)
    (folder / "gap").mkdir()
    canned = gapbs.format(python=sys.executable, folder=folder)
    for right, wrong, code, text in (("", "", 0, "8 comparisons, 0 with differences"),
                                     ("has 6 nodes", "has 5 nodes", 1, "| kron | BFS | cpu | 2 | vertices and edges of each tree | 2 |"),
                                     ("and 10 edges", "and 9 edges", 1, "| kron | BFS | cpu | 2 | vertices and edges of each tree | 2 |"),
                                     ("reaches 6", "reaches 5", 1, "| kron | SSSP | cpu | 2 | vertices of each tree | 2 |"),
                                     ("are 1 comp", "are 2 comp", 1, "8 comparisons, 2 with"), ('"0:6"', '"0:5"', 1, "8 comparisons, 2 with"),
                                     (', "0:6"', "", 1, "8 comparisons, 2 with"), ("4:0.3125", "4:0.3135", 1, "8 comparisons, 2 with"),
                                     (', "4:0.3125"', "", 1, "8 comparisons, 2 with"), ("PASS", "FAIL", 1, "GAP's own verification"),
                                     ("range(trials)", "range(trials - 1)", 2, "of 2 trials: it was cut off"), ("Source:  ", "Root:  ", 2, "printed 0 sources"),
                                     ('"-v" in words', "name == 0", 2, "0 verifications"), ('["SSSP Tree', '[] and ["', 2, "has no line"),
                                     ("out, trials", "sys.exit(4)\nout, trials", 2, "exit code 4"), ("shutil.copy(", "str(", 2, "kron")):
        assert right in canned
        for kernel in ("converter", "bfs", "sssp", "cc", "bc"):
            (folder / "gap" / kernel).write_text(canned.replace(right, wrong))
            (folder / "gap" / kernel).chmod(0o755)
        expect(code, text, "gap", folder / "gap", "--trials", 2)
    expect(2, "no-folder/converter", "gap", folder / "no-folder")
    # LAGraph: its answers, one that differs, an array that is cut off, a test that is missing.
    for file, text in lagraph.items():
        (folder / "lagraph" / file).parent.mkdir(parents=True, exist_ok=True)
        (folder / "lagraph" / file).write_text(text)
    expect(0, "6 comparisons, 0 with differences", "lagraph", folder / "lagraph")
    for file, right, wrong, code, text in (("test_BreadthFirstSearch.c", "{30, 29", "{30, 28", 1, "| 32 | 1 |"), ("test_BreadthFirstSearch.c", "{30, ", "{", 1, "| 31 |"),
                                           ("test_Betweenness.c", "{0, 1, 0}", "{0, 2, 0}", 1, "| 3 | 1 |"), ("test_Betweenness.c", "{0, 1, 0}", "{0, 1}", 1, "| 2 | 1 |"),
                                           ("test_scc.c", "{0, 0, 2}", "{0, 0, 0}", 1, "| 3 | 1 |"), ("test_scc.c", "{0, 0, 2}", "{0, 0}", 1, "| 2 | 1 |"),
                                           ("test_scc.c", "scc_cover", "scc", 2, "no array scc_cover"),
                                           ("test_ConnectedComponents.c", "1, \"path", "2, \"path", 1, "| 1 | 1 |")):
        (folder / "lagraph/test" / file).write_text(lagraph["test/" + file].replace(right, wrong))
        expect(code, text, "lagraph", folder / "lagraph")
        (folder / "lagraph/test" / file).write_text(lagraph["test/" + file])
    (folder / "lagraph/test/test_scc.c").unlink()
    expect(2, "has no test_scc.c", "lagraph", folder / "lagraph")
    # Published distances that are cut off; one that names an unreached vertex is not.
    (folder / "roads.distances").write_text("0 0\n1 5\n")
    expect(1, "| 2 | 1 |", *distances, "--weights")
    (folder / "roads.distances").write_text("1 0\n2 7\n")
    expect(0, "| 2 | 0 |", "distances", folder / "roads.gr", folder / "roads.distances", "-s", 2, "--shift", 1, "--weights")
    (folder / "roads.distances").write_text(files["roads.distances"])
    (folder / "roads.ss.chk").write_text("p chk sp ss 3\nd 17\nd 0\n")
    expect(2, "roads.ss.chk has 2 lines 'd NUMBER', and promises 3", "dimacs", folder / "roads.gr", folder / "roads.ss", folder / "roads.ss.chk")
    (folder / "other-BFS").write_text("7 0\n")
    expect(2, "other-BFS: its graph is missing", "graphalytics", folder)
    (folder / "other-BFS").unlink()
    # Answers that are not there, or that cannot be read, are no agreement, and no difference either.
    (folder / "roads.none").write_text("# nothing\n")
    expect(2, "holds no answer", "distances", folder / "roads.gr", folder / "roads.none", "-s", 1)
    (folder / "roads.words").write_text("1 zero\n")
    expect(2, "roads.words:1: no row", "distances", folder / "roads.gr", folder / "roads.words", "-s", 1)
    (folder / "names.txt").write_text("cat dog\ncat cow\n")
    for right, code in (1, 0), (7, 1):  # an id that begins as a comment of DIMACS does
        (folder / "names.distances").write_text(f"c a comment\ncat 0\ndog 1\ncow {right}\n")
        expect(code, "| cat | 3 |", "distances", folder / "names.txt", folder / "names.distances", "-s", "cat")
    for file, short in ("tiny-WCC", "7 7\n8 7\n"), ("tiny-BFS", "7 0\n8 1\n"):
        (folder / file).write_text(short)
        expect(1, "4 comparisons, 1 with differences", "graphalytics", folder)
        (folder / file).write_text(files[file])
    for text, code, word in ("", 2, "holds no answer"), ("7 7 7\n", 1, "4 comparisons, 1 with"):
        (folder / "tiny-WCC").write_text(text)
        expect(code, word, "graphalytics", folder)
    program.write_text(f"#!{sys.executable}\nprint('hello')\n")
    expect(2, "no line 'root R'", "graph500", program, "--scale", 2)
    for other, text in (folder / "no-tool", "no-tool is no program"), (sys.executable, "does not begin with hopwave"):
        done = subprocess.run([sys.executable, script, "lagraph", folder, "--tool", other], capture_output=True, text=True)
        if done.returncode != 2 or text not in done.stderr:
            faults.append(f"with {other}: exit code {done.returncode}\n{done.stderr}")
    (folder / "empty").mkdir()
    expect(3, "nothing was found to compare", "graphalytics", folder / "empty")
    expect(2, "outside: ", "distances", folder / "missing.gr", folder / "roads.distances", "-s", 1)

if faults:
    sys.exit("\n".join(faults))
