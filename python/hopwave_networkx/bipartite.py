"""NetworkX's two-colourings."""

from __future__ import annotations

from collections.abc import Hashable, Iterator

import networkx as nx

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


def isolates(G: Converted) -> Iterator[Node]:
    return iter(_core.isolated(G.rows, G.nodes))


def number_of_isolates(G: Converted) -> int:
    return len(_core.isolated(G.rows, G.nodes))
