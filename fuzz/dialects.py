#!/usr/bin/env python3
"""Writes small random graphs as ten programs write them, has them read, and compares: direction, ids as text, weights, and
vertices without an edge where the dialect has them. A difference without an error ends it with status 1.

    fuzz/dialects.py PATH/TO/dialects [--files N] [--seed N] [--only NAME] [--show N]

The program (tests/io/dialects.cpp) reads the files through the library, all in one process.
"""
import argparse
import collections
import csv
import io
import json
import random
import subprocess
import sys
from fractions import Fraction

NAMES = ["Ann", "Bob", "Cid", "Zoë", "日本", "x1", "a-b", "A.B", "O'Brien", "n_0", "NA", "null", "True", "-", "C#", "v2.0", "e1e3", "u", "v"]
SPACED = ["New York", "a b c", 'say "x"', "a,b", "x;y", "p|q", "a, 'b'", "#tag", "%x", "//c", "", "1 2", "é; ,"]
ENDS = [("source", "target"), ("Source", "Target"), ("from", "to"), ("FROM", "TO"), ("src", "dst"), ("source_id", "target_id"),
        ("u", "v"), ("node1", "node2"), ("FromNodeId", "ToNodeId")]
WEIGHTS = ["weight", "Weight", "cost", "length", "distance", "value", "w"]
OTHERS = ["timestamp", "label", "key", "year", "since", "color", "kind", "note"]


class Graph:
    """Vertices as texts, edges as (source, target, text of the weight or None)."""

    def __init__(self, draw, ids="any", weighted=None, largest=8):
        self.draw = draw
        count = draw.randint(1, largest)
        kind = draw.choice(["from0", "from1", "gapped", "padded", "large", "names", "spaced"]) if ids == "any" else ids
        self.kind = kind
        if kind == "from0":
            self.ids = [str(i) for i in range(count)]
        elif kind == "from1":
            self.ids = [str(i + 1) for i in range(count)]
        elif kind == "gapped":
            self.ids = [str(i) for i in draw.sample(range(500), count)]
        elif kind == "padded":
            self.ids = draw.sample([str(i).zfill(draw.choice([1, 3, 5])) for i in range(40)], count)
        elif kind == "large":
            self.ids = [str(draw.choice([2**31, 2**32, 2**40, 10**17]) + i) for i in range(count)]
        elif kind == "names":
            self.ids = draw.sample(NAMES, count)
        else:
            self.ids = draw.sample(NAMES + [s for s in SPACED if s], count)
        self.weighted = draw.random() < 0.6 if weighted is None else weighted
        self.form = draw.choice(["small", "whole", "decimal", "mixed"])
        self.edges = []
        for _ in range(draw.randint(1, 12)):
            u, v = draw.choice(self.ids), draw.choice(self.ids)
            self.edges.append((u, v, self.number() if self.weighted else None))

    def number(self):
        form = self.draw.choice(["small", "whole", "decimal"]) if self.form == "mixed" else self.form
        if form == "small":
            return str(self.draw.randint(-3, 99))
        if form == "whole":
            return str(self.draw.choice([2**24, 2**31, 2**53, 2**62, -(2**40)]) + self.draw.randint(-2, 2))
        return repr(self.draw.choice([round(self.draw.uniform(-9, 99), self.draw.randint(1, 6)), 1e-05, 0.1, 2.5e20, 1e-300]))

    def numeric(self):
        return self.kind not in ("names", "spaced")


# A name that begins as comments do, "u" and "v" as names of columns and of vertices, three columns of words: errors say so.
DOUBTFUL = ("HW-EDGE-COMMENT", "HW-EDGE-HEADER", "HW-FORMAT-AMBIGUOUS", "HW-EDGE-EMPTY")


class File:
    """A file, what it says, and how it must be read. `error`: it may as well be refused."""

    def __init__(self, text, arcs, directed=True, vertices=None, name="g.csv", options=(), error=(), stated=None):
        self.text = text if isinstance(text, bytes) else text.encode()
        self.arcs, self.directed, self.name, self.options, self.error = arcs, directed, name, list(options), error
        self.error += DOUBTFUL
        ends = list(dict.fromkeys(x for u, v, _ in arcs for x in (u, v)))
        self.vertices = set(vertices if vertices is not None else ends)
        self.stated = stated  # what of a comment must be understood, or else said by an option


def table(rows, delimiter=",", quoting=csv.QUOTE_MINIMAL, end="\n"):
    out = io.StringIO()
    csv.writer(out, delimiter=delimiter, quoting=quoting, lineterminator=end).writerows(rows)
    return out.getvalue()


def columns_of(draw, graph, ends, weight, others):
    """A header and rows, with other columns anywhere."""
    names = [ends[0], ends[1]] + ([weight] if graph.weighted else [])
    if draw.random() < 0.3:
        draw.shuffle(names)
    for other in others:
        names.insert(draw.randint(0, len(names)), other)
    rows = [names]
    for i, (u, v, w) in enumerate(graph.edges):
        cell = {ends[0]: u, ends[1]: v, weight: w}
        rows.append([cell.get(n) if n in cell else draw.choice([str(i), "red", "2020-01-01", "", "x y"]) for n in names])
    return rows


def missing(draw, graph, word):
    """Some weights are not known: an error, or what an option says."""
    if not graph.weighted or draw.random() > 0.15:
        return [], (), graph.edges
    at = draw.randrange(len(graph.edges))
    edges = [(u, v, word if i == at else w) for i, (u, v, w) in enumerate(graph.edges)]
    wish = draw.choice([None, "drop", "1", "2.5"])
    read = [e for e in graph.edges]
    if wish == "drop":
        read = [e for i, e in enumerate(graph.edges) if i != at]
    elif wish:
        read[at] = (*read[at][:2], wish)
    graph.edges = edges
    return ([f"missing-weight={wish}"] if wish else []), (() if wish else ("HW-EDGE-WEIGHT",)), read


def ends_of(edges):
    return {x for u, v, _ in edges for x in (u, v)}


def pandas(draw):
    graph = Graph(draw)
    vertices = ends_of(graph.edges)
    options, error, arcs = missing(draw, graph, draw.choice(["", "NA", "nan", "None"]))
    weight = draw.choice(WEIGHTS)
    rows = columns_of(draw, graph, draw.choice(ENDS), weight, draw.sample(OTHERS, draw.randint(0, 3)))
    if draw.random() < 0.5:  # the index
        rows = [["" if i == 0 else str(i - 1)] + row for i, row in enumerate(rows)]
    delimiter = draw.choice([",", ",", ",", ";", "\t", "|"])
    quoting = draw.choice([csv.QUOTE_MINIMAL, csv.QUOTE_MINIMAL, csv.QUOTE_ALL, csv.QUOTE_NONNUMERIC])
    return File(table(rows, delimiter, quoting), arcs, vertices=vertices, options=options, error=error,
                name=draw.choice(["g.csv", "g.txt", "g.tsv"]))


def excel(draw):
    graph = Graph(draw)
    vertices = ends_of(graph.edges)
    options, error, arcs = missing(draw, graph, draw.choice(["", "#N/A", "NA"]))
    rows = columns_of(draw, graph, draw.choice(ENDS), draw.choice(WEIGHTS), draw.sample(OTHERS, draw.randint(0, 2)))
    if any(w == "#N/A" for _, _, w in graph.edges):
        options, error = [], ("HW-EDGE-WEIGHT", "HW-EDGE-COLUMNS")
    text = table(rows, ";", end="\r\n")
    if draw.random() < 0.3:
        text = "sep=;\r\n" + text
    return File(draw.choice([b"", b"\xef\xbb\xbf"]) + text.encode(), arcs, vertices=vertices, options=options, error=error)


def gephi(draw):
    graph = Graph(draw)
    kind = draw.choice(["Directed", "Undirected", "mixed"])
    types = [draw.choice(["Directed", "Undirected"]) if kind == "mixed" else kind for _ in graph.edges]
    names = ["Source", "Target", "Type", "Id", "Label", "timeset"] + (["Weight"] if graph.weighted else [])
    rows = [names] + [[u, v, t, str(i), "", ""] + ([w] if w else []) for i, ((u, v, w), t) in enumerate(zip(graph.edges, types))]
    arcs, directed = graph.edges, "Directed" in types
    if directed and "Undirected" in types:
        arcs = []
        for (u, v, w), t in zip(graph.edges, types):
            arcs += [(u, v, w)] + ([(v, u, w)] if t == "Undirected" and u != v else [])
    return File(table(rows, draw.choice([",", ";", "\t"])), arcs, directed=directed)


def neo4j(draw):
    graph = Graph(draw)
    space = draw.choice(["", "(Person)", "(Person-ID)"])
    names = [":START_ID" + space, ":END_ID" + space, ":TYPE"]
    if draw.random() < 0.2:
        names = ["_start", "_end", "_type"]
    rows = [names + (["weight:" + draw.choice(["float", "double", "int"])] if graph.weighted else []) + ["since:int"]]
    rows += [[u, v, draw.choice(["KNOWS", "LIKES"])] + ([w] if w else []) + ["1999"] for u, v, w in graph.edges]
    order = list(range(len(rows[0])))
    if draw.random() < 0.5:
        draw.shuffle(order)
    rows = [[row[i] for i in order] for row in rows]
    return File(table(rows, quoting=draw.choice([csv.QUOTE_MINIMAL, csv.QUOTE_ALL])), graph.edges)


def konect(draw):
    graph = Graph(draw, ids="from1", weighted=draw.random() < 0.5)
    sym = draw.random() < 0.5
    timed = graph.weighted and draw.random() < 0.4
    between = draw.choice([" ", "\t"])
    text = f"% {'sym' if sym else 'asym'} {draw.choice(['weighted', 'posweighted', 'signed']) if graph.weighted else 'unweighted'}\n"
    if draw.random() < 0.6:
        text += f"% {len(graph.edges)} {len(graph.ids)} {len(graph.ids)}\n"
    for u, v, w in graph.edges:
        text += between.join([u, v] + ([w] if w else []) + ([str(draw.randint(10**9, 2 * 10**9))] if timed else [])) + "\n"
    return File(text, graph.edges, directed=not sym, name="out.g", stated="% sym" if sym else None,
                vertices=ends_of(graph.edges))


def snap(draw):
    graph = Graph(draw, ids=draw.choice(["from0", "gapped", "large"]), weighted=draw.random() < 0.2)
    directed = draw.random() < 0.6
    text = f"# {'Directed' if directed else 'Undirected'} graph (each unordered pair of nodes is saved once): g.txt\n"
    text += "# A graph\n" * draw.randint(0, 2)
    vertices = ends_of(graph.edges)
    if draw.random() < 0.8:
        text += f"# Nodes: {len(graph.ids)} Edges: {len(graph.edges)}\n"
        if graph.kind == "from0":
            vertices = graph.ids
        elif all(int(x) < len(graph.ids) for x in vertices):
            vertices = [str(i) for i in range(len(graph.ids))]
        elif all(0 < int(x) <= len(graph.ids) for x in vertices):
            vertices = [str(i + 1) for i in range(len(graph.ids))]
    text += "# FromNodeId\tToNodeId" + ("\tWeight" if graph.weighted else "") + "\n"
    text += "".join("\t".join([u, v] + ([w] if w else [])) + "\n" for u, v, w in graph.edges)
    return File(text, graph.edges, directed=directed, vertices=vertices, name="g.txt", stated=None if directed else "# Und")


def osmnx(draw):
    graph = Graph(draw, ids=draw.choice(["large", "gapped"]), weighted=True)
    names = ["u", "v", "key", "osmid", "highway", "lanes", "oneway", "name", "length", "geometry"]
    others = draw.sample(["maxspeed", "reversed", "bridge", "junction"], draw.randint(0, 2))
    if draw.random() < 0.3:
        others.append("travel_time")
    rows = [names[:8] + others + names[8:]]
    for i, (u, v, w) in enumerate(graph.edges):
        name = draw.choice(["", "Main Street", "['A', 'B']", 'Rue "x"', "A, B"])
        line = f"LINESTRING ({i} 1, {i} 2.5)"
        osmid = draw.choice([str(10**8 + i), f"[{10**8}, {i}]"])
        rows.append([u, v, str(draw.randint(0, 2)), osmid, "residential", draw.choice(["", "2"]),
                     draw.choice(["True", "False"]), name] + [draw.choice(["", "50", "True"]) for _ in others] + [w, line])
    return File(table(rows), graph.edges)


def pgrouting(draw):
    graph = Graph(draw, ids=draw.choice(["from1", "gapped", "large"]), weighted=True)
    both = draw.random() < 0.7
    first = draw.choice(["id", "gid", "osm_id"])
    rows = [[first, "source", "target", "cost"] + (["reverse_cost"] if both else []) + draw.sample(["length_m", "kmh", "name"], 1)]
    arcs = []
    for i, (u, v, w) in enumerate(graph.edges):
        back = draw.choice([w, graph.number(), "-1"])
        w = draw.choice([w, w, "-1"]) if both else w
        rows.append([str(i + 1), u, v, w] + ([back] if both else []) + ["7"])
        if not both or float(w) >= 0:
            arcs.append((u, v, w))
        if both and float(back) >= 0:
            arcs.append((v, u, back))
    return File(table(rows, draw.choice([",", ";", "|", "\t"])), arcs, vertices=ends_of(graph.edges))


def networkx(draw):
    graph = Graph(draw, ids=draw.choice(["from0", "gapped", "padded", "names"]))
    delimiter = draw.choice([" ", " ", ",", "\t"])
    form = draw.choice(["dict", "weighted", "plain"])
    directed = draw.random() < 0.5
    options, error, arcs = [], (), graph.edges
    text = ""
    if not graph.numeric() and delimiter != " ":
        options = ["header=no"]  # the words of a first row that are nowhere else would be a header's
    if form == "dict" and graph.weighted:
        more, error, arcs = missing(draw, graph, "None")
        options += more
    for u, v, w in graph.edges:
        cells = [u, v]
        if form == "dict":
            values = {"color": "'red'", "name": repr(draw.choice(["a, b", "it's", 'x "y"', "{1: 2}", "#1"])), "pos": "(1, 2)"}
            pairs = [(k, values[k]) for k in draw.sample(sorted(values), draw.randint(0, 3))]
            if w:
                w = f"np.float64({w})" if draw.random() < 0.2 and w != "None" else w
                pairs.insert(draw.randint(0, len(pairs)), ("weight", w))
            cells.append("{" + ", ".join(f"'{k}': {x}" for k, x in pairs) + "}")
        elif form == "weighted" and w:
            cells.append(w)
        text += delimiter.join(cells) + "\n"
    if form == "plain":
        arcs = [(u, v, None) for u, v, _ in graph.edges]
    return File(text, arcs, directed=directed, name="g.edgelist", options=options + ([] if directed else ["undirected=yes"]),
                error=error + ("HW-FORMAT-AMBIGUOUS", "HW-EDGE-COUNTS"), vertices=ends_of(graph.edges))


def igraph(draw):
    form = draw.choice(["csv", "csv", "table", "ncol", "edgelist"])
    graph = Graph(draw, ids="any" if form in ("csv", "table") else "names" if form == "ncol" else "from0")
    vertices = ends_of(graph.edges)
    options, error, arcs = missing(draw, graph, "NA") if form in ("csv", "table") else ([], (), graph.edges)
    text_ids = not graph.numeric() or graph.kind == "padded"
    quote = lambda s: '"' + s.replace('"', '""') + '"'
    put = lambda s: quote(s) if text_ids else s
    if form == "edgelist":
        text = "".join(f"{u} {v}\n" for u, v, _ in graph.edges)
        return File(text, [(u, v, None) for u, v, _ in graph.edges], name="g.txt", error=("HW-EDGE-COUNTS", "HW-FORMAT-AMBIGUOUS"))
    if form == "ncol":
        text = "".join(" ".join([u, v] + ([w] if w else [])) + "\n" for u, v, w in graph.edges)
        return File(text, arcs, name="g.ncol")
    names = ["from", "to"] + (["weight"] if graph.weighted else []) + draw.sample(["label", "year"], draw.randint(0, 2))
    numbered = draw.random() < 0.6
    delimiter = "," if form == "csv" else draw.choice([" ", "\t", " "])
    head = [quote(n) for n in names]
    if numbered and form == "csv":
        head.insert(0, '""')  # write.table leaves it out
    lines = [delimiter.join(head)]
    for i, (u, v, w) in enumerate(graph.edges):
        cell = {"from": put(u), "to": put(v), "weight": w, "label": '"x y"', "year": "1999"}
        lines.append(delimiter.join(([quote(str(i + 1))] if numbered else []) + [cell[n] for n in names]))
    error += ("HW-EDGE-ID", "HW-EDGE-COLUMNS") if graph.kind == "spaced" and delimiter == " " else ()
    return File("\n".join(lines) + "\n", arcs, options=options, error=error, name="g.csv" if form == "csv" else "g.txt",
                vertices=vertices)


DIALECTS = [pandas, excel, gephi, neo4j, konect, snap, osmnx, pgrouting, networkx, igraph]


def value_of(text):
    return Fraction(text) if "e" not in text.lower() else Fraction(float(text))


def same_weight(want, have, exact):
    return value_of(want) == Fraction(have) if exact else float(want) == float(have)


def difference(file, read):
    if read["directed"] != file.directed:
        return "direction"
    ids = read["ids"]
    if set(ids) != file.vertices or len(ids) != len(file.vertices):
        return "vertices"
    arcs = [(ids[e[0]], ids[e[1]], *e[2:]) for e in read["edges"]]
    if [a[:2] for a in arcs] != [a[:2] for a in file.arcs]:
        return "arcs"
    weights = [w for _, _, w in file.arcs if w is not None]
    if bool(weights) != bool(arcs and len(arcs[0]) > 2):
        return "whether there are weights"
    whole = all(w.lstrip("-").isdigit() for w in weights)
    if weights and not all(same_weight(want[2], have[2], whole) for want, have in zip(file.arcs, arcs)):
        return "weights"
    return ""


def ask(program, files):
    data = b"".join(" ".join([f.name, str(len(f.text)), *f.options]).encode() + b"\n" + f.text for f in files)
    done = subprocess.run([program], input=data, stdout=subprocess.PIPE, check=True)
    lines = done.stdout.decode("utf-8", "replace").splitlines()
    if len(lines) != len(files):
        raise SystemExit(f"{len(lines)} answers to {len(files)} files")
    return [json.loads(line) for line in lines]


def stated_unread(program):
    """Which comments on direction this build does not take: there an option says it."""
    probes = {"% sym": b"% sym unweighted\n1 2\n", "# Und": b"# Undirected graph (each unordered pair of nodes is saved once): g\n0 1\n"}
    files = [File(text, [], name="g.txt") for text in probes.values()]
    return {key for key, read in zip(probes, ask(program, files)) if read.get("directed")}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--files", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only")
    parser.add_argument("--show", type=int, default=3, help="differences that are shown of each dialect")
    wish = parser.parse_args()
    unread = stated_unread(wish.program)
    dialects = [d for d in DIALECTS if wish.only in (None, d.__name__)]
    draw = random.Random(wish.seed)
    counts, errors, different = collections.Counter(), collections.Counter(), collections.Counter()
    for first in range(0, wish.files, 5000):
        batch = []
        for i in range(first, min(first + 5000, wish.files)):
            dialect = dialects[i % len(dialects)]
            file = dialect(draw)
            if file.stated in unread:
                file.options.append("undirected=yes")
            batch.append((dialect.__name__, file))
        for (name, file), read in zip(batch, ask(wish.program, [f for _, f in batch])):
            counts[name] += 1
            if "error" in read:
                errors[name, read["error"], read["error"] in file.error] += 1
                if read["error"] in file.error or errors[name, read["error"], False] > wish.show:
                    continue
                print(f"--- {name}: refused: {read['message']}\n{file.text.decode()}", file=sys.stderr)
                continue
            what = difference(file, read)
            if not what:
                continue
            different[name] += 1
            if different[name] <= wish.show:
                print(f"--- {name}: {what} differ, options {file.options}\n{file.text.decode()}want {file.arcs} {file.directed} "
                      f"{sorted(file.vertices)}\nread {read}", file=sys.stderr)
    for name in counts:
        refused = {f"{e}{'' if expected else ' (not expected)'}": c for (n, e, expected), c in sorted(errors.items()) if n == name}
        print(f"{name}: {counts[name]} files, {different[name]} different, refused {refused or 'none'}")
    print(f"{sum(counts.values())} files, {sum(different.values())} different without an error")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
