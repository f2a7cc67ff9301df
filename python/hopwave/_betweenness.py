"""Betweenness of vertices and arcs."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from . import _core
from ._arrays import count, truth
from ._export import tails_of
from ._graph import Graph, require_graph, sources_of
from ._run import Device, Progress, Stop, asked, ended_early, run_report
from ._values import Values, named


def _drawn(graph: Graph, samples: int, seed: int) -> npt.NDArray[np.uint32]:
    """Returns random vertices, all different, each with the same probability; empty: all vertices."""
    n = graph.num_vertices
    if samples >= n:
        return np.zeros(0, np.uint32)
    return np.random.default_rng(seed).choice(n, samples, replace=False).astype(np.uint32)


def _sums(
    graph: Graph,
    sources: Any,
    targets: Any,
    samples: int | None,
    arcs: bool,
    endpoints: bool,
    device: Device,
    threads: int,
    seed: int,
    time_limit: float | None,
    progress: Progress,
    stop: Stop | None,
) -> tuple[Any, ...]:
    """Returns the sums, and the number of sources for which they are scaled."""
    require_graph(graph)
    if sources is not None and samples is not None:
        raise ValueError("sources and samples: one of them")
    truth(endpoints, "endpoints")
    none = np.zeros(0, np.uint32)
    begin = none if sources is None else sources_of(graph, sources)
    if samples is not None:
        begin = _drawn(graph, count(samples, "samples", 1), count(seed, "seed"))
    end = none if targets is None else sources_of(graph, targets)
    searches = begin.size or graph.num_vertices
    with asked(device, threads, seed, time_limit, progress, stop, "search", searches, auto="cpu") as words:
        if (sources is not None and begin.size == 0) or (targets is not None and end.size == 0):
            return np.zeros(graph.num_vertices), np.zeros(graph.num_arcs), graph.num_vertices
        vertex, arc, done, report = _core.betweenness(graph._core, begin, end, arcs, endpoints, words)
    if not (run := run_report(report)).complete:
        raise ended_early(run, f"{done} of {searches} searches are done")
    return vertex, arc, graph.num_vertices if sources is not None else done


def betweenness(
    graph: Graph,
    *,
    sources: Any = None,
    targets: Any = None,
    samples: int | None = None,
    normalized: bool = True,
    endpoints: bool = False,
    device: Device = "auto",
    threads: int = 0,
    seed: int = 1,
    time_limit: float | None = None,
    progress: Progress = None,
    stop: Stop | None = None,
) -> Values:
    """How many shortest paths between other vertices pass through each vertex: one float64 per vertex. top(10) of the result
    returns the ids with the greatest values. Weights are ignored. Scaled as in NetworkX.

    `samples` random sources give an estimate; betweenness_error() returns its error bound. With `sources`, only the paths from
    these ids count; with `targets`, only those to them; nothing is scaled up then. `seed` chooses the samples. The
    device "auto" is the CPU. `progress` counts searches.
    """
    vertex, _, stand_for_all = _sums(
        graph, sources, targets, samples, False, endpoints, device, threads, seed, time_limit, progress, stop
    )
    scale = _core.betweenness_scale(graph._core, stand_for_all, truth(normalized, "normalized"), endpoints)[0]
    return named(vertex * scale, graph._ids)


def edge_betweenness(
    graph: Graph,
    *,
    sources: Any = None,
    targets: Any = None,
    samples: int | None = None,
    normalized: bool = True,
    device: Device = "auto",
    threads: int = 0,
    seed: int = 1,
    time_limit: float | None = None,
    progress: Progress = None,
    stop: Stop | None = None,
) -> Values:
    """The same for every arc, in the order of csr(). The value of an undirected edge is the sum of its two arcs, also in top(),
    whose ids are pairs."""
    _, arc, stand_for_all = _sums(graph, sources, targets, samples, True, False, device, threads, seed, time_limit, progress, stop)
    scale = _core.betweenness_scale(graph._core, stand_for_all, truth(normalized, "normalized"), False)[1]

    values = arc * scale

    def once() -> tuple[npt.NDArray[np.intp], npt.NDArray[Any]]:
        heads = graph.csr()[1]
        places = np.flatnonzero(tails_of(graph) <= heads)
        back = np.argsort(heads, kind="stable")  # rows are sorted: in the order by heads and then tails, the arcs of the other direction follow
        return places, values[places] + values[back[places]]

    def ids(arcs: npt.NDArray[np.intp]) -> list[Any]:
        return list(zip(graph._ids(tails_of(graph)[arcs]), graph._ids(graph.csr()[1][arcs])))

    return named(values, ids, None if graph.directed else once)


def betweenness_error(graph: Graph, samples: int, *, risk: float = 0.05) -> float:
    """Returns the error bound of an estimate: with a probability of 1 - risk no vertex's normalized value from so many samples
    is farther from the exact one."""
    require_graph(graph)
    return _core.betweenness_error(graph.num_vertices, count(samples, "samples"), float(risk))
