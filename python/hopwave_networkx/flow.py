"""NetworkX's maximum flows and minimum cuts."""

from __future__ import annotations

import math
from collections.abc import Hashable
from typing import Any

import networkx as nx
import numpy as np

import hopwave as hw

from .converted import Converted

Node = Hashable
Cut = tuple[int, tuple[set[Node], set[Node]]]


class _Network:
    """A graph with its capacities. NetworkX looks at one end of an undirected edge, and not at self-loops."""

    def __init__(self, G: Converted, capacity: str) -> None:
        self.nodes, self.rows = G.nodes, [G.original._adj[node] for node in G.nodes]
        tails: list[int] = []
        heads: list[int] = []
        read: list[Any] = []
        for tail, row in enumerate(self.rows):
            for node, attributes in row.items():
                head = G.index[node]
                if tail < head or (G.directed and tail != head):
                    tails.append(tail)
                    heads.append(head)
                    read.append(attributes.get(capacity, math.inf))
        if not all((type(c) is int and c >= 0) or (type(c) is float and c == math.inf) for c in read):
            raise ValueError(f"{capacity!r} of an edge is no int of 0 or more")
        # With more than all finite capacities together an arc is in no minimum cut, unless no cut is finite.
        self.finite = sum(c for c in read if c != math.inf)
        self.capacities = np.fromiter((self.finite + 1 if c == math.inf else c for c in read), np.int64, len(read))
        self.tails, self.heads, self.directed = np.array(tails, np.int64), np.array(heads, np.int64), G.directed

    def flow(self, source: int, target: int, backwards: bool = False) -> hw.Flow:
        """`backwards`: along reversed arcs."""
        ends = (self.heads, self.tails) if backwards and self.directed else (self.tails, self.heads)
        graph = hw.Graph.from_edges(*ends, directed=self.directed, num_vertices=len(self.nodes), weights=self.capacities)
        found = hw.max_flow(graph, source, target)
        if found.value > self.finite:
            raise nx.NetworkXUnbounded("Infinite capacity path, flow unbounded above.")
        self.graph = graph
        return found


def _ends(G: Converted, _s: Node, _t: Node) -> tuple[int, int]:
    G.named(_s, _t)
    if G.index[_s] == G.index[_t]:
        raise nx.NetworkXError("source and sink are the same node")
    return G.index[_s], G.index[_t]


def maximum_flow_value(G: Converted, _s: Node, _t: Node, capacity: str = "capacity", flow_func: None = None) -> int:
    ends = _ends(G, _s, _t)
    return _Network(G, capacity).flow(*ends).value


minimum_cut_value = maximum_flow_value


def maximum_flow(
    G: Converted, _s: Node, _t: Node, capacity: str = "capacity", flow_func: None = None
) -> tuple[int, dict[Node, dict[Node, int]]]:
    ends = _ends(G, _s, _t)
    network = _Network(G, capacity)
    found = network.flow(*ends)
    flow = [dict.fromkeys(row, 0) for row in network.rows]
    places = np.flatnonzero(found.arc)
    offsets, heads = network.graph.csr()
    tails = np.searchsorted(offsets, places, side="right") - 1
    for tail, head, amount in zip(tails.tolist(), heads[places].tolist(), found.arc[places].tolist()):
        flow[tail][G.nodes[head]] = amount
    return found.value, dict(zip(G.nodes, flow))


def minimum_cut(G: Converted, _s: Node, _t: Node, capacity: str = "capacity", flow_func: None = None) -> Cut:
    """NetworkX's target side has the nodes from which more flow could reach the target, for every maximum flow the same: the
    source's side of the reversed graph."""
    source, target = _ends(G, _s, _t)
    found = _Network(G, capacity).flow(target, source, backwards=True)
    side = {G.nodes[v] for v in np.flatnonzero(found.source_side).tolist()}
    return found.value, (set(G.nodes) - side, side)
