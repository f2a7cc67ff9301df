"""On a machine with a GPU: PyTorch and CuPy on streams of theirs, memory, processes, forks. scripts/gpu-python runs them."""

from __future__ import annotations

import gc
import os
import subprocess
import sys

import numpy as np
import pytest

import hopwave as hw
from forked import around_a_fork

pytestmark = pytest.mark.skipif(not hw.device_info()["gpu"], reason="no GPU here")


@pytest.fixture(scope="module")
def graph() -> hw.Graph:
    return hw.read("rmat:14,8")


@pytest.fixture(scope="module")
def answers(graph):
    return hw.Searcher(graph, device="cpu").each(range(80))


class Torch:
    """What the tests below do with PyTorch and CuPy alike."""

    name = "torch"

    def __init__(self) -> None:
        self.library = pytest.importorskip("torch")

    def stream(self):
        return self.library.cuda.Stream()

    def within(self, stream):
        return self.library.cuda.stream(stream)

    def there(self, array):
        return self.library.from_numpy(np.ascontiguousarray(array)).cuda()

    def here(self, array):
        assert array.is_cuda
        return array.cpu().numpy()


class CuPy:
    name = "cupy"

    def __init__(self) -> None:
        self.library = pytest.importorskip("cupy")

    def stream(self):
        return self.library.cuda.Stream(non_blocking=True)

    def within(self, stream):
        return stream

    def there(self, array):
        return self.library.asarray(array)

    def here(self, array):
        assert isinstance(array, self.library.ndarray)
        return array.get()


@pytest.fixture(params=[Torch, CuPy])
def library(request):
    return request.param()


@pytest.fixture(params=["its own", "the caller's"])
def stream(request, library):
    """A stream of the library's, and whether the searcher uses it."""
    return library.stream(), request.param == "the caller's"


def test_answers_stay_on_the_gpu(graph, answers, library, stream):
    current, shared = stream
    with library.within(current):
        searcher = hw.Searcher(graph, device="gpu", stream=current if shared else None)
        found = [searcher.bfs(source, out=library.name).distance for source in range(80)]
        assert all((library.here(found[i]) == answers[i]).all() for i in range(80))
        for source, limit, target in ((3, 2, None), (5, None, 9)):
            expected = hw.bfs(graph, source, device="cpu", max_depth=limit, target=target)
            result = searcher.bfs(source, max_depth=limit, target=target, out=library.name)
            assert (library.here(result.distance) == expected.distance).all()
            assert (result.reached, result.depth) == (expected.reached, expected.depth)
            assert result.distance_to(7) == expected.distance_to(7)


def test_parents_on_the_gpu_make_a_tree(graph, library, stream):
    current, shared = stream
    with library.within(current):
        result = hw.Searcher(graph, device="gpu", stream=current if shared else None).bfs(5, parents=True, out=library.name)
        distance, parent = library.here(result.distance), library.here(result.parent)
    found = distance > 0
    assert found.any() and (distance[parent[found]] == distance[found] - 1).all() and (parent[~found] == -1).all()


def test_many_searches_stay_on_the_gpu(graph, answers, library, stream):
    current, shared = stream
    with library.within(current):
        searcher = hw.Searcher(graph, device="gpu", stream=current if shared else None)
        for _ in range(3):  # memory that was given back comes again
            assert (library.here(searcher.each(range(80), out=library.name)) == answers).all()
        limited = library.here(searcher.each(range(80), max_depth=2, out=library.name))
        assert (limited == np.where(answers > 2, -1, answers)).all()
        with pytest.raises(ValueError, match="rows"):
            searcher.each([1], out="dlpack")


def test_a_view_is_the_searchers_memory(graph, answers, library):
    searcher = hw.Searcher(graph, device="gpu")
    view = searcher.bfs(3, out="dlpack").distance
    assert view.__dlpack_device__() == (2, 0) and not hasattr(view, "__array_interface__")
    array = library.library.from_dlpack(view)
    assert (library.here(array) == answers[3]).all()
    searcher.bfs(4)
    with pytest.raises(hw.Error) as caught:
        library.library.from_dlpack(view)
    assert caught.value.id == "HW-VIEW-ENDED"


@pytest.mark.parametrize("width", [np.int32, np.int64])
def test_graphs_on_the_callers_arrays(graph, answers, library, stream, width):
    current, shared = stream
    indptr, indices = graph.csr()
    with library.within(current):
        there = hw.DeviceGraph.from_csr(
            library.there(indptr.astype(width)),
            library.there(indices.astype(width)),
            directed=False,
            stream=current if shared else None,
        )
        gc.collect()
        searcher = hw.Searcher(there, stream=current if shared else None)
        assert searcher.device == "gpu" and "on GPU 0" in repr(there)
        assert (library.here(searcher.each(range(80), out=library.name)) == answers).all()
        assert (searcher.bfs(7).distance == answers[7]).all()
        with pytest.raises(hw.Error) as caught:
            hw.DeviceGraph.from_csr(library.there(indptr.astype(width)[::-1]), library.there(indices.astype(width)), directed=False)
        assert caught.value.id == "HW-RESIDENT-ARRAYS"


def test_edges_on_the_gpu_are_copied(library):
    sources, targets = np.array([0, 5, 5, 9]), np.array([5, 9, 7, 0])
    graph = hw.Graph.from_edges(library.there(sources), library.there(targets))
    assert hw.bfs(graph, 0).distance_to(7) == 2
    edges = library.there(np.stack([sources, targets]))
    assert hw.bfs(hw.Graph.from_dlpack(edges), 0).distance_to(7) == 2
    indptr, indices = library.there(np.array([0, 1, 1])), library.there(np.array([1]))
    assert hw.bfs(hw.Graph.from_csr(indptr, indices), 0).distance.tolist() == [0, 1]


def test_memory_comes_back():
    graph = hw.read("rmat:18,16")

    def cycle() -> int:
        searcher = hw.Searcher(graph, device="gpu", prepare=True)
        searcher.each(range(64))
        del searcher
        gc.collect()
        return int(hw.device_info()["memory_free"])

    first = min(cycle() for _ in range(3))  # the pool keeps what it got
    last = min(cycle() for _ in range(10))
    assert last > first - (64 << 20)


WORK = """
import numpy as np, hopwave as hw
graph = hw.read("rmat:16,8")
expected = hw.Searcher(graph, device="cpu").each(range(64))
searcher = hw.Searcher(graph, device="gpu")
for _ in range(30):
    assert (searcher.each(range(64)) == expected).all()
    assert (searcher.bfs(5).distance == expected[5]).all()
"""


def test_two_processes_at_once():
    both = [subprocess.Popen([sys.executable, "-c", WORK]) for _ in range(2)]
    assert [process.wait(timeout=240) for process in both] == [0, 0]


def test_a_fork_with_an_open_searcher():
    old, new = around_a_fork("gpu")
    assert old == "HW-SEARCHER-FORK" and new.startswith("HW-DEVICE-")


HIDDEN = """
import warnings
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    import hopwave as hw
    graph = hw.read("rmat:10,8")
    searchers = [hw.Searcher(graph) for _ in range(3)]
    assert {s.device for s in searchers} == {"cpu"}
    assert searchers[0].bfs(0).distance_to(0) == 0
    try:
        hw.Searcher(graph, device="gpu")
    except hw.Error as error:
        assert error.id == "HW-DEVICE-NONE"
    else:
        raise SystemExit("a GPU that is hidden was found")
assert hw.device_info()["why_not"]
said = [str(w.message) for w in caught]
assert len(said) == (hw.device_info()["package"] == "hopwave-cu13"), said
"""


def test_no_gpu_to_be_seen():
    environment = {**os.environ, "CUDA_VISIBLE_DEVICES": ""}
    subprocess.run([sys.executable, "-c", HIDDEN], env=environment, check=True, timeout=120)
