"""NetworkX's shortest paths by weights: Dijkstra's family."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterator
from typing import Any

import networkx as nx

from hopwave import _core

from .converted import Converted
from .limits import farthest
from .version import PATHS_AS_MET

Node = Hashable
Path = list[Node]
Length = float


def _dijkstra(
    G: Converted,
    sources: Collection[Any],
    weight: Any,
    cutoff: Any = None,
    target: Any = None,
    predecessors: bool = False,
    by_queue: bool = False,
) -> _core.Dijkstra:
    """`sources` are nodes of the graph, each once. `by_queue`: by the algorithm of Bellman and Ford from one source."""
    given = list(dict.fromkeys(sources))
    limit = farthest(cutoff)
    end = None if target is None else G.index.get(target)
    vertices = [G.index[node] for node in given]
    search = _core.Dijkstra(G.rows, G.weights(weight), G.nodes, vertices, given, limit, end, predecessors, by_queue)
    G.search = search
    return search


def _check(G: Converted, sources: Collection[Any]) -> None:
    if not sources:
        raise ValueError("sources must not be empty")
    for source in sources:
        if source not in G:
            raise nx.NodeNotFound(f"Node {source} not found in graph")


def multi_source_dijkstra(
    G: Converted, sources: Collection[Any], target: Node = None, cutoff: Any = None, weight: Any = "weight"
) -> Any:
    if target is not None:
        G.named(target, *sources)
    _check(G, sources)
    if target in sources:
        return 0, [target]
    search = _dijkstra(G, sources, weight, cutoff, target)
    if target is None:
        return search.lengths(), search.paths(PATHS_AS_MET)
    found = search.target(G.index[target]) if target in G else None
    if found is None:
        raise nx.NetworkXNoPath(f"No path to {target}.")
    return found


def multi_source_dijkstra_path(
    G: Converted, sources: Collection[Any], cutoff: Any = None, weight: Any = "weight"
) -> dict[Node, Path]:
    _check(G, sources)
    return _dijkstra(G, sources, weight, cutoff).paths(PATHS_AS_MET)


def multi_source_dijkstra_path_length(
    G: Converted, sources: Collection[Any], cutoff: Any = None, weight: Any = "weight"
) -> dict[Node, Length]:
    _check(G, sources)
    return _dijkstra(G, sources, weight, cutoff).lengths()


def single_source_dijkstra(
    G: Converted, source: Node, target: Node = None, cutoff: Any = None, weight: Any = "weight"
) -> Any:
    return multi_source_dijkstra(G, {source}, target, cutoff, weight)


def single_source_dijkstra_path(
    G: Converted, source: Node, cutoff: Any = None, weight: Any = "weight"
) -> dict[Node, Path]:
    return multi_source_dijkstra_path(G, {source}, cutoff, weight)


def single_source_dijkstra_path_length(
    G: Converted, source: Node, cutoff: Any = None, weight: Any = "weight"
) -> dict[Node, Length]:
    return multi_source_dijkstra_path_length(G, {source}, cutoff, weight)


def dijkstra_path(G: Converted, source: Node, target: Node, weight: Any = "weight") -> Path:
    path: Path = single_source_dijkstra(G, source, target, weight=weight)[1]
    return path


def dijkstra_path_length(G: Converted, source: Node, target: Node, weight: Any = "weight") -> Length:
    G.named(source, target)
    if source not in G:
        raise nx.NodeNotFound(f"Node {source} not found in graph")
    if source == target:
        return 0
    found = _dijkstra(G, [source], weight, target=target).target(G.index[target]) if target in G else None
    if found is None:
        raise nx.NetworkXNoPath(f"Node {target} not reachable from {source}")
    length: Length = found[0]
    return length


def dijkstra_predecessor_and_distance(
    G: Converted, source: Node, cutoff: Any = None, weight: Any = "weight"
) -> tuple[dict[Node, list[Node]], dict[Node, Length]]:
    if source not in G:
        raise nx.NodeNotFound(f"Node {source} is not found in the graph")
    search = _dijkstra(G, [source], weight, cutoff, predecessors=True)
    return search.predecessors(), search.lengths()


def _bellman_ford(G: Converted, source: Node, weight: Any) -> _core.Dijkstra:
    G.named(source)
    if source not in G:
        raise nx.NodeNotFound(f"Source {source} not in G")
    return _dijkstra(G, [source], weight, by_queue=True)


def single_source_bellman_ford(G: Converted, source: Node, target: Node = None, weight: Any = "weight") -> Any:
    G.named(source, target)
    if source == target:  # also None, which is no node
        if source not in G:
            raise nx.NodeNotFound(f"Node {source} is not found in the graph")
        return 0, [source]
    search = _bellman_ford(G, source, weight)
    if target is None:
        return search.lengths(), search.paths(False)
    found = search.target(G.index[target]) if target in G else None
    if found is None:
        raise nx.NetworkXNoPath(f"Target {target} cannot be reached from given sources")
    return found


def single_source_bellman_ford_path(G: Converted, source: Node, weight: Any = "weight") -> dict[Node, Path]:
    paths: dict[Node, Path] = single_source_bellman_ford(G, source, weight=weight)[1]
    return paths


def single_source_bellman_ford_path_length(G: Converted, source: Node, weight: Any = "weight") -> dict[Node, Length]:
    return _bellman_ford(G, source, weight).lengths()


def bellman_ford_path(G: Converted, source: Node, target: Node, weight: Any = "weight") -> Path:
    path: Path = single_source_bellman_ford(G, source, target, weight)[1]
    return path


def bellman_ford_path_length(G: Converted, source: Node, target: Node, weight: Any = "weight") -> Length:
    G.named(source, target)
    if source == target:
        if source not in G:
            raise nx.NodeNotFound(f"Node {source} not found in graph")
        return 0
    search = _bellman_ford(G, source, weight)
    found = search.target(G.index[target]) if target in G else None
    if found is None:
        raise nx.NetworkXNoPath(f"node {target} not reachable from {source}")
    length: Length = found[0]
    return length


def _predecessors(G: Converted, source: Node, weight: Any, method: str = "dijkstra") -> _core.Dijkstra:
    G.named(source)
    if source not in G:
        raise nx.NodeNotFound(f"Node {source} is not found in the graph")
    return _dijkstra(G, [source], weight, predecessors=True, by_queue=method == "bellman-ford")


def bellman_ford_predecessor_and_distance(
    G: Converted, source: Node, target: Node = None, weight: Any = "weight", heuristic: bool = False
) -> tuple[dict[Node, list[Node]], dict[Node, Length]]:
    search = _predecessors(G, source, weight, "bellman-ford")
    if len(G) == 1:
        return {source: []}, {source: 0}
    return search.predecessors(), search.lengths()


def all_shortest_paths_by_weight(G: Converted, source: Node, target: Node, weight: Any, method: str) -> Iterator[Path]:
    """Searches at the call, like NetworkX."""
    G.named(source, target)
    search = _predecessors(G, source, weight, method)

    def paths() -> Iterator[Path]:
        found = search.paths_to(G.index[target]) if target in G else None
        if found is None:
            raise nx.NetworkXNoPath(f"Target {target} cannot be reached from given sources")
        yield from found

    return paths()


def paths_to_each_by_weight(G: Converted, source: Node, weight: Any, method: str) -> Iterator[tuple[Node, list[Path]]]:
    search = _predecessors(G, source, weight, method)
    for node in search.predecessors():
        yield node, list(search.paths_to(G.index[node]) or ())


def from_each(G: Converted, ours: Callable[..., Any], theirs: Any, **words: Any) -> Iterator[tuple[Node, Any]]:
    for node in G.nodes:
        try:
            found = ours(G, node, **words)
        except NotImplementedError:  # these distances are not hopwave's, and items already read cannot be taken back
            found = theirs(G.original, node, **words, backend="networkx")
        yield node, found


def all_pairs_dijkstra(
    G: Converted, cutoff: Any = None, weight: Any = "weight"
) -> Iterator[tuple[Node, tuple[dict[Node, Length], dict[Node, Path]]]]:
    return from_each(G, single_source_dijkstra, nx.single_source_dijkstra, cutoff=cutoff, weight=weight)


def all_pairs_dijkstra_path(
    G: Converted, cutoff: Any = None, weight: Any = "weight"
) -> Iterator[tuple[Node, dict[Node, Path]]]:
    return from_each(G, single_source_dijkstra_path, nx.single_source_dijkstra_path, cutoff=cutoff, weight=weight)


def all_pairs_dijkstra_path_length(
    G: Converted, cutoff: Any = None, weight: Any = "weight"
) -> Iterator[tuple[Node, dict[Node, Length]]]:
    return from_each(G, single_source_dijkstra_path_length, nx.single_source_dijkstra_path_length, cutoff=cutoff, weight=weight)


def all_pairs_bellman_ford_path(G: Converted, weight: Any = "weight") -> Iterator[tuple[Node, dict[Node, Path]]]:
    yield from from_each(G, single_source_bellman_ford_path, nx.single_source_bellman_ford_path, weight=weight)


def all_pairs_bellman_ford_path_length(G: Converted, weight: Any = "weight") -> Iterator[tuple[Node, dict[Node, Length]]]:
    yield from from_each(G, single_source_bellman_ford_path_length, nx.single_source_bellman_ford_path_length, weight=weight)


def johnson(G: Converted, weight: Any = "weight") -> dict[Node, dict[Node, Path]]:
    return {node: single_source_dijkstra_path(G, node, weight=weight) for node in G.nodes}


def astar_path(
    G: Converted, source: Node, target: Node, heuristic: None = None, weight: Any = "weight", *, cutoff: None = None
) -> Path:
    """Without a heuristic the search is Dijkstra's."""
    G.named(source, target)
    for word, node in (("Source", source), ("Target", target)):
        if node not in G:
            raise nx.NodeNotFound(f"{word} {node} is not in G")
    found = _dijkstra(G, [source], weight, target=target).target(G.index[target])
    if found is None:
        raise nx.NetworkXNoPath(f"Node {target} not reachable from {source}")
    path: Path = found[1]
    return path


def astar_path_length(
    G: Converted, source: Node, target: Node, heuristic: None = None, weight: Any = "weight", *, cutoff: None = None
) -> Length:
    if source not in G or target not in G:
        raise nx.NodeNotFound(f"Either source {source} or target {target} is not in G")
    path = astar_path(G, source, target, None, weight)
    rows: Any = G.original._adj
    data = [rows[u][v] for u, v in zip(path, path[1:])]
    weights: list[Length] = [
        min(each.get(weight, 1) for each in edge.values()) if G.original.is_multigraph() else edge.get(weight, 1) for edge in data
    ]
    return sum(weights)


def voronoi_cells(G: Converted, center_nodes: Collection[Any], weight: Any = "weight") -> dict[Any, set[Node]]:
    _check(G, center_nodes)
    search = _dijkstra(G, center_nodes, weight)
    cells = search.cells(PATHS_AS_MET)
    apart = set(G.nodes) - set().union(*cells.values())
    if apart:
        cells["unreachable"] = apart
    return cells
