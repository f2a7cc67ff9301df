"""Arrays in a GPU's memory: graphs that use them, and answers that stay there."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from . import _core, _engine
from ._arrays import integers, is_array, truth_or_none
from ._error import made, unknown
from ._graph import Graph
from ._run import Device, Progress, Stop, asked

Out = Literal["numpy", "cupy", "torch", "dlpack"]
_OUTS = ("numpy", "cupy", "torch", "dlpack")


def device_info() -> dict[str, Any]:
    """Describes the GPU of this machine, or the reason why there is none, and the package whose extension searches."""
    info = _core.device_info()
    info["package"] = "hopwave" if _engine.PLUG_IN is None else "hopwave-cu13"
    return info


def check_out(out: str) -> None:
    if out not in _OUTS:
        raise ValueError(f"out: {out!r} is not one of {', '.join(_OUTS)}")


def from_host(array: npt.NDArray[Any], out: Out) -> Any:
    """Returns an array in host memory as `out`. Nothing is copied, except to CuPy, which has only GPU memory."""
    if out == "torch":
        import torch

        return torch.from_dlpack(array)
    if out == "cupy":
        import cupy

        return cupy.asarray(array)
    return array


def _libraries(out: Out, ordinal: int) -> tuple[Any, Callable[[], int], Callable[[], None]]:
    """Returns the module, its current stream on that GPU, and a function that waits for this stream."""
    if out == "torch":
        import torch

        stream = torch.cuda.current_stream(ordinal)
        return torch, lambda: int(stream.cuda_stream), stream.synchronize
    import cupy

    with cupy.cuda.Device(ordinal):
        current = cupy.cuda.get_current_stream()
    return cupy, lambda: int(current.ptr), current.synchronize


def from_view(view: _core.DeviceView, out: Out, ordinal: int, stream: int) -> Any:
    """Returns an answer on a device as `out`. PyTorch and CuPy get their own copy there, made in their current stream."""
    if out == "dlpack":
        return view
    if not view.on_gpu:  # the simulator's memory is host memory
        return from_host(np.array(view), out)
    library, current, wait = _libraries(out, ordinal)
    if out == "torch":
        copy = library.as_tensor(view, device=f"cuda:{ordinal}").clone()
    else:
        with library.cuda.Device(ordinal):
            copy = library.asarray(view).copy()
    if stream == 0 or current() != stream:
        wait()  # the next search writes to the memory that the copy reads
    return copy


def rows_for(count: int, width: int, out: Out, ordinal: int) -> tuple[Any, int]:
    """Allocates `count` rows of distances in a GPU's memory, and returns them with their address."""
    library, _, wait = _libraries(out, ordinal)
    if out == "torch":
        rows = library.empty((count, width), dtype=library.int32, device=f"cuda:{ordinal}")
        address = int(rows.data_ptr())
    else:
        with library.cuda.Device(ordinal):
            rows = library.empty((count, width), dtype=library.int32)
        address = int(rows.data.ptr)
    wait()  # work in that stream may still read memory that was freed
    return rows, address


def stream_handle(stream: Any) -> int:
    """Returns the number of a CUDA stream: of PyTorch, CuPy, an object with __cuda_stream__, or the number itself; 0: none."""
    if stream is None:
        return 0
    if isinstance(stream, int):
        return stream
    if hasattr(stream, "__cuda_stream__"):
        return int(stream.__cuda_stream__()[1])
    for name in ("cuda_stream", "ptr"):
        if hasattr(stream, name):
            return int(getattr(stream, name))
    raise TypeError(f"stream: {type(stream).__name__} is not a CUDA stream")


def _complete(values: Any) -> None:
    """Waits for the work that writes `values`, if their library names the stream of that work."""
    library = type(values).__module__.partition(".")[0]
    if library == "torch":
        import torch

        torch.cuda.current_stream(values.device).synchronize()
    elif library == "cupy":
        import cupy

        with values.device:
            cupy.cuda.get_current_stream().synchronize()


def _narrow_ids(values: Any, num_vertices: int, what: str) -> Any:
    """Returns vertex numbers of 32 bits; other types are checked and converted on the device."""
    if not str(values.dtype).endswith("int64"):
        return values
    torch: Any = importlib.import_module("torch") if type(values).__module__.partition(".")[0] == "torch" else None
    if torch:
        values = values.to(torch.int64)  # unsigned types have no minimum and maximum there
    if len(values) and not 0 <= int(values.min()) <= int(values.max()) < num_vertices:
        raise made(
            f"{what}: {int(values.min())} to {int(values.max())}, expected vertices from 0 to {num_vertices - 1}", "HW-RESIDENT-ARRAYS"
        )
    return values.to(torch.int32) if torch else values.astype("uint32")


def _described(values: Any, what: str, on_gpu: bool) -> tuple[int, int, int]:
    """Returns an array's address, the bits of its integers, and their number."""
    if isinstance(values, np.ma.MaskedArray):
        raise TypeError(f"{what}: an array without a mask is needed")
    interface = getattr(values, "__cuda_array_interface__" if on_gpu else "__array_interface__", None)
    if interface is None:
        place = "a GPU's memory (with __cuda_array_interface__)" if on_gpu else "host memory, like that of the simulator"
        raise TypeError(f"{what}: an array in {place} is needed, not {type(values).__name__}")
    order, kind, size = interface["typestr"][0], interface["typestr"][1], int(interface["typestr"][2:])
    if len(interface["shape"]) != 1 or interface.get("strides") not in (None, (size,)):
        raise ValueError(f"{what}: one dimension without gaps is needed")
    if order == ">" or kind not in "iu" or size not in (4, 8):
        raise TypeError(f"{what}: integers of 32 or 64 bits in the machine's byte order are needed, not {interface['typestr']}")
    return int(interface["data"][0]), 8 * size, int(interface["shape"][0])


class DeviceGraph:
    """A graph whose rows are the caller's arrays in a GPU's memory: nothing is copied. Vertices are their own ids.

    The arrays must not change while the graph or a Searcher of it exists. A Searcher accepts it like a Graph.
    """

    __slots__ = ("_core", "ordinal")

    def __init__(self, core: _core.DeviceGraph, ordinal: int) -> None:
        self._core = core
        self.ordinal = ordinal

    @staticmethod
    def from_csr(
        indptr: Any,
        indices: Any,
        *,
        directed: bool | None = None,
        in_indptr: Any = None,
        in_indices: Any = None,
        ordinal: int = 0,
        stream: Any = None,
        device: Device = "auto",
        threads: int = 0,
        seed: int = 1,
        time_limit: float | None = None,
        progress: Progress = None,
        stop: Stop | None = None,
    ) -> DeviceGraph:
        """From compressed sparse rows of CuPy, PyTorch or other libraries with `__cuda_array_interface__`, on GPU number
        `ordinal`. `directed` None: directed.

        Each row is in ascending order. A directed graph needs its incoming arcs, too: `in_indptr`, `in_indices`. Indices of 64
        bits are converted to 32 bits on the device. All work is done in `stream`, or in a stream of the graph's own. "auto" is the
        GPU; in the simulator (`device="sim"`) the arrays are NumPy's. The arrays are checked in one pass: limits end the call
        before that.
        """
        with asked(device, threads, seed, time_limit, progress, stop, "arc", auto="gpu") as words:
            return DeviceGraph._of_csr(
                indptr, indices, directed, in_indptr, in_indices, "gpu" if device == "auto" else device, ordinal, stream, words
            )

    @staticmethod
    def _of_csr(
        indptr: Any,
        indices: Any,
        directed: bool | None,
        in_indptr: Any,
        in_indices: Any,
        device: str,
        ordinal: int,
        stream: Any,
        words: _core.Asked,
    ) -> DeviceGraph:
        given = [("indptr", indptr), ("indices", indices)]
        if (in_indptr is None) != (in_indices is None):
            raise ValueError("in_indptr and in_indices go together")
        if in_indptr is not None:
            given += [("in_indptr", in_indptr), ("in_indices", in_indices)]
        kept: list[Any] = []
        found: list[tuple[int, int, int]] = []
        for name, values in given:
            described = _described(values, name, device == "gpu")
            if device == "gpu":
                _complete(values)
            if name.endswith("indices"):
                values = _narrow_ids(values, found[0][2] - 1, name)
                described = _described(values, name, device == "gpu")
                if device == "gpu":
                    _complete(values)
            kept.append(values)
            found.append(described)
            if found[0][2] == 0:
                raise ValueError("indptr: one value more than vertices is needed")
        for at in range(0, len(found), 2):
            if found[at][2] != found[0][2] or found[at + 1][2] != found[1][2]:
                raise ValueError("incoming and outgoing arcs must be equally many, and so must their rows")
        pairs = tuple((address, bits) for address, bits, _ in found)
        words.step("arcs", 0, found[1][2])
        core = _core.device_graph(
            found[0][2] - 1, found[1][2], truth_or_none(directed, "directed") is not False, pairs[:2], pairs[2:], kept, device, ordinal, stream_handle(stream), (stream,)
        )
        words.step("arcs", found[1][2], found[1][2])
        return DeviceGraph(core, ordinal)

    @property
    def num_vertices(self) -> int:
        return self._core.num_vertices

    @property
    def num_arcs(self) -> int:
        return self._core.num_arcs

    @property
    def directed(self) -> bool:
        return self._core.directed

    @property
    def device(self) -> str:
        """The device of the rows: gpu or sim."""
        return self._core.device

    def id(self, vertex: int) -> int:
        if not 0 <= vertex < self.num_vertices:
            raise IndexError(f"vertex {vertex} is not from 0 to {self.num_vertices - 1}")
        return vertex

    def vertex(self, id: Any) -> int:
        if isinstance(id, (bool, np.bool_)) or not isinstance(id, (int, np.integer)):
            raise TypeError(f"ids of this graph are integers, not {type(id).__name__}")
        if not 0 <= id < self.num_vertices:
            raise unknown(id)
        return int(id)

    def vertices(self, ids: Any) -> npt.NDArray[np.uint32]:
        array = integers(ids if isinstance(ids, (list, range)) or is_array(ids) else list(ids), "ids")
        if array.size and not 0 <= int(array.min()) <= int(array.max()) < self.num_vertices:
            raise unknown(int(array[(array < 0) | (array >= self.num_vertices)][0]))
        return array.astype(np.uint32)

    def download(self) -> Graph:
        """Returns a copy in host memory."""
        return Graph(self._core.download())

    def __repr__(self) -> str:
        kind = "directed" if self.directed else "undirected"
        place = f"GPU {self.ordinal}" if self._core.device == "gpu" else "the simulator"
        return f"<hopwave.DeviceGraph: {self.num_vertices:,} vertices, {self.num_arcs:,} arcs, {kind}, on {place}>"
