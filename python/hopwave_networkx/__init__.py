"""NetworkX's backend "hopwave". This file is all that `import networkx` loads; the rest waits for the first call."""

from __future__ import annotations

from typing import Any

FUNCTIONS = {
    "average_shortest_path_length": "Unweighted; the methods other than None and 'unweighted' stay with NetworkX.",
    "center": "Unweighted; trees and `usebounds` stay with NetworkX.",
    "closeness_centrality": "Unweighted.",
    "diameter": "Unweighted, without `usebounds`.",
    "eccentricity": "Unweighted, of all nodes.",
    "is_connected": "Pays where the graph was converted before.",
    "is_weakly_connected": "Pays where the graph was converted before.",
    "number_connected_components": "Pays where the graph was converted before.",
    "number_weakly_connected_components": "Pays where the graph was converted before.",
    "periphery": "Unweighted, without `usebounds`.",
    "radius": "Unweighted, without `usebounds`.",
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
