"""A NetworkX graph as hopwave has it. NetworkX keeps it in the graph's cache until the graph changes."""

from __future__ import annotations

import weakref
from collections.abc import Hashable
from functools import cached_property
from typing import Any

import networkx as nx
import numpy as np
import numpy.typing as npt

from hopwave import Graph, _core


class Converted:
    """Holds no strong reference to the original: the original holds this one.

    `rows` has the neighbours of each node in the order of NetworkX's dicts, which is what its results take their order from.
    """

    __networkx_backend__ = "hopwave"
    _to_convert: tuple[str, ...]

    def __init__(self, original: nx.Graph[Any], weights: dict[str, Any] | None = None) -> None:
        self.nodes: list[Hashable] = list(original)
        self.index: dict[Hashable, int] = {node: v for v, node in enumerate(self.nodes)}
        self.directed = original.is_directed()
        self.multigraph = original.is_multigraph()
        dicts: Any = original  # the dicts below its views are no part of its type
        self.rows = _core.read_rows(self.nodes, self.index, dicts._adj, dicts._pred if self.directed else None)
        # By attribute; None: there are weights that only NetworkX can take.
        self._weights: dict[str, _core.Weights | None] = {
            name: _core.read_weights(self.rows, self.nodes, dicts._adj, name, self.multigraph) for name in weights or ()
        }
        self.original = weakref.ref(original)

    def __reduce__(self) -> Any:
        """NetworkX copies and pickles its cache with a graph. The copy converts its own graph, once something asks for it."""
        original = self.original()
        if original is None:
            raise TypeError("the NetworkX graph of this conversion is gone: pickle the graph")
        return _unconverted, (original, tuple(self._weights))

    def __getattr__(self, name: str) -> Any:
        """Of a copy, before anything has been converted."""
        names = self.__dict__.get("_to_convert")
        if names is None or name.startswith("__"):
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        original = self.original()
        if original is None:
            raise RuntimeError("the NetworkX graph of this conversion is gone")
        Converted.__init__(self, original, dict.fromkeys(names))
        self.__dict__.pop("_to_convert", None)  # another thread may have been as far
        return getattr(self, name)

    @cached_property
    def graph(self) -> Graph:
        """For the library's searches, which have no order: made when the first one needs it."""
        return Graph(self.rows.sorted(self.directed, None), self.nodes, self.index)

    def arcs(self) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.uint32]]:
        """The vertices that the arcs leave, and those that they lead to. An undirected edge is two, a loop one."""
        offsets, heads = self.graph.csr()
        bounds = offsets.astype(np.int64)
        return np.repeat(np.arange(len(self)), bounds[1:] - bounds[:-1]), heads

    def walk(self, sources: list[Any], way: str = "out", limit: int = -1) -> _core.Walk:
        """A search in NetworkX's order from nodes of this graph."""
        return _core.Walk(self.rows, self.nodes, [self.index[node] for node in sources], sources, way, limit)

    def weights(self, name: str | None) -> _core.Weights:
        """One an arc: those of an attribute, or 1 for all. NetworkX takes over where there are none."""
        if name is None:
            return self._ones
        found = self._weights.get(name)
        if found is None:
            raise NotImplementedError(f"the weights {name!r} are no ints and floats of 0 or more, or were not converted")
        return found

    @cached_property
    def _ones(self) -> _core.Weights:
        return _core.ones(self.rows)

    def is_directed(self) -> bool:
        return self.directed

    def is_multigraph(self) -> bool:
        return self.multigraph

    def __len__(self) -> int:
        return len(self.nodes)

    def __contains__(self, node: object) -> bool:
        try:
            return node in self.index
        except TypeError:  # not hashable
            return False


def _unconverted(original: nx.Graph[Any], weights: tuple[str, ...]) -> Converted:
    """`original` may be on its way out of a pickle, without nodes as yet."""
    made = Converted.__new__(Converted)
    made.original = weakref.ref(original)
    made._to_convert = weights
    return made


def convert_from_nx(
    graph: nx.Graph[Any], *, edge_attrs: dict[str, Any] | None = None, preserve_edge_attrs: bool = False, **_: Any
) -> Converted:
    """Of attributes the weights of edges are taken. `rules.can_run` lets no call through that needs others."""
    return Converted(graph, edge_attrs)


def convert_to_nx(result: Any, **_: Any) -> Any:
    """Results are Python's own objects already. A converted graph is the one that it came from."""
    if not isinstance(result, Converted):
        return result
    original = result.original()
    if original is None:
        raise RuntimeError("the NetworkX graph of this conversion is gone")
    return original
