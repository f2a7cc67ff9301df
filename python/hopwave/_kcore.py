"""Core numbers."""

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
class KCore:
    """Core numbers: how deep in the dense part of the graph each vertex is."""

    core: npt.NDArray[np.uint32]
    """One core number per vertex: the greatest k whose k-core contains it."""
    largest: int
    """The greatest core number: the graph's degeneracy."""
    largest_size: int
    """The number of vertices that have it."""
    _graph: Graph = field(compare=False)

    def of(self, id: Any) -> int:
        """Returns the core number of the vertex with this id."""
        return int(self.core[self._graph.vertex(id)])

    def members(self, k: int | None = None) -> list[Any]:
        """Returns the ids of all vertices in the k-core; without k, in the innermost one."""
        least = self.largest if k is None else count(k, "k", most=2**32 - 1)
        return self._graph._ids(np.flatnonzero(self.core >= least))

    def __repr__(self) -> str:
        return f"<hopwave.KCore: at most {self.largest:,}, of {self.largest_size:,} of {self.core.size:,} vertices>"


def core_numbers(
    graph: Graph,
    *,
    threads: int = 0,
    device: Device = "cpu",
    time_limit: float | None = None,
    progress: Progress = None,
) -> KCore:
    """Core numbers. The k-core is what remains when vertices with fewer than k arcs to other vertices are removed until there
    are none. A vertex's core number is the greatest k whose k-core contains it.

    In a directed graph arcs count at both ends. Self-loops do not count; parallel edges do. Linear time. `threads`: on the CPU;
    0: all. A GPU pays off for large graphs: each call copies the graph to it. After `time_limit` seconds the call raises Error
    HW-TIME-LIMIT. `progress`, over vertices whose core number is known, as in hopwave.read().
    """
    require_graph(graph)
    threads = count(threads, "threads", most=2**31 - 1)
    with asked(time_limit, progress, "vertex", graph.num_vertices) as limits:
        return KCore(*_core.core_numbers(graph._core, threads, device, *limits), graph)
