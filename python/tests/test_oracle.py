"""Answers against SciPy and NetworkX, on drawn graphs."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import hopwave as hw


@st.composite
def graphs(draw):
    n = draw(st.integers(1, 30))
    vertex = st.integers(0, n - 1)
    edges = draw(st.lists(st.tuples(vertex, vertex), max_size=90))
    directed = draw(st.booleans())
    g = nx.DiGraph() if directed else nx.Graph()
    g.add_nodes_from(range(n))
    g.add_edges_from(edges)
    return g


def built(g: nx.Graph) -> hw.Graph:
    ends = np.array(list(g.edges()), np.int64).reshape(-1, 2)
    return hw.Graph.from_edges(ends[:, 0], ends[:, 1], directed=g.is_directed(), num_vertices=len(g))


def expected(g: nx.Graph, sources, direction: str, limit: int | None) -> list[int]:
    if g.is_directed():
        g = {"out": lambda: g, "in": g.reverse, "both": g.to_undirected}[direction]()
    found = nx.multi_source_dijkstra_path_length(g, set(sources), weight=lambda u, v, d: 1)
    return [int(found[v]) if v in found and (limit is None or found[v] <= limit) else -1 for v in range(len(g))]


@given(graphs(), st.data())
def test_distances_of_drawn_graphs(g, data):
    sources = data.draw(st.lists(st.integers(0, len(g) - 1), min_size=1, max_size=3))
    direction = data.draw(st.sampled_from(["out", "in", "both"]))
    limit = data.draw(st.none() | st.integers(0, 6))
    result = hw.bfs(built(g), sources, direction=direction, max_depth=limit)
    assert result.distance.tolist() == expected(g, sources, direction, limit)
    assert result.reached == (result.distance >= 0).sum()
    assert result.depth == result.distance.max()


@given(graphs(), st.data())
def test_parents_and_paths_of_drawn_graphs(g, data):
    source = data.draw(st.integers(0, len(g) - 1))
    graph = built(g)
    result = hw.bfs(graph, source, parents=True)
    for v in range(len(g)):
        path, parent = result.path_to(v), int(result.parent[v])
        if result.distance[v] < 0:
            assert path == [] and parent == -1
            continue
        assert path[0] == source and path[-1] == v and len(path) == result.distance[v] + 1
        assert all(g.has_edge(a, b) for a, b in zip(path, path[1:]))
        if v == source:
            assert parent == -1
        else:  # the least of all that would do
            before = g.pred[v] if g.is_directed() else g.adj[v]
            assert parent == min(u for u in before if result.distance[u] == result.distance[v] - 1)


@given(graphs())
def test_each_as_scipy(g):
    csgraph = pytest.importorskip("scipy.sparse.csgraph")
    matrix = nx.to_scipy_sparse_array(g, nodelist=range(len(g)), weight=None, format="csr")
    lengths = csgraph.shortest_path(matrix, unweighted=True)
    rows = hw.Searcher(hw.Graph.from_scipy(matrix)).each(range(len(g)))
    assert rows.dtype == np.int32
    np.testing.assert_array_equal(rows, np.where(np.isinf(lengths), -1, lengths))


@given(graphs())
def test_centralities_as_networkx(g):
    graph = hw.Graph.from_networkx(g)
    assert hw.closeness(graph) == pytest.approx(list(nx.closeness_centrality(g).values()))
    assert hw.harmonic(graph) == pytest.approx(list(nx.harmonic_centrality(g).values()))
    lengths = dict(nx.all_pairs_shortest_path_length(g))
    assert hw.eccentricity(graph).tolist() == [max(lengths[v].values()) for v in g]


# Of floats NetworkX adds up in another order; zeros in betweenness are an error here.
WEIGHTS = {
    "whole": st.integers(1, 4),
    "zero": st.sampled_from([0, 0, 1, 2]),
    "tiny": st.sampled_from([1e-300, 2e-300, 3e-300]),
    "huge": st.sampled_from([1e250, 2e250, 3.5e250]),
    "floats": st.sampled_from([0.1, 0.2, 0.3, 0.7]),
}


@st.composite
def weighted(draw, kinds=tuple(WEIGHTS)):
    g = draw(graphs())
    weights = WEIGHTS[draw(st.sampled_from(kinds))]
    for *_, data in g.edges(data=True):
        data["weight"] = draw(weights)
    return g


@given(weighted())
def test_closeness_by_weights_as_networkx(g):
    graph = hw.Graph.from_networkx(g, weight="weight")
    assert hw.closeness(graph, weights=True) == pytest.approx(list(nx.closeness_centrality(g, distance="weight").values()))
    assert hw.harmonic(graph, weights=True) == pytest.approx(list(nx.harmonic_centrality(g, distance="weight").values()))
    some = list(g)[::2]
    ours = hw.harmonic(graph, some, weights=True)
    theirs = nx.harmonic_centrality(g, distance="weight")
    assert ours.tolist() == pytest.approx([theirs[v] for v in some])
    assert [id for id, _ in ours.top(len(some))] == [some[i] for i in np.argsort(-np.asarray(ours), kind="stable")]


@given(weighted(("whole", "tiny", "huge", "floats")), st.booleans())
def test_betweenness_by_weights_as_networkx(g, normalized):
    graph = hw.Graph.from_networkx(g, weight="weight")
    theirs = nx.betweenness_centrality(g, weight="weight", normalized=normalized)
    assert hw.betweenness(graph, weights=True, normalized=normalized).tolist() == pytest.approx(list(theirs.values()))
    edges = nx.edge_betweenness_centrality(g, weight="weight", normalized=normalized)
    ours = dict(hw.edge_betweenness(graph, weights=True, normalized=normalized).top(graph.num_arcs))
    for (u, v), value in ours.items():
        assert value == pytest.approx(edges.get((u, v), edges.get((v, u)) if not g.is_directed() else None))


def test_weights_that_make_no_sense():
    graph = hw.Graph.from_edges([0, 1], [1, 2], weights=[0, 1], directed=False)
    with pytest.raises(hw.Error, match="cycle") as zero:
        hw.betweenness(graph, weights=True)
    assert zero.value.id == "HW-BETWEENNESS-ZERO"
    with pytest.raises(hw.Error, match="samples"):
        hw.closeness(graph, samples=2, weights=True)
    with pytest.raises(hw.Error, match="CPU"):
        hw.betweenness(graph, weights=True, device="sim")


@given(graphs(), st.integers(1, 40), st.integers(0, 9))
def test_sampled_closeness_within_its_errors(g, samples, seed):
    graph = hw.Graph.from_networkx(g)
    found = hw.sampled_closeness(graph, samples, seed=seed, risk=1e-6)  # so that no draw of this test is farther off
    assert found.run.complete and found.pivots == min(samples, len(g))
    exact = np.array(list(nx.closeness_centrality(g).values())), np.array(list(nx.harmonic_centrality(g).values()))
    assert (np.abs(found.closeness - exact[0]) <= found.closeness_error + 1e-9).all()
    assert (np.abs(found.harmonic - exact[1]) <= found.harmonic_error + 1e-9).all()
    np.testing.assert_array_equal(hw.closeness(graph, samples=samples, seed=seed), found.closeness)
    np.testing.assert_array_equal(hw.harmonic(graph, samples=samples, seed=seed), found.harmonic)
    if samples >= len(g):
        assert found.closeness == pytest.approx(exact[0]) and found.closeness_error.max(initial=0) == 0
        assert found.harmonic == pytest.approx(exact[1]) and found.harmonic_error.max(initial=0) == 0
        assert found.diameter[0] <= found.diameter[1]


@given(graphs())
def test_components_as_scipy(g):
    csgraph = pytest.importorskip("scipy.sparse.csgraph")
    matrix = nx.to_scipy_sparse_array(g, nodelist=range(len(g)), format="csr")
    count, labels = csgraph.connected_components(matrix, directed=True, connection="weak")
    found = hw.components(built(g))
    assert found.count == count
    for label in range(count):
        members = np.flatnonzero(labels == label)
        assert set(found.label[members]) == {members.min()}
    sizes = np.bincount(labels)
    assert found.largest_size == sizes.max()
    assert (found.label == found.largest_label).sum() == sizes.max()


@given(graphs())
def test_components_of_devices_agree(g):
    found, simulated = hw.components(built(g)), hw.components(built(g), device="sim")
    assert found.label.tolist() == simulated.label.tolist()
    assert (found.count, found.largest_label, found.largest_size) == (
        simulated.count,
        simulated.largest_label,
        simulated.largest_size,
    )


@given(graphs())
def test_strong_components_and_condensation_as_networkx(g):
    g = g.to_directed()
    graph, members = built(g), [sorted(part) for part in nx.strongly_connected_components(g)]
    found = hw.strong_components(graph)
    assert np.array_equal(hw.strong_components(graph, device="sim").label, found.label)
    label = {v: part[0] for part in members for v in part}
    assert found.label.tolist() == [label[v] for v in range(len(g))]
    assert (found.count, found.largest_size) == (len(members), max(len(part) for part in members))
    assert found.largest_label == min(part[0] for part in members if len(part) == found.largest_size)
    joined = {(label[u], label[v]) for u, v in g.edges() if label[u] != label[v]}
    for small in (hw.condensation(graph, found), hw.condensation(hw.Graph.from_networkx(g))):
        offsets, ends = small.csr()
        tails = np.repeat(np.arange(len(small)), np.diff(offsets.astype(np.int64)))
        assert list(small.ids) == sorted(part[0] for part in members)
        assert sorted((small.id(a), small.id(b)) for a, b in zip(tails.tolist(), ends.tolist())) == sorted(joined)
        assert hw.is_acyclic(small)


@given(graphs(), st.booleans())
def test_generations_as_networkx(g, upwards):
    if upwards:
        g = nx.DiGraph([(min(u, v), max(u, v)) for u, v in g.edges() if u != v])
        g.add_nodes_from(range(max(g, default=0) + 1))
    graph = hw.Graph.from_networkx(g)
    if g.is_directed() and nx.is_directed_acyclic_graph(g):
        of = {v: i for i, generation in enumerate(nx.topological_generations(g)) for v in generation}
        assert hw.topological_generations(graph).tolist() == [of[v] for v in g]
        assert hw.is_acyclic(graph)
    elif g.number_of_edges() > 0:
        with pytest.raises(hw.Error) as caught:
            hw.topological_generations(graph)
        assert caught.value.id == "HW-GRAPH-CYCLE"
        assert not hw.is_acyclic(graph)


@given(graphs(), st.sampled_from(["cpu", "sim"]))
def test_eccentricities_as_networkx(g, device):
    g = g.to_undirected()
    graph, parts = built(g), sorted(nx.connected_components(g), key=lambda part: (-len(part), min(part)))
    of = {v: e for part in parts for v, e in nx.eccentricity(g.subgraph(part)).items()}
    every = hw.eccentricities(graph, device=device)
    assert every.run.complete and every.run.end == "complete" and every.components == len(parts)
    assert every.upper.tolist() == every.lower.tolist() == [of[v] for v in range(len(g))]
    radius = min(of[v] for v in parts[0])
    for found in (every, hw.eccentricities(graph, "figures", device=device)):
        assert found.diameter == (max(of.values()),) * 2 and found.radius == (radius,) * 2
        assert found.periphery == sorted(v for v in of if of[v] == max(of.values()))
        assert found.center == sorted(v for v in parts[0] if of[v] == radius)
        assert of[found.central] == radius
        start, end = found.ends
        assert nx.shortest_path_length(g, start, end) == max(of.values())
    assert hw.diameter(graph, device=device) == max(of.values())
    assert hw.radius(graph, device=device) == radius
    one = hw.eccentricities(graph, "diameter", scope="largest", device=device)
    assert one.diameter[1] == max(of[v] for v in parts[0])
    assert all((one.upper[v] < 0) == (v not in parts[0]) for v in of)


@given(graphs(), st.booleans(), st.booleans())
def test_betweenness_as_networkx(g, normalized, endpoints):
    graph = hw.Graph.from_networkx(g)
    theirs = nx.betweenness_centrality(g, normalized=normalized, endpoints=endpoints)
    found = hw.betweenness(graph, normalized=normalized, endpoints=endpoints)
    assert found == pytest.approx(list(theirs.values()), rel=1e-9)
    arcs = hw.edge_betweenness(graph, normalized=normalized)
    offsets, ends = graph.csr()
    tails = np.repeat(np.arange(len(graph)), np.diff(offsets.astype(np.int64)))
    sums: dict = {}
    for u, v, value in zip(tails.tolist(), ends.tolist(), arcs.tolist()):
        edge = (graph.id(u), graph.id(v))
        edge = edge if g.is_directed() else tuple(sorted(edge))
        sums[edge] = sums.get(edge, 0) + value
    for (u, v), value in nx.edge_betweenness_centrality(g, normalized=normalized).items():
        edge = (u, v) if g.is_directed() else tuple(sorted((u, v)))
        assert sums[edge] == pytest.approx(value, rel=1e-9)


@given(graphs(), st.data())
def test_betweenness_of_some_sources_and_targets(g, data):
    nodes = st.lists(st.sampled_from(list(g)), min_size=1, unique=True)
    sources, targets = data.draw(nodes), data.draw(nodes)
    theirs = nx.betweenness_centrality_subset(g, sources, targets)
    found = hw.betweenness(hw.Graph.from_networkx(g), sources=sources, targets=targets, normalized=False)
    assert found == pytest.approx(list(theirs.values()), rel=1e-9)


def test_betweenness_from_samples():
    graph = hw.read("rmat:9,6")
    exact, some = hw.betweenness(graph), hw.betweenness(graph, samples=200)
    bound = hw.betweenness_error(graph, 200)
    assert 0 < bound < 0.2 and hw.betweenness_error(graph, 512) == 0
    assert np.abs(exact - some).max() <= bound
    assert (some == hw.betweenness(graph, samples=200, threads=1)).all()
    assert (hw.betweenness(graph, samples=512) == exact).all()
    small = hw.read("rmat:6,4")
    assert hw.betweenness(small, device="sim") == pytest.approx(hw.betweenness(small), rel=1e-9)
    assert hw.betweenness(graph, sources=[]).sum() == hw.edge_betweenness(graph, targets=[]).sum() == 0
    for words in ({"samples": 0}, {"samples": 5, "sources": [1]}):
        with pytest.raises(ValueError):
            hw.betweenness(graph, **words)


@given(graphs(), st.sampled_from(["cpu", "sim"]), st.randoms(use_true_random=False))
def test_eccentricities_by_weights_as_networkx(g, device, draw):
    g = nx.Graph(g.to_undirected())
    for _, _, data in g.edges(data=True):
        data["weight"] = draw.choice([0, 1, 7, 0.1, 0.7, 2**31])
    graph = hw.Graph.from_networkx(g, weight="weight")
    parts = sorted(nx.connected_components(g), key=lambda part: (-len(part), min(part)))
    of = {v: e for part in parts for v, e in nx.eccentricity(g.subgraph(part), weight="weight").items()}
    every = hw.eccentricities(graph, weights=True, device=device)
    assert every.upper.dtype == np.float64 and every.upper.tolist() == every.lower.tolist() == [of[v] for v in g]
    assert every.diameter == (max(of.values()),) * 2 and every.components == len(parts)
    assert hw.diameter(graph, weights=True, device=device) == max(of.values())
    assert hw.radius(graph, weights=True) == min(of[v] for v in parts[0])
    assert "diameter" in repr(every) and isinstance(hw.diameter(graph, weights=True), float)


def test_eccentricities_that_end_early():
    grid = hw.read("grid:60x60")
    found = hw.eccentricities(grid, max_searches=1)
    assert not found.run.complete and found.run.end == "searches" and found.searches == 1
    assert found.diameter[0] <= 118 <= found.diameter[1] and found.radius[0] <= 60 <= found.radius[1]
    found = hw.eccentricities(grid, time_limit=1e-9)
    assert not found.run.complete and found.run.end == "time-limit"
    with pytest.raises(hw.Error) as caught:
        hw.diameter(hw.Graph.from_edges([0], [1]))
    assert caught.value.id == "HW-ECCENTRICITY-STRONG"
    assert hw.diameter(hw.Graph.from_edges([0], [1]), direction="both") == 1
    with pytest.raises(ValueError, match="goal is one of"):
        hw.eccentricities(grid, "girth")
    with pytest.raises(ValueError, match="scope is one of"):
        hw.eccentricities(grid, scope="all")
    with pytest.raises(hw.Error) as caught:
        hw.eccentricities(grid, time_limit=-1)
    assert caught.value.id == "HW-OPTION-TIME-LIMIT"


@given(graphs(), st.sampled_from(["cpu", "sim"]))
def test_devices_agree(g, device):
    searcher = hw.Searcher(built(g), device=device)
    assert searcher.device == device
    assert searcher.bfs(0).distance.tolist() == expected(g, [0], "out", None)


def test_target_ends_the_search():
    path = hw.Graph.from_edges(range(9), range(1, 10))
    assert hw.bfs(path, 0, target=4).distance.tolist() == [0, 1, 2, 3, 4] + [-1] * 5


def test_a_prepared_searcher_answers_in_the_same_ids():
    graph = hw.read("rmat:8,8")
    plain, prepared = hw.Searcher(graph), hw.Searcher(graph, prepare=True)
    for source in (0, 17, 200):
        np.testing.assert_array_equal(plain.bfs(source).distance, prepared.bfs(source).distance)


def test_scipy_duplicates_are_one_arc():
    sp = pytest.importorskip("scipy.sparse")
    matrix = sp.csr_array((np.ones(3), [1, 1, 2], [0, 2, 3, 3, 3]), shape=(4, 4))
    graph = hw.Graph.from_scipy(matrix)
    assert (graph.num_vertices, graph.num_arcs) == (4, 2)
    assert matrix.nnz == 3  # the caller's matrix stays as it was
