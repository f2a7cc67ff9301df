"""Matrices of distances and several paths beside SciPy, igraph and NetworkX: pip install scipy igraph networkx.

bench/path_peers.py [FILE]   a table for generated graphs, or for a file with weights, such as a road network
Each time is the least of three, in milliseconds of CPU time of all threads, with one thread of hopwave. The graph is built
beforehand, in each package's own form. Answers are compared. The ratio is the peer's time over hopwave's.
"""

from __future__ import annotations

import itertools
import sys
import time
from collections.abc import Callable
from typing import Any

import igraph
import networkx as nx
import numpy as np
import scipy.sparse as sp
from scipy.sparse import csgraph

import hopwave as hw


def least(call: Callable[[], Any]) -> tuple[float, Any]:
    times, found = [], None
    for _ in range(3):
        begin = time.process_time()
        found = call()
        times.append(time.process_time() - begin)
    return 1000 * min(times), found


class Peers:
    """One graph in each package."""

    def __init__(self, graph: hw.Graph) -> None:
        self.ours = graph
        offsets, neighbors = graph.csr()
        weights = np.asarray(graph.weights)
        n = graph.num_vertices
        self.scipy = sp.csr_array((weights.astype(float), neighbors.astype(np.int64), offsets.astype(np.int64)), shape=(n, n))
        tails = np.repeat(np.arange(n), np.diff(offsets).astype(np.int64))
        self.igraph = igraph.Graph(n=n, edges=np.stack([tails, neighbors], axis=1), directed=True)
        self.weights = weights.tolist()
        self.networkx: Any = nx.DiGraph()
        self.networkx.add_weighted_edges_from(zip(tails.tolist(), neighbors.tolist(), self.weights))


def row(name: str, calls: dict[str, Callable[[], Any]], same: Callable[[Any], Any]) -> None:
    times, answers = {}, {}
    for package, call in calls.items():
        times[package], found = least(call)
        answers[package] = same(found)
    ours = times["hopwave"]
    for package, answer in answers.items():
        assert np.array_equal(answer, answers["hopwave"]), (name, package)
    cells = [f"{times[p]:,.0f}" + ("" if p == "hopwave" else f" ({times[p] / ours:.1f})") if p in times else "–" for p in PACKAGES]
    print(f"| {name} | " + " | ".join(cells) + " |", flush=True)


PACKAGES = ["hopwave", "scipy", "igraph", "networkx"]


def compare(name: str, graph: hw.Graph) -> None:
    peers, rng = Peers(graph), np.random.default_rng(1)
    n = graph.num_vertices
    far = rng.integers(0, n, 16)
    near = np.arange(n // 2, n // 2 + 30)
    for what, ends in (("16 × 16, anywhere", far), ("30 × 30, near each other", near)):
        ends = np.unique(ends)
        row(
            f"{name}, {what}",
            {
                "hopwave": lambda ends=ends: hw.distance_matrix(graph, ends, weights=True, threads=1).distance,
                "scipy": lambda ends=ends: csgraph.dijkstra(peers.scipy, indices=ends)[:, ends],
                "igraph": lambda ends=ends: np.array(peers.igraph.distances(ends.tolist(), ends.tolist(), peers.weights)),
            },
            np.asarray,
        )
    a, b = int(far[0]), int(far[1])
    row(
        f"{name}, 10 shortest paths",
        {
            "hopwave": lambda: hw.k_shortest_paths(graph, a, b, 10, weights=True, threads=1).lengths.tolist(),
            "igraph": lambda: [
                sum(peers.weights[e] for e in path)
                for path in peers.igraph.get_k_shortest_paths(a, b, k=10, weights=peers.weights, output="epath")
            ],
            **(
                {}
                if n > 20_000
                else {
                    "networkx": lambda: [
                        nx.path_weight(peers.networkx, path, "weight")
                        for path in itertools.islice(nx.shortest_simple_paths(peers.networkx, a, b, "weight"), 10)
                    ]
                }
            ),
        },
        np.asarray,
    )


def weighted(spec: str) -> hw.Graph:
    """A generated graph, with whole weights from 1 to 255."""
    plain = hw.read(spec)
    offsets, heads = plain.csr()
    tails = np.repeat(np.arange(plain.num_vertices), np.diff(offsets).astype(np.int64))
    once = slice(None) if plain.directed else tails < heads
    tails, heads = tails[once], heads[once]
    weights = np.random.default_rng(2).integers(1, 256, tails.size)
    return hw.Graph.from_edges(tails, heads, num_vertices=plain.num_vertices, weights=weights, directed=plain.directed)


if __name__ == "__main__":
    print("| graph, what | " + " | ".join(PACKAGES) + " |")
    print("|---|" + "---:|" * len(PACKAGES))
    if len(sys.argv) > 1:
        compare(sys.argv[1].rsplit("/", 1)[-1], hw.read(sys.argv[1], weights=True))
    else:
        for spec in ("grid:100x100", "streets:300", "rmat:15,8"):
            compare(spec, weighted(spec))
