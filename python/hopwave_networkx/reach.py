"""NetworkX's centralities that depend on how far a node, or a group of nodes, reaches."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from itertools import chain, repeat
from typing import Any

import networkx as nx
import numpy as np

import hopwave as hw

from .converted import Converted
from .distances import wiener_index as index_of_all  # an argument has its name

Node = Hashable


def _shares(G: Converted, vertices: list[int]) -> Iterator[float]:
    """Yields for each vertex what it reaches: the share of the others, or by the inverse distance in an undirected graph."""
    searcher = hw.Searcher(G.graph)._core
    counts, begins = (array.tolist() for array in searcher.level_counts(np.array(vertices, np.uint32)))
    for begin, end in zip(begins, begins[1:]):
        levels = counts[begin:end]
        if G.is_directed():
            yield (sum(levels) - 1) / (len(G) - 1)
        else:  # Python's sum(), of NetworkX's terms: its rounding is that of the Python version
            terms: Iterable[float] = chain.from_iterable(repeat(1 / d, count) for d, count in enumerate(levels) if d)
            yield sum(chain((0,), terms)) / 1 / (len(G) - 1)


def _check_reach(G: Converted) -> None:
    if G.rows.num_arcs == 0:
        raise nx.NetworkXError("Size of G must be positive")
    if len(G) == 1:
        raise nx.NetworkXError("local_reaching_centrality of a single node with self-loop not well-defined")


def local_reaching_centrality(
    G: Converted, v: Node, paths: None = None, weight: None = None, normalized: bool = True
) -> float:
    _check_reach(G)
    return next(_shares(G, [G.index[v]]))


def global_reaching_centrality(G: Converted, weight: None = None, normalized: bool = True) -> float:
    _check_reach(G)
    shares = list(_shares(G, list(range(len(G)))))
    most = max(shares)
    return sum(most - share for share in shares) / (len(G) - 1)


def group_closeness_centrality(G: Converted, S: Any, weight: None = None) -> float:
    group = set(S)
    if not group:
        raise ValueError("sources must not be empty")
    for node in group:
        if node not in G:
            raise nx.NodeNotFound(f"Node {node} not found in graph")
    total = sum(G.walk(list(group), "in").lengths().values())
    return (len(G) - len(group)) / total if total else 0


class _Rows:
    """The arcs of a graph, from which a vertex can be left out."""

    def __init__(self, G: Converted) -> None:
        self.tails, self.heads = G.arcs()
        self.count, self.directed = len(G) - 1, G.is_directed()

    def without(self, vertex: int) -> hw.Graph:
        stay = (self.tails != vertex) & (self.heads != vertex)
        tails, heads = self.tails[stay], self.heads[stay]
        offsets = np.zeros(self.count + 1, np.int64)
        np.cumsum(np.bincount(tails - (tails > vertex), minlength=self.count), out=offsets[1:])
        return hw.Graph.from_csr(offsets, (heads - (heads > vertex)).astype(np.int64), directed=self.directed)


def closeness_vitality(G: Converted, node: Node = None, weight: None = None, wiener_index: None = None) -> Any:
    whole, rows, n = index_of_all(G), _Rows(G), len(G) - 1
    if n == 0:
        raise nx.NetworkXPointlessConcept("Connectivity is undefined for the null graph.")

    def vitality(vertex: int) -> float:
        reached, total, _, _ = hw.summaries(rows.without(vertex))
        if not (reached == n).all():
            return whole - float("inf")
        return whole - (int(total.sum()) if rows.directed else int(total.sum()) / 2)

    if node is not None:
        return vitality(G.index[node])
    return {node: vitality(v) for v, node in enumerate(G.nodes)}


def bipartite_closeness_centrality(G: Converted, nodes: Any, normalized: bool = True) -> dict[Node, float]:
    top = set(nodes)
    bottom = set(G.nodes) - top
    reached, total = (array.tolist() for array in hw.summaries(G.graph)[:2])
    found: dict[Node, float] = {}
    for of, there in ((top, bottom), (bottom, top)):
        least = len(there) + 2 * (len(of) - 1)  # the sum of distances from a node that is joined to all of the other set
        for node in of:
            v = G.index[node]
            found[node] = 0.0
            if total[v] > 0:
                found[node] = least / total[v]
                if normalized:
                    found[node] *= (reached[v] - 1) / (len(G) - 1)
    return found
