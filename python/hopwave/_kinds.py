"""Checks that an argument is a graph, and names the call that makes a graph of another object."""

from __future__ import annotations

import os
from typing import Any


def _maker(value: Any) -> str:
    """Returns the call that makes a graph of `value`; empty if there is none."""
    library = type(value).__module__.partition(".")[0]
    if isinstance(value, (str, bytes, os.PathLike)):
        return "hopwave.read(path)"
    if hasattr(value, "_adj"):
        return "hopwave.Graph.from_networkx(graph)"
    if hasattr(value, "tocsr"):
        return "hopwave.Graph.from_scipy(matrix)"
    if library in ("igraph", "graph_tool", "rustworkx"):
        return f"hopwave.Graph.from_{library}(graph)"
    if hasattr(value, "edge_index"):
        return "hopwave.Graph.from_dlpack(data.edge_index)"
    if hasattr(value, "columns"):
        return "hopwave.Graph.from_table(table, source, target)"
    shape: tuple[int, ...] = getattr(value, "shape", ())
    if len(shape) == 2 and shape[0] == 2:
        return "hopwave.Graph.from_dlpack(edges)"
    if isinstance(value, (list, tuple)) or shape:
        return "hopwave.Graph.from_edges(sources, targets)"
    return ""


def kind(value: Any) -> str:
    """Returns the type of `value` for an error message."""
    if value is None:
        return "None"
    if isinstance(value, type):
        return f"the class {value.__qualname__}"
    module = type(value).__module__
    return ("" if module == "builtins" else module + ".") + type(value).__qualname__


def _instead(value: Any) -> str:
    if hasattr(value, "graph") and type(value).__module__.startswith("hopwave"):
        return ": its .graph is one"
    maker = "" if isinstance(value, type) else _maker(value)
    return f": {maker} makes a graph of it" if maker else ""


def refuse(what: str, needed: str, value: Any) -> TypeError:
    """Returns the error for a `value` that is not a `needed`."""
    return TypeError(f"{what}: {needed} is needed, not {kind(value)}{_instead(value)}")


def path_name(path: Any) -> str:
    if not isinstance(path, (str, bytes, os.PathLike)):
        raise refuse("path", "a file's name or a generator's spec", path)
    name = os.fsdecode(path)
    if "\0" in name:
        raise ValueError("path: it contains a zero byte")
    return name
