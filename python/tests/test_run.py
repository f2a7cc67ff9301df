"""What results say of their run."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from typing import Any

import numpy as np
import pytest
from of_table import TABLE, calls

import hopwave as hw

GRAPH = hw.read("rmat:8,8")
WEIGHED = hw.Graph.from_edges([0, 1, 0], [1, 2, 2], weights=[1, 2, 5])
RESULTS = {
    "bfs": (lambda **w: hw.bfs(GRAPH, 0, **w), hw.SearchReport),
    "bfs on a device": (lambda **w: hw.bfs(GRAPH, 0, **w | {"device": "sim"}, out="dlpack"), hw.SearchReport),
    "reach": (lambda **w: hw.reach(GRAPH, 0, **w), hw.SearchReport),
    "reach_each": (lambda **w: hw.Searcher(GRAPH, **w).reach_each(range(5)), hw.SearchReport),
    "one of reach_each": (lambda **w: hw.Searcher(GRAPH, **w).reach_each(range(5))[2], hw.SearchReport),
    "sssp": (lambda **w: hw.sssp(WEIGHED, 0, **w), hw.WeightedReport),
    "distance_matrix": (lambda **w: hw.distance_matrix(GRAPH, [0, 1], **w), hw.RunReport),
    "distance_matrix by weights": (lambda **w: hw.distance_matrix(WEIGHED, [0, 1], weights=True, **w), hw.RunReport),
} | {name: (call, hw.RunReport) for name, call in calls(GRAPH).items() if TABLE[name]["result"]}
ALIASES = {"complete", "ended", "search_ms", "milliseconds", "seconds", "device", "strategy", "chosen", "notes", "steps", "launches"}


@pytest.mark.parametrize("name", RESULTS)
@pytest.mark.parametrize("device", ["cpu", "sim"])
def test_every_result_has_its_report(name, device):
    call, kind = RESULTS[name]
    found = call(device=device)
    run = found.run
    assert type(run) is kind and isinstance(run, hw.RunReport) and found.run is run
    assert run.end == "complete" and run.complete is True
    assert run.device == ("sim" if name == "bfs on a device" else device)
    assert isinstance(run.strategy, str) and isinstance(run.chosen, str)
    for part in ("prepare_ms", "copy_in_ms", "work_ms", "copy_out_ms"):
        assert type(getattr(run, part)) is float and getattr(run, part) >= 0
    assert type(run.notes) is tuple and all(type(note) is str for note in run.notes)
    for field in dataclasses.fields(run):
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(run, field.name, None)
    with pytest.raises(AttributeError):
        run.complete = False  # type: ignore[misc]
    assert pickle.loads(pickle.dumps(run)) == run
    assert not ALIASES & set(dir(found))


@pytest.mark.parametrize("name", [name for name in RESULTS if not name.startswith("bfs")])
def test_results_can_be_copied(name):
    found = RESULTS[name][0](device="cpu")
    assert copy.deepcopy(found).run == found.run


def test_the_report_of_a_search():
    line = hw.Graph.from_edges(range(9), range(1, 10))
    run = hw.bfs(line, 0, device="cpu").run
    assert run.levels == 9 and run.steps >= 9 and run.host_ms > 0 and run.work_ms > 0
    assert (run.launches, run.grid, run.block, run.trace, run.counts, run.devices, run.parts_ms) == (0, 0, 0, (), (), (), {})
    assert run.strategy in hw.strategies() and run.chosen.startswith(run.strategy)
    simulated = hw.Searcher(line, device="sim", strategy="pmpp-vertex-push", trace=True, counts=True).bfs(0).run
    assert simulated.launches > 0 and simulated.block > 0 and simulated.strategy == "pmpp-vertex-push" and simulated.chosen == ""
    reads = [r for launch in simulated.counts for r in launch["requests"] if r["kind"] == "neighbors"]
    assert reads and all(r["access"] == "read" and r["memory"] == "device" for r in reads)
    assert sum(r["accesses"] for r in reads) == 9 and sum(r["transfers"] for r in reads) == sum(r["requests"] for r in reads)
    assert sum(step["found"] for step in simulated.trace) == 9 and all(step["ms"] >= 0 for step in simulated.trace)
    parts = hw.Searcher(GRAPH, device="sim", gpus=2, partition=True, trace=True).bfs(0).run.devices
    assert {part["device"] for part in parts} == {0, 1} and parts[0]["compute_ms"] >= 0


def test_the_report_of_a_search_by_weight():
    run = hw.sssp(WEIGHED, 0, strategy="cpu-dijkstra", device="cpu").run
    assert run.strategy == "cpu-dijkstra" and run.relaxations == 3 and run.steps == 3
    assert run.delta == 0 and run.launches == run.round_trips == 0 and run.parents_ms >= 0


def test_what_auto_is_where_a_copy_would_take_longer():
    for call in (hw.components, hw.strong_components, hw.core_numbers):
        assert call(GRAPH).run.device == call(GRAPH, device="auto").run.device == "cpu"
    assert hw.max_flow(WEIGHED, 0, 2).run.device == hw.reach(GRAPH, 0).run.device == "cpu"
    assert np.array_equal(hw.betweenness(GRAPH), hw.betweenness(GRAPH, device="cpu"))
    assert hw.DeviceGraph.from_csr(np.array([0, 0]), np.array([], np.int32), directed=False, device="sim").device == "sim"


def test_notes_are_in_the_words_of_python():
    if hw.device_info()["gpu"]:
        pytest.skip("there is a GPU")
    found: Any = hw.bfs(GRAPH, 0)
    assert any(note.startswith("no GPU") for note in found.run.notes) and not any("--" in note for note in found.run.notes)
