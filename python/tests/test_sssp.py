"""Shortest paths by weight, compared with NetworkX's."""

from __future__ import annotations

import math

import networkx as nx
import numpy as np
import pytest
from drawn import graphs
from hypothesis import given
from hypothesis import strategies as st

import hopwave as hw

HALVES = st.integers(0, 20).map(lambda i: i / 2)  # exact in 32 bits


@given(g=graphs(kinds=(nx.Graph, nx.DiGraph)), data=st.data())
def test_as_networkx(g, data):
    for *_, attributes in g.edges(data=True):
        if data.draw(st.booleans()):
            attributes["weight"] = data.draw(HALVES)
    nodes = st.sampled_from(list(g))
    sources = data.draw(st.lists(nodes, min_size=1, max_size=3, unique=True))
    wanted = nx.multi_source_dijkstra_path_length(g, set(sources))
    graph = hw.Graph.from_networkx(g, weight="weight")
    found = hw.sssp(graph, sources, device="cpu")
    assert found.exact and found.reached == len(wanted)
    assert found.distance.tolist() == [wanted.get(node, math.inf) for node in g]
    for node in g:
        assert found.distance_to(node) == wanted.get(node, math.inf)
        path = found.path_to(node)
        assert bool(path) == (node in wanted)
        if path:
            assert path[0] in sources and path[-1] == node
            assert sum(g[u][v].get("weight", 1) for u, v in zip(path, path[1:])) == wanted[node]


def test_limits_direction_and_strategy():
    graph = hw.Graph.from_edges([0, 1, 2], [1, 2, 3], weights=[1.5, 2, 4])
    assert hw.sssp(graph, 0).distance.tolist() == [0, 1.5, 3.5, 7.5]
    assert hw.sssp(graph, 0).parent.tolist() == [-1, 0, 1, 2]
    assert hw.sssp(graph, 0, max_distance=3.5).distance.tolist() == [0, 1.5, 3.5, math.inf]
    assert hw.sssp(graph, 0, target=1).distance.tolist()[:2] == [0, 1.5]
    assert math.isinf(hw.sssp(graph, 0, target=1).distance_to(3))
    assert hw.sssp(graph, 3, direction="in").path_to(0) == [3, 2, 1, 0]
    for strategy, device in (("cpu-dijkstra", "cpu"), ("cpu-delta-stepping", "cpu"), ("near-far", "sim")):
        assert hw.sssp(graph, 0, strategy=strategy, device=device).distance.tolist() == [0, 1.5, 3.5, 7.5]
    assert "farthest 7.5" in repr(hw.sssp(graph, 0))
    plain = hw.Graph.from_edges([0, 1], [1, 2])
    assert plain.weights is None and hw.sssp(plain, 0).distance.tolist() == [0, 1, 2]


def test_weights_from_everywhere():
    rows = hw.Graph.from_csr([0, 2, 2, 2], [2, 1], weights=[5, 7])
    assert rows.csr()[1].tolist() == [1, 2] and rows.weights.tolist() == [7, 5]  # sorted together
    sp = pytest.importorskip("scipy.sparse")
    matrix = sp.csr_array(([3.0, 4.0], ([0, 1], [1, 2])), shape=(3, 3))
    assert hw.sssp(hw.Graph.from_scipy(matrix, weighted=True), 0).distance.tolist() == [0, 3, 7]
    assert hw.Graph.from_scipy(matrix).weights is None
    table = {"source": [5, 6], "target": [6, 7], "cost": np.array([1, 2], np.int8)}
    assert hw.sssp(hw.Graph.from_table(table, weight="cost"), 5).distance_to(7) == 3
    parallel = hw.Graph.from_edges([0, 0], [1, 1], weights=[9, 2], directed=False)
    assert hw.sssp(parallel, 1).distance_to(0) == 2


@pytest.mark.parametrize(
    ("weights", "dtype"),
    [
        ([1, 2], np.int32),
        ([2**31, 2], np.int64),
        ([2**53 + 1, 2], np.int64),
        ([0.5, 2], np.float32),
        ([0.1, 2], np.float64),
        ([1e300, 1], np.float64),
        (np.array([1, 2], np.uint8), np.int32),
        (np.array([0.1, 2], np.float32), np.float32),
    ],
)
def test_weights_keep_their_type(weights, dtype):
    for graph in (
        hw.Graph.from_edges([0, 1], [1, 2], weights=weights),
        hw.Graph.from_csr([0, 1, 2, 2], [1, 2], weights=weights),
    ):
        assert graph.weights.dtype == dtype
        assert graph.weights.tolist() == np.asarray(weights).tolist()


def test_weights_beyond_floats_are_added_exactly():
    graph = hw.Graph.from_edges([0, 1, 0], [1, 2, 2], weights=[20000001, 20000001, 40000001])
    found = hw.sssp(graph, 0)
    assert (found.distance_to(2), found.exact) == (40000001, True)
    assert found.path_to(2) == [0, 2]


@pytest.mark.parametrize(
    ("weights", "error"),
    [
        ([1], ValueError),
        ([[1, 2]], ValueError),
        ([True, False], TypeError),
        (["a", "b"], TypeError),
        ([2**53 + 1, 0.5], ValueError),
        (np.array([2**63, 1], np.uint64), ValueError),
        ([1j, 1], TypeError),
    ],
)
def test_weights_that_no_graph_takes(weights, error):
    with pytest.raises(error, match="weights"):
        hw.Graph.from_edges([0, 1], [1, 2], weights=weights)
    with pytest.raises(error, match="weights"):
        hw.Graph.from_csr([0, 1, 2, 2], [1, 2], weights=weights)


@pytest.mark.parametrize("weight", [-1.0, math.nan])
def test_weights_that_no_search_takes(weight):
    graph = hw.Graph.from_edges([0, 1], [1, 2], weights=[weight, 1])
    with pytest.raises(hw.Error) as caught:
        hw.sssp(graph, 0)
    assert caught.value.id == "HW-SSSP-WEIGHT"


def test_nonsense():
    graph = hw.Graph.from_edges([0], [1], weights=[math.inf])  # an arc that cannot be taken
    assert hw.sssp(graph, 0).path_to(1) == []
    for words in ({"max_distance": -1}, {"max_distance": math.nan}, {"strategy": "nonsense"}):
        with pytest.raises(hw.Error):
            hw.sssp(graph, 0, **words)
    for words in ({"device": "abacus"}, {"direction": "up"}):
        with pytest.raises(ValueError):
            hw.sssp(graph, 0, **words)
    with pytest.raises(hw.Error, match="nobody"):
        hw.sssp(hw.Graph.from_edges(["a"], ["b"]), "nobody")
    with pytest.raises(hw.Error):
        hw.sssp(graph, [])
    with pytest.raises(TypeError, match="numbers are needed"):
        hw.Graph.from_edges(["a"], ["b"], weights=["1"])
    with pytest.raises(ValueError, match="not an int or float"):
        hw.Graph.from_networkx(nx.Graph([(0, 1, {"w": "x"})]), weight="w")


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("direction", ["out", "in"])
def test_matrices_against_scipy(threads, direction):
    csgraph = pytest.importorskip("scipy.sparse.csgraph")
    sparse = pytest.importorskip("scipy.sparse")
    rng = np.random.default_rng(7)
    for trial in range(20):
        n = int(rng.integers(2, 60))
        dense = rng.integers(1, 100, (n, n)) * (rng.random((n, n)) < 2.5 / n)
        graph = hw.Graph.from_scipy(sparse.csr_array(dense.astype(np.int32)), weighted=True)
        sources, targets = rng.integers(0, n, 5), rng.integers(0, n, 7)
        theirs = dense if direction == "out" else dense.T
        for weights in (True, False):
            right = csgraph.shortest_path(sparse.csr_array(theirs), method="D", unweighted=not weights)
            found = hw.distance_matrix(graph, sources, targets, weights=weights, direction=direction, threads=threads)
            assert found.distance.shape == (5, 7) and found.exact
            assert (found.distance == right[np.ix_(sources, targets)]).all(), trial
            square = hw.distance_matrix(graph, sources, weights=weights, direction=direction, threads=threads)
            assert (square.distance == right[np.ix_(sources, sources)]).all()


def test_matrices_of_ids_and_of_sums_that_are_rounded():
    graph = hw.Graph.from_edges(["a", "b"], ["b", "c"], weights=[1.0, 2.0**60])
    found = hw.distance_matrix(graph, ["a", "c"], ["c", "a"], weights=True)
    assert found.distance.tolist() == [[2.0**60 + 1, 0], [0, math.inf]]
    assert not found.exact and hw.distance_matrix(graph, ["a", "c"]).exact
    assert repr(found) == "<hopwave.DistanceMatrix: 2 sources, 2 targets>"
    with pytest.raises(hw.Error, match="HW-IDS-UNKNOWN"):
        hw.distance_matrix(graph, ["moon"])
