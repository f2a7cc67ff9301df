"""Maximum flow and minimum cut: by hand, and against NetworkX."""

from __future__ import annotations

import math
import random
from typing import Any

import networkx as nx
import numpy as np
import pytest

import hopwave as hw

STRATEGIES = ("auto", "edmonds-karp", "dinic", "push-relabel")
# a → b (4), a → c (2), b → c (1), b → d (2), c → d (4)
SOURCES, TARGETS, CAPACITIES = ["a", "a", "b", "b", "c"], ["b", "c", "c", "d", "d"], [4, 2, 1, 2, 4]


def check(graph: hw.Graph, flow: hw.Flow, source: Any, target: Any) -> None:
    """By the rules of flows: with a cut of its value it is a maximum flow."""
    offsets, heads = graph.csr()
    tails = np.repeat(np.arange(graph.num_vertices), np.diff(offsets.astype(np.int64)))
    capacity = np.ones(graph.num_arcs, np.int64) if graph.weights is None else graph.weights
    assert flow.arc.dtype == np.int64 and ((0 <= flow.arc) & (flow.arc <= capacity)).all()
    balance = np.zeros(graph.num_vertices, np.int64)
    np.add.at(balance, heads, flow.arc)
    np.subtract.at(balance, tails, flow.arc)
    expected = np.zeros(graph.num_vertices, np.int64)
    expected[graph.vertex(source)], expected[graph.vertex(target)] = -flow.value, flow.value
    assert (balance == expected).all()
    assert flow.source_side.dtype == np.bool_ and flow.source_side[graph.vertex(source)] and not flow.source_side[graph.vertex(target)]
    assert sum(c for *_, c in flow.cut()) == flow.value and all(c > 0 for *_, c in flow.cut())


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_flow_by_hand(strategy):
    graph = hw.Graph.from_edges(SOURCES, TARGETS, weights=CAPACITIES)
    flow = hw.max_flow(graph, "a", "d", strategy=strategy)
    assert flow.value == 5 and type(flow.value) is int
    assert flow.cut() == [("a", "c", 2), ("b", "c", 1), ("b", "d", 2)]
    assert [flow.of(u, v) for u, v in zip(SOURCES, TARGETS)] == [3, 2, 1, 2, 3]
    assert flow.of("b", "a") == flow.of("a", "d") == 0 and type(flow.of("a", "b")) is int
    assert flow.source_side.tolist() == [True, True, False, False]
    assert repr(flow) == "<hopwave.Flow: 5, 2 of 4 vertices on the source's side of the cut>"
    check(graph, flow, "a", "d")
    nothing = hw.max_flow(graph, "d", "a", strategy=strategy)
    assert nothing.value == 0 and nothing.cut() == [] and not nothing.arc.any()
    both = hw.Graph.from_edges(SOURCES, TARGETS, weights=CAPACITIES, directed=False)
    flow = hw.max_flow(both, "d", "a", strategy=strategy)
    assert flow.value == 5 and (flow.of("d", "b"), flow.of("b", "d"), flow.of("d", "c")) == (2, 0, 3)
    check(both, flow, "d", "a")


def test_the_simulator_finds_the_same():
    graph = hw.Graph.from_edges(SOURCES, TARGETS, weights=CAPACITIES)
    flow = hw.max_flow(graph, "a", "d", device="sim", threads=1)
    assert flow.value == 5 and flow.source_side.tolist() == [True, True, False, False]
    check(graph, flow, "a", "d")


def test_without_weights_each_arc_carries_one():
    graph = hw.Graph.from_edges(SOURCES, TARGETS)
    flow = hw.max_flow(graph, "a", "d")
    assert flow.value == 2 and [c for *_, c in flow.cut()] == [1, 1]
    check(graph, flow, "a", "d")


@pytest.mark.parametrize("directed", [True, False])
def test_parallel_edges_add_up_where_they_are_kept(directed):
    ends = [0, 0, 1], [1, 1, 2]
    kept = hw.Graph.from_edges(*ends, weights=[3, 4, 10], directed=directed, keep_duplicates=True)
    flow = hw.max_flow(kept, 0, 2)
    assert flow.value == flow.of(0, 1) == flow.of(1, 2) == 7 and sorted(flow.cut()) == [(0, 1, 3), (0, 1, 4)]
    check(kept, flow, 0, 2)
    assert hw.max_flow(hw.Graph.from_edges(*ends, weights=[3, 4, 10], directed=directed), 0, 2).value == 3


def test_parallel_edges_of_a_file(tmp_path):
    (tmp_path / "e.csv").write_text("source,target,weight\n0,1,3\n0,1,4\n1,2,10\n")
    assert hw.max_flow(hw.read(tmp_path / "e.csv", keep_duplicates=True), 0, 2).value == 7
    assert hw.max_flow(hw.read(tmp_path / "e.csv"), 0, 2).value == 3


def test_a_file_names_its_ends(tmp_path):
    path = tmp_path / "net.max"
    path.write_text("p max 3 4\nn 1 s\nn 3 t\na 1 2 3\na 1 2 4\na 2 3 9\na 3 1 1\n")
    graph = hw.read(path)
    assert (graph.default_source, graph.default_target) == (1, 3)
    flow = hw.max_flow(graph)
    assert (flow.source, flow.target, flow.value) == (1, 3, 7) and flow.run.notes == ()
    check(graph, flow, 1, 3)
    assert hw.max_flow(graph, target=2).value == 7 and hw.max_flow(graph, 2).value == 9
    lightest = hw.max_flow(hw.read(path, keep_duplicates=False))
    assert lightest.value == 3 and lightest.run.notes[0].startswith("1 parallel arc of the input")
    for format in ("max", "hwg"):
        graph.write(tmp_path / f"copy.{format}", **({"source": 1, "target": 3} if format == "max" else {}))
        assert hw.max_flow(hw.read(tmp_path / f"copy.{format}")).value == 7
    assert hw.max_flow(hw.read("gridcut:8x8"), device="sim").value == hw.max_flow(hw.read("gridcut:8x8"), 0, 65).value
    text = hw.Graph.from_edges(SOURCES, TARGETS, weights=CAPACITIES)
    assert text.default_source is None and text.default_target is None
    text.write(tmp_path / "text.max", source="a", target="d", renumber=True)
    assert hw.max_flow(hw.read(tmp_path / "text.max")).value == 5
    for arguments, missing in (((), "SOURCE"), (("a",), "TARGET")):
        with pytest.raises(hw.Error, match="the graph names none") as caught:
            hw.max_flow(text, *arguments)
        assert caught.value.id == f"HW-QUERY-{missing}"
    path.write_text("p max 3 1\nn 1 s\nn 1 t\na 1 2 3\n")
    with pytest.raises(hw.Error, match="net.max:3") as caught:
        hw.read(path)
    assert caught.value.id == "HW-GR-LINE"


def test_capacities_are_exact():
    large = 2**62 + 1
    for capacities in ([large, large - 1], [2.0**62, 2.0**53]):
        graph = hw.Graph.from_edges([0, 1], [1, 2], weights=capacities)
        assert hw.max_flow(graph, 0, 2).value == min(map(int, capacities))
    graph = hw.Graph.from_edges([0, 1], [1, 2], weights=[0, 5])
    assert hw.max_flow(graph, 0, 2).cut() == [] and hw.max_flow(graph, 1, 2).value == 5


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("directed", [True, False])
def test_random_graphs_against_networkx(strategy, directed):
    for seed in range(12):
        draw = random.Random(seed)
        n, m = draw.choice([(6, 12), (30, 90), (60, 400)])
        name = str if seed % 2 else (lambda v: 10 * v - 7)
        pairs = [(draw.randrange(n), draw.randrange(n)) for _ in range(m)] + [(0, n - 1)]
        capacity = [draw.choice([0, 1, 2, 7, 100]) for _ in pairs]
        theirs: Any = (nx.DiGraph if directed else nx.Graph)()
        theirs.add_nodes_from(range(n))
        for (u, v), c in zip(pairs, capacity):  # parallel edges add up
            before = theirs[u][v]["capacity"] if theirs.has_edge(u, v) else 0
            theirs.add_edge(u, v, capacity=before + c)
        ids = [[name(pair[end]) for pair in pairs] for end in (0, 1)]
        graph = hw.Graph.from_edges(*ids, weights=capacity, directed=directed, keep_duplicates=True, keep_self_loops=True)
        flow = hw.max_flow(graph, name(0), name(n - 1), strategy=strategy)
        assert flow.value == nx.maximum_flow_value(theirs, 0, n - 1, backend="networkx")
        check(graph, flow, name(0), name(n - 1))
        assert sum(flow.of(name(v), name(n - 1)) - flow.of(name(n - 1), name(v)) for v in range(n - 1) if name(v) in graph) == flow.value


def test_nodes_of_networkx_are_ids():
    theirs = nx.DiGraph([((0, 1), "x", {"capacity": 3}), ("x", 2.5, {"capacity": 2})])
    flow = hw.max_flow(hw.Graph.from_networkx(theirs, weight="capacity"), (0, 1), 2.5)
    assert flow.value == 2 and flow.cut() == [("x", 2.5, 2)] and flow.of((0, 1), "x") == 2


def test_what_is_refused():
    graph = hw.Graph.from_edges(SOURCES, TARGETS, weights=CAPACITIES)

    def id_of(call: Any) -> str:
        with pytest.raises(hw.Error) as caught:
            call()
        return str(caught.value.id)

    for wrong in ([4, 2, -1, 2, 4], [4, 2, 0.5, 2, 4], [4, 2, math.nan, 2, 4], [4, 2, math.inf, 2, 4]):
        assert id_of(lambda: hw.max_flow(hw.Graph.from_edges(SOURCES, TARGETS, weights=wrong), "a", "d")) == "HW-FLOW-CAPACITY"
    with pytest.raises(hw.Error, match="a capacity of 1e[+]300 from a to b"):
        hw.max_flow(hw.Graph.from_edges(["a"], ["b"], weights=[1e300]), "a", "b")
    large = hw.Graph.from_edges(SOURCES, TARGETS, weights=[2**63 - 1, 1, 1, 1, 1])
    assert id_of(lambda: hw.max_flow(large, "a", "d")) == "HW-FLOW-SUM"
    assert id_of(lambda: hw.max_flow(graph, "a", "e")) == id_of(lambda: hw.max_flow(graph, "e", "a")) == "HW-IDS-UNKNOWN"
    with pytest.raises(hw.Error, match="the target a, expected another vertex than the source") as caught:
        hw.max_flow(graph, "a", "a")
    assert caught.value.id == "HW-QUERY-TARGET"
    assert id_of(lambda: hw.max_flow(graph, "a", "d", strategy="none")) == "HW-STRATEGY-UNKNOWN"
    assert id_of(lambda: hw.max_flow(graph, "a", "d", strategy="dinic", device="sim")) == "HW-STRATEGY-DEVICE"
    assert id_of(lambda: hw.max_flow(graph, "a", "d", time_limit=1e-9)) == "HW-TIME-LIMIT"
    assert id_of(lambda: hw.max_flow(graph, "a", "d").of("a", "e")) == "HW-IDS-UNKNOWN"
    assert id_of(lambda: hw.max_flow(graph, "a", "d", threads=-1)) == "HW-OPTION-THREADS"
    with pytest.raises(ValueError):
        hw.max_flow(graph, "a", "d", device="none")  # type: ignore[arg-type]
    for words in ({"threads": 1.5}, {"strategy": None}, {"time_limit": "1"}):
        with pytest.raises(TypeError):
            hw.max_flow(graph, "a", "d", **words)
    with pytest.raises(TypeError):
        hw.max_flow(graph, 0.5, "d")
    with pytest.raises(AttributeError):
        hw.max_flow(graph, "a", "d").value = 3  # type: ignore[misc]


def test_progress_reaches_the_value():
    graph = hw.read("rmat:12,8")
    seen: list[hw.Step] = []
    flow = hw.max_flow(graph, 0, 1, progress=seen.append)
    assert seen[-1].done == seen[-1].total == flow.value and all(s.done <= s.total for s in seen)
    assert seen[-1].what == "flow" and {s.what for s in seen} <= {"work", "flow"}  # "work": the network is built
    check(graph, flow, 0, 1)
