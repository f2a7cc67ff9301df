"""The backend's goals on large graphs, beside NetworkX: pip install hopwave networkx.

bench/networkx_large.py FILE [SPEC]

FILE is a graph whose closeness is computed from every node, SPEC a larger one for single searches; default: rmat:20,10. NetworkX needs
minutes and 3.3 GB for that. Its closeness is timed on one node in 64, and multiplied. Times are CPU time of the process, in
milliseconds, the least of several where they are short; conversions are in NetworkX's cache.
"""

from __future__ import annotations

import resource
import sys
import time
import warnings
from typing import Any

import networkx as nx
from networkx_backend import best, networkx_graph

from hopwave_networkx.converted import Kept

SEARCHES = ("bfs_edges", "single_source_shortest_path_length")


def row(name: str, theirs: float, ours: float) -> None:
    print(f"| `{name}` | {theirs:,.1f} | {ours:,.1f} | {theirs / ours:,.1f} |", flush=True)


def head(spec: str, graph: Any) -> None:
    print(f"\n`{spec}`: {len(graph):,} nodes, {graph.number_of_edges():,} edges\n", flush=True)


def closeness(path: str) -> None:
    graph = networkx_graph(path)
    head(path.rsplit("/", 1)[-1], graph)
    ours = best(lambda: nx.closeness_centrality(graph, backend="hopwave"), 3)
    some = list(graph)[::64]
    theirs = best(lambda: [nx.closeness_centrality(graph, u, backend="networkx") for u in some], 1)
    row("closeness_centrality", theirs * len(graph) / len(some), ours)


def searches(spec: str) -> None:
    graph = networkx_graph(spec)
    head(spec, graph)
    source = max(graph, key=graph.degree)
    began = time.process_time()
    Kept(graph)
    print(f"conversion: {graph.number_of_edges() / (time.process_time() - began) / 1e6:.1f} M edges/s\n")
    for name in SEARCHES:
        function = getattr(nx, name)
        for _ in range(2):
            best(lambda: function(graph, source, backend="hopwave"), 1)
        ours = best(lambda: function(graph, source, backend="hopwave"), 5)
        row(name, best(lambda: function(graph, source, backend="networkx"), 2), ours)
    print(f"\nmost memory: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6:.1f} GB")


def main() -> None:
    warnings.simplefilter("ignore")
    closeness(sys.argv[1])
    searches(sys.argv[2] if len(sys.argv) > 2 else "rmat:20,10")


if __name__ == "__main__":
    main()
