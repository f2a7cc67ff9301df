"""NetworkX's functions of flows and cuts: values, cuts, dicts and errors."""

from __future__ import annotations

import math
import random
from typing import Any

import networkx as nx
import numpy as np
import pytest

from hopwave_networkx import rules

FLOWS = (nx.maximum_flow, nx.maximum_flow_value, nx.minimum_cut, nx.minimum_cut_value)


def networks() -> Any:
    for seed in range(60):
        draw = random.Random(seed)
        n = draw.choice([3, 8, 40])
        g: Any = nx.gnm_random_graph(n, draw.randint(n, 4 * n), seed=seed, directed=seed % 2 == 0)
        g = nx.relabel_nodes(g, {v: f"n{v}" for v in g}) if seed % 3 else g
        nodes = list(g)
        if seed % 4 == 0:
            g.add_edge(nodes[1], nodes[1], capacity=-1)  # NetworkX does not look at a self-loop
        for u, v, data in g.edges(data=True):
            if u != v and draw.random() < (0.9 if seed % 5 else 1):
                data["capacity"] = draw.choice([0, 1, 2, 3, 10, math.inf] if seed % 7 == 0 else [0, 1, 2, 3, 10])
        yield g, nodes[0], nodes[-1]


def found(function: Any, g: Any, *args: Any, backend: str, **words: Any) -> Any:
    try:
        return function(g, *args, **words, backend=backend)
    except Exception as error:
        return type(error), str(error)


def check_dicts(g: Any, source: Any, target: Any, value: int, flow: Any) -> None:
    balance = dict.fromkeys(g, 0)
    assert list(flow) == list(g)
    for u, row in flow.items():
        assert list(row) == list(g[u])
        for v, amount in row.items():
            assert type(amount) is int and 0 <= amount <= (g[u][v].get("capacity", math.inf) if u != v else 0)
            assert g.is_directed() or not amount or not flow[v][u]
            balance[u] -= amount
            balance[v] += amount
    assert balance == {**dict.fromkeys(g, 0), source: -value, target: value}


def test_networkx_has_the_same_values_and_cuts():
    unbounded = 0
    for g, source, target in networks():
        for function in FLOWS:
            assert rules.left(function.name, {"G": g, "_s": source, "_t": target}) is None
            ours, theirs = (found(function, g, source, target, backend=backend) for backend in ("hopwave", "networkx"))
            if function is nx.maximum_flow and isinstance(theirs[0], int):
                assert ours[0] == theirs[0] and type(ours[0]) is int
                check_dicts(g, source, target, *ours)
            else:
                assert ours == theirs
            unbounded += theirs == (nx.NetworkXUnbounded, "Infinite capacity path, flow unbounded above.")
    assert 10 < unbounded < 120


def test_another_attribute_and_flowG():
    g = nx.DiGraph()
    g.add_edge(0, 1, room=3)
    g.add_edge(1, 2, room=2)
    assert nx.maximum_flow(g, 0, 2, capacity="room", backend="hopwave") == (2, {0: {1: 2}, 1: {2: 2}, 2: {}})
    assert nx.minimum_cut(flowG=g, _s=0, _t=2, capacity="room", backend="hopwave") == (2, ({0, 1}, {2}))
    with pytest.raises(nx.NetworkXUnbounded):
        nx.maximum_flow_value(g, 0, 2, backend="hopwave")
    g.add_edge(0, 2, room=5)  # changes are seen
    g[1][2]["room"] = 1
    assert nx.minimum_cut_value(g, 0, 2, capacity="room", backend="hopwave") == 6
    view = g.subgraph([0, 1, 2]).reverse(copy=False)
    assert nx.maximum_flow_value(view, 2, 0, capacity="room", backend="hopwave") == 6


@pytest.mark.parametrize(
    "capacity", [1.0, 0.5, -1, True, np.int64(3), "3", None, math.nan, -math.inf, 2**63, 2**63 - 1, 2**80, math.inf, 2**62]
)
@pytest.mark.parametrize("kind", [nx.Graph, nx.DiGraph])
def test_other_capacities_have_networkxs_answer(kind, capacity):
    g = kind()
    g.add_edge("s", "a", capacity=4)
    g.add_edge("a", "t", capacity=capacity)
    g.add_edge("s", "t", capacity=1)
    for function in FLOWS:
        ours, theirs = (found(function, g, "s", "t", backend=backend) for backend in ("hopwave", "networkx"))
        assert repr(ours) == repr(theirs) or ours == theirs


def test_calls_that_networkx_refuses():
    g = nx.path_graph(4)
    nx.set_edge_attributes(g, 1, "capacity")
    for graph in (g, nx.MultiGraph(g), nx.MultiDiGraph(g), nx.Graph()):
        for args, words in (((0, 9), {}), ((9, 0), {}), ((0, 0), {}), ((0, [1]), {}), ((0, 3), {"cutoff": 1}), ((0, 3), {"capacity": "none"})):
            for function in FLOWS:
                ours, theirs = (found(function, graph, *args, **words, backend=backend) for backend in ("hopwave", "networkx"))
                assert ours == theirs, (graph, args, words)
                assert isinstance(theirs, tuple) and issubclass(theirs[0], Exception)


def test_which_calls_are_taken():
    small, large = nx.path_graph(8), nx.path_graph(64)
    flow_func = nx.algorithms.flow.edmonds_karp
    for function in FLOWS:
        assert "fewer than" in rules.should_run(function.name, (small, 0, 3), {})
        assert rules.should_run(function.name, (large, 0, 3), {}) is True
        assert rules.should_run(function.name, (), {"flowG": large, "_s": 0, "_t": 3}) is True
        assert "multigraphs" in rules.should_run(function.name, (nx.MultiGraph(large), 0, 3), {})
        assert rules.can_run(function.name, (large, 0, 3), {"flow_func": flow_func}) == "flow_func is given"
        assert rules.can_run(function.name, (large, 0, 3), {"capacity": 1}) == "capacity is no attribute's name"
        with pytest.raises(NotImplementedError):
            function(large, 0, 3, flow_func=flow_func, backend="hopwave")
        with nx.config(backend_priority=["hopwave"]):
            nx.set_edge_attributes(large, 2, "capacity")
            value = function(large, 0, 63, flow_func=flow_func)
            assert (value if isinstance(value, int) else value[0]) == 2
