"""NetworkX's connected components, weak and strong."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import Any

import networkx as nx
import numpy as np

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
    # Every vertex is in a component, so it is enough to look for a second one.
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


def attracting_components(G: Converted) -> Iterator[set[Node]]:
    """Components that no arc leaves."""
    components = _core.StrongComponents(G.rows, G.nodes)
    left = {tail for tail, _ in components.arcs()}
    yield from (part for i, part in enumerate(components) if i not in left)


def number_attracting_components(G: Converted) -> int:
    components = _core.StrongComponents(G.rows, G.nodes)
    return len(components) - len({tail for tail, _ in components.arcs()})


def is_attracting_component(G: Converted) -> bool:
    return is_strongly_connected(G)  # if no arc leaves the one component, it has all nodes


def is_semiconnected(G: Converted) -> bool:
    """Returns whether of any two nodes one reaches the other: an arc leads from each component to the next in topological
    order."""
    components = _core.StrongComponents(G.rows, G.nodes)  # in the reverse of that order
    return sum(tail == head + 1 for tail, head in components.arcs()) == len(components) - 1


def flow_hierarchy(G: Converted, weight: None = None) -> float:
    """The share of arcs that are in no cycle."""
    tails, heads = G.arcs()
    if heads.size == 0:
        raise nx.NetworkXError("flow_hierarchy not applicable to empty graphs")
    label = hw.strong_components(G.graph).label
    within = int(np.count_nonzero(label[tails] == label[heads]))
    return 1 - within / heads.size


def is_directed_acyclic_graph(G: Converted) -> bool:
    return hw.is_acyclic(G.graph)
