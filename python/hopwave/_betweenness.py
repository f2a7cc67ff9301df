"""The error of sampled betweenness."""

from __future__ import annotations

from . import _core
from ._arrays import count
from ._graph import Graph, require_graph


def betweenness_error(graph: Graph, samples: int, *, risk: float = 0.05) -> float:
    """Returns the error bound of an estimate: with a probability of 1 - risk no vertex's normalized value from so many samples
    is farther from the exact one."""
    require_graph(graph)
    return _core.betweenness_error(graph.num_vertices, count(samples, "samples"), float(risk))
