"""What callers hand over: ids that come back, arrays of any make, and all that is refused."""

from __future__ import annotations

import pickle

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import hopwave as hw


def test_names_come_back(friends):
    assert sorted(friends.ids) == ["alice", "bob", "carol", "dave", "erin", "frank"]
    assert [friends.id(friends.vertex(name)) for name in friends.ids] == friends.ids
    assert hw.bfs(friends, "alice").path_to("dave") == ["alice", "bob", "carol", "dave"]
    assert hw.bfs(friends, "alice").path_to("frank") == []
    assert hw.bfs(friends, ["alice", "erin"]).distance_to("frank") == 1


@given(st.lists(st.tuples(*[st.integers(-(2**63) + 1, 2**63 - 1)] * 2), min_size=1, max_size=20))
def test_gapped_integers_come_back(edges):
    graph = hw.Graph.from_edges([a for a, _ in edges], [b for _, b in edges])
    ids = sorted({v for edge in edges for v in edge})
    assert graph.ids.tolist() == ids
    assert graph.vertices(ids).tolist() == list(range(len(ids)))
    for a, b in edges:
        assert hw.bfs(graph, a).distance_to(b) == (0 if a == b else 1)


def test_subgraphs_and_views_of_networkx():
    g = nx.path_graph(6, create_using=nx.DiGraph)
    assert hw.bfs(hw.Graph.from_networkx(g.subgraph([1, 2, 3, 5])), 1).distance.tolist() == [0, 1, 2, -1]
    assert hw.bfs(hw.Graph.from_networkx(g.reverse(copy=False)), 3).distance_to(0) == 3
    loop = hw.Graph.from_networkx(nx.Graph([(0, 0), (0, 1)]))
    assert hw.bfs(loop, 1).distance_to(0) == 1


def test_any_node_of_networkx_comes_back():
    g = nx.MultiDiGraph([((0, 1), "x"), ("x", 2.5), ("x", 2.5), (2.5, frozenset({3}))])
    graph = hw.Graph.from_networkx(g)
    assert graph.ids == list(g)
    assert hw.bfs(graph, (0, 1)).path_to(frozenset({3})) == [(0, 1), "x", 2.5, frozenset({3})]
    with pytest.raises(hw.Error) as caught:
        graph.vertex("y")
    assert caught.value.id == "HW-IDS-UNKNOWN"


@pytest.mark.parametrize("type_", ["i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", ">i4", ">i8"])
def test_every_type_of_integers(type_):
    graph = hw.Graph.from_edges(np.array([0, 1], type_), np.array([1, 100], type_))
    assert graph.ids.tolist() == [0, 1, 100]
    rows = hw.Graph.from_csr(np.array([0, 1, 2, 2], type_), np.array([1, 2], type_))
    assert hw.bfs(rows, 0).distance.tolist() == [0, 1, 2]


def test_strided_and_read_only_arrays():
    pairs = np.array([[0, 1], [1, 2], [2, 3]])
    pairs.setflags(write=False)
    for a, b in ((pairs[:, 0], pairs[:, 1]), (pairs[::-1, 0], pairs[::-1, 1])):
        graph = hw.Graph.from_edges(a, b)
        assert hw.bfs(graph, 0).distance.tolist() == [0, 1, 2, 3]


def test_dlpack_and_tables():
    edges = np.array([[0, 1, 2], [1, 2, 3]])
    assert hw.Graph.from_dlpack(edges, num_vertices=6).num_vertices == 6
    with pytest.raises(ValueError, match="two rows"):
        hw.Graph.from_dlpack(edges.T)
    graph = hw.Graph.from_table({"source": ["a"], "target": ["b"]})
    assert graph.ids == ["a", "b"]


TABLES = {
    "pandas": lambda m, columns: m.DataFrame(columns),
    "polars": lambda m, columns: m.DataFrame(columns),
    "pyarrow": lambda m, columns: m.table(columns),
}


@pytest.mark.parametrize("library", sorted(TABLES))
def test_tables_of_libraries(library):
    module = pytest.importorskip(library)

    def table(**columns):
        return TABLES[library](module, columns)

    graph = hw.Graph.from_table(table(source=[5, 6], target=[6, 700]))
    assert (graph.ids.tolist(), graph.num_arcs) == ([5, 6, 700], 2)
    graph = hw.Graph.from_table(table(a=[7, 8], b=[8, 9], cost=[0.5, 2.0]), "a", "b", directed=False, weight="cost")
    assert hw.sssp(graph, 9).distance_to(7) == 2.5
    graph = hw.Graph.from_table(table(source=["x", "y"], target=["y", "z"]))
    assert graph.ids == ["x", "y", "z"]
    for missing in ([5, None], ["x", None]):
        with pytest.raises(TypeError):
            hw.Graph.from_table(table(source=missing, target=missing))


@pytest.mark.parametrize("directed", [False, True])
def test_igraph(directed):
    igraph = pytest.importorskip("igraph")
    theirs = igraph.Graph([(0, 1), (1, 2), (3, 3)], n=6, directed=directed)
    graph = hw.Graph.from_igraph(theirs)
    assert (graph.num_vertices, graph.directed) == (6, directed)
    for source in range(6):
        assert hw.bfs(graph, source).distance.tolist() == [-1 if d == float("inf") else d for d in theirs.distances(source)[0]]
    theirs.es["w"] = [1, 2.5, 0]
    assert hw.sssp(hw.Graph.from_igraph(theirs, weight="w"), 0).distance_to(2) == 3.5
    assert hw.Graph.from_igraph(igraph.Graph()).num_vertices == 0


@pytest.mark.parametrize("directed", [False, True])
def test_rustworkx(directed):
    rustworkx = pytest.importorskip("rustworkx")
    theirs = rustworkx.PyDiGraph() if directed else rustworkx.PyGraph()
    theirs.add_nodes_from("abcdef")
    theirs.add_edges_from([(0, 1, 1), (1, 2, 2.5), (3, 3, 0), (2, 5, 4)])
    graph = hw.Graph.from_rustworkx(theirs)
    assert (graph.num_vertices, graph.directed, list(graph.ids)) == (6, directed, [0, 1, 2, 3, 4, 5])
    assert hw.bfs(graph, 5).distance.tolist() == ([-1] * 5 + [0] if directed else [3, 2, 1, -1, -1, 0])
    theirs.remove_node(4)  # the others keep their indices
    graph = hw.Graph.from_rustworkx(theirs, weight=float)
    assert list(graph.ids) == [0, 1, 2, 3, 5] and hw.sssp(graph, 0).distance_to(5) == 7.5
    theirs.remove_node(5)
    assert list(hw.Graph.from_rustworkx(theirs, directed=False).ids) == [0, 1, 2, 3]
    assert hw.Graph.from_rustworkx(rustworkx.PyGraph()).num_vertices == 0
    with pytest.raises(TypeError, match="weight: a function of an edge's data, such as float, is needed, not str"):
        hw.Graph.from_rustworkx(theirs, weight="w")
    with pytest.raises(TypeError, match="a graph of rustworkx is needed, not networkx"):
        hw.Graph.from_rustworkx(nx.path_graph(3))
    with pytest.raises(TypeError, match=r"hopwave.Graph.from_rustworkx\(graph\) makes a graph of it"):
        hw.bfs(theirs, 0)


class GraphTool:
    """What a graph_tool.Graph answers; the library itself comes from no package index."""

    def __init__(self, edges, count, directed):
        self.edges, self.count, self.directed = np.array(edges, np.int64).reshape(-1, 2), count, directed
        self.edge_index = "the map of edge numbers"
        self.edge_properties = {"w": self}

    def get_array(self):
        """Of the property, by edge numbers, which are not in the order of get_edges()."""
        return (np.arange(len(self.edges)) / 2 + 1)[::-1]

    def get_edges(self, eprops=()):
        numbers = [np.arange(len(self.edges))[::-1] for _ in eprops]
        return np.column_stack([self.edges, *numbers]) if numbers else self.edges

    def num_vertices(self, ignore_filter=False):
        return self.count if ignore_filter else 0

    def is_directed(self):
        return self.directed


def test_graph_tool():
    graph = hw.Graph.from_graph_tool(GraphTool([(0, 1), (1, 2)], 5, True))
    assert (graph.num_vertices, graph.num_arcs, graph.directed) == (5, 2, True)
    graph = hw.Graph.from_graph_tool(GraphTool([(0, 1), (1, 2)], 5, False), weight="w")
    assert hw.sssp(graph, 2).distance_to(0) == 2.5
    assert hw.Graph.from_graph_tool(GraphTool([], 0, False)).num_vertices == 0


def test_results_go_out_by_dlpack():
    graph = hw.Graph.from_edges([0, 1], [1, 2])
    result, searcher = hw.bfs(graph, 0, parents=True), hw.Searcher(graph)
    for array in (result.distance, result.parent, searcher.each([0, 1]), hw.closeness(graph), hw.sssp(graph, 0).distance):
        out = np.from_dlpack(array)
        assert np.shares_memory(out, array)
        assert out.tolist() == array.tolist()
    weighed = hw.Graph.from_dlpack(np.array([[0, 1], [1, 2]]), weights=np.array([1.5, 2], np.float32))
    assert hw.sssp(weighed, 0).distance_to(2) == 3.5


def test_empty_graphs():
    for graph in (hw.Graph.from_edges([], []), hw.Graph.from_csr([], []), hw.Graph.from_networkx(nx.Graph())):
        assert (graph.num_vertices, graph.num_arcs, len(graph)) == (0, 0, 0)
        assert hw.closeness(graph).size == hw.eccentricity(graph).size == 0
        assert hw.closeness(graph, samples=3).size == hw.sampled_closeness(graph, 3).harmonic.size == 0
        assert hw.components(graph).count == hw.strong_components(graph).count == 0
        assert len(hw.condensation(graph)) == hw.topological_generations(graph).size == 0
        assert hw.is_acyclic(graph)
        found = hw.eccentricities(graph)
        assert (found.diameter, found.ends, found.central, found.searches, found.run.complete) == ((0, 0), None, None, 0, True)
    assert hw.bfs(hw.Graph.from_edges([], [], num_vertices=3), 2).distance.tolist() == [-1, -1, 0]


def test_samples_that_make_no_sense():
    graph = hw.read("chain:4")
    for wrong in ({"samples": 0}, {"samples": 2, "sources": [1]}):
        for figures in (hw.closeness, hw.harmonic):
            with pytest.raises(ValueError, match="samples"):
                figures(graph, **wrong)
    with pytest.raises(ValueError, match="samples"):
        hw.sampled_closeness(graph, 0)
    with pytest.raises(hw.Error, match="risk"):
        hw.sampled_closeness(graph, 2, risk=2)


@pytest.mark.parametrize("bad", [[0.5, 1.0], [float("nan"), 1.0], [True, False], [1 + 2j, 0], np.array(["2020-01-01"] * 2, "M8[D]")])
def test_wrong_types_are_refused(bad):
    with pytest.raises(TypeError, match="integers are needed"):
        hw.Graph.from_edges(bad, [0, 1])
    with pytest.raises(TypeError, match="integers are needed"):
        hw.Graph.from_csr([0, 1, 2], bad)


@pytest.mark.parametrize("bad", [[None, "a"], ["a", float("nan")], ["a", 3], np.array(["a", 3], object)])
def test_names_that_are_none_are_refused(bad):
    with pytest.raises(TypeError, match="names are str"):
        hw.Graph.from_edges(bad, ["a", "b"])


def test_wrong_shapes_are_refused():
    with pytest.raises(ValueError, match="one dimension"):
        hw.Graph.from_edges([[0, 1]], [[1, 2]])
    with pytest.raises(ValueError, match="one dimension"):
        hw.Graph.from_edges(3, 4)
    with pytest.raises(ValueError, match="2 sources and 1 targets"):
        hw.Graph.from_edges([0, 1], [1])


def test_a_matrix_is_square():
    sp = pytest.importorskip("scipy.sparse")
    with pytest.raises(ValueError, match="not square"):
        hw.Graph.from_scipy(sp.csr_array((2, 3)))


def identified(call) -> str:
    with pytest.raises(hw.Error) as caught:
        call()
    assert caught.value.id in str(caught.value)
    return caught.value.id


def test_direction_and_sides_of_files(tmp_path):
    said = tmp_path / "said.txt"
    said.write_text("# undirected\n1 2\n2 3\n")
    assert not hw.read(said).directed
    assert hw.read(said, directed=True).directed
    silent = tmp_path / "silent.txt"
    silent.write_text("1 2\n2 1\n")
    assert hw.read(silent).directed
    assert not hw.read(silent, directed=False).directed
    assert hw.read("chain:3", directed=True).num_arcs == 4
    two = hw.read(silent, bipartite=True)
    assert two.ids == ["left:1", "left:2", "right:1", "right:2"]
    assert not two.directed
    likes = tmp_path / "out.likes"
    likes.write_text("% bip unweighted\n1 1\n2 1\n")
    assert hw.bfs(hw.read(likes), "left:1").distance_to("left:2") == 2
    assert hw.read(likes, bipartite=False).num_vertices == 2


def test_errors_of_the_library_keep_their_ids(tmp_path):
    from_edges, from_csr = hw.Graph.from_edges, hw.Graph.from_csr
    assert identified(lambda: from_edges([-1], [0], num_vertices=2)) == "HW-EDGES-RANGE"
    assert identified(lambda: from_edges([0], [2], num_vertices=2)) == "HW-EDGES-RANGE"
    big = np.array([2**63], np.uint64)
    assert identified(lambda: from_edges(big, big)) == "HW-EDGES-ID"
    assert identified(lambda: from_csr([0, 5], [0])) == "HW-GRAPH-ARRAYS"
    assert identified(lambda: from_csr([0, 1], [-1])) == "HW-GRAPH-ARRAYS"
    assert identified(lambda: from_csr([0, 1, 1], [1], directed=False)) == "HW-GRAPH-SYMMETRY"
    graph = from_edges([0], [1])
    assert identified(lambda: hw.bfs(graph, 7)) == "HW-IDS-UNKNOWN"
    assert identified(lambda: hw.bfs(graph, [])) == "HW-QUERY-EMPTY"
    assert identified(lambda: hw.bfs(graph, 0, strategy="no-such")) == "HW-STRATEGY-UNKNOWN"
    bad = tmp_path / "bad.mtx"
    bad.write_text("%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 9\n")
    with pytest.raises(hw.Error) as caught:
        hw.read(bad)
    error = caught.value
    assert (error.id, error.line, error.file) == ("HW-MTX-INDEX", 3, str(bad))
    again = pickle.loads(pickle.dumps(error))
    assert (again.id, again.hint, str(again)) == (error.id, error.hint, str(error))


def test_hints_arrive(tmp_path):
    with pytest.raises(hw.Error) as caught:
        hw.bfs(hw.Graph.from_edges([0], [1]), 0, strategy="cpu-sequentia")
    assert caught.value.hint and caught.value.hint in str(caught.value)


def test_wrong_arguments_are_refused(friends):
    graph = hw.Graph.from_edges([0], [1])
    with pytest.raises(TypeError):
        graph.vertex(0.0)
    with pytest.raises(TypeError):
        graph.vertex(True)
    with pytest.raises(hw.Error):
        graph.vertex(2**70)
    with pytest.raises(hw.Error):
        graph.vertices(np.array([2**63], np.uint64))
    with pytest.raises(IndexError):
        graph.id(2)
    with pytest.raises(IndexError):
        graph.id(-1)
    with pytest.raises(ValueError, match="negative"):
        hw.bfs(graph, 0, max_depth=-1)
    with pytest.raises(ValueError, match="direction is one of"):
        hw.bfs(graph, 0, direction="up")
    with pytest.raises(ValueError, match="device is one of auto, cpu, gpu, sim"):
        hw.bfs(graph, 0, device="tpu")
    with pytest.raises(TypeError, match="num_vertices"):
        hw.Graph.from_edges(["a"], ["b"], num_vertices=2)
    for count in (-1, 2**32 - 1):
        with pytest.raises(ValueError, match="num_vertices"):
            hw.Graph.from_edges([0], [1], num_vertices=count)


def test_names_with_weights():
    pandas = pytest.importorskip("pandas")
    table = {"source": ["a", "b", "a"], "target": ["b", "c", "c"], "cost": [0.5, 2.0, 9.0]}
    for graph in (
        hw.Graph.from_edges(table["source"], table["target"], weights=table["cost"]),
        hw.Graph.from_table(table, weight="cost"),
        hw.Graph.from_table(pandas.DataFrame(table), weight="cost"),
        hw.Graph.from_table(pandas.DataFrame(table).astype({"source": "category", "target": "string"}), weight="cost"),
    ):
        assert graph.ids == ["a", "b", "c"] and graph.weights.tolist() == [0.5, 9, 2]
        assert hw.sssp(graph, "a").distance_to("c") == 2.5
    with pytest.raises(ValueError, match="2 weights and 3 edges"):
        hw.Graph.from_edges(table["source"], table["target"], weights=[1, 2])


COLUMNS = {
    "list": lambda ids: list(ids),
    "tuple": lambda ids: tuple(ids),
    "array": lambda ids: np.array(ids),
    "objects": lambda ids: np.array(ids, object),
    "set": lambda ids: set(ids),
    "keys": lambda ids: dict.fromkeys(ids).keys(),
    "generator": lambda ids: (id for id in ids),
    "pandas": lambda ids: pytest.importorskip("pandas").Series(ids),
    "pandas objects": lambda ids: pytest.importorskip("pandas").Series(ids, dtype=object),
    "pandas index": lambda ids: pytest.importorskip("pandas").Index(ids),
    "polars": lambda ids: pytest.importorskip("polars").Series(ids),
    "arrow": lambda ids: pytest.importorskip("pyarrow").array(ids),
    "chunks": lambda ids: pytest.importorskip("pyarrow").chunked_array([ids]),
}


@pytest.mark.parametrize("column", COLUMNS)
@pytest.mark.parametrize("ids", [["a", "b", "c", "d"], [10, 20, 30, 40]])
@pytest.mark.parametrize("nodes", [False, True])
def test_sources_in_any_column(column, ids, nodes):
    graph = hw.Graph.from_edges(ids[:3], ids[1:])
    if nodes:
        graph = hw.Graph.from_networkx(nx.DiGraph(list(zip(ids[:3], ids[1:]))))
    make = COLUMNS[column]
    assert hw.bfs(graph, make([ids[1], ids[3]])).distance.tolist() == [-1, 0, 1, 0]
    assert sorted(hw.Searcher(graph).each(make([ids[1], ids[3]])).tolist()) == [[-1, -1, -1, 0], [-1, 0, 1, 2]]
    assert sorted(hw.closeness(graph, make([ids[0], ids[3]])).tolist()) == [0, 0.5]
    assert hw.sssp(graph, make([ids[1]])).reached == 3
    assert hw.betweenness(graph, sources=make([ids[0]]), targets=make([ids[3]]), normalized=False).tolist() == [0, 1, 1, 0]
    assert sorted(graph.vertices(make(ids[2:])).tolist()) == [2, 3]
    with pytest.raises(hw.Error) as caught:
        hw.bfs(graph, make([ids[1], "x" if ids[0] == "a" else 99]))
    assert caught.value.id == "HW-IDS-UNKNOWN"


def test_a_tuple_is_a_node_where_it_is_one():
    grid = hw.Graph.from_networkx(nx.grid_2d_graph(3, 3))
    assert hw.bfs(grid, (0, 0)).distance_to((2, 2)) == 4
    assert hw.bfs(grid, ((0, 0), (2, 2))).distance_to((1, 1)) == 2
    with pytest.raises(hw.Error, match=r"\(9, 9\)"):
        hw.bfs(grid, (9, 9))
    sets = hw.Graph.from_networkx(nx.Graph([(frozenset([1]), 2)]))
    assert hw.bfs(sets, frozenset([1])).distance_to(2) == 1
    for wrong in ({10: 1}, None, 1.5):
        with pytest.raises((TypeError, hw.Error)):
            hw.bfs(hw.Graph.from_edges([10], [20]), wrong)


@pytest.mark.parametrize("column", ["list", "tuple", "array", "objects", "pandas", "pandas objects", "pandas index", "polars", "arrow", "chunks"])
def test_edges_in_any_column(column):
    make = COLUMNS[column]
    graph = hw.Graph.from_edges(make([10, 20]), make([20, 30]), weights=make([1, 2**40]))
    assert (graph.ids.tolist(), graph.weights.tolist(), str(graph.weights.dtype)) == ([10, 20, 30], [1, 2**40], "int64")
    graph = hw.Graph.from_edges(make(["x", "y"]), make(["y", "z"]), weights=make([0.5, 1.5]))
    assert (graph.ids, graph.weights.tolist(), str(graph.weights.dtype)) == (["x", "y", "z"], [0.5, 1.5], "float32")


def test_objects_that_are_no_integers():
    pandas = pytest.importorskip("pandas")
    nullable = pandas.Series([1, 2], dtype="Int64")
    assert hw.Graph.from_edges(nullable, nullable + 1, weights=nullable).num_arcs == 2
    mixed = np.array([np.int64(1), 2, np.uint8(3)], object)
    assert hw.Graph.from_edges(mixed, [4, 5, 6]).num_arcs == 3
    for bad in (pandas.Series([1, None], dtype="Int64"), np.array([1, True], object), np.array([1, 2.0], object)):
        with pytest.raises(TypeError):
            hw.Graph.from_edges(bad, [1, 2])
    for bad in ([2**53 + 1, 0.5], np.array([2**53 + 1, 0.5], object)):
        with pytest.raises(ValueError, match="9007199254740993"):
            hw.Graph.from_edges([0, 1], [1, 2], weights=bad)
    with pytest.raises(TypeError, match="numbers are needed"):
        hw.Graph.from_edges([0, 1], [1, 2], weights=np.array([1, None], object))
