"""Values of vertices or edges, with their ids."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from ._arrays import count


class Values(np.ndarray[Any, np.dtype[Any]]):
    """An array of one value per vertex (or edge); top() returns its greatest values with their ids.

    Otherwise a NumPy array: results computed from it, and parts of it, are plain arrays.
    """

    _ids: Callable[[npt.NDArray[np.intp]], list[Any]] | None
    _once: Callable[[], tuple[npt.NDArray[np.intp], npt.NDArray[Any]]] | None

    def __array_finalize__(self, _other: Any) -> None:
        self._ids = self._once = None  # a part of the array, or another order

    def __array_wrap__(self, array: Any, _context: Any = None, _return_scalar: bool = False) -> Any:
        plain = np.asarray(array)
        return plain[()] if plain.ndim == 0 else plain

    def __reduce__(self) -> Any:
        return np.asarray(self).__reduce__()  # as a plain array, without the graph

    def top(self, n: int = 10) -> list[tuple[Any, Any]]:
        """Returns the `n` greatest values, the greatest first, as pairs of id and value; of equal ones the first in the array.

        An edge's id is a pair of ids. Returns all if there are at most `n`. A part of the array, or a sorted one, has no ids:
        ValueError.
        """
        if self._ids is None:
            raise ValueError("top: only the array that hopwave returned knows the ids, not a part or another order of it")
        n, values = count(n, "n"), np.asarray(self)
        places = np.arange(values.size)
        if self._once is not None:
            places, values = self._once()
        if 0 < n < values.size:  # a few of many are found without sorting all
            of_them = values >= np.partition(values, values.size - n)[values.size - n]
            places, values = places[of_them], values[of_them]
        best = np.argsort(-values, kind="stable")[:n]
        return list(zip(self._ids(places[best]), values[best].tolist()))

    def __repr__(self) -> str:
        with np.printoptions(threshold=8, edgeitems=2, linewidth=200):
            return super().__repr__()


def named(
    values: npt.NDArray[Any],
    ids: Callable[[npt.NDArray[np.intp]], list[Any]],
    once: Callable[[], tuple[npt.NDArray[np.intp], npt.NDArray[Any]]] | None = None,
) -> Values:
    """Returns `values`, not copied. `ids` returns the ids at some positions of the array; `once` the positions to choose among
    and their values, where that is not the array itself."""
    made = values.view(Values)
    made._ids, made._once = ids, once
    return made
