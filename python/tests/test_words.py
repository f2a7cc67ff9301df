"""What is said to a Python user: hints in Python's words, wrong types with the call that helps, ids instead of numbers, short reprs."""

from __future__ import annotations

import dataclasses
import re
from pathlib import Path

import networkx as nx
import numpy as np
import pytest

import hopwave as hw
from hopwave._words import in_python

SOURCES = Path(__file__).parents[2] / "src"
# The tool's own folders, C's names, kernels' assembly, and the simulator's errors of kernels.
NOT_PYTHONS = ("cli/", "bfs/distributed/", "measure/", "c/", "draw/", "route/")
KERNELS = {"kernel_cuda.h", "architecture.cpp", "barriers.cpp", "inbox.cpp", "peers.cpp", "scheduler.cpp", "shared.cpp", "weak.cpp"}
# Of calls that Python has not: the C++ library's own, and what estimates and draws graphs on several GPUs.
UNREACHED = {
    "ensure_in() builds them, or BuildOptions::build_in",
    "{.parents = true}",
    "take a wider type, or Deeper::clamp",
    "ensure_in() before a path backwards",
    "--explain (FlowOptions::paths) asks for them",  # Python's flow has no paths to ask for
    "take a smaller --scale or more --gpus; `hopwave estimate rmat:SCALE --gpus N` shows it beforehand, and --allow-huge starts all the same",
}


def texts_of_the_library():
    for path in sorted(SOURCES.rglob("*")):
        if path.suffix not in (".cpp", ".h", ".cu") or path.relative_to(SOURCES).as_posix().startswith(NOT_PYTHONS) or path.name in (*KERNELS, "row.cpp", "strategy_source.cpp"):
            continue  # a row holds what the tool's help says, and that file the words of kernels
        code = "\n".join(line for line in path.read_text().split("\n") if not line.strip().startswith(("//", "#include")))
        for found in re.finditer(r'"(?:[^"\\\n]|\\.)*"(?:\s*"(?:[^"\\\n]|\\.)*")*', code):
            yield "".join(re.findall(r'"((?:[^"\\\n]|\\.)*)"', found[0]))


@pytest.mark.skipif(not SOURCES.exists(), reason="the library's sources are not here")
def test_every_hint_is_in_pythons_words():
    texts = {text for text in texts_of_the_library() if re.search(r"--[a-z]|::[a-z]|[A-Z][a-z]+::|\{\.|`hopwave ", text)}
    assert len(texts) > 60
    theirs = {
        text: in_python(text)
        for text in texts - UNREACHED
        if re.search(r"--[a-z]|(?<!igraph)::|\{\.|build_graph|(?<!the command )`hopwave |hopwave convert(?! and its)", in_python(text))
    }
    assert theirs == {}


@pytest.mark.parametrize(
    "theirs, ours",
    [
        ("to leave such rows out: --lenient", "to leave such rows out: lenient=True"),
        ("--header yes passes over it, --header no takes it", "header=True passes over it, header=False takes it"),
        ("; --columns weight=cost takes one", '; columns="weight=cost" takes one'),
        ("(--columns source=1,target=2)", '(columns="source=1,target=2")'),
        ("--missing-weight NUMBER or drop for rows", "missing_weight=NUMBER or drop for rows"),
        ("say --input-format metis, or --input-format edge-list", 'say format="metis", or format="edge-list"'),
        ("name it with --input-format", "name it with format="),
        ("say which with --directed or --undirected", "say which with directed=True or directed=False"),
        ("--device sim runs it", 'device="sim" runs it'),
        ("`hopwave strategies literal` lists them", "the command `hopwave strategies literal` lists them"),
        ("needs less: --param ms_bfs=0", 'needs less: parameters={"ms_bfs": 0}'),
        ("--no-bipartite as one; --no-weights", "bipartite=False as one; weights=False"),
        ("a row '--lenientia' of a file", "a row '--lenientia' of a file"),
    ],
)
def test_words(theirs, ours):
    assert in_python(theirs) == ours


def test_what_hints_name_is_there(tmp_path):
    """Each keyword of a hint of read() is one."""
    (tmp_path / "e.csv").write_text("a,b,w\n1,2,3\n1,2,NA\n")
    with pytest.raises(hw.Error) as caught:
        hw.read(tmp_path / "e.csv", columns={"source": "a", "target": "b", "weight": "w"})
    for word in re.findall(r"(\w+)=", caught.value.hint.replace('columns="weight=NAME"', "columns=")):
        assert word in hw.read.__annotations__, word
    assert "missing_weight=NUMBER" in caught.value.hint and caught.value.hint in str(caught.value)
    assert hw.read(tmp_path / "e.csv", missing_weight="drop", columns="source=a,target=b,weight=w").num_arcs == 1
    s = hw.Searcher(hw.read("rmat:6,8"), device="cpu", parameters={"ms_bfs": 0})
    assert s.bfs(0).reached
    with pytest.raises(hw.Error, match="HW-PARAM-UNKNOWN"):
        hw.Searcher(hw.read("rmat:6,8"), parameters={"no_such": 0})


FUNCTIONS = [
    hw.Searcher,
    lambda g: hw.bfs(g, 0),
    hw.summaries,
    hw.closeness,
    lambda g: hw.closeness(g, samples=2),
    hw.harmonic,
    lambda g: hw.harmonic(g, samples=2),
    hw.eccentricity,
    hw.eccentricities,
    hw.diameter,
    hw.radius,
    lambda g: hw.sampled_closeness(g, 2),
    hw.betweenness,
    hw.edge_betweenness,
    lambda g: hw.betweenness_error(g, 2),
    lambda g: hw.sssp(g, 0),
    hw.components,
    hw.strong_components,
    hw.condensation,
    hw.topological_generations,
    hw.is_acyclic,
    lambda g: hw.max_flow(g, 0, 1),
    hw.maximum_matching,
]


def others():
    sparse = pytest.importorskip("scipy.sparse")
    pandas, polars, igraph = (pytest.importorskip(name) for name in ("pandas", "polars", "igraph"))
    edges = {"source": [0], "target": [1]}
    return [
        (nx.path_graph(3), "hopwave.Graph.from_networkx(graph)"),
        (nx.DiGraph().subgraph([]), "hopwave.Graph.from_networkx(graph)"),
        ("graph.csv", "hopwave.read(path)"),
        (Path("graph.csv"), "hopwave.read(path)"),
        (b"graph.csv", "hopwave.read(path)"),
        (sparse.eye_array(3), "hopwave.Graph.from_scipy(matrix)"),
        (sparse.csr_matrix((3, 3)), "hopwave.Graph.from_scipy(matrix)"),
        (pandas.DataFrame(edges), "hopwave.Graph.from_table(table, source, target)"),
        (polars.DataFrame(edges), "hopwave.Graph.from_table(table, source, target)"),
        (igraph.Graph([(0, 1)]), "hopwave.Graph.from_igraph(graph)"),
        (np.zeros((2, 5), int), "hopwave.Graph.from_dlpack(edges)"),
        (np.eye(3), "hopwave.Graph.from_edges(sources, targets)"),
        ([(0, 1)], "hopwave.Graph.from_edges(sources, targets)"),
        (hw.Searcher(hw.read("chain:3")), ".graph is one"),
        (None, "not None"),
        (hw.Graph, "not the class Graph"),
        (5, "not int"),
        ({0: [1]}, "not dict"),
    ]


def test_every_function_says_what_it_needs():
    for graph, hint in others():
        for function in FUNCTIONS:
            with pytest.raises(TypeError, match="graph: a hopwave.Graph is needed, not ") as caught:
                function(graph)
            assert hint in str(caught.value)
    with pytest.raises(TypeError, match="not a hopwave.DeviceGraph: its download"):
        hw.components(hw.DeviceGraph.from_csr(np.array([0, 0]), np.array([], np.int32), directed=False, device="sim"))


def test_every_maker_says_what_it_needs():
    makers = {
        "path: ": (hw.read, "hopwave.read(path)"),
        "matrix: ": (hw.Graph.from_scipy, "hopwave.Graph.from_scipy(matrix)"),
        "graph: a graph of NetworkX": (hw.Graph.from_networkx, "hopwave.Graph.from_networkx(graph)"),
        "graph: a graph of igraph": (hw.Graph.from_igraph, "hopwave.Graph.from_igraph(graph)"),
        "graph: a graph of graph-tool": (hw.Graph.from_graph_tool, ""),
        "table: ": (hw.Graph.from_table, "hopwave.Graph.from_table(table, source, target)"),
    }
    for begin, (make, own) in makers.items():
        for value, hint in others():
            if hint == own or (begin == "table: " and (isinstance(value, (dict, np.ndarray)) or hasattr(value, "vs") or hasattr(value, "_adj"))):
                continue
            with pytest.raises(TypeError, match=f"^{begin}.*is needed, not ") as caught:
                make(value)
            assert hint in str(caught.value)
    with pytest.raises(KeyError, match="no column is called 'source'; there are a, b"):
        hw.Graph.from_table({"a": [1], "b": [2]})
    pandas = pytest.importorskip("pandas")
    with pytest.raises(KeyError, match="no column is called 'target'"):
        hw.Graph.from_table(pandas.DataFrame({"source": [1], "to": [2]}))
    for call in (hw.Graph, lambda: hw.Graph([(0, 1)])):
        with pytest.raises(TypeError):
            call()


def test_numbers_out_of_range_are_named_as_given():
    for call in (
        lambda: hw.Graph.from_csr([0, 1], [-1]),
        lambda: hw.Graph.from_csr(np.array([0, 1]), np.array([-1], np.int32)),
        lambda: hw.Graph.from_csr([0, -1], [0]),
        lambda: hw.Graph.from_edges([-1], [0], num_vertices=2),
    ):
        with pytest.raises(hw.Error, match="-1") as caught:
            call()
        assert "4294967295" not in str(caught.value)
    graph = hw.read("chain:4")
    for call in (lambda: hw.bfs(graph, -1), lambda: hw.bfs(graph, [0, -1]), lambda: hw.bfs(graph, 0, target=-1), lambda: hw.sssp(graph, 0, target=-1)):
        with pytest.raises(hw.Error, match="-1"):
            call()
    sparse = pytest.importorskip("scipy.sparse")
    for matrix in (sparse.coo_array([1, 0, 2]), sparse.coo_array(np.ones((2, 2, 2)))):
        with pytest.raises(ValueError, match="is not square"):
            hw.Graph.from_scipy(matrix)
    for call in (
        lambda: hw.sampled_closeness(graph, 2, seed=-1),
        lambda: hw.betweenness(graph, samples=2, seed=-1),
        lambda: hw.eccentricities(graph, max_searches=-1),
        lambda: hw.closeness(graph).top(-1),
    ):
        with pytest.raises(ValueError):
            call()
    for call in (lambda: hw.betweenness(graph, endpoints=1), lambda: hw.betweenness(graph, normalized="no"), lambda: hw.bfs(graph, 0, parents=1)):
        with pytest.raises(TypeError, match="True or False"):
            call()


# A path and a star, whose ids are never the numbers of their vertices.
NAMES = {"numbers": [100, 50, 70, 20, 90, 60], "texts": ["f", "e", "d", "c", "b", "a"], "nodes": [(5,), (4,), "3", 2.5, frozenset([1]), 0]}


@pytest.mark.parametrize("kind", NAMES)
def test_every_vertex_that_a_result_names_is_the_callers(kind):
    a, b, c, d, e, f = NAMES[kind]
    edges = [(a, b), (b, c), (c, d), (d, e), (d, f)]
    theirs = nx.Graph(edges)
    graph = hw.Graph.from_networkx(theirs) if kind == "nodes" else hw.Graph.from_edges(*zip(*edges), directed=False)
    ids = set(NAMES[kind])

    found = hw.eccentricities(graph)
    assert set(found.center) == set(nx.center(theirs)) and set(found.periphery) == set(nx.periphery(theirs))
    assert found.central in found.center and nx.shortest_path_length(theirs, *found.ends) == nx.diameter(theirs)
    assert hw.eccentricities(hw.Graph.from_edges([], [])).center == []

    parts = hw.components(graph)
    assert set(parts.largest) == set(parts.of(a)) == ids and len(parts.largest) == len(ids)
    assert hw.strong_components(graph).of(f) == parts.of(f)
    assert hw.components(hw.Graph.from_edges([], [])).largest == []
    one = hw.Graph.from_networkx(nx.DiGraph([*edges, (c, a)])) if kind == "nodes" else hw.Graph.from_edges(*zip(*edges, (c, a)))
    assert set(hw.condensation(one).ids) <= ids and hw.condensation(one).num_vertices == 4

    for search in (hw.bfs(graph, a, parents=True), hw.sssp(graph, a)):
        assert search.path_to(e) == [a, b, c, d, e] and search.distance_to(e) == 4
        assert [search.parent_of(v) for v in (a, b, e)] == [None, a, d]
    with pytest.raises(ValueError, match="parents=True"):
        hw.bfs(graph, a).parent_of(b)

    nx_values = {
        hw.closeness: nx.closeness_centrality,
        hw.harmonic: nx.harmonic_centrality,
        hw.betweenness: nx.betweenness_centrality,
        hw.eccentricity: nx.eccentricity,
        hw.edge_betweenness: nx.edge_betweenness_centrality,
    }
    for ours, function in nx_values.items():
        expected, best = function(theirs), ours(graph).top(99)
        assert len(best) == len(expected) and [v for _, v in best] == sorted((v for _, v in best), reverse=True)
        for id, value in best:
            assert value == pytest.approx(expected[id] if id in expected else expected[id[::-1]])
        assert ours(graph).top(2) == best[:2] and ours(graph).top(0) == []
    assert {id for id, _ in hw.closeness(graph, [e, f]).top()} == {e, f}
    sampled = hw.sampled_closeness(graph, 6)
    assert dict(sampled.closeness.top(99)) == pytest.approx(nx.closeness_centrality(theirs))
    assert {id for id, _ in sampled.harmonic.top(99)} == {id for id, _ in sampled.average.top(99)} == ids
    assert all(id in graph for id in ids) and "no such" not in graph and [] not in graph


def test_values_are_arrays():
    graph = hw.read("rmat:7,4")
    values = hw.closeness(graph)
    assert isinstance(values, np.ndarray) and values.size == 128 and type(values * 2) is type(values + values) is np.ndarray
    assert isinstance(values.max(), float) and type(np.sqrt(values)) is np.ndarray
    assert values.top(3) == sorted(zip(graph.ids.tolist(), values.tolist()), key=lambda pair: (-pair[1], pair[0]))[:3]
    for part in (values[:3], values[::-1], np.sort(values), values.copy()):
        with pytest.raises(ValueError, match="top"):
            part.top()
    import pickle

    assert np.array_equal(pickle.loads(pickle.dumps(values)), values)
    assert hw.edge_betweenness(graph.to_directed()).top(1)[0][0] in zip(*(c.tolist() for c in graph.to_directed().to_edges()[:2]))


def test_reprs_are_short():
    graph = hw.read("rmat:10,8")
    results = [
        graph,
        hw.bfs(graph, 0),
        hw.sssp(graph, 0),
        hw.Searcher(graph),
        hw.components(graph),
        hw.strong_components(graph),
        hw.eccentricities(graph),
        hw.eccentricities(graph, max_searches=1),
        hw.sampled_closeness(graph, 10),
        hw.closeness(graph),
        hw.edge_betweenness(graph),
    ]
    for result in results:
        assert len(repr(result)) < 250 and "\n" not in repr(result), result
    assert all(dataclasses.is_dataclass(type(result)) for result in results[4:9])


def test_default_directions_are_networkxs():
    theirs = nx.DiGraph([(0, 1), (1, 2), (2, 0), (2, 3), (4, 2), (3, 0), (1, 4)])
    graph = hw.Graph.from_networkx(theirs)
    for ours, function in (
        (hw.closeness, nx.closeness_centrality),
        (hw.harmonic, nx.harmonic_centrality),
        (hw.eccentricity, nx.eccentricity),
        (hw.betweenness, nx.betweenness_centrality),
        (lambda g: hw.closeness(g, samples=99), nx.closeness_centrality),
        (lambda g: hw.sampled_closeness(g, 99).harmonic, nx.harmonic_centrality),
    ):
        assert ours(graph).tolist() == pytest.approx(list(function(theirs).values()))
    expected = nx.edge_betweenness_centrality(theirs)
    assert dict(hw.edge_betweenness(graph).top(99)) == pytest.approx(expected)
