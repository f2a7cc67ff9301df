"""The part of a graph that a call reads, if it is less than all. Only this part is compared with what was read before.

A search that ends early follows a few rows. It runs on the rows that were read. If the rows that it followed are unchanged in
the graph, NetworkX follows the same ones and finds the same, whatever happened to the others.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

from hopwave import _core

from .limits import farthest, limit

if TYPE_CHECKING:
    from .converted import Kept

Node = Hashable
LARGEST_SHARE = 1 / 4  # of the rows: above it, comparing all rows in C++ takes less time than comparing some of them one by one

# By hops unless this argument names weights; then every row of distances is NetworkX's own, from a search by Dijkstra's algorithm.
BY_ROWS = {
    **{name: "distance" for name in ("closeness_centrality", "harmonic_centrality")},
    **{name: "weight" for name in ("average_shortest_path_length", "barycenter", "center", "diameter", "eccentricity")},
    **{name: "weight" for name in ("harmonic_diameter", "periphery", "radius", "wiener_index")},
}
# The argument that names the source, and the one that limits how far a search goes.
_SEARCHES: dict[str, tuple[str, str | None]] = {
    **{name: ("source", "cutoff") for name in ("single_source_shortest_path", "single_source_shortest_path_length")},
    **{name: ("target", "cutoff") for name in ("single_target_shortest_path", "single_target_shortest_path_length")},
    **{name: ("source", "depth_limit") for name in ("bfs_edges", "bfs_predecessors", "bfs_successors", "bfs_tree", "generic_bfs_edges")},
    "descendants_at_distance": ("source", "distance"),
    "ancestors": ("source", None),
    "descendants": ("source", None),
    "node_connected_component": ("n", None),
}
_BACKWARDS = {"single_target_shortest_path", "single_target_shortest_path_length", "ancestors"}
_BETWEEN = {"bidirectional_shortest_path", "efficiency", "has_path", "shortest_path", "shortest_path_length"}
_DIJKSTRA = {
    *("dijkstra_path", "dijkstra_path_length", "dijkstra_predecessor_and_distance", "single_source_dijkstra"),
    *("single_source_dijkstra_path", "single_source_dijkstra_path_length", "multi_source_dijkstra"),
    *("multi_source_dijkstra_path", "multi_source_dijkstra_path_length", "astar_path", "astar_path_length"),
}
# These read only outgoing rows, in every supported NetworkX: test_touched.py has incoming rows that raise an error.
_OUTGOING = {
    *("all_pairs_all_shortest_paths", "all_pairs_dijkstra", "all_pairs_dijkstra_path", "all_pairs_dijkstra_path_length"),
    *("all_pairs_shortest_path", "all_pairs_shortest_path_length", "all_shortest_paths", "attracting_components"),
    *("average_shortest_path_length", "betweenness_centrality", "betweenness_centrality_subset", "bfs_edges"),
    *("bfs_labeled_edges", "bfs_layers", "bfs_predecessors", "bfs_successors", "bfs_tree", "center", "closeness_centrality"),
    *("condensation", "descendants", "descendants_at_distance", "diameter", "eccentricity", "edge_betweenness_centrality"),
    *("edge_betweenness_centrality_subset", "generic_bfs_edges", "harmonic_diameter", "is_attracting_component"),
    *("is_strongly_connected", "number_attracting_components", "number_strongly_connected_components", "periphery"),
    *("maximum_flow", "maximum_flow_value", "minimum_cut", "minimum_cut_value"),
    *("predecessor", "radius", "single_source_all_shortest_paths", "single_source_shortest_path"),
    *("single_source_shortest_path_length", "strongly_connected_components", "voronoi_cells", "wiener_index", *_DIJKSTRA),
    *("bellman_ford_path", "bellman_ford_path_length", "single_source_bellman_ford", "single_source_bellman_ford_path"),
    *("single_source_bellman_ford_path_length", "all_pairs_bellman_ford_path", "all_pairs_bellman_ford_path_length"),
    *("johnson", "local_edge_connectivity", "local_node_connectivity", "minimum_st_edge_cut"),
}


def reads_incoming(name: str, given: dict[str, Any]) -> bool:
    """Returns whether a function reads the incoming rows of a directed graph."""
    return name not in _OUTGOING or bool(given.get("reverse"))


def is_limited(name: str, given: dict[str, Any]) -> bool:
    """Returns whether a search may end before it has reached all that it can: such a search does not show how much that is."""
    if name == "descendants_at_distance" or given.get("cutoff") is not None or given.get("depth_limit") is not None:
        return True
    return given.get("target") is not None and (given.get("source") is not None or "sources" in given)


def can_compare_part(name: str) -> bool:
    """Returns whether a search without a limit can be compared in part."""
    return name in _SEARCHES


class Touched(NamedTuple):
    """Nodes whose outgoing and incoming rows a call reads; nodes that it looks up in the graph; ends of outgoing or incoming
    rows, of which it only takes the rows; the attribute of the arcs that it reads."""

    outgoing: list[Node] = []
    incoming: list[Node] = []
    sources: Iterable[Node] = ()
    ends: list[Node] = []
    incoming_ends: list[Node] = []
    weight: str | None = None


def touched(name: str, given: dict[str, Any], kept: Kept, few: bool) -> Touched | None:
    """Returns None if it may be everything. `few`: a search without a limit is run, because it is likely to reach few nodes."""
    weight = given.get("weight", "weight") if name in _DIJKSTRA else given.get("weight")
    try:
        if name in _DIJKSTRA or (weight is not None and name == "shortest_path_length"):
            return _by_weight(given, kept, weight)
        if name in _BETWEEN and weight is None:
            source, target = ("u", "v") if name == "efficiency" else ("source", "target")
            return _between(kept, given[source], given[target])
        if name in _SEARCHES and (name not in BY_ROWS or given.get(BY_ROWS[name]) is None):
            return _around(name, given, kept, few)
    except Exception:  # the call itself reports what is wrong with an argument
        pass
    return None


def _few(kept: Kept, count: int) -> bool:
    return count <= len(kept.nodes) * LARGEST_SHARE


def _around(name: str, given: dict[str, Any], kept: Kept, few: bool) -> Touched | None:
    word, limited = _SEARCHES[name]
    most = limit(None if limited is None else given.get(limited))
    if limited == "distance" and given[limited] != most:  # which no level has, so NetworkX searches to the end
        return None
    if most < 0 and not few:
        return None
    source, back = given[word], name in _BACKWARDS or bool(given.get("reverse"))
    found = _core.Walk(kept.rows, kept.nodes, [kept.index[source]], [source], "in" if back else "out", most).lengths()
    rows = [node for node, level in found.items() if level != most]
    if not _few(kept, len(rows)):
        return None
    ends = list(found)[len(rows) :]  # some functions of NetworkX take their rows, but do not read them
    if back and kept.directed:
        return Touched(incoming=rows, incoming_ends=ends, sources=[source])
    return Touched(outgoing=rows, ends=ends, sources=[source])


def _between(kept: Kept, source: Node, target: Node) -> Touched | None:
    """Searches level by level from both ends, always on the side that found fewer nodes last, until there are as many levels as
    the path has steps: there the searches meet."""
    path = _core.path_between(kept.rows, kept.index[source], kept.index[target])
    left = len(path) - 1 if path else len(kept.nodes)
    walks = [_core.Walk(kept.rows, kept.nodes, [kept.index[node]], [node], way, -1) for node, way in ((source, "out"), (target, "in"))]
    fringes: list[list[Node]] = [[source], [target]]
    rows: list[list[Node]] = [[], []]
    while left > 0 and fringes[0] and fringes[1]:
        side = 0 if len(fringes[0]) <= len(fringes[1]) else 1
        rows[side] += fringes[side]
        if not _few(kept, len(rows[0]) + len(rows[1])):
            return None
        fringes[side] = walks[side].layer() or []
        left -= 1
    if kept.directed:
        return Touched(outgoing=rows[0], incoming=rows[1], sources=[source, target])
    return Touched(outgoing=rows[0] + rows[1], sources=[source, target])


def _by_weight(given: dict[str, Any], kept: Kept, weight: Any) -> Touched | None:
    """The rows of all nodes that a search takes from its heap."""
    target = given.get("target")
    if (target is None and given.get("cutoff") is None) or not kept.has_weights(weight):
        return None
    sources = list(dict.fromkeys([given["source"]] if "source" in given else given["sources"]))
    vertices = [kept.index[node] for node in sources]
    end = None if target is None else kept.index[target]
    search = _core.Dijkstra(kept.rows, kept.known(weight), kept.nodes, vertices, sources, farthest(given.get("cutoff")), end, False, False)
    if not _few(kept, search.found):
        return None
    return Touched(outgoing=list(search.lengths()), sources=[*sources, *([] if target is None else [target])], weight=weight)
