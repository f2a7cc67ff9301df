"""Neighbourhoods beside NetworkX and igraph: microseconds per query, medians of 20 sources, each answer compared.

python near.py [SPEC…]     default: grid:1000x1000 uniform:18,8 rmat:16,8
"""

import statistics
import sys
import time

import igraph
import networkx as nx
import numpy as np

import hopwave as hw


def microseconds(call, sources):
    times, answers = [], []
    for source in sources:
        begin = time.perf_counter()
        answer = call(source)
        times.append((time.perf_counter() - begin) * 1e6)
        answers.append(set(answer))
    return statistics.median(times), answers


def main(specs):
    print(f"| graph | depth | vertices | `reach` | `bfs(max_depth=)` | NetworkX, lengths | NetworkX, `ego_graph` | igraph |")
    print("|---|--:|--:|--:|--:|--:|--:|--:|")
    for spec in specs:
        graph = hw.read(spec).to_undirected()
        edges = graph.to_edges()
        theirs = nx.Graph()
        theirs.add_nodes_from(range(graph.num_vertices))
        theirs.add_edges_from(zip(edges[0].tolist(), edges[1].tolist()))
        other = igraph.Graph(n=graph.num_vertices, edges=np.column_stack(edges[:2]))
        searcher = hw.Searcher(graph, device="cpu")
        degrees = np.diff(graph.csr()[0].astype(np.int64))
        sources = np.random.default_rng(1).choice(np.flatnonzero(degrees), 20, replace=False).tolist()
        for depth in (1, 2, 3):
            ways = {
                "reach": lambda s: searcher.reach(s, max_depth=depth).vertices.tolist(),
                "bfs": lambda s: np.flatnonzero(searcher.bfs(s, max_depth=depth).distance >= 0).tolist(),
                "lengths": lambda s: nx.single_source_shortest_path_length(theirs, s, cutoff=depth),
                "ego": lambda s: nx.ego_graph(theirs, s, radius=depth),
                "igraph": lambda s: other.neighborhood(s, order=depth),
            }
            found = {name: microseconds(call, sources) for name, call in ways.items()}
            right = found["lengths"][1]
            for name, (_, answers) in found.items():
                assert answers == right, (spec, depth, name)
            size = statistics.median(len(answer) for answer in right)
            print(f"| {spec} | {depth} | {size:g} | " + " | ".join(f"{time:,.3g}" for time, _ in found.values()) + " |", flush=True)
        begin = time.perf_counter()
        each = searcher.reach_each(np.flatnonzero(degrees)[:20000], max_depth=2)
        spent = time.perf_counter() - begin
        print(f"{spec}: reach_each of 20,000 sources, depth 2: {spent:.3f} s, {each.vertices.size / spent / 1e6:.1f} million vertices a second")


if __name__ == "__main__":
    main(sys.argv[1:] or ["grid:1000x1000", "uniform:18,8", "rmat:16,8"])
