"""Graph: made from arrays and from other libraries' graphs, and converted to them."""

from __future__ import annotations

import os
from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from . import _core, _export
from ._arrays import (
    count,
    integers,
    is_array,
    is_several,
    is_text,
    listed,
    names,
    on_host,
    one_dimension,
    same_type,
    some_weights,
    truth,
    truth_or_none,
    whole,
    word,
)
from ._error import Error, made, unknown
from ._html import Picture, bars, degrees, table
from ._kinds import path_name, refuse
from ._report import Report
from ._run import Device, Progress, Stop, asked
from ._words import in_python

if TYPE_CHECKING:
    import networkx as nx
    import pandas
    import scipy.sparse


class Graph:
    """An immutable graph. Vertices have internal numbers from 0; `vertex()` and `id()` convert between these and the caller's
    ids.

    Ids are integers in any range, texts, or the nodes of a NetworkX graph. Any number of threads may use one graph at the same
    time.
    """

    __slots__ = ("_core", "_index", "_nodes", "_report")

    def __init__(
        self,
        core: _core.Graph,
        nodes: Sequence[Hashable] | None = None,
        index: dict[Hashable, int] | None = None,
        report: Report | None = None,
    ) -> None:
        if not isinstance(core, _core.Graph):
            raise TypeError("a hopwave.Graph is made by hopwave.read() or one of Graph.from_edges(), from_networkx(), from_scipy(), …")
        self._core = core
        self._nodes = nodes
        self._index = index
        self._report = report

    @staticmethod
    def from_edges(
        sources: object,
        targets: object,
        *,
        directed: bool | None = None,
        num_vertices: int | None = None,
        weights: object = None,
        keep_duplicates: bool = False,
        keep_self_loops: bool = False,
        device: Device = "auto",
        threads: int = 0,
        seed: int = 1,
        time_limit: float | None = None,
        progress: Progress = None,
        stop: Stop | None = None,
    ) -> Graph:
        """From two columns of ids (arrays, lists, series), integers or texts. With `num_vertices` the ids are 0 … num_vertices
        − 1, with or without edges.

        `directed` False: each edge counts in both directions. None, here and below: as the input states, otherwise directed.
        `weights` has one number per edge: int or float of 32 or 64 bits, stored exactly; of parallel edges the lightest is
        kept. Parallel edges and self-loops are dropped unless `keep_duplicates` or `keep_self_loops`; `report` counts them.
        Raises TypeError for values that are not ids or numbers, ValueError for different lengths.

        `device` to `stop`, here and below, are as in hopwave.read(): a device sorts the edges into rows, and "auto" is the CPU.
        `progress` counts arcs.
        """
        with asked(device, threads, seed, time_limit, progress, stop, "arc", auto="cpu") as words:
            return Graph._of_edges(
                sources, targets, directed, num_vertices, weights, keep_duplicates, keep_self_loops, words
            )

    @staticmethod
    def _of_edges(
        sources: object,
        targets: object,
        directed: bool | None,
        num_vertices: int | None,
        weights: object,
        keep_duplicates: bool,
        keep_self_loops: bool,
        words: _core.Asked,
    ) -> Graph:
        first, second = one_dimension(sources, "sources"), one_dimension(targets, "targets")
        if first.size != second.size:
            raise ValueError(f"{first.size} sources and {second.size} targets: one of each per edge is needed")
        if num_vertices is not None:
            num_vertices = count(num_vertices, "num_vertices", most=2**32 - 2)
        building = _core.Building(
            _directed(directed, True), num_vertices, truth(keep_duplicates, "keep_duplicates"), truth(keep_self_loops, "keep_self_loops")
        )
        given = some_weights(weights, first.size)
        if is_text(first) or is_text(second):
            if num_vertices is not None:
                raise TypeError("num_vertices needs ids that are integers")
            return Graph(_core.from_names(names(first, "sources"), names(second, "targets"), building, given, words))
        a, b = same_type(integers(first, "sources"), integers(second, "targets"))
        return Graph(_core.from_edges(a, b, building, given, words))

    @staticmethod
    def from_csr(
        indptr: object,
        indices: object,
        *,
        directed: bool | None = None,
        weights: object = None,
        device: Device = "auto",
        threads: int = 0,
        seed: int = 1,
        time_limit: float | None = None,
        progress: Progress = None,
        stop: Stop | None = None,
    ) -> Graph:
        """From compressed sparse rows; rows may be in any order. directed=False: each edge must be in both rows, otherwise
        Error HW-GRAPH-SYMMETRY; to_undirected() adds missing arcs. Parallel arcs and self-loops are kept.

        It runs on the CPU, whatever `device` is, at the speed of memory: limits end it before it begins.
        """
        with asked(device, threads, seed, time_limit, progress, stop, "arc", auto="cpu") as words:
            return Graph._of_csr(indptr, indices, directed, weights, words)

    @staticmethod
    def _of_csr(indptr: object, indices: object, directed: bool | None, weights: object, words: _core.Asked) -> Graph:
        a, b = same_type(integers(indptr, "indptr"), integers(indices, "indices"))
        for what, array in (("indptr", a), ("indices", b)):
            if array.dtype.kind == "i" and array.size and int(array.min()) < 0:
                at = int(np.flatnonzero(array < 0)[0])
                raise made(f"{what}[{at}]: {int(array[at])}, expected 0 or more", "HW-GRAPH-ARRAYS")
        core = _core.from_csr(a, b, _directed(directed, True), some_weights(weights, b.size), words)
        return Graph(core, report=Report("memory", "csr", "", b.size, 0, 0, True, True))

    @staticmethod
    def from_scipy(
        matrix: Any,
        *,
        directed: bool | None = None,
        weighted: bool = False,
        device: Device = "auto",
        threads: int = 0,
        seed: int = 1,
        time_limit: float | None = None,
        progress: Progress = None,
        stop: Stop | None = None,
    ) -> Graph:
        """From a square sparse matrix or array. Every stored entry, also a zero, is an arc from its row to its column; entries
        at one place are added up, as SciPy does.

        `weighted` makes the values weights; otherwise they are ignored. directed=False: each entry counts in both directions,
        and of two weights the lesser is kept, as in scipy.sparse.csgraph.
        """
        if not hasattr(matrix, "tocsr"):
            raise refuse("matrix", "a sparse matrix of SciPy", matrix)
        if len(matrix.shape) != 2 or matrix.shape[0] != matrix.shape[1]:
            raise ValueError(f"matrix: the shape {tuple(matrix.shape)} is not square: as many rows as columns are needed")
        rows = matrix.tocsr()
        stored = matrix.nnz
        if not rows.has_canonical_format:  # duplicates would be parallel arcs
            rows = rows.copy()
            rows.sum_duplicates()
        weights = rows.data if truth(weighted, "weighted") else None
        keep = _directed(directed, True)
        with asked(device, threads, seed, time_limit, progress, stop, "arc", auto="cpu") as words:
            made = Graph._of_csr(rows.indptr, rows.indices, None, weights, words)
            made._report = Report("memory", "scipy", "", stored, stored - rows.nnz, 0, False, True)
            return made if keep else made._undirected(words)

    @staticmethod
    def from_networkx(
        graph: nx.Graph[Any],
        *,
        directed: bool | None = None,
        weight: str | None = None,
        device: Device = "auto",
        threads: int = 0,
        seed: int = 1,
        time_limit: float | None = None,
        progress: Progress = None,
        stop: Stop | None = None,
    ) -> Graph:
        """From a NetworkX graph of any kind. Vertices are in its order of nodes, and the nodes are the ids.

        `weight` is the edge attribute to use as weights, 1 where it is missing; of parallel edges the lightest. Its objects are
        read by this thread; limits end the call before and after that.
        """
        if not hasattr(graph, "_adj") or isinstance(graph, type):
            raise refuse("graph", "a graph of NetworkX", graph)
        with asked(device, threads, seed, time_limit, progress, stop, "arc", auto="cpu") as words:
            return Graph._of_networkx(graph, directed, weight, words)

    @staticmethod
    def _of_networkx(graph: nx.Graph[Any], directed: bool | None, weight: str | None, words: _core.Asked) -> Graph:
        edges = graph.number_of_edges()
        words.step("edges", 0, edges)
        nodes: list[Hashable] = list(graph)
        index = {node: v for v, node in enumerate(nodes)}
        dicts: Any = graph  # the dicts inside its views are not part of its type
        rows = _core.read_rows(nodes, index, dicts._adj, None)
        weights = None
        if weight is not None:
            weights = _core.read_weights(rows, nodes, dicts._adj, weight, graph.is_multigraph())
            if weights is None:
                raise ValueError(f"{weight!r} of an edge is not an int or float of 0 or more (of NumPy's types only float64 is one)")
        words.step("edges", edges, edges)
        made = Graph(rows.sorted(graph.is_directed(), weights), nodes, index)
        made._report = Report("memory", "networkx", "", edges, 0, 0, False, True)
        if graph.is_multigraph():
            made._report = replace(made._report, duplicates=edges - _export.ends(made)[0].size)
        if _directed(directed, made.directed) == made.directed:
            return made
        return made.to_directed() if directed else made._undirected(words)

    @staticmethod
    def from_dlpack(
        edges: Any,
        *,
        directed: bool | None = None,
        num_vertices: int | None = None,
        weights: Any = None,
        device: Device = "auto",
        threads: int = 0,
        seed: int = 1,
        time_limit: float | None = None,
        progress: Progress = None,
        stop: Stop | None = None,
    ) -> Graph:
        """From an array of two rows, such as PyTorch Geometric's `edge_index`; `weights` likewise. Arrays on a GPU are
        copied."""
        if not hasattr(edges, "__dlpack__") and on_host(edges) is edges:
            raise refuse("edges", "an array with __dlpack__", edges)
        array = np.from_dlpack(on_host(edges))
        if array.ndim != 2 or array.shape[0] != 2:
            raise ValueError(f"two rows are needed (sources and targets), not the shape {array.shape}")
        given = None if weights is None else np.from_dlpack(on_host(weights))
        with asked(device, threads, seed, time_limit, progress, stop, "arc", auto="cpu") as words:
            return Graph._of_edges(array[0], array[1], directed, num_vertices, given, False, False, words)

    @staticmethod
    def from_igraph(
        graph: Any,
        *,
        directed: bool | None = None,
        weight: str | None = None,
        device: Device = "auto",
        threads: int = 0,
        seed: int = 1,
        time_limit: float | None = None,
        progress: Progress = None,
        stop: Stop | None = None,
    ) -> Graph:
        """From an igraph.Graph; its vertex numbers are the ids. `weight` is the edge attribute to use as weights."""
        if not hasattr(graph, "get_edgelist") or isinstance(graph, type):
            raise refuse("graph", "a graph of igraph", graph)
        edges = graph.ecount()
        ends = np.fromiter(chain.from_iterable(graph.get_edgelist()), np.int64, 2 * edges).reshape(edges, 2)
        weights = None if weight is None else graph.es[weight]
        way = _directed(directed, graph.is_directed())
        with asked(device, threads, seed, time_limit, progress, stop, "arc", auto="cpu") as words:
            return _numbered(ends, way, graph.vcount(), weights, words)

    @staticmethod
    def from_graph_tool(
        graph: Any,
        *,
        directed: bool | None = None,
        weight: str | None = None,
        device: Device = "auto",
        threads: int = 0,
        seed: int = 1,
        time_limit: float | None = None,
        progress: Progress = None,
        stop: Stop | None = None,
    ) -> Graph:
        """From a graph_tool.Graph; its vertex numbers are the ids. `weight` is the edge property to use as weights.

        Vertices that a filter hides are included, without edges.
        """
        if not hasattr(graph, "get_edges") or isinstance(graph, type):
            raise refuse("graph", "a graph of graph-tool", graph)
        edges = np.asarray(graph.get_edges([] if weight is None else [graph.edge_index]))
        vertices = graph.num_vertices(ignore_filter=True)
        # By the edges' numbers: get_edges() would convert them to floats
        weights = None if weight is None else graph.edge_properties[weight].get_array()[edges[:, 2]]
        way = _directed(directed, graph.is_directed())
        with asked(device, threads, seed, time_limit, progress, stop, "arc", auto="cpu") as words:
            return _numbered(edges[:, :2].astype(np.int64), way, vertices, weights, words)

    @staticmethod
    def from_rustworkx(
        graph: Any,
        *,
        directed: bool | None = None,
        weight: Callable[[Any], float] | None = None,
        device: Device = "auto",
        threads: int = 0,
        seed: int = 1,
        time_limit: float | None = None,
        progress: Progress = None,
        stop: Stop | None = None,
    ) -> Graph:
        """From a rustworkx.PyGraph or PyDiGraph; its node indices are the ids. `weight` is called with the data of each edge, such
        as `float`, and returns its weight."""
        if not hasattr(graph, "weighted_edge_list") or isinstance(graph, type):
            raise refuse("graph", "a graph of rustworkx", graph)
        if weight is not None and not callable(weight):
            raise refuse("weight", "a function of an edge's data, such as float,", weight)
        edges, nodes = graph.num_edges(), graph.num_nodes()
        numbers = np.fromiter(graph.node_indexes(), np.int64, nodes)  # ascending, with gaps where nodes were removed
        ends = np.fromiter(chain.from_iterable(graph.edge_list()), np.int64, 2 * edges).reshape(edges, 2)
        weights = None if weight is None else [weight(data) for _, _, data in graph.weighted_edge_list()]
        way = _directed(directed, hasattr(graph, "in_degree"))
        with asked(device, threads, seed, time_limit, progress, stop, "arc", auto="cpu") as words:
            found = _numbered(np.searchsorted(numbers, ends), way, nodes, weights, words)
        gaps = nodes > 0 and numbers[-1] != nodes - 1
        return Graph(found._core.with_numbers(numbers), report=found._report) if gaps else found

    @staticmethod
    def from_table(
        table: Any,
        source: str = "source",
        target: str = "target",
        *,
        directed: bool | None = None,
        weight: str | None = None,
        device: Device = "auto",
        threads: int = 0,
        seed: int = 1,
        time_limit: float | None = None,
        progress: Progress = None,
        stop: Stop | None = None,
    ) -> Graph:
        """From columns of a table: pandas, Polars, Arrow, or a dict of arrays. `weight` names a third column.

        Raises KeyError for a missing column. from_edges() states what columns may contain.
        """
        if not hasattr(table, "__getitem__") or isinstance(table, (str, bytes, list, tuple, type)) or hasattr(table, "tocsr"):
            raise refuse("table", "a table with named columns", table)
        columns = [np.asarray(_column(table, name)) for name in (source, target, *([] if weight is None else [weight]))]
        given = columns[2] if weight is not None else None
        with asked(device, threads, seed, time_limit, progress, stop, "arc", auto="cpu") as words:
            return Graph._of_edges(columns[0], columns[1], directed, None, given, False, False, words)

    def to_directed(
        self,
        *,
        device: Device = "auto",
        threads: int = 0,
        seed: int = 1,
        time_limit: float | None = None,
        progress: Progress = None,
        stop: Stop | None = None,
    ) -> Graph:
        """Returns the graph with each undirected edge as two arcs; for a directed graph, the graph itself. `device` to `stop`
        as in from_edges(): the arcs are there already, so the call reports one step at its beginning and one at its end."""
        with asked(device, threads, seed, time_limit, progress, stop, "arc", auto="cpu") as words:
            return self if self.directed else self._other(self._core.directed_copy(words))

    def to_undirected(
        self,
        *,
        device: Device = "auto",
        threads: int = 0,
        seed: int = 1,
        time_limit: float | None = None,
        progress: Progress = None,
        stop: Stop | None = None,
    ) -> Graph:
        """Returns the graph with each arc in both directions, with the lesser of two weights; for an undirected graph, the
        graph itself. `device` to `stop` as in from_edges()."""
        with asked(device, threads, seed, time_limit, progress, stop, "arc", auto="cpu") as words:
            return self._undirected(words)

    def _undirected(self, words: _core.Asked) -> Graph:
        return self._other(self._core.undirected_copy(words)) if self.directed else self

    def _other(self, core: _core.Graph) -> Graph:
        return Graph(core, self._nodes, self._index, self._report)

    def to_edges(self) -> tuple[npt.NDArray[Any], npt.NDArray[Any], npt.NDArray[Any] | None]:
        """Returns three arrays of one value per edge: ids of sources, ids of targets, and weights (None without weights).

        Ids are int64 if all are integers, otherwise Python objects; weights keep their type. An undirected edge occurs once.
        Vertices without an edge are not in the arrays: see `ids`.
        """
        return _export.to_edges(self)

    def to_networkx(self, *, weight: str = "weight") -> nx.Graph[Any]:
        """Returns a NetworkX graph: DiGraph or Graph, or MultiDiGraph or MultiGraph if edges are parallel.

        Nodes are the ids, in the order of vertices, isolated ones included. Weights become the attribute `weight`, ints or
        floats.
        """
        graph: nx.Graph[Any] = _export.to_networkx(self, word(weight, "weight"))
        return graph

    def to_igraph(self, *, weight: str = "weight") -> Any:
        """Returns an igraph.Graph: its vertex v is vertex v, whose id is the attribute `id`. Weights become the edge attribute
        `weight`, ints or floats."""
        return _export.to_igraph(self, word(weight, "weight"))

    def to_rustworkx(self) -> Any:
        """Returns a rustworkx.PyDiGraph or PyGraph: its node v is vertex v, and has the id as data. Edges have their weights as
        data, ints or floats, or None."""
        return _export.to_rustworkx(self)

    def to_scipy(self) -> scipy.sparse.csr_array:
        """Returns a SciPy sparse array: row and column v are vertex v, whose id is `ids`[v]. Values are the weights in their
        own type, or int32 ones. An undirected graph gives a symmetric array. SciPy adds parallel arcs up.
        """
        return _export.to_scipy(self)

    def to_pandas(self, source: str = "source", target: str = "target", weight: str = "weight") -> pandas.DataFrame:
        """Returns a pandas table with one row per edge, as in to_edges(): the columns `source`, `target` and, with weights,
        `weight`."""
        return _export.to_pandas(self, source, target, weight)

    def write(
        self,
        path: str | bytes | os.PathLike[Any],
        *,
        format: str | None = None,
        weights: bool = True,
        renumber: bool = False,
        separator: str | None = None,
        layout: str | None = None,
        level: int = 3,
        with_in: bool = True,
        source: Any = None,
        target: Any = None,
        device: Device = "auto",
        threads: int = 0,
        seed: int = 1,
        time_limit: float | None = None,
        progress: Progress = None,
        stop: Stop | None = None,
    ) -> None:
        """Writes the graph in the format of the file name's extension (.mtx, .csv, .graphml, .hwg, …), or in `format`; .gz and
        .zst after it compress. The file is written completely or not at all.

        read() returns the same graph: direction, ids, weights, vertices without edges. If a format cannot store a part, the
        call raises Error (HW-WRITE-…) before anything is written. weights=False drops weights, renumber=True numbers the
        vertices, and to_directed() and to_undirected() change the direction. Nodes of NetworkX must be all text or all
        integers: otherwise TypeError.

        `separator`: between the columns of edge lists; None: a comma in .csv, otherwise a tab. `layout`: for .npz, "csr", "csc"
        or "coo". `level`: of compression. `with_in`: a .hwg stores the incoming arcs of directed graphs, too. `source` and
        `target`: ids of the ends of a flow, for .max; by default `default_source` and `default_target`. It is written
        by one thread of the CPU, whatever `device` and `threads` are. `progress` counts units of work; some formats report
        none.
        """
        separator = "" if separator is None else word(separator, "separator")
        if len(separator.encode()) > 1:
            raise ValueError(f"separator: one ASCII character is needed, not {separator!r}")
        options = _core.WriteOptions(
            "" if format is None else word(format, "format"),
            truth(weights, "weights"),
            truth(with_in, "with_in"),
            count(level, "level", 1, 22),
            "" if layout is None else word(layout, "layout"),
            separator,
            truth(renumber, "renumber"),
            None if source is None else self.vertex(source),
            None if target is None else self.vertex(target),
        )
        name = path_name(path)
        with asked(device, threads, seed, time_limit, progress, stop) as words:
            core = self._core if renumber else _export.with_ids(self)
            core.write(name, options, words)

    @property
    def report(self) -> Report:
        """How reading or building interpreted its input: rows, dropped duplicates and self-loops, notes, repairs."""
        if self._report is None:
            found = self._core.report()
            for lines in ("notes", "repairs"):
                found[lines] = [in_python(line) for line in found[lines]]
            self._report = Report(**found)
        return self._report

    @property
    def num_vertices(self) -> int:
        return self._core.num_vertices

    @property
    def default_source(self) -> Any:
        """The id of the vertex that the input names as the source of a search or a flow; None where it names none."""
        return None if self._core.default_source is None else self.id(self._core.default_source)

    @property
    def default_target(self) -> Any:
        """The id of the vertex that the input names as the target of a flow; None where it names none."""
        return None if self._core.default_target is None else self.id(self._core.default_target)

    @property
    def num_arcs(self) -> int:
        """The number of stored arcs: an undirected edge counts twice, a self-loop once."""
        return self._core.num_arcs

    @property
    def directed(self) -> bool:
        return self._core.directed

    @property
    def weights(self) -> npt.NDArray[Any] | None:
        """One weight per arc, in the order of csr(): a read-only view. None if the graph has none; sssp() then uses 1 for
        each."""
        return self._core.weights()

    @property
    def nbytes(self) -> int:
        """Bytes of the rows in host memory, without ids."""
        return self._core.nbytes

    @property
    def ids(self) -> npt.NDArray[np.int64] | list[Any]:
        """The id of every vertex, by vertex."""
        return self._core.ids() if self._nodes is None else list(self._nodes)

    def id(self, vertex: int) -> Any:
        """Returns the id of `vertex`."""
        vertex = whole(vertex, "vertex")
        if not 0 <= vertex < self.num_vertices:
            raise IndexError(f"vertex {vertex} is not from 0 to {self.num_vertices - 1}")
        return self._core.name(vertex) if self._nodes is None else self._nodes[vertex]

    def vertex(self, id: Any) -> int:
        """Returns the vertex with this id. Raises Error HW-IDS-UNKNOWN if there is none."""
        if self._index is not None:
            try:
                return self._index[id]
            except KeyError:
                raise unknown(id) from None
        if isinstance(id, str):
            return self._core.vertex(id)
        if isinstance(id, (bool, np.bool_)) or not isinstance(id, (int, np.integer)):
            raise TypeError(f"ids of this graph are integers or str, not {type(id).__name__}")
        if not -(2**63) <= id < 2**63:
            raise unknown(id)
        return self._core.vertex(int(id))

    def vertices(self, ids: Any) -> npt.NDArray[np.uint32]:
        """Returns the vertices of many ids: a list, an array, a series. Raises Error HW-IDS-UNKNOWN for an id of no vertex."""
        if not is_several(ids):
            raise TypeError(f"ids: several are needed, such as a list or an array, not {type(ids).__name__}")
        if self._index is not None or self._core.has_names:
            return np.array([self.vertex(id) for id in listed(ids, "ids")], np.uint32)
        array = integers(ids if isinstance(ids, (list, range)) or is_array(ids) else list(ids), "ids")
        if array.dtype == np.uint64 and array.size and int(array.max()) >= 2**63:
            raise unknown(int(array.max()))
        return self._core.vertices(array.astype(np.int64, copy=False))

    def _ids(self, vertices: Any) -> list[Any]:
        """Returns the ids of many vertices."""
        return [self.id(int(v)) for v in vertices]

    def __contains__(self, id: Any) -> bool:
        """Returns whether there is a vertex with this id."""
        try:
            self.vertex(id)
        except (Error, TypeError):
            return False
        return True

    def csr(self) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.uint32]]:
        """Returns offsets and neighbours by vertex: read-only views of the graph's own arrays."""
        return self._core.csr()

    def spy(self, *, side: int = 256, name: str = "graph") -> Picture:
        """Draws the adjacency matrix of a graph of any size: rows are sources, columns targets, and a darker cell has more arcs.

        `side`: cells per side, at most 4,096. `name`: what the title calls the graph.
        """
        return Picture(self._core.spy(count(side, "side", least=1, most=4096), word(name, "name")))

    def __len__(self) -> int:
        return self.num_vertices

    def __bool__(self) -> bool:
        return True  # also without vertices: `graph or other` asks whether there is a graph

    def __copy__(self) -> Graph:
        return self  # nothing changes it

    def __deepcopy__(self, _memo: Any) -> Graph:
        return self

    def __reduce__(self) -> Any:
        raise TypeError("a hopwave.Graph cannot be pickled: pass the file's path or the arrays of csr() to the other process")

    def __repr__(self) -> str:
        kind = "directed" if self.directed else "undirected"
        return f"<hopwave.Graph: {self.num_vertices:,} vertices, {self.num_arcs:,} arcs, {kind}, {self.nbytes:,} bytes>"

    def _repr_html_(self) -> str:
        labels, counts = degrees(self.csr()[0])
        figures = {
            "vertices": f"{self.num_vertices:,}",
            "arcs": f"{self.num_arcs:,}, {'directed' if self.directed else 'undirected'}",
            "arcs per vertex": f"{self.num_arcs / self.num_vertices:.1f}" if self.num_vertices else "",
            "weights": "yes" if self.weights is not None else "no",
            "memory": f"{self.nbytes:,} bytes",
        }
        return table("hopwave.Graph", figures) + bars("vertices by number of arcs", labels, counts)


def _numbered(ends: npt.NDArray[np.int64], directed: bool, vertices: int, weights: object, words: _core.Asked) -> Graph:
    """Returns a graph whose vertices are numbers already; one row per edge."""
    return Graph._of_edges(ends[:, 0], ends[:, 1], directed, vertices, weights, False, False, words)


def _directed(directed: bool | None, said: bool) -> bool:
    """Returns the direction; `said`: that of the input."""
    return said if (given := truth_or_none(directed, "directed")) is None else given


def _column(table: Any, name: str) -> Any:
    try:
        return table[name]
    except Exception as error:  # each library has its own
        columns = list(getattr(table, "column_names", getattr(table, "columns", table)))  # Arrow's; pandas' and Polars'; a dict's
        if name in columns:
            raise
        raise KeyError(f"no column is called {name!r}; there are {', '.join(map(str, columns))}") from error


def require_graph(graph: Any) -> None:
    """Checks the argument of a function that takes a graph in host memory."""
    if not isinstance(graph, Graph):
        if isinstance(graph, _core.DeviceGraph) or hasattr(graph, "download"):
            raise TypeError("graph: a hopwave.Graph is needed, not a hopwave.DeviceGraph: its download() makes one of it")
        raise refuse("graph", "a hopwave.Graph", graph)


def sources_of(graph: Any, source: Any) -> npt.NDArray[np.uint32]:
    """Returns the vertices of one id, or of a list, set, range, array or series of ids. A node of a NetworkX graph is one id,
    also if it is a tuple; any other tuple is several ids.
    """
    if isinstance(source, (int, str)):  # most calls, in searches that take microseconds
        return np.array([graph.vertex(source)], np.uint32)
    nodes = getattr(graph, "_index", None)
    if isinstance(source, np.ndarray) and source.ndim == 0:
        source = source[()]
    if not is_several(source) or (nodes is not None and isinstance(source, Hashable) and _is_node(nodes, source)):
        return np.array([graph.vertex(source)], np.uint32)
    if nodes is not None and isinstance(source, tuple) and any(id not in graph for id in source):
        raise unknown(source)
    found: npt.NDArray[np.uint32] = graph.vertices(source)
    return found


def _is_node(nodes: dict[Hashable, int], value: Hashable) -> bool:
    try:
        return value in nodes
    except TypeError:  # a tuple of lists, or a series
        return False
