"""Searcher.reach() and reach_each(): what is reached and nothing else, against NetworkX."""

from __future__ import annotations

import random
import subprocess
import sys

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
    ended: list[hw.Step] = []
    hw.Searcher(graph).reach_each(np.arange(3), progress=ended.append)
    assert (ended[-1].what, ended[-1].done, ended[-1].total) == ("searches", 3, 3)


def test_odd_numbers() -> None:
    searcher = hw.Searcher(hw.Graph.from_edges(["a", "b"], ["b", "c"]))
    everything = {"a": 0, "b": 1, "c": 2}
    for many in (2, 2**32, 2**64, 10**30):
        assert dict(searcher.reach("a", nearest=many)) == dict(searcher.reach("a", max_depth=many)) == everything
    each = searcher.reach_each(["a", "b"])
    assert dict(each[np.int8(-2)]) == everything
    for wrong in (1.0, "0", None, True, slice(1)):
        with pytest.raises(TypeError, match="whole number"):
            each[wrong]  # type: ignore[index]
    with pytest.raises(IndexError):
        each[10**30]


def test_no_memory_for_a_thread() -> None:
    """Where none can be started, the caller's thread does the work."""
    code = """
import resource
import hopwave as hw
graph = hw.read("rmat:17,16")
searcher = hw.Searcher(graph)
count = hw.components(graph).count
used = 1024 * int(next(line for line in open("/proc/self/status") if line.startswith("VmData:")).split()[1])
resource.setrlimit(resource.RLIMIT_DATA, (used + (6 << 20), resource.RLIM_INFINITY))
def tell(name, call):
    try:
        found = call()
    except (MemoryError, hw.Error) as error:
        found = getattr(error, "id", "HW-MEMORY")
    print(name, found)
tell("components", lambda: hw.components(graph, threads=1).count == count)
tell("reach", lambda: len(searcher.reach(graph.ids[0], nearest=3)))
tell("each", lambda: len(searcher.reach_each(graph.ids[:500])))
tell("read", lambda: hw.read("rmat:18,16"))
"""
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert ended.stdout.split() == ["components", "True", "reach", "1", "each", "HW-MEMORY", "read", "HW-MEMORY"], ended
    assert ended.returncode == 0


@pytest.mark.parametrize("blocks", [0, 3, 40])
def test_no_memory_in_threads(blocks: int) -> None:
    """Where memory is refused to any of the threads, the call ends with an error or answers: the process goes on. `blocks`: of
    64 KiB, what is left."""
    code = """
import gc
import resource
import sys
import numpy as np
import hopwave as hw
ends = np.random.default_rng(1).integers(0, 1 << 17, (2, 1 << 20))
graph = hw.Graph.from_edges(*ends, weights=ends[0] % 9 + 1)
searcher = hw.Searcher(graph, threads=4)
ids = graph.ids[:500]
calls = {
    "reach_each": lambda: searcher.reach_each(ids, max_depth=3),
    "reach": lambda: searcher.reach(ids[0], max_depth=4),
    "each": lambda: searcher.each(ids[:64]),
    "summaries": lambda: hw.summaries(graph, ids, threads=4),
    "bfs": lambda: hw.bfs(graph, ids[0], direction="both", threads=4),
    "sssp": lambda: hw.sssp(graph, ids[0], threads=4),
    "strong_components": lambda: hw.strong_components(graph, threads=4),
    "core_numbers": lambda: hw.core_numbers(graph, threads=4),
    "betweenness": lambda: hw.betweenness(graph, samples=20, threads=4),
    "max_flow": lambda: hw.max_flow(graph, ids[0], ids[1], threads=4),
    "from_edges": lambda: hw.Graph.from_edges(*ends, threads=4),
    "to_undirected": lambda: graph.to_undirected(threads=4),
    "read": lambda: hw.read("rmat:17,8", threads=4),
}
found = dict.fromkeys(calls)
gc.disable()
used = 1024 * int(next(line for line in open("/proc/self/status") if line.startswith("VmData:")).split()[1])
resource.setrlimit(resource.RLIMIT_DATA, (used + (1 << 20), resource.RLIM_INFINITY))
taken = []
for size in (1 << 24, 1 << 20, 1 << 16):
    while True:
        try:
            taken.append(bytearray(size))
        except MemoryError:
            break
del taken[len(taken) - int(sys.argv[1]):]
for name, call in calls.items():
    try:
        call()
        found[name] = "answer"
    except MemoryError:
        found[name] = "MemoryError"
    except hw.Error as error:
        found[name] = error.id
taken.clear()
print(*(f"{name}:{what}" for name, what in found.items()))
"""
    ended = subprocess.run([sys.executable, "-c", code, str(blocks)], capture_output=True, text=True)
    assert ended.returncode == 0, ended
    outcomes = dict(word.split(":") for word in ended.stdout.split())
    assert outcomes["reach_each"] == outcomes["each"] == "HW-MEMORY", outcomes
    assert set(outcomes.values()) <= {"answer", "MemoryError", "HW-MEMORY"}, outcomes


def test_decimal_commas(tmp_path) -> None:  # type: ignore[no-untyped-def]
    file = tmp_path / "g.csv"
    file.write_text("source;target;weight\n1;2;0,5\n")
    with pytest.raises(hw.Error, match="HW-EDGE-WEIGHT"):
        hw.read(file)
    weights = hw.read(file, decimal_comma=True).weights
    assert weights is not None and weights.tolist() == [0.5]
