"""Dijkstra's family, and the figures that are sums: NetworkX's numbers, types and orders, bit by bit."""

from __future__ import annotations

import itertools
import math
import random
from fractions import Fraction

import networkx as nx
import numpy as np
import pytest
from drawn import both, graphs, outcome
from hypothesis import given
from hypothesis import strategies as st

from hopwave_networkx import rules

WEIGHTS = {
    "ints": st.integers(0, 4),
    "floats": st.sampled_from([0.0, 0.1, 0.2, 0.3, 1e-300, 1e300, math.inf]),
    "mixed": st.sampled_from([0, 1, 2, 0.5, 1.0, 0.1]),
    "large": st.sampled_from([2**52, 2**53 - 1, 1]),
}


@st.composite
def weighted(draw):
    g = draw(graphs())
    of = WEIGHTS[draw(st.sampled_from(sorted(WEIGHTS)))]
    for *_, data in g.edges(data=True):
        if draw(st.integers(0, 5)):  # else the weight is missing, and 1
            data["weight"] = draw(of)
    return g


def same(name, *args, **kwargs):
    ours, theirs = both(name, *args, **kwargs)
    if ours[1:2] == (NotImplementedError,):  # ints that a double does not hold: NetworkX takes over
        assert any(data.get("weight", 1) >= 2**52 for *_, data in args[0].edges(data=True))
        return
    assert ours == theirs


CUTOFFS = st.sampled_from([None, 0, 1, 2.5, 0.3, -1, math.inf, math.nan])


@pytest.mark.parametrize(
    "name", ["single_source_dijkstra_path", "single_source_dijkstra_path_length", "dijkstra_predecessor_and_distance"]
)
@given(g=weighted(), data=st.data())
def test_from_one_node(name, g, data):
    node = data.draw(st.sampled_from([*g, "absent"]))
    same(name, g, node, cutoff=data.draw(CUTOFFS), weight=data.draw(st.sampled_from(["weight", "weight", None, "other"])))


@pytest.mark.parametrize("name", ["single_source_bellman_ford_path", "single_source_bellman_ford_path_length"])
@given(g=weighted(), data=st.data())
def test_from_one_node_by_a_queue(name, g, data):
    words = {"weight": data.draw(st.sampled_from(["weight", "weight", None, "other"]))}
    node = data.draw(st.sampled_from([*g, "absent"]))
    same(name, g, node, **words)
    same("bellman_ford_predecessor_and_distance", g, node, heuristic=data.draw(st.booleans()), **words)


@pytest.mark.parametrize("name", ["multi_source_dijkstra_path", "multi_source_dijkstra_path_length", "voronoi_cells"])
@given(g=weighted(), data=st.data())
def test_from_several_nodes(name, g, data):
    nodes = st.sampled_from([*g, *g, "absent"])
    words = {} if name == "voronoi_cells" else {"cutoff": data.draw(CUTOFFS)}
    same(name, g, data.draw(st.one_of(st.lists(nodes), st.sets(nodes))), **words)


@given(g=weighted(), data=st.data())
def test_to_a_target(g, data):
    ends = st.sampled_from([*g, *g, "absent"])
    source, target = data.draw(ends), data.draw(ends)
    for name in ("dijkstra_path", "dijkstra_path_length", "astar_path", "astar_path_length"):
        same(name, g, source, target)
    for name in ("bellman_ford_path", "bellman_ford_path_length"):
        same(name, g, source, target)
    same("single_source_bellman_ford", g, source, data.draw(st.sampled_from([None, target])))
    same("single_source_dijkstra", g, source, data.draw(st.sampled_from([None, target])), cutoff=data.draw(CUTOFFS))
    same("multi_source_dijkstra", g, [source, data.draw(ends)], target)


@pytest.mark.parametrize("name", ["all_pairs_dijkstra", "all_pairs_dijkstra_path", "all_pairs_dijkstra_path_length"])
@given(g=weighted(), data=st.data())
def test_all_pairs(name, g, data):
    same(name, g, cutoff=data.draw(CUTOFFS))


@given(g=weighted())
def test_all_pairs_by_other_methods(g):
    for name in ("all_pairs_bellman_ford_path", "all_pairs_bellman_ford_path_length", "johnson"):
        same(name, g)


@given(g=weighted(), data=st.data())
def test_all_paths_of_the_least_weight(g, data):
    source, target = data.draw(st.sampled_from([*g, "absent"])), data.draw(st.sampled_from([*g, "absent"]))
    words = {"weight": "weight", "method": data.draw(st.sampled_from(["dijkstra", "bellman-ford"]))}
    some = {"function": first_items(nx.all_shortest_paths)}
    same("all_shortest_paths", g, source, target, **words, **some)
    if len(g) <= 8:
        same("single_source_all_shortest_paths", g, source, **words)
        same("all_pairs_all_shortest_paths", g, **words)


@given(g=weighted(), data=st.data())
def test_simple_paths_from_the_shortest_on(g, data):
    if g.is_multigraph():
        return
    source, target = data.draw(st.sampled_from([*g, "absent"])), data.draw(st.sampled_from(list(g)))
    for weight in (None, "weight"):
        same("shortest_simple_paths", g, source, target, weight, function=first_items(nx.shortest_simple_paths))


def first_items(function):
    """A function that yields some of the items, of which there may be very many."""

    def some(*args, **words):
        return itertools.islice(function(*args, **words), 60)

    some.name = function.name
    return some


def test_yen_on_a_grid_with_ties():
    for kind in (nx.Graph, nx.DiGraph):
        g = kind(nx.grid_2d_graph(5, 5))
        for i, (*_, data) in enumerate(g.edges(data=True)):
            data["weight"] = [1, 2, 0.5, 0.1, 0][i % 5]
        for weight in (None, "weight"):
            ours, theirs = (
                list(itertools.islice(nx.shortest_simple_paths(g, (0, 0), (4, 4), weight, backend=each), 300))
                for each in ("hopwave", "networkx")
            )
            assert ours == theirs and len({tuple(path) for path in ours}) == 300


@given(g=weighted(), data=st.data())
def test_shortest_path_with_weights(g, data):
    source, target = data.draw(st.sampled_from(list(g))), data.draw(st.sampled_from([None, *g]))
    same("shortest_path", g, source, weight="weight")
    same("shortest_path", g, source, weight="weight")
    same("shortest_path_length", g, source, target, weight="weight")


def test_large_weighted_graphs():
    drawn = random.Random(1)
    for kind in (nx.Graph, nx.DiGraph):
        g = nx.gnm_random_graph(2000, 8000, seed=3, directed=kind is nx.DiGraph)
        for _, _, data in g.edges(data=True):
            data["weight"] = drawn.choice([drawn.random(), drawn.randrange(5)])
        for name in ("single_source_dijkstra", "dijkstra_predecessor_and_distance"):
            same(name, g, 7)


@pytest.mark.parametrize("weight", [-1, -0.5, math.nan, np.float64(1.5), Fraction(1, 2), True, "x", 2**60, -(2**70), 2**1100])
def test_other_weights_stay_with_networkx(weight):
    g = nx.path_graph(300)
    g[5][6]["weight"] = weight
    with pytest.raises(NotImplementedError, match="raised"):
        nx.single_source_dijkstra_path_length(g, 0, backend="hopwave")
    with pytest.raises(NotImplementedError, match="raised"):
        nx.all_pairs_dijkstra(g, backend="hopwave")
    with nx.config(backend_priority=["hopwave"]):
        ours = outcome(lambda: nx.single_source_dijkstra_path_length(g, 0))
    theirs = outcome(lambda: nx.single_source_dijkstra_path_length(g, 0, backend="networkx"))
    assert repr(ours) == repr(theirs)  # NaN is not NaN


def test_weights_that_rules_refuse():
    g = nx.path_graph(5)
    refused = rules.can_run
    assert "attribute" in refused("dijkstra_path", (g, 0, 1, lambda *_: 1), {})
    assert "both ends" in refused("shortest_path", (g, 0, 1, "weight"), {})
    assert "attribute" in refused("shortest_simple_paths", (g, 0, 1), {"weight": lambda *_: 1})
    assert refused("astar_path", (g, 0, 1), {"cutoff": 3}) == "cutoff is given"
    assert "from a source" in refused("shortest_path", (g, None, 1, "weight"), {})
    assert "from a source" in refused("shortest_path_length", (g, 0), {"weight": "weight", "method": "bellman-ford"})
    assert "not a list" in rules.should_run("voronoi_cells", (g, iter([0])), {})
    assert "top_nodes" in refused("sets", (g, [0]), {})


def test_a_conversion_with_weights_serves_calls_without():
    g = nx.cycle_graph(500)
    assert rules.should_run("single_source_dijkstra", (g, 0), {}) is True
    nx.bfs_tree(g, 0, backend="hopwave")  # this conversion has no weights
    assert "conversion" in rules.should_run("dijkstra_path", (g, 0, 3), {})
    nx.dijkstra_path(g, 0, 3, backend="hopwave")
    assert rules.should_run("dijkstra_path", (g, 0, 3), {}) is True
    assert rules.should_run("bfs_tree", (g, 0), {}) is True
    g.__networkx_cache__["backends"].asked = False
    assert "conversion" in rules.should_run("dijkstra_path", (g, 0, 3), {"weight": "other"})


@given(g=graphs(), data=st.data())
def test_harmonic_centrality_of_some_nodes(g, data):
    some = st.one_of(st.none(), st.lists(st.sampled_from([*g, "absent"])), st.sets(st.sampled_from(list(g))))
    same("harmonic_centrality", g, nbunch=data.draw(some), sources=data.draw(some))


@pytest.mark.parametrize("name", ["color", "is_bipartite", "sets"])
@given(g=graphs(), make=st.sampled_from([nx.path_graph, nx.cycle_graph, nx.star_graph]), n=st.integers(1, 6))
def test_two_colours(name, g, make, n):
    shape = (nx.DiGraph if g.is_directed() else nx.Graph)(make(n))
    for graph in (g, shape, nx.disjoint_union(shape, nx.empty_graph(2, shape.__class__))):
        same(name, graph, function=getattr(nx.bipartite, name))


def test_sums_are_added_in_networkx_order():
    g = nx.gnm_random_graph(300, 900, seed=5)
    same("harmonic_centrality", g)
    same("harmonic_centrality", g, nbunch=list(range(20)))
    same("global_efficiency", g)
    if hasattr(nx, "hyper_wiener_index"):  # since 3.6
        same("hyper_wiener_index", nx.connected_watts_strogatz_graph(200, 4, 0.1, seed=2))
