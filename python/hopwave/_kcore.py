"""Core numbers."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _core
from ._arrays import count
from ._graph import Graph, require_graph
from ._run import Device, Progress, RunReport, Stop, asked, run_report


@dataclass(frozen=True, repr=False)
class KCore:
    """Core numbers: how deep in the dense part of the graph each vertex is."""

    core: npt.NDArray[np.uint32]
    """One core number per vertex: the greatest k whose k-core contains it."""
    largest: int
    """The greatest core number: the graph's degeneracy."""
    largest_size: int
    """The number of vertices that have it."""
    run: RunReport = field(compare=False)
    _graph: Graph = field(compare=False, repr=False)

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
    device: Device = "auto",
    threads: int = 0,
    seed: int = 1,
    time_limit: float | None = None,
    progress: Progress = None,
    stop: Stop | None = None,
) -> KCore:
    """Core numbers. The k-core is what remains when vertices with fewer than k arcs to other vertices are removed until there
    are none. A vertex's core number is the greatest k whose k-core contains it.

    In a directed graph arcs count at both ends. Self-loops do not count; parallel edges do. Linear time. "auto" is the
    CPU. A GPU pays off for large graphs: each call copies the graph to it. `progress` counts vertices whose core number is
    known.
    """
    require_graph(graph)
    with asked(device, threads, seed, time_limit, progress, stop, "vertex", graph.num_vertices, auto="cpu") as words:
        core, largest, size, run = _core.core_numbers(graph._core, words)
    return KCore(core, largest, size, run_report(run), graph)
