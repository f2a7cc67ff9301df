"""NetworkX's backend "hopwave". `import networkx` loads only this file and table.py; the other modules are loaded at the first
call."""

from __future__ import annotations

from typing import Any

from .table import PER_NODE

_WEIGHTS = "Weights are ints and floats of 0 or more, an attribute of the edges."
_BY_NAME = 'NetworkX may be faster: only `backend="hopwave"` calls it here.'
_ASKED_AGAIN = "Pays off if the graph was converted before, or is used again."
_CAPACITIES = (
    "Capacities are ints of 0 or more, an attribute of the edges; where it is missing, the capacity is infinite. "
    "`flow_func` and its parameters stay with NetworkX."
)
_CUTS = "Every edge carries 1. `flow_func`, `auxiliary` and `residual` stay with NetworkX."
# For generators: NetworkX's own show a change of the graph, or raise an error.
_AT_FIRST = {
    *("all_pairs_bellman_ford_path", "all_pairs_bellman_ford_path_length", "shortest_simple_paths"),
    *("all_pairs_all_shortest_paths", "all_pairs_dijkstra", "all_pairs_dijkstra_path", "all_pairs_dijkstra_path_length"),
    *("all_pairs_shortest_path", "all_pairs_shortest_path_length", "attracting_components", "bfs_edges", "bfs_labeled_edges"),
    *("bfs_layers", "bfs_predecessors", "bfs_successors", "connected_components", "edge_bfs", "generic_bfs_edges"),
    *("single_source_all_shortest_paths", "strongly_connected_components", "weakly_connected_components"),
}
_AT_CALL = {"all_shortest_paths", "isolates"}
FUNCTIONS = {
    "all_pairs_all_shortest_paths": _WEIGHTS,
    "all_pairs_bellman_ford_path": _WEIGHTS,
    "all_pairs_bellman_ford_path_length": _WEIGHTS,
    "all_pairs_dijkstra": _WEIGHTS,
    "all_pairs_dijkstra_path": _WEIGHTS,
    "all_pairs_dijkstra_path_length": _WEIGHTS,
    "all_pairs_node_connectivity": _CUTS,
    "all_pairs_shortest_path": "",
    "all_pairs_shortest_path_length": "",
    "all_shortest_paths": _WEIGHTS,
    "ancestors": _ASKED_AGAIN,
    "astar_path": _WEIGHTS + " `heuristic` and `cutoff` stay with NetworkX.",
    "astar_path_length": _WEIGHTS + " `heuristic` and `cutoff` stay with NetworkX.",
    "attracting_components": _ASKED_AGAIN,
    "average_node_connectivity": _CUTS,
    "average_shortest_path_length": "The methods None and 'unweighted', and by weights 'dijkstra'.",
    "barycenter": "Without `attr` and `sp`; trees stay with NetworkX.",
    "bellman_ford_path": _WEIGHTS,
    "bellman_ford_path_length": _WEIGHTS,
    "bellman_ford_predecessor_and_distance": _WEIGHTS,
    "betweenness_centrality": "Unweighted.",
    "betweenness_centrality_subset": "Unweighted.",
    "bfs_edges": _ASKED_AGAIN + " `sort_neighbors` stays with NetworkX.",
    "bfs_labeled_edges": _ASKED_AGAIN,
    "bfs_layers": _ASKED_AGAIN,
    "bfs_predecessors": _ASKED_AGAIN + " `sort_neighbors` stays with NetworkX.",
    "bfs_successors": _ASKED_AGAIN + " `sort_neighbors` stays with NetworkX.",
    "bfs_tree": _ASKED_AGAIN + " `sort_neighbors` stays with NetworkX.",
    "bidirectional_shortest_path": _BY_NAME,
    "bipartite_betweenness_centrality": "",
    "bipartite_closeness_centrality": "",
    "center": "Trees and `usebounds` stay with NetworkX.",
    "closeness_centrality": "`distance` in undirected graphs.",
    "closeness_vitality": "Unweighted, without `wiener_index`.",
    "color": _ASKED_AGAIN,
    "condensation": _ASKED_AGAIN + " `scc` stays with NetworkX.",
    "connected_components": _ASKED_AGAIN,
    "descendants": _ASKED_AGAIN,
    "descendants_at_distance": _BY_NAME,
    "diameter": "Without `usebounds`.",
    "dijkstra_path": _WEIGHTS,
    "dijkstra_path_length": _WEIGHTS,
    "dijkstra_predecessor_and_distance": _WEIGHTS,
    "eccentricity": "Of all nodes.",
    "edge_betweenness_centrality": "Unweighted; multigraphs stay with NetworkX.",
    "edge_betweenness_centrality_subset": "Unweighted; multigraphs stay with NetworkX.",
    "edge_bfs": _ASKED_AGAIN + " `orientation` and multigraphs stay with NetworkX.",
    "edge_connectivity": _CUTS,
    "efficiency": _BY_NAME,
    "eppstein_matching": "The matching may be another one of the same size.",
    "flow_hierarchy": _ASKED_AGAIN + " Unweighted; multigraphs stay with NetworkX.",
    "generic_bfs_edges": _ASKED_AGAIN + " `neighbors` stays with NetworkX.",
    "girth": _ASKED_AGAIN,
    "global_efficiency": "",
    "global_reaching_centrality": "Unweighted.",
    "group_closeness_centrality": _ASKED_AGAIN + " Unweighted.",
    "gutman_index": "Unweighted.",
    "harmonic_centrality": "`distance` in undirected graphs.",
    "harmonic_diameter": "Without `sp`.",
    "has_path": _BY_NAME,
    "hopcroft_karp_matching": "The matching may be another one of the same size.",
    "hyper_wiener_index": "Unweighted.",
    "is_aperiodic": _ASKED_AGAIN,
    "is_arborescence": _ASKED_AGAIN + " Multigraphs stay with NetworkX.",
    "is_attracting_component": _ASKED_AGAIN,
    "is_bipartite": _BY_NAME,
    "is_bipartite_node_set": _ASKED_AGAIN,
    "is_branching": _ASKED_AGAIN + " Multigraphs stay with NetworkX.",
    "is_connected": _ASKED_AGAIN,
    "is_directed_acyclic_graph": _ASKED_AGAIN,
    "is_forest": _ASKED_AGAIN + " Multigraphs stay with NetworkX.",
    "is_semiconnected": _ASKED_AGAIN,
    "is_strongly_connected": _ASKED_AGAIN,
    "is_tree": _ASKED_AGAIN + " Multigraphs stay with NetworkX.",
    "is_weakly_connected": _ASKED_AGAIN,
    "isolates": _BY_NAME,
    "johnson": _WEIGHTS,
    "local_edge_connectivity": _CUTS,
    "local_node_connectivity": _CUTS,
    "local_reaching_centrality": _ASKED_AGAIN + " Unweighted, without `paths`.",
    "maximum_flow": _CAPACITIES + " The flow may be another one of the same value.",
    "maximum_flow_value": _CAPACITIES,
    "minimum_cut": _CAPACITIES,
    "minimum_cut_value": _CAPACITIES,
    "minimum_edge_cut": _CUTS,
    "minimum_node_cut": _CUTS,
    "minimum_st_edge_cut": _CUTS,
    "minimum_st_node_cut": _CUTS,
    "multi_source_dijkstra": _WEIGHTS,
    "multi_source_dijkstra_path": _WEIGHTS,
    "multi_source_dijkstra_path_length": _WEIGHTS,
    "node_connected_component": _ASKED_AGAIN,
    "node_connectivity": _CUTS,
    "number_attracting_components": _ASKED_AGAIN,
    "number_connected_components": _ASKED_AGAIN,
    "number_of_isolates": _BY_NAME,
    "number_strongly_connected_components": _ASKED_AGAIN,
    "number_weakly_connected_components": _ASKED_AGAIN,
    "periphery": "Without `usebounds`.",
    "predecessor": _ASKED_AGAIN,
    "radius": "Without `usebounds`.",
    "schultz_index": "Unweighted.",
    "sets": _ASKED_AGAIN + " `top_nodes` stays with NetworkX.",
    "shortest_path": "Weights from one source only, by Dijkstra's algorithm.",
    "shortest_path_length": "Weights from one source only, by Dijkstra's algorithm.",
    "shortest_simple_paths": _ASKED_AGAIN + " " + _WEIGHTS + " Without weights NetworkX may be faster.",
    "single_source_all_shortest_paths": _WEIGHTS,
    "single_source_bellman_ford": _WEIGHTS,
    "single_source_bellman_ford_path": _WEIGHTS,
    "single_source_bellman_ford_path_length": _WEIGHTS,
    "single_source_dijkstra": _WEIGHTS,
    "single_source_dijkstra_path": _WEIGHTS,
    "single_source_dijkstra_path_length": _WEIGHTS,
    "single_source_shortest_path": _ASKED_AGAIN,
    "single_source_shortest_path_length": _ASKED_AGAIN,
    "single_target_shortest_path": _ASKED_AGAIN,
    "single_target_shortest_path_length": _ASKED_AGAIN,
    "strongly_connected_components": _ASKED_AGAIN,
    "to_vertex_cover": _ASKED_AGAIN,
    "voronoi_cells": _WEIGHTS,
    "weakly_connected_components": _ASKED_AGAIN,
    "wiener_index": "",
}
FUNCTIONS |= dict.fromkeys(PER_NODE, _ASKED_AGAIN + " Multigraphs stay with NetworkX.")

for _name in _AT_FIRST | _AT_CALL:
    _when = "when its first item is taken" if _name in _AT_FIRST else "at the call"
    FUNCTIONS[_name] = f"{FUNCTIONS[_name]} The graph is read {_when}; later changes are not shown.".strip()


def get_info() -> dict[str, Any]:
    return {
        "backend_name": "hopwave",
        "project": "hopwave",
        "package": "hopwave_networkx",
        "short_summary": "Breadth-first search on GPUs and CPUs.",
        "functions": {name: {"additional_docs": text} for name, text in FUNCTIONS.items()},
    }
