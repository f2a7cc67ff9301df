"""Whether a graph's methods agree with its dicts. A class may override the methods, and NetworkX calls them."""

from __future__ import annotations

from typing import Any

import networkx as nx

_OWN = (nx.Graph, nx.DiGraph, nx.MultiGraph, nx.MultiDiGraph)
_CHANGING = {
    *("add_node", "add_nodes_from", "remove_node", "remove_nodes_from", "add_edge", "add_edges_from", "remove_edge"),
    *("remove_edges_from", "add_weighted_edges_from", "update", "clear", "clear_edges", "new_edge_key", "__init__", "__new__"),
}
_HARMLESS = {
    *("__module__", "__qualname__", "__doc__", "__dict__", "__weakref__", "__annotations__", "__slots__", "__orig_bases__"),
    *("__parameters__", "__class_getitem__", "__init_subclass__", "__subclasshook__", "__firstlineno__", "__static_attributes__"),
    *("__repr__", "__str__", "__format__", "__dir__", "__sizeof__", "__del__", "__hash__", "__eq__", "__ne__", "__lt__"),
    *("__le__", "__gt__", "__ge__", "__reduce__", "__reduce_ex__", "__getstate__", "__setstate__", "__copy__", "__deepcopy__"),
    *("__setattr__", "__delattr__", "__networkx_cache__", "name", "graph", "to_directed_class", "to_undirected_class"),
    *("node_dict_factory", "node_attr_dict_factory", "adjlist_outer_dict_factory", "adjlist_inner_dict_factory"),
    *("edge_key_dict_factory", "edge_attr_dict_factory", "graph_attr_dict_factory"),
}
_NAMES = {name for own in (*_OWN, object) for name in vars(own)}
_READING = _NAMES - _CHANGING - _HARMLESS
_METHODS = {name for name in _READING for own in _OWN if callable(getattr(own, name, None))}
_SHOWN = {"adj", "pred", "succ", "nodes", "edges", "degree", "in_degree", "out_degree", "in_edges", "out_edges"}
# These make a graph of the same class, and search it.
_COPYING = {
    *("bidirectional_shortest_path", "closeness_centrality", "closeness_vitality", "edge_bfs", "efficiency", "flow_hierarchy"),
    *("barycenter", "group_closeness_centrality", "harmonic_centrality", "has_path", "is_bipartite_node_set", "is_branching"),
    "is_forest",
    *("shortest_path", "shortest_path_length"),
}


def _overridden(kind: type) -> set[str] | None:
    """Returns NetworkX's methods that a class overrides at present: methods can be set later. None: not a NetworkX graph."""
    if not issubclass(kind, nx.Graph):
        return None
    return {name for each in kind.__mro__ if each not in (*_OWN, object) for name in vars(each)} & _NAMES


def read_otherwise(name: str, graph: Any) -> str | None:
    """Returns why a function must call the methods of a graph, as NetworkX does."""
    kind = type(graph)
    if kind not in _OWN:
        overridden = _overridden(kind)
        if overridden is None:
            return "the graph is not a NetworkX graph"
        if overridden & _READING:
            return f"{kind.__name__} has its own {min(overridden & _READING)}"
        if overridden & _CHANGING and name in _COPYING:
            return f"NetworkX copies the graph, and {kind.__name__} has its own {min(overridden & _CHANGING)}"
    own = vars(graph)
    if not _METHODS.isdisjoint(own):
        return f"the graph has its own {min(_METHODS & own.keys())}"
    for word in _SHOWN & own.keys():
        if not type(own[word]).__module__.startswith("networkx.classes."):
            return f"the graph has its own {word}"
    if graph.is_multigraph() and type(graph._adj) is not dict:
        return "a filtered multigraph counts neighbours that it does not show"
    return None
