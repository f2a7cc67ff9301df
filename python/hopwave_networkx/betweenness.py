"""NetworkX's betweenness, in its order of adding."""

from __future__ import annotations

import math
from collections.abc import Hashable
from typing import Any

import numpy as np
import numpy.typing as npt
from networkx.utils import create_py_random_state

from hopwave import _core

from .converted import Converted

Values = npt.NDArray[np.float64]


def _scales(n: int, k: int | None, normalized: bool, directed: bool, endpoints: bool) -> tuple[float, float]:
    """Returns the factors for nodes chosen as sources, and for the others; `k` is None if all were sources."""
    ends = n if endpoints else n - 1
    if ends < 2:
        return 1.0, 1.0
    count = ends if k is None else k
    half = 1 if directed else 2

    def scale(sources: int) -> float:
        return 1 / (sources * (ends - 1)) if normalized else ends / (sources * half)

    if k is None or endpoints:
        return scale(count), scale(count)
    # A chosen node is not an end of the paths that begin in it, so it has one source less.
    return scale(count - 1) if count > 1 else math.nan, scale(count)


def _rescaled(values: Values, sources: list[int] | None, scales: tuple[float, float]) -> list[float]:
    scaled = values * scales[1]
    if sources is not None:
        scaled[sources] = values[sources] * scales[0]
    result: list[float] = scaled.tolist()
    return result


def _drawn(G: Converted, k: int | None, seed: Any) -> list[Hashable] | None:
    drawn: list[Hashable] | None = None if k is None else create_py_random_state(seed).sample(list(G.nodes), k)
    return drawn


def _by_edge(
    G: Converted, values: list[float], tails: npt.NDArray[Any], heads: npt.NDArray[Any]
) -> dict[tuple[Hashable, Hashable], float]:
    nodes = G.nodes
    return dict(zip([(nodes[u], nodes[v]) for u, v in zip(tails.tolist(), heads.tolist())], values))


def _check_pairs(G: Converted) -> None:
    """NetworkX has one value for an edge and a node that is the same pair. Checked before nodes are chosen: NetworkX chooses
    again."""
    for node in G.nodes:
        if isinstance(node, tuple) and len(node) == 2 and (G.original.has_edge(*node) or G.original.has_edge(*node[::-1])):
            raise TypeError(f"the node {node} equals an edge")


def _vertices(G: Converted, nodes: Any) -> list[int]:
    return [G.index[node] for node in nodes]


def betweenness_centrality(
    G: Converted, k: int | None = None, normalized: bool = True, weight: None = None, endpoints: bool = False, seed: Any = None
) -> dict[Hashable, float]:
    drawn = _drawn(G, None if k == len(G) else k, seed)
    sources = None if drawn is None else _vertices(G, drawn)
    every = list(range(len(G))) if sources is None else sources
    vertex = _core.ordered_betweenness(G.rows, every, [], False, bool(endpoints), False)[0]
    scales = _scales(len(G), None if sources is None else len(sources), normalized, G.is_directed(), endpoints)
    return dict(zip(G.nodes, _rescaled(vertex, sources, scales)))


def edge_betweenness_centrality(
    G: Converted, k: int | None = None, normalized: bool = True, weight: None = None, seed: Any = None
) -> dict[tuple[Hashable, Hashable], float]:
    _check_pairs(G)
    drawn = _drawn(G, k, seed)
    sources = list(range(len(G))) if drawn is None else _vertices(G, drawn)
    _, edge, tails, heads = _core.ordered_betweenness(G.rows, sources, [], False, False, True)
    scales = _scales(len(G), None if drawn is None else len(drawn), normalized, G.is_directed(), True)
    return _by_edge(G, _rescaled(edge, None, scales), tails, heads)


def betweenness_centrality_subset(
    G: Converted, sources: Any, targets: Any, normalized: bool = False, weight: None = None
) -> dict[Hashable, float]:
    begin, end = _vertices(G, sources), [G.index[node] for node in targets if node in G.index]
    vertex = _core.ordered_betweenness(G.rows, begin, end, True, False, False)[0]
    scales = _scales(len(G), None, normalized, G.is_directed(), False)
    return dict(zip(G.nodes, _rescaled(vertex, None, scales)))


def edge_betweenness_centrality_subset(
    G: Converted, sources: Any, targets: Any, normalized: bool = False, weight: None = None
) -> dict[tuple[Hashable, Hashable], float]:
    _check_pairs(G)
    begin, end = _vertices(G, sources), [G.index[node] for node in targets if node in G.index]
    _, edge, tails, heads = _core.ordered_betweenness(G.rows, begin, end, True, False, True)
    scales = _scales(len(G), None, normalized, G.is_directed(), True)
    return _by_edge(G, _rescaled(edge, None, scales), tails, heads)


def bipartite_betweenness_centrality(G: Converted, nodes: Any) -> dict[Hashable, float]:
    top = set(nodes)
    bottom = set(G.nodes) - top
    # The most that a node can have, in either set (Borgatti and Halgin).
    most_top, most_bottom = _most(len(top), len(bottom)), _most(len(bottom), len(top))
    found = betweenness_centrality(G, normalized=False)
    for of, most in ((top, most_top), (bottom, most_bottom)):
        for node in of:
            found[node] /= most
    return found


def _most(here: int, there: int) -> float:
    s, t = divmod(here - 1, there)
    return (there**2 * (s + 1) ** 2 + there * (s + 1) * (2 * t - s - 1) - t * (2 * s - t + 3)) / 2.0
