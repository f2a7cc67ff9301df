"""Whether a call can run here, and whether it should."""

from __future__ import annotations

from typing import Any

import networkx as nx
import numpy as np

from . import FUNCTIONS
from .converted import LEAST_SHARE, Backends, Given, cache_of
from .plain import read_otherwise
from .registry import parameters
from .table import PER_NODE
from .touched import BY_ROWS, can_compare_part
from .version import NETWORKX

# Graphs with fewer nodes stay with NetworkX: bench/networkx_sizes.py measures from which size a call pays off.
LEAST_NODES = 32  # for functions that search from every node
LEAST_NODES_ONE_SEARCH = 128

_COMPONENTS = {name for name in FUNCTIONS if "connected" in name} - {"is_semiconnected"}
_WEAK = {name for name in FUNCTIONS if "weakly" in name}
_STRONG = {name for name in FUNCTIONS if "strongly" in name}
_DIRECTED = {
    *_WEAK,
    *_STRONG,
    *("attracting_components", "is_attracting_component", "number_attracting_components", "is_semiconnected"),
    *("condensation", "flow_hierarchy", "is_aperiodic", "is_arborescence", "is_branching", "is_directed_acyclic_graph"),
}
_UNDIRECTED = {
    *(_COMPONENTS - _WEAK - _STRONG),
    *("efficiency", "girth", "global_efficiency", "gutman_index", "hyper_wiener_index", "schultz_index"),
    *("eppstein_matching", "hopcroft_karp_matching", "is_bipartite_node_set", "to_vertex_cover"),
}
# Parallel edges count there, or have their own keys. NetworkX rejects some of these itself.
_SIMPLE = {
    *("edge_betweenness_centrality", "edge_betweenness_centrality_subset", "edge_bfs", "flow_hierarchy", "girth"),
    *("gutman_index", "schultz_index", "is_arborescence", "is_branching", "is_forest", "is_tree"),
    *PER_NODE,
}
_DIJKSTRA = {name for name in FUNCTIONS if "dijkstra" in name or "bellman_ford" in name} | {
    *("astar_path", "astar_path_length", "johnson", "voronoi_cells"),
}
# By hops unless weights are given.
_WEIGHTED = {
    *("shortest_path", "shortest_path_length", "shortest_simple_paths", "all_shortest_paths", "single_source_all_shortest_paths"),
    "all_pairs_all_shortest_paths",
}
_FLOW = {"maximum_flow", "maximum_flow_value", "minimum_cut", "minimum_cut_value"}
_CONNECTIVITY = {name for name in FUNCTIONS if name.endswith(("connectivity", "_edge_cut", "_node_cut"))}
_EVERY_NODE = {
    *_FLOW,  # which take NetworkX as long
    *_CONNECTIVITY,
    "johnson",
    *("betweenness_centrality", "betweenness_centrality_subset", "edge_betweenness_centrality"),
    *("average_shortest_path_length", "center", "closeness_centrality", "diameter", "eccentricity", "periphery", "radius"),
    *("wiener_index", "hyper_wiener_index", "gutman_index", "schultz_index", "harmonic_centrality", "global_efficiency"),
    *("barycenter", "bipartite_betweenness_centrality", "bipartite_closeness_centrality", "closeness_vitality"),
    *("edge_betweenness_centrality_subset", "global_reaching_centrality", "harmonic_diameter"),
    *("all_pairs_dijkstra", "all_pairs_dijkstra_path", "all_pairs_dijkstra_path_length"),
    *("all_pairs_bellman_ford_path", "all_pairs_bellman_ford_path_length"),
    *("all_pairs_shortest_path", "all_pairs_shortest_path_length", "all_pairs_all_shortest_paths"),
}
# NetworkX may need only a few nodes: between two of them, around one, up to the first odd cycle.
_SHORT = {
    *("bidirectional_shortest_path", "descendants_at_distance", "efficiency", "has_path", "is_bipartite"),
    *("isolates", "number_of_isolates"),  # NetworkX reads no neighbours
}
_UNWANTED = {
    **{name: ("e",) for name in BY_ROWS},
    "barycenter": ("attr", "sp"),
    "closeness_vitality": ("weight", "wiener_index"),
    "condensation": ("scc",),
    "eccentricity": ("v", "sp"),
    "edge_bfs": ("orientation",),
    **{name: ("flow_func",) for name in _FLOW},
    "harmonic_diameter": ("sp",),
    "local_reaching_centrality": ("paths", "weight"),
    "sets": ("top_nodes",),
    **{name: ("flow_func", "auxiliary", "residual") for name in _CONNECTIVITY},
    **{name: () for name in _DIJKSTRA | _WEIGHTED},
    **{name: ("heuristic", "cutoff") for name in ("astar_path", "astar_path_length")},
}
# NetworkX gives these answers, or their order, since that version: for calls with that argument, or for all ("G").
_CHANGED = {
    "all_pairs_all_shortest_paths": ((3, 5), "G"),
    "betweenness_centrality": ((3, 5), "k"),
    "edge_betweenness_centrality": ((3, 6), "k"),
    "harmonic_centrality": ((3, 6), "nbunch"),
    "is_aperiodic": ((3, 5), "G"),
    "single_source_all_shortest_paths": ((3, 5), "G"),
    "single_target_shortest_path_length": ((3, 5), "G"),
}
# Since these versions NetworkX has its own methods for trees.
_TREES = {"barycenter": (3, 6), "center": (3, 5)}

_PARAMETERS = {name: parameters(name) for name in FUNCTIONS}


def bound(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[str, Any]:
    """Returns arguments by name; hopwave's functions have the argument names of NetworkX's, but for the graph of a flow."""
    given = {**dict(zip(_PARAMETERS[name], args)), **kwargs}
    if "flowG" in given:
        given["G"] = given.pop("flowG")
    return given


def _differs(name: str, given: dict[str, Any]) -> bool:
    """Returns whether the installed NetworkX is older than this answer of a call."""
    if name == "shortest_path" and given.get("source") is None and given.get("target") is None:
        return NETWORKX < (3, 5)
    since, word = _CHANGED.get(name, ((0,), "G"))
    return NETWORKX < since and given.get(word) is not None


def _unwanted(name: str, given: dict[str, Any]) -> str | None:
    for word in _UNWANTED.get(name, ("weight", "e", "sort_neighbors", "neighbors")):
        if given.get(word) is not None:
            return f"{word} is given"
    if given.get("usebounds"):
        return "usebounds is given"
    if name in _FLOW and not isinstance(given.get("capacity", ""), str):
        return "capacity is no attribute's name"
    weighted = _weighted(name, given)
    if weighted is not None:
        return weighted
    if "method" in given and given["method"] not in _methods(name, given):
        return f"the method {given['method']!r} is not available"
    return None


def _methods(name: str, given: dict[str, Any]) -> tuple[str | None, ...]:
    if name == "average_shortest_path_length":
        return (None, "unweighted") if given.get("weight") is None else (None, "dijkstra")
    return ("dijkstra", "bellman-ford")


def weight_of(name: str, given: dict[str, Any]) -> Any:
    """Returns the attribute that a call takes weights from; None: it counts hops."""
    return given.get(BY_ROWS.get(name, "weight"), "weight" if name in _DIJKSTRA else None)


def _weighted(name: str, given: dict[str, Any]) -> str | None:
    """Returns why the weights of a call do not suit hopwave."""
    weight = weight_of(name, given)
    if weight is None or name not in _DIJKSTRA | _WEIGHTED | BY_ROWS.keys():
        return None
    if not isinstance(weight, str):
        return f"{BY_ROWS.get(name, 'weight')} is not an attribute's name"
    if BY_ROWS.get(name) == "distance" and given["G"].is_directed():
        return "by weights only undirected graphs are searched from every node"
    if name not in ("shortest_path", "shortest_path_length"):
        return None
    if given.get("method", "dijkstra") != "dijkstra" or given.get("source") is None:
        return "with weights only Dijkstra's algorithm from a source is available"
    if name == "shortest_path" and given.get("target") is not None:
        return "NetworkX searches from both ends"
    return None


_SOME_NODES = {"nbunch", "sources", "targets", "center_nodes", "nodes", "S", "top_nodes"}
# Arguments that name one node; for other values NetworkX's answer is an error or a useless result.
_ONE_NODE = {"closeness_centrality": "u", "closeness_vitality": "node", "local_reaching_centrality": "v"}
# None is not a node there, and has its own meaning.
_TWO_NODES = {"has_path": ("source", "target"), "efficiency": ("u", "v"), "bfs_tree": ("source",)}


def _unknown(name: str, given: dict[str, Any], graph: Any) -> str | None:
    """Returns why the nodes of a call do not suit hopwave."""
    for word in _SOME_NODES & given.keys():
        some = given[word]
        if name.startswith("bfs"):  # one node, or several
            if hasattr(some, "__next__"):
                return f"{word} can be read once only"
        elif not isinstance(some, (type(None), set, frozenset, list, tuple, dict, range)):
            return f"{word} is not a list or set"
    if name in _ONE_NODE:
        node = given.get(_ONE_NODE[name])
        if node not in graph and (node is not None or name == "local_reaching_centrality"):
            return f"{_ONE_NODE[name]} is not in the graph"
    for word in _TWO_NODES.get(name, ()):
        if given.get(word) is None:
            return f"{word} is None"
    if name.startswith("bipartite") and not all(node in graph for node in given["nodes"]):
        return "nodes are not all in the graph"
    if name == "hopcroft_karp_matching" and not all(node in graph for node in given.get("top_nodes") or ()):
        return "top_nodes are not all in the graph"
    source = given.get("source")
    if name == "edge_bfs" and source is not None and source not in graph:
        if not isinstance(source, (list, tuple, set, frozenset)) or not all(node in graph for node in source):
            return "source is neither a node nor a list of nodes"
    return None


def _no_flow(given: dict[str, Any]) -> str | None:
    """Why NetworkX answers a call for a flow with an error of its own."""
    graph = given["G"]
    if graph.is_multigraph():
        return "NetworkX has no flows of multigraphs"
    if not given.keys() <= set(_PARAMETERS["maximum_flow"]):
        return "NetworkX takes further words for a flow_func alone"
    if given["_s"] not in graph or given["_t"] not in graph:
        return "source or target is not in the graph"
    return None


_TRUTHS = {"normalized", "endpoints", "reverse", "wf_improved", "return_seen", "usebounds", "heuristic"}


def left(name: str, given: dict[str, Any]) -> str | None:
    """Returns why a call is left to NetworkX's own function, even with `backend="hopwave"`; None if it is not."""
    graph = given["G"]
    try:
        otherwise = read_otherwise(name, graph)
        if otherwise is not None:
            return otherwise
        if (name in _DIRECTED and not graph.is_directed()) or (name in _UNDIRECTED and graph.is_directed()):
            return "NetworkX answers at once for this kind of graph, most often with an error"
        if name in PER_NODE and any(True for _ in nx.nodes_with_selfloops(graph)):
            return "NetworkX has another answer for self-loops, or an error"
        if len(graph) == 0:
            return "the graph has no nodes"
        _unwanted(name, given)  # may raise, like the following
        for word in _TRUTHS & given.keys():
            bool(given[word])
        if any(isinstance(value, np.ndarray) for value in given.values()):
            return "arrays are compared element by element"
        return _no_flow(given) if name in _FLOW else _unknown(name, given, graph)
    except Exception as error:  # NetworkX reports what is wrong
        return f"{type(error).__name__}: {error}"


def can_run(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool | str:
    """Returns True, or the reason why not. Also True for calls that are left to NetworkX's own function."""
    if name not in FUNCTIONS:
        return "hopwave has no such function"
    given = _given(name, args, kwargs)
    graph: Any = given.get("G")
    if _differs(name, given):
        return "NetworkX of this version has another answer, or another order of it"
    try:
        reason = _unwanted(name, given)
    except Exception:  # as in left()
        return True
    if reason is not None:
        return reason
    if left(name, given) is not None:
        return True
    if name in _SIMPLE and graph.is_multigraph():
        return "parallel edges count there, or have their own keys"
    if NETWORKX >= _TREES.get(name, (99,)) and not graph.is_directed() and graph.number_of_edges() == len(graph) - 1:
        return "NetworkX has its own method for trees"
    return True


def _given(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[str, Any]:
    given = bound(name, args, kwargs)
    if isinstance(given.get("G"), Given):
        given["G"] = given["G"].original
    return given


def _is_converted(cache: Backends | None, weight: str | None) -> bool:
    """Returns whether the graph has been read, and these weights."""
    kept = None if cache is None else cache.kept
    return kept is not None and (weight is None or kept.has_weights(weight))


def _worth_converting(cache: Backends | None) -> bool:
    """Returns whether a search was asked for since the graph last changed: it has cost NetworkX as much time as a conversion
    takes."""
    if cache is None:  # the graph would be converted at each call
        return False
    spent, cache.asked = cache.asked, True
    return spent


def _pays_in_part(name: str, nodes: int, share: float) -> bool:
    """Returns whether only the part that a search reaches is compared, and this is enough for the call to pay off."""
    return can_compare_part(name) and share * nodes >= LEAST_NODES_ONE_SEARCH


def _is_short(name: str, given: dict[str, Any], weight: str | None) -> bool:
    if name in _SHORT or given.get("cutoff") is not None or given.get("depth_limit") is not None:
        return True
    between_two = name in ("shortest_path", "shortest_path_length", "shortest_simple_paths") and given.get("target") is not None
    return between_two and given.get("source") is not None and weight is None


def should_run(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool | str:
    """Returns True, or the reason why not."""
    given = _given(name, args, kwargs)
    reason = left(name, given)
    if reason is not None:
        return reason
    graph = given["G"]
    cache = cache_of(graph)
    ends = given.get("source"), given.get("target")
    every = name in _EVERY_NODE or (name in ("shortest_path", "shortest_path_length") and ends == (None, None))
    if every and given.get("u") is None:
        return True if len(graph) >= LEAST_NODES else f"the graph has fewer than {LEAST_NODES} nodes"
    weight = weight_of(name, given)
    if _is_short(name, given, weight):
        return "the search may end after a few nodes, and handing it over takes longer"
    if name in ("is_arborescence", "is_tree") and graph.number_of_edges() != len(graph) - 1:
        return "the number of edges is not that of a tree"
    if len(graph) < LEAST_NODES_ONE_SEARCH:
        return f"the graph has fewer than {LEAST_NODES_ONE_SEARCH} nodes"
    if cache is not None and cache.share < LEAST_SHARE and not _pays_in_part(name, len(graph), cache.share):
        return "the last searches reached few nodes, and comparing the graph with what was read takes longer"
    if weight is not None and cache is not None and given.get("target") is None:
        return True  # NetworkX takes longer than a conversion
    if not _is_converted(cache, weight) and not _worth_converting(cache):
        return "the conversion takes longer than the answer"
    return True
