"""NetworkX's connectivities and least cuts of edges and nodes, by flows in which every arc carries 1."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from itertools import chain, combinations, permutations
from typing import Any

import networkx as nx
import numpy as np
import numpy.typing as npt

import hopwave as hw

from .components import is_connected
from .converted import Converted
from .limits import limit

Node = Hashable


class _Network:
    """Flows from vertex to vertex, found along reversed arcs: the source's side of such a cut is NetworkX's side of the target, as
    in flow.minimum_cut()."""

    def __init__(self, tails: npt.NDArray[Any], heads: npt.NDArray[Any], count: int, directed: bool) -> None:
        self.tails, self.heads = tails, heads
        self._reversed = hw.Graph.from_edges(heads, tails, directed=directed, num_vertices=count)

    def flow(self, source: int, target: int) -> hw.Flow:
        return hw.max_flow(self._reversed, target, source)

    def across(self, side: npt.NDArray[np.bool_]) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
        """Returns the tails and heads of the arcs that lead into the side of the target."""
        across = ~side[self.tails] & side[self.heads]
        return self.tails[across], self.heads[across]


class _Edges(_Network):
    """An edge carries 1 either way. Parallel edges are one, as in NetworkX."""

    def __init__(self, G: Converted) -> None:
        super().__init__(*G.arcs(), len(G), G.directed)
        self.G = G

    def between(self, s: Node, t: Node) -> hw.Flow:
        if self.G.index[s] == self.G.index[t]:
            raise nx.NetworkXError("source and sink are the same node")
        return self.flow(self.G.index[s], self.G.index[t])

    def cut(self, side: npt.NDArray[np.bool_]) -> set[tuple[Node, Node]]:
        nodes = self.G.nodes
        return {(nodes[u], nodes[v]) for u, v in zip(*(ends.tolist() for ends in self.across(side)))}


class _Nodes(_Network):
    """Vertex v is the arc from 2 v to 2 v + 1, so that only one path passes it."""

    def __init__(self, G: Converted) -> None:
        tails, heads = G.arcs()
        every = np.arange(len(G), dtype=np.int64)
        super().__init__(
            np.concatenate([2 * every, 2 * tails + 1]), np.concatenate([2 * every + 1, 2 * heads.astype(np.int64)]), 2 * len(G), True
        )
        self.G = G

    def between(self, s: Node, t: Node) -> hw.Flow:
        return self.flow(2 * self.G.index[s] + 1, 2 * self.G.index[t])

    def cut_between(self, s: Node, t: Node) -> set[Node]:
        """Returns the nodes at both ends of NetworkX's cut without s and t, or nothing if an edge joins these."""
        if self.G.original.has_edge(s, t) or self.G.original.has_edge(t, s):
            return set()
        ends = np.concatenate(self.across(self.between(s, t).source_side)) // 2
        return {self.G.nodes[v] for v in ends.tolist()} - {s, t}


def _both(s: Node, t: Node, G: Converted) -> bool:
    """Returns whether two nodes are given, which must be in the graph; None is no node."""
    if (s is None) != (t is None):
        raise nx.NetworkXError("Both source and target must be specified.")
    if s is None:
        return False
    for node in (s, t):
        if node not in G.index:
            raise nx.NetworkXError(f"node {node} not in graph")
    G.named(s, t)
    return True


def _check_connected(G: Converted) -> None:
    if not is_connected(G):
        raise nx.NetworkXError("Input graph is not connected")


def _ends_of_global_cut(G: Converted) -> Iterable[tuple[Node, Node]]:
    """Yields pairs of nodes of which every least cut of edges separates one, if it is less than the least degree."""
    if G.directed:
        return zip(G.nodes, [*G.nodes[1:], G.nodes[0]])
    for node in G.nodes:
        others = nx.dominating_set(G.original, start_with=node, backend="networkx")
        first = others.pop()
        if others:
            return ((first, other) for other in others)
    return ()


def _ends_of_node_cut(G: Converted, node: Node) -> Iterator[tuple[Node, Node]]:
    """Yields pairs that are not joined: the node and all others, its neighbours among each other."""
    graph = G.original

    def neighbors() -> Iterator[Node]:
        return chain(graph.predecessors(node), graph.successors(node)) if G.directed else graph.neighbors(node)

    for other in set(graph) - set(neighbors()) - {node}:
        yield node, other
    for x, y in (permutations if G.directed else combinations)(neighbors(), 2):
        if y not in graph[x]:
            yield x, y


def _least(value: int, cutoff: Any) -> int:
    """NetworkX ends a flow once it is as large as a cutoff."""
    most = limit(cutoff)
    return value if most < 0 else min(value, most)


def local_edge_connectivity(
    G: Converted, s: Node, t: Node, flow_func: None = None, auxiliary: None = None, residual: None = None, cutoff: Any = None
) -> int:
    G.named(s, t)
    return _least(_Edges(G).between(s, t).value, cutoff)


def edge_connectivity(G: Converted, s: Node = None, t: Node = None, flow_func: None = None, cutoff: Any = None) -> int:
    if _both(s, t, G):
        return local_edge_connectivity(G, s, t, cutoff=cutoff)
    if not is_connected(G):
        return 0
    limit(cutoff)  # raises an error for what is no number
    network = _Edges(G)
    least: int = min(degree for _, degree in G.original.degree())
    if cutoff is not None:
        least = min(cutoff, least)
    for ends in _ends_of_global_cut(G):
        least = min(least, network.between(*ends).value)
    return least


def minimum_st_edge_cut(
    G: Converted, s: Node, t: Node, flow_func: None = None, auxiliary: None = None, residual: None = None
) -> set[tuple[Node, Node]]:
    G.named(s, t)
    network = _Edges(G)
    return network.cut(network.between(s, t).source_side)


def minimum_edge_cut(G: Converted, s: Node = None, t: Node = None, flow_func: None = None) -> set[tuple[Node, Node]]:
    network = _Edges(G)
    if _both(s, t, G):
        return network.cut(network.between(s, t).source_side)
    _check_connected(G)
    least = set(G.original.edges(min(G.original, key=G.original.degree)))
    size, side = len(least), None
    for ends in _ends_of_global_cut(G):
        found = network.between(*ends)
        if found.value <= size:
            size, side = found.value, found.source_side
    return least if side is None else network.cut(side)


def local_node_connectivity(
    G: Converted, s: Node, t: Node, flow_func: None = None, auxiliary: None = None, residual: None = None, cutoff: Any = None
) -> int:
    G.named(s, t)
    return _least(_Nodes(G).between(s, t).value, cutoff)


def node_connectivity(G: Converted, s: Node = None, t: Node = None, flow_func: None = None) -> int:
    if _both(s, t, G):
        return local_node_connectivity(G, s, t)
    if not is_connected(G):
        return 0
    network = _Nodes(G)
    node, least = min(G.original.degree(), key=lambda pair: pair[1])
    for ends in _ends_of_node_cut(G, node):
        least = min(least, network.between(*ends).value)
    return int(least)


def minimum_st_node_cut(
    G: Converted, s: Node, t: Node, flow_func: None = None, auxiliary: None = None, residual: None = None
) -> set[Node]:
    G.named(s, t)
    return _Nodes(G).cut_between(s, t)


def minimum_node_cut(G: Converted, s: Node = None, t: Node = None, flow_func: None = None) -> set[Node]:
    network = _Nodes(G)
    if _both(s, t, G):
        return network.cut_between(s, t)
    _check_connected(G)
    node = min(G.original, key=G.original.degree)
    least = set(G.original[node])
    for ends in _ends_of_node_cut(G, node):
        cut = network.cut_between(*ends)
        if len(cut) <= len(least):
            least = cut
    return least


def average_node_connectivity(G: Converted, flow_func: None = None) -> float:
    network, total, count = _Nodes(G), 0, 0
    for ends in (permutations if G.directed else combinations)(G.nodes, 2):
        total += network.between(*ends).value
        count += 1
    return total / count if count else 0


def all_pairs_node_connectivity(G: Converted, nbunch: Any = None, flow_func: None = None) -> dict[Node, dict[Node, int]]:
    nodes: Any = G.nodes if nbunch is None else set(nbunch)
    found: dict[Node, dict[Node, int]] = {node: {} for node in nodes}
    network = _Nodes(G)
    for u, v in (permutations if G.directed else combinations)(nodes, 2):
        found[u][v] = network.between(u, v).value
        if not G.directed:
            found[v][u] = found[u][v]
    return found
