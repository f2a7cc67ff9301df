"""Calls that read a part of a graph compare this part. Whatever else has changed, answers are those of NetworkX alone."""

from __future__ import annotations

import os
import random
from typing import Any

import networkx as nx
import pytest
from calls import NAMES, function, is_refusal, ours_by_name, ours_by_priority, same, theirs, valid
from drawn import NODES, outcome

from hopwave_networkx import touched as part
from hopwave_networkx.converted import Given, Kept
from hopwave_networkx.registry import parameters

STEPS = int(os.environ.get("HOPWAVE_STEPS", "600"))
SEED = int(os.environ.get("HOPWAVE_SEED", "1"))
KINDS = (nx.Graph, nx.DiGraph, nx.MultiGraph, nx.MultiDiGraph)
LOCAL = sorted((set(part._SEARCHES) | part._BETWEEN | part._DIJKSTRA) & set(NAMES))
WORDS = {  # of the calls that read a part
    "cutoff": lambda draw: draw.choice([0, 1, 2, 3, 1.5, 0.5, 4, None]),
    "depth_limit": lambda draw: draw.choice([0, 1, 2, 3, None]),
    "distance": lambda draw: draw.choice([0, 1, 2, 3, -1, 1.5]),
}


class NotToBeRead(dict):  # type: ignore[type-arg]
    def _no(self, *_: Any) -> Any:
        raise AssertionError("this row is read")

    __getitem__ = __iter__ = __len__ = __contains__ = keys = values = items = get = copy = _no  # type: ignore[assignment]


class NotToBeGoneThrough(dict):  # type: ignore[type-arg]
    """NetworkX takes an iterator of it, and no item."""

    def __iter__(self) -> Any:
        raise AssertionError("this row is gone through")
        yield

    __getitem__ = __len__ = __contains__ = keys = values = items = get = copy = NotToBeRead._no  # type: ignore[assignment]


def drawn(kind: Any, draw: random.Random, n: int = 120) -> Any:
    """A sparse graph, so that a search of a few levels reaches few nodes."""
    name = NODES[draw.choice(sorted(NODES))]
    g = kind()
    nodes = [name(i) for i in draw.sample(range(n), n)]
    g.add_nodes_from(nodes)
    part = draw.choice([n, n, 20])  # in components of so many nodes
    for i in range(n):
        for _ in range(draw.choice([1, 1, 1, 2])):
            j = i + draw.choice([1, 1, 2, 3, 5]) if draw.random() < 0.95 else draw.randrange(n)
            j = i // part * part + j % part
            words = {"weight": draw.choice([1, 2, 0.5, 0, 3])} if draw.random() < 0.8 else {}
            g.add_edge(nodes[i], nodes[j % n], **words)
    return g


def words_of(name: str, g: Any, draw: random.Random) -> dict[str, Any]:
    """Arguments of calls that read a part, near nodes among them."""
    words = valid(name, g, draw)
    nodes = list(g)
    for word in ("source", "target", "u", "v", "n"):
        if word in parameters(name):
            words.setdefault(word, draw.choice(nodes))
    if "sources" in words:
        words["sources"] = draw.sample(nodes, draw.randint(1, 3))
    for word in sorted(WORDS.keys() & set(parameters(name))):  # in one order, for the same draws
        words[word] = WORDS[word](draw)
    if "weight" in parameters(name):
        words["weight"] = "weight" if name in part._DIJKSTRA else draw.choice(["weight", None])
    if "target" in words and draw.random() < 0.7:  # a near one
        source = words["sources"][0] if "sources" in words else words.get("source")
        if source in g:
            words["target"] = draw.choice([source, *g[source], *(w for v in g[source] for w in g[v])])
    return words


@pytest.mark.parametrize("name", sorted(part._OUTGOING & set(NAMES)))
def test_incoming_rows_are_not_read(name):
    """By NetworkX itself: so they need no comparison."""
    ran = 0
    for seed in range(40):
        draw = random.Random(seed)
        for kind in (nx.DiGraph, nx.MultiDiGraph):
            g = kind(nx.gnp_random_graph(8, 0.3 if seed % 2 else 0.6, seed=seed, directed=True))
            nx.set_edge_attributes(g, {edge: draw.choice([1, 2]) for edge in g.edges}, "weight")
            words = valid(name, g, draw)
            words.pop("reverse", None)
            assert not part.reads_incoming(name, words)
            expected = outcome(lambda: function(name)(g, **words, backend="networkx"))
            g._pred = NotToBeRead()
            got = outcome(lambda: function(name)(g, **words, backend="networkx"))
            assert same(got, expected), (got, expected)
            ran += not (isinstance(got, tuple) and len(got) == 3)
    assert ran


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", LOCAL)
def test_no_other_row_is_read(name, kind):
    """By NetworkX itself, in the part of a graph that touched() has named."""
    ran = 0
    for seed in range(40):
        draw = random.Random(f"{name} {seed}")
        g = drawn(kind, draw)
        words = words_of(name, g, draw)
        kept = Kept(g)
        try:
            kept.weights(g, "weight")
        except NotImplementedError:
            pass
        found = part.touched(name, {"G": g, **words}, kept, few=draw.random() < 0.5)
        if found is None:
            continue
        expected = outcome(lambda: function(name)(g, **words, backend="networkx"))
        rows, incoming = (found.outgoing, found.incoming) if g.is_directed() else (found.outgoing + found.incoming,) * 2
        ends, incoming_ends = (found.ends, found.incoming_ends) if g.is_directed() else (found.ends + found.incoming_ends,) * 2
        for dicts, read, taken in ((g._adj, rows, ends), *([(g._pred, incoming, incoming_ends)] if g.is_directed() else [])):
            for node in dicts:
                if node not in read:
                    dicts[node] = NotToBeGoneThrough() if node in taken else NotToBeRead()
        assert same(outcome(lambda: function(name)(g, **words, backend="networkx")), expected), (words, found)
        ran += 1
    assert ran


def changed(g: Any, draw: random.Random) -> None:
    """In place, in ways of which NetworkX announces one; some leave rows that contradict each other."""
    nodes = list(g)
    u, v = draw.choice(nodes), draw.choice(nodes)
    row = g._adj[u]
    back = g._pred if g.is_directed() else g._adj
    what = draw.randrange(9)
    if what == 0 and row:
        w = draw.choice(list(row))
        row[w] = row.pop(w)  # another order
    elif what == 1 and row:
        w = draw.choice(list(row))
        del row[w]
        if w in back and u in back[w]:
            del back[w][u]
    elif what == 2:
        data: Any = {0: {"weight": 1}} if g.is_multigraph() else {"weight": 1}
        row[v] = data
        back[v][u] = data
    elif what == 3 and row:
        data = row[draw.choice(list(row))]
        (data[next(iter(data))] if g.is_multigraph() else data)["weight"] = draw.choice([0, 1, 2, 0.25, None, 5])
    elif what == 4 and row:
        data = row[draw.choice(list(row))]
        (data[next(iter(data))] if g.is_multigraph() else data).pop("weight", None)
    elif what == 5 and row and draw.random() < 0.3:
        del row[draw.choice(list(row))]  # from one end
    elif what == 6 and draw.random() < 0.3:
        for dicts in [g._node, g._adj] + ([g._pred] if g.is_directed() else []):
            dicts[u] = dicts.pop(u)
    elif what == 7 and draw.random() < 0.2:
        g.add_edge(u, v, weight=1)
    elif what == 8 and row and not g.is_multigraph():
        w = draw.choice(list(row))
        row[w] = dict(row[w], weight=draw.choice([1, 4]))  # another dict, of one end only


def test_calls_and_changes_of_parts():
    g, kind, taken, ran = nx.Graph(), nx.Graph, 0, 0
    draw = random.Random(SEED)
    for step in range(STEPS):
        if step % 60 == 0:
            draw = random.Random(SEED * 10**6 + step)
            kind = draw.choice(KINDS)
            g = drawn(kind, draw, draw.choice([60, 120, 250]))
        if draw.random() < 0.25:
            changed(g, draw)
            continue
        name = draw.choice(LOCAL)
        words = words_of(name, g, draw)
        expected = theirs(name, g, **words)
        kept = getattr(g.__networkx_cache__.get("backends"), "kept", None)
        found = kept and kept.has_begins and part.touched(name, {"G": g, **words}, kept, few=False)
        taken += bool(found and kept.has_part(g, found))
        for ours in (ours_by_priority, ours_by_name):
            got = ours(name, g, **words)
            if ours is ours_by_name and is_refusal(got):
                continue
            assert same(got, expected), (step, name, kind, words, got, expected)
        ran += 1
    assert taken > ran / 20


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("words", [{"source": 0}, {"source": 0, "cutoff": 3}])
def test_a_missing_weight_is_none_and_none_is_no_edge(kind, words):
    g = kind()
    nx.add_path(g, range(200))
    data = g[1][2][0] if g.is_multigraph() else g[1][2]
    for change in (dict, lambda: data.update(weight=None), data.clear, lambda: data.update(weight=...), data.clear):
        change()
        for _ in range(2):
            assert same(
                ours_by_priority("single_source_dijkstra_path_length", g, **words),
                theirs("single_source_dijkstra_path_length", g, **words),
            )


@pytest.mark.parametrize("kind", KINDS)
def test_a_change_elsewhere_needs_no_reading(kind):
    g = kind()
    nx.add_path(g, range(200), weight=2)
    answers = {
        "single_source_shortest_path_length": {"source": 0, "cutoff": 2},
        "has_path": {"source": 0, "target": 3},
        "dijkstra_path_length": {"source": 0, "target": 3},
    }
    for name, words in answers.items():
        for _ in range(2):
            assert ours_by_name(name, g, **words) == theirs(name, g, **words)
        kept = g.__networkx_cache__["backends"].kept
        assert kept.has_begins
        del g._adj[150][151]
        del (g._pred if g.is_directed() else g._adj)[151][150]
        assert ours_by_name(name, g, **words) == theirs(name, g, **words)
        assert g.__networkx_cache__["backends"].kept is kept
        ours_by_name("number_of_isolates", g)  # which looks at all
        assert g.__networkx_cache__["backends"].kept is not kept
        g.add_edge(150, 151)
        assert Given(g).read().kept is not kept
