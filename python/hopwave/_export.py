"""Conversion of graphs to other libraries and to files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from . import _core
from ._kinds import kind

if TYPE_CHECKING:
    from ._graph import Graph

Vertices = npt.NDArray[np.uint32]


def tails_of(graph: Graph) -> Vertices:
    """Returns the source vertex of each arc, in the order of csr()."""
    bounds = graph.csr()[0].astype(np.int64)
    return np.repeat(np.arange(graph.num_vertices, dtype=np.uint32), bounds[1:] - bounds[:-1])


def ends(graph: Graph) -> tuple[Vertices, Vertices, npt.NDArray[Any] | None]:
    """Returns tails, heads and weights of the edges, by vertex; for an undirected edge those of the arc whose tail is not
    greater than its head."""
    tails, heads, weights = tails_of(graph), graph.csr()[1], graph.weights
    if graph.directed:
        return tails, heads, weights
    once = tails <= heads
    return tails[once], heads[once], None if weights is None else weights[once]


def id_array(graph: Graph) -> npt.NDArray[Any]:
    """Returns the id of every vertex: int64 if all are integers, otherwise Python objects."""
    ids = graph.ids
    if isinstance(ids, np.ndarray):
        return ids
    if ids and all(type(id) is int and -(2**63) <= id < 2**63 for id in ids):
        return np.array(ids, np.int64)
    objects = np.empty(len(ids), object)
    for v, id in enumerate(ids):  # one by one: NumPy would make rows of tuples
        objects[v] = id
    return objects


def to_edges(graph: Graph) -> tuple[npt.NDArray[Any], npt.NDArray[Any], npt.NDArray[Any] | None]:
    tails, heads, weights = ends(graph)
    ids = id_array(graph)
    return ids[tails], ids[heads], None if weights is None else weights.copy()


def to_networkx(graph: Graph, weight: str) -> Any:
    import networkx as nx

    tails, heads, weights = ends(graph)
    parallel = bool(((tails[1:] == tails[:-1]) & (heads[1:] == heads[:-1])).any())
    made: Any = {
        (False, False): nx.Graph,
        (True, False): nx.DiGraph,
        (False, True): nx.MultiGraph,
        (True, True): nx.MultiDiGraph,
    }[graph.directed, parallel]()
    ids = id_array(graph).tolist()
    made.add_nodes_from(ids)
    pairs = ([ids[v] for v in column.tolist()] for column in (tails, heads))
    if weights is None:
        made.add_edges_from(zip(*pairs))
    else:
        made.add_weighted_edges_from(zip(*pairs, weights.tolist()), weight=weight)
    return made


def to_igraph(graph: Graph, weight: str) -> Any:
    import igraph

    tails, heads, weights = ends(graph)
    made = igraph.Graph(graph.num_vertices, list(zip(tails.tolist(), heads.tolist())), directed=graph.directed)
    made.vs["id"] = id_array(graph).tolist()
    if weights is not None:
        made.es[weight] = weights.tolist()
    return made


def to_rustworkx(graph: Graph) -> Any:
    import rustworkx

    tails, heads, weights = ends(graph)
    made = rustworkx.PyDiGraph() if graph.directed else rustworkx.PyGraph()
    made.add_nodes_from(id_array(graph).tolist())
    made.add_edges_from(list(zip(tails.tolist(), heads.tolist(), [None] * tails.size if weights is None else weights.tolist())))
    return made


def to_scipy(graph: Graph) -> Any:
    from scipy import sparse

    offsets, heads = graph.csr()
    index = np.int32 if max(graph.num_vertices, graph.num_arcs) < 2**31 else np.int64
    data = np.ones(graph.num_arcs, np.int32) if graph.weights is None else graph.weights.copy()
    shape = (graph.num_vertices, graph.num_vertices)
    return sparse.csr_array((data, heads.astype(index), offsets.astype(index)), shape=shape)


def to_pandas(graph: Graph, source: str, target: str, weight: str) -> Any:
    import pandas

    sources, targets, weights = to_edges(graph)
    columns = {source: sources, target: targets} | ({} if weights is None else {weight: weights})
    if len(columns) != 2 + (weights is not None):
        raise ValueError("source, target, weight: each column needs a name of its own")
    return pandas.DataFrame(columns)


def with_ids(graph: Graph) -> _core.Graph:
    """Returns the graph with ids that the library can store in a file: NetworkX's nodes become numbers or texts, if they are
    such."""
    if graph._nodes is None:
        return graph._core
    nodes: list[Any] = list(graph._nodes)
    if all(isinstance(node, str) for node in nodes):
        return graph._core.with_names([str(node) for node in nodes])
    for node in nodes:
        if isinstance(node, bool) or not isinstance(node, (int, np.integer)) or not -(2**63) < node < 2**63:
            raise TypeError(
                f"a file holds ids that are all integers of 64 bits or all text, and a node is {node!r} ({kind(node)}): "
                "renumber=True numbers them"
            )
    numbers = np.array(nodes, np.int64)
    order = np.argsort(numbers)
    if (order[1:] > order[:-1]).all():
        return graph._core.with_numbers(numbers)
    rank = np.empty(order.size, np.uint32)  # the library keeps vertices in ascending order of such ids
    rank[order] = np.arange(order.size, dtype=np.uint32)
    tails, heads, weights = ends(graph)
    building = _core.Building(graph.directed, graph.num_vertices, True, True)
    silent = _core.Asked("cpu", 0, 1, 0.0, None, None)
    return _core.from_edges(rank[tails], rank[heads], building, weights, silent).with_numbers(numbers[order])
