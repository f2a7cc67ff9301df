"""Weakly and strongly connected components, condensation, and topological generations."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from . import _core
from ._graph import Graph
from ._search import Device


@dataclass(frozen=True)
class Components:
    """Connected components."""

    label: npt.NDArray[np.uint32]
    """The least vertex of its component, one a vertex."""
    count: int
    largest_label: int
    largest_size: int


def components(graph: Graph, *, device: Device = "cpu") -> Components:
    """Weakly connected components: directions are ignored. A GPU pays for large graphs: each call copies the graph there."""
    return Components(*_core.components(graph._core, device))


def strong_components(graph: Graph, *, threads: int = 0, device: Device = "cpu") -> Components:
    """Strongly connected components: two vertices are in one if each has a path to the other.

    `threads`: on the CPU; 0: all. A GPU pays for large graphs: each call copies the graph there.
    """
    return Components(*_core.strong_components(graph._core, threads, device))


def condensation(graph: Graph, components: Components | None = None) -> Graph:
    """The strongly connected components as vertices, each with the id of its label; an arc where one leads from one to another.

    A directed graph without cycles and without weights. Vertices stand in ascending order of labels.
    """
    label = (components or strong_components(graph)).label
    core = _core.condensation(graph._core, label)
    if graph._nodes is None:
        return Graph(core)
    nodes = [graph._nodes[v] for v in np.unique(label)]
    return Graph(core, nodes, {node: v for v, node in enumerate(nodes)})


def topological_generations(graph: Graph) -> npt.NDArray[np.uint32]:
    """The arcs on the longest path that ends in each vertex. A cycle, a self-loop or an undirected edge is Error HW-GRAPH-CYCLE."""
    return _core.topological_generations(graph._core)


def is_acyclic(graph: Graph) -> bool:
    """Directed, and without a cycle or a self-loop; an undirected graph is one if it has no edges."""
    return _core.is_acyclic(graph._core)
