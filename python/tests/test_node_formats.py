"""Files that NetworkX writes as GraphML, GML, Pajek and JSON are read as the graphs that they were."""

from __future__ import annotations

import json
import random

import networkx as nx
import pytest

import hopwave as hw

NAMES = ["007", "a b", "&<>", "é", "x", "7"]


def write_json(graph, path):
    path.write_text(json.dumps(nx.node_link_data(graph, edges="edges")))


def write_cytoscape(graph, path):
    path.write_text(json.dumps(nx.cytoscape_data(graph)))


WRITERS = {
    "graphml": nx.write_graphml_xml,
    "gml": nx.write_gml,
    "net": nx.write_pajek,
    "json": write_json,
    "cytoscape": write_cytoscape,
}


def drawn(kind, named, weight, seed):
    draw = random.Random(seed)
    graph = kind()
    nodes = NAMES if named else [draw.randrange(10**6) for _ in range(6)]
    graph.add_nodes_from(nodes)
    for _ in range(8):
        u, v = draw.choice(nodes[:5]), draw.choice(nodes[:5])
        graph.add_edge(u, v, **({} if weight is None else {"weight": weight(draw)}))
    return graph


def arcs_of(graph):
    """{(u, v): the least weight, or 1}, both ways for an undirected graph, ids as text, without self-loops."""
    arcs = {}
    for u, v, weight in graph.edges(data="weight", default=1):
        for ends in [(str(u), str(v))] + [(str(v), str(u))] * (not graph.is_directed()):
            if u != v:
                arcs[ends] = min(weight, arcs.get(ends, weight))
    return arcs


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("weight", [None, lambda d: d.randrange(2**53), lambda d: d.random()], ids=["none", "whole", "real"])
@pytest.mark.parametrize("named", [False, True], ids=["numbers", "names"])
@pytest.mark.parametrize("kind", [nx.Graph, nx.DiGraph, nx.MultiGraph, nx.MultiDiGraph])
@pytest.mark.parametrize("ending", sorted(WRITERS))
def test_what_networkx_writes_is_read(tmp_path, ending, kind, named, weight, seed):
    graph = drawn(kind, named, weight, seed)
    path = tmp_path / f"graph.{ending}"
    WRITERS[ending](graph, path)
    read = hw.read(path)
    assert read.directed == graph.is_directed()
    ids = [str(i) for i in read.ids]
    assert sorted(ids) == sorted(map(str, graph))
    if not named:
        assert all(isinstance(i, int) or hasattr(i, "dtype") for i in read.ids)
    indptr, indices = read.csr()
    weights = read.weights
    arcs = {
        (ids[u], ids[indices[i]]): 1 if weights is None else weights[i].item()
        for u in range(len(read))
        for i in range(indptr[u], indptr[u + 1])
        if u != indices[i]
    }
    assert arcs == arcs_of(graph)


def test_formats_that_are_not_read_are_named(tmp_path):
    path = tmp_path / "graph.gexf"
    nx.write_gexf(nx.path_graph(3), path)
    with pytest.raises(hw.Error, match="GEXF"):
        hw.read(path)
