"""Graphs stay what they are: nothing of ours is in what is kept of them, and a change is a change however it is made."""

from __future__ import annotations

import copy
import json
import pickle
import shelve
import subprocess
import sys

import networkx as nx
import pytest
from calls import ours_by_name, ours_by_priority, theirs
from drawn import plain

from hopwave_networkx import FUNCTIONS, rules

KINDS = (nx.Graph, nx.DiGraph, nx.MultiGraph, nx.MultiDiGraph)


def searched(kind=nx.Graph):
    """A graph, with a view of it, after calls that have read both."""
    g = kind()
    nx.add_cycle(g, range(200), weight=2)
    for graph in (g, g.subgraph(range(150))):
        for _ in range(2):
            ours_by_name("single_source_dijkstra_path_length", graph, 0)
            ours_by_priority("bfs_tree", graph, 0)
            rules.should_run("descendants", (graph, 0), {})
    assert g.__networkx_cache__["backends"].kept is not None
    return g


WITHOUT = """
import sys
class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("hopwave", "hopwave_networkx"):
            raise ModuleNotFoundError(name)
sys.meta_path.insert(0, Missing())
import pickle, warnings
warnings.simplefilter("ignore")
import networkx as nx
for graph in pickle.load(sys.stdin.buffer):
    assert not any(name.startswith("hopwave") for name in sys.modules)
    nx.single_source_dijkstra_path_length(graph, 0)
    graph.copy(), graph.__networkx_cache__.get("backends")
    print(type(graph).__name__, len(graph), graph.number_of_edges())
"""


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_a_pickle_is_read_where_hopwave_is_not(protocol):
    graphs = [searched(kind) for kind in KINDS]
    graphs += [copy.copy(graphs[0]), copy.deepcopy(graphs[1]), graphs[2].copy(), nx.freeze(searched())]
    data = pickle.dumps(graphs, protocol)
    assert b"hopwave" not in data
    out = subprocess.run([sys.executable, "-c", WITHOUT], input=data, capture_output=True, check=True).stdout.decode()
    assert out.splitlines() == [f"{type(g).__name__} 200 200" for g in graphs]


def test_nothing_of_ours_is_written(tmp_path):
    g = searched()
    assert json.loads(json.dumps(g.__networkx_cache__)) == {"backends": {}} == g.__networkx_cache__
    with shelve.open(str(tmp_path / "shelf")) as shelf:
        shelf["g"] = g
    with shelve.open(str(tmp_path / "shelf")) as shelf:
        assert shelf["g"].__networkx_cache__ == {"backends": {}}
    assert type(copy.deepcopy(g).__networkx_cache__["backends"]) is dict
    view = g.subgraph(range(9))
    ours_by_name("bfs_tree", view, 0)
    assert view.__networkx_cache__ == {}
    g.__networkx_cache__["backends"]["other"] = {"kept": 1}  # what other backends keep stays
    assert pickle.loads(pickle.dumps(g)).__networkx_cache__ == {"backends": {"other": {"kept": 1}}}


def test_no_warning_of_caches_that_may_be_wrong(recwarn):
    nx.config.warnings_to_ignore.discard("cache")
    try:
        searched()
    finally:
        nx.config.warnings_to_ignore.add("cache")
    assert not recwarn


def test_a_graph_goes_away_with_what_was_read_of_it():
    import gc
    import weakref

    class Node:
        pass

    g = nx.Graph([(Node(), Node()), (Node(), Node())])
    for node in g:
        node.graph = g
    nx.number_connected_components(g, backend="hopwave")
    assert g.__networkx_cache__["backends"].kept is not None
    gone = weakref.ref(g)
    del g, node
    gc.collect()
    assert gone() is None


def test_views_are_read_at_each_call():
    g = nx.path_graph(60)
    view = g.subgraph(range(50))
    assert nx.diameter(view, backend="hopwave") == 49
    g.add_edge(0, 49)
    assert nx.diameter(view, backend="hopwave") == 25
    assert rules.should_run("descendants", (view, 0), {}) != True  # noqa: E712


@pytest.mark.parametrize("kind", KINDS)
def test_weights_that_are_changed_in_place(kind):
    g = searched(kind)
    key = (0,) if g.is_multigraph() else ()
    g.edges[(0, 1, *key)]["weight"] = 0.5
    assert nx.dijkstra_path_length(g, 0, 2, backend="hopwave") == 2.5
    (g[1][2][0] if key else g[1][2])["weight"] = 7
    assert nx.dijkstra_path_length(g, 0, 2, backend="hopwave") == 7.5
    for *_, data in g.edges(data=True):
        data.clear()
    assert nx.dijkstra_path_length(g, 0, 2, backend="hopwave") == 2


@pytest.mark.parametrize("kind", KINDS)
def test_a_missing_weight_that_becomes_none(kind):
    """NetworkX takes 1 for a weight that is missing; an edge whose weight is None it does not follow."""
    g = kind()
    nx.add_cycle(g, range(6))
    for name, words in (("single_source_dijkstra_path_length", {"source": 0}), ("dijkstra_path", {"source": 0, "target": 1})):
        for value in (None, 1, None):
            assert ours_by_priority(name, g, **words) == theirs(name, g, **words)
            (g[0][1][0] if g.is_multigraph() else g[0][1])["weight"] = value
            assert ours_by_priority(name, g, **words) == theirs(name, g, **words)
            (g[0][1][0] if g.is_multigraph() else g[0][1]).clear()


class Reversed(nx.DiGraph):
    def successors(self, n):
        return super().predecessors(n)

    neighbors = successors


class Dense(nx.Graph):
    @property
    def adj(self):
        return {u: {v: {} for v in self if v != u} for u in self}

    def __getitem__(self, n):
        return self.adj[n]

    def neighbors(self, n):
        return iter(self.adj[n])


class OneWay(nx.DiGraph):
    """Reversed copies of it are empty."""

    def add_edges_from(self, ebunch_to_add, **attr):
        pass


class Hidden(nx.Graph):
    def __iter__(self):
        return iter([n for n in super().__iter__() if n != 3])


@pytest.mark.parametrize("kind", [Reversed, Dense, OneWay, Hidden, nx.PlanarEmbedding])
def test_classes_with_methods_of_their_own(kind):
    g = kind()
    for u in range(6):
        (nx.DiGraph if g._adj is getattr(g, "_succ", None) else nx.Graph).add_edge(g, u, u + 1)
    for name, words in (
        ("bfs_edges", {"source": 0}),
        ("descendants", {"source": 0}),
        ("closeness_centrality", {}),
        ("single_source_shortest_path_length", {"source": 6}),
        ("shortest_path", {"source": 0, "target": 6}),
        ("diameter", {}),
        ("number_of_isolates", {}),
        ("is_forest", {}),
    ):
        expected = theirs(name, g, **words)
        assert ours_by_name(name, g, **words) == ours_by_priority(name, g, **words) == expected, name


def test_an_object_with_methods_of_its_own():
    g = nx.path_graph(5)
    g.neighbors = lambda n: iter([])
    assert plain(list(nx.bfs_edges(g, 0, backend="hopwave"))) == plain(list(nx.bfs_edges(g, 0)))


def test_methods_that_a_class_gets_later():
    class Later(nx.Graph):
        pass

    g = Later(nx.path_graph(5))
    assert len(list(nx.bfs_edges(g, 0, backend="hopwave"))) == 4
    Later.neighbors = lambda self, n: iter([])
    assert list(nx.bfs_edges(g, 0, backend="hopwave")) == list(nx.bfs_edges(g, 0))


def test_containers_are_nodes():
    f = frozenset([1, 2])
    for first in (f, range(2), (1, 2), frozenset(), ()):
        g = nx.DiGraph([(first, 1), (1, 2), (2, "x"), ("x", first)])
        assert ours_by_priority("is_aperiodic", g) == theirs("is_aperiodic", g)
        for name in ("bfs_edges", "closeness_centrality", "local_reaching_centrality", "closeness_vitality", "predecessor"):
            word = {"closeness_centrality": "u", "local_reaching_centrality": "v", "closeness_vitality": "node"}.get(name, "source")
            assert ours_by_name(name, g, **{word: first}) == theirs(name, g, **{word: first}), (name, first)


def test_priorities_of_functions_that_return_graphs():
    g = nx.cycle_graph(300, nx.DiGraph)

    def reaches(function, *args, **priority):
        calls = []
        as_it_is = rules.can_run
        from networkx.utils import backends

        interface = backends._load_backend("hopwave")
        interface.can_run = lambda name, *rest: calls.append(name) or as_it_is(name, *rest)
        try:
            with nx.config.backend_priority(**priority):
                function(*args)
        finally:
            interface.can_run = as_it_is
        return function.name in calls

    for function, args in ((nx.bfs_tree, (g, 0)), (nx.condensation, (g,))):
        assert not reaches(function, *args, algos=["hopwave"])
        assert reaches(function, *args, generators=["hopwave"])
    assert reaches(nx.descendants, g, 0, algos=["hopwave"])


@pytest.mark.parametrize("kind", KINDS)
def test_a_generator_reads_the_graph_at_its_first_item(kind):
    for name, words in (
        ("bfs_edges", {"source": 0}),
        ("bfs_layers", {"sources": [0]}),
        ("all_pairs_dijkstra_path_length", {}),
        ("all_pairs_shortest_path", {}),
    ):
        answers = []
        for backend in ("networkx", "hopwave"):
            g = kind(nx.path_graph(6))
            items = getattr(nx, name)(g, **words, backend=backend)
            g.add_edge(0, 5, weight=0.25)
            answers.append(plain(list(items)))
        assert answers[0] == answers[1], name


def test_generators_say_that_they_show_no_later_change():
    for name in ("bfs_edges", "connected_components", "all_pairs_dijkstra", "isolates", "all_shortest_paths"):
        assert "later changes" in FUNCTIONS[name]


def test_distances_that_are_none_of_ours_while_a_generator_is_read():
    g = nx.path_graph(4)
    nx.set_edge_attributes(g, 2**52, "weight")
    for name in ("all_pairs_dijkstra", "all_pairs_dijkstra_path", "all_pairs_dijkstra_path_length"):
        assert ours_by_name(name, g) == ours_by_priority(name, g) == theirs(name, g)
        items = getattr(nx, name)(g, backend="hopwave")
        g[0][1]["weight"] = "text"  # between the call and the first item
        with pytest.raises(TypeError):
            list(items)
        g[0][1]["weight"] = 2**52
