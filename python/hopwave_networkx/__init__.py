"""NetworkX's backend "hopwave". This file is all that `import networkx` loads; the rest waits for the first call."""

from __future__ import annotations

from typing import Any

_WEIGHTS = "Weights are ints and floats of 0 or more, an attribute of the edges."
_CONVERTED = "Pays where the graph was converted before."
_ASKED_AGAIN = "Pays where the graph was converted before, or is asked again."
FUNCTIONS = {
    "all_pairs_all_shortest_paths": "Unweighted.",
    "all_pairs_dijkstra": _WEIGHTS,
    "all_pairs_dijkstra_path": _WEIGHTS,
    "all_pairs_dijkstra_path_length": _WEIGHTS,
    "all_pairs_shortest_path": "",
    "all_pairs_shortest_path_length": "",
    "all_shortest_paths": "Unweighted.",
    "ancestors": _ASKED_AGAIN,
    "average_shortest_path_length": "Unweighted; the methods other than None and 'unweighted' stay with NetworkX.",
    "bfs_edges": _ASKED_AGAIN + " `sort_neighbors` stays with NetworkX.",
    "bfs_labeled_edges": _ASKED_AGAIN,
    "bfs_layers": _ASKED_AGAIN,
    "bfs_predecessors": _ASKED_AGAIN + " `sort_neighbors` stays with NetworkX.",
    "bfs_successors": _ASKED_AGAIN + " `sort_neighbors` stays with NetworkX.",
    "bfs_tree": _ASKED_AGAIN + " `sort_neighbors` stays with NetworkX.",
    "bidirectional_shortest_path": _CONVERTED,
    "center": "Unweighted; trees and `usebounds` stay with NetworkX.",
    "closeness_centrality": "Unweighted.",
    "color": _ASKED_AGAIN,
    "connected_components": _ASKED_AGAIN,
    "descendants": _ASKED_AGAIN,
    "descendants_at_distance": _CONVERTED,
    "diameter": "Unweighted, without `usebounds`.",
    "dijkstra_path": _WEIGHTS,
    "dijkstra_path_length": _WEIGHTS,
    "dijkstra_predecessor_and_distance": _WEIGHTS,
    "eccentricity": "Unweighted, of all nodes.",
    "efficiency": _CONVERTED,
    "generic_bfs_edges": _ASKED_AGAIN + " `neighbors` stays with NetworkX.",
    "global_efficiency": "",
    "harmonic_centrality": "Unweighted.",
    "has_path": _CONVERTED,
    "hyper_wiener_index": "Unweighted.",
    "is_bipartite": _ASKED_AGAIN,
    "is_connected": _ASKED_AGAIN,
    "is_weakly_connected": _ASKED_AGAIN,
    "isolates": _CONVERTED,
    "multi_source_dijkstra": _WEIGHTS,
    "multi_source_dijkstra_path": _WEIGHTS,
    "multi_source_dijkstra_path_length": _WEIGHTS,
    "node_connected_component": _ASKED_AGAIN,
    "number_connected_components": _ASKED_AGAIN,
    "number_of_isolates": _CONVERTED,
    "number_weakly_connected_components": _ASKED_AGAIN,
    "periphery": "Unweighted, without `usebounds`.",
    "predecessor": _ASKED_AGAIN,
    "radius": "Unweighted, without `usebounds`.",
    "sets": _ASKED_AGAIN + " `top_nodes` stays with NetworkX.",
    "shortest_path": "Weights from one source only, by Dijkstra's algorithm.",
    "shortest_path_length": "Weights from one source only, by Dijkstra's algorithm.",
    "single_source_all_shortest_paths": "Unweighted.",
    "single_source_dijkstra": _WEIGHTS,
    "single_source_dijkstra_path": _WEIGHTS,
    "single_source_dijkstra_path_length": _WEIGHTS,
    "single_source_shortest_path": _ASKED_AGAIN,
    "single_source_shortest_path_length": _ASKED_AGAIN,
    "single_target_shortest_path": _ASKED_AGAIN,
    "single_target_shortest_path_length": _ASKED_AGAIN,
    "voronoi_cells": _WEIGHTS,
    "weakly_connected_components": _ASKED_AGAIN,
    "wiener_index": "Unweighted.",
}


def get_info() -> dict[str, Any]:
    return {
        "backend_name": "hopwave",
        "project": "hopwave",
        "package": "hopwave_networkx",
        "short_summary": "Breadth-first search on GPUs and CPUs.",
        "functions": {name: {"additional_docs": text} for name, text in FUNCTIONS.items()},
    }
