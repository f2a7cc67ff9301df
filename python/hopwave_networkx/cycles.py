"""NetworkX's functions about cycles."""

from __future__ import annotations

import math

import networkx as nx
import numpy as np

import hopwave as hw
from hopwave import _core

from .components import is_connected, is_strongly_connected
from .converted import Converted


def girth(G: Converted) -> float:
    found = _core.girth(G.rows)
    return math.inf if found is None else found


def is_aperiodic(G: Converted) -> bool:
    """Returns whether the lengths of the cycles have no common divisor: each arc shows how far a cycle departs from the
    levels."""
    if not is_strongly_connected(G):
        raise nx.NetworkXError("Graph is not strongly connected.")
    tails, heads = G.arcs()
    level = hw.Searcher(G.graph)._core.each(np.zeros(1, np.uint32), -1)[0].astype(np.int64)  # by index: a node may be a set
    departs = level[tails] + 1 - level[heads]
    return int(np.gcd.reduce(departs, initial=0)) == 1


def _edges(G: Converted) -> int:
    """The number of edges; a loop is one."""
    tails, heads = G.arcs()
    if G.is_directed():
        return heads.size
    return (heads.size + int(np.count_nonzero(tails == heads))) // 2


def is_forest(G: Converted) -> bool:
    return _edges(G) == len(G) - G.walk([], "both").count_components(len(G))


def _at_most_one_before(G: Converted) -> bool:
    return int(np.bincount(G.graph.csr()[1], minlength=1).max()) <= 1


def is_branching(G: Converted) -> bool:
    return is_forest(G) and _at_most_one_before(G)


def is_tree(G: Converted) -> bool:
    return _edges(G) == len(G) - 1 and is_connected(G)


def is_arborescence(G: Converted) -> bool:
    return is_tree(G) and _at_most_one_before(G)
