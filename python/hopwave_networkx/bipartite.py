"""NetworkX's two-colourings and matchings."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterator

import networkx as nx

import hopwave as hw
from hopwave import _core

from .components import is_connected
from .converted import Converted

Node = Hashable


def color(G: Converted) -> dict[Node, int]:
    found = _core.colors(G.rows, G.nodes)
    if found is None:
        raise nx.NetworkXError("Graph is not bipartite.")
    return found


def is_bipartite(G: Converted) -> bool:
    return _core.colors(G.rows, G.nodes) is not None


def sets(G: Converted, top_nodes: None = None) -> tuple[set[Node], set[Node]]:
    if not is_connected(G):
        raise nx.AmbiguousSolution("Disconnected graph: Ambiguous solution for bipartite sets.")
    colors = color(G)
    return {v for v, top in colors.items() if top}, {v for v, top in colors.items() if not top}


def hopcroft_karp_matching(G: Converted, top_nodes: Collection[Node] | None = None) -> dict[Node, Node]:
    left, right = sets(G) if top_nodes is None else (top := set(top_nodes), set(G.nodes) - top)
    try:
        found = hw.maximum_matching(G.graph, list(left))
    except hw.Error as error:
        if error.id == "HW-MATCHING-SIDE":  # NetworkX's answer has no meaning there
            raise NotImplementedError("top_nodes are no side of the graph") from error
        raise
    mates = found.mate.tolist()
    none = 2**32 - 1
    return {v: G.nodes[u] for side in (left, right) for v in side if (u := mates[G.index[v]]) != none}


def isolates(G: Converted) -> Iterator[Node]:
    return iter(_core.isolated(G.rows, G.nodes))


def number_of_isolates(G: Converted) -> int:
    return len(_core.isolated(G.rows, G.nodes))
