"""NetworkX's backend "hopwave". This file is all that `import networkx` loads; the rest waits for the first call."""

from __future__ import annotations

from typing import Any

_CONVERTED = "Pays where the graph was converted before."
_ASKED_AGAIN = "Pays where the graph was converted before, or is asked again."
FUNCTIONS = {
    "all_pairs_all_shortest_paths": "Unweighted.",
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
    "connected_components": _ASKED_AGAIN,
    "descendants": _ASKED_AGAIN,
    "descendants_at_distance": _CONVERTED,
    "diameter": "Unweighted, without `usebounds`.",
    "eccentricity": "Unweighted, of all nodes.",
    "efficiency": _CONVERTED,
    "generic_bfs_edges": _ASKED_AGAIN + " `neighbors` stays with NetworkX.",
    "has_path": _CONVERTED,
    "is_connected": _ASKED_AGAIN,
    "is_weakly_connected": _ASKED_AGAIN,
    "node_connected_component": _ASKED_AGAIN,
    "number_connected_components": _ASKED_AGAIN,
    "number_weakly_connected_components": _ASKED_AGAIN,
    "periphery": "Unweighted, without `usebounds`.",
    "predecessor": _ASKED_AGAIN,
    "radius": "Unweighted, without `usebounds`.",
    "shortest_path": "Unweighted.",
    "shortest_path_length": "Unweighted.",
    "single_source_all_shortest_paths": "Unweighted.",
    "single_source_shortest_path": _ASKED_AGAIN,
    "single_source_shortest_path_length": _ASKED_AGAIN,
    "single_target_shortest_path": _ASKED_AGAIN,
    "single_target_shortest_path_length": _ASKED_AGAIN,
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
