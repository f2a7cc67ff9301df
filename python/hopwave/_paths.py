"""Several paths between two vertices."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from . import _core
from ._arrays import count, truth
from ._graph import Graph, require_graph
from ._run import Device, Progress, RunReport, Stop, asked, run_report
from ._search import Direction


class ShortestPaths:
    """The answer of k_shortest_paths()."""

    __slots__ = ("exact", "lengths", "paths", "run")

    lengths: npt.NDArray[np.float64]
    """One length per path, in ascending order."""
    paths: list[list[Any]]
    """The ids of each path, from the first vertex to the last."""
    exact: bool
    """True if no length was rounded; hops never are."""
    run: RunReport

    def __init__(self, graph: Graph, answer: tuple[Any, ...]) -> None:
        self.lengths, paths, below, run = answer
        self.paths = [_ids(graph, path) for path in paths]
        self.exact = bool(self.lengths.size == 0 or self.lengths[-1] < below)
        self.run = run_report(run)

    def __repr__(self) -> str:
        ends = f", {self.lengths[0]:g} to {self.lengths[-1]:g}" if self.lengths.size else ""
        return f"<hopwave.ShortestPaths: {len(self.paths):,} paths{ends}>"


class AllShortestPaths:
    """The answer of all_shortest_paths()."""

    __slots__ = ("arcs", "count", "exact", "length", "paths", "run")

    length: float
    """The length of each path; inf: there is none."""
    count: int
    """Their number; 2**64 - 1: as many or more."""
    arcs: npt.NDArray[np.uint32]
    """The arcs that they consist of: a row of two vertices each. They form an acyclic graph."""
    paths: list[list[Any]]
    """The ids of the first paths, in the lexicographic order of their vertices."""
    exact: bool
    """True if the length was not rounded; hops never are."""
    run: RunReport

    def __init__(self, graph: Graph, answer: tuple[Any, ...]) -> None:
        self.length, self.count, tails, heads, paths, below, run = answer
        self.arcs = np.column_stack((tails, heads))
        self.paths = [_ids(graph, path) for path in paths]
        self.exact = self.count == 0 or self.length < below
        self.run = run_report(run)

    def __repr__(self) -> str:
        return f"<hopwave.AllShortestPaths: {self.count:,} paths, length {self.length:g}>"


def _ids(graph: Graph, path: npt.NDArray[np.uint32]) -> list[Any]:
    return [graph.id(int(v)) for v in path]


def k_shortest_paths(
    graph: Graph,
    source: Any,
    target: Any,
    k: int,
    *,
    weights: bool = False,
    direction: Direction = "out",
    device: Device = "auto",
    threads: int = 0,
    seed: int = 1,
    time_limit: float | None = None,
    progress: Progress = None,
    stop: Stop | None = None,
) -> ShortestPaths:
    """The k shortest paths without loops between two ids, by hops or by weights; all, if there are fewer.

    Paths of equal length come in the lexicographic order of their vertices. The call runs on the CPU; another device raises
    Error HW-OPTION-VALUE. `progress` counts paths.
    """
    require_graph(graph)
    ends = graph.vertex(source), graph.vertex(target)
    with asked(device, threads, seed, time_limit, progress, stop, "path", auto="cpu") as words:
        return ShortestPaths(graph, _core.k_shortest_paths(graph._core, *ends, count(k, "k", 1), truth(weights, "weights"), direction, words))


def all_shortest_paths(
    graph: Graph,
    source: Any,
    target: Any,
    limit: int = 1000,
    *,
    weights: bool = False,
    direction: Direction = "out",
    device: Device = "auto",
    threads: int = 0,
    seed: int = 1,
    time_limit: float | None = None,
    progress: Progress = None,
    stop: Stop | None = None,
) -> AllShortestPaths:
    """The number of all shortest paths between two ids, their arcs, and the first `limit` of them; by hops or by weights.

    Arcs of weight 0 that form a cycle among them raise Error HW-PATHS-CYCLE. The call runs on the CPU; another device raises
    Error HW-OPTION-VALUE. `progress` counts paths that are listed.
    """
    require_graph(graph)
    ends = graph.vertex(source), graph.vertex(target)
    with asked(device, threads, seed, time_limit, progress, stop, "path", auto="cpu") as words:
        found = _core.all_shortest_paths(graph._core, *ends, count(limit, "limit"), truth(weights, "weights"), direction, words)
        return AllShortestPaths(graph, found)
