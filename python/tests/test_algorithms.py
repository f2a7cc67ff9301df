"""Functions that are made of the library's table: what holds for all of them."""

from __future__ import annotations

import dataclasses
import inspect
from typing import get_type_hints

import numpy as np
import pytest
from of_table import TABLE, calls

import hopwave as hw
from hopwave import _results

GRAPH = hw.Graph.from_edges(["a", "b", "c", "c"], ["b", "c", "a", "d"], directed=False, weights=[2, 3, 4, 1])
CALLS = calls(GRAPH, samples=3)
KINDS = {
    "count": int,
    "real": float,
    "range": tuple,
    "ends": tuple,
    "vertices": list,
    "naturals": np.uint32,
    "integers": np.int32,
    "amounts": np.int64,
    "truths": np.bool_,
    "reals": np.float64,
    "truth": bool,
}


@pytest.mark.parametrize("name", CALLS)
def test_function_and_result_are_as_the_table_states(name):
    row, function = TABLE[name], getattr(hw, name)
    kind = getattr(hw, row["result"]) if row["result"] else None
    assert name in hw.__all__ and (row["result"] or name) in hw.__all__
    assert inspect.cleandoc(function.__doc__).split() == row["help"].split()
    assert kind is None or get_type_hints(function, vars(inspect.getmodule(function)))["return"] is kind
    parameters = inspect.signature(function).parameters
    for each in row["parameters"]:
        default = inspect.Parameter.empty if each["required"] else each["initial"]
        assert parameters[each["name"]].default == default
        assert (parameters[each["name"]].kind is inspect.Parameter.KEYWORD_ONLY) == each["keyword"]
    found, simulated = CALLS[name](device="cpu"), CALLS[name](device="sim")
    if kind:
        assert [field.name for field in dataclasses.fields(found)][: len(row["outputs"])] == [each["name"] for each in row["outputs"]]
        assert type(found) is kind and len(repr(found)) < 250
    for each in row["outputs"]:
        value, other = (getattr(of, each["name"]) if kind else of for of in (found, simulated))
        np.testing.assert_array_equal(value, other)
        if isinstance(value, np.ndarray):
            assert value.dtype == KINDS[each["kind"]] and value.size == (GRAPH.num_arcs if each["kind"] == "amounts" or each["of_arcs"] else 4)
            assert isinstance(value, hw.Values) == each["ranked"]
        elif each["kind"] == "vertex":
            assert value in GRAPH.ids
        else:
            assert type(value) is KINDS[each["kind"]]


@pytest.mark.parametrize("name", CALLS)
def test_wrong_values_are_errors(name):
    with pytest.raises(TypeError, match="a hopwave.Graph is needed"):
        CALLS[name].func("g", *CALLS[name].args[1:])
    with pytest.raises(TypeError):
        CALLS[name](moon=1)
    for each in TABLE[name]["parameters"]:
        function, given = getattr(hw, name), dict(zip((one["name"] for one in TABLE[name]["parameters"]), CALLS[name].args[1:]))
        wrong = {"count": each["lowest"] - 1, "vertices": ["moon"]}.get(each["kind"], "moon")
        with pytest.raises((ValueError, TypeError, hw.Error), match=f"{each['name']} is one of" if each["choices"] else "moon|less|could|True or False"):
            function(GRAPH, **given | {each["name"]: wrong})
        if each["kind"] in ("count", "word"):
            with pytest.raises(TypeError, match=each["name"]):
                function(GRAPH, **given | {each["name"]: 1.5})


def test_what_a_result_without_methods_of_its_own_has():
    @dataclasses.dataclass(frozen=True, repr=False, eq=False)
    class Degrees(_results.FoundIn):
        largest: int
        degree: np.ndarray
        run: hw.RunReport
        _graph: hw.Graph

    run = hw.components(GRAPH).run
    found = Degrees(3, np.array([2, 2, 3, 1], np.uint32), run, GRAPH)
    assert [found.of(id) for id in "abcd"] == [2, 2, 3, 1] and type(found.of("a")) is int
    assert repr(found) == "<hopwave.Degrees: largest 3>"
    ended = Degrees(1234, found.degree, dataclasses.replace(run, end="time-limit"), GRAPH)
    assert repr(ended) == "<hopwave.Degrees: largest 1,234, ended by time-limit>"
    with pytest.raises(hw.Error, match="HW-IDS-UNKNOWN"):
        found.of("z")

