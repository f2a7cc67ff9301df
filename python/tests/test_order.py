"""Breadth-first searches and paths through the backend: NetworkX's order of nodes, parents, keys and errors, bit by bit."""

from __future__ import annotations

import itertools
import math
import random

import networkx as nx
import pytest
from drawn import both, graphs, plain
from hypothesis import given
from hypothesis import strategies as st

LIMITS = (None, 0, 1, 2, 1.5, -1, -0.5, math.inf, math.nan, 99)
ABSENT = ("absent", [1], -7)  # no node of a drawn graph; a list cannot be one


def a_node(data, g):
    return data.draw(st.sampled_from([*g, *ABSENT]))


@pytest.mark.parametrize("name", ["bfs_edges", "bfs_tree"])
@given(g=graphs(), data=st.data())
def test_searches_in_both_directions(name, g, data):
    words = {"reverse": data.draw(st.booleans()), "depth_limit": data.draw(st.sampled_from(LIMITS))}
    ours, theirs = both(name, g, a_node(data, g), **words)
    assert ours == theirs


@pytest.mark.parametrize("name", ["generic_bfs_edges", "bfs_predecessors", "bfs_successors"])
@given(g=graphs(), data=st.data())
def test_searches_with_a_depth_limit(name, g, data):
    ours, theirs = both(name, g, a_node(data, g), depth_limit=data.draw(st.sampled_from(LIMITS)))
    assert ours == theirs


@pytest.mark.parametrize("name", ["bfs_layers", "bfs_labeled_edges"])
@given(g=graphs(), data=st.data())
def test_searches_from_several_nodes(name, g, data):
    nodes = st.sampled_from(list(g))
    sources = data.draw(st.one_of(nodes, st.lists(nodes), st.sets(nodes), st.just({"absent"})))
    ours, theirs = both(name, g, sources)
    assert ours == theirs


@pytest.mark.parametrize("name", ["descendants", "ancestors", "node_connected_component"])
@given(g=graphs(), data=st.data())
def test_sets_of_nodes(name, g, data):
    if name == "node_connected_component" and g.is_directed():
        return
    node = data.draw(st.sampled_from([*g, "absent"]))
    ours, theirs = both(name, g, node)
    assert ours == theirs


@given(g=graphs(), data=st.data())
def test_descendants_at_distance(g, data):
    ours, theirs = both("descendants_at_distance", g, a_node(data, g), data.draw(st.sampled_from([-1, 0, 1, 2, 1.0, 99])))
    assert ours == theirs


@pytest.mark.parametrize(
    "name",
    [
        "single_source_shortest_path",
        "single_source_shortest_path_length",
        "single_target_shortest_path",
        "single_target_shortest_path_length",
    ],
)
@given(g=graphs(), data=st.data())
def test_paths_of_one_node(name, g, data):
    ours, theirs = both(name, g, a_node(data, g), cutoff=data.draw(st.sampled_from(LIMITS)))
    assert ours == theirs


def test_levels_that_are_searched_bottom_up():
    """A clique whose nodes have leaves: the clique has many arcs, and what is left has few."""
    chance = random.Random(5)
    for trial in range(40):
        edges = [(a, b) for a in range(50) for b in range(50) if a < b]
        edges += [(chance.randrange(50), leaf) for leaf in range(50, 150) for _ in range(1 + leaf % 3)]
        edges += [(leaf, leaf + 100) for leaf in range(50, 150, 7)] + [(chance.randrange(150, 250), 251)]
        chance.shuffle(edges)
        g = (nx.DiGraph if trial % 2 else nx.Graph)()
        g.add_nodes_from(chance.sample(range(260), 260))
        g.add_edges_from((b, a) if trial % 4 == 3 and chance.random() < 0.5 else (a, b) for a, b in edges)
        source, limit = (0, 49)[trial % 4 == 3], (None, 2)[trial % 3 == 2]
        for name in ("single_source_shortest_path_length", "single_target_shortest_path_length", "single_source_shortest_path"):
            ours, theirs = both(name, g, source, cutoff=limit)
            assert ours == theirs, name
        for name in ("bfs_edges", "bfs_successors"):
            ours, theirs = both(name, g, source, depth_limit=limit)
            assert ours == theirs, name
        ours, theirs = both("bfs_layers", g, [source, 3])
        assert ours == theirs


@given(g=graphs(), data=st.data())
def test_predecessors(g, data):
    words = {"cutoff": data.draw(st.sampled_from(LIMITS)), "return_seen": data.draw(st.sampled_from([None, True]))}
    target = data.draw(st.sampled_from([None, *g, "absent"]))
    ours, theirs = both("predecessor", g, a_node(data, g), target, **words)
    assert ours == theirs


@pytest.mark.parametrize("name", ["all_pairs_shortest_path", "all_pairs_shortest_path_length"])
@given(g=graphs(), data=st.data())
def test_paths_of_all_nodes(name, g, data):
    ours, theirs = both(name, g, cutoff=data.draw(st.sampled_from(LIMITS)))
    assert ours == theirs


@pytest.mark.parametrize("name", ["shortest_path", "shortest_path_length"])
@given(g=graphs(), data=st.data())
def test_paths_by_their_ends(name, g, data):
    ends = st.sampled_from([None, *g, "absent"])
    ours, theirs = both(name, g, data.draw(ends), data.draw(ends))
    assert ours == theirs


@pytest.mark.parametrize("name", ["bidirectional_shortest_path", "has_path", "all_shortest_paths", "efficiency"])
@given(g=graphs(), data=st.data())
def test_paths_between_two_nodes(name, g, data):
    if name == "efficiency" and g.is_directed():
        return
    ours, theirs = both(name, g, a_node(data, g), a_node(data, g))
    assert ours == theirs


@given(g=graphs(most=8), data=st.data())
def test_all_paths(g, data):
    ours, theirs = both("single_source_all_shortest_paths", g, a_node(data, g))
    assert ours == theirs
    ours, theirs = both("all_pairs_all_shortest_paths", g)
    assert ours == theirs


@given(g=graphs())
def test_components(g):
    weak = "weakly_" if g.is_directed() else ""
    ours, theirs = both(f"{weak}connected_components", g)
    assert ours == theirs


@pytest.mark.parametrize("name", ["strongly_connected_components", "is_directed_acyclic_graph", "condensation"])
@given(g=graphs(kinds=(nx.DiGraph, nx.MultiDiGraph)))
def test_graphs_without_cycles(name, g):
    """Few drawn graphs are such; here every edge leads onwards in the order of nodes."""
    place = {node: i for i, node in enumerate(g)}
    g.remove_edges_from([(u, v) for u, v in g.edges() if place[u] >= place[v]])
    ours, theirs = both(name, g)
    assert ours == theirs


@given(g=graphs(kinds=(nx.DiGraph, nx.MultiDiGraph)))
def test_condensation_maps_nodes(g):
    ours, theirs = nx.condensation(g, backend="hopwave"), nx.condensation(g, backend="networkx")
    assert plain(ours.graph) == plain(theirs.graph)


@pytest.mark.parametrize("seed", range(3))
def test_strong_components_of_larger_graphs(seed):
    g = nx.gnp_random_graph(400, 0.003, seed=seed, directed=True)
    for name in ("strongly_connected_components", "condensation", "is_directed_acyclic_graph"):
        ours, theirs = both(name, g)
        assert ours == theirs
    path = nx.path_graph(10**5, nx.DiGraph)  # deeper than Python's stack
    assert nx.number_strongly_connected_components(path, backend="hopwave") == 10**5


@given(g=graphs(), data=st.data())
def test_views_of_graphs(g, data):
    """Their rows are no dicts, and come in an order of their own."""
    view = g.subgraph(data.draw(st.sets(st.sampled_from(list(g)), min_size=1)))
    if g.is_directed() and data.draw(st.booleans()):
        view = view.reverse(copy=False)
    ours, theirs = both("bfs_edges", view, next(iter(view)), reverse=data.draw(st.booleans()))
    assert ours == theirs


def test_large_searches_come_in_chunks_of_the_same_order():
    g = nx.gnm_random_graph(3000, 9000, seed=3)
    for name in ("bfs_edges", "bfs_predecessors", "bfs_successors", "bfs_layers", "bfs_labeled_edges", "bfs_tree"):
        ours, theirs = both(name, g, 5)
        assert ours == theirs


def test_labels_are_the_very_ones_of_networkx():
    g = nx.complete_graph(4, nx.DiGraph)
    theirs = {id(label) for *_, label in nx.bfs_labeled_edges(g, 0, backend="networkx")}
    assert {id(label) for *_, label in nx.bfs_labeled_edges(g, 0, backend="hopwave")} == theirs


def test_a_generator_searches_as_it_is_read():
    g = nx.path_graph(10**5)
    edges = nx.bfs_edges(g, 0, backend="hopwave")
    assert list(itertools.islice(edges, 3)) == [(0, 1), (1, 2), (2, 3)]
    paths = nx.all_shortest_paths(nx.grid_2d_graph(40, 40), (0, 0), (39, 39), backend="hopwave")
    assert len(next(paths)) == 79  # of more than 10**22


def test_a_search_does_not_disturb_another():
    g = nx.gnm_random_graph(300, 900, seed=1)
    g.__networkx_cache__ = {}
    first, second = (nx.bfs_edges(g, s, backend="hopwave") for s in (0, 1))
    mixed = [edge for pair in itertools.zip_longest(first, second) for edge in pair if edge is not None]
    assert plain(sorted(mixed)) == plain(sorted([*nx.bfs_edges(g, 0), *nx.bfs_edges(g, 1)]))


class Spiteful:
    """A node whose comparison changes the graph that is being read."""

    graph: nx.Graph

    def __hash__(self) -> int:
        return 7

    def __eq__(self, other: object) -> bool:
        self.graph.add_edge(1, len(self.graph) + 1000)
        return self is other


def test_nodes_that_change_the_graph_while_it_is_read():
    g = Spiteful.graph = nx.Graph()
    nodes = [Spiteful() for _ in range(3)]
    g.add_edges_from(itertools.pairwise([1, *nodes, 2]))
    try:
        list(nx.bfs_edges(g, 1, backend="hopwave"))
    except (KeyError, RuntimeError):
        pass  # any exception will do; a crash will not
