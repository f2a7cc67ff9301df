"""Betweenness of vertices and arcs."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from . import _core
from ._arrays import whole
from ._graph import Graph
from ._search import Device, sources_of


def _vertices(graph: Graph, ids: Any) -> npt.NDArray[np.uint32]:
    return np.zeros(0, np.uint32) if ids is None else sources_of(graph, ids)


def _drawn(graph: Graph, samples: int, seed: int) -> npt.NDArray[np.uint32]:
    """None twice, each with the same chance."""
    if (samples := whole(samples, "samples")) < 1:
        raise ValueError(f"samples: {samples} is less than 1")
    n = graph.num_vertices
    if samples >= n:
        return np.zeros(0, np.uint32)
    return np.random.default_rng(seed).choice(n, samples, replace=False).astype(np.uint32)


def _sums(
    graph: Graph, sources: Any, targets: Any, samples: int | None, seed: int, arcs: bool, endpoints: bool, threads: int, device: Device
) -> tuple[Any, ...]:
    """The sums, and how many sources stand for all."""
    if sources is not None and samples is not None:
        raise ValueError("sources and samples: one of them")
    begin = _vertices(graph, sources) if samples is None else _drawn(graph, samples, seed)
    end = _vertices(graph, targets)
    if (sources is not None and begin.size == 0) or (targets is not None and end.size == 0):
        return np.zeros(graph.num_vertices), np.zeros(graph.num_arcs), graph.num_vertices
    vertex, arc, searches, _ = _core.betweenness(graph._core, begin, end, arcs, endpoints, threads, device)
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
) -> npt.NDArray[np.float64]:
    """How many of the shortest paths between other vertices lead over each vertex, one value a vertex; weights play no part.

    `samples` sources, drawn at random, give an estimate; betweenness_error() says how good it is. With `sources` only the
    paths from these ids count, with `targets` those to them, and nothing is scaled up.
    """
    vertex, _, stand_for_all = _sums(graph, sources, targets, samples, seed, False, endpoints, threads, device)
    scaled: npt.NDArray[np.float64] = vertex * _core.betweenness_scale(graph._core, stand_for_all, normalized, endpoints)[0]
    return scaled


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
) -> npt.NDArray[np.float64]:
    """The same of every arc, in the order of csr(). An undirected edge has the sum of its two arcs."""
    _, arc, stand_for_all = _sums(graph, sources, targets, samples, seed, True, False, threads, device)
    scaled: npt.NDArray[np.float64] = arc * _core.betweenness_scale(graph._core, stand_for_all, normalized, False)[1]
    return scaled


def betweenness_error(graph: Graph, samples: int, *, risk: float = 0.05) -> float:
    """With a probability of 1 - risk no vertex's normalized value from so many samples is farther from the exact one."""
    return _core.betweenness_error(graph.num_vertices, samples, risk)
