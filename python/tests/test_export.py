"""Graphs that go out: into files and back, and to NetworkX, SciPy, pandas and NumPy. What is expected is counted by hand."""

from __future__ import annotations

import itertools

import networkx as nx
import numpy as np
import pytest
from drawn import graphs
from hypothesis import given

import hopwave as hw

IDS = {"from 0": [0, 1, 2, 3], "gaps": [3, 7, 10**12, 2**62], "text": ["007", "7", "a b", "é"]}
WEIGHTS = {
    "none": None,
    "int32": [1, 2, 2**31 - 1],
    "int64": [1, 2**31, 2**53 + 1],
    "float32": [0.5, 2.25, 1.5],
    "float64": [0.1, 1e300, 3.0],
}
# The last vertex has no edge, as long as the format can say so.
ENDS = [(0, 1), (2, 0), (1, 2)]


def example(ids, weights=None, directed=True):
    """A ring of three, and an isolated vertex."""
    ends = np.array(ENDS).T
    numbered = hw.Graph.from_edges(*ends, num_vertices=4, directed=directed, weights=weights)
    return hw.Graph(numbered._core, list(ids), {id: v for v, id in enumerate(ids)})  # as from_networkx() does, with any weights


def content(graph):
    """Direction, ids, edges with their weights, and the weights' type."""
    sources, targets, weights = (None if column is None else column.tolist() for column in graph.to_edges())
    edges = {}
    for a, b, w in zip(sources, targets, weights or itertools.repeat(None)):
        edges[(a, b) if graph.directed else frozenset((a, b))] = w
    return graph.directed, set(np.asarray(graph.ids, object).tolist()), edges, None if weights is None else str(graph.weights.dtype)


# The format, its ending, what it has a place for, and what it makes of what it has none for.
FORMATS = {
    "edge-list": ("txt", {"gaps", "text"}),
    "hwg": ("hwg", {"gaps", "text"}),
    "graphml": ("graphml", {"gaps", "text"}),
    "gml": ("gml", {"gaps", "text"}),
    "pajek": ("net", {"gaps", "text"}),
    "json": ("json", {"gaps", "text"}),
    "names": ("tsv", {"gaps", "text", "as text"}),
    "adjacency": ("adj", {"gaps", "no weights"}),
    "cedge": ("cedge", {"gaps", "ones"}),
    "matrix-market": ("mtx", {"from 1"}),
    "npz": ("npz", set()),
    "metis": ("metis", {"from 1", "undirected only", "int32 only"}),
    "dimacs": ("gr", {"from 1", "ones", "int32 only"}),
    "rodinia": ("rodinia", {"directed only", "ones", "int32 only"}),
    "galois": ("galois", {"directed only", "int32 only"}),
    "gap": ("sg", {"no weights"}),
    "gap-weighted": ("wsg", {"ones", "int32 only"}),
}


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("format", sorted(FORMATS))
@pytest.mark.parametrize("directed", [True, False])
def test_every_format_gives_the_graph_back_or_refuses_it(tmp_path, format, directed):
    ending, holds = FORMATS[format]
    for ids, weights in itertools.product(IDS, WEIGHTS):
        graph = example(IDS[ids], WEIGHTS[weights], directed)
        assert graph.weights is None or graph.weights.dtype == weights
        refused = (
            (ids != "from 0" and ids not in holds)
            or (f"{'undirected' if directed else 'directed'} only" in holds)
            or (weights != "none" and "no weights" in holds)
            or (weights not in ("none", "int32") and "int32 only" in holds)
        )
        path = tmp_path / f"{ids}{weights}.{ending}"
        if refused:
            with pytest.raises(hw.Error) as caught:
                graph.write(path, format=format)
            assert caught.value.id.startswith("HW-WRITE-") and not path.exists()
            continue
        graph.write(path, format=format)
        said, names, edges, type_ = content(graph)
        if "ones" in holds and weights == "none":
            edges, type_ = dict.fromkeys(edges, 1), "int32"
        back = content(hw.read(path, format=format))
        if "from 1" in holds:  # as its readers count
            back = back[0], {v - 1 for v in back[1]}, {type(e)(v - 1 for v in e): w for e, w in back[2].items()}, back[3]
        if "as text" in holds:
            names, edges = {str(v) for v in names}, {type(e)(str(v) for v in e): w for e, w in edges.items()}
        assert back == (said, names, edges, type_), (ids, weights)


def test_options_of_writing(tmp_path):
    graph = example(IDS["text"], [1, 2, 3])
    table = tmp_path / "e.csv.gz"
    graph.write(table)
    assert table.read_bytes()[:2] == b"\x1f\x8b" and content(hw.read(table))[2] == content(graph)[2]
    graph.write(bytes(tmp_path / "e.txt"), separator=";", weights=False)
    assert '"007";"7"\n' in (tmp_path / "e.txt").read_text()
    for words in ({"renumber": True}, {"renumber": True, "layout": "coo"}):
        graph.write(tmp_path / "e.npz", **words)
        assert hw.read(tmp_path / "e.npz").ids.tolist() == [0, 1, 2, 3]
    graph.to_undirected().write(tmp_path / "e.metis", renumber=True)
    graph.to_undirected().to_directed().write(tmp_path / "e.rodinia", renumber=True, format="rodinia")
    assert hw.read(tmp_path / "e.rodinia").num_arcs == 6
    for wrong, error in (({"separator": ";;"}, ValueError), ({"level": 0}, ValueError), ({"weights": 1}, TypeError), ({"format": 3}, TypeError)):
        with pytest.raises(error):
            graph.write(tmp_path / "e.csv", **wrong)
    for path, words, id in (
        ("e.foo", {}, "HW-FORMAT-WRITE"),
        ("e.csv", {"layout": "csr"}, "HW-WRITE-LAYOUT"),
        ("e.csv", {"format": "no-such"}, "HW-FORMAT-UNKNOWN"),
        ("none/e.csv", {}, "HW-IO-WRITE"),
    ):
        with pytest.raises(hw.Error) as caught:
            graph.write(tmp_path / path, **words)
        assert caught.value.id == id and "--" not in caught.value.hint
    with pytest.raises(TypeError, match="a file's name"):
        graph.write(None)


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_nodes_of_networkx_in_files(tmp_path):
    path = tmp_path / "e.hwg"
    for nodes in ([40, -3, 2**62, 7], ["b", "a", "07", "7"], [np.int64(5), 3, 1, 0]):
        for directed in (True, False):
            graph = example(nodes, [1, 2, 3], directed)
            graph.write(path)
            assert content(hw.read(path)) == content(graph)
            assert hw.bfs(hw.read(path), nodes[0]).distance_to(nodes[2]) == hw.bfs(graph, nodes[0]).distance_to(nodes[2])
    for odd in ((0, 1), 2.5, None, True, 2**64):
        with pytest.raises(TypeError, match="a file holds"):
            example([odd, 5, 6, 7]).write(path)
        example([odd, 5, 6, 7]).write(path, renumber=True)
        assert hw.read(path).num_vertices == 4
    with pytest.raises(TypeError, match="a file holds"):
        example(["a", 5, 6, 7]).write(path)


def test_loops_and_parallel_edges_stay_where_they_are_kept(tmp_path):
    sources, targets, weights = [1, 1, 1, 2], [2, 2, 1, 1], [3, 2, 5, 4]
    for keep, arcs in (({}, 2), ({"keep_duplicates": True}, 3), ({"keep_self_loops": True}, 3), ({"keep_duplicates": True, "keep_self_loops": True}, 4)):
        graph = hw.Graph.from_edges(sources, targets, weights=weights, **keep)
        report = graph.report
        assert graph.num_arcs == arcs
        assert (report.rows, report.duplicates, report.self_loops) == (4, 1, 1)
        assert (report.duplicates_kept, report.self_loops_kept) == ("keep_duplicates" in keep, "keep_self_loops" in keep)
        graph.write(tmp_path / "e.csv")
        again = hw.read(tmp_path / "e.csv", **keep)
        assert again.num_arcs == arcs and sorted(again.weights.tolist()) == sorted(graph.weights.tolist())
        theirs = graph.to_networkx()
        assert (theirs.is_multigraph(), theirs.number_of_edges()) == ("keep_duplicates" in keep, arcs)
    assert hw.Graph.from_edges(sources, targets, weights=weights).weights.tolist() == [2, 4]


def test_reports(tmp_path):
    path = tmp_path / "e.txt"
    path.write_text("# undirected\n1 2\n2 1\n3 3\nx\n1 2\n")
    with pytest.warns(UserWarning, match="undirected"):
        report = hw.read(path, lenient=True).report
    assert (report.source, report.format, report.rows) == (str(path), "edge-list", 4)
    assert (report.duplicates, report.self_loops) == (4, 1)  # both arcs of the two rows that come again
    assert len(report.repairs) == 1 and report.notes and not report.direction_assumed
    assert hw.Graph.from_csr([0, 1], [0]).report.rows == 1
    theirs = nx.MultiGraph([(0, 1), (0, 1), (1, 2)])
    assert hw.Graph.from_networkx(theirs).report.duplicates == 1
    sp = pytest.importorskip("scipy.sparse")
    twice = sp.coo_array(([1.0, 2.0], ([0, 0], [1, 1])), shape=(2, 2))
    graph = hw.Graph.from_scipy(twice, weighted=True)
    assert (graph.report.rows, graph.report.duplicates, graph.weights.tolist()) == (2, 1, [3])
    assert hw.read("rmat:6,4").report.format == "generator"


@given(graphs())
def test_networkx_and_back(g):
    graph = hw.Graph.from_networkx(g)
    back = graph.to_networkx()
    assert back.is_directed() == g.is_directed() and list(back) == list(g)
    assert nx.utils.graphs_equal(back, nx.DiGraph(g) if g.is_directed() else nx.Graph(g))


def test_weights_of_networkx_keep_their_kind():
    for weights, kind in (([1, 2, 2**40], int), ([0.5, 1.0, 2.0], float)):
        for directed in (True, False):
            theirs = example(["a", "b", (1, 2), 5], weights, directed).to_networkx(weight="length")
            assert list(theirs) == ["a", "b", (1, 2), 5] and theirs.is_directed() == directed
            assert sorted(w for *_, w in theirs.edges(data="length")) == sorted(weights)
            assert all(type(w) is kind for *_, w in theirs.edges(data="length"))


def test_scipy_and_back():
    sp = pytest.importorskip("scipy.sparse")
    for directed, (name, weights) in itertools.product((True, False), WEIGHTS.items()):
        graph = example(IDS["text"], weights, directed)
        matrix = graph.to_scipy()
        assert isinstance(matrix, sp.csr_array) and matrix.dtype == ("int32" if weights is None else name)
        dense = np.zeros((4, 4), matrix.dtype)
        for (a, b), w in zip(ENDS, weights or [1] * 3):
            dense[a, b] = w
            if not directed:
                dense[b, a] = w
        assert (matrix.toarray() == dense).all()
        again = hw.Graph.from_scipy(matrix, directed=directed, weighted=weights is not None)
        assert content(again)[0::3] == content(graph)[0::3] and (again.to_scipy().toarray() == dense).all()


def test_scipys_undirected_is_scipys():
    sp = pytest.importorskip("scipy.sparse")
    csgraph = pytest.importorskip("scipy.sparse.csgraph")
    draw = np.random.default_rng(3)
    for type_ in (np.int64, np.float64):
        dense = draw.integers(0, 9, (12, 12)).astype(type_) * (draw.random((12, 12)) < 0.2)
        matrix = sp.csr_array(dense)
        for directed in (True, False, None):
            graph = hw.Graph.from_scipy(matrix, directed=directed, weighted=True)
            theirs = csgraph.dijkstra(matrix, directed=directed is not False)
            for v in range(12):
                assert hw.sssp(graph, v).distance.tolist() == theirs[v].tolist()


def test_tables_and_back():
    pandas = pytest.importorskip("pandas")
    for directed, ids, (name, weights) in itertools.product((True, False), ("gaps", "text"), WEIGHTS.items()):
        graph = example(IDS[ids], weights, directed)
        table = graph.to_pandas("from", "to", "cost")
        assert list(table) == ["from", "to", "cost"][: 2 + (weights is not None)] and len(table) == 3
        assert (ids == "text" or table["from"].dtype == "int64") and (weights is None or table["cost"].dtype == name)
        again = hw.Graph.from_table(table, "from", "to", directed=directed, weight=None if weights is None else "cost")
        assert content(again)[2:] == content(graph)[2:]
    with pytest.raises(ValueError, match="a name of its own"):
        graph.to_pandas("a", "a")
    assert isinstance(graph.to_pandas(), pandas.DataFrame)
    sources, targets, weights = hw.Graph.from_edges([], []).to_edges()
    assert sources.size == targets.size == 0 and weights is None


def test_direction_is_one_keyword():
    igraph = pytest.importorskip("igraph")
    ring, way = nx.cycle_graph(4), nx.DiGraph([(0, 1), (1, 2), (2, 0)])
    makers = [
        (lambda **w: hw.Graph.from_networkx(ring, **w), False),
        (lambda **w: hw.Graph.from_networkx(way, **w), True),
        (lambda **w: hw.Graph.from_igraph(igraph.Graph([(0, 1), (1, 2)]), **w), False),
        (lambda **w: hw.Graph.from_edges([0, 1], [1, 2], **w), True),
        (lambda **w: hw.Graph.from_table({"source": [0], "target": [1]}, **w), True),
        (lambda **w: hw.Graph.from_dlpack(np.array([[0, 1], [1, 2]]), **w), True),
        (lambda **w: hw.Graph.from_csr([0, 1, 2], [1, 0], **w), True),
        (lambda **w: hw.read("chain:5", **w), False),
        (lambda **w: hw.read("pmpp", **w), True),
    ]
    for make, said in makers:
        assert make().directed == make(directed=None).directed == said
        for directed in (True, False):
            graph = make(directed=directed)
            arcs = content(graph.to_directed())[2]
            assert graph.directed == directed
            assert directed or all((b, a) in arcs for a, b in arcs)
        with pytest.raises(TypeError, match="directed"):
            make(directed="yes")
    assert hw.Graph.from_networkx(way, directed=False).num_arcs == 6 and hw.Graph.from_networkx(ring, directed=True).num_arcs == 8


def test_of_two_weights_the_lesser():
    graph = hw.Graph.from_edges(["a", "b", "b"], ["b", "a", "c"], weights=[5, 3, 7]).to_undirected()
    assert content(graph) == (False, {"a", "b", "c"}, {frozenset("ab"): 3, frozenset("bc"): 7}, "int32")
    assert graph.to_undirected() is graph and graph.to_directed().num_arcs == 4


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("weights", [None, [3, 1, 2], [0.5, 1.5, 2.5]])
def test_igraph_and_rustworkx_have_the_same_edges(weights, directed):
    igraph, rustworkx = pytest.importorskip("igraph"), pytest.importorskip("rustworkx")
    graph = hw.Graph.from_edges(["a", "b", "b"], ["b", "c", "d"], directed=directed, weights=weights)
    one, two = graph.to_igraph(weight="w"), graph.to_rustworkx()
    assert type(one) is igraph.Graph and type(two) is (rustworkx.PyDiGraph if directed else rustworkx.PyGraph)
    assert one.is_directed() == directed and one.vs["id"] == two.nodes() == list(graph.ids)
    expected = [*zip(*(column.tolist() for column in graph.to_edges()[:2]), weights or [None] * 3)]
    assert [(two[u], two[v], data) for u, v, data in two.weighted_edge_list()] == expected
    ends = [(one.vs[u]["id"], one.vs[v]["id"]) for u, v in one.get_edgelist()]
    assert [*zip(*zip(*ends), one.es["w"] if weights else [None] * 3)] == expected
    word = {"weight": "w"} if weights else {}
    for back in (hw.Graph.from_igraph(one, **word), hw.Graph.from_rustworkx(two, **({"weight": float} if weights else {}))):
        assert back.directed == directed and back.csr()[1].tolist() == graph.csr()[1].tolist()
        assert weights is None or back.weights.tolist() == graph.weights.tolist()
    alone = hw.Graph.from_edges([], [], num_vertices=2, directed=directed)
    assert alone.to_igraph().vcount() == len(alone.to_rustworkx()) == 2
