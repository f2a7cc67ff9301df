"""Calls of every function of the NetworkX backend, and what they come to."""

from __future__ import annotations

import functools
import re
import warnings
from contextlib import contextmanager
from itertools import islice
from random import Random
from typing import Any

import networkx as nx
from drawn import outcome
from networkx.utils import backends

from hopwave_networkx import FUNCTIONS
from hopwave_networkx.registry import parameters

NAMES = [name for name in sorted(FUNCTIONS) if name in backends._registered_algorithms]  # an older NetworkX has fewer
NODE = {"source", "target", "u", "v", "n", "node", "s", "t", "_s", "_t"}
NODES = {"sources", "targets", "center_nodes", "nodes", "S", "nbunch"}


def function(name: str) -> Any:
    """What programs call. Of flows, what is the same for all that are maximum."""
    if name == "maximum_flow":
        return maximum_flow
    if name == "minimum_cut":
        return minimum_cut
    if name.endswith("_matching"):
        return functools.partial(matching, getattr(nx.bipartite, name))
    if name.endswith("_cut"):
        return functools.partial(in_one_order, getattr(nx.connectivity, name))
    if name == "shortest_simple_paths":
        return lambda *args, **words: islice(nx.shortest_simple_paths(*args, **words), 50)
    if name == "to_vertex_cover":
        return functools.partial(in_one_order, nx.bipartite.to_vertex_cover)
    if name.startswith("bipartite_") or name in ("color", "is_bipartite", "is_bipartite_node_set", "sets"):
        return getattr(nx.bipartite, name.removeprefix("bipartite_"))
    return getattr(nx if hasattr(nx, name) else nx.connectivity, name)


def maximum_flow(graph: Any, *args: Any, **words: Any) -> Any:
    value, flow = nx.maximum_flow(graph, *args, **words)
    balance = {u: sum(flow[u].values()) - sum(flow[v].get(u, 0) for v in flow) for u in flow}
    return value, {u: list(row) for u, row in flow.items()}, sorted(filter(None, balance.values()))


def minimum_cut(graph: Any, *args: Any, **words: Any) -> Any:
    value, sides = nx.minimum_cut(graph, *args, **words)
    return value, [[node for node in graph if node in side] for side in sides], [len(side) for side in sides]


def in_one_order(chosen: Any, graph: Any, *args: Any, **words: Any) -> Any:
    return sorted(chosen(graph, *args, **words), key=repr)


def matching(largest: Any, graph: Any, *args: Any, **words: Any) -> Any:
    """Each key is the mate of its mate, and joined to it."""
    mates = largest(graph, *args, **words)
    return len(mates), all(mates[mates[v]] == v and graph.has_edge(v, mates[v]) for v in mates)


def valid(name: str, graph: nx.Graph, draw: Random) -> dict[str, Any]:
    """Arguments that NetworkX takes, by name."""
    nodes = list(graph) or ["absent"]
    words: dict[str, Any] = {}
    for word in parameters(name)[1:]:
        if word in NODE:
            if word in ("source", "target", "u", "node", "s", "t") and name in _MAY_BE_NONE and draw.random() < 0.4:
                continue
            words[word] = draw.choice(nodes)
        elif word in NODES:
            if word in ("sources", "nbunch") and name == "harmonic_centrality" and draw.random() < 0.5:
                continue
            words[word] = draw.sample(nodes, draw.randint(1, len(nodes)))
        elif word == "top_nodes" and name != "sets" and draw.random() < 0.6:
            colours = draw.choice([nx.bipartite.color(graph), {}]) if nx.is_bipartite(graph) else {}
            words[word] = [v for v in nodes if colours.get(v)] or nodes[: len(nodes) // 2]
        elif word == "matching":
            pairs = nx.maximal_matching(nx.Graph(graph))
            words[word] = {u: v for pair in pairs for u, v in (pair, pair[::-1])}
        elif word == "distance" and name == "descendants_at_distance":
            words[word] = draw.randint(0, 4)
        elif word in ("cutoff", "depth_limit") and draw.random() < 0.5:
            words[word] = draw.choice([0, 1, 2, 3, 1.5])
        elif word == "k" and draw.random() < 0.5:
            words[word] = draw.randint(1, len(nodes))
        elif word == "seed":
            words[word] = draw.randrange(10)
        elif word in ("normalized", "endpoints", "reverse", "wf_improved", "return_seen") and draw.random() < 0.5:
            words[word] = draw.random() < 0.5
        elif word == "capacity" and draw.random() < 0.7:
            words[word] = draw.choice(["weight", "other"])
        elif word == "weight" and draw.random() < 0.5:
            words[word] = draw.choice(["weight", "weight", None, "other"])
    return words


_MAY_BE_NONE = {"edge_connectivity", "node_connectivity", "minimum_edge_cut", "minimum_node_cut", "shortest_path", "shortest_path_length", "closeness_centrality", "closeness_vitality", "edge_bfs", "predecessor"} | {
    "single_source_dijkstra",
    "multi_source_dijkstra",
}



@contextmanager
def everything_pays() -> Any:
    """Each call that can run here does, as if it paid; what cannot goes back to NetworkX."""
    as_it_is = backends._load_backend("hopwave").should_run
    interface = backends._load_backend("hopwave")
    interface.should_run = lambda *_: True
    priority = {"algos": ["hopwave"], "generators": ["hopwave"]}
    try:
        with nx.config.backend_priority(**priority), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        interface.should_run = as_it_is


def ours_by_priority(name: str, graph: Any, *args: Any, **words: Any) -> Any:
    with everything_pays():
        return outcome(lambda: function(name)(graph, *args, **words))


def ours_by_name(name: str, graph: Any, *args: Any, **words: Any) -> Any:
    return outcome(lambda: function(name)(graph, *args, **words, backend="hopwave"))


def theirs(name: str, graph: Any, *args: Any, **words: Any) -> Any:
    return outcome(lambda: function(name)(graph, *args, **words))


def same(ours: Any, theirs: Any) -> bool:
    """NaN is not equal to itself, and an address is no part of a message."""
    return bool(_plain(ours) == _plain(theirs))


def _plain(value: Any) -> Any:
    return re.sub("0x[0-9a-f]+", "0x", repr(value))


def is_refusal(ours: Any) -> bool:
    """NetworkX's answer where `backend=` names one that cannot: before anything is read."""
    return isinstance(ours, tuple) and ours[:2] == ([], NotImplementedError)
