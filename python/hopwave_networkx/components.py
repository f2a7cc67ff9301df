"""NetworkX's connected components, weak and strong."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import Any

import networkx as nx

import hopwave as hw
from hopwave import _core

from .converted import Converted

Node = Hashable


def connected_components(G: Converted) -> Iterator[set[Node]]:
    walk = G.walk([], "both")
    while (component := walk.component()) is not None:
        yield component


def number_connected_components(G: Converted) -> int:
    return G.walk([], "both").count_components(len(G))


def is_connected(G: Converted) -> bool:
    # Every vertex is in a component, so a second one is looked for.
    return G.walk([], "both").count_components(2) == 1


def node_connected_component(G: Converted, n: Node) -> set[Node]:
    if n not in G.index:
        raise KeyError(n)
    return set(G.walk([n]).order())


weakly_connected_components = connected_components
number_weakly_connected_components = number_connected_components
is_weakly_connected = is_connected


def strongly_connected_components(G: Converted) -> Iterator[set[Node]]:
    yield from _core.StrongComponents(G.rows, G.nodes)


def number_strongly_connected_components(G: Converted) -> int:
    return len(_core.StrongComponents(G.rows, G.nodes))


def is_strongly_connected(G: Converted) -> bool:
    return number_strongly_connected_components(G) == 1


def condensation(G: Converted, scc: None = None) -> nx.DiGraph[Any]:
    components = _core.StrongComponents(G.rows, G.nodes)
    arcs, members = components.arcs(), list(components)
    graph: Any = nx.DiGraph()
    graph.graph["mapping"] = {node: i for i, part in enumerate(members) for node in part}
    graph.add_nodes_from((i, {"members": part}) for i, part in enumerate(members))
    graph.add_edges_from(arcs)
    return graph  # type: ignore[no-any-return]


def is_directed_acyclic_graph(G: Converted) -> bool:
    return hw.is_acyclic(G.graph)
