"""Searches, and the figures that come from them."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from . import _core, _engine
from ._arrays import depth, on_host, whole, word
from ._device import DeviceGraph, Out, check_out, from_host, from_view, rows_for, stream_handle
from ._graph import Graph
from ._html import bars
from ._progress import bar

Device = Literal["auto", "cpu", "gpu", "sim"]
Direction = Literal["out", "in", "both"]
NO_VERTEX = 2**32 - 1
_A_STEP = 1024  # searches between two looks at a progress bar


def require_graph(graph: Any) -> None:
    if isinstance(graph, (Graph, DeviceGraph)):
        return
    hint = ": hopwave.Graph.from_networkx makes one of it" if hasattr(graph, "_adj") else ""
    raise TypeError(f"graph: a hopwave.Graph is needed, not {type(graph).__module__}.{type(graph).__qualname__}{hint}")


def sources_of(graph: Graph | DeviceGraph, source: Any) -> npt.NDArray[np.uint32]:
    """The vertices of one id or of a list, set, range or array of ids. A tuple is an id where the graph has it as one."""
    if isinstance(source, (list, set, frozenset, range, np.ndarray)):
        if isinstance(source, np.ndarray) and source.ndim == 0:
            return np.array([graph.vertex(source[()])], np.uint32)
        return graph.vertices(list(source) if isinstance(source, (set, frozenset)) else source)
    return np.array([graph.vertex(source)], np.uint32)


class Result:
    """The answer of one search. Arrays are indexed by vertex; methods take and give your ids."""

    __slots__ = (
        *("_parent", "_parent_there", "_searcher", "_sources", "chosen", "depth", "distance", "launches", "max_depth"),
        *("reached", "search_ms", "steps"),
    )

    distance: Any
    """Hops from the nearest source, one int32 a vertex; -1: unreached. NumPy's, or what `out` asked for."""
    steps: list[dict[str, Any]]
    """One a step, if the searcher traces: level, direction, frontier, arcs, found, ms. `arcs` is 0 where nobody counts them."""
    launches: list[dict[str, Any]]
    """One a kernel launch, if the searcher counts; in the simulator with what the threads did (hopwave/counts.h)."""

    def __init__(self, searcher: Searcher, sources: npt.NDArray[np.uint32], limit: int, answer: tuple[Any, ...]) -> None:
        self._searcher = searcher
        self._sources = sources
        self.max_depth = limit
        self.distance, self._parent, self.reached, self.depth, self.search_ms, self.chosen = answer[:6]
        self.steps, self.launches = answer[6:]
        self._parent_there: Any = None  # an array of another library's

    @property
    def parent(self) -> Any:
        """The vertex before, one a vertex; -1: a source, or unreached. None unless the search was asked for parents."""
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

    def distance_to(self, id: Any) -> int:
        """Hops to the vertex that you call `id`; -1: unreached."""
        return int(self._here()[self._searcher.graph.vertex(id)])

    def _here(self) -> npt.NDArray[np.int32]:
        """The distances in the host's memory."""
        if isinstance(self.distance, np.ndarray):
            return self.distance
        if isinstance(self.distance, _core.DeviceView):
            return self._searcher._run(self._sources, self.max_depth, NO_VERTEX, False)[0]  # type: ignore[no-any-return]
        return np.asarray(on_host(self.distance))

    def path_to(self, id: Any) -> list[Any]:
        """Your ids along a shortest path from a source to `id`, both included; empty where no path leads."""
        graph = self._searcher.graph
        v = graph.vertex(id)
        if self._here()[v] < 0:
            return []
        if self._parent is None:  # the search was for distances only
            self._parent = self._searcher._run(self._sources, self.max_depth, NO_VERTEX, True)[1]
        path = [v]
        while (v := int(self._parent[v])) != NO_VERTEX:
            path.append(v)
        return [graph.id(u) for u in reversed(path)]

    def __reduce__(self) -> Any:
        raise TypeError("a hopwave.Result cannot be pickled, as it may search again: take its arrays, distance and parent")

    def __repr__(self) -> str:
        return f"<hopwave.Result: {self.reached:,} of {self._searcher.graph.num_vertices:,} vertices reached, depth {self.depth}>"

    def _repr_html_(self) -> str:
        distance = self._here()
        counts = np.bincount(distance[distance >= 0])
        return f"<p>{escape(repr(self))}</p>" + bars(
            "vertices by distance", [str(d) for d in range(counts.size)], [int(count) for count in counts]
        )


class Searcher:
    """A graph kept ready on a device for any number of searches. One call at a time: a second one gets Error HW-BUSY."""

    __slots__ = ("_core", "_ordinal", "_stream", "graph")

    def __init__(
        self,
        graph: Graph | DeviceGraph,
        *,
        strategy: str = "auto",
        device: Device = "auto",
        direction: Direction = "out",
        prepare: bool = False,
        threads: int = 0,
        trace: bool = False,
        counts: bool = False,
        gpus: int | Sequence[int] | None = None,
        partition: bool | None = None,
        stream: Any = None,
    ) -> None:
        """`gpus`: how many GPUs, or their numbers, over which many searches of one call are dealt out. `partition`: they share
        the graph and search together, instead of having a copy each; None: where it does not fit into one. `stream`: all work on a
        GPU is done in this stream of PyTorch, CuPy or CUDA (not the legacy default one), else in one of the searcher's own.
        """
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
            raise ValueError(f"device: the graph lies on {graph.device!r}, and is searched there, not on {device!r}")
        threads = max(min(whole(threads, "threads"), 2**31 - 1), -1)  # the library says what is too many
        self.graph = graph
        self._ordinal = numbers[0] if numbers else graph.ordinal if isinstance(graph, DeviceGraph) else 0
        self._stream = stream_handle(stream)
        self._core = _core.Searcher(
            graph._core, strategy, device, direction, prepare, threads, trace, counts, numbers,
            0 if partition is None else 2 if partition else 1, self._ordinal, self._stream,
            (stream,),
        )
        _engine.say_once(self._core.notes)

    @property
    def strategy(self) -> str:
        return self._core.strategy

    @property
    def device(self) -> str:
        """Where it searches: cpu, gpu or sim."""
        return self._core.device

    @property
    def notes(self) -> list[str]:
        """What the library has to say, such as why there is no GPU."""
        return self._core.notes

    def _run(self, sources: npt.NDArray[np.uint32], limit: int, target: int, parents: bool) -> tuple[Any, ...]:
        return self._core.run(sources, limit, target, parents, parents and isinstance(self.graph, Graph))

    def bfs(
        self, source: Any, *, parents: bool = False, max_depth: int | None = None, target: Any = None, out: Out = "numpy"
    ) -> Result:
        """Distances from one id, or from the nearest of a list of ids.

        Parents are the least vertex of all that would do, on every device. With `target` the search ends with its level. With
        `out` other than "numpy" arrays stay in the memory of the GPU that found them, and parents are any that would do:
        "torch" and "cupy" make a copy there; "dlpack" is the searcher's own memory, until its next search.
        """
        sources, limit = sources_of(self.graph, source), depth(max_depth)
        end = NO_VERTEX if target is None else self.graph.vertex(target)
        if out == "numpy":
            return Result(self, sources, limit, self._run(sources, limit, end, parents))
        check_out(out)
        if self.device == "cpu":
            result = Result(self, sources, limit, self._run(sources, limit, end, parents))
            result.distance = from_host(result.distance, out)
            result._parent_there = from_host(result.parent, out) if parents else None
            return result
        distance, parent, *others = self._core.run_on_device(sources, limit, end, parents, self._ordinal)
        result = Result(self, sources, limit, (from_view(distance, out, self._ordinal, self._stream), None, *others))
        if parent is not None:
            result._parent_there = from_view(parent, out, self._ordinal, self._stream)
        return result

    def each(self, sources: Any, *, max_depth: int | None = None, progress: Any = None, out: Out = "numpy") -> Any:
        """Distances from each source alone: one row a source, one column a vertex. `progress` as in hopwave.read().

        With `out` "torch" or "cupy" the rows of a search on a GPU stay in its memory.
        """
        vertices, limit = sources_of(self.graph, sources), depth(max_depth)
        check_out(out)
        if out != "numpy" and self.device == "gpu":
            return self._each_there(vertices, limit, progress, out)
        return from_host(self._each_here(vertices, limit, progress), out)

    def _each_there(self, vertices: npt.NDArray[np.uint32], limit: int, progress: Any, out: Out) -> Any:
        if out == "dlpack":
            raise ValueError('out: rows in a GPU\'s memory are "torch" or "cupy", which provide it')
        width = self.graph.num_vertices
        rows, address = rows_for(vertices.size, width, out, self._ordinal)
        step = _A_STEP if progress else max(vertices.size, 1)
        with bar(progress, vertices.size, "search") as shown:
            for begin in range(0, vertices.size, step):
                part = vertices[begin : begin + step]
                self._core.each_on_device(part, limit, address + 4 * begin * width)
                if shown is not None:
                    shown.update(part.size)
        return rows

    def _each_here(self, vertices: npt.NDArray[np.uint32], limit: int, progress: Any) -> npt.NDArray[np.int32]:
        if not progress:
            return self._core.each(vertices, limit)
        rows = np.empty((vertices.size, self.graph.num_vertices), np.int32)
        with bar(progress, vertices.size, "search") as shown:
            for begin in range(0, vertices.size, _A_STEP):
                part = vertices[begin : begin + _A_STEP]
                rows[begin : begin + part.size] = self._core.each(part, limit)
                shown.update(part.size)
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
    device: Device = "auto",
    out: Out = "numpy",
) -> Result:
    """One search; see Searcher.bfs. For more than one, a Searcher keeps the graph ready."""
    searcher = Searcher(graph, strategy=strategy, device=device, direction=direction)
    return searcher.bfs(source, parents=parents, max_depth=max_depth, target=target, out=out)


def summaries(
    graph: Graph, sources: Any = None, *, direction: Direction = "out", device: Device = "auto", progress: Any = None
) -> tuple[npt.NDArray[Any], ...]:
    """Four arrays, a value a source: vertices reached (itself too), sum of distances, sum of 1 / distance, eccentricity.

    `progress` as in hopwave.read(). Here and below a bar moves every 1,024 searches.
    """
    require_graph(graph)
    vertices = np.arange(graph.num_vertices, dtype=np.uint32) if sources is None else sources_of(graph, sources)
    if vertices.size == 0:
        return tuple(np.zeros(0, t) for t in (np.uint64, np.uint64, np.float64, np.int32))
    searcher = Searcher(graph, direction=direction, device=device)._core
    if not progress:
        return searcher.summaries(vertices, -1)
    parts = []
    with bar(progress, vertices.size, "search") as shown:
        for begin in range(0, vertices.size, _A_STEP):
            parts.append(searcher.summaries(vertices[begin : begin + _A_STEP], -1))
            shown.update(parts[-1][0].size)
    return tuple(np.concatenate(column) for column in zip(*parts))


def _sampled(
    graph: Graph, name: str, sources: Any, samples: int, seed: int, direction: Direction, device: Device
) -> npt.NDArray[np.float64]:
    if sources is not None:
        raise ValueError("sources and samples: one of them")
    if (samples := whole(samples, "samples")) < 1:
        raise ValueError(f"samples: {samples} is less than 1")
    found: npt.NDArray[np.float64] = _core.sampled_closeness(graph._core, samples, seed, 0.05, direction, device, 0.0)[name]
    return found


def closeness(
    graph: Graph,
    sources: Any = None,
    *,
    samples: int | None = None,
    seed: int = 1,
    direction: Direction = "in",
    device: Device = "auto",
    progress: Any = None,
) -> npt.NDArray[np.float64]:
    """Closeness centrality of `sources` (all vertices unless given), scaled by Wasserman and Faust's formula as NetworkX does.

    Distances are hops, also in a graph with weights.
    `samples` vertices, drawn at random, give an estimate for all; sampled_closeness() says how good it is.
    """
    if samples is not None:
        return _sampled(graph, "closeness", sources, samples, seed, direction, device)
    reached, total, _, _ = summaries(graph, sources, direction=direction, device=device, progress=progress)
    others = reached.astype(np.float64) - 1
    value = np.zeros(others.size)
    some = total > 0
    value[some] = others[some] / total[some] * (others[some] / (graph.num_vertices - 1))
    return value


def harmonic(
    graph: Graph,
    sources: Any = None,
    *,
    samples: int | None = None,
    seed: int = 1,
    direction: Direction = "in",
    device: Device = "auto",
    progress: Any = None,
) -> npt.NDArray[np.float64]:
    """Harmonic centrality of `sources`: the sum of 1 / distance, in hops. `samples` as for closeness()."""
    if samples is not None:
        return _sampled(graph, "harmonic", sources, samples, seed, direction, device)
    return summaries(graph, sources, direction=direction, device=device, progress=progress)[2]


def eccentricity(
    graph: Graph, sources: Any = None, *, direction: Direction = "out", device: Device = "auto", progress: Any = None
) -> npt.NDArray[np.int32]:
    """The greatest distance from each source, among the vertices that it reaches."""
    return summaries(graph, sources, direction=direction, device=device, progress=progress)[3]
