"""Maximum matchings of bipartite graphs, and minimum vertex covers."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _core
from ._graph import Graph, require_graph
from ._run import Device, Progress, RunReport, Stop, asked, run_report


@dataclass(frozen=True, repr=False, eq=False)
class Matching:
    """A maximum matching and a minimum vertex cover. Arrays are in the order of the graph's vertices; methods take and give your
    ids."""

    size: int
    """The number of pairs. It is also the number of vertices in the cover."""
    mate: npt.NDArray[np.uint32]
    """One per vertex: the other vertex of its pair; 2**32 - 1 where it has none."""
    right: npt.NDArray[np.bool_]
    """One per vertex: is it on the right side?"""
    in_cover: npt.NDArray[np.bool_]
    """One per vertex: is it in the minimum vertex cover? With the same sides the same on every device."""
    run: RunReport
    _graph: Graph = field(repr=False)

    def pairs(self) -> list[tuple[Any, Any]]:
        """Your ids of the pairs, the left one first."""
        left = np.flatnonzero(~self.right & (self.mate != _NONE))
        return list(zip(self._graph._ids(left), self._graph._ids(self.mate[left])))

    def of(self, id: Any) -> Any:
        """Your id of the mate of the vertex with this id; None where it has none."""
        mate = self.mate[self._graph.vertex(id)]
        return None if mate == _NONE else self._graph._ids(np.array([mate]))[0]

    def cover(self) -> list[Any]:
        """Your ids of the vertices of the minimum vertex cover: each edge has one of them."""
        return self._graph._ids(np.flatnonzero(self.in_cover))

    def __repr__(self) -> str:
        right = int(np.count_nonzero(self.right))
        return f"<hopwave.Matching: {self.size:,} pairs of {self.right.size - right:,} left and {right:,} right vertices>"


_NONE = np.uint32(2**32 - 1)


def maximum_matching(
    graph: Graph,
    left: Any = None,
    *,
    device: Device = "auto",
    threads: int = 0,
    seed: int = 1,
    time_limit: float | None = None,
    progress: Progress = None,
    stop: Stop | None = None,
) -> Matching:
    """As many pairs of vertices as possible, each joined by an edge, with each vertex in one pair at most; and the smallest set of
    vertices that has one of each edge. The graph must be bipartite. Directions and weights do not matter.

    `left`: your ids of one side, a list or an array; all other vertices are on the other one. An edge within a side is Error HW-MATCHING-SIDE. None:
    ids "left:…" and "right:…" decide, as read() gives them to two kinds of vertices; otherwise a two-colouring, with the first
    vertex of each component on the left. An odd cycle is Error HW-MATCHING-CYCLE, which names its vertices.

    "auto" is the CPU. A GPU pays for large graphs: each call copies the graph there. `progress` counts the pairs found, of the
    vertices on the smaller side.
    """
    require_graph(graph)
    side = None
    if left is not None:
        side = np.ones(graph.num_vertices, np.uint8)
        side[graph.vertices(left)] = 0
    with asked(device, threads, seed, time_limit, progress, stop, "pair", auto="cpu") as words:
        size, mate, sides, cover, run = _core.maximum_matching(graph._core, side, words)
    return Matching(size, mate, sides.view(np.bool_), cover.view(np.bool_), run_report(run), graph)
