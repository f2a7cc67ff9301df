"""Core numbers, and NetworkX's functions that rest on them."""

import networkx as nx
import numpy as np
import pytest

import hopwave as hw


def graphs():
    for seed in range(25):
        for make in (nx.Graph, nx.DiGraph):
            g = nx.gnm_random_graph(40, 30 + 12 * seed, seed=seed, directed=make is nx.DiGraph)
            yield nx.relabel_nodes(g, {v: f"n{v}" for v in g})


def test_equal_networkx_in_value_and_order():
    for g in graphs():
        right = nx.core_number(g)
        found = nx.core_number(g, backend="hopwave")
        assert found == right and list(found) == list(right)
        assert all(type(value) is int for value in found.values())


def test_what_networkx_refuses_is_refused():
    loops = nx.Graph([(1, 2), (2, 2)])
    for g in (loops, nx.MultiGraph([(1, 2), (1, 2)])):
        with pytest.raises(nx.NetworkXNotImplemented) as ours:
            nx.core_number(g, backend="hopwave")
        with pytest.raises(nx.NetworkXNotImplemented) as theirs:
            nx.core_number(g)
        assert str(ours.value) == str(theirs.value)


def test_functions_that_rest_on_it():
    for g in list(graphs())[::5]:
        with nx.config(backend_priority=["hopwave"]):
            found = [f(g) for f in (nx.k_core, nx.k_shell, nx.k_crust)]
        right = [f(g) for f in (nx.k_core, nx.k_shell, nx.k_crust)]
        for ours, theirs in zip(found, right):
            assert nx.utils.graphs_equal(ours, theirs)


def test_members_and_words():
    g = hw.Graph.from_edges(["a", "b", "c", "c", "d"], ["b", "c", "a", "d", "e"], directed=False)
    cores = hw.core_numbers(g)
    assert cores.core.dtype == np.uint32
    assert [cores.of(v) for v in "abcde"] == [2, 2, 2, 1, 1]
    assert cores.largest == 2 and cores.largest_size == 3
    assert sorted(cores.members()) == ["a", "b", "c"] and len(cores.members(1)) == 5
    assert repr(cores) == "<hopwave.KCore: at most 2, of 3 of 5 vertices>"
    assert np.array_equal(hw.core_numbers(g, device="sim", threads=1).core, cores.core)
    with pytest.raises(hw.Error, match="HW-OPTION-THREADS"):
        hw.core_numbers(g, threads=-1)
    with pytest.raises(TypeError):
        hw.core_numbers("g")


def test_ends_when_it_is_told_to():
    g = hw.read("rmat:14,8")
    seen = []
    hw.core_numbers(g, threads=1, progress=seen.append)
    assert seen[-1].what == "vertices" and seen[-1].done == seen[-1].total == g.num_vertices
    with pytest.raises(hw.Error) as late:
        hw.core_numbers(g, time_limit=1e-9)
    assert late.value.id == "HW-TIME-LIMIT"
