"""Every argument of every function, one at a time, as something odd: the answer, or the exception, is that of NetworkX alone.

With HOPWAVE_EVERY_GRAPH on each of four graphs, else on one of them.
"""

from __future__ import annotations

import math
import os
import random
from decimal import Decimal
from fractions import Fraction
from typing import Any

import networkx as nx
import numpy as np
import pytest
from calls import NAMES, is_refusal, ours_by_name, ours_by_priority, same, theirs, valid

from hopwave_networkx import rules
from hopwave_networkx.registry import OURS, parameters


class Unhashable:
    __hash__ = None  # type: ignore[assignment]


class Raises:
    """Any use raises an exception that NetworkX does not know."""

    def __hash__(self) -> int:
        raise ZeroDivisionError("hash")

    def __bool__(self) -> bool:
        raise ZeroDivisionError("bool")


ODD = {
    "none": None,
    "zero": 0,
    "one": 1,
    "minus one": -1,
    "true": True,
    "false": False,
    "float": 1.0,
    "half": 0.5,
    "minus zero": -0.0,
    "nan": math.nan,
    "infinity": math.inf,
    "minus infinity": -math.inf,
    "2**31": 2**31,
    "2**32": 2**32,
    "2**63 - 1": 2**63 - 1,
    "2**63": 2**63,
    "-2**63": -(2**63),
    "2**64": 2**64,
    "10**400": 10**400,
    "1e300": 1e300,
    "fraction": Fraction(3, 2),
    "third": Fraction(1, 3),
    "decimal": Decimal("1.1"),
    "complex": 1 + 0j,
    "float32": np.float32(1.5),
    "float32 tenth": np.float32(0.1),
    "float64": np.float64(2.0),
    "float16": np.float16(2),
    "int64": np.int64(2),
    "uint8": np.uint8(1),
    "uint64": np.uint64(2**64 - 1),
    "numpy true": np.True_,
    "array": np.array([0, 1]),
    "array of none": np.array([]),
    "scalar array": np.array(2),
    "empty text": "",
    "text": "weight",
    "letters": "ab",
    "bytes": b"1",
    "list": [0, 1],
    "empty list": [],
    "list of lists": [[0]],
    "twice": [0, 0, 1],
    "absent": [0, "absent"],
    "tuple": (0, 1),
    "set": {1, 2},
    "frozenset": frozenset([1, 2]),
    "frozen node": frozenset([7]),
    "range": range(2),
    "range node": range(3),
    "dict": {0: 1},
    "nodes": {0: 0, 1: 1}.keys(),
    "object": object(),
    "unhashable": Unhashable(),
    "raises": Raises(),
    "function": lambda *_: 1,
    "class": int,
    "ellipsis": ...,
}
MADE = {"iterator": lambda: iter([0, 1]), "generator": lambda: (node for node in (0, 1)), "random": lambda: random.Random(3)}
EVERY_GRAPH = "HOPWAVE_EVERY_GRAPH" in os.environ
WORDS = [(name, word) for name in NAMES for word in [*parameters(name)[1:], "unknown"]]


def graphs() -> dict[str, nx.Graph]:
    """Containers are among the nodes: frozenset({7}), range(3), (0, 1)."""
    edges = [(0, 1), (1, 2), (2, frozenset([7])), (frozenset([7]), 0), (2, range(3)), (range(3), (0, 1)), ((0, 1), 5), (5, 0)]
    made = {"edges": nx.Graph(edges), "arcs": nx.DiGraph(edges), "two parts": nx.Graph([*edges, ("a", "b")])}
    made["parallel"] = nx.MultiDiGraph([*edges, (0, 1), (1, 1)])
    for g in made.values():
        for i, (*_, data) in enumerate(g.edges(data=True)):
            data["weight"] = [1, 2, 0.5][i % 3]
    return made


GRAPHS = graphs()


def compare(name: str, key: str, make: Any) -> None:
    def called(way: Any) -> Any:
        random.seed(5)  # of `seed=None`
        return way(name, graphs()[key], **make())  # some functions write to the graph

    expected = called(theirs)
    got = called(ours_by_priority)
    assert same(got, expected), (name, make(), got, expected)
    got = called(ours_by_name)
    if is_refusal(got) and isinstance(rules.can_run(name, (graphs()[key],), make()), str):
        return
    assert same(got, expected), (name, make(), got, expected)


@pytest.mark.parametrize("name, word", WORDS)
def test_one_odd_argument(name, word):
    chosen = GRAPHS if EVERY_GRAPH else [random.Random(f"{name} {word}").choice(sorted(GRAPHS))]
    for key in chosen:
        g = GRAPHS[key]
        for odd in [*ODD, *MADE]:
            draw = random.Random(f"{name} {word} {key}")
            words = valid(name, g, draw)
            value = MADE[odd] if odd in MADE else lambda odd=odd: ODD[odd]
            compare(name, key, lambda: {**words, "seed": 3, word: value()} if "seed" in words else {**words, word: value()})


@pytest.mark.parametrize("name", NAMES)
def test_arguments_that_are_missing_or_too_many(name):
    for key, g in GRAPHS.items():
        compare(name, key, lambda: {})
        for count in (1, 9):
            assert same(ours_by_priority(name, g, *[0] * count), theirs(name, g, *[0] * count))


@pytest.mark.parametrize("name", NAMES)
def test_what_is_no_graph(name):
    for graph in (None, 1, "text", [(0, 1)], {0: [1]}, nx.Graph, nx.Graph(), nx.MultiDiGraph()):
        words = valid(name, nx.path_graph(3), random.Random(1))
        assert same(ours_by_priority(name, graph, **words), theirs(name, graph, **words)), (name, graph)


def test_every_function_is_called():
    assert set(NAMES) <= set(OURS)
