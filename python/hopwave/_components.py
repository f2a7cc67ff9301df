"""The graph of the strongly connected components."""

from __future__ import annotations

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
