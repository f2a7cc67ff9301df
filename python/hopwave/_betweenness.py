"""Betweenness of vertices and arcs."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from . import _core
from ._arrays import count, truth
from ._export import tails_of
from ._graph import Graph, require_graph, sources_of
from ._progress import Progress, asked
from ._search import Device
from ._values import Values, named


def _drawn(graph: Graph, samples: int, seed: int) -> npt.NDArray[np.uint32]:
    """Returns random vertices, all different, each with the same probability; empty: all vertices."""
    samples, seed = count(samples, "samples", 1), count(seed, "seed")
    n = graph.num_vertices
    if samples >= n:
        return np.zeros(0, np.uint32)
    return np.random.default_rng(seed).choice(n, samples, replace=False).astype(np.uint32)


def _sums(
    graph: Graph,
    sources: Any,
    targets: Any,
    samples: int | None,
    seed: int,
    arcs: bool,
    endpoints: bool,
    threads: int,
    device: Device,
    time_limit: float | None,
    progress: Progress,
) -> tuple[Any, ...]:
    """Returns the sums, and the number of sources for which they are scaled."""
    require_graph(graph)
    if sources is not None and samples is not None:
        raise ValueError("sources and samples: one of them")
    none = np.zeros(0, np.uint32)
    begin = _drawn(graph, samples, seed) if samples is not None else none if sources is None else sources_of(graph, sources)
    end = none if targets is None else sources_of(graph, targets)
    threads = count(threads, "threads", most=2**31 - 1)
    with asked(time_limit, progress, "search", begin.size or graph.num_vertices) as limits:
        if (sources is not None and begin.size == 0) or (targets is not None and end.size == 0):
            return np.zeros(graph.num_vertices), np.zeros(graph.num_arcs), graph.num_vertices
        found = _core.betweenness(graph._core, begin, end, arcs, truth(endpoints, "endpoints"), threads, device, *limits)
    vertex, arc, searches, _ = found
    return vertex, arc, graph.num_vertices if sources is not None else searches


def betweenness(
    graph: Graph,
    *,
    sources: Any = None,
    targets: Any = None,
    samples: int | None = None,
    seed: int = 1,
    normalized: bool = True,
    endpoints: bool = False,
    threads: int = 0,
    device: Device = "cpu",
    time_limit: float | None = None,
    progress: Progress = None,
) -> Values:
    """How many shortest paths between other vertices pass through each vertex: one float64 per vertex. top(10) of the result
    returns the ids with the greatest values. Weights are ignored. Scaled as in NetworkX.

    `samples` random sources give an estimate; betweenness_error() returns its error bound. With `sources`, only the paths from
    these ids count; with `targets`, only those to them; nothing is scaled up then. `threads`: on the CPU; 0: all. After
    `time_limit` seconds the call raises Error HW-TIME-LIMIT. `progress`, over searches, as in hopwave.read().
    """
    vertex, _, stand_for_all = _sums(
        graph, sources, targets, samples, seed, False, endpoints, threads, device, time_limit, progress
    )
    scale = _core.betweenness_scale(graph._core, stand_for_all, truth(normalized, "normalized"), endpoints)[0]
    return named(vertex * scale, graph._ids)


def edge_betweenness(
    graph: Graph,
    *,
    sources: Any = None,
    targets: Any = None,
    samples: int | None = None,
    seed: int = 1,
    normalized: bool = True,
    threads: int = 0,
    device: Device = "cpu",
    time_limit: float | None = None,
    progress: Progress = None,
) -> Values:
    """The same for every arc, in the order of csr(). The value of an undirected edge is the sum of its two arcs, also in top(),
    whose ids are pairs."""
    _, arc, stand_for_all = _sums(graph, sources, targets, samples, seed, True, False, threads, device, time_limit, progress)
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
