"""Checks of callers' arguments, before the extension gets them."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.integer[Any]]
# Types that the extension reads in place.
_READ_IN_PLACE = (np.dtype(np.int64), np.dtype(np.int32), np.dtype(np.uint64), np.dtype(np.uint32))


def on_host(values: Any) -> Any:
    """Returns `values`, or a host copy if they are in a GPU's memory; their own library makes the copy."""
    if not hasattr(values, "__cuda_array_interface__"):
        return values
    for name in ("cpu", "get", "copy_to_host"):  # PyTorch, CuPy, Numba
        if hasattr(values, name):
            return getattr(values, name)()
    raise TypeError(f"{type(values).__name__} is in a GPU's memory: copy it to the host first")


def is_array(values: object) -> bool:
    return any(hasattr(values, name) for name in ("__array__", "__array_interface__", "__dlpack__")) or _has_buffer(values)


def _has_buffer(values: Any) -> bool:
    try:
        memoryview(values)
    except TypeError:
        return False
    return True


def whole(value: Any, what: str) -> int:
    """Returns `value` as an int. NumPy's integers are accepted, 2.0 and True are not."""
    if isinstance(value, (bool, np.bool_)) or not hasattr(value, "__index__"):
        raise TypeError(f"{what}: a whole number is needed, not {type(value).__name__}")
    return operator.index(value)


def count(value: Any, what: str, least: int = 0, most: int = 2**64 - 1) -> int:
    """Returns a whole number within limits, or raises a ValueError."""
    if not least <= (value := whole(value, what)) <= most:
        raise ValueError(f"{what}: {value} is less than {least}" if value < least else f"{what}: {value} is more than {most}")
    number: int = value
    return number


def truth(value: Any, what: str) -> bool:
    if not isinstance(value, (bool, np.bool_)):
        raise TypeError(f"{what}: True or False is needed, not {type(value).__name__}")
    return bool(value)


def truth_or_none(value: Any, what: str) -> bool | None:
    return None if value is None else truth(value, what)


def word(value: Any, what: str) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{what}: a str is needed, not {type(value).__name__}")
    return value


def one_dimension(values: object, what: str) -> npt.NDArray[Any]:
    """Returns `values` as a one-dimensional array. Objects that NumPy cannot read are a TypeError, other shapes a
    ValueError."""
    values = on_host(values)
    if np.ma.is_masked(values):
        raise TypeError(f"{what}: some values are masked, and each is needed")
    if isinstance(values, Iterable) and not isinstance(values, (Sequence, str)) and not is_array(values):
        # NumPy would take the object itself as one value. The order of a set is unknown to the caller.
        raise TypeError(f"{what}: an array or a list is needed, not {type(values).__name__}")
    array = np.asarray(values)
    if array.dtype.kind == "U" and not hasattr(values, "dtype"):
        array = np.asarray(values, object)  # as given: NumPy would turn NaN and numbers among names into texts
    if array.ndim != 1:
        raise ValueError(f"{what}: an array of one dimension is needed, this one has {array.ndim}")
    return _settled(array) if array.dtype.kind == "O" else array


def _settled(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """A column of Python objects that are all integers, as pandas sometimes has, as 64-bit integers."""
    values = array.tolist()
    if not values or any(isinstance(value, bool) or not isinstance(value, (int, np.integer)) for value in values):
        return array
    for type_ in (np.int64, np.uint64):
        if all(np.iinfo(type_).min <= value <= np.iinfo(type_).max for value in values):
            return np.array(values, type_)
    return array


def is_several(values: Any) -> bool:
    """Returns whether sources of this type mean several ids. A tuple may be one id: see sources_of()."""
    if isinstance(values, (str, bytes, Mapping)) or getattr(values, "ndim", 1) == 0:
        return False
    return isinstance(values, Iterable) or is_array(values)


def listed(values: Any, what: str) -> list[Any]:
    """Returns the ids of a caller's list, series, array or set, one by one, as Python objects."""
    return one_dimension(values, what).tolist() if is_array(values) else list(values)


def integers(values: object, what: str) -> Ints:
    """Returns `values` as whole numbers in one block of memory. Floats and booleans are a TypeError, with or without NaN."""
    array = one_dimension(values, what)
    if array.size == 0 and array.dtype.kind == "f":  # NumPy's type of an empty list
        array = array.astype(np.int64)
    if array.dtype.kind == "f" and np.isnan(array).any():
        raise TypeError(f"{what}: integers are needed, not {array.dtype} with NaN, which missing values become")
    if array.dtype.kind not in "iu":
        raise TypeError(f"{what}: integers are needed, not {array.dtype}")
    return np.ascontiguousarray(array)


def same_type(first: Ints, second: Ints) -> tuple[Any, Any]:
    """Returns both arrays in one type that the extension reads."""
    if first.dtype == second.dtype and first.dtype in _READ_IN_PLACE:
        return first, second
    for array in (first, second):
        # Only uint64 has numbers that int64 does not have.
        if array.dtype == np.uint64 and array.size and int(array.max()) >= 2**63:
            raise ValueError("an id of 2**63 or more does not fit")
    return first.astype(np.int64), second.astype(np.int64)


def is_text(array: npt.NDArray[Any]) -> bool:
    return array.dtype.kind in "UOT"


def names(array: npt.NDArray[Any], what: str) -> list[str]:
    """Returns the texts in `array`; other values (None, NaN, numbers) are a TypeError."""
    texts: list[str] = array.tolist()
    for text in texts:
        if isinstance(text, int) and not -(2**63) <= text < 2**63:
            raise ValueError(f"{what}: the id {text} does not fit 64 bits")
        if not isinstance(text, str):
            raise TypeError(f"{what}: names are str, not {type(text).__name__}")
    return texts


def depth(value: int | None) -> int:
    """Returns a depth limit in the library's form: None is no limit."""
    if value is None:
        return -1
    value = whole(value, "max_depth")
    if value < 0:
        raise ValueError(f"max_depth: {value} is negative; None is no limit")
    return min(value, 2**31 - 1)


def some_weights(values: object, count: int) -> npt.NDArray[Any] | None:
    """Returns `values` as weights, one for each of `count` edges, all unchanged: int32, int64, float32 or float64.

    The library rejects weights that no path can have, and stores the smallest of these types that is exact.
    """
    if values is None:
        return None
    array = one_dimension(values, "weights")
    if array.dtype.kind == "O":  # integers among fractions; anything else is not changed, and is rejected
        values = array.tolist()
        array = np.asarray(values)
    if isinstance(values, (list, tuple)) and array.dtype == np.float64:
        for given, kept in zip(values, array.tolist(), strict=True):
            if isinstance(given, int) and given != kept:
                raise ValueError(f"weights: {given} is among fractions, and no 64-bit float equals it")
    if array.size == 0:
        array = array.astype(np.float64)
    if array.dtype.kind not in "iuf":
        raise TypeError(f"weights: numbers are needed, not {array.dtype}")
    if array.size != count:
        raise ValueError(f"{array.size} weights and {count} edges: one of each is needed")
    if array.dtype.kind == "f":
        kept = np.ascontiguousarray(array, np.float32 if array.dtype.itemsize <= 4 else np.float64)
        if array.dtype.itemsize > 8 and not np.array_equal(kept.astype(array.dtype), array, equal_nan=True):
            raise ValueError(f"weights: a number of {array.dtype} is not a 64-bit float")
        return kept
    if array.dtype == np.uint64 and array.size and array.max() > np.uint64(2**63 - 1):
        raise ValueError("weights: a number is too large for 64 bits with a sign")
    small = array.dtype.itemsize < 4 or array.dtype == np.int32
    return np.ascontiguousarray(array, np.int32 if small else np.int64)
