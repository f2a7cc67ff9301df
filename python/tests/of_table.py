"""Calls of the functions that are made of the library's table, whatever they are."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from typing import Any

import hopwave as hw
from hopwave import _core

# A graph for functions that do not take any.
PATH = hw.Graph.from_edges(list("abc"), list("bcd"))
GRAPHS = {"maximum_matching": PATH, "topological_generations": PATH, "is_acyclic": PATH}
TABLE = {row["function"]: row for row in _core.algorithms()}


def needed(row: dict[str, Any], graph: hw.Graph, samples: int) -> list[Any]:
    """Returns what must be given, since these graphs name no vertices: their first ids, and counts."""
    ids: Iterator[Any] = iter(graph.ids)
    given = [each for each in row["parameters"] if each["required"] or each["kind"] == "vertex"]
    return [next(ids) if each["kind"] == "vertex" else samples for each in given]


def calls(graph: hw.Graph, samples: int = 9, partial: tuple[bool, ...] = (False, True)) -> dict[str, Callable[..., Any]]:
    """Returns the functions for this graph, by name; `partial`: of those whose early end is an error, or is none."""
    return {
        name: functools.partial(getattr(hw, name), GRAPHS.get(name, graph), *needed(row, graph, samples))
        for name, row in TABLE.items()
        if row["partial"] in partial
    }
