"""The graph of the strongly connected components, and topological generations."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from . import _core
from ._algorithms import Components
from ._graph import Graph, require_graph
from ._run import Device, Progress, Stop, asked


def condensation(
    graph: Graph,
    components: Components | None = None,
    *,
    device: Device = "auto",
    threads: int = 0,
    seed: int = 1,
    time_limit: float | None = None,
    progress: Progress = None,
    stop: Stop | None = None,
) -> Graph:
    """The graph of the strongly connected components: each vertex is a component with the id of its label. It has an arc where
    any arc leads from one component to another.

    The graph is directed, without cycles and without weights. Vertices are in ascending order of labels. The call searches
    for components that are not given. It runs on the CPU, whatever `device` is.
    """
    require_graph(graph)
    if components is not None and not isinstance(components, Components):
        raise TypeError(f"components: the result of strong_components() is needed, not {type(components).__name__}")
    with asked(device, threads, seed, time_limit, progress, stop) as words:
        core = _core.condensation(graph._core, None if components is None else components.label, words)
    if graph._nodes is None:
        return Graph(core)
    nodes = [graph._nodes[v] for v in core.ids()]  # the vertices of the graph, which has no ids of its own
    return Graph(core, nodes, {node: v for v, node in enumerate(nodes)})


def topological_generations(
    graph: Graph,
    *,
    device: Device = "auto",
    threads: int = 0,
    seed: int = 1,
    time_limit: float | None = None,
    progress: Progress = None,
    stop: Stop | None = None,
) -> npt.NDArray[np.uint32]:
    """The number of arcs on the longest path that ends in each vertex, one value per vertex. A cycle, a self-loop or an
    undirected edge raises Error HW-GRAPH-CYCLE. It runs on one thread of the CPU, whatever `device` and `threads` are."""
    require_graph(graph)
    with asked(device, threads, seed, time_limit, progress, stop) as words:
        return _core.topological_generations(graph._core, words)


def is_acyclic(
    graph: Graph,
    *,
    device: Device = "auto",
    threads: int = 0,
    seed: int = 1,
    time_limit: float | None = None,
    progress: Progress = None,
    stop: Stop | None = None,
) -> bool:
    """Returns True if the graph is directed and has neither a cycle nor a self-loop; for an undirected graph, if it has no
    edges. It runs as topological_generations() does."""
    require_graph(graph)
    with asked(device, threads, seed, time_limit, progress, stop) as words:
        return _core.is_acyclic(graph._core, words)
