"""Arrays in device memory, in the simulator, whose memory is the host's: graphs on them, answers that stay, and what a fork leaves."""

from __future__ import annotations

import gc
import os
import weakref

import numpy as np
import pytest

import hopwave as hw
from forked import around_a_fork


def rows(graph: hw.Graph) -> tuple[np.ndarray, np.ndarray]:
    indptr, indices = graph.csr()
    return indptr.astype(np.int64), indices.astype(np.int32)


@pytest.fixture(scope="module")
def graph() -> hw.Graph:
    return hw.read("rmat:8,6")


@pytest.mark.parametrize("device", ["cpu", "sim"])
def test_answers_that_stay(graph, device):
    searcher = hw.Searcher(graph, device=device)
    for source, limit, target in ((0, None, None), (3, 2, None), (5, None, 9)):
        expected = hw.bfs(graph, source, device="cpu", max_depth=limit, target=target)
        result = searcher.bfs(source, max_depth=limit, target=target, out="dlpack")
        assert (np.from_dlpack(result.distance) == expected.distance).all()
        assert (result.reached, result.depth) == (expected.reached, expected.depth)
        assert result.distance_to(7) == expected.distance_to(7)
        assert f"{expected.reached:,} of " in repr(result) and "distance" in result._repr_html_()


@pytest.mark.parametrize("device", ["cpu", "sim"])
@pytest.mark.parametrize("dtype", ["uint8", np.uint16, np.dtype("int32")])
def test_distances_of_fewer_bytes(graph, device, dtype):
    searcher = hw.Searcher(graph, device=device)
    expected = hw.bfs(graph, 3, device="cpu", parents=True)
    far = int(np.flatnonzero(expected.distance < 0)[0])
    for parents in (False, True):
        result = searcher.bfs(3, parents=parents, dtype=dtype)
        assert result.distance.dtype == np.dtype(dtype) and (result.reached, result.depth) == (expected.reached, expected.depth)
        wide = result.distance.astype(np.int64)
        wide[result.distance == result.unreached] = -1
        assert (wide == expected.distance).all()
        assert result.distance_to(far) == -1 and result.path_to(far) == []
        assert result.path_to(7) == expected.path_to(7) and result.distance_to(7) == expected.distance_to(7)
        assert result._repr_html_() == expected._repr_html_()
    rows = searcher.each([3, 5], dtype=dtype)
    assert rows.dtype == np.dtype(dtype) and rows.shape == (2, graph.num_vertices)
    assert (rows[0] == result.distance).all() and (rows[1] == hw.bfs(graph, 5, dtype=dtype).distance).all()


def test_distances_without_room():
    chain = hw.read("chain:300")
    searcher = hw.Searcher(chain)
    with pytest.raises(hw.Error, match="16 bits have room") as info:
        searcher.bfs(0, dtype="uint8")
    assert info.value.id == "HW-DISTANCE-NARROW"
    with pytest.raises(hw.Error, match="16 bits have room"):
        searcher.each([0, 299], dtype="uint8")
    assert searcher.bfs(0, max_depth=253, dtype="uint8").distance[253:255].tolist() == [253, 255]
    assert searcher.bfs(0, dtype="uint16").distance[299] == 299
    for wrong in ("int64", float, "int8"):
        with pytest.raises(ValueError, match="int32, uint16 or uint8"):
            searcher.bfs(0, dtype=wrong)
    with pytest.raises(ValueError, match='needs out="numpy"'):
        searcher.bfs(0, dtype="uint8", out="dlpack")
    with pytest.raises(ValueError, match='needs out="numpy"'):
        searcher.each([0], dtype="uint8", out="torch")


def test_parents_that_stay_make_a_tree(graph):
    searcher = hw.Searcher(graph, device="sim")
    result = searcher.bfs([0, 4], parents=True, out="dlpack")
    distance, parent = np.from_dlpack(result.distance).copy(), np.from_dlpack(result.parent).copy()
    found = distance > 0
    assert (distance[parent[found]] == distance[found] - 1).all() and (parent[~found] == -1).all()
    path = result.path_to(int(np.argmax(distance)))
    assert len(path) == distance.max() + 1 and path[0] in (0, 4)


def test_a_view_ends_with_the_next_search(graph):
    searcher = hw.Searcher(graph, device="sim")
    view = searcher.bfs(0, out="dlpack").distance
    assert view.valid and len(view) == graph.num_vertices and view.__dlpack_device__() == (1, 0)
    assert not hasattr(view, "__cuda_array_interface__")
    searcher.bfs(1)
    assert not view.valid
    with pytest.raises(hw.Error) as caught:
        np.from_dlpack(view)
    assert caught.value.id == "HW-VIEW-ENDED"


def test_torch_gets_host_arrays_without_a_copy(graph):
    torch = pytest.importorskip("torch")
    result = hw.bfs(graph, 0, device="cpu", parents=True, out="torch")
    assert isinstance(result.distance, torch.Tensor)
    expected = hw.bfs(graph, 0, device="cpu", parents=True)
    assert (result.distance.numpy() == expected.distance).all() and (result.parent.numpy() == expected.parent).all()
    assert (hw.Searcher(graph, device="cpu").each([1, 2], out="torch").numpy() == hw.Searcher(graph).each([1, 2])).all()


def test_each_as_dlpack(graph):
    expected = hw.Searcher(graph, device="cpu").each(range(5))
    for device in ("cpu", "sim"):
        assert (np.from_dlpack(hw.Searcher(graph, device=device).each(range(5), out="dlpack")) == expected).all()


def test_rows_that_are_written_where_the_caller_wants_them(graph):
    expected = hw.Searcher(graph, device="cpu").each(range(70), max_depth=3)
    room = np.full(expected.shape, -7, np.int32)
    searcher = hw.Searcher(graph, device="sim")
    searcher._core.each_on_device(np.arange(70, dtype=np.uint32), 3, room.ctypes.data)
    assert (room == expected).all()


def test_words_that_are_wrong(graph):
    searcher = hw.Searcher(graph)
    for call in (searcher.bfs, searcher.each):
        with pytest.raises(ValueError, match="out"):
            call([0], out="jax")
    with pytest.raises(TypeError, match="stream"):
        hw.Searcher(graph, stream="fast")
    with pytest.raises(hw.Error) as caught:
        hw.Searcher(graph, device="cpu")._core.run_on_device(np.zeros(1, np.uint32), -1, 2**32 - 1, False, 0)
    assert caught.value.id == "HW-VIEW-DEVICE"


class Stream:
    """What a library's stream looks like; number 0 is none."""

    def __cuda_stream__(self) -> tuple[int, int]:
        return 0, 0


def test_streams_outlive_what_uses_them(graph):
    def alive(user_of):
        stream = Stream()
        seen, user = weakref.ref(stream), user_of(stream)
        cycle = [user, stream]
        cycle.append(cycle)
        core = user._core
        del stream, user, cycle
        gc.collect()
        assert seen() is not None  # though the collector ended the cycle
        del core
        gc.collect()
        assert seen() is None

    alive(lambda stream: hw.Searcher(graph, device="cpu", stream=stream))
    indptr, indices = rows(graph)
    alive(lambda stream: hw.DeviceGraph.from_csr(indptr, indices, directed=False, device="sim", stream=stream))


@pytest.mark.parametrize("width", [np.int32, np.uint64])
@pytest.mark.parametrize("index", [np.int32, np.int64, np.uint32])
def test_graphs_on_the_callers_arrays(graph, width, index):
    indptr, indices = rows(graph)
    there = hw.DeviceGraph.from_csr(indptr.astype(width), indices.astype(index), directed=False, device="sim")
    assert (there.num_vertices, there.num_arcs, there.directed) == (graph.num_vertices, graph.num_arcs, False)
    assert "the simulator" in repr(there)
    searcher = hw.Searcher(there, device="sim")
    expected = hw.bfs(graph, 3)
    result = searcher.bfs(3, parents=True)
    assert (result.distance == expected.distance).all()
    assert len(result.path_to(5)) == expected.distance_to(5) + 1
    assert (searcher.each(range(9)) == hw.Searcher(graph).each(range(9))).all()
    assert there.download().num_arcs == graph.num_arcs


def test_a_device_graph_keeps_its_arrays():
    graph = hw.Graph.from_edges(range(500), range(1, 501), directed=False)
    searcher = hw.Searcher(hw.DeviceGraph.from_csr(*rows(graph), directed=False, device="sim"), device="sim")
    for _ in range(20):
        np.full(600, -1, np.int64)  # what was freed would be used again
    assert searcher.bfs(0).distance[500] == 500


def test_directed_device_graphs():
    graph = hw.Graph.from_edges([0, 1, 2, 2], [1, 2, 3, 0])
    turned = hw.Graph.from_edges([1, 2, 3, 0], [0, 1, 2, 2])
    (indptr, indices), (in_indptr, in_indices) = rows(graph), rows(turned)
    there = hw.DeviceGraph.from_csr(indptr, indices, in_indptr=in_indptr, in_indices=in_indices, device="sim")
    assert hw.bfs(there, 1, device="sim").distance.tolist() == [2, 0, 1, 2]
    with pytest.raises(hw.Error) as caught:
        hw.DeviceGraph.from_csr(indptr, indices, device="sim")
    assert caught.value.id == "HW-RESIDENT-ARRAYS"
    with pytest.raises(hw.Error) as caught:
        hw.DeviceGraph.from_csr(indptr, indices[::-1].copy(), directed=False, device="sim")
    assert caught.value.id == "HW-RESIDENT-ARRAYS"


def test_device_arrays_that_do_not_fit():
    good = np.array([0, 1, 2]), np.array([1, 0])
    for indptr, indices, error in (
        ([0, 1], good[1], TypeError),
        (good[0].astype(float), good[1], TypeError),
        (good[0].astype(np.int16), good[1], TypeError),
        (good[0], good[1].astype(float), TypeError),
        (good[0].reshape(1, 3), good[1], ValueError),
        (np.arange(6)[::2], good[1], ValueError),
        (np.zeros(0, np.int64), good[1], ValueError),
        (good[0], np.array([2**32 + 1, 2**32]), hw.Error),  # would be 1, 0 in 32 bits
        (good[0], np.array([1, -1]), hw.Error),
        (good[0], np.array([2**64 - 1, 0], np.uint64), hw.Error),
        (good[0], np.array([1, 2], np.int32), hw.Error),
        (good[0].astype(">i8"), good[1], TypeError),
        (good[0], good[1].astype(">i8"), TypeError),
        (good[0], np.ma.masked_array(good[1], [True, False]), TypeError),
    ):
        with pytest.raises(error):
            hw.DeviceGraph.from_csr(indptr, indices, directed=False, device="sim")
    for half in ({"in_indptr": good[0]}, {"in_indices": good[1]}):
        with pytest.raises(ValueError, match="go together"):
            hw.DeviceGraph.from_csr(*good, **half, device="sim")
    there = hw.DeviceGraph.from_csr(*good, directed=False, device="sim")
    for elsewhere in ("cpu", "gpu"):
        with pytest.raises(ValueError, match="the graph is on 'sim'"):
            hw.Searcher(there, device=elsewhere)
    with pytest.raises(TypeError, match="GPU"):
        hw.DeviceGraph.from_csr(*good, directed=False)  # NumPy's arrays are not in a GPU's memory
    there = hw.DeviceGraph.from_csr(*good, directed=False, device="sim")
    for id, error in ((2, hw.Error), (-1, hw.Error), ("a", TypeError), (True, TypeError)):
        with pytest.raises(error):
            there.vertex(id)
    with pytest.raises(hw.Error):
        there.vertices([0, 2])
    with pytest.raises(IndexError):
        there.id(2)


class OnAGpu:
    """As CuPy's arrays look from outside."""

    def __init__(self, values: list[int]) -> None:
        self.values = np.array(values)
        self.__cuda_array_interface__ = {"shape": self.values.shape, "typestr": "<i8", "data": (1, False), "version": 3}

    def __array__(self, *_args: object, **_words: object) -> np.ndarray:
        raise TypeError("no implicit copy")

    def get(self) -> np.ndarray:
        return self.values


def test_edges_on_a_gpu_are_copied():
    graph = hw.Graph.from_edges(OnAGpu([0, 1]), OnAGpu([1, 2]), weights=OnAGpu([5, 6]))
    assert graph.num_arcs == 2 and graph.weights.tolist() == [5, 6]
    assert hw.Graph.from_csr(OnAGpu([0, 1, 1]), OnAGpu([1])).num_arcs == 1


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_searcher_does_not_outlive_a_fork():
    for device in ("cpu", "sim"):
        assert around_a_fork(device) == ["HW-SEARCHER-FORK", "the same"], device
