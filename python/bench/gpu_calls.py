"""What a call costs beside the GPU's own work, and NetworkX's functions with searches on a GPU: bench/gpu_calls.py OUT.json

Times are wall clock. A call's time beyond the device is its median less the median of run.work_ms, which the library measures from
handing the search over until the host sees its end.
"""

from __future__ import annotations

import json
import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

import networkx as nx
import numpy as np

import hopwave as hw


def median_us(call: Callable[[], Any], times: int) -> float:
    taken = []
    for _ in range(times):
        began = time.perf_counter()
        call()
        taken.append(time.perf_counter() - began)
    return 1e6 * statistics.median(taken)


def calls(spec: str, times: int) -> dict[str, Any]:
    graph = hw.read(spec)
    searcher = hw.Searcher(graph, device="gpu", prepare=True)
    source = int(np.argmax(np.diff(graph.csr()[0].astype(np.int64))))
    name = int(graph.ids[source])
    for _ in range(20):
        searcher.bfs(name)
    found: dict[str, Any] = {"graph": spec, "vertices": graph.num_vertices, "arcs": graph.num_arcs}
    for out in ("numpy", "dlpack", "torch", "cupy"):
        try:
            device = 1e3 * statistics.median(searcher.bfs(name, out=out).run.work_ms for _ in range(times))
        except ImportError:
            continue
        call = median_us(lambda: searcher.bfs(name, out=out), times)
        found[out] = {"call_us": call, "device_us": device, "beyond_us": call - device}
    sources = [int(v) for v in graph.ids[:64]]
    for out in ("numpy", "torch", "cupy"):
        try:
            searcher.each(sources, out=out)
        except ImportError:
            continue
        found[f"each_64_{out}_us"] = median_us(lambda: searcher.each(sources, out=out), max(times // 20, 5))
    return found


def networkx(spec: str) -> dict[str, Any]:
    from networkx_backend import networkx_graph

    graph = networkx_graph(spec)
    found: dict[str, Any] = {"graph": spec, "nodes": len(graph), "edges": graph.number_of_edges()}
    for name in ("closeness_centrality", "harmonic_centrality", "global_efficiency", "wiener_index", "eccentricity"):
        function = getattr(nx, name)
        part = graph
        if name in ("wiener_index", "eccentricity"):
            part = graph.subgraph(max(nx.connected_components(graph), key=len)).copy()
        began = time.perf_counter()
        theirs = function(part, backend="networkx")
        middle = time.perf_counter()
        ours = function(part, backend="hopwave")
        again = min(median_us(lambda: function(part, backend="hopwave"), 1) for _ in range(3))
        found[name] = {
            "networkx_ms": 1e3 * (middle - began),
            "later_calls_ms": again / 1e3,
            "ratio": 1e6 * (middle - began) / again,
            "same": ours == theirs,
        }
    return found


def main() -> None:
    report = {
        "hopwave": hw.__version__,
        "device": {key: str(value) for key, value in hw.device_info().items()},
        "calls": [calls(spec, times) for spec, times in (("grid:20x20", 2000), ("rmat:14,8", 2000), ("rmat:20,16", 300))],
        "networkx": networkx("rmat:12,8"),
    }
    with open(sys.argv[1], "w") as file:
        json.dump(report, file, indent=1)
    print(json.dumps(report, indent=1))


if __name__ == "__main__":
    main()
