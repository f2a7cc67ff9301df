"""Maximum flows and matchings beside SciPy, igraph, OR-tools and NetworkX: pip install scipy igraph ortools networkx.

bench/flow_peers.py check [N]   compares the answers on N small composed networks and N bipartite graphs; default: 10000
bench/flow_peers.py time        a table for generated networks and graphs
Each time is the least of three, in milliseconds of CPU time of all threads, since the machine may have other work. All begin
with arrays of arcs: what a package builds of them is counted. The ratio is the peer's time over hopwave's on the CPU.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable
from typing import Any

import igraph
import networkx as nx
import numpy as np
import scipy.sparse as sp
from ortools.graph.python import max_flow
from scipy.sparse import csgraph

import hopwave as hw

Arcs = tuple[np.ndarray, np.ndarray, np.ndarray]


def ours_flow(n: int, arcs: Arcs, source: int, target: int, **words: Any) -> int:
    tails, heads, capacity = arcs
    graph = hw.Graph.from_edges(tails, heads, num_vertices=n, weights=capacity, keep_duplicates=True)
    return hw.max_flow(graph, source, target, **words).value


def scipy_flow(n: int, arcs: Arcs, source: int, target: int) -> int:
    tails, heads, capacity = arcs
    matrix = sp.coo_array((capacity.astype(np.int32), (tails, heads)), (n, n)).tocsr()
    return int(csgraph.maximum_flow(matrix, source, target).flow_value)


def igraph_flow(n: int, arcs: Arcs, source: int, target: int) -> int:
    tails, heads, capacity = arcs
    graph = igraph.Graph(n=n, edges=np.stack([tails, heads], axis=1), directed=True)
    return int(graph.maxflow_value(source, target, capacity.tolist()))


def ortools_flow(n: int, arcs: Arcs, source: int, target: int) -> int:
    solver = max_flow.SimpleMaxFlow()
    solver.add_arcs_with_capacity(*arcs)
    assert solver.solve(source, target) == solver.OPTIMAL
    return int(solver.optimal_flow())


def networkx_flow(n: int, arcs: Arcs, source: int, target: int) -> int:
    graph: Any = nx.DiGraph()
    graph.add_nodes_from(range(n))
    for tail, head, capacity in zip(*(column.tolist() for column in arcs)):
        before = graph[tail][head]["capacity"] if graph.has_edge(tail, head) else 0
        graph.add_edge(tail, head, capacity=before + capacity)
    return int(nx.maximum_flow_value(graph, source, target))


def ours_matching(left: int, right: int, rows: np.ndarray, columns: np.ndarray, **words: Any) -> int:
    graph = hw.Graph.from_edges(rows, columns + left, directed=False, num_vertices=left + right)
    return hw.maximum_matching(graph, range(left), **words).size


def scipy_matching(left: int, right: int, rows: np.ndarray, columns: np.ndarray) -> int:
    matrix = sp.coo_array((np.ones(rows.size, np.int8), (rows, columns)), (left, right)).tocsr()
    return int(np.count_nonzero(csgraph.maximum_bipartite_matching(matrix, perm_type="column") >= 0))


def igraph_matching(left: int, right: int, rows: np.ndarray, columns: np.ndarray) -> int:
    graph = igraph.Graph(n=left + right, edges=np.stack([rows, columns + left], axis=1))
    return len(graph.maximum_bipartite_matching(types=[False] * left + [True] * right))


def networkx_matching(left: int, right: int, rows: np.ndarray, columns: np.ndarray) -> int:
    graph: Any = nx.Graph()
    graph.add_nodes_from(range(left + right))
    graph.add_edges_from(zip(rows.tolist(), (columns + left).tolist()))
    return len(nx.bipartite.hopcroft_karp_matching(graph, range(left))) // 2


def drawn_network(draw: random.Random) -> tuple[int, Arcs]:
    """Random arcs, levels, two parts with few arcs between them, or a chain with parallel arcs."""
    n, kind = draw.randint(2, 24), draw.randrange(4)
    pairs: list[tuple[int, int]] = []
    for _ in range(draw.randint(0, 4 * n)):
        u, v = draw.randrange(n), draw.randrange(n)
        if kind == 1:
            v = min(n - 1, u + draw.randint(1, 4))
        if kind == 2 and draw.random() < 0.9:
            v = v % max(1, n // 2) + (n // 2 if u >= n // 2 else 0)
        if kind == 3:
            v = (u + 1) % n
        if u != v:
            pairs.append((u, v))
    most = draw.choice([1, 3, 100, 10**6])
    columns = [np.array([pair[i] for pair in pairs], np.int64) for i in (0, 1)]
    return n, (columns[0], columns[1], np.array([draw.randint(0, most) for _ in pairs], np.int64))


def drawn_bipartite(draw: random.Random) -> tuple[int, int, np.ndarray, np.ndarray]:
    """Random edges, hubs, and edges near the diagonal, whose alternating paths are long."""
    left, right, kind = draw.randint(1, 40), draw.randint(1, 40), draw.randrange(3)
    edges = []
    for _ in range(draw.randint(0, 3 * max(left, right))):
        row, column = draw.randrange(left), draw.randrange(right)
        if kind == 1:
            row = int(row * draw.random() ** 3)
        if kind == 2:
            column = (row + draw.randrange(3)) % right
        edges.append((row, column))
    return left, right, np.array([e[0] for e in edges], np.int64), np.array([e[1] for e in edges], np.int64)


def agree(what: str, seed: int, found: dict[str, int]) -> None:
    if len(set(found.values())) != 1:
        sys.exit(f"{what}, seed {seed}: {found}")


def check(count: int) -> None:
    flows = matchings = 0
    for seed in range(count):
        draw = random.Random(seed)
        n, arcs = drawn_network(draw)
        ends = draw.sample(range(n), 2)
        found = {name: call(n, arcs, *ends) for name, call in (("scipy", scipy_flow), ("igraph", igraph_flow))}
        found |= {name: ours_flow(n, arcs, *ends, strategy=name) for name in ("edmonds-karp", "dinic", "push-relabel")}
        if arcs[0].size:
            found["ortools"] = ortools_flow(max(n, *ends), arcs, *ends) if max(ends) <= max(arcs[0].max(), arcs[1].max()) else found["dinic"]
        if seed % 10 == 0:
            found |= {"networkx": networkx_flow(n, arcs, *ends), "simulator": ours_flow(n, arcs, *ends, device="sim", seed=seed)}
        agree("flow", seed, found)
        flows += found["dinic"] > 0
        graph = drawn_bipartite(draw)
        found = {"scipy": scipy_matching(*graph), "igraph": igraph_matching(*graph), "networkx": networkx_matching(*graph)}
        found["cpu"] = ours_matching(*graph)
        if seed % 10 == 0:
            found["simulator"] = ours_matching(*graph, device="sim", seed=seed)
        agree("matching", seed, found)
        matchings += found["cpu"] > 0
    print(f"{count} networks, {flows} of them with a flow, and {count} bipartite graphs, {matchings} with a pair: all agree")


def best(call: Callable[[], int]) -> tuple[float, int]:
    least, value = float("inf"), 0
    for _ in range(3):
        began = time.process_time()
        value = call()
        least = min(least, time.process_time() - began)
    return 1e3 * least, value


def row(name: str, ours: Callable[[], int], peers: dict[str, Callable[[], int]]) -> None:
    least, value = best(ours)
    cells = []
    for peer, call in peers.items():
        other, theirs = best(call)
        if theirs != value:
            sys.exit(f"{name}: {peer} finds {theirs}, hopwave {value}")
        cells.append(f"{other:.0f} ({other / least:.1f})")
    print(f"| {name} | {value:,} | {least:.0f} | {' | '.join(cells)} |", flush=True)


def measure() -> None:
    print("| network | flow | hopwave, auto | dinic | SciPy | igraph | OR-tools |\n|---|---:|---:|---:|---:|---:|---:|")
    for spec in ("genrmf:12,24,1,1000", "genrmf:24,24,1,1000", "rlg:128,256,1000", "gridcut:128x128", "gridcut:512x512"):
        graph = hw.read(spec, keep_duplicates=True)
        offsets, heads = graph.csr()
        n = graph.num_vertices
        tails = np.repeat(np.arange(n), np.diff(offsets.astype(np.int64)))
        arcs = (tails, heads.astype(np.int64), np.asarray(graph.weights, np.int64))
        calls = {name: (lambda call=call: call(n, arcs, 0, n - 1)) for name, call in (("scipy", scipy_flow), ("igraph", igraph_flow), ("ortools", ortools_flow))}
        second = {"dinic": lambda: ours_flow(n, arcs, 0, n - 1, strategy="dinic")}
        row(f"`{spec}`", lambda: ours_flow(n, arcs, 0, n - 1), second | calls)
    print("\n| bipartite graph | pairs | hopwave | SciPy | igraph |\n|---|---:|---:|---:|---:|")
    random_numbers = np.random.default_rng(1)
    for side, edges in ((100_000, 250_000), (100_000, 1_000_000)):
        rows, columns = random_numbers.integers(side, size=edges), random_numbers.integers(side, size=edges)
        calls = {name: (lambda call=call: call(side, side, rows, columns)) for name, call in (("scipy", scipy_matching), ("igraph", igraph_matching))}
        row(f"{side:,} and {side:,} vertices, {edges:,} random edges", lambda: ours_matching(side, side, rows, columns), calls)


if __name__ == "__main__":
    if sys.argv[1:2] == ["check"]:
        check(int(sys.argv[2]) if len(sys.argv) > 2 else 10_000)
    elif sys.argv[1:] == ["time"]:
        measure()
    else:
        sys.exit(__doc__)
