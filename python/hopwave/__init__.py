"""Breadth-first search and graph traversal on GPUs and CPUs."""

from . import _engine as _engine  # first: it chooses the extension that the other modules import
from . import _algorithms
from ._algorithms import *  # noqa: F403
from ._betweenness import betweenness, betweenness_error, edge_betweenness
from ._components import condensation, is_acyclic, topological_generations
from ._core import strategies
from ._device import DeviceGraph, device_info
from ._eccentricity import diameter, radius
from ._error import Error
from ._graph import Graph
from ._matching import Matching, maximum_matching
from ._paths import AllShortestPaths, ShortestPaths, all_shortest_paths, k_shortest_paths
from ._reach import Reached, ReachedEach
from ._read import read
from ._report import Report
from ._run import RunReport, SearchReport, Step, WeightedReport
from ._search import Result, Searcher, bfs, closeness, eccentricity, harmonic, reach, summaries
from ._values import Values
from ._version import __version__
from ._weighted import DistanceMatrix, WeightedResult, distance_matrix, sssp

__all__ = [
    "__version__",
    "AllShortestPaths",
    "DeviceGraph",
    "DistanceMatrix",
    "Error",
    "Graph",
    "Matching",
    "Reached",
    "ReachedEach",
    "Report",
    "Result",
    "RunReport",
    "SearchReport",
    "Searcher",
    "ShortestPaths",
    "Step",
    "Values",
    "WeightedReport",
    "WeightedResult",
    "all_shortest_paths",
    "betweenness",
    "betweenness_error",
    "bfs",
    "closeness",
    "condensation",
    "device_info",
    "diameter",
    "distance_matrix",
    "eccentricity",
    "edge_betweenness",
    "harmonic",
    "is_acyclic",
    "k_shortest_paths",
    "maximum_matching",
    "radius",
    "reach",
    "read",
    "sssp",
    "strategies",
    "summaries",
    "topological_generations",
]
__all__ += _algorithms.__all__
