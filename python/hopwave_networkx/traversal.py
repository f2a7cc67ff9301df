"""NetworkX's breadth-first searches. Generators search while they are read: chunk by chunk, each twice as long as the last."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import Any

import networkx as nx
from networkx.algorithms.traversal import breadth_first_search as _theirs

from .converted import Converted
from .limits import limit
from .version import NETWORKX

Node = Hashable
Edge = tuple[Node, Node]
# Callers compare labels by identity, as NetworkX's girth() does.
_LABELS = (_theirs.TREE_EDGE, _theirs.FORWARD_EDGE, _theirs.LEVEL_EDGE, _theirs.REVERSE_EDGE)
_FIRST_CHUNK, _LARGEST_CHUNK = 64, 1 << 16


def _chunks(step: Callable[[int], Any]) -> Iterator[Any]:
    size = _FIRST_CHUNK
    while True:
        chunk = step(size)
        if not (chunk[0] if isinstance(chunk, tuple) else chunk):
            return
        yield chunk
        size = min(2 * size, _LARGEST_CHUNK)


def _search(G: Converted, source: Node, reverse: bool, depth_limit: float | None) -> Any:
    if source not in G.index:
        raise nx.NetworkXError(f"The node {source} is not in the {'digraph' if G.directed else 'graph'}.")
    return G.walk([source], "in" if reverse else "out", limit(depth_limit))


def generic_bfs_edges(
    G: Converted, source: Node, neighbors: None = None, depth_limit: float | None = None
) -> Iterator[Edge]:
    yield from bfs_edges(G, source, depth_limit=depth_limit)


def bfs_edges(
    G: Converted, source: Node, reverse: bool = False, depth_limit: float | None = None, sort_neighbors: None = None
) -> Iterator[Edge]:
    for parents, children in _chunks(_search(G, source, reverse, depth_limit).edges):
        yield from zip(parents, children)


def bfs_tree(
    G: Converted, source: Node, reverse: bool = False, depth_limit: float | None = None, sort_neighbors: None = None
) -> nx.DiGraph[Any]:
    tree: Any = nx.DiGraph()
    _search(G, source, reverse, depth_limit).tree(tree._node, tree._succ, tree._pred)
    return tree  # type: ignore[no-any-return]


def bfs_predecessors(
    G: Converted, source: Node, depth_limit: float | None = None, sort_neighbors: None = None
) -> Iterator[Edge]:
    for parents, children in _chunks(_search(G, source, False, depth_limit).edges):
        yield from zip(children, parents)


def bfs_successors(
    G: Converted, source: Node, depth_limit: float | None = None, sort_neighbors: None = None
) -> Iterator[tuple[Node, list[Node]]]:
    alone = True
    for pairs in _chunks(_search(G, source, False, depth_limit).successors):
        alone = False
        yield from pairs
    if alone:
        yield source, []


def bfs_layers(G: Converted, sources: Any) -> Iterator[list[Node]]:
    if sources in G:
        sources = [sources]
    layer: list[Node] | None = list(sources if NETWORKX < (3, 5) else set(sources))
    for source in layer or ():
        if source not in G.index:
            raise nx.NetworkXError(f"The node {source} is not in the graph.")
    walk = G.walk(list(dict.fromkeys(layer or ())))
    while layer:
        yield layer
        layer = walk.layer()


def bfs_labeled_edges(G: Converted, sources: Any) -> Iterator[tuple[Node, Node, str]]:
    if sources in G:
        sources = [sources]
    first: Iterable[Node] = dict.fromkeys(sources)
    walk = G.walk(list(first))
    for tails, heads, labels in _chunks(lambda size: walk.labeled(size, _LABELS)):
        yield from zip(tails, heads, labels)


def edge_bfs(G: Converted, source: Any = None, orientation: None = None) -> Iterator[Edge]:
    sources = G.nodes if source is None else [source] if source in G else source
    walk = G.walk(list(dict.fromkeys(sources)))
    for tails, heads, _ in _chunks(lambda size: walk.labeled(size, _LABELS)):
        yield from zip(tails, heads)


def descendants_at_distance(G: Converted, source: Node, distance: int) -> set[Node]:
    if source not in G:
        raise nx.NetworkXError(f"The node {source} is not in the graph.")
    for i, layer in enumerate(bfs_layers(G, source)):
        if i == distance:
            return set(layer)
    return set()


def descendants(G: Converted, source: Node) -> set[Node]:
    return set(_search(G, source, False, None).order()[1:])


def ancestors(G: Converted, source: Node) -> set[Node]:
    return set(_search(G, source, True, None).order()[1:])
