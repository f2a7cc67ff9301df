"""The NetworkX backend beside NetworkX on one graph, function by function, as a table: pip install hopwave networkx.

bench/networkx_backend.py [SPEC]   a generator's spec or a file; default: rmat:16,8

Times are CPU time of the process, since the machine may have other work; the least of several. "First call" has the
conversion, "later calls" compare the graph with it. The ratio is NetworkX's time over that of later calls.
"""

from __future__ import annotations

import sys
import time
import warnings
from collections import deque
from collections.abc import Callable
from typing import Any

import networkx as nx
import numpy as np

import hopwave as hw
from hopwave_networkx.converted import Kept

ONE_NODE = (
    *("bfs_edges", "bfs_tree", "bfs_predecessors", "bfs_successors", "bfs_layers", "bfs_labeled_edges", "descendants"),
    *("single_source_shortest_path_length", "single_source_shortest_path", "predecessor", "node_connected_component"),
)
WEIGHTED = ("single_source_dijkstra_path_length", "single_source_dijkstra_path", "dijkstra_predecessor_and_distance")
WHOLE = ("connected_components", "is_connected", "number_of_isolates")
EVERY_NODE = (
    *("closeness_centrality", "harmonic_centrality", "global_efficiency", "eccentricity", "diameter", "wiener_index"),
    *("average_shortest_path_length", "all_pairs_shortest_path_length"),
)


def best(call: Callable[[], Any], times: int) -> float:
    least = float("inf")
    for _ in range(times):
        began = time.process_time()
        result = call()
        if hasattr(result, "__next__"):
            deque(result, maxlen=0)
        least = min(least, time.process_time() - began)
        del result
    return 1e3 * least


def row(name: str, graph: Any, *args: Any, times: int = 3, digits: int = 1, **words: Any) -> None:
    function = getattr(nx, name)

    def fresh() -> Any:
        graph.__networkx_cache__.clear()
        return function(graph, *args, **words, backend="hopwave")

    theirs = best(lambda: function(graph, *args, **words, backend="networkx"), max(1, times - 1))
    first = best(fresh, min(times, 3))
    best(lambda: function(graph, *args, **words, backend="hopwave"), 1)  # the second call notes where rows begin
    later = best(lambda: function(graph, *args, **words, backend="hopwave"), times)
    title = name + "".join(f", {word}={value}" for word, value in words.items() if word != "target")
    print(f"| `{title}` | {theirs:,.{digits}f} | {first:,.{digits}f} | {later:,.{digits}f} | {theirs / later:,.{digits}f} |", flush=True)


def networkx_graph(spec: str) -> Any:
    graph = hw.read(spec, directed=False)
    offsets, neighbors = graph.csr()
    tails = np.repeat(np.arange(graph.num_vertices), np.diff(offsets.astype(np.int64)))
    once = tails < neighbors
    made: Any = nx.Graph(np.stack([tails[once], neighbors[once].astype(np.int64)], axis=1).tolist())
    return made


def main() -> None:
    warnings.simplefilter("ignore")
    spec = sys.argv[1] if len(sys.argv) > 1 else "rmat:16,8"
    graph = networkx_graph(spec)
    source = max(graph, key=graph.degree)
    print(f"{spec}: {len(graph):,} nodes, {graph.number_of_edges():,} edges\n")
    seconds = best(lambda: Kept(graph), 3) / 1e3
    print(f"conversion: {graph.number_of_edges() / seconds / 1e6:.1f} M edges/s\n")
    print("| ms | NetworkX | first call | later calls | ratio |\n|---|---:|---:|---:|---:|")
    for name in ONE_NODE:
        row(name, graph, source)
    for name in WHOLE:
        row(name, graph)
    for u, v, data in graph.edges(data=True):
        data["weight"] = 1 + (u * v) % 7
    for name in WEIGHTED:
        row(name, graph, source)
    print("\ncalls that end early:\n")
    print("| ms | NetworkX | first call | later calls | ratio |\n|---|---:|---:|---:|---:|")
    far = list(nx.single_source_shortest_path_length(graph, source))[-1]
    end = min(graph[far], key=graph.degree)
    for name in ("shortest_path", "has_path"):
        row(name, graph, far, target=source, times=9, digits=2)
    for name, words in (("single_source_shortest_path_length", {"cutoff": 2}), ("bfs_tree", {"depth_limit": 2})):
        row(name, graph, far, times=9, digits=2, **words)
    row("dijkstra_path_length", graph, far, target=end, times=9, digits=2)
    row("single_source_dijkstra_path_length", graph, far, times=9, digits=2, cutoff=4)
    largest = graph.subgraph(max(nx.connected_components(graph), key=len))
    small = nx.Graph(largest.subgraph(list(nx.bfs_tree(largest, source))[:2000]))
    print(f"\nfrom every node: {len(small):,} nodes, {small.number_of_edges():,} edges\n")
    print("| ms | NetworkX | first call | later calls | ratio |\n|---|---:|---:|---:|---:|")
    for name in EVERY_NODE:
        row(name, small, times=2)


if __name__ == "__main__":
    main()
