"""Random graphs and views of them, changed in all the ways that Python allows between calls of all functions. Each answer is
that of NetworkX alone.

HOPWAVE_STEPS is how many steps there are, HOPWAVE_SEED where they begin.
"""

from __future__ import annotations

import os
import random
from typing import Any

import networkx as nx
import pytest
from calls import NAMES, is_refusal, ours_by_name, ours_by_priority, same, theirs, valid
from drawn import NODES

from hopwave_networkx import rules

STEPS = int(os.environ.get("HOPWAVE_STEPS", "600"))
SEED = int(os.environ.get("HOPWAVE_SEED", "1"))
STEPS_OF_A_GRAPH = 50
KINDS = (nx.Graph, nx.DiGraph, nx.MultiGraph, nx.MultiDiGraph)


class Sub(nx.Graph):
    """Overrides nothing."""


class Odd(nx.DiGraph):
    """Hides what leads to its first node."""

    def neighbors(self, n: Any) -> Any:
        first = next(iter(self))
        return iter([w for w in super().neighbors(n) if w != first])

    successors = neighbors


class World:
    """A graph, views of it, and views of these."""

    def __init__(self, seed: int) -> None:
        self.draw = draw = random.Random(seed)
        self.name = NODES[draw.choice(sorted(NODES))]
        self.kind = draw.choice([*KINDS, *KINDS, Sub, Odd])
        self.base = base = self.kind()
        n = draw.randint(1, 12)
        base.add_nodes_from(self.name(i) for i in draw.sample(range(n), n))
        for _ in range(draw.randint(0, 2 * n)):
            self.add_edge()
        self.graphs = [base]
        for _ in range(draw.randint(2, 5)):
            self.graphs.append(self.view_of(draw.choice(self.graphs)))

    def weight(self) -> Any:
        return self.draw.choice([0, 1, 2, 3, 5, 0.5, 0.25, 1.0, 2.5])

    def node(self) -> Any:
        return self.name(self.draw.randrange(14))

    def add_edge(self) -> None:
        words = {"weight": self.weight()} if self.draw.random() < 0.8 else {}
        self.base.add_edge(self.node(), self.node(), **words)

    def view_of(self, graph: Any) -> Any:
        draw, base = self.draw, self.base
        kept = {self.name(i) for i in range(14) if draw.random() < 0.7}
        threshold = draw.choice([1, 2])

        def light(u: Any, v: Any, *key: Any) -> bool:
            try:
                return bool(base.edges[(u, v, *key)].get("weight", 1) <= threshold)
            except KeyError:
                return False

        def shown(node: Any) -> bool:
            return bool(base.nodes[node].get("shown", True)) if node in base else False

        ways = [
            lambda: graph.subgraph(kept),
            lambda: graph.edge_subgraph([edge for edge in graph.edges if draw.random() < 0.7]),
            lambda: nx.subgraph_view(graph, filter_node=shown),
            lambda: nx.subgraph_view(graph, filter_edge=light),
            lambda: nx.subgraph_view(graph, filter_node=lambda node: node in kept, filter_edge=light),
            lambda: nx.restricted_view(graph, [node for node in graph if draw.random() < 0.2], []),
            lambda: graph.to_directed(as_view=True),
            lambda: graph.to_undirected(as_view=True),
            lambda: nx.graphviews.generic_graph_view(graph),
            lambda: nx.freeze(graph.subgraph(kept)),
            lambda: nx.induced_subgraph(graph, kept),
        ]
        if graph.is_directed():
            ways += [lambda: graph.reverse(copy=False), lambda: nx.reverse_view(graph)]
        return draw.choice(ways)()

    def change(self) -> None:
        """Of the graph below all views: by its methods, which NetworkX announces, or by its dicts, which it does not."""
        draw, base = self.draw, self.base
        nodes, edges = list(base), list(base.edges)
        u, v = (self.node(), self.node()) if not nodes else (draw.choice(nodes), draw.choice(nodes))

        def attributes(edge: Any) -> Any:
            return base.edges[edge]

        def in_place() -> None:
            row = base._adj[u]
            if not row:
                return
            w = draw.choice(list(row))
            data = row.pop(w)
            if draw.random() < 0.5:
                row[w] = data  # the same neighbours in another order
            elif base.is_directed():
                del base._pred[w][u]
            elif w != u:
                del base._adj[w][u]

        def add_in_place() -> None:
            data: Any = {0: {"weight": 1}} if base.is_multigraph() else {"weight": 1}
            if v not in base._adj[u]:
                base._adj[u][v] = data
                (base._pred if base.is_directed() else base._adj)[v][u] = data

        def reordered() -> None:
            node = draw.choice(nodes)
            for dicts in [base._node, base._adj] + ([base._pred] if base.is_directed() else []):
                dicts[node] = dicts.pop(node)

        ways: list[Any] = [self.add_edge, lambda: base.add_node(self.node())]
        if nodes:
            ways += [in_place, add_in_place, reordered, lambda: base.nodes[u].update(shown=draw.random() < 0.6)]
            if draw.random() < 0.3:
                ways.append(lambda: base.remove_node(u))
        if edges:
            edge = draw.choice(edges)
            ways += [
                lambda: base.remove_edge(*edge[:2]),
                lambda: attributes(edge).__setitem__("weight", self.weight()),
                lambda: attributes(edge).pop("weight", None),
                lambda: nx.set_edge_attributes(base, self.weight(), "weight"),
                lambda: [data.update(weight=self.weight()) for *_, data in base.edges(data=True)],
            ]
        draw.choice(ways)()

    def call(self, step: int) -> bool:
        draw = self.draw
        graph, name = draw.choice(self.graphs), draw.choice(NAMES)
        words = valid(name, graph, draw)
        expected = theirs(name, graph, **words)
        got = ours_by_priority(name, graph, **words)
        assert same(got, expected), (step, name, type(graph), words, got, expected)
        got = ours_by_name(name, graph, **words)
        if is_refusal(got) and isinstance(rules.can_run(name, (graph,), words), str):
            return False
        assert same(got, expected), (step, name, type(graph), words, got, expected)
        return True


def test_views_and_changes():
    world, ran = World(SEED), 0
    for step in range(STEPS):
        if step % STEPS_OF_A_GRAPH == 0:
            world = World(SEED * 10**6 + step)
        if world.draw.random() < 0.4:
            world.change()
        else:
            ran += world.call(step)
    assert ran > STEPS / 3


@pytest.mark.parametrize("kind", KINDS)
def test_the_same_call_after_each_kind_of_change(kind):
    """Without chance: each function, asked before and after a change that NetworkX does not announce."""
    for name in NAMES:
        draw = random.Random(name)
        g = kind(nx.cycle_graph(8))
        nx.set_edge_attributes(g, 2, "weight")
        words = valid(name, g, draw)
        changes = [
            lambda: [data.update(weight=0.5) for *_, data in g.edges(data=True)],
            lambda: g._adj[0].pop(1) if g.is_directed() else (g._adj[0].pop(1), g._adj[1].pop(0)),
            lambda: g._node.__setitem__(0, g._node.pop(0)),
        ]
        for change in [lambda: None, *changes]:
            change()
            assert same(ours_by_priority(name, g, **words), theirs(name, g, **words)), (name, words)
