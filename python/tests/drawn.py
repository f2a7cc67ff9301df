"""Graphs that hypothesis draws, and what a call comes to on them."""

from __future__ import annotations

from typing import Any

import networkx as nx
from hypothesis import strategies as st

from hopwave_networkx import rules

nx.config.warnings_to_ignore.add("cache")  # that no attribute may be changed in place: none is here

# Nodes that are found by value, by hashing their value, and by comparing objects; 2.0 is the node 2.
NODES = {
    "dense": lambda i: i,
    "sparse": lambda i: (i - 5) * 10**9,
    "large": lambda i: i + 2**63 - 6,
    "text": lambda i: f"n{i}",
    "mixed": lambda i: [i, float(i), str(i), (i, "x"), frozenset([i])][i % 5],
}


@st.composite
def graphs(draw, kinds=(nx.Graph, nx.DiGraph, nx.MultiGraph, nx.MultiDiGraph), most=12):
    n = draw(st.integers(1, most))
    name = NODES[draw(st.sampled_from(sorted(NODES)))]
    vertex = st.integers(0, n - 1)
    g = draw(st.sampled_from(kinds))()
    g.add_nodes_from(name(i) for i in draw(st.permutations(range(n))))
    g.add_edges_from((name(u), name(v)) for u, v in draw(st.lists(st.tuples(vertex, vertex), max_size=2 * most)))
    if draw(st.booleans()):  # most figures exist for connected graphs alone, and few drawn ones are
        nx.add_cycle(g, [name(i) for i in range(n)])
    return g


def plain(value: Any) -> Any:
    """As something that == compares with its order: dicts, sets and generators as lists, trees as their dicts."""
    if isinstance(value, nx.Graph):
        return type(value), plain(value._node), plain(value._succ), plain(value._pred)
    if isinstance(value, dict):
        return "dict", [(key, plain(inner)) for key, inner in value.items()]
    if isinstance(value, set):
        return "set", list(value)
    if isinstance(value, (list, tuple)):
        return type(value), [plain(inner) for inner in value]
    return (type(value), value) if isinstance(value, (int, float, str)) else value


def outcome(call: Any) -> Any:
    """What a call returns, or its exception; of a generator what came before the exception, too."""
    got: list[Any] = []
    try:
        value = call()
        if not hasattr(value, "__next__"):
            return plain(value)
        got.extend(plain(item) for item in value)
        return "generator", got
    except Exception as error:
        return got, type(error), str(error)


def both(name: str, *args: Any, **kwargs: Any) -> tuple[Any, Any]:
    """The outcome here and that of NetworkX; twice the latter where the backend leaves a call to an older NetworkX."""
    function = kwargs.pop("function", None) or getattr(nx, name)
    theirs = outcome(lambda: function(*args, **kwargs, backend="networkx"))
    reason = rules.can_run(function.name, args, kwargs)
    if isinstance(reason, str) and reason.startswith("NetworkX of this version"):
        return theirs, theirs
    return outcome(lambda: function(*args, **kwargs, backend="hopwave")), theirs
