"""Searcher.reach() and reach_each(): what is reached and nothing else, against NetworkX."""

from __future__ import annotations

import random

import networkx as nx
import numpy as np
import pytest

import hopwave as hw


def oracle(graph: nx.Graph, source: int, max_depth: int | None, nearest: int | None) -> list[tuple[int, int]]:
    found = nx.single_source_shortest_path_length(graph, source, cutoff=max_depth)
    rows = sorted(found.items(), key=lambda row: (row[1], row[0]))
    return rows if nearest is None else rows[: nearest + 1]


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("seed", range(6))
def test_as_networkx(directed: bool, seed: int) -> None:
    random.seed(seed)
    theirs = nx.gnp_random_graph(60, 0.05, seed=seed, directed=directed)
    theirs.add_node(60)
    ours = hw.Graph.from_networkx(theirs)
    searcher = hw.Searcher(ours, device="cpu")
    for _ in range(30):
        source, max_depth = random.randrange(61), random.choice([None, 0, 1, 2, 3])
        nearest = random.choice([None, 1, 4, 100])
        near = searcher.reach(source, max_depth=max_depth, nearest=nearest, parents=True)
        assert list(near) == oracle(theirs, source, max_depth, nearest)
        assert len(near) == near.vertices.size == near.distance.size
        assert near.parent is not None
        for v, d, before in zip(near.vertices, near.distance, near.parent):
            assert (d == 0 and before == -1) or theirs.has_edge(ours.id(int(before)), ours.id(int(v)))
    sources = random.sample(range(61), 40)
    each = searcher.reach_each(sources, max_depth=2, parents=True)
    assert len(each) == 40
    for source, near in zip(sources, each):
        assert list(near) == oracle(theirs, source, 2, None)
    assert list(each[-1]) == oracle(theirs, sources[-1], 2, None)
    with pytest.raises(IndexError):
        each[40]


def test_ids_targets_and_directions() -> None:
    graph = hw.Graph.from_edges(["a", "b", "c", "d"], ["b", "c", "d", "e"])
    assert dict(hw.reach(graph, "a", max_depth=2)) == {"a": 0, "b": 1, "c": 2}
    assert dict(hw.reach(graph, "a", target="b")) == {"a": 0, "b": 1}
    assert dict(hw.reach(graph, "c", nearest=1, direction="in")) == {"c": 0, "b": 1}
    near = hw.reach(graph, ["a", "d"], max_depth=1)
    assert near.ids == ["a", "d", "b", "e"] and near.parent is None
    assert repr(near) == "<hopwave.Reached: 4 of 5 vertices, depth 1>"
    assert len(hw.reach(graph, "a")) == 5
    each = hw.Searcher(graph).reach_each(["a", "e"])
    assert repr(each) == "<hopwave.ReachedEach: 2 searches, 6 vertices reached>"
    assert each.begins.tolist() == [0, 5, 6] and each.parent is None
    assert len(hw.Searcher(graph).reach_each([])) == 0


def test_what_cannot_be_asked() -> None:
    graph = hw.Graph.from_edges([0, 1], [1, 2])
    for wrong in (0, -1):
        with pytest.raises(ValueError):
            hw.reach(graph, 0, nearest=wrong)
    with pytest.raises(hw.Error):
        hw.reach(graph, 9)
    with pytest.raises(TypeError):
        hw.reach(graph, 0, nearest="x")  # type: ignore[arg-type]
    ended: list[tuple[int, int]] = []
    hw.Searcher(graph).reach_each(np.arange(3), progress=lambda done, total: ended.append((done, total)))
    assert ended[-1] == (3, 3)


def test_decimal_commas(tmp_path) -> None:  # type: ignore[no-untyped-def]
    file = tmp_path / "g.csv"
    file.write_text("source;target;weight\n1;2;0,5\n")
    with pytest.raises(hw.Error, match="HW-EDGE-WEIGHT"):
        hw.read(file)
    weights = hw.read(file, decimal_comma=True).weights
    assert weights is not None and weights.tolist() == [0.5]
