"""What somebody tries in a notebook: each answer is right, or an error that says what to do instead."""

from __future__ import annotations

import asyncio
import copy
import gc
import multiprocessing
import pickle
import subprocess
import sys
import threading

import networkx as nx
import numpy as np
import pytest

import hopwave as hw

PATH = hw.Graph.from_edges(range(4), range(1, 5))


def test_graphs_are_copied_as_what_never_changes_is():
    assert copy.copy(PATH) is PATH and copy.deepcopy({"graph": PATH})["graph"] is PATH
    assert hw.Graph.from_edges([], []), "a graph is something, also without vertices"


@pytest.mark.parametrize(
    "make, instead",
    [
        (lambda: PATH, "csr"),
        (lambda: hw.Searcher(PATH), "each process"),
        (lambda: hw.bfs(PATH, 0), "distance and parent"),
        (lambda: hw.sssp(PATH, 0), "csr"),
    ],
)
def test_what_cannot_be_pickled_says_what_can(make, instead):
    with pytest.raises(TypeError, match=instead):
        pickle.dumps(make())


def test_a_searcher_is_not_copied():
    for way in (copy.copy, copy.deepcopy):
        with pytest.raises(TypeError, match="each process and thread"):
            way(hw.Searcher(PATH))


def reached(arrays):
    return int(hw.bfs(hw.Graph.from_csr(*arrays), 0).reached)


def test_processes_get_arrays():
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.map(reached, [PATH.csr()] * 2) == [5, 5]


def test_asyncio():
    async def all_depths():
        return await asyncio.gather(*[asyncio.to_thread(lambda v=v: hw.bfs(PATH, v).depth) for v in range(5)])

    assert asyncio.run(all_depths()) == [4, 3, 2, 1, 0]


@pytest.mark.parametrize("call", [hw.Searcher, lambda g: hw.bfs(g, 0), hw.closeness, hw.harmonic, hw.eccentricity])
def test_graphs_of_others_are_refused(call):
    with pytest.raises(TypeError, match="from_networkx"):
        call(nx.path_graph(3))
    for other in (None, {}, 5):
        with pytest.raises(TypeError, match="a hopwave.Graph is needed"):
            call(other)


def test_makers_refuse_what_is_not_theirs():
    for make, wrong in (
        (hw.Graph.from_networkx, {0: [1]}),
        (hw.Graph.from_networkx, None),
        (hw.Graph.from_scipy, np.eye(3)),
        (hw.Graph.from_dlpack, [[0], [1]]),
    ):
        with pytest.raises(TypeError, match="is needed, not"):
            make(wrong)


def test_values_that_come_once_or_in_no_order():
    for sources in ((i for i in range(2)), map(int, "01"), {0, 1}, {0: 1, 1: 2}.keys()):
        with pytest.raises(TypeError, match="an array or a list is needed"):
            hw.Graph.from_edges(sources, [1, 2])


def test_missing_values_are_named():
    with pytest.raises(TypeError, match="missing values"):
        hw.Graph.from_edges(np.array([0, np.nan]), [1, 2])
    masked = np.ma.array([0, 1], mask=[False, True])
    with pytest.raises(TypeError, match="masked"):
        hw.Graph.from_edges(masked, [1, 2])
    with pytest.raises(TypeError, match="masked"):
        hw.Graph.from_edges([0, 1], [1, 2], weights=masked)
    assert hw.Graph.from_edges(np.ma.array([0, 1]), [1, 2]).num_arcs == 2
    weighed = hw.Graph.from_edges([0], [1], weights=[np.nan])
    with pytest.raises(hw.Error) as caught:
        hw.sssp(weighed, 0)
    assert caught.value.id == "HW-SSSP-WEIGHT"


def test_numbers_that_are_none():
    for call in (
        lambda x: hw.bfs(PATH, 0, max_depth=x),
        lambda x: hw.Searcher(PATH, threads=x),
        lambda x: hw.Graph.from_edges([0], [1], num_vertices=x),
        lambda x: hw.closeness(PATH, samples=x),
        lambda x: hw.betweenness(PATH, samples=x),
        lambda x: hw.sampled_closeness(PATH, x),
        PATH.id,
    ):
        for wrong in (1.5, 1.0, "1", float("nan"), True):
            with pytest.raises(TypeError, match="a whole number is needed"):
                call(wrong)
        call(np.int64(3))
    for word in ("strategy", "device", "direction"):
        with pytest.raises(TypeError, match=f"{word}: a str is needed"):
            hw.Searcher(PATH, **{word: None})
    for gpus in (True, "01"):
        with pytest.raises(TypeError, match="gpus"):
            hw.Searcher(PATH, gpus=gpus)
    for threads in (-1, 2**40):
        with pytest.raises(hw.Error) as caught:
            hw.Searcher(PATH, threads=threads)
        assert caught.value.id == "HW-OPTION-THREADS"


@pytest.mark.parametrize("weight", [np.float32(2), np.int64(2), "2", None, float("nan"), -1, 10**400])
def test_weights_that_networkx_may_have(weight):
    graph = nx.MultiDiGraph([(0, 1, {"w": 3}), (0, 1, {})])
    assert hw.Graph.from_networkx(graph, weight="w").weights.tolist() == [1]  # the lightest, 1 where it is missing
    graph.add_edge(1, 2, w=weight)
    with pytest.raises(ValueError, match="only float64"):
        hw.Graph.from_networkx(graph, weight="w")


def test_ids_that_fit_nowhere():
    with pytest.raises(ValueError, match="does not fit"):
        hw.Graph.from_edges([2**70], [1])
    with pytest.raises(TypeError, match="unhashable"):
        hw.Graph.from_networkx(nx.path_graph(2)).vertex([0])


def test_buffers_and_big_endian():
    import array

    for made in (array.array("q", [0, 1]), memoryview(np.array([0, 1])), bytearray([0, 1]), np.array([0, 1], ">i8")):
        assert hw.Graph.from_edges(made, made).num_arcs == 0  # loops alone
        assert hw.Graph.from_edges(made, [1, 2]).num_arcs == 2


def test_paths(tmp_path):
    file = tmp_path / "a.el"
    file.write_text("0 1\n")
    for path in (file, str(file), bytes(file)):
        assert hw.read(path).num_arcs == 1
    with pytest.raises(ValueError, match="zero byte"):
        hw.read("a\0b")


def test_rows_of_many_searches_outlive_everything():
    graph = hw.read("grid:30x30")
    expected = hw.Searcher(graph, device="cpu").each(range(40))
    searcher = hw.Searcher(graph, device="sim")
    for _ in range(2):
        rows = searcher.each(range(40))
    kept = [searcher.each(range(40)) for _ in range(4)]
    row = rows[7]  # a view keeps the memory
    del rows
    assert (searcher.each(range(40), max_depth=3) == np.where(expected > 3, -1, expected)).all()
    del searcher
    gc.collect()
    threading.Thread(target=kept.pop).start()
    assert all((rows == expected).all() for rows in kept) and (row == expected[7]).all()
    row[:] = 5  # it is the caller's
    assert (kept[0] == expected).all()


AT_THE_END = """
import hopwave as hw, sys
searcher = hw.Searcher(hw.read("rmat:9,8"), device="sim")
for _ in range(4):
    rows = searcher.each(range(70))
sys.modules["kept"] = rows, searcher  # until the interpreter ends
"""


def test_results_at_the_end_of_the_interpreter():
    subprocess.run([sys.executable, "-c", AT_THE_END], check=True, timeout=60)


# The interpreter ends while the thread is in its third call, or in a bar that the call moves.
DAEMON = """
import hopwave as hw, sys, threading
begun = threading.Semaphore(0)
class Bar:
    def __init__(self, total, unit): self.n = 0
    def update(self, n): self.n += n
    def close(self): pass
class BusyBar(Bar):
    def update(self, n):  # the interpreter ends meanwhile
        begun.release()
        for _ in range(300000): pass
small, graph = hw.Graph.from_edges([0, 1], [1, 2]), hw.read("rmat:14,8")
searcher = hw.Searcher(graph, device="cpu")
def work():
    while True:
        begun.release()
        eval(sys.argv[1])
threading.Thread(target=work, daemon=True).start()
for _ in range(3):
    begun.acquire()
"""


@pytest.mark.parametrize(
    "call",
    ["hw.bfs(small, 0)", "searcher.each(range(400))", "hw.closeness(graph)", "hw.betweenness(graph, samples=50)",
     "hw.read(sys.argv[2], progress=Bar)", "hw.read(sys.argv[2], progress=BusyBar)"],
)  # fmt: skip
def test_daemon_threads_at_the_end_of_the_interpreter(call, tmp_path):
    file = tmp_path / "a.el"
    file.write_text("".join(f"{v} {v * 7919 % 100003}\n" for v in range(100000)))
    run = subprocess.run([sys.executable, "-c", DAEMON, call, file], timeout=60, capture_output=True, text=True)
    assert (run.returncode, run.stderr) == (0, "")


@pytest.mark.skipif(not hw.device_info()["built_with_cuda"] or hw.device_info()["gpu"], reason="for CUDA without a driver or GPU")
def test_cuda_without_a_driver():
    with pytest.raises(hw.Error, match="no usable GPU") as caught:
        hw.Searcher(PATH, device="gpu")
    assert caught.value.id == "HW-DEVICE-NONE" and caught.value.hint
    searcher = hw.Searcher(PATH)
    assert searcher.device == "cpu" and any(note.startswith("no GPU (cuda: ") for note in searcher.notes)
    assert searcher.bfs(0).depth == 4
