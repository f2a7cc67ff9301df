"""NetworkX's values from the distances of every node."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterator
from typing import Any, Literal

import networkx as nx
import numpy as np
import numpy.typing as npt

import hopwave as hw
from hopwave import _core

from .components import is_connected, is_strongly_connected
from .converted import Converted, convert_to_nx
from .weighted import single_source_dijkstra_path_length

Summary = tuple[npt.NDArray[Any], ...]
_ROWS = 64  # rows of distances at a time


def _summary(G: Converted, direction: Literal["out", "in"], vertex: int | None = None) -> Summary:
    """Returns for each vertex, or for one: vertices reached, sum of distances, sum of inverses, eccentricity."""
    vertices = _every_vertex(G) if vertex is None else np.array([vertex], np.uint32)
    summary: Summary = _searcher(G, direction).summaries(vertices, -1)
    return summary


def _all_reach_all(summary: Summary, n: int) -> bool:
    return bool((summary[0] == n).all())


def _lengths(G: Converted, weight: str) -> Iterator[tuple[Hashable, dict[Hashable, float]]]:
    """Yields each node with the lengths of its shortest paths, in NetworkX's order, which is that of its sums."""
    for node in G.nodes:
        yield node, single_source_dijkstra_path_length(G, node, weight=weight)


def _closeness_by_weight(G: Converted, node: Hashable, weight: str, wf_improved: bool) -> float:
    lengths = single_source_dijkstra_path_length(G, node, weight=weight)
    total, others = sum(lengths.values()), len(lengths) - 1.0
    if not total > 0.0 or len(G) <= 1:
        return 0.0
    return others / total * (others / (len(G) - 1)) if wf_improved else others / total


def closeness_centrality(
    G: Converted, u: Hashable = None, distance: str | None = None, wf_improved: bool = True
) -> dict[Hashable, float] | float:
    if distance is not None:
        if u is not None:
            return _closeness_by_weight(G, u, distance, wf_improved)
        return {node: _closeness_by_weight(G, node, distance, wf_improved) for node in G.nodes}
    n = len(G)
    reached, total, _, _ = _summary(G, "in", None if u is None else G.index[u])
    value = np.zeros(reached.size)
    some = total > 0
    others = reached[some].astype(np.float64) - 1.0
    value[some] = others / total[some]
    if wf_improved and n > 1:
        value[some] *= others / (n - 1)
    values: list[float] = value.tolist()
    return values[0] if u is not None else dict(zip(G.nodes, values))


def _eccentricities(G: Converted, goal: Literal["diameter", "radius", "figures", "every"]) -> hw.Eccentricities:
    """Raises NetworkX's error if a node does not reach all others."""
    if not _is_connected(G):
        raise _infinite(G)
    return hw.eccentricities(G.graph, goal)


def _is_connected(G: Converted) -> bool:
    return is_strongly_connected(G) if G.is_directed() else is_connected(G)


def _infinite(G: Converted) -> nx.NetworkXError:
    kind = "digraph is not strongly connected" if G.is_directed() else "graph is not connected"
    return nx.NetworkXError(f"Found infinite path length because the {kind}")


def _disconnected(G: Converted) -> nx.NetworkXNoPath:
    return nx.NetworkXNoPath(
        f"Input graph {convert_to_nx(G)} is disconnected, so every induced subgraph has infinite barycentricity."
    )


def eccentricity(G: Converted, v: None = None, sp: None = None, weight: str | None = None) -> dict[Hashable, float]:
    if weight is None:
        return dict(zip(G.nodes, _eccentricities(G, "every").upper.tolist()))
    farthest: dict[Hashable, float] = {}
    for node, lengths in _lengths(G, weight):
        if len(lengths) != len(G):
            raise _infinite(G)
        farthest[node] = max(lengths.values())
    return farthest


def _at(values: dict[Hashable, float], value: float) -> list[Hashable]:
    return [node for node, its in values.items() if its == value]


def diameter(G: Converted, e: None = None, usebounds: bool = False, weight: str | None = None) -> float:
    if weight is not None:
        return max(eccentricity(G, weight=weight).values())
    return int(_eccentricities(G, "diameter").diameter[1])


def radius(G: Converted, e: None = None, usebounds: bool = False, weight: str | None = None) -> float:
    if weight is not None:
        return min(eccentricity(G, weight=weight).values())
    return int(_eccentricities(G, "radius").radius[1])


def periphery(G: Converted, e: None = None, usebounds: bool = False, weight: str | None = None) -> list[Hashable]:
    if weight is not None:
        values = eccentricity(G, weight=weight)
        return _at(values, max(values.values()))
    return _eccentricities(G, "figures").periphery


def center(G: Converted, e: None = None, usebounds: bool = False, weight: str | None = None) -> list[Hashable]:
    if weight is not None:
        values = eccentricity(G, weight=weight)
        return _at(values, min(values.values()))
    return _eccentricities(G, "figures").center


def barycenter(G: Converted, weight: str | None = None, attr: None = None, sp: None = None) -> list[Hashable]:
    if weight is not None:
        sums: dict[Hashable, float] = {}
        for node, lengths in _lengths(G, weight):
            if len(lengths) < len(G):
                raise _disconnected(G)
            sums[node] = sum(lengths.values())
        return _at(sums, min(sums.values()))
    summary = _summary(G, "out")
    if not _all_reach_all(summary, len(G)):
        raise _disconnected(G)
    total = summary[1]
    return [G.nodes[v] for v in np.flatnonzero(total == total.min())]


def harmonic_diameter(G: Converted, sp: None = None, *, weight: str | None = None) -> float:
    n, total = len(G), 0.0
    if weight is None:
        total = _searcher(G, "out").inverse_sum(_every_vertex(G))
    else:
        for _, lengths in _lengths(G, weight):
            for length in lengths.values():
                if length != 0:
                    total += 1 / length
    if total:
        return n * (n - 1) / total
    return math.inf if n > 1 else math.nan


def average_shortest_path_length(G: Converted, weight: str | None = None, method: str | None = None) -> float:
    n = len(G)
    if n == 1:
        return 0
    if weight is not None:
        if not _is_connected(G):
            raise nx.NetworkXError(f"Graph is not {'strongly ' if G.is_directed() else ''}connected.")
        return sum(length for _, lengths in _lengths(G, weight) for length in lengths.values()) / (n * (n - 1))
    summary = _summary(G, "out")
    if not _all_reach_all(summary, n):
        raise nx.NetworkXError(f"Graph is not {'strongly ' if G.is_directed() else ''}connected.")
    return int(summary[1].sum()) / (n * (n - 1))


def wiener_index(G: Converted, weight: str | None = None) -> float:
    if weight is not None:
        if not _is_connected(G):
            return float("inf")
        sum_of_all = sum(length for _, lengths in _lengths(G, weight) for length in lengths.values())
        return sum_of_all if G.is_directed() else sum_of_all / 2
    summary = _summary(G, "out")
    if not _all_reach_all(summary, len(G)):
        return float("inf")
    total = int(summary[1].sum())
    return total if G.is_directed() else total / 2


def _degrees(G: Converted) -> npt.NDArray[np.int64]:
    """Degrees in an undirected graph; a loop counts twice."""
    tails, heads = G.arcs()
    return np.bincount(tails, minlength=len(G)) + np.bincount(tails[tails == heads], minlength=len(G))


def schultz_index(G: Converted, weight: None = None) -> float:
    if not is_connected(G):
        return float("inf")
    # Each pair occurs from both ends, and has the degrees of both.
    sums = _summary(G, "out")[1].tolist()
    total: int = 2 * sum(degree * of for degree, of in zip(_degrees(G).tolist(), sums))
    return total / 2


def gutman_index(G: Converted, weight: None = None) -> float:
    if not is_connected(G):
        return float("inf")
    degrees, searcher, total = _degrees(G), hw.Searcher(G.graph), 0
    for begin in range(0, len(G), _ROWS):
        end = min(begin + _ROWS, len(G))
        weighed = searcher._core.each(np.arange(begin, end, dtype=np.uint32), -1).astype(np.int64) @ degrees
        total += sum(degree * at for degree, at in zip(degrees[begin:end].tolist(), weighed.tolist()))
    return total / 2


def hyper_wiener_index(G: Converted, weight: None = None) -> float:
    if not is_connected(G):
        return float("inf")
    pairs = _searcher(G, "out").pairs_at(_every_vertex(G)).tolist()
    total: int = sum(count * (d + d * d) for d, count in enumerate(pairs))
    return total / 2


def _searcher(G: Converted, direction: Literal["out", "in"]) -> _core.Searcher:
    return hw.Searcher(G.graph, direction=direction)._core


def _every_vertex(G: Converted) -> npt.NDArray[np.uint32]:
    return np.arange(len(G), dtype=np.uint32)


def global_efficiency(G: Converted) -> float:
    n = len(G)
    if n == 1:
        return 0
    total: float = _searcher(G, "out").inverse_sum(_every_vertex(G))
    return total / (n * (n - 1))


def _bunch(G: Converted, nodes: Any) -> set[Hashable]:
    """Returns a set that iterates in NetworkX's order."""
    if nodes is None:
        return set(iter(G.nodes))
    return {nodes} if nodes in G else {node for node in nodes if node in G.index}


def _harmonic_by_weight(G: Converted, nodes: set[Hashable], starts: set[Hashable], weight: str) -> dict[Hashable, float]:
    """NetworkX's loop: it searches from the smaller set, of an undirected graph."""
    found: dict[Hashable, float] = dict.fromkeys(nodes, 0)
    turned = len(nodes) < len(starts)
    ends, sources = (starts, nodes) if turned else (nodes, starts)
    for source in sources:
        for end, length in single_source_dijkstra_path_length(G, source, weight=weight).items():
            if length != 0 and end in ends:
                found[source if turned else end] += 1 / length
    return found


def harmonic_centrality(
    G: Converted, nbunch: Any = None, distance: str | None = None, sources: Any = None
) -> dict[Hashable, float]:
    nodes, starts = _bunch(G, nbunch), _bunch(G, sources)
    if distance is not None:
        return _harmonic_by_weight(G, nodes, starts, distance)

    def vertices(of: set[Hashable]) -> npt.NDArray[np.uint32]:
        return np.fromiter((G.index[node] for node in of), np.uint32, len(of))

    # The sums in NetworkX's order of adding, from the smaller set of ends.
    if len(nodes) < len(starts):
        sums = _searcher(G, "in").inverse_sums_of_sources(vertices(nodes), vertices(starts)).tolist()
    elif starts:
        sums = _searcher(G, "out").inverse_sums_at_vertices(vertices(starts))[vertices(nodes)].tolist()
    else:
        sums = [0] * len(nodes)
    return {node: value or 0 for node, value in zip(nodes, sums)}
