"""Searches, and the values that are computed from them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from html import escape
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from . import _core, _engine
from ._arrays import count, depth, on_host, truth, whole, word
from ._device import DeviceGraph, Out, check_out, from_host, from_view, rows_for, stream_handle
from ._graph import Graph, require_graph, sources_of
from ._html import Picture, bars
from ._reach import Reached, ReachedEach
from ._run import Device, Progress, SearchReport, Stop, asked, search_report
from ._table import How
from ._values import Values, named
from ._words import in_python

Direction = Literal["out", "in", "both"]
NO_VERTEX = 2**32 - 1
_NOTHING = nullcontext(None)
_BYTES = {np.dtype(np.int32): 4, np.dtype(np.uint16): 2, np.dtype(np.uint8): 1}


def _bytes_of(dtype: npt.DTypeLike | None, out: str) -> int:
    """Returns the size of a distance."""
    if dtype is None:
        return 4
    size = _BYTES.get(np.dtype(dtype), 0)
    if size == 0:
        raise ValueError(f"dtype: distances are int32, uint16 or uint8, not {np.dtype(dtype)}")
    if size < 4 and out != "numpy":
        raise ValueError(f'dtype: distances for {out} are int32; {np.dtype(dtype)} needs out="numpy"')
    return size


def parent_of(graph: Graph | DeviceGraph, parent: Any, id: Any) -> Any:
    """Returns the id of the vertex before `id`; None for a source, or if unreached."""
    if parent is None:
        raise ValueError("parent_of: the search was not asked for parents: parents=True")
    before = int(parent[graph.vertex(id)])
    return None if before in (-1, NO_VERTEX) else graph.id(before)


class Result:
    """The answer of one search. Arrays are indexed by vertex, and `parent` has vertices; methods take and return ids."""

    __slots__ = ("_parent", "_parent_there", "_run", "_searcher", "_sources", "depth", "distance", "max_depth", "reached")

    distance: Any
    """Hops from the nearest source, one per vertex: int32, or what `dtype` asked for; see `unreached`. A NumPy array, or what
    `out` asked for."""

    def __init__(self, searcher: Searcher, sources: npt.NDArray[np.uint32], limit: int, answer: tuple[Any, ...]) -> None:
        self._searcher = searcher
        self._sources = sources
        self.max_depth = limit
        self.distance, self._parent, self.reached, self.depth, self._run = answer
        self._parent_there: Any = None  # an array of another library

    @property
    def run(self) -> SearchReport:
        """How the search ran; with its steps and launches, if the searcher traces and counts."""
        if not isinstance(self._run, SearchReport):
            self._run = search_report(self._run)
        return self._run

    @property
    def parent(self) -> Any:
        """The predecessor, one per vertex; -1: a source, or unreached. None unless the search was asked for parents."""
        if self._parent_there is not None:
            return self._parent_there
        if self._parent is None:
            return None
        if self._parent.size < 2**31:
            near: npt.NDArray[np.int32] = self._parent.view(np.int32)
            return near  # "no vertex" is all ones, which is -1
        wide: npt.NDArray[np.int64] = self._parent.astype(np.int64)
        wide[wide == NO_VERTEX] = -1
        return wide

    @property
    def unreached(self) -> int:
        """What an unreached vertex has in `distance`: -1; 255 in uint8, 65,535 in uint16."""
        kind = self.distance.dtype if isinstance(self.distance, np.ndarray) else None
        return -1 if kind is None or kind.kind == "i" else int(np.iinfo(kind).max)

    def distance_to(self, id: Any) -> int:
        """Returns the hops to the vertex with this id; -1: unreached, whatever the type of `distance`."""
        hops = int(self._here()[self._searcher.graph.vertex(id)])
        return -1 if hops == self.unreached else hops

    def parent_of(self, id: Any) -> Any:
        """Returns the id of the vertex before `id` on a shortest path; None for a source, or if unreached. Needs
        parents=True."""
        return parent_of(self._searcher.graph, self.parent, id)

    def _here(self) -> npt.NDArray[Any]:
        """Returns the distances in host memory."""
        if isinstance(self.distance, np.ndarray):
            return self.distance
        if isinstance(self.distance, _core.DeviceView):
            return self._searcher._run(self._sources, self.max_depth, NO_VERTEX, False)[0]  # type: ignore[no-any-return]
        return np.asarray(on_host(self.distance))

    def path_to(self, id: Any) -> list[Any]:
        """Returns the ids along a shortest path from a source to `id`, both included; empty where there is no path."""
        graph = self._searcher.graph
        v = graph.vertex(id)
        if self._here()[v] == self.unreached:
            return []
        if self._parent is None:  # the search was for distances only
            self._parent = self._searcher._run(self._sources, self.max_depth, NO_VERTEX, True)[1]
        path = [v]
        while (v := int(self._parent[v])) != NO_VERTEX:
            path.append(v)
        return [graph.id(u) for u in reversed(path)]

    def picture(self, *, step: int | None = None, against: Literal["dfs"] | None = None) -> Picture:
        """Draws this search of a small graph (at most 100 vertices and 400 arcs), as `hopwave bfs --picture` does: levels, tree,
        and for each step which threads of the strategy work, look and label. It searches again, with the searcher's options.

        `step`: only this step. `against="dfs"`: the tree beside that of depth-first search, with the order of each.
        """
        graph = self._searcher.graph
        if not isinstance(graph, Graph):
            raise TypeError("picture: the graph must be in host memory: a hopwave.Graph, not a hopwave.DeviceGraph")
        if against not in (None, "dfs"):
            raise ValueError(f'against: "dfs" or None is needed, not {against!r}')
        one = 0 if step is None else count(whole(step, "step"), "step", least=1)
        return Picture(self._searcher._core.picture(self._sources, self.max_depth, one, against is not None))

    def __reduce__(self) -> Any:
        raise TypeError("a hopwave.Result cannot be pickled, as it may search again: take its arrays, distance and parent")

    def __repr__(self) -> str:
        return f"<hopwave.Result: {self.reached:,} of {self._searcher.graph.num_vertices:,} vertices reached, depth {self.depth}>"

    def _repr_html_(self) -> str:
        distance = self._here()
        counts = np.bincount(distance[distance != self.unreached])
        return f"<p>{escape(repr(self))}</p>" + bars(
            "vertices by distance", [str(d) for d in range(counts.size)], [int(count) for count in counts]
        )


class Searcher:
    """A graph kept ready on a device for any number of searches. One call at a time: a second call raises Error HW-BUSY."""

    __slots__ = ("_core", "_limits", "_ordinal", "_stream", "_words", "graph")

    def __init__(
        self,
        graph: Graph | DeviceGraph,
        *,
        strategy: str = "auto",
        direction: Direction = "out",
        prepare: bool = False,
        trace: bool = False,
        counts: bool = False,
        gpus: int | Sequence[int] | None = None,
        partition: bool | None = None,
        stream: Any = None,
        parameters: Mapping[str, int] | None = None,
        device: Device = "auto",
        threads: int = 0,
        seed: int = 1,
        time_limit: float | None = None,
        progress: Progress = None,
        stop: Stop | None = None,
    ) -> None:
        """`strategy`: a name from hopwave.strategies(). `direction`: "out" along the arcs, "in" against them, "both".
        `prepare`: relabels the graph first, for faster searches. `trace` and `counts`: fill these in the `run` of each bfs().

        `gpus`: how many GPUs, or their numbers, over which many searches of one call are distributed. `partition`: the graph is
        split over them for each search, instead of copied to each; None: if it does not fit into one. `stream`: all work on a
        GPU is done in this stream of PyTorch, CuPy or CUDA (not the legacy default one), otherwise in the searcher's own.
        `parameters`: of the strategy, by name (docs/strategies/README.md).

        `time_limit`, `progress` and `stop` hold for each call of the searcher that is not given its own; the constructor itself
        is not limited.
        """
        if not isinstance(graph, DeviceGraph):
            require_graph(graph)
        for name, value in (("strategy", strategy), ("device", device), ("direction", direction)):
            word(value, name)
        if isinstance(gpus, (bool, str)):
            raise TypeError(f"gpus: a number of GPUs or a list of their numbers is needed, not {type(gpus).__name__}")
        numbers = list(range(gpus)) if isinstance(gpus, int) else [whole(number, "gpus") for number in gpus or ()]
        if gpus is not None and not numbers:
            raise ValueError("gpus: at least one GPU")
        if partition is not None and not isinstance(partition, bool):
            raise TypeError(f"partition: True, False or None is needed, not {type(partition).__name__}")
        if partition and gpus is None:
            raise ValueError("partition: needs gpus, which share the graph")
        if numbers and device == "auto":
            device = "gpu"
        if isinstance(graph, DeviceGraph) and device not in ("auto", graph.device):
            raise ValueError(f"device: the graph is on {graph.device!r}, and is searched there, not on {device!r}")
        self.graph = graph
        self._ordinal = numbers[0] if numbers else graph.ordinal if isinstance(graph, DeviceGraph) else 0
        self._stream = stream_handle(stream)
        self._words = (device, threads, seed)
        free = time_limit is None and progress is None and stop is None
        self._limits = None if free else (time_limit, progress, stop)
        levels: Progress = (lambda _: None) if callable(progress) or progress is True else progress  # a bar is made by each call
        with asked(*self._words, time_limit, levels, stop) as words:
            self._core = _core.Searcher(
                graph._core, strategy, direction, truth(prepare, "prepare"), truth(trace, "trace"), truth(counts, "counts"),
                numbers, 0 if partition is None else 2 if partition else 1, self._ordinal, self._stream,
                {word(name, "parameters"): whole(value, name) for name, value in (parameters or {}).items()}, (stream,), words,
            )  # fmt: skip
        _engine.say_once(self._core.notes)

    @property
    def strategy(self) -> str:
        return self._core.strategy

    @property
    def device(self) -> str:
        """The device of the searches: cpu, gpu or sim."""
        return self._core.device

    @property
    def notes(self) -> tuple[str, ...]:
        """The library's notes, such as the reason why there is no GPU."""
        return tuple(in_python(note) for note in self._core.notes)

    def _asked(
        self, time_limit: float | None, progress: Progress, stop: Stop | None, unit: str, total: int = 0
    ) -> AbstractContextManager[_core.Asked | None]:
        """Returns what the extension's calls take at their end: None without limits and reports."""
        if time_limit is None and progress is None and stop is None and self._limits is None:
            return _NOTHING  # most calls, some of which take microseconds
        own: tuple[float | None, Progress, Stop | None] = self._limits or (None, None, None)
        return asked(
            *self._words,
            own[0] if time_limit is None else time_limit,
            own[1] if progress is None else progress,
            own[2] if stop is None else stop,
            unit,
            total,
        )

    def _run(
        self, sources: npt.NDArray[np.uint32], limit: int, target: int, parents: bool, words: _core.Asked | None = None,
        bytes: int = 4,
    ) -> tuple[Any, ...]:  # fmt: skip
        least = parents and isinstance(self.graph, Graph)
        return self._core.run(sources, limit, target, parents, least, words, bytes)

    def bfs(
        self,
        source: Any,
        *,
        parents: bool = False,
        max_depth: int | None = None,
        target: Any = None,
        out: Out = "numpy",
        dtype: npt.DTypeLike | None = None,
        time_limit: float | None = None,
        progress: Progress = None,
        stop: Stop | None = None,
    ) -> Result:
        """Returns distances from one id, or from the nearest of a list of ids.

        A parent is the smallest possible vertex, on every device. With `target` the search ends with its level. `time_limit`,
        `progress` and `stop` are as in hopwave.read(), here and below; None: those of the searcher, which can be used again
        after an early end. `progress` counts levels. With `out` other than "numpy", arrays stay in the memory of the GPU that found them, and parents may be any possible ones: "torch" and "cupy" make a
        copy there; "dlpack" is the searcher's own memory, valid until its next search. `dtype`: int32, or uint16 or uint8, which
        a GPU packs, so that less is copied; there unreached is 65,535 or 255, and greater distances are Error
        HW-DISTANCE-NARROW.
        """
        sources, limit = sources_of(self.graph, source), depth(max_depth)
        end = NO_VERTEX if target is None else self.graph.vertex(target)
        truth(parents, "parents")
        check_out(out)
        size = _bytes_of(dtype, out)
        with self._asked(time_limit, progress, stop, "level") as words:
            if out != "numpy" and self.device != "cpu":
                found = self._core.run_on_device(sources, limit, end, parents, self._ordinal, words)
            else:
                found = self._run(sources, limit, end, parents, words, size)
        if out == "numpy":
            return Result(self, sources, limit, found)
        if self.device == "cpu":
            result = Result(self, sources, limit, found)
            result.distance = from_host(result.distance, out)
            result._parent_there = from_host(result.parent, out) if parents else None
            return result
        distance, parent, *others = found
        result = Result(self, sources, limit, (from_view(distance, out, self._ordinal, self._stream), None, *others))
        if parent is not None:
            result._parent_there = from_view(parent, out, self._ordinal, self._stream)
        return result

    def reach(
        self,
        source: Any,
        *,
        max_depth: int | None = None,
        target: Any = None,
        nearest: int | None = None,
        parents: bool = False,
        time_limit: float | None = None,
        progress: Progress = None,
        stop: Stop | None = None,
    ) -> Reached:
        """Returns only the vertices reached from one id, or from several: time and memory depend on their number.

        `nearest`: at most that many vertices besides the sources, the nearest; of equally far ones the smallest.
        """
        sources, limit = sources_of(self.graph, source), depth(max_depth)
        end = NO_VERTEX if target is None else self.graph.vertex(target)
        most = 0 if nearest is None else count(min(whole(nearest, "nearest"), 2**32), "nearest", least=1)
        truth(parents, "parents")
        with self._asked(time_limit, progress, stop, "level") as words:
            return Reached(self.graph, *self._core.reach(sources, limit, end, most, parents, words))

    def reach_each(
        self,
        sources: Any,
        *,
        max_depth: int | None = None,
        nearest: int | None = None,
        parents: bool = False,
        time_limit: float | None = None,
        progress: Progress = None,
        stop: Stop | None = None,
    ) -> ReachedEach:
        """reach() from each source separately, on several threads: for example, neighbourhoods for samplers. `progress` counts
        searches."""
        vertices, limit = sources_of(self.graph, sources), depth(max_depth)
        most = 0 if nearest is None else count(min(whole(nearest, "nearest"), 2**32), "nearest", least=1)
        truth(parents, "parents")
        with self._asked(time_limit, progress, stop, "search", vertices.size) as words:
            return ReachedEach(self.graph, *self._core.reach_each(vertices, limit, most, parents, words))

    def each(
        self,
        sources: Any,
        *,
        max_depth: int | None = None,
        out: Out = "numpy",
        dtype: npt.DTypeLike | None = None,
        time_limit: float | None = None,
        progress: Progress = None,
        stop: Stop | None = None,
    ) -> Any:
        """Returns distances from each source separately: one row per source, one column per vertex; -1: unreached.

        `dtype` is as in bfs(). `progress` counts searches. With `out` "torch" or "cupy" the rows of a search on a GPU stay in its memory.
        """
        vertices, limit = sources_of(self.graph, sources), depth(max_depth)
        check_out(out)
        size = _bytes_of(dtype, out)
        with self._asked(time_limit, progress, stop, "search", vertices.size) as words:
            if out == "numpy" or self.device != "gpu":
                return from_host(self._core.each(vertices, limit, words, size), out)
            if out == "dlpack":
                raise ValueError('out: rows in a GPU\'s memory need "torch" or "cupy", which provide it')
            rows, address = rows_for(vertices.size, self.graph.num_vertices, out, self._ordinal)
            self._core.each_on_device(vertices, limit, address, words)
            return rows

    def __reduce__(self) -> Any:
        raise TypeError("a hopwave.Searcher can be neither pickled nor copied: make one in each process and thread")

    def __repr__(self) -> str:
        return f"<hopwave.Searcher: {self.strategy} on {self.device}, {self.graph!r}>"


def bfs(
    graph: Graph | DeviceGraph,
    source: Any,
    *,
    parents: bool = False,
    max_depth: int | None = None,
    target: Any = None,
    direction: Direction = "out",
    strategy: str = "auto",
    out: Out = "numpy",
    dtype: npt.DTypeLike | None = None,
    device: Device = "auto",
    threads: int = 0,
    seed: int = 1,
    time_limit: float | None = None,
    progress: Progress = None,
    stop: Stop | None = None,
) -> Result:
    """One search; see Searcher.bfs. For more than one, a Searcher keeps the graph ready. `progress` counts levels. `time_limit`
    applies to the search, without the copy of the graph to a GPU."""
    searcher = Searcher(
        graph, strategy=strategy, direction=direction, device=device, threads=threads, seed=seed, time_limit=time_limit,
        progress=progress, stop=stop,
    )  # fmt: skip
    return searcher.bfs(source, parents=parents, max_depth=max_depth, target=target, out=out, dtype=dtype)


def reach(
    graph: Graph | DeviceGraph,
    source: Any,
    *,
    max_depth: int | None = None,
    target: Any = None,
    nearest: int | None = None,
    parents: bool = False,
    direction: Direction = "out",
    device: Device = "auto",
    threads: int = 0,
    seed: int = 1,
    time_limit: float | None = None,
    progress: Progress = None,
    stop: Stop | None = None,
) -> Reached:
    """One search that returns only the reached vertices; see Searcher.reach. For more than one, a Searcher keeps the graph
    ready. "auto" is the CPU, or the device that has the graph."""
    where: Device = "cpu" if device == "auto" and isinstance(graph, Graph) else device
    searcher = Searcher(
        graph, direction=direction, device=where, threads=threads, seed=seed, time_limit=time_limit, progress=progress, stop=stop
    )
    return searcher.reach(source, max_depth=max_depth, target=target, nearest=nearest, parents=parents)


def _vertices(graph: Graph, sources: Any) -> npt.NDArray[np.uint32]:
    require_graph(graph)
    return np.arange(graph.num_vertices, dtype=np.uint32) if sources is None else sources_of(graph, sources)


def _summaries(
    graph: Graph, vertices: npt.NDArray[np.uint32], direction: Direction, how: How
) -> tuple[npt.NDArray[Any], ...]:
    with asked(*how, "search", vertices.size) as words:
        if vertices.size == 0:
            return tuple(np.zeros(0, t) for t in (np.uint64, np.uint64, np.float64, np.int32))
        searcher = Searcher(graph, direction=direction, device=how[0], threads=how[1], seed=how[2])
        return searcher._core.summaries(vertices, -1, words)


def summaries(
    graph: Graph,
    sources: Any = None,
    *,
    direction: Direction = "out",
    device: Device = "auto",
    threads: int = 0,
    seed: int = 1,
    time_limit: float | None = None,
    progress: Progress = None,
    stop: Stop | None = None,
) -> tuple[npt.NDArray[Any], ...]:
    """Returns four arrays, one value per source (per vertex, unless `sources` are given): vertices reached (itself included),
    sum of distances, sum of 1 / distance, eccentricity. `progress` counts searches, here and below.
    """
    how = (device, threads, seed, time_limit, progress, stop)
    return _summaries(graph, _vertices(graph, sources), direction, how)


def eccentricity(
    graph: Graph,
    sources: Any = None,
    *,
    direction: Direction = "out",
    device: Device = "auto",
    threads: int = 0,
    seed: int = 1,
    time_limit: float | None = None,
    progress: Progress = None,
    stop: Stop | None = None,
) -> Values:
    """The greatest distance from each source ("out"), as in NetworkX, to a vertex that it reaches: one int32 per source."""
    vertices = _vertices(graph, sources)
    found = _summaries(graph, vertices, direction, (device, threads, seed, time_limit, progress, stop))
    return named(found[3], lambda at: graph._ids(vertices[at]))
