"""From which size on the backend pays: NetworkX and hopwave on the same graphs, in milliseconds of CPU time.

The rules in hopwave_networkx/rules.py have their sizes from these tables.
"""

from __future__ import annotations

import time
import warnings
from collections import deque
from collections.abc import Callable
from typing import Any

import networkx as nx


def best(call: Callable[[], Any], graph: Any, fresh: bool) -> float:
    """The least of several times; `fresh`: each without a converted graph in the cache."""
    times = []
    for _ in range(9):
        if fresh:
            graph.__networkx_cache__.clear()
        began = time.process_time()
        result = call()
        if hasattr(result, "__next__"):
            deque(result, maxlen=0)
        times.append(time.process_time() - began)
    return 1e3 * min(times)


def table(title: str, sizes: tuple[int, ...], names: tuple[str, ...], fresh: bool, ends: Callable[[int], tuple[int, ...]]) -> None:
    print(f"\n{title}\n\n| nodes | function | NetworkX | hopwave | ratio |\n|---:|---|---:|---:|---:|")
    for n in sizes:
        graph = nx.barabasi_albert_graph(n, 2, seed=1)
        nx.set_edge_attributes(graph, {edge: 1 + i % 20 for i, edge in enumerate(graph.edges)}, "capacity")
        for name in names:
            function = getattr(nx, name)
            theirs = best(lambda: function(graph, *ends(n), backend="networkx"), graph, False)
            ours = best(lambda: function(graph, *ends(n), backend="hopwave"), graph, fresh)
            print(f"| {n:,} | `{name}` | {theirs:.3f} | {ours:.3f} | {theirs / ours:.1f} |")


def main() -> None:
    warnings.simplefilter("ignore")
    every_node = ("closeness_centrality", "harmonic_centrality", "diameter", "wiener_index", "all_pairs_shortest_path_length")
    table("From every node, with the conversion:", (8, 16, 32, 64, 128), every_node, True, lambda n: ())
    flows = ("maximum_flow", "maximum_flow_value", "minimum_cut", "minimum_cut_value")
    table("Flows and cuts, with the conversion:", (8, 16, 32, 64, 128), flows, True, lambda n: (0, n - 1))
    by_weights = ("single_source_dijkstra", "dijkstra_predecessor_and_distance")
    table("By weights, with the conversion:", (32, 64, 128, 256), by_weights, True, lambda n: (0,))
    one_search = ("bfs_edges", "bfs_tree", "single_source_shortest_path_length", "predecessor", "node_connected_component")
    table("From one node, converted before:", (32, 64, 128, 256), one_search, False, lambda n: (0,))
    short = ("has_path", "bidirectional_shortest_path")
    table("Between two nodes, converted before:", (1000, 10_000, 100_000), short, False, lambda n: (n - 1, n // 2))


if __name__ == "__main__":
    main()
