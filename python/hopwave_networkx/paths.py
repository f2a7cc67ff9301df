"""NetworkX's unweighted shortest paths."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from heapq import heappop, heappush
from typing import Any

import networkx as nx

from hopwave import _core

from .converted import Converted
from .limits import limit
from .weighted import (
    all_shortest_paths_by_weight,
    dijkstra_path_length,
    from_each,
    paths_to_each_by_weight,
    single_source_dijkstra_path,
    single_source_dijkstra_path_length,
)

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
    G: Converted, source: Node, target: Node, weight: str | None = None, method: str = "dijkstra"
) -> Iterator[Path]:
    if weight is not None:
        return all_shortest_paths_by_weight(G, source, target, weight, method)
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
    G: Converted, source: Node, weight: str | None = None, method: str = "dijkstra"
) -> Iterator[tuple[Node, list[Path]]]:
    if weight is not None:
        yield from paths_to_each_by_weight(G, source, weight, method)
        return
    walk = G.walk([_known(G, source, "Source")])
    for node in walk.order():
        yield node, list(walk.paths_to(G.index[node]) or ())


def all_pairs_all_shortest_paths(
    G: Converted, weight: str | None = None, method: str = "dijkstra"
) -> Iterator[tuple[Node, dict[Node, list[Path]]]]:
    def paths_of(function: Any) -> Any:
        return lambda *args, **words: dict(function(*args, **words))

    ours, theirs = paths_of(single_source_all_shortest_paths), paths_of(nx.single_source_all_shortest_paths)
    yield from from_each(G, ours, theirs, weight=weight, method=method)


def shortest_simple_paths(G: Converted, source: Node, target: Node, weight: str | None = None) -> Iterator[Path]:
    """Yen's algorithm: a path leaves one that is known at each of its vertices, by an arc that no known path with the same
    beginning takes. Of the paths found so far the shortest is next."""
    G.named(source, target)
    for word, node in (("source", source), ("target", target)):
        if node not in G:
            raise nx.NodeNotFound(f"{word} node {node} not in graph")
    ends, end = _core.BothEnds(G.rows, None if weight is None else G.weights(weight)), G.index[target]
    first = ends.path(G.index[source], end, [], [])
    if first is None:
        raise nx.NetworkXNoPath(f"No path between {source} and {target}.")
    found: list[tuple[Any, int, list[int]]] = [(first[0], 0, first[1])]
    waiting, pushes = {tuple(first[1])}, 1
    known: dict[int, Any] = {}  # the paths that were yielded, as a tree
    while found:
        path = heappop(found)[2]
        waiting.remove(tuple(path))
        yield [G.nodes[v] for v in path]
        at = known
        for v in path:
            at = at.setdefault(v, {})
        steps, at = [] if weight is None else ends.weights(path), known
        for i, v in enumerate(path[:-1]):
            at = at[v]
            rest = ends.path(v, end, path[:i], list(at))
            if rest is None:
                continue
            longer = path[:i] + rest[1]
            if tuple(longer) not in waiting:
                begun = i + 1 if weight is None else sum(steps[:i])  # NetworkX counts vertices, that of the fork twice
                heappush(found, (begun + rest[0], pushes, longer))
                waiting.add(tuple(longer))
                pushes += 1
