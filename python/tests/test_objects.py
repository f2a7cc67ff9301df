"""Lifetimes, memory, threads, Ctrl-C, the tool and the look of objects."""

from __future__ import annotations

import _thread
import gc
import importlib.metadata
import shutil
import signal
import subprocess
import sysconfig
import threading
import time
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
    assert "partitioned over 3 devices" in shared.chosen
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


def long_work() -> hw.Searcher:
    """A search of 1,200 levels, one at a time: some milliseconds a source."""
    return hw.Searcher(hw.read("grid:600x600"), device="cpu", strategy="cpu-sequential")


def test_the_gil_is_released():
    searcher, ticks, done = long_work(), [], threading.Event()

    def tick() -> None:
        while not done.is_set():
            ticks.append(time.monotonic())
            time.sleep(0.005)

    thread = threading.Thread(target=tick)
    thread.start()
    searcher.each(range(40))
    done.set()
    thread.join()
    assert len(ticks) > 10


def test_ctrl_c_ends_a_search_and_the_searcher_goes_on():
    searcher = long_work()
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a job in the background begins with the signal ignored
    timer = threading.Timer(0.3, _thread.interrupt_main)
    began = time.monotonic()
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        searcher.each(range(4000))
    assert time.monotonic() - began < 5
    assert searcher.bfs(0).depth == 2 * 599


def test_ctrl_c_ends_more_samples_than_any_number_of_arcs():
    graph = hw.read("rmat:15,8")
    signal.signal(signal.SIGINT, signal.default_int_handler)
    timer = threading.Timer(0.3, _thread.interrupt_main)
    began = time.monotonic()
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        hw.sampled_closeness(graph, 2**63)  # times an even number it is 0 in 64 bits
    assert time.monotonic() - began < 3


def test_a_second_call_is_refused():
    searcher, running = long_work(), threading.Event()

    def work() -> None:
        running.set()
        searcher.each(range(100))

    thread = threading.Thread(target=work)
    thread.start()
    running.wait()
    time.sleep(0.1)
    with pytest.raises(hw.Error) as caught:
        searcher.bfs(0)
    assert caught.value.id == "HW-BUSY"
    thread.join()
    assert searcher.bfs(0).depth == 2 * 599


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
