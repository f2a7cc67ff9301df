"""NetworkX's values from rows of distances by weights: the same as NetworkX's own, bit by bit and in its order."""

from __future__ import annotations

import inspect
import random

import networkx as nx
import pytest

from hopwave_networkx import answering
from hopwave_networkx.rules import can_run
from hopwave_networkx.touched import BY_ROWS

WEIGHTS = {
    "whole": lambda draw: draw.randint(1, 9),
    "zero": lambda draw: draw.choice([0, 0, 1, 2]),
    "fractions": lambda draw: draw.choice([0.1, 0.2, 0.3, 1 / 3, 0.7]),
    "mixed": lambda draw: draw.choice([1, 2.0, 0.5, 10**15]),
    "missing": lambda draw: None,
}


def graphs():
    draw = random.Random(7)
    for kind in WEIGHTS:
        for make in (nx.Graph, nx.DiGraph, nx.MultiGraph):
            for nodes, edges in ((1, 0), (2, 1), (6, 9), (14, 40), (20, 15)):
                graph = make()
                graph.add_nodes_from(draw.sample(range(100), nodes))
                names = list(graph)
                for _ in range(edges):
                    u, v = draw.choice(names), draw.choice(names)
                    weight = WEIGHTS[kind](draw)
                    graph.add_edge(u, v, **({} if weight is None or draw.random() < 0.1 else {"w": weight}))
                yield graph


def told(function, *args, **words):
    """The answer with its order, or the error."""
    try:
        answer = function(*args, **words)
    except nx.NetworkXException as error:
        return type(error), str(error)
    return repr(list(answer.items()) if isinstance(answer, dict) else answer)


@pytest.fixture
def ours_alone(monkeypatch):
    def theirs(_self):
        raise AssertionError("NetworkX was asked")

    monkeypatch.setattr(answering._Call, "theirs", theirs)


@pytest.mark.parametrize("name", sorted(BY_ROWS))
def test_the_same_as_networkx(name, ours_alone):
    function = getattr(nx, name)
    if BY_ROWS[name] not in inspect.signature(function.orig_func).parameters:
        pytest.skip("NetworkX of this version has no weights there")
    taken = 0
    for graph in graphs():
        for more in [{}, *([{"u": next(iter(graph))}] if name == "closeness_centrality" else [])]:
            words = {BY_ROWS[name]: "w", **more}
            if can_run(name, (graph,), words) is not True:
                continue
            expected = told(function, graph, **words, backend="networkx")
            assert told(function, graph, **words, backend="hopwave") == expected, (list(graph.edges(data=True)), words)
            taken += 1
    assert taken >= 40


@pytest.mark.parametrize("sizes", [(3, 8), (8, 3), (0, 2)])
def test_harmonic_centrality_of_some_nodes(sizes, ours_alone):
    for graph in graphs():
        if graph.is_directed() or len(graph) < 8:
            continue
        nodes, sources = (list(graph)[:size] for size in sizes)
        words = {"nbunch": nodes, "sources": sources, "distance": "w"}
        if can_run("harmonic_centrality", (graph,), words) is not True:
            pytest.skip("NetworkX of this version has another order")
        expected = told(nx.harmonic_centrality, graph, **words, backend="networkx")
        assert told(nx.harmonic_centrality, graph, **words, backend="hopwave") == expected


def test_what_is_left_to_networkx():
    graph = nx.cycle_graph(40)
    for name, words in (
        ("closeness_centrality", {"distance": lambda u, v, data: 1}),
        ("eccentricity", {"weight": 3}),
        ("average_shortest_path_length", {"weight": "w", "method": "bellman-ford"}),
        ("average_shortest_path_length", {"weight": "w", "method": "unweighted"}),
        ("average_shortest_path_length", {"method": "dijkstra"}),
        ("diameter", {"weight": "w", "usebounds": True}),
    ):
        assert can_run(name, (graph,), words) is not True, (name, words)
    assert can_run("closeness_centrality", (nx.DiGraph(graph),), {"distance": "w"}) is not True
    graph.edges[0, 1]["w"] = -1
    assert nx.diameter(graph, weight="missing") == 20
    with pytest.raises(ValueError, match="Contradictory paths found|negative"):
        nx.diameter(graph, weight="w", backend="networkx")


def test_weights_that_change_are_read_again(ours_alone):
    graph = nx.path_graph(40)
    for value in (1, 2.5, 7):
        graph.edges[3, 4]["w"] = value
        assert nx.diameter(graph, weight="w", backend="hopwave") == 38 + value
        assert nx.closeness_centrality(graph, 0, distance="w", backend="hopwave") == nx.closeness_centrality(
            graph, 0, distance="w", backend="networkx"
        )
