"""Maximum matching and minimum vertex cover: by hand, and against NetworkX and SciPy."""

from __future__ import annotations

import random
from typing import Any

import networkx as nx
import numpy as np
import pytest

import hopwave as hw
from hopwave_networkx import rules

# Ann and Bob can do 1, Ann also 2; nobody can do 3.
PEOPLE, JOBS = ["Ann", "Bob", "Ann"], ["one", "one", "two"]


def id_of(call: Any) -> str:
    with pytest.raises(hw.Error) as caught:
        call()
    return caught.value.id


def drawn(seed: int) -> tuple[int, int, list[tuple[int, int]]]:
    draw = random.Random(seed)
    left, right = draw.randint(1, 40), draw.randint(1, 40)
    return left, right, [(draw.randrange(left), left + draw.randrange(right)) for _ in range(draw.randint(0, 3 * left))]


def check(graph: hw.Graph, found: hw.Matching) -> None:
    """By the rules: with a cover of its size it is a maximum matching."""
    edges = {frozenset(edge) for edge in zip(*(list(ends) for ends in _ends(graph)))}
    pairs, cover = found.pairs(), set(found.cover())
    assert len(pairs) == len(cover) == found.size and len({v for pair in pairs for v in pair}) == 2 * found.size
    assert all(frozenset(pair) in edges for pair in pairs) and all(edge & cover for edge in edges)
    assert all(found.of(u) == v and found.of(v) == u for u, v in pairs)


def _ends(graph: hw.Graph) -> tuple[list[Any], list[Any]]:
    offsets, heads = graph.csr()
    tails = np.repeat(np.arange(graph.num_vertices), np.diff(offsets.astype(np.int64)))
    return [graph.ids[v] for v in tails], [graph.ids[v] for v in heads]


@pytest.mark.parametrize("device", ["auto", "sim"])
def test_a_matching_by_hand(device):
    graph = hw.Graph.from_edges(PEOPLE, JOBS, directed=False)
    found = hw.maximum_matching(graph, ["Ann", "Bob"], device=device)
    assert found.size == 2 and found.pairs() == [("Ann", "two"), ("Bob", "one")]
    assert found.of("two") == "Ann" and found.cover() == ["Ann", "Bob"]
    assert repr(found) == "<hopwave.Matching: 2 pairs of 2 left and 2 right vertices>"
    assert found.right.dtype == found.in_cover.dtype == np.bool_ and found.mate.dtype == np.uint32
    check(graph, found)
    turned = hw.maximum_matching(graph, np.array(["one", "two"], object), device=device)
    assert turned.pairs() == [("one", "Bob"), ("two", "Ann")]
    alone = hw.maximum_matching(hw.Graph.from_edges([0], [1], num_vertices=3), device=device)
    assert alone.of(2) is None and alone.pairs() == [(0, 1)]
    none = hw.maximum_matching(hw.Graph.from_edges([], []), device=device)
    assert none.size == 0 and none.pairs() == none.cover() == []


def test_scipy_finds_as_many():
    sparse = pytest.importorskip("scipy.sparse")
    from scipy.sparse.csgraph import maximum_bipartite_matching

    for seed in range(120):
        left, right, edges = drawn(seed)
        matrix = sparse.coo_array((np.ones(len(edges)), ([u for u, _ in edges], [v - left for _, v in edges])), (left, right)).tocsr()
        theirs = int(np.count_nonzero(maximum_bipartite_matching(matrix, perm_type="column") >= 0))
        graph = hw.Graph.from_edges([u for u, _ in edges], [v for _, v in edges], directed=seed % 2 == 0, num_vertices=left + right)
        for device in ("cpu", "sim") if seed % 5 == 0 else ("cpu",):
            found = hw.maximum_matching(graph, range(left), device=device)
            assert found.size == theirs
            check(graph, found)
        assert hw.maximum_matching(graph).size == theirs


def test_files_of_two_kinds(tmp_path):
    path = tmp_path / "likes.txt"
    path.write_text("1 1\n2 1\n")
    with pytest.warns(UserWarning, match="two kinds of vertices"):
        graph = hw.read(path, bipartite=True)
    found = hw.maximum_matching(graph)
    assert found.size == 1 and found.right.tolist() == [False, False, True] and found.cover() == ["right:1"]
    check(graph, found)


def test_networkx_has_as_many():
    function = nx.bipartite.hopcroft_karp_matching
    assert nx.bipartite.maximum_matching is function
    for seed in range(80):
        left, right, edges = drawn(seed)
        g: Any = (nx.Graph, nx.MultiGraph)[seed % 2]()
        g.add_nodes_from(range(left + right))
        g.add_edges_from(edges)
        g = nx.relabel_nodes(g, {v: frozenset([v]) for v in g}) if seed % 3 == 0 else g
        tops = list(g)[:left]
        ours, theirs = (function(g, tops, backend=backend) for backend in ("hopwave", "networkx"))
        assert len(ours) == len(theirs) and all(ours[ours[v]] == v and g.has_edge(v, ours[v]) for v in ours)
        assert {v for v in list(ours)[: len(ours) // 2]} <= set(tops)
        part = g.subgraph(max(nx.connected_components(g), key=len))
        assert len(function(part, backend="hopwave")) == len(function(part, backend="networkx"))
        assert len(nx.bipartite.to_vertex_cover(g, ours, tops)) * 2 == len(ours)


def test_calls_that_networkx_refuses_or_answers_itself():
    function = nx.bipartite.hopcroft_karp_matching
    apart, odd = nx.Graph([(0, 1), (2, 3)]), nx.cycle_graph(5)
    for g, tops in ((apart, None), (odd, None), (nx.Graph(), None), (apart, [9]), (apart, 3), (nx.path_graph(4), [0, 1])):
        answers = []
        for backend in ("hopwave", "networkx"):
            try:
                answers.append(function(g, tops, backend=backend))
            except Exception as error:
                answers.append((type(error), str(error)))
        assert answers[0] == answers[1] and isinstance(answers[0], tuple)
    path = nx.path_graph(3, create_using=nx.DiGraph)
    assert "kind of graph" in rules.left("hopcroft_karp_matching", {"G": path})
    with nx.config(backend_priority=["hopwave"]):
        assert len(function(nx.grid_2d_graph(8, 8))) == 64


def test_errors():
    graph = hw.Graph.from_edges(PEOPLE, JOBS)
    assert id_of(lambda: hw.maximum_matching(graph, ["Ann", "one"])) == "HW-MATCHING-SIDE"
    assert id_of(lambda: hw.maximum_matching(graph, ["Zoe"])) == "HW-IDS-UNKNOWN"
    assert id_of(lambda: hw.maximum_matching(graph, threads=-1)) == "HW-OPTION-THREADS"
    with pytest.raises(hw.Error, match="a cycle of 3 vertices, an odd number: b, a, c") as caught:
        hw.maximum_matching(hw.Graph.from_edges(["a", "b", "c"], ["b", "c", "a"]))
    assert caught.value.id == "HW-MATCHING-CYCLE"
    for left in (3, "Ann", b"Ann", {"Ann": 1}):  # no letters of a name, either
        with pytest.raises(TypeError, match="ids: several are needed, such as a list or an array"):
            hw.maximum_matching(graph, left)
    with pytest.raises(AttributeError):
        hw.maximum_matching(graph).size = 3  # type: ignore[misc]


def test_progress_reaches_the_size():
    seen: list[hw.Step] = []
    found = hw.maximum_matching(hw.read("grid:200x300"), progress=seen.append)
    assert seen[-1].done == found.size == 30000 and seen[-1].what == "pairs"
    assert {s.what for s in seen} <= {"work", "pairs"}  # "work": the sides
