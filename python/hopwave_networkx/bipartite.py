"""NetworkX's two-colourings and matchings."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterator

import networkx as nx
import numpy as np
import numpy.typing as npt

import hopwave as hw
from hopwave import _core

from .components import is_connected
from .converted import Converted, Theirs

Node = Hashable


def color(G: Converted) -> dict[Node, int]:
    found = _core.colors(G.rows, G.nodes)
    if found is None:
        raise nx.NetworkXError("Graph is not bipartite.")
    return found


def is_bipartite(G: Converted) -> bool:
    return _core.colors(G.rows, G.nodes) is not None


def sets(G: Converted, top_nodes: None = None) -> tuple[set[Node], set[Node]]:
    if not is_connected(G):
        raise nx.AmbiguousSolution("Disconnected graph: Ambiguous solution for bipartite sets.")
    colors = color(G)
    return {v for v, top in colors.items() if top}, {v for v, top in colors.items() if not top}


def hopcroft_karp_matching(G: Converted, top_nodes: Collection[Node] | None = None) -> dict[Node, Node]:
    left, right = sets(G) if top_nodes is None else (top := set(top_nodes), set(G.nodes) - top)
    try:
        mates = hw.maximum_matching(G.graph, list(left)).mate.tolist()
    except hw.Error as error:
        raise Theirs from error  # `left` is no side
    none = 2**32 - 1
    return {v: G.nodes[u] for side in (left, right) for v in side if (u := mates[G.index[v]]) != none}


eppstein_matching = hopcroft_karp_matching  # one of the same size


def _side(G: Converted, nodes: Collection[Node]) -> npt.NDArray[np.bool_]:
    """Returns which vertices are among these nodes."""
    side = np.zeros(len(G), bool)
    side[[G.index[node] for node in nodes if node in G.index]] = True
    return side


def to_vertex_cover(G: Converted, matching: dict[Node, Node], top_nodes: Collection[Node] | None = None) -> set[Node]:
    """König's theorem: a search from the unmatched nodes of the left side, to the right along edges that are not in the matching,
    back along those that are. The cover has the left nodes that it does not reach, and the right ones that it does."""
    left, right = sets(G) if top_nodes is None else (top := set(top_nodes), set(G.nodes) - top)
    is_left, mate = _side(G, left), np.full(len(G), -1, np.int64)
    for u, v in matching.items():
        mate[G.index[u]] = G.index[v]
    tails, heads = G.arcs()
    matched = mate[tails] == heads
    mated = int(np.count_nonzero(mate >= 0))
    if (is_left[tails] == is_left[heads]).any() or mated != np.count_nonzero(matched & (mate[heads] == tails)):
        raise Theirs  # no matching between two sides
    alternating = is_left[tails] != matched
    graph = hw.Graph.from_edges(tails[alternating], heads[alternating], directed=True, num_vertices=len(G))
    starts = np.flatnonzero(is_left & (mate < 0))
    reached = hw.bfs(graph, starts).distance >= 0 if starts.size else np.zeros(len(G), bool)
    found = {G.nodes[v] for v in np.flatnonzero(reached).tolist()}
    return (left - found) | (right & found)


def is_bipartite_node_set(G: Converted, nodes: Collection[Node]) -> bool:
    """Every edge has one end among the nodes."""
    some = set(nodes)
    side, (tails, heads) = _side(G, some), G.arcs()
    if len(some) < len(nodes) or not is_bipartite(G):
        raise Theirs
    return bool((side[tails] != side[heads]).all())


def isolates(G: Converted) -> Iterator[Node]:
    return iter(_core.isolated(G.rows, G.nodes))


def number_of_isolates(G: Converted) -> int:
    return len(_core.isolated(G.rows, G.nodes))
