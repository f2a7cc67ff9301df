"""Breadth-first search and graph traversal on GPUs and CPUs."""

from ._core import device_info, strategies
from ._error import Error
from ._graph import Graph, read
from ._search import Components, Result, Searcher, bfs, closeness, components, eccentricity, harmonic, summaries
from ._weighted import WeightedResult, sssp

__all__ = [
    "Components",
    "Error",
    "Graph",
    "Result",
    "Searcher",
    "WeightedResult",
    "bfs",
    "closeness",
    "components",
    "device_info",
    "eccentricity",
    "harmonic",
    "read",
    "sssp",
    "strategies",
    "summaries",
]
