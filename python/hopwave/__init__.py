"""Breadth-first search and graph traversal on GPUs and CPUs."""

from . import _engine as _engine  # first: it chooses the extension that the other modules import
from ._betweenness import betweenness, betweenness_error, edge_betweenness
from ._components import (
    Components,
    components,
    condensation,
    is_acyclic,
    strong_components,
    topological_generations,
)
from ._core import strategies
from ._device import DeviceGraph, device_info
from ._eccentricity import Eccentricities, diameter, eccentricities, radius
from ._error import Error
from ._flow import Flow, max_flow
from ._graph import Graph
from ._kcore import KCore, core_numbers
from ._matching import Matching, maximum_matching
from ._reach import Reached, ReachedEach
from ._read import read
from ._report import Report
from ._run import RunReport, SearchReport, Step, WeightedReport
from ._sampled import SampledCloseness, sampled_closeness
from ._search import Result, Searcher, bfs, closeness, eccentricity, harmonic, reach, summaries
from ._values import Values
from ._version import __version__
from ._weighted import WeightedResult, sssp

__all__ = [
    "__version__",
    "Components",
    "DeviceGraph",
    "Eccentricities",
    "Error",
    "Flow",
    "Graph",
    "KCore",
    "Matching",
    "Reached",
    "ReachedEach",
    "Report",
    "Result",
    "RunReport",
    "SampledCloseness",
    "SearchReport",
    "Searcher",
    "Step",
    "Values",
    "WeightedReport",
    "WeightedResult",
    "betweenness",
    "betweenness_error",
    "bfs",
    "closeness",
    "components",
    "condensation",
    "core_numbers",
    "device_info",
    "diameter",
    "eccentricities",
    "eccentricity",
    "edge_betweenness",
    "harmonic",
    "is_acyclic",
    "max_flow",
    "maximum_matching",
    "radius",
    "reach",
    "read",
    "sampled_closeness",
    "sssp",
    "strategies",
    "strong_components",
    "summaries",
    "topological_generations",
]
