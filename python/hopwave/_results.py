"""What the functions of _algorithms.py return: the methods of their classes. The classes with their fields are made of the
library's table; one that is not here has those of FoundIn."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ._arrays import count
from ._export import tails_of
from ._run import RunReport
from ._values import Values

if TYPE_CHECKING:
    from ._graph import Graph


_NONE = np.uint32(2**32 - 1)


class Found:
    """What one call of an algorithm found."""

    run: RunReport

    def _ended(self) -> str:
        return "" if self.run.complete else f", ended by {self.run.end}"

    def __repr__(self) -> str:
        values = {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}  # type: ignore[arg-type]
        figures = ", ".join(f"{name} {value:,}" for name, value in values.items() if isinstance(value, (int, float)))
        return f"<hopwave.{type(self).__name__}: {figures or 'one value per vertex'}{self._ended()}>"


class FoundIn(Found):
    """The same, with the graph."""

    _graph: Graph

    def of(self, id: Any) -> Any:
        """Returns the value of the vertex with this id: that of the first array."""
        values = (getattr(self, field.name) for field in dataclasses.fields(self))  # type: ignore[arg-type]
        return next(value for value in values if isinstance(value, np.ndarray))[self._graph.vertex(id)].item()


class Components(FoundIn):
    label: npt.NDArray[np.uint32]
    count: int
    largest_label: int
    largest_size: int

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


class KCore(FoundIn):
    core: npt.NDArray[np.uint32]
    largest: int
    largest_size: int

    def of(self, id: Any) -> int:
        """Returns the core number of the vertex with this id."""
        return int(self.core[self._graph.vertex(id)])

    def members(self, k: int | None = None) -> list[Any]:
        """Returns the ids of all vertices in the k-core; without k, in the innermost one."""
        least = self.largest if k is None else count(k, "k", most=2**32 - 1)
        return self._graph._ids(np.flatnonzero(self.core >= least))

    def __repr__(self) -> str:
        return f"<hopwave.KCore: at most {self.largest:,}, of {self.largest_size:,} of {self.core.size:,} vertices>"


class Flow(FoundIn):
    value: int
    arc: npt.NDArray[np.int64]
    source_side: npt.NDArray[np.bool_]

    def of(self, u: Any, v: Any) -> int:  # type: ignore[override]
        """What goes from the vertex that you call `u` directly to the one that you call `v`; 0 where no arc leads."""
        offsets, heads = self._graph.csr()
        tail, head = self._graph.vertex(u), self._graph.vertex(v)
        begin, end = int(offsets[tail]), int(offsets[tail + 1])
        first, last = np.searchsorted(heads[begin:end], [head, head + 1])
        return int(self.arc[begin + first : begin + last].sum())

    def cut(self) -> list[tuple[Any, Any, int]]:
        """The arcs of the minimum cut: your ids of its two ends, and its capacity. Arcs without capacity are left out."""
        graph = self._graph
        tails, heads, weights = tails_of(graph), graph.csr()[1], graph.weights
        across = self.source_side[tails] & ~self.source_side[heads]
        if weights is not None:
            across &= weights > 0
        places = np.flatnonzero(across)
        capacities = [1] * places.size if weights is None else [int(c) for c in weights[places].tolist()]
        return list(zip(graph._ids(tails[places]), graph._ids(heads[places]), capacities))

    def __repr__(self) -> str:
        side = int(np.count_nonzero(self.source_side))
        return f"<hopwave.Flow: {self.value:,}, {side:,} of {self.source_side.size:,} vertices on the source's side of the cut>"


class Matching(FoundIn):
    size: int
    mate: npt.NDArray[np.uint32]
    right: npt.NDArray[np.bool_]
    in_cover: npt.NDArray[np.bool_]

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


class Eccentricities(Found):
    lower: npt.NDArray[np.int32] | npt.NDArray[np.float64]
    diameter: tuple[int, int] | tuple[float, float]
    radius: tuple[int, int] | tuple[float, float]
    searches: int

    def __repr__(self) -> str:
        def figure(name: str, bounds: tuple[float, float]) -> str:
            return f"{name} {bounds[0]}" + ("" if bounds[0] == bounds[1] else f" to {bounds[1]}")

        return (
            f"<hopwave.Eccentricities of {self.lower.size:,} vertices: {figure('diameter', self.diameter)}, "
            f"{figure('radius', self.radius)}, {self.searches:,} searches{self._ended()}>"
        )


class SampledCloseness(Found):
    closeness: Values
    average_distance: float
    average_distance_error: float
    pivots: int

    def __repr__(self) -> str:
        return (
            f"<hopwave.SampledCloseness of {self.closeness.size:,} vertices from {self.pivots:,} searches: average distance "
            f"{self.average_distance:.4g} ± {self.average_distance_error:.2g}{self._ended()}>"
        )
