"""Graph: read from a file or built from arrays."""

from __future__ import annotations

import os
import warnings
from collections.abc import Hashable, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from . import _core
from ._arrays import integers, is_text, names, on_host, one_dimension, same_type, some_weights, whole
from ._error import Error
from ._html import bars, degrees, table
from ._progress import bar

if TYPE_CHECKING:
    import networkx as nx


class Graph:
    """An immutable graph. Vertices are numbered from 0 inside; `vertex()` and `id()` go between these and your ids.

    Ids are integers in any range, texts, or the nodes of a NetworkX graph. Any number of threads may use one graph.
    """

    __slots__ = ("_core", "_index", "_nodes")

    def __init__(
        self, core: _core.Graph, nodes: Sequence[Hashable] | None = None, index: dict[Hashable, int] | None = None
    ) -> None:
        self._core = core
        self._nodes = nodes
        self._index = index

    @staticmethod
    def from_edges(
        sources: object,
        targets: object,
        *,
        directed: bool = True,
        num_vertices: int | None = None,
        weights: object = None,
    ) -> Graph:
        """From two arrays of ids. With `num_vertices` the ids are 0 … num_vertices − 1, with or without edges.

        `weights` has one number per edge: int or float of 32 or 64 bits, kept exactly; of parallel edges the lightest stays.
        """
        first, second = one_dimension(sources, "sources"), one_dimension(targets, "targets")
        if first.size != second.size:
            raise ValueError(f"{first.size} sources and {second.size} targets: one of each an edge is needed")
        if is_text(first) or is_text(second):
            if num_vertices is not None or weights is not None:
                raise TypeError("num_vertices and weights need ids that are integers")
            return Graph(_core.from_names(names(first, "sources"), names(second, "targets"), directed))
        a, b = same_type(integers(first, "sources"), integers(second, "targets"))
        if num_vertices is not None and not 0 <= (num_vertices := whole(num_vertices, "num_vertices")) < 2**32 - 1:
            raise ValueError(f"num_vertices: {num_vertices} is not from 0 to 2**32 - 2")
        return Graph(_core.from_edges(a, b, directed, num_vertices, some_weights(weights, a.size)))

    @staticmethod
    def from_csr(indptr: object, indices: object, *, directed: bool = True, weights: object = None) -> Graph:
        """From compressed sparse rows; rows may come in any order. Undirected: each edge stands in both rows."""
        a, b = same_type(integers(indptr, "indptr"), integers(indices, "indices"))
        return Graph(_core.from_csr(a, b, directed, some_weights(weights, b.size)))

    @staticmethod
    def from_scipy(matrix: Any, *, directed: bool = True, weighted: bool = False) -> Graph:
        """From a square sparse matrix or array. Every stored entry is an arc from its row to its column.

        `weighted` makes the values weights; else they are ignored.
        """
        if not hasattr(matrix, "tocsr"):
            raise TypeError(f"matrix: a sparse matrix of SciPy is needed, not {type(matrix).__name__}")
        rows = matrix.tocsr()
        if rows.shape[0] != rows.shape[1]:
            raise ValueError(f"the matrix is {rows.shape[0]} by {rows.shape[1]}, not square")
        if not rows.has_canonical_format:  # duplicates would be parallel arcs
            rows = rows.copy()
            rows.sum_duplicates()
        return Graph.from_csr(rows.indptr, rows.indices, directed=directed, weights=rows.data if weighted else None)

    @staticmethod
    def from_networkx(graph: nx.Graph[Any], *, weight: str | None = None) -> Graph:
        """From a NetworkX graph of any kind. Vertices stand in its order of nodes, and its nodes are the ids.

        `weight` is the attribute of the edges to take as weights, 1 where it is missing.
        """
        if not hasattr(graph, "_adj"):
            raise TypeError(f"graph: a graph of NetworkX is needed, not {type(graph).__name__}")
        nodes: list[Hashable] = list(graph)
        index = {node: v for v, node in enumerate(nodes)}
        dicts: Any = graph  # the dicts below its views are no part of its type
        rows = _core.read_rows(nodes, index, dicts._adj, None)
        weights = None
        if weight is not None:
            weights = _core.read_weights(rows, nodes, dicts._adj, weight, graph.is_multigraph())
            if weights is None:
                raise ValueError(f"{weight!r} of an edge is no int or float of 0 or more (of NumPy's numbers float64 alone is one)")
        return Graph(rows.sorted(graph.is_directed(), weights), nodes, index)

    @staticmethod
    def from_dlpack(
        edges: Any, *, directed: bool = True, num_vertices: int | None = None, weights: Any = None
    ) -> Graph:
        """From an array of two rows, such as PyTorch Geometric's `edge_index`; `weights` likewise. From a GPU it is copied."""
        if not hasattr(edges, "__dlpack__") and on_host(edges) is edges:
            raise TypeError(f"edges: an array with __dlpack__ is needed, not {type(edges).__name__}")
        array = np.from_dlpack(on_host(edges))
        if array.ndim != 2 or array.shape[0] != 2:
            raise ValueError(f"two rows are needed (sources and targets), not the shape {array.shape}")
        given = None if weights is None else np.from_dlpack(on_host(weights))
        return Graph.from_edges(array[0], array[1], directed=directed, num_vertices=num_vertices, weights=given)

    @staticmethod
    def from_igraph(graph: Any, *, weight: str | None = None) -> Graph:
        """From an igraph.Graph; its vertex numbers are the ids. `weight` is the attribute of the edges to take as weights."""
        count = graph.ecount()
        ends = np.fromiter(chain.from_iterable(graph.get_edgelist()), np.int64, 2 * count).reshape(count, 2)
        weights = None if weight is None else graph.es[weight]
        return _numbered(ends, graph.is_directed(), graph.vcount(), weights)

    @staticmethod
    def from_graph_tool(graph: Any, *, weight: str | None = None) -> Graph:
        """From a graph_tool.Graph; its vertex numbers are the ids. `weight` is the edge property to take as weights.

        Of a filtered graph the vertices that it hides are there, without edges.
        """
        edges = np.asarray(graph.get_edges([] if weight is None else [graph.edge_index]))
        count = graph.num_vertices(ignore_filter=True)
        # By the edges' numbers: get_edges() would make floats of them.
        weights = None if weight is None else graph.edge_properties[weight].get_array()[edges[:, 2]]
        return _numbered(edges[:, :2].astype(np.int64), graph.is_directed(), count, weights)

    @staticmethod
    def from_table(
        table: Any, source: str = "source", target: str = "target", *, directed: bool = True, weight: str | None = None
    ) -> Graph:
        """From columns of a table: pandas, Polars, Arrow, or a dict of arrays. `weight` names a third one."""
        weights = None if weight is None else np.asarray(table[weight])
        return Graph.from_edges(np.asarray(table[source]), np.asarray(table[target]), directed=directed, weights=weights)

    @property
    def num_vertices(self) -> int:
        return self._core.num_vertices

    @property
    def num_arcs(self) -> int:
        """Arcs stored: an undirected edge counts twice, a self-loop once."""
        return self._core.num_arcs

    @property
    def directed(self) -> bool:
        return self._core.directed

    @property
    def weights(self) -> npt.NDArray[Any] | None:
        """One an arc, in the order of csr(): a read-only view. None: the graph has none, and sssp() takes each as 1."""
        return self._core.weights()

    @property
    def nbytes(self) -> int:
        """Bytes of the rows in the host's memory, ids aside."""
        return self._core.nbytes

    @property
    def ids(self) -> npt.NDArray[np.int64] | list[Any]:
        """Your id of every vertex, by vertex."""
        return self._core.ids() if self._nodes is None else list(self._nodes)

    def id(self, vertex: int) -> Any:
        """Your id of `vertex`."""
        vertex = whole(vertex, "vertex")
        if not 0 <= vertex < self.num_vertices:
            raise IndexError(f"vertex {vertex} is not from 0 to {self.num_vertices - 1}")
        return self._core.name(vertex) if self._nodes is None else self._nodes[vertex]

    def vertex(self, id: Any) -> int:
        """The vertex that you call `id`. Raises Error HW-IDS-UNKNOWN if there is none."""
        if self._index is not None:
            try:
                return self._index[id]
            except KeyError:
                raise Error(f"no vertex is called {id!r}", "HW-IDS-UNKNOWN") from None
        if isinstance(id, str):
            return self._core.vertex(id)
        if isinstance(id, (bool, np.bool_)) or not isinstance(id, (int, np.integer)):
            raise TypeError(f"ids of this graph are integers or str, not {type(id).__name__}")
        if not -(2**63) <= id < 2**63:
            raise Error(f"no vertex is called {id}", "HW-IDS-UNKNOWN")
        return self._core.vertex(int(id))

    def vertices(self, ids: Any) -> npt.NDArray[np.uint32]:
        """The vertices of many ids."""
        if self._index is not None or self._core.has_names:
            return np.fromiter((self.vertex(id) for id in ids), np.uint32)
        array = integers(ids, "ids")
        if array.dtype == np.uint64 and array.size and int(array.max()) >= 2**63:
            raise Error(f"no vertex is called {array.max()}", "HW-IDS-UNKNOWN")
        return self._core.vertices(array.astype(np.int64, copy=False))

    def csr(self) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.uint32]]:
        """Offsets and neighbours by vertex: read-only views of the graph's own arrays."""
        return self._core.csr()

    def __len__(self) -> int:
        return self.num_vertices

    def __bool__(self) -> bool:
        return True  # also without vertices: `graph or other` asks whether there is one

    def __copy__(self) -> Graph:
        return self  # nothing changes it

    def __deepcopy__(self, _memo: Any) -> Graph:
        return self

    def __reduce__(self) -> Any:
        raise TypeError("a hopwave.Graph cannot be pickled: hand the file's path or the arrays of csr() to the other process")

    def __repr__(self) -> str:
        kind = "directed" if self.directed else "undirected"
        return f"<hopwave.Graph: {self.num_vertices:,} vertices, {self.num_arcs:,} arcs, {kind}, {self.nbytes:,} bytes>"

    def _repr_html_(self) -> str:
        labels, counts = degrees(self.csr()[0])
        figures = {
            "vertices": f"{self.num_vertices:,}",
            "arcs": f"{self.num_arcs:,}, {'directed' if self.directed else 'undirected'}",
            "arcs a vertex": f"{self.num_arcs / self.num_vertices:.1f}" if self.num_vertices else "",
            "weights": "yes" if self.weights is not None else "no",
            "memory": f"{self.nbytes:,} bytes",
        }
        return table("hopwave.Graph", figures) + bars("vertices by number of arcs", labels, counts)


def _numbered(ends: npt.NDArray[np.int64], directed: bool, count: int, weights: object) -> Graph:
    """A graph whose vertices are numbers already; one row an edge."""
    return Graph.from_edges(ends[:, 0], ends[:, 1], directed=directed, num_vertices=count, weights=weights)


def read(
    path: str | bytes | os.PathLike[Any],
    *,
    format: str | None = None,
    undirected: bool | None = None,
    bipartite: bool | None = None,
    lenient: bool = False,
    columns: str | Mapping[str, str | int] | None = None,
    header: bool | None = None,
    missing_weight: float | str | None = None,
    weights: bool = True,
    progress: Any = None,
) -> Graph:
    """Reads a graph in any format the tool knows, .gz and .zst too, or makes one from a generator's spec ("rmat:16,8").

    `undirected` None: as the file says, directed if it says nothing. True: every edge stands for both directions. False: every
    row is an arc; of symmetric formats both arcs of every edge.

    `bipartite` True: ids of the two columns, or a matrix' rows and columns, are two kinds of vertices, called "left:ID" and
    "right:ID"; edges have no direction unless undirected=False. False: one kind. None: two for KONECT's "% bip" and for matrices
    that are not square, else one.

    Of edge lists `columns` says which columns are read, by their names or numbers from 1 on: "source=from,target=to,weight=4",
    or {"source": "from", "target": "to", "weight": 4}; `header` whether the first row names them; `missing_weight` what NA,
    null, nan, - or an empty cell stands for: a number, "drop" or "error". weights=False leaves weights out. What had to be
    assumed is a warning.

    `progress` is True for a bar of tqdm over the bytes read, or a class such as tqdm.auto.tqdm.
    """
    with bar(progress, 0, "B") as shown:

        def report(done: int, total: int) -> None:
            shown.total = total
            shown.update(done - shown.n)

        name = os.fsdecode(path)
        if "\0" in name:
            raise ValueError("path: a zero byte stands in it")
        if columns is not None and not isinstance(columns, str):
            columns = ",".join(f"{role}={column}" for role, column in columns.items())
        missing = "" if missing_weight is None else str(missing_weight)
        asked = (columns or "", header, missing, weights)
        given = report if shown is not None else None
        core = _core.read(name, format or "", undirected, bipartite, lenient, *asked, given)
    for note in core.notes:
        warnings.warn(note, stacklevel=2)
    return Graph(core)
