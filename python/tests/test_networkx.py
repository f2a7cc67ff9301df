"""The NetworkX backend: NetworkX's values, orders and errors, and what it says about itself."""

from __future__ import annotations

import copy
import pickle
import random
import subprocess
import sys

import networkx as nx
import pytest
from calls import NAMES, valid
from drawn import both, graphs
from hypothesis import given
from hypothesis import strategies as st

import hopwave_networkx
from hopwave_networkx import rules
from hopwave_networkx.converted import Given, Theirs
from hopwave_networkx.registry import OURS, parameters
from hopwave_networkx.version import NETWORKX


NODES_WANTED = {"_s", "source", "sources", "target", "n", "center_nodes", "nodes", "S"}
WHOLE_GRAPH = [
    name for name in sorted(hopwave_networkx.FUNCTIONS) if hasattr(nx, name) and not NODES_WANTED & set(parameters(name))
] + ["edge_bfs", "harmonic_centrality", "shortest_path", "shortest_path_length"]
WHOLE_GRAPH.remove("local_reaching_centrality")


@pytest.mark.parametrize("name", WHOLE_GRAPH)
@given(g=graphs())
def test_as_networkx_to_the_last_bit(name, g):
    if rules.can_run(name, (g,), {}) is True:
        ours, theirs = both(name, g)
        assert ours == theirs or repr(ours) == repr(theirs)  # nan is not equal to itself


@given(graphs(), st.data())
def test_closeness_of_one_node(g, data):
    u, improved = data.draw(st.sampled_from(list(g))), data.draw(st.booleans())
    for node in (u, None):
        ours, theirs = both("closeness_centrality", g, node, wf_improved=improved)
        assert ours == theirs


@given(graphs(), st.data())
def test_betweenness_to_the_last_bit(g, data):
    words = {"normalized": data.draw(st.booleans()), "seed": data.draw(st.integers(0, 99))}
    words["k"] = data.draw(st.none() | st.integers(0, len(g) + 1))
    if not g.is_multigraph():
        ours, theirs = both("edge_betweenness_centrality", g, **words)
        assert repr(ours) == repr(theirs)  # nan is not equal to itself
    ours, theirs = both("betweenness_centrality", g, **words, endpoints=data.draw(st.booleans()))
    assert repr(ours) == repr(theirs)
    some = st.lists(st.sampled_from([*g, "absent"]))
    sources, targets = data.draw(st.lists(st.sampled_from(list(g)))), data.draw(some)
    for name in ("betweenness_centrality_subset", "edge_betweenness_centrality_subset"):
        if name.startswith("edge") and g.is_multigraph():
            continue
        ours, theirs = both(name, g, sources, targets, normalized=words["normalized"])
        assert ours == theirs


def test_betweenness_of_a_larger_graph():
    for g in (nx.gnm_random_graph(300, 900, seed=1), nx.gnm_random_graph(300, 1200, seed=1, directed=True)):
        for name in ("betweenness_centrality", "edge_betweenness_centrality"):
            ours, theirs = both(name, g)
            assert ours == theirs
        ours, theirs = both("edge_betweenness_centrality_subset", g, range(9, 40), [7, 20, 299, *range(100, 200)])
        assert ours == theirs


def refused(name, *args, **kwargs) -> str:
    reason = rules.can_run(name, args, kwargs)
    assert isinstance(reason, str)
    return reason


def left(name, *args, **kwargs) -> str:
    """Our function has NetworkX's answer, and dispatching by priority does not come here."""
    assert rules.can_run(name, args, kwargs) is True
    reason = rules.should_run(name, args, kwargs)
    assert isinstance(reason, str)
    return reason


def test_can_run_says_why_not():
    g, tree = nx.cycle_graph(4), nx.path_graph(4)
    assert "weight" in refused("hyper_wiener_index", g, "weight")
    assert "distance" in refused("closeness_centrality", g, distance=lambda u, v, data: 1)
    assert "not in the graph" in left("closeness_centrality", g, 9)
    assert "no nodes" in left("diameter", nx.Graph())
    assert "usebounds" in refused("diameter", g, usebounds=True)
    assert "method" in refused("average_shortest_path_length", g, method="dijkstra")
    if NETWORKX >= (3, 5):
        assert "trees" in refused("center", tree)
    assert "kind of graph" in left("is_connected", nx.DiGraph([(0, 1)]))
    assert "kind of graph" in left("is_weakly_connected", g)
    assert "kind of graph" in left("is_strongly_connected", g)
    assert "scc is given" in refused("condensation", nx.DiGraph(g), [{0, 1, 2, 3}])
    assert "no such" in refused("pagerank", g)
    assert "v is given" in refused("eccentricity", g, 0)
    assert rules.can_run("center", (g,), {}) is True
    with pytest.raises(NotImplementedError):
        nx.diameter(g, usebounds=True, backend="hopwave")


@pytest.mark.parametrize("kind", [nx.Graph, nx.DiGraph, nx.MultiDiGraph])
@pytest.mark.parametrize("way", [copy.deepcopy, lambda g: pickle.loads(pickle.dumps(g))], ids=["deepcopy", "pickle"])
def test_graphs_that_were_converted_are_copied_and_pickled(kind, way):
    g = kind([("a", "b"), ("b", "c"), ("c", "d"), ("a", "e")])
    nx.set_edge_attributes(g, 2.5, "weight")

    def answers(graph):
        return (
            dict(nx.single_source_shortest_path_length(graph, "a", backend="hopwave")),
            dict(nx.single_source_dijkstra_path_length(graph, "a", backend="hopwave")),
            list(nx.bfs_edges(graph, "a", backend="hopwave")),
        )

    expected = answers(g)
    made = way(way(g))
    assert answers(made) == expected == answers(g)
    made.add_edge("d", "f", weight=1)
    assert nx.single_source_shortest_path_length(made, "a", backend="hopwave")["f"] == 4
    assert answers(g) == expected


def test_should_run_counts_size_and_cache():
    small, big = nx.cycle_graph(5), nx.cycle_graph(100)
    assert "fewer than" in rules.should_run("diameter", (small,), {})
    assert rules.should_run("diameter", (big,), {}) is True
    assert "fewer than" in rules.should_run("is_connected", (big,), {})
    large = nx.cycle_graph(500)
    with nx.config(backend_priority=["hopwave"]):
        nx.average_shortest_path_length(large)
    assert rules.should_run("is_connected", (large,), {}) is True


def test_a_graph_is_converted_once_searches_have_cost_as_much():
    g = nx.cycle_graph(500)
    assert "conversion" in rules.should_run("is_connected", (g,), {})
    assert rules.should_run("is_connected", (g,), {}) is True
    g.add_edge(0, 100)  # a change makes the question new
    assert "conversion" in rules.should_run("bfs_edges", (g, 0), {})
    assert "few nodes" in rules.should_run("bfs_edges", (g, 0), {"depth_limit": 2})
    for name in ("has_path", "shortest_path", "bidirectional_shortest_path"):
        assert "few nodes" in rules.should_run(name, (g, 0, 1), {})
    g.__networkx_cache__ = None  # nothing would be kept
    for _ in range(3):
        assert "conversion" in rules.should_run("is_connected", (g,), {})


def test_searches_that_reach_few_nodes_stay_with_networkx():
    g = nx.path_graph(500, nx.DiGraph)
    assert "conversion" in rules.should_run("descendants", (g, 499), {})
    for _ in range(20):
        assert nx.descendants(g, 498, backend="hopwave") == {499}
        if rules.should_run("descendants", (g, 499), {}) is not True:
            break
    assert "few nodes" in rules.should_run("descendants", (g, 499), {})
    assert rules.should_run("diameter", (g,), {}) is True  # searches from every node
    g.add_edge(499, 0)
    assert "conversion" in rules.should_run("bfs_edges", (g, 0), {})
    for _ in range(20):
        assert len(list(nx.bfs_edges(g, 0, backend="hopwave"))) == 499
        nx.single_source_dijkstra(g, 0, backend="hopwave")
    assert rules.should_run("bfs_edges", (g, 0), {}) is True


def test_a_changed_graph_is_converted_anew():
    g = nx.cycle_graph(40)
    assert nx.diameter(g, backend="hopwave") == 20
    g.add_edge(0, 20)
    assert nx.diameter(g, backend="hopwave") == nx.diameter(g, backend="networkx")


def test_importing_networkx_loads_the_names_of_ours_alone():
    code = "import sys, networkx; print(sorted(m for m in sys.modules if m == 'hopwave' or m.startswith('hopwave_networkx.')))"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert out.strip() == "['hopwave_networkx.table']"


@pytest.mark.parametrize("parts", [1, 2, 3])
def test_components_are_counted(parts):
    edges = [(3 * k, 3 * k + 1) for k in range(parts)]
    for kind, number, whole in (
        (nx.Graph, nx.number_connected_components, nx.is_connected),
        (nx.DiGraph, nx.number_weakly_connected_components, nx.is_weakly_connected),
    ):
        assert number(kind(edges), backend="hopwave") == parts
        assert whole(kind(edges), backend="hopwave") is (parts == 1)


@pytest.mark.parametrize("name", NAMES)
def test_ours_answers_itself(name):
    """NetworkX takes over where our function fails, so a fault of ours shows in no answer."""
    ran = 0
    for kind in (nx.Graph, nx.DiGraph, nx.MultiGraph, nx.MultiDiGraph):
        for seed in range(8):
            g = kind(nx.cycle_graph(6))
            words = {} if name == "eccentricity" else valid(name, g, random.Random(seed))
            if "source" in parameters(name)[:2]:
                words.setdefault("source", 0)
            if rules.can_run(name, (g,), words) is not True or rules.left(name, {"G": g, **words}) is not None:
                continue
            try:
                value = OURS[name](Given(g).read(), **words)
                if hasattr(value, "__next__"):
                    list(value)
            except (nx.NetworkXException, NotImplementedError, Theirs, ZeroDivisionError):  # as NetworkX
                pass
            ran += 1
    assert ran or NETWORKX < (3, 6)  # an older one has other answers of some functions
