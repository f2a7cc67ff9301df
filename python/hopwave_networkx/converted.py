"""A NetworkX graph as hopwave has it. NetworkX keeps it in the graph's cache until the graph changes."""

from __future__ import annotations

import weakref
from collections.abc import Hashable
from typing import Any

import networkx as nx

from hopwave import Graph


class Converted:
    """Holds no strong reference to the original: the original holds this one."""

    __networkx_backend__ = "hopwave"

    def __init__(self, original: nx.Graph[Any]) -> None:
        self.graph = Graph.from_networkx(original)
        self.nodes: list[Hashable] = self.graph.ids  # type: ignore[assignment]  # of NetworkX's nodes it is a list
        self.original = weakref.ref(original)
        self.multigraph = original.is_multigraph()

    def is_directed(self) -> bool:
        return self.graph.directed

    def is_multigraph(self) -> bool:
        return self.multigraph

    def __len__(self) -> int:
        return self.graph.num_vertices


def convert_from_nx(graph: nx.Graph[Any], **_: Any) -> Converted:
    """Weights and attributes are not taken: `rules.can_run` lets no call through that needs them."""
    return Converted(graph)


def convert_to_nx(result: Any, **_: Any) -> Any:
    """Results are Python's own objects already. A converted graph is the one that it came from."""
    if not isinstance(result, Converted):
        return result
    original = result.original()
    if original is None:
        raise RuntimeError("the NetworkX graph of this conversion is gone")
    return original
