"""NetworkX's connected components; of directed graphs the weak ones."""

from __future__ import annotations

from collections.abc import Hashable, Iterator

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
