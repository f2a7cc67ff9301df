"""hopwave's functions by name."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from . import FUNCTIONS, betweenness, bipartite, components, cycles, distances, flow, paths, reach, traversal, weighted

_MODULES = (traversal, paths, weighted, components, bipartite, cycles, distances, reach, betweenness, flow)
OURS: dict[str, Callable[..., Any]] = {
    name: next(getattr(module, name) for module in _MODULES if hasattr(module, name)) for name in FUNCTIONS
}


def parameters(name: str) -> tuple[str, ...]:
    """Returns the names of a function's arguments, which are those of NetworkX."""
    code = inspect.unwrap(OURS[name]).__code__
    return tuple(code.co_varnames[: code.co_argcount])
