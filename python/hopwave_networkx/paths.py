"""NetworkX's unweighted shortest paths."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import Any

import networkx as nx

from hopwave import _core

from .converted import Converted
from .limits import limit
from .weighted import dijkstra_path_length, single_source_dijkstra_path, single_source_dijkstra_path_length

Node = Hashable
Path = list[Node]


def _known(G: Converted, node: Node, word: str, verb: str = "not") -> Node:
    if node not in G:
        raise nx.NodeNotFound(f"{word} {node} {verb} in G")
    return node


def single_source_shortest_path_length(G: Converted, source: Node, cutoff: float | None = None) -> dict[Node, int]:
    return G.walk([_known(G, source, "Source", "is not")], "out", limit(cutoff)).lengths()


def single_target_shortest_path_length(G: Converted, target: Node, cutoff: float | None = None) -> dict[Node, int]:
    return G.walk([_known(G, target, "Target", "is not")], "in", limit(cutoff)).lengths()


def all_pairs_shortest_path_length(G: Converted, cutoff: float | None = None) -> Iterator[tuple[Node, dict[Node, int]]]:
    for node in G.nodes:
        yield node, single_source_shortest_path_length(G, node, cutoff)


def single_source_shortest_path(G: Converted, source: Node, cutoff: float | None = None) -> dict[Node, Path]:
    return G.walk([_known(G, source, "Source")], "out", limit(cutoff)).paths(False)


def single_target_shortest_path(G: Converted, target: Node, cutoff: float | None = None) -> dict[Node, Path]:
    return G.walk([_known(G, target, "Target")], "in", limit(cutoff)).paths(True)


def all_pairs_shortest_path(G: Converted, cutoff: float | None = None) -> Iterator[tuple[Node, dict[Node, Path]]]:
    for node in G.nodes:
        yield node, single_source_shortest_path(G, node, cutoff)


def bidirectional_shortest_path(G: Converted, source: Node, target: Node) -> Path:
    G.named(source, target)
    _known(G, source, "Source", "is not")
    _known(G, target, "Target", "is not")
    path = _core.path_between(G.rows, G.index[source], G.index[target])
    if not path:
        raise nx.NetworkXNoPath(f"No path between {source} and {target}.")
    return [G.nodes[v] for v in path]


def predecessor(
    G: Converted, source: Node, target: Node = None, cutoff: float | None = None, return_seen: bool | None = None
) -> Any:
    _known(G, source, "Source")
    depth = limit(cutoff)
    if not cutoff or cutoff != cutoff:  # a limit of 0 means no limit here, like NaN, which no level reaches
        depth = -1
    elif depth == 0:  # the first level is always searched
        depth = 1
    pred, seen = G.walk([source], "out", depth).predecessors()
    if target is None:
        return (pred, seen) if return_seen else pred
    if target not in pred:
        return ([], -1) if return_seen else []
    return (pred[target], seen[target]) if return_seen else pred[target]


def shortest_path(
    G: Converted, source: Node = None, target: Node = None, weight: str | None = None, method: str = "dijkstra"
) -> Any:
    if weight is not None:
        return single_source_dijkstra_path(G, source, weight=weight)
    if source is None:
        if target is None:
            return all_pairs_shortest_path(G)
        return G.walk([_known(G, target, "Source")], "in").paths(True)
    if target is None:
        return single_source_shortest_path(G, source)
    return bidirectional_shortest_path(G, source, target)


def shortest_path_length(
    G: Converted, source: Node = None, target: Node = None, weight: str | None = None, method: str = "dijkstra"
) -> Any:
    if weight is not None:
        if target is None:
            return single_source_dijkstra_path_length(G, source, weight=weight)
        return dijkstra_path_length(G, source, target, weight)
    if source is None:
        if target is None:
            return all_pairs_shortest_path_length(G)
        return G.walk([_known(G, target, "Source", "is not")], "in").lengths()
    if target is None:
        return single_source_shortest_path_length(G, source)
    return len(bidirectional_shortest_path(G, source, target)) - 1


def has_path(G: Converted, source: Node, target: Node) -> bool:
    try:
        bidirectional_shortest_path(G, source, target)
    except nx.NetworkXNoPath:
        return False
    return True


def efficiency(G: Converted, u: Node, v: Node) -> float:
    try:
        return 1 / (len(bidirectional_shortest_path(G, u, v)) - 1)
    except nx.NetworkXNoPath:
        return 0


def all_shortest_paths(
    G: Converted, source: Node, target: Node, weight: None = None, method: str = "dijkstra"
) -> Iterator[Path]:
    G.named(source, target)
    _known(G, source, "Source")
    return _all_paths(G, source, target)


def _all_paths(G: Converted, source: Node, target: Node) -> Iterator[Path]:
    walk = G.walk([source])
    found = walk.paths_to(G.index[target]) if target in G.index else None
    if found is None:
        raise nx.NetworkXNoPath(f"Target {target} cannot be reached from given sources")
    yield from found


def single_source_all_shortest_paths(
    G: Converted, source: Node, weight: None = None, method: str = "dijkstra"
) -> Iterator[tuple[Node, list[Path]]]:
    walk = G.walk([_known(G, source, "Source")])
    for node in walk.order():
        yield node, list(walk.paths_to(G.index[node]) or ())


def all_pairs_all_shortest_paths(
    G: Converted, weight: None = None, method: str = "dijkstra"
) -> Iterator[tuple[Node, dict[Node, list[Path]]]]:
    for node in G.nodes:
        yield node, dict(single_source_all_shortest_paths(G, node))
