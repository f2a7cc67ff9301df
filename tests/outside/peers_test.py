"""scripts/peers with a small program in the place of each peer: it reads what the script wrote, in that peer's format, searches, and prints
as that peer does. Right answers are accepted; a wrong one, an output that is cut off, a crash and a hang are found and named.
python3 tests/outside/peers_test.py TOOL"""
import json
import pathlib
import subprocess
import sys
import tempfile

script = pathlib.Path(__file__).resolve().parent.parent.parent / "scripts" / "peers"
tool = sys.argv[1]

stand_in = '''#!{python}
import array, os, pathlib, signal, sys
kind, fault, words = "{kind}", "{fault}", sys.argv[1:]

def numbers(path, code, at=0, end=None):
    return array.array(code, pathlib.Path(path).read_bytes()[at:end])

def after(option):
    return words[words.index(option) + 1]

def rows_of(offsets, neighbours):
    assert len(neighbours) == offsets[-1]
    return [list(neighbours[a:b]) for a, b in zip(offsets, offsets[1:])]

def matrix(path):
    lines = [l.split() for l in open(path) if l[0] != "%"]
    assert open(path).readline().split()[3:] == ["pattern", "symmetric"]
    rows = [[] for _ in range(int(lines[0][0]))]
    assert len(lines) == int(lines[0][2]) + 1
    for a, b in ((int(a) - 1, int(b) - 1) for a, b in lines[1:]):
        rows[a].append(b)
        rows[b].append(a)
    return rows

def search(rows, source):
    level, queue = dict([(source, 0)]), [source]
    for v in queue:
        for w in rows[v]:
            if w not in level:
                level[w] = level[v] + 1
                queue.append(w)
    if fault == "vertex":  # one vertex is forgotten, the last; of those that Gunrock prints
        del level[[v for v in queue if kind != "gunrock" or v < 40][-1]]
    return level, sum(len(rows[v]) for v in level)

def sizes(level):
    return [list(level.values()).count(d) for d in range(max(level.values()) + 1)]

if fault == "crash":
    os.kill(os.getpid(), signal.SIGSEGV)
if fault == "exit":
    sys.exit("out of memory")
if fault == "hang":
    while True:
        signal.pause()
out = []
right = fault != "check"
if kind == "gap":
    arcs, vertices = numbers(after("-f"), "q", 1, 17)
    assert numbers(after("-f"), "b", 0, 1)[0] == 0
    rows = rows_of(numbers(after("-f"), "q", 17, 25 + 8 * vertices), numbers(after("-f"), "i", 25 + 8 * vertices))
    level, edges = search(rows, int(after("-r")))
    for i in range(int(after("-n"))):
        out += ["Trial Time:           0.00%d" % (i + 2)]
    out += ["BFS Tree has %d nodes and %d edges" % (len(level), edges), "Average Time:         0.00250"]
elif kind in ("gbbs", "pasgal"):
    path = words[-1] if kind == "gbbs" else after("-i")
    vertices, arcs, size = numbers(path, "q", 0, 24)
    assert size == os.path.getsize(path) and (kind == "gbbs" or path.endswith(".bin")) and "-s" in words
    rows = rows_of(numbers(path, "q", 24, 32 + 8 * vertices), numbers(path, "i", 32 + 8 * vertices))
    level, edges = search(rows, int(after("-src" if kind == "gbbs" else "-r")))
    if kind == "gbbs":
        threads = "3" if fault == "threads" else os.environ["PARLAY_NUM_THREADS"]
        for _ in range(int(after("-rounds"))):
            out += ["### Application: BFS", "### Graph: " + path, "### Threads: " + threads, "### n: %d" % vertices, "### m: %d" % arcs]
            out += [*map(str, sizes(level)), "Reachable: %d" % len(level), "### Running Time: 0.002"]
        out += ["# time per iter: 0.002"]
    else:
        out += ["Reading graph...", "Running on %s: |V|=%d, |E|=%d, num_src=5, num_round=5" % (path, vertices, arcs)]
        out += ["source " + after("-r"), "Warmup Round: 0.004"]
        out += ["Round %d: 0.002" % (i + 1) for i in range(5)] + ["Average time: 0.002", "Running verifier..."] + ["Passed!"] * right
elif kind == "gunrock":
    rows = matrix(after("-m"))
    level, _ = search(rows, int(after("-s")))
    first = [level.get(v, 2147483647) for v in range(min(40, len(rows)))]
    assert "--validate" in words
    out += ["Source : " + after("-s"), "GPU distances[:%d] = %s " % (len(first), " ".join(map(str, first))), "GPU Elapsed Time : 2.5 (ms)"]
    out += ["CPU Distances[:1] = 0 ", "CPU Elapsed Time : 9.1 (ms)", "Number of errors : %d" % (not right)]
elif kind == "gunrock1":
    assert words[0] == "market"
    rows = matrix(words[1])
    options = dict(w[2:].split("=") for w in words[2:])
    sources = options["src"].split(",")
    for i, s in enumerate(sources):
        out += ["__________________________", "--------------------------", "Run %d elapsed: 9.5 ms, src = %s, #iterations = 3" % (i, s)]
    for i in range(int(options["num-runs"])):
        s = sources[i % len(sources)]
        level, _ = search(rows, int(s))
        out += ["__________________________", "--------------------------", "Run %d elapsed: 2.250000 ms, src = %s, #iterations = 3" % (i, s)]
        out += ["Label Validity: " + ("PASS" if right else "FAIL: [3]: 2 != 1")]
    out += ["[BFS] finished.", " avg. elapsed: 2.25 ms", " nodes_visited: %d" % len(level)]
elif kind == "gswitch":
    assert "--with-header" in words and "--validation" in words
    search(matrix(words[0]), int(words[2].split("=")[1]))
    out += ["passed"] if right else ["failed", "3 2 1"]
    out += ["2.125"]
elif kind == "xbfs":
    assert len(words) == 11
    rows = rows_of(numbers(words[0], "q"), numbers(words[1], "i"))
    level, _ = search(rows, int(words[8]))
    out += ["", "#of remaining -1: %d" % (len(rows) - len(level)), "naivetime=40.5 ms", "", "Current level = 3 %d padding=1" % (not right)]
    out += ["Time consumption of top-down && bottom up BFS: 0.0025 seconds from the starting vertex %s" % words[8], "graph;Total time of traversal (ms)=0.0025"]
elif kind == "enterprise":
    rows = rows_of(numbers(words[0], "q"), numbers(words[1], "q"))
    for i in range(64):
        level, edges = search(rows, i)
        out += ["Test %d" % (i + 1), "Started from: %d" % i]
        if max(level.values()) > 2:
            out += ["", "BFS result validation: CORRECT", "Traversed vertices: %d\\t\\t\\tTraversed edges: %d" % (len(level), edges)]
            out += ["Traversed time(s) :0.002\\t\\tCurrent TEPS (Billion): 0.1", "Average TEPS (Billion): 0.1"]
        else:
            out += ["Traverse depth is %d" % max(level.values())]
        out += ["", "===================================="]
elif kind == "blest":
    folder, name = after("-d"), after("-g")
    rows = matrix(folder + name + ".mtx")
    for s in open(folder + name + ".txt"):
        level, _ = search(rows, int(s))
        out += ["Source: %d - Number of levels processed: %d - Total visited: %d - Time took: 2.5 ms." % (int(s), max(level.values()) + 1, len(level))]
    out += ["Time: 2.5 ms."]
text = "\\n".join(out) + "\\n"
print(text[:len(text) // 3] if fault == "cut" else "" if fault == "silent" else text, end="")
'''
faults = []
titles = {"gap": "GAP", "gbbs": "GBBS", "pasgal": "PASGAL", "gunrock": "Gunrock 2", "gunrock1": "Gunrock 1", "gswitch": "GSWITCH", "xbfs": "XBFS",
          "enterprise": "Enterprise", "blest": "BLEST"}


def expect(code, texts, *words):
    command = [sys.executable, script, "--tool", tool, "--device", "cpu", "--threads", 2, "--sources", 2, "--rounds", 1, "--trials", 2, *words]
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True)
    for text in texts:
        if done.returncode != code or text not in done.stdout + done.stderr:
            faults.append(f"{' '.join(map(str, words))}: exit code {done.returncode}, expected {code} and \"{text}\"\n{done.stdout}{done.stderr}")


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    # Vertices without edges between others, so that ids change; parallel edges and self-loops.
    graph = folder / "graph.txt"
    graph.write_text("# Nodes: 200 Edges: 3\n" + "".join(f"{2 * v} {2 * v + 2}\n{2 * v} {2 * v + 2}\n{2 * v} {(14 * v) % 190}\n" for v in range(95)))

    def made(kind, fault):
        path = folder / f"{kind}-{fault}"
        path.write_text(stand_in.format(python=sys.executable, kind=kind, fault=fault))
        path.chmod(0o755)
        return path

    everything = [w for kind in titles for w in (f"--{kind}", made(kind, "none"))]
    expect(0, [f"- {title}: compared: " for title in titles.values()], graph, *everything, "--json", folder / "out.json", "--version", "gap=stand-in", "--rounds", 2)
    done = json.loads((folder / "out.json").read_text())
    if [r["peer"] for r in done["rows"]][:2] != ["GAP stand-in, 2 CPU cores", "GBBS, 2 CPU cores"] or len(done["rows"]) != 9 or not done["commit"]:
        faults.append(f"the file is not as it should be: {done}")
    if any(row["ms"] != [{"gap": 2, "gunrock1": 2.25, "gswitch": 2.125, "gbbs": 2, "pasgal": 2, "enterprise": 2}.get(kind, 2.5)]
           for kind, row in zip(["gap", "gbbs", "pasgal", "gunrock", "gunrock1", "gswitch", "xbfs", "enterprise", "blest"], done["rows"])):
        faults.append(f"times are not those that were printed: {done['rows']}")
    for kind in titles:
        if kind not in ("pasgal", "gswitch"):  # these state nothing of the answer but their own check's verdict
            expect(1, [f"wrong: {kind} on graph from "], graph, f"--{kind}", made(kind, "vertex"))
        if kind in ("gunrock", "gunrock1", "gswitch", "xbfs", "pasgal"):
            expect(1, ["its own check: failed"], graph, f"--{kind}", made(kind, "check"))
        for fault, text in (("crash", "killed by SIGSEGV"), ("exit", "exit code 1: out of memory"), ("cut", "cut off"), ("silent", "cut off")):
            expect(2, [f"- failed: {kind} on graph: ", text], graph, f"--{kind}", made(kind, fault))
    expect(2, ["not finished after 0 s"], graph, "--gap", made("gap", "hang"), "--limit", 0)
    expect(2, ["it ran with 3 threads, not with 2"], graph, "--gbbs", made("gbbs", "threads"))
    # One program that fails, and a graph that cannot be read, leave the others their rows.
    expect(2, ["| graph | cpu | 2 | ", "- GBBS: compared", "failed: gap on graph", f"failed: ours on {folder / 'none.gr'}"],
           folder / "none.gr", graph, "--gap", made("gap", "exit"), "--gbbs", made("gbbs", "none"))
    expect(2, ["--gap: nothing is no program"], graph, "--gap", "nothing")
    expect(2, [f"--gap: {graph} is no program"], graph, "--gap", graph)
    expect(2, ["name at least one program"], graph)
    expect(2, ["not begin with hopwave"], graph, "--gap", made("gap", "none"), "--before", sys.executable)
    expect(2, [f"{folder}/none/out.json"], graph, "--gap", made("gap", "none"), "--json", folder / "none/out.json")
    expect(2, ["--version: gab"], graph, "--gap", made("gap", "none"), "--version", "gab=1")

if faults:
    sys.exit("\n".join(faults))
