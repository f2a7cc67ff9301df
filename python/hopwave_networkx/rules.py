"""Whether a call can run here, and whether it should."""

from __future__ import annotations

from typing import Any

from . import FUNCTIONS

_COMPONENTS = {name for name in FUNCTIONS if "connected" in name}
_WEAK = {name for name in FUNCTIONS if "weakly" in name}
# Below so many nodes NetworkX is as fast; bench/networkx_sizes.py measures it.
LEAST_NODES = 32


def _bound(args: tuple[Any, ...], kwargs: dict[str, Any], names: tuple[str, ...]) -> dict[str, Any]:
    """Arguments by name; the names are those of NetworkX's signatures, which start with G."""
    return {**dict(zip(("G", *names), args)), **kwargs}


_NAMES = {
    "average_shortest_path_length": ("weight", "method"),
    "closeness_centrality": ("u", "distance", "wf_improved"),
    "eccentricity": ("v", "sp", "weight"),
    "wiener_index": ("weight",),
    **{name: ("e", "usebounds", "weight") for name in ("center", "diameter", "periphery", "radius")},
    **{name: () for name in _COMPONENTS},
}


def can_run(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool | str:
    """True, or the reason why not."""
    if name not in FUNCTIONS:
        return "hopwave has no such function"
    given = _bound(args, kwargs, _NAMES[name])
    graph = given["G"]
    if name in _COMPONENTS and graph.is_directed() != (name in _WEAK):
        return "NetworkX raises an error for this kind of graph"
    if len(graph) == 0:
        return "the graph has no nodes"
    for word in ("weight", "distance", "sp", "e", "v"):
        if given.get(word) is not None:
            return f"{word} is given"
    if given.get("usebounds"):
        return "usebounds is given"
    if given.get("method") not in (None, "unweighted"):
        return "only the method 'unweighted' is here"
    if given.get("u") is not None and given["u"] not in graph:
        return "u is not in the graph"
    if name == "center" and not graph.is_directed() and graph.number_of_edges() == len(graph) - 1:
        return "NetworkX has a method of its own for trees"
    return True


def _is_converted(graph: Any) -> bool:
    if getattr(graph, "__networkx_backend__", None) == "hopwave":
        return True
    cache = getattr(graph, "__networkx_cache__", None) or {}
    return bool(cache.get("backends", {}).get("hopwave"))


def should_run(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool | str:
    """True, or the reason why not."""
    given = _bound(args, kwargs, _NAMES[name])
    one_search = name in _COMPONENTS or given.get("u") is not None
    if one_search and not _is_converted(given["G"]):
        return "the conversion takes longer than the answer"
    if len(given["G"]) < LEAST_NODES:
        return f"the graph has fewer than {LEAST_NODES} nodes"
    return True
