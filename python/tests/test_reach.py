"""What nodes reach, cycles, and searches over edges, through the backend: NetworkX's own values and orders."""

from __future__ import annotations

import networkx as nx
import pytest
from drawn import both, graphs, plain
from hypothesis import given
from hypothesis import strategies as st

from hopwave_networkx import rules
from hopwave_networkx.version import NETWORKX

DIRECTED = (nx.DiGraph, nx.MultiDiGraph)


def same(name, g, *args, **kwargs):
    ours, theirs = both(name, g, *args, **kwargs)
    assert ours == theirs or repr(ours) == repr(theirs)  # nan is not equal to itself


@given(g=graphs(), data=st.data())
def test_what_one_node_reaches(g, data):
    node = data.draw(st.sampled_from(list(g)))
    same("local_reaching_centrality", g, node)
    same("closeness_vitality", g, node)
    same("group_closeness_centrality", g, data.draw(st.lists(st.sampled_from([*g, "absent"]))))


@given(g=graphs(kinds=(nx.Graph, nx.DiGraph)), data=st.data())
def test_searches_over_edges(g, data):
    same("edge_bfs", g, data.draw(st.one_of(st.sampled_from(list(g)), st.lists(st.sampled_from(list(g))))))


@given(g=graphs(), data=st.data())
def test_centralities_of_two_sets(g, data):
    top = data.draw(st.lists(st.sampled_from(list(g)), max_size=len(g)))
    same("", g, top, normalized=data.draw(st.booleans()), function=nx.bipartite.closeness_centrality)
    same("", g, top, function=nx.bipartite.betweenness_centrality)


@given(n=st.integers(1, 14), extra=st.lists(st.tuples(st.integers(0, 13), st.integers(0, 13)), max_size=3))
def test_girth_of_sparse_graphs(n, extra):
    g = nx.random_labeled_tree(n, seed=n)
    g.add_edges_from((u, v) for u, v in extra if u < n and v < n)
    for name in ("girth", "is_forest"):
        same(name, g)


@pytest.mark.parametrize("length", [3, 4, 5, 8, 9])
def test_girth_of_known_graphs(length):
    g = nx.disjoint_union(nx.path_graph(50), nx.cycle_graph(length))
    g = nx.disjoint_union(g, nx.cycle_graph(length + 1))
    assert nx.girth(g, backend="hopwave") == length
    assert nx.girth(nx.petersen_graph(), backend="hopwave") == 5
    assert nx.girth(nx.heawood_graph(), backend="hopwave") == 6


@given(g=graphs(kinds=DIRECTED))
def test_directed_graphs_without_cycles(g):
    """Few drawn graphs are such; here every edge leads onwards in the order of nodes."""
    place = {node: i for i, node in enumerate(g)}
    g.remove_edges_from([(u, v) for u, v in g.edges() if place[u] >= place[v]])
    names = ["attracting_components", "number_attracting_components", "is_attracting_component", "is_semiconnected"]
    for name in names if g.is_multigraph() else [*names, "flow_hierarchy", "is_branching"]:
        same(name, g)


@pytest.mark.parametrize("period", [1, 2, 3, 6])
def test_periods(period):
    g = nx.DiGraph()
    for length in (2 * period, 3 * period):
        nx.add_cycle(g, [0, *(f"{length} {i}" for i in range(1, length))])
    same("is_aperiodic", g)
    if NETWORKX >= (3, 5):
        assert nx.is_aperiodic(g, backend="hopwave") is (period == 1)


def test_larger_graphs():
    for g in (nx.gnm_random_graph(250, 700, seed=4), nx.gnm_random_graph(250, 700, seed=4, directed=True)):
        for name in ("global_reaching_centrality", "harmonic_diameter", "barycenter", "edge_bfs"):
            same(name, g)
    g = nx.connected_watts_strogatz_graph(120, 4, 0.1, seed=2)
    for name in ("closeness_vitality", "gutman_index", "schultz_index", "girth", "barycenter", "global_reaching_centrality"):
        same(name, g)


def test_edge_bfs_comes_in_chunks_of_the_same_order():
    for directed in (False, True):
        g = nx.gnm_random_graph(2000, 9000, seed=3, directed=directed)
        assert plain(list(nx.edge_bfs(g, [5, 6, 5], backend="hopwave"))) == plain(list(nx.edge_bfs(g, [5, 6, 5])))


def test_rules_say_why_not():
    g, d = nx.cycle_graph(4), nx.cycle_graph(4, nx.DiGraph)

    def refused(name, *args, **kwargs):
        reason = rules.can_run(name, args, kwargs)
        assert isinstance(reason, str)
        return reason

    def left(name, *args):
        assert rules.can_run(name, args, {}) is True
        return rules.should_run(name, args, {})

    assert "v is not" in left("local_reaching_centrality", g, None)
    assert "paths" in refused("local_reaching_centrality", g, 0, {0: [0]})
    assert "node is not" in left("closeness_vitality", g, 9)
    assert "wiener_index" in refused("closeness_vitality", g, wiener_index=3)
    assert "nodes are not all" in left("bipartite_closeness_centrality", g, [9])
    assert "S is not a list" in left("group_closeness_centrality", g, iter([0]))
    assert "source is neither" in left("edge_bfs", g, [0, 9])
    assert "orientation" in refused("edge_bfs", d, 0, "reverse")
    assert "parallel" in refused("girth", nx.MultiGraph(g))
    assert "kind of graph" in left("girth", d)
    assert "kind of graph" in left("flow_hierarchy", g)
    if NETWORKX >= (3, 6):
        assert "trees" in refused("barycenter", nx.path_graph(4))
    assert "attr" in refused("barycenter", g, attr="b")
