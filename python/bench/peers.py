"""hopwave beside NetworkX, SciPy, igraph and rustworkx, in one run: pip install networkx scipy igraph rustworkx.

bench/peers.py [SPEC]   a generator's spec or a file; default: rmat:14,8
rustworkx has no search that gives hops alone: its column is Dijkstra with weights of 1. Each time is the least of several, in milliseconds of CPU
time of all threads, since the machine may have other work. The ratio is the peer's time over hopwave's on the CPU.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

import igraph
import networkx as nx
import numpy as np
import rustworkx as rx
import scipy.sparse as sp
from scipy.sparse import csgraph

import hopwave as hw


def best(call: Callable[[], Any], times: int = 3) -> float:
    least = float("inf")
    for _ in range(times):
        began = time.process_time()
        call()
        least = min(least, time.process_time() - began)
    return 1e3 * least


def row(name: str, ours: float, **peers: float) -> None:
    cells = [f"{peers[p]:.3f} ({peers[p] / ours:.1f})" if p in peers else "" for p in ("nx", "scipy", "igraph", "rustworkx")]
    print(f"| {name} | {ours:.3f} | {' | '.join(cells)} |")


def import_ms(module: str) -> float:
    code = f"import time; began = time.process_time(); import {module}; print(time.process_time() - began)"
    run = [sys.executable, "-c", code]
    return min(1e3 * float(subprocess.run(run, capture_output=True, check=True).stdout) for _ in range(5))


def main() -> None:
    spec = sys.argv[1] if len(sys.argv) > 1 else "rmat:14,8"
    graph = hw.read(spec, directed=False)
    offsets, neighbors = graph.csr()
    n = graph.num_vertices
    tails = np.repeat(np.arange(n), np.diff(offsets.astype(np.int64)))
    once = tails < neighbors
    ends = np.stack([tails[once], neighbors[once].astype(np.int64)], axis=1)
    pairs = ends.tolist()
    theirs = nx.Graph(pairs)
    theirs.add_nodes_from(range(n))
    matrix = sp.csr_array((np.ones(neighbors.size, np.int8), neighbors, offsets.astype(np.int64)), shape=(n, n))
    ig = igraph.Graph(n=n, edges=pairs)
    rw: Any = rx.PyGraph(multigraph=False)
    rw.add_nodes_from(range(n))
    rw.add_edges_from_no_data([tuple(p) for p in pairs])

    searcher = hw.Searcher(graph, device="cpu")
    source = int(np.argmax(np.diff(offsets.astype(np.int64))))
    reached = searcher.bfs(source).reached
    assert reached == len(nx.single_source_shortest_path_length(theirs, source))
    print(f"{spec}: {n:,} vertices, {graph.num_arcs:,} arcs; a search reaches {reached:,}\n")
    print("| ms (ratio) | hopwave | NetworkX | SciPy | igraph | rustworkx |\n|---|---:|---:|---:|---:|---:|")
    row(
        "distances from one vertex",
        best(lambda: searcher.bfs(source), 10),
        nx=best(lambda: nx.single_source_shortest_path_length(theirs, source)),
        scipy=best(lambda: csgraph.shortest_path(matrix, unweighted=True, indices=source)),
        igraph=best(lambda: ig.distances(source)),
        rustworkx=best(lambda: rx.graph_dijkstra_shortest_path_lengths(rw, source, lambda _: 1.0)),
    )
    row(
        "components",
        best(lambda: hw.components(graph)),
        nx=best(lambda: list(nx.connected_components(theirs))),
        scipy=best(lambda: csgraph.connected_components(matrix, directed=False)),
        igraph=best(lambda: ig.connected_components().membership),
        rustworkx=best(lambda: rx.connected_components(rw)),
    )
    some = list(range(0, n, max(1, n // 64)))[:64]
    row(
        "distances from 64 vertices",
        best(lambda: searcher.each(some)),
        nx=best(lambda: [nx.single_source_shortest_path_length(theirs, s) for s in some], 1),
        scipy=best(lambda: csgraph.shortest_path(matrix, unweighted=True, indices=some), 1),
        igraph=best(lambda: ig.distances(some), 1),
    )
    seconds = best(lambda: hw.Graph.from_networkx(theirs)) / 1e3
    print(f"\nfrom_networkx: {theirs.number_of_edges() / seconds / 1e6:.2f} M edges/s")
    seconds = best(lambda: hw.Graph.from_edges(ends[:, 0], ends[:, 1], directed=False)) / 1e3
    print(f"from_edges: {len(ends) / seconds / 1e6:.2f} M edges/s")
    print(f"import: {import_ms('hopwave') - import_ms('numpy'):.0f} ms beyond NumPy's")
    tiny = hw.Searcher(hw.Graph.from_edges([0], [1]), device="cpu")
    print(f"one search of two vertices: {1e3 * best(lambda: [tiny.bfs(0) for _ in range(1000)]) / 1000:.1f} µs")


if __name__ == "__main__":
    main()
