"""Searches that return only the reached vertices: Searcher.reach(), Searcher.reach_each()."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from . import _core
from ._arrays import whole
from ._run import SearchReport, search_report

if TYPE_CHECKING:
    from ._device import DeviceGraph
    from ._graph import Graph


class Reached:
    """The vertices that one search reached, one row per vertex, in order of distance; equally far ones in order of vertex."""

    __slots__ = ("_graph", "_run", "distance", "parent", "vertices")

    vertices: npt.NDArray[np.uint32]
    """Internal numbers; `ids` has the ids in the same order."""
    distance: npt.NDArray[np.int32]
    """Hops from the nearest source."""
    parent: npt.NDArray[np.int64] | None
    """The predecessor, the smallest possible one; -1: a source. None unless asked for."""

    def __init__(
        self,
        graph: Graph | DeviceGraph,
        vertices: npt.NDArray[np.uint32],
        distance: npt.NDArray[np.int32],
        parent: npt.NDArray[np.uint32] | None,
        run: _core.SearchReport | SearchReport,
    ) -> None:
        self._graph = graph
        self._run = run
        self.vertices, self.distance = vertices, distance
        self.parent = None if parent is None else np.where(parent == np.uint32(2**32 - 1), np.int64(-1), parent)

    @property
    def run(self) -> SearchReport:
        """How the search ran. For a part of a ReachedEach: how all of its searches ran."""
        if not isinstance(self._run, SearchReport):
            self._run = search_report(self._run)
        return self._run

    def __getstate__(self) -> tuple[None, dict[str, Any]]:
        _ = self.run  # as an object of this package, which can be copied
        return None, {name: getattr(self, name) for name in self.__slots__}

    @property
    def ids(self) -> list[Any]:
        """The ids, one per row."""
        return [self._graph.id(int(v)) for v in self.vertices]

    def __len__(self) -> int:
        return int(self.vertices.size)

    def __iter__(self) -> Iterator[tuple[Any, int]]:
        """Yields pairs of an id and its distance, as dict() takes them."""
        return zip(self.ids, self.distance.tolist())

    def __repr__(self) -> str:
        depth = int(self.distance[-1]) if len(self) else 0
        return f"<hopwave.Reached: {len(self):,} of {self._graph.num_vertices:,} vertices, depth {depth}>"


class ReachedEach:
    """The vertices that searches from many sources reached, one after the other: [i] is the answer of the i-th source."""

    __slots__ = ("_graph", "begins", "distance", "parent", "run", "vertices")

    begins: npt.NDArray[np.uint64]
    """Rows of source i are [begins[i], begins[i + 1]) of the arrays."""
    run: SearchReport
    """How the searches ran; `work_ms` is the wall clock of all."""

    def __init__(self, graph: Graph | DeviceGraph, begins: npt.NDArray[np.uint64], rows: tuple[Any, ...]) -> None:
        self._graph = graph
        self.begins = begins
        self.vertices, self.distance, self.parent, run = rows
        self.run = search_report(run)

    def __len__(self) -> int:
        return int(self.begins.size) - 1

    def __getitem__(self, i: int) -> Reached:
        if not -len(self) <= (i := whole(i, "which source")) < len(self):
            raise IndexError(f"source {i} of {len(self)}")
        i %= len(self)
        rows = slice(int(self.begins[i]), int(self.begins[i + 1]))
        parent = None if self.parent is None else self.parent[rows]
        return Reached(self._graph, self.vertices[rows], self.distance[rows], parent, self.run)

    def __repr__(self) -> str:
        return f"<hopwave.ReachedEach: {len(self):,} searches, {self.vertices.size:,} vertices reached>"
