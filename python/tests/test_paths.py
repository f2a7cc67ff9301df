"""Several paths between two vertices, compared with NetworkX's."""

from __future__ import annotations

import itertools
import math

import networkx as nx
import pytest
from drawn import graphs
from hypothesis import given
from hypothesis import strategies as st

import hopwave as hw


def length(g, path, weights):
    return sum(g[u][v]["weight"] if weights else 1 for u, v in itertools.pairwise(path))


@given(g=graphs(kinds=(nx.Graph, nx.DiGraph)), data=st.data())
def test_as_networkx(g, data):
    nodes = list(g)
    if not nodes:
        return
    for u, v in g.edges:
        g[u][v]["weight"] = data.draw(st.integers(1, 4))
    a, b = data.draw(st.sampled_from(nodes)), data.draw(st.sampled_from(nodes))
    k = data.draw(st.integers(1, 12))
    graph = hw.Graph.from_networkx(g, weight="weight")
    for weights in (False, True):
        name = "weight" if weights else None
        try:
            theirs = list(itertools.islice(nx.shortest_simple_paths(g, a, b, weight=name), k))
        except nx.NetworkXNoPath:
            theirs = []
        ours = hw.k_shortest_paths(graph, a, b, k, weights=weights)
        assert ours.lengths.tolist() == [length(g, path, weights) for path in theirs]
        assert [length(g, path, weights) for path in ours.paths] == ours.lengths.tolist()
        assert len({tuple(path) for path in ours.paths}) == len(theirs) and ours.exact
        try:
            theirs = sorted(map(tuple, nx.all_shortest_paths(g, a, b, weight=name)), key=repr)
        except nx.NetworkXNoPath:
            theirs = []
        all_of_them = hw.all_shortest_paths(graph, a, b, weights=weights)
        assert sorted(map(tuple, all_of_them.paths), key=repr) == theirs and all_of_them.count == len(theirs)
        arcs = {pair for path in theirs for pair in itertools.pairwise(path)}
        assert {(graph.id(int(u)), graph.id(int(v))) for u, v in all_of_them.arcs} == arcs


def test_words_and_errors():
    graph = hw.Graph.from_edges(["a", "b", "a"], ["b", "c", "c"], weights=[1, 1, 3])
    found = hw.k_shortest_paths(graph, "a", "c", 5, weights=True)
    assert found.paths == [["a", "b", "c"], ["a", "c"]] and found.lengths.tolist() == [2, 3]
    assert repr(found) == "<hopwave.ShortestPaths: 2 paths, 2 to 3>"
    every = hw.all_shortest_paths(graph, "a", "c", 0)
    assert every.count == 1 and every.paths == [] and repr(every) == "<hopwave.AllShortestPaths: 1 paths, length 1>"
    heavy = hw.Graph.from_edges([0], [1], weights=[2**53 + 1])
    assert not hw.all_shortest_paths(heavy, 0, 1, 0, weights=True).exact, "no path is listed"
    none = hw.all_shortest_paths(graph, "c", "a")
    assert none.count == 0 and math.isinf(none.length) and none.exact and none.arcs.shape == (0, 2)
    for wrong in (
        lambda: hw.k_shortest_paths(graph, "a", "c", 0),
        lambda: hw.k_shortest_paths(graph, "a", "c", 1, device="sim"),
        lambda: hw.k_shortest_paths(graph, "moon", "c", 1),
    ):
        with pytest.raises((hw.Error, ValueError)):
            wrong()
    for run in (found.run, every.run):
        assert type(run) is hw.RunReport and run.complete and run.device == "cpu" and run.strategy
    zeros = hw.Graph.from_edges([0, 1, 2, 2], [1, 2, 1, 3], weights=[1, 0, 0, 1])
    with pytest.raises(hw.Error, match="HW-PATHS-CYCLE"):
        hw.all_shortest_paths(zeros, 0, 3, weights=True)
