"""Weakly and strongly connected components, condensation, and topological generations."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _core
from ._arrays import count
from ._graph import Graph, require_graph
from ._progress import Progress, asked
from ._search import Device


@dataclass(frozen=True, repr=False)
class Components:
    """Connected components."""

    label: npt.NDArray[np.uint32]
    """One label per vertex: the component's smallest vertex."""
    count: int
    largest_label: int
    """The label of the largest component; of equally large ones the smallest label."""
    largest_size: int
    _graph: Graph = field(compare=False)

    def of(self, id: Any) -> list[Any]:
        """The ids of all vertices in the component of the vertex with this id."""
        return self._members(int(self.label[self._graph.vertex(id)]))

    @property
    def largest(self) -> list[Any]:
        """The ids of all vertices in the largest component."""
        return self._members(self.largest_label) if self.count else []

    def _members(self, label: int) -> list[Any]:
        return self._graph._ids(np.flatnonzero(self.label == label))

    def __repr__(self) -> str:
        return f"<hopwave.Components: {self.count:,} of {self.label.size:,} vertices, the largest of {self.largest_size:,}>"


def components(
    graph: Graph,
    *,
    threads: int = 0,
    device: Device = "cpu",
    time_limit: float | None = None,
    progress: Progress = None,
) -> Components:
    """Weakly connected components: arc directions are ignored. Linear time.

    `threads`: on the CPU; 0: all. A GPU pays off for large graphs: each call copies the graph to it. After `time_limit` seconds
    the call raises Error HW-TIME-LIMIT. `progress`, over vertices and arcs, as in hopwave.read().
    """
    require_graph(graph)
    threads = count(threads, "threads", most=2**31 - 1)
    with asked(time_limit, progress, "step") as limits:
        return Components(*_core.components(graph._core, threads, device, *limits), graph)


def strong_components(
    graph: Graph,
    *,
    threads: int = 0,
    device: Device = "cpu",
    time_limit: float | None = None,
    progress: Progress = None,
) -> Components:
    """Strongly connected components: two vertices are in one component if each has a path to the other.

    The keywords are those of components(); `progress` counts vertices whose component is known.
    """
    require_graph(graph)
    threads = count(threads, "threads", most=2**31 - 1)
    with asked(time_limit, progress, "vertex", graph.num_vertices) as limits:
        return Components(*_core.strong_components(graph._core, threads, device, *limits), graph)


def condensation(
    graph: Graph, components: Components | None = None, *, time_limit: float | None = None, progress: Progress = None
) -> Graph:
    """The graph of the strongly connected components: each vertex is a component with the id of its label. It has an arc where
    any arc leads from one component to another.

    The graph is directed, without cycles and without weights. Vertices are in ascending order of labels. `time_limit` and
    `progress` as in components(); they include the search for components if these are not given.
    """
    require_graph(graph)
    if components is not None and not isinstance(components, Components):
        raise TypeError(f"components: the result of strong_components() is needed, not {type(components).__name__}")
    with asked(time_limit, progress, "step") as limits:
        core = _core.condensation(graph._core, None if components is None else components.label, *limits)
    if graph._nodes is None:
        return Graph(core)
    nodes = [graph._nodes[v] for v in core.ids()]  # the vertices of the graph, which has no ids of its own
    return Graph(core, nodes, {node: v for v, node in enumerate(nodes)})


def topological_generations(
    graph: Graph, *, time_limit: float | None = None, progress: Progress = None
) -> npt.NDArray[np.uint32]:
    """The number of arcs on the longest path that ends in each vertex, one value per vertex. A cycle, a self-loop or an
    undirected edge raises Error HW-GRAPH-CYCLE. `time_limit` and `progress` as in components()."""
    require_graph(graph)
    with asked(time_limit, progress, "step") as limits:
        return _core.topological_generations(graph._core, *limits)


def is_acyclic(graph: Graph, *, time_limit: float | None = None, progress: Progress = None) -> bool:
    """Returns True if the graph is directed and has neither a cycle nor a self-loop; for an undirected graph, if it has no
    edges. `time_limit` and `progress` as in components()."""
    require_graph(graph)
    with asked(time_limit, progress, "step") as limits:
        return _core.is_acyclic(graph._core, *limits)
