"""The one call behind the functions of _algorithms.py, which the build makes of the library's table."""

from __future__ import annotations

from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from . import _core
from ._arrays import count, truth, word
from ._export import tails_of
from ._graph import Graph, require_graph, sources_of
from ._results import Found, FoundIn
from ._run import Device, Progress, Stop, asked, run_report
from ._values import Values, named

_TABLE = {algorithm["function"]: algorithm for algorithm in _core.algorithms()}
How = tuple[Device, int, int, float | None, Progress, Stop | None]  # the keywords that every call has
_F = TypeVar("_F", bound=Found)


def _taken(parameter: dict[str, Any], value: Any, graph: Graph) -> Any:
    """Returns the value of a parameter as the extension takes it."""
    kind, name, choices = parameter["kind"], parameter["name"], parameter["choices"]
    if kind == "vertex":
        return None if value is None else graph.vertex(value)
    if kind == "vertices":  # sources and targets may also be one id
        return None if value is None else graph.vertices(value) if name == "left" else sources_of(graph, value)
    if kind == "truth":
        return int(truth(value, name))
    if kind == "real":
        return float(value)
    if kind == "count":
        return None if value is None and not parameter["required"] else count(value, name, parameter["lowest"])
    if word(value, name) not in (choices or [value]):
        raise ValueError(f"{name} is one of {', '.join(choices)}, not {value!r}")
    return value


def _given(output: dict[str, Any], value: Any, graph: Graph, sources: npt.NDArray[np.uint32] | None) -> Any:
    """Returns what was found as the caller gets it: with ids instead of vertices."""
    kind = output["kind"]
    if kind == "vertices":
        return graph._ids(value)
    if value is not None and kind in ("vertex", "ends"):
        return graph.id(value) if kind == "vertex" else tuple(map(graph.id, value))
    if kind == "truths":
        return value.view(np.bool_)
    if output["of_arcs"]:
        return _of_arcs(value, graph)
    if output["of_sources"] and sources is not None:
        return named(value, lambda at: graph._ids(sources[at]))
    return named(value, graph._ids) if output["ranked"] else value


def _of_arcs(values: npt.NDArray[Any], graph: Graph) -> Values:
    """Returns the same array, in whose top() an undirected edge occurs once, with the sum of its two arcs."""

    def once() -> tuple[npt.NDArray[np.intp], npt.NDArray[Any]]:
        heads = graph.csr()[1]
        places = np.flatnonzero(tails_of(graph) <= heads)
        back = np.argsort(heads, kind="stable")  # rows are sorted: in the order by heads and then tails, the arcs of the other direction follow
        return places, values[places] + values[back[places]]

    def ids(arcs: npt.NDArray[np.intp]) -> list[Any]:
        return list(zip(graph._ids(tails_of(graph)[arcs]), graph._ids(graph.csr()[1][arcs])))

    return named(values, ids, None if graph.directed else once)


def _call(function: str, graph: Graph, values: dict[str, Any], how: How) -> tuple[dict[str, Any], Any]:
    """Returns the outputs by name, and the extension's report."""
    require_graph(graph)
    table = _TABLE[function]
    for each in table["parameters"]:
        if each["excludes"] and values[each["name"]] is not None and values[each["excludes"]] is not None:
            raise ValueError(f"{each['name']} and {each['excludes']}: one of them")
    taken = {each["name"]: _taken(each, values[each["name"]], graph) for each in table["parameters"]}
    total = graph.num_vertices if table["unit"] == "vertex" else 0
    with asked(*how, table["unit"], total, auto=table["automatic"]) as words:
        outputs, report = _core.run_algorithm(graph._core, function, taken, words)
    sources = taken.get("sources")
    return {each["name"]: _given(each, found, graph, sources) for each, found in zip(table["outputs"], outputs)}, report


def value(function: str, graph: Graph, values: dict[str, Any], how: How) -> Any:
    """Runs an algorithm that returns its one output."""
    found, _ = _call(function, graph, values, how)
    return next(iter(found.values()))


def run(kind: type[_F], function: str, graph: Graph, values: dict[str, Any], how: How) -> _F:
    """Runs an algorithm that returns a record."""
    found, report = _call(function, graph, values, how)
    if issubclass(kind, FoundIn):
        found["_graph"] = graph
    make: Any = kind  # a dataclass, which Found itself is not
    result: _F = make(run=run_report(report), **found)
    return result
