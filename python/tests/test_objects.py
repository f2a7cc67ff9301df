"""Lifetimes, memory, threads, Ctrl-C, the tool and the look of objects."""

from __future__ import annotations

import _thread
import gc
import importlib.metadata
import shutil
import signal
import subprocess
import sys
import sysconfig
import threading
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import hopwave as hw


def test_arrays_outlive_what_made_them():
    distance = hw.bfs(hw.read("grid:20x20"), 0, parents=True).distance
    offsets, neighbors = hw.read("grid:20x20").csr()
    gc.collect()
    assert distance.max() == 38 and offsets[-1] == neighbors.size == 4 * 20 * 19
    assert distance.base is not None  # a view of the library's memory
    with pytest.raises(ValueError):
        neighbors[0] = 1


def test_results_outlive_a_new_search():
    searcher = hw.Searcher(hw.Graph.from_edges(range(9), range(1, 10)))
    first = searcher.bfs(0)
    searcher.bfs(5)
    assert first.distance.tolist() == list(range(10))
    assert first.path_to(2) == [0, 1, 2]  # found by a search of its own


def test_repr():
    graph = hw.read("grid:10x10")
    assert repr(graph) == f"<hopwave.Graph: 100 vertices, 360 arcs, undirected, {graph.nbytes:,} bytes>"
    assert repr(hw.bfs(graph, 0)) == "<hopwave.Result: 100 of 100 vertices reached, depth 18>"
    assert repr(hw.Searcher(graph, device="cpu")).startswith("<hopwave.Searcher: ")


def test_strategies_and_device():
    assert "auto" in hw.strategies()
    info = hw.device_info()
    assert info["gpu"] or info["why_not"]


def test_sources_and_steps():
    assert "HW_KERNEL void pmpp_edge_level" in hw.strategy_source("pmpp-edge")
    cuda = hw.strategy_source("literal:pmpp-frontier", cuda=True)
    assert "__global__ void" in cuda and "atomicCAS(&level[w]" in cuda
    steps = hw.listing_steps("literal:pmpp-vertex-push")
    assert steps[0][0] == "line 03" and dict(steps)["line 10"].startswith("writes")
    with pytest.raises(hw.Error, match="HW-STRATEGY-SOURCE"):
        hw.listing_steps("pmpp-edge")
    with pytest.raises(hw.Error, match="HW-STRATEGY-UNKNOWN"):
        hw.strategy_source("pmpp-egde")
    with pytest.raises(TypeError):
        hw.strategy_source(3)


def test_threads_share_a_graph():
    graph = hw.read("rmat:10,8")
    expected = hw.Searcher(graph).each(range(8))
    found: dict[int, np.ndarray] = {}

    def work(source: int) -> None:
        found[source] = hw.bfs(graph, source, device="cpu").distance

    threads = [threading.Thread(target=work, args=(s,)) for s in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all((found[s] == expected[s]).all() for s in range(8))


def test_gpus_that_share_the_graph_give_what_one_gives():
    graph = hw.read("rmat:6,8")
    one = hw.Searcher(graph, device="sim").bfs(3, parents=True)
    shared = hw.Searcher(graph, device="sim", gpus=3, partition=True).bfs(3, parents=True)
    assert (shared.distance == one.distance).all() and (shared.parent == one.parent).all()
    assert "partitioned over 3 devices" in shared.run.chosen
    with pytest.raises(ValueError, match="partition"):
        hw.Searcher(graph, device="sim", partition=True)
    with pytest.raises(TypeError, match="partition"):
        hw.Searcher(graph, device="sim", gpus=2, partition="yes")


def test_several_gpus_give_what_one_gives():
    graph = hw.read("rmat:6,8")
    one = hw.Searcher(graph, device="sim").each(range(40))
    for gpus in (2, [3, 1, 0]):
        assert (hw.Searcher(graph, device="sim", gpus=gpus).each(range(40)) == one).all()
    with pytest.raises(ValueError):
        hw.Searcher(graph, device="sim", gpus=[])
    for wrong, error in (([1, 1], "HW-OPTION-REPLICAS"), (5, "HW-DEVICE-NONE")):
        with pytest.raises(hw.Error) as caught:
            hw.Searcher(graph, device="sim", gpus=wrong)
        assert caught.value.id == error


def endless_work() -> hw.Searcher:
    """A search along this chain has 400,000 levels, each with a simulated thread for each vertex: hours of work."""
    return hw.Searcher(hw.read("chain:400000"), device="sim", strategy="pmpp-vertex-push")


def ended_by_ctrl_c(call: Callable[[], object], meanwhile: Callable[[], object] = lambda: None) -> None:
    """Runs the call, which Ctrl-C must end. Another thread runs `meanwhile` and presses it. It takes Python's lock from no
    thread: it runs when the call has given up the lock, and so is at work."""
    begins = threading.Event()

    def press() -> None:
        begins.wait()
        try:
            meanwhile()
        finally:
            _thread.interrupt_main()

    signal.signal(signal.SIGINT, signal.default_int_handler)  # a job in the background begins with the signal ignored
    thread = threading.Thread(target=press)
    thread.start()
    before = sys.getswitchinterval()
    sys.setswitchinterval(1000)
    try:
        with pytest.raises(KeyboardInterrupt) as caught:
            begins.set()
            call()
    finally:
        sys.setswitchinterval(before)
        thread.join()
    assert "core." in str(caught.traceback[-1].statement)  # raised by the library, not before or after it


def test_the_gil_is_released():
    searcher, ran = endless_work(), []
    ended_by_ctrl_c(lambda: searcher.bfs(0), lambda: ran.append(True))  # without it the search would not end
    assert ran


def test_ctrl_c_ends_a_search_and_the_searcher_goes_on():
    searcher = endless_work()
    ended_by_ctrl_c(lambda: searcher.bfs(0))
    assert searcher.bfs(0, max_depth=3).distance[:5].tolist() == [0, 1, 2, 3, -1]


def test_ctrl_c_ends_more_samples_than_any_number_of_arcs():
    graph = hw.read("rmat:15,8")
    ended_by_ctrl_c(lambda: hw.sampled_closeness(graph, 2**63))  # times an even number it is 0 in 64 bits


def test_a_second_call_is_refused():
    searcher, refused = endless_work(), []

    def call_again() -> None:
        with pytest.raises(hw.Error) as caught:
            searcher.bfs(0)
        refused.append(caught.value.id)

    ended_by_ctrl_c(lambda: searcher.bfs(0), call_again)
    assert refused == ["HW-BUSY"]
    assert searcher.bfs(0, max_depth=3).depth == 3


def test_the_licences_are_in_the_wheel():
    files = importlib.metadata.files("hopwave") or []
    texts = {file.name: file.read_text() for file in files if file.parent.name == "licenses"}
    assert "Apache License" in texts["LICENSE"] and "nanobind" in texts["notices.txt"]
    for library in files:
        if library.parent.name == "hopwave.libs":  # put in by scripts/python-wheel
            name = library.name.split("-")[0].removeprefix("lib").rstrip("0123456789")
            assert any(name in text for text in texts), name


def test_the_tool_is_in_the_wheel():
    tool = shutil.which("hopwave", path=sysconfig.get_path("scripts"))
    assert tool
    out = subprocess.run([tool, "--version"], capture_output=True, text=True, check=True).stdout
    assert "hopwave" in out


def test_types_are_part_of_the_package():
    folder = Path(hw.__file__).parent
    assert (folder / "py.typed").exists()
    assert "class Searcher" in (folder / "_core.pyi").read_text()
