"""Breadth-first search and graph traversal on GPUs and CPUs."""

from . import _engine as _engine  # first: it chooses the extension that the other modules import
from . import _algorithms
from ._algorithms import *  # noqa: F403
from ._betweenness import betweenness_error
from ._components import condensation
from ._core import listing_steps, strategies, strategy_source
from ._device import DeviceGraph, device_info
from ._error import Error
from ._graph import Graph
from ._html import Picture
from ._paths import AllShortestPaths, ShortestPaths, all_shortest_paths, k_shortest_paths
from ._reach import Reached, ReachedEach
from ._read import read
from ._report import Report
from ._run import RunReport, SearchReport, Step, WeightedReport
from ._search import Result, Searcher, bfs, eccentricity, reach, summaries
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
    "Picture",
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
    "betweenness_error",
    "bfs",
    "condensation",
    "device_info",
    "distance_matrix",
    "eccentricity",
    "k_shortest_paths",
    "listing_steps",
    "reach",
    "read",
    "sssp",
    "strategies",
    "strategy_source",
    "summaries",
]
__all__ += _algorithms.__all__
