"""hopwave's functions by name."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Hashable
from typing import Any

import hopwave as hw

from . import FUNCTIONS, betweenness, bipartite, components, connectivity, cycles, distances, flow, paths, reach, traversal, weighted
from .converted import Converted
from .table import PER_NODE

_MODULES = (traversal, paths, weighted, components, bipartite, cycles, distances, reach, betweenness, flow, connectivity)


def _per_node(function: str, array: str) -> Callable[[Converted], dict[Hashable, Any]]:
    def values(G: Converted) -> dict[Hashable, Any]:
        return dict(zip(G.nodes, getattr(getattr(hw, function)(G.graph), array).tolist()))

    return values


OURS: dict[str, Callable[..., Any]] = {name: _per_node(*made) for name, made in PER_NODE.items()} | {
    name: next(getattr(module, name) for module in _MODULES if hasattr(module, name)) for name in FUNCTIONS if name not in PER_NODE
}


def parameters(name: str) -> tuple[str, ...]:
    """Returns the names of a function's arguments, which are those of NetworkX."""
    code = inspect.unwrap(OURS[name]).__code__
    return tuple(code.co_varnames[: code.co_argcount])
