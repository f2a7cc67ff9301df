"""Shortest paths by the weights of arcs."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _core
from ._arrays import truth, word
from ._graph import Graph, require_graph, sources_of
from ._run import Device, Progress, RunReport, Stop, WeightedReport, asked, run_report, weighted_report
from ._search import NO_VERTEX, Direction, parent_of


class WeightedResult:
    """The answer of sssp(). Arrays are indexed by vertex, and `parent` has vertices; methods take and return ids."""

    __slots__ = ("_graph", "_parent", "distance", "exact", "farthest", "reached", "run")

    distance: npt.NDArray[np.float64]
    """The least sum of weights from the nearest source, one per vertex; inf: unreached."""
    exact: bool
    """True if no distance was rounded; for whole weights this holds below 2**53."""
    run: WeightedReport

    def __init__(self, graph: Graph, answer: tuple[Any, ...]) -> None:
        self._graph = graph
        self.distance, self._parent, self.reached, self.farthest, self.exact = answer[:5]
        self.run = weighted_report(answer[5])

    @property
    def parent(self) -> npt.NDArray[np.int64]:
        """The predecessor, one per vertex; -1: a source, or unreached."""
        wide: npt.NDArray[np.int64] = self._parent.astype(np.int64)
        wide[wide == NO_VERTEX] = -1
        return wide

    def distance_to(self, id: Any) -> float:
        """Returns the sum of weights to the vertex with this id; inf: unreached."""
        return float(self.distance[self._graph.vertex(id)])

    def path_to(self, id: Any) -> list[Any]:
        """Returns the ids along a shortest path from a source to `id`, both included; empty where there is no path."""
        v = self._graph.vertex(id)
        if math.isinf(self.distance[v]):
            return []
        path = [v]
        while (v := int(self._parent[v])) != NO_VERTEX:
            path.append(v)
        return [self._graph.id(u) for u in reversed(path)]

    def parent_of(self, id: Any) -> Any:
        """Returns the id of the vertex before `id` on a shortest path; None for a source, or if unreached."""
        return parent_of(self._graph, self._parent, id)

    def __repr__(self) -> str:
        return f"<hopwave.WeightedResult: {self.reached:,} of {self.distance.size:,} vertices reached, farthest {self.farthest:g}>"


def sssp(
    graph: Graph,
    source: Any,
    *,
    target: Any = None,
    max_distance: float | None = None,
    direction: Direction = "out",
    strategy: str = "auto",
    device: Device = "auto",
    threads: int = 0,
    seed: int = 1,
    time_limit: float | None = None,
    progress: Progress = None,
    stop: Stop | None = None,
) -> WeightedResult:
    """Shortest paths by weight from one id, or from the nearest of a list of ids; each arc weighs 1 if the graph has no
    weights.

    Vertices farther than `target` or `max_distance` stay unreached. A negative weight raises Error HW-SSSP-WEIGHT.
    `progress` counts rounds.
    """
    require_graph(graph)
    limit = math.inf if max_distance is None else float(max_distance)
    end = NO_VERTEX if target is None else graph.vertex(target)
    sources = sources_of(graph, source)
    with asked(device, threads, seed, time_limit, progress, stop, "round") as words:
        found = _core.shortest_paths(graph._core, sources, end, limit, True, direction, word(strategy, "strategy"), words)
    return WeightedResult(graph, found)


class DistanceMatrix:
    """The answer of distance_matrix()."""

    __slots__ = ("_exact_below", "distance", "run")

    distance: npt.NDArray[np.float64]
    """A row per source and a column per target, in the order in which they were given; inf: no path."""
    run: RunReport

    def __init__(self, answer: tuple[Any, ...]) -> None:
        self.distance, self._exact_below, run = answer
        self.run = run_report(run)

    @property
    def exact(self) -> bool:
        """True if no distance was rounded; hops never are."""
        there = self.distance[np.isfinite(self.distance)]
        return bool(there.size == 0 or there.max() < self._exact_below)

    def __repr__(self) -> str:
        rows, columns = self.distance.shape
        return f"<hopwave.DistanceMatrix: {rows:,} sources, {columns:,} targets>"


def distance_matrix(
    graph: Graph,
    sources: Any,
    targets: Any = None,
    *,
    weights: bool = False,
    direction: Direction = "out",
    device: Device = "auto",
    threads: int = 0,
    seed: int = 1,
    time_limit: float | None = None,
    progress: Progress = None,
    stop: Stop | None = None,
) -> DistanceMatrix:
    """Distances from each of a list of ids to each of another, by default to each other; by hops, or by weights.

    With `weights` each arc weighs 1 if the graph has none. A search by weights ends when all targets are known, and each
    thread does one at a time; searches by hops share passes over the graph. Device "auto" is the CPU. `progress` counts
    searches.
    """
    require_graph(graph)
    begins = sources_of(graph, sources)
    ends = begins if targets is None else sources_of(graph, targets)
    with asked(device, threads, seed, time_limit, progress, stop, "search", begins.size, auto="cpu") as words:
        return DistanceMatrix(_core.distance_matrix(graph._core, begins, ends, truth(weights, "weights"), direction, words))
