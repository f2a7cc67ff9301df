"""The installed NetworkX: the order of some results changed from version to version."""

import networkx as nx

NETWORKX = tuple(int(part) for part in nx.__version__.split(".")[:2])
PATHS_AS_MET = NETWORKX < (3, 6)
"""Dicts of weighted paths have their keys in the order in which the search first found the nodes; since 3.6 in which it took
them."""
