"""From which size on the backend pays: NetworkX and hopwave on the same graphs, the conversion included each time."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import networkx as nx


def best(call: Callable[[], Any], graph: Any) -> float:
    """The least of five times in milliseconds, each without a converted graph in the cache."""
    times = []
    for _ in range(5):
        graph.__networkx_cache__.clear()
        began = time.perf_counter()
        call()
        times.append(time.perf_counter() - began)
    return 1e3 * min(times)


print("| nodes | function | NetworkX ms | hopwave ms | ratio |\n|---:|---|---:|---:|---:|")
for n in (8, 16, 32, 64, 128, 256):
    graph = nx.barabasi_albert_graph(n, 2, seed=1)
    for function in (nx.closeness_centrality, nx.diameter, nx.wiener_index):
        theirs = best(lambda: function(graph), graph)
        ours = best(lambda: function(graph, backend="hopwave"), graph)
        print(f"| {n} | {function.__name__} | {theirs:.3f} | {ours:.3f} | {theirs / ours:.1f} |")
