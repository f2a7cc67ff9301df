"""A NetworkX graph in hopwave's form, and the check whether the graph is still the same."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from functools import cached_property
from itertools import accumulate
from typing import Any

import networkx as nx
import numpy as np
import numpy.typing as npt

from hopwave import Graph, _core

from .touched import Touched, reads_incoming, touched

LEAST_SHARE = 1 / 8  # of the nodes: for a search that reaches fewer, NetworkX takes less time than comparing the graph here


class Theirs(Exception):
    """Raised by a function of hopwave whose arguments NetworkX alone can judge: its own function then answers the call."""


class Kept:
    """What was read of a graph. `rows` has the neighbours of each node in the order of NetworkX's dicts, from which its results
    take their order. `keys` and `reversed_keys` have the objects that were the keys of the dicts."""

    def __init__(self, original: Any) -> None:
        self.nodes: list[Hashable] = list(original)
        if type(original._adj) is dict and not _core.same_keys(original._adj, self.nodes):
            raise ValueError("some of NetworkX's orders are those of the nodes, and some those of the rows")
        self.index: dict[Hashable, int] = {node: v for v, node in enumerate(self.nodes)}
        self.directed: bool = original.is_directed()
        self.multigraph: bool = original.is_multigraph()
        self.keys: list[Hashable] = []
        self.reversed_keys: list[Hashable] = []
        self.rows = _core.read_rows(
            self.nodes, self.index, original._adj, original._pred if self.directed else None, self.keys, self.reversed_keys
        )
        if not self.rows.agree():
            raise ValueError("the rows contradict each other")
        self._weights: dict[str, tuple[_core.Weights, list[Any]]] = {}  # by attribute, with the objects themselves
        self._begins: list[npt.NDArray[np.int64]] = []  # for outgoing and incoming rows: where each begins in the keys

    def is_of(self, original: Any, incoming: bool = True) -> bool:
        """Returns whether the dicts of a graph have the same nodes and arcs in the same order. NetworkX does not report every
        change. Without `incoming`, only the outgoing arcs of a directed graph are compared."""
        return (
            self.directed == original.is_directed()
            and self.multigraph == original.is_multigraph()
            and _core.same_keys(original._node, self.nodes)
            and _core.same_rows(self.rows, self.nodes, original._adj, False, self.keys)
            and not (
                incoming
                and self.directed
                and not _core.same_rows(self.rows, self.nodes, original._pred, True, self.reversed_keys)
            )
        )

    def note_begins(self, original: Any) -> None:
        """Prepares has_part(), for a graph that was compared with this one."""
        self._begins = [
            np.fromiter(accumulate(map(len, dicts.values()), initial=0), np.int64, len(self.nodes) + 1)
            for dicts in ([original._adj, original._pred] if self.directed else [original._adj])
        ]

    @property
    def has_begins(self) -> bool:
        return bool(self._begins)

    def has_part(self, original: Any, part: Touched) -> bool:
        """Like is_of(), for the part that a call reads."""
        n, dicts = len(self.nodes), [original._node, original._adj, *([original._pred] if self.directed else [])]
        if self.directed != original.is_directed() or self.multigraph != original.is_multigraph():
            return False
        if any(type(each) is not dict or len(each) != n for each in dicts) or not all(map(dicts[0].__contains__, part.sources)):
            return False
        # First the part that may run code of nodes: looking them up. The comparisons run none.
        rows = [list(map(dicts[1].get, part.outgoing)), list(map(dicts[-1].get, part.incoming))]
        ends = [*map(dicts[1].get, part.ends), *map(dicts[-1].get, part.incoming_ends)]
        places = [np.fromiter(map(self.index.__getitem__, nodes), np.int64, len(nodes)) for nodes in (part.outgoing, part.incoming)]
        bounds = [
            list(zip(begins[at].tolist(), begins[at + 1].tolist()))
            for begins, at in zip((self._begins[0], self._begins[-1]), places)
        ]
        same = _core.same_keys
        return (
            all([same(row, self.keys[begin:end]) for row, (begin, end) in zip(rows[0], bounds[0])])
            and all([same(row, self.reversed_keys[begin:end]) for row, (begin, end) in zip(rows[1], bounds[1])])
            and all([type(row) is dict for row in ends])
            and (part.weight is None or self._has_weights_of(rows[0], places[0].tolist(), part.weight))
        )

    def _has_weights_of(self, rows: list[Any], vertices: list[int], name: str) -> bool:
        weights, objects = self._weights[name]
        return _core.same_weights_of(rows, vertices, weights, name, self.multigraph, objects)

    @cached_property
    def graph(self) -> Graph:
        """Returns the graph for the library's searches, which have no order: made when the first one needs it."""
        return Graph(self.rows.sorted(self.directed, None), self.nodes, self.index)

    @cached_property
    def ones(self) -> _core.Weights:
        return _core.ones(self.rows)

    def weights(self, original: Any, name: str) -> _core.Weights:
        """Returns the current weights of an attribute; programs change them in place. NetworkX takes over if there are none."""
        found = self._weights.get(name)
        if found is not None and _core.same_weights(original._adj, name, self.multigraph, found[1]):
            return found[0]
        objects: list[Any] = []
        weights = _core.read_weights(self.rows, self.nodes, original._adj, name, self.multigraph, objects)
        if weights is None:
            self._weights.pop(name, None)
            raise NotImplementedError(f"the weights {name!r} are not ints and floats of 0 or more")
        self._weights[name] = weights, objects
        return weights

    def has_weights(self, name: Any) -> bool:
        return name in self._weights

    def known(self, name: str) -> _core.Weights:
        """Returns the weights of an attribute as they were read."""
        return self._weights[name][0]


class Backends(dict[str, Any]):
    """NetworkX's dict of conversions in a graph's cache, which also holds hopwave's data.

    The cache is copied and pickled with the graph. There this is a plain dict without hopwave's data, so hopwave is not needed
    to read it. NetworkX clears the cache, and this data with it, when it changes the graph.
    """

    kept: Kept | None = None
    share: float = 1.0  # share of the nodes that the last searches reached, on average
    asked: bool = False  # whether a call was rejected since then because it would have converted the graph

    def __reduce_ex__(self, protocol: Any) -> Any:
        return dict, (dict(self),)


def is_view(graph: Any) -> bool:
    """Returns whether a graph is a view of another one: nothing is kept for it, as it changes with that graph and with its
    filters."""
    return "_graph" in vars(graph) or type(vars(graph).get("_adj")) is not dict


def cache_of(graph: Any) -> Backends | None:
    """Returns the place for data read from a graph; None: nothing may be kept."""
    cache = getattr(graph, "__networkx_cache__", None)
    if type(cache) is not dict or is_view(graph) or not nx.config.cache_converted_graphs:
        return None
    backends = cache.get("backends")
    if type(backends) is not Backends:
        backends = cache["backends"] = Backends(backends or {})
    return backends


def _drop_entry(graph: Any) -> None:
    """Drops NetworkX's entry in the graph's cache for what convert_from_nx() returns, which is for one call."""
    cache = getattr(graph, "__networkx_cache__", None)
    if not isinstance(cache, dict) or not isinstance(backends := cache.get("backends"), dict):
        return
    backends.pop("hopwave", None)
    if not backends and type(backends) is not Backends:
        cache.pop("backends", None)


class Converted:
    """A graph for one call: what was read of it, and the graph itself."""

    __networkx_backend__ = "hopwave"

    def __init__(self, kept: Kept, original: Any) -> None:
        self.kept, self.original = kept, original
        self.nodes, self.index, self.rows, self.directed = kept.nodes, kept.index, kept.rows, kept.directed
        self.search: _core.Walk | _core.Dijkstra | None = None  # the last one
        self._weights: dict[str, _core.Weights] = {}  # of this call

    @property
    def graph(self) -> Graph:
        return self.kept.graph

    def arcs(self) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.uint32]]:
        """Returns the sources and the targets of the arcs. An undirected edge is two arcs, a loop one."""
        offsets, heads = self.graph.csr()
        bounds = offsets.astype(np.int64)
        return np.repeat(np.arange(len(self)), bounds[1:] - bounds[:-1]), heads

    def walk(self, sources: list[Any], way: str = "out", limit: int = -1) -> _core.Walk:
        """Returns a search in NetworkX's order from nodes of this graph."""
        walk = _core.Walk(self.rows, self.nodes, [self.index[node] for node in sources], sources, way, limit)
        self.search = walk
        return walk

    def note_share(self) -> None:
        """Records the share of nodes reached, for `rules.should_run`."""
        cache = cache_of(self.original)
        if cache is not None and self.search is not None:
            cache.share += (self.search.found / len(self) - cache.share) / 4

    def weights(self, name: str | None) -> _core.Weights:
        """Returns one weight per arc: those of an attribute as this call first read them, or 1 for all."""
        if name is None:
            return self.kept.ones
        found = self._weights.get(name)
        if found is None:
            found = self._weights[name] = self.kept.weights(self.original, name)
        return found

    def take_weights(self, name: str) -> None:
        """Uses weights that were read before: they were compared as far as this call reads them."""
        self._weights[name] = self.kept.known(name)

    def named(self, *nodes: Hashable) -> None:
        """Raises a TypeError for a node of a type other than the graph's: NetworkX decides which of two equal nodes an answer
        names, and what comparing them means."""
        for node in nodes:
            v = self.index.get(node)
            if type(node).__module__ == "numpy" if v is None else type(self.nodes[v]) is not type(node):
                raise TypeError(f"a node of type {type(node)}")

    def is_directed(self) -> bool:
        return self.directed

    def __len__(self) -> int:
        return len(self.nodes)

    def __contains__(self, node: object) -> bool:
        try:
            return node in self.index
        except TypeError:  # not hashable
            return False


class Given:
    """What NetworkX passes to hopwave's functions for a graph: the graph, read when a function needs it."""

    __networkx_backend__ = "hopwave"

    def __init__(self, original: Any) -> None:
        self.original = original

    def read(self, name: str = "", given: dict[str, Any] = {}) -> Converted:
        """Returns the graph as it is now, for a call. Data read by an earlier call is used if the part that this call reads has
        not changed."""
        cache = cache_of(self.original)
        if cache is None:
            return Converted(Kept(self.original), self.original)
        kept = cache.kept
        if kept is not None:
            part = touched(name, given, kept, cache.share < LEAST_SHARE)
            if part is not None and kept.has_begins and kept.has_part(self.original, part):
                converted = Converted(kept, self.original)
                if part.weight is not None:
                    converted.take_weights(part.weight)
                return converted
            if kept.is_of(self.original, reads_incoming(name, given)):
                if part is not None and not kept.has_begins and kept.is_of(self.original):
                    kept.note_begins(self.original)
                return Converted(kept, self.original)
        kept = Kept(self.original)
        # Not if nodes changed the graph while they were compared, nor for dicts other than Python's own.
        cache.kept = kept if kept.is_of(self.original) else None
        return Converted(kept, self.original)

    def __reduce__(self) -> Any:
        """None, if it would be stored in a graph: without hopwave it could not be read."""
        return type(None), ()

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(self.original, name)

    def __len__(self) -> int:
        return len(self.original)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.original)

    def __contains__(self, node: object) -> bool:
        return node in self.original

    def __getitem__(self, node: Any) -> Any:
        return self.original[node]


def convert_from_nx(graph: Any, **_: Any) -> Given:
    """Reads nothing yet. `rules.can_run` rejects calls that need attributes other than weights of edges."""
    given = graph if isinstance(graph, Given) else Given(graph)
    _drop_entry(given.original)
    return given


def convert_to_nx(result: Any, **_: Any) -> Any:
    """Results are Python objects already. A converted graph is the graph from which it was made."""
    return result.original if isinstance(result, (Given, Converted)) else result
