"""How every call is asked and ended: device, threads, seed, time limits, reports, requests to stop, and Ctrl-C. A limit of a
nanosecond is always over, so that no test waits for time."""

from __future__ import annotations

import functools
import inspect
import tempfile
import threading
import time
from pathlib import Path

import networkx as nx
import numpy as np
import pytest
from of_table import calls
from test_objects import ended_by_ctrl_c

import hopwave as hw

GRAPH = hw.read("rmat:12,8")
LINE = hw.Graph.from_edges(range(2000), range(1, 2001), directed=False)
CHAIN = hw.Graph.from_edges(range(2000), range(1, 2001), directed=True)
CYCLE = hw.Graph.from_edges(range(2000), [*range(1, 2000), 0])
ROWS = (np.array([0, 1, 2]), np.array([1, 0], np.int32))
WORDS = {"device": "auto", "threads": 0, "seed": 1, "time_limit": None, "progress": None, "stop": None}
LIMITS = ("time_limit", "progress", "stop")


class Numbered:
    """As much of igraph's and graph-tool's graphs as their conversions use."""

    edge_index = None

    def get_edgelist(self):
        return [(0, 1), (1, 2)]

    def get_edges(self, _properties):
        return np.array([[0, 1], [1, 2]])

    def ecount(self):
        return 2

    def vcount(self):
        return 3

    def num_vertices(self, ignore_filter):
        return 3

    def is_directed(self):
        return True


def written(**words):
    with tempfile.TemporaryDirectory() as folder:
        GRAPH.write(Path(folder) / "e.csv", **words)


# What runs; each has all keywords. These raise an Error when they are ended early.
CALLS = calls(LINE, 70, (False,)) | {
    "read": lambda **w: hw.read("rmat:12,8", **w),
    "bfs": lambda **w: hw.bfs(LINE, 0, **w),
    "bfs in the simulator": lambda **w: hw.bfs(GRAPH, 0, **w | {"device": "sim"}),
    "reach": lambda **w: hw.reach(LINE, 0, **w),
    "summaries": lambda **w: hw.summaries(GRAPH, **w),
    "closeness": lambda **w: hw.closeness(GRAPH, **w),
    "closeness of samples": lambda **w: hw.closeness(GRAPH, samples=70, **w),
    "harmonic": lambda **w: hw.harmonic(GRAPH, **w),
    "harmonic of samples": lambda **w: hw.harmonic(GRAPH, samples=70, **w),
    "eccentricity": lambda **w: hw.eccentricity(GRAPH, **w),
    "betweenness": lambda **w: hw.betweenness(GRAPH, **w),
    "betweenness of samples": lambda **w: hw.betweenness(GRAPH, samples=70, **w),
    "edge_betweenness": lambda **w: hw.edge_betweenness(GRAPH, **w),
    "sssp": lambda **w: hw.sssp(GRAPH, 0, **w),
    "k_shortest_paths": lambda **w: hw.k_shortest_paths(LINE, 0, 9, 70, **w),
    "all_shortest_paths": lambda **w: hw.all_shortest_paths(LINE, 0, 9, **w),
    "distance_matrix": lambda **w: hw.distance_matrix(GRAPH, range(70), **w),
    "distance_matrix by weights": lambda **w: hw.distance_matrix(GRAPH, range(70), weights=True, **w),
    "components in the simulator": lambda **w: hw.components(LINE, **w | {"device": "sim"}),
    "condensation": lambda **w: hw.condensation(CYCLE, **w),
    "condensation of known components": lambda **w: hw.condensation(CYCLE, hw.strong_components(CYCLE), **w),
    "topological_generations": lambda **w: hw.topological_generations(CHAIN, **w),
    "is_acyclic": lambda **w: hw.is_acyclic(CHAIN, **w),
    "Graph.from_edges": lambda **w: hw.Graph.from_edges([0, 1], [1, 2], **w),
    "Graph.from_edges of texts": lambda **w: hw.Graph.from_edges(["a", "b"], ["b", "c"], **w),
    "Graph.from_csr": lambda **w: hw.Graph.from_csr(*ROWS, **w),
    "Graph.from_scipy": lambda **w: hw.Graph.from_scipy(pytest.importorskip("scipy.sparse").eye_array(3, k=1), **w),
    "Graph.from_networkx": lambda **w: hw.Graph.from_networkx(nx.path_graph(3), **w),
    "Graph.from_dlpack": lambda **w: hw.Graph.from_dlpack(np.array([[0, 1], [1, 2]]), **w),
    "Graph.from_igraph": lambda **w: hw.Graph.from_igraph(Numbered(), **w),
    "Graph.from_rustworkx": lambda **w: hw.Graph.from_rustworkx(pytest.importorskip("rustworkx").generators.path_graph(3), **w),
    "Graph.from_graph_tool": lambda **w: hw.Graph.from_graph_tool(Numbered(), **w),
    "Graph.from_table": lambda **w: hw.Graph.from_table({"source": [0, 1], "target": [1, 2]}, **w),
    "Graph.to_directed": lambda **w: LINE.to_directed(**w),
    "Graph.to_undirected": lambda **w: CHAIN.to_undirected(**w),
    "Graph.write": lambda **w: written(**w),
    "DeviceGraph.from_csr": lambda **w: hw.DeviceGraph.from_csr(*ROWS, directed=False, **{"device": "sim"} | w),
}
# These return what is known then.
PARTS = calls(LINE, 70, (True,))
# The calls of a searcher, which has the other keywords.
METHODS = {
    "bfs": lambda searcher, **w: searcher.bfs(0, **w),
    "reach": lambda searcher, **w: searcher.reach(0, **w),
    "reach_each": lambda searcher, **w: searcher.reach_each(range(70), max_depth=3, **w),
    "each": lambda searcher, **w: searcher.each(range(70), **w),
}
EVERY = (
    CALLS
    | PARTS
    | {"Searcher": lambda **w: hw.Searcher(LINE, **w)}
    | {f"Searcher.{name}": lambda call=call, **w: call(hw.Searcher(LINE, device="cpu"), **w) for name, call in METHODS.items()}
)
ENDED = CALLS | {name: call for name, call in EVERY.items() if name.startswith("Searcher.")}
# These do not run: they look something up, convert without building, or only calculate a number.
AT_ONCE = {"strategies", "strategy_source", "listing_steps", "device_info", "betweenness_error"}


def public_calls():
    """All functions of the package by name, as found by looking."""
    for name in hw.__all__:
        thing = getattr(hw, name)
        if not inspect.isclass(thing) and callable(thing) and name not in AT_ONCE:
            yield name, thing
    yield "Searcher", hw.Searcher.__init__
    for owner in (hw.Graph, hw.DeviceGraph):
        for name, thing in vars(owner).items():
            if name.startswith("from_") or name in ("write", "to_directed", "to_undirected"):
                yield f"{owner.__name__}.{name}", getattr(thing, "__func__", thing)


def test_every_call_has_all_keywords_in_one_order():
    found = dict(public_calls())
    assert {name.split(" ")[0] for name in EVERY} == {*found, *(f"Searcher.{name}" for name in METHODS)}
    for name, function in found.items():
        keywords = list(inspect.signature(function).parameters.values())[-len(WORDS) :]
        assert {word.name: word.default for word in keywords} == WORDS and [word.name for word in keywords] == list(WORDS), name
        assert all(word.kind is inspect.Parameter.KEYWORD_ONLY for word in keywords)
    for name in METHODS:
        keywords = list(inspect.signature(getattr(hw.Searcher, name)).parameters.values())
        assert [word.name for word in keywords[-3:]] == list(LIMITS), name
        assert all(word.kind is inspect.Parameter.KEYWORD_ONLY and word.default is None for word in keywords[-3:])


WRONG = [
    ({"device": "tpu"}, ValueError, "device is one of auto, cpu, gpu, sim, not 'tpu'"),
    ({"device": None}, TypeError, "device: a str is needed, not NoneType"),
    ({"threads": -1}, hw.Error, "threads: -1, expected 1 to 4096, or 0 for one per hardware thread [HW-OPTION-THREADS]"),
    ({"threads": 2**40}, hw.Error, f"threads: {2**40}, expected 1 to 4096, or 0 for one per hardware thread [HW-OPTION-THREADS]"),
    ({"threads": 1.5}, TypeError, "threads: a whole number is needed, not float"),
    ({"threads": True}, TypeError, "threads: a whole number is needed, not bool"),
    ({"seed": -1}, ValueError, "seed: -1 is less than 0"),
    ({"seed": 2**64}, ValueError, f"seed: {2**64} is more than {2**64 - 1}"),
    ({"seed": None}, TypeError, "seed: a whole number is needed, not NoneType"),
    ({"time_limit": 0}, hw.Error, "time_limit: 0, expected more than 0 seconds; None is no limit [HW-OPTION-TIME-LIMIT]"),
    ({"time_limit": -1}, hw.Error, "time_limit: -1, expected more than 0 seconds; None is no limit [HW-OPTION-TIME-LIMIT]"),
    ({"time_limit": float("nan")}, hw.Error, "time_limit: nan, expected more than 0 seconds; None is no limit [HW-OPTION-TIME-LIMIT]"),
    ({"time_limit": "1"}, TypeError, "time_limit: a number of seconds or None is needed, not str"),
    ({"time_limit": True}, TypeError, "time_limit: a number of seconds or None is needed, not bool"),
    ({"progress": "yes"}, TypeError, "progress: True, a class such as tqdm.auto.tqdm or a function is needed, not str"),
    ({"stop": True}, TypeError, "stop: an object with is_set(), such as threading.Event, or None is needed, not bool"),
]


@pytest.mark.parametrize("name", EVERY)
def test_a_wrong_value_is_the_same_error_everywhere(name):
    for words, error, text in WRONG:
        if name.startswith("Searcher.") and next(iter(words)) not in LIMITS:
            continue
        if name.endswith("in the simulator") and "device" in words:
            continue
        with pytest.raises(error) as caught:
            EVERY[name](**words)
        assert str(caught.value) == text, words


@pytest.mark.parametrize("name", EVERY)
def test_every_right_value_is_taken(name):
    limits = {"time_limit": float("inf"), "progress": lambda step: None, "stop": threading.Event()}
    EVERY[name](**limits if name.startswith("Searcher.") else {"threads": np.int64(2), "seed": 2**64 - 1, **limits})
    if not name.startswith(("Searcher.", "DeviceGraph")):
        EVERY[name](device="cpu", progress=False)


@pytest.mark.parametrize("name", ENDED)
def test_time_limits(name):
    with pytest.raises(hw.Error, match="limit") as caught:
        ENDED[name](time_limit=1e-9)
    assert (caught.value.id, caught.value.failure) == ("HW-TIME-LIMIT", 124)


@pytest.mark.parametrize("name", ENDED)
def test_a_request_to_stop_ends_a_call(name):
    stop = threading.Event()
    stop.set()
    with pytest.raises(hw.Error) as caught:
        ENDED[name](stop=stop)
    assert (caught.value.id, caught.value.failure) == ("HW-CANCELLED", 130)


def test_a_request_from_the_middle_of_the_work():
    for call in (CALLS["bfs"], CALLS["reach"], CALLS["core_numbers"], CALLS["Graph.from_csr"], EVERY["Searcher.each"]):
        stop = threading.Event()
        with pytest.raises(hw.Error, match="HW-CANCELLED"):
            call(stop=stop, progress=lambda step: stop.set())

    class Failing:
        def is_set(self):
            raise LookupError("no line")

    with pytest.raises(LookupError, match="no line"):
        hw.bfs(LINE, 0, stop=Failing())


def test_limits_that_give_what_is_known(tmp_path):
    stop = threading.Event()
    stop.set()
    for call in PARTS.values():
        for words, end in (
            ({"time_limit": 1e-9}, "time-limit"),
            ({"stop": stop}, "cancelled"),
            ({"progress": lambda step: False}, "interrupted"),
        ):
            run = call(**words).run
            assert (run.end, run.complete) == (end, False)
        assert call().run.end == "complete"
    assert hw.eccentricities(LINE, max_searches=1).run.end == "searches"
    assert "ended by cancelled" in repr(hw.eccentricities(LINE, stop=stop))
    with pytest.raises(hw.Error) as caught:
        GRAPH.write(tmp_path / "e.csv", time_limit=1e-9)
    assert caught.value.id == "HW-TIME-LIMIT" and not list(tmp_path.iterdir())
    with pytest.raises(hw.Error):
        GRAPH.write(tmp_path / "e.csv", progress=lambda step: False)
    assert not list(tmp_path.iterdir())


def test_a_searcher_goes_on_after_its_limit():
    searcher = hw.Searcher(LINE, progress=lambda step: None)
    for words, id in (({"time_limit": 1e-9}, "HW-TIME-LIMIT"), ({"progress": lambda step: False}, "HW-INTERRUPTED")):
        with pytest.raises(hw.Error, match=id):
            searcher.bfs(0, **words)
        assert searcher.bfs(0).depth == 2000 and searcher.bfs(0, time_limit=3600).depth == 2000


@pytest.mark.parametrize("name", METHODS)
def test_a_searcher_s_keywords_hold_for_its_calls(name):
    call, seen = METHODS[name], []
    searcher = hw.Searcher(LINE, device="cpu", time_limit=1e-9)
    with pytest.raises(hw.Error, match="HW-TIME-LIMIT"):
        call(searcher)
    call(searcher, time_limit=float("inf"))
    searcher = hw.Searcher(LINE, device="cpu", progress=seen.append)
    call(searcher)
    assert seen and not seen.clear()
    call(searcher, progress=False)
    assert not seen
    stop = threading.Event()
    searcher = hw.Searcher(LINE, device="cpu", stop=stop)
    call(searcher)
    stop.set()
    with pytest.raises(hw.Error, match="HW-CANCELLED"):
        call(searcher)
    stop.clear()
    call(searcher)
    for wrong in ({"progress": "yes"}, {"stop": 1}, {"time_limit": "1"}):
        with pytest.raises(TypeError, match=next(iter(wrong))):
            hw.Searcher(LINE, **wrong)


def test_the_seed_is_that_of_draws_and_of_the_simulator():
    one, again, other = (hw.sampled_closeness(GRAPH, 5, seed=seed).closeness for seed in (1, 1, 2))
    assert np.array_equal(one, again) and not np.array_equal(one, other)
    one, again, other = (hw.betweenness(GRAPH, samples=5, seed=seed) for seed in (1, 1, 2))
    assert np.array_equal(one, again) and not np.array_equal(one, other)
    graph = hw.read("rmat:6,8")
    for call in (hw.components, hw.strong_components, lambda g, **w: hw.bfs(g, 0, parents=True, **w).parent):
        results = [call(graph, device="sim", seed=seed) for seed in (1, 7)]
        labels = [getattr(found, "label", found) for found in results]
        assert np.array_equal(*labels)  # another schedule, the same answer


@pytest.mark.parametrize("name", [*ENDED, *PARTS])
def test_reports_come_to_a_function(name):
    call, seen = EVERY[name], []
    found = call(progress=seen.append)
    assert seen and all(type(step) is hw.Step for step in seen)
    assert all(step.what in ("levels", "searches", "rounds", "vertices", "arcs", "edges", "bytes", "flow", "pairs", "paths", "work") for step in seen)
    for what in {step.what for step in seen}:  # reading has several parts
        done = [step.done for step in seen if step.what == what]
        totals = {step.total for step in seen if step.what == what}
        assert done == sorted(done) and len(totals) == 1
    if seen[-1].total:
        assert seen[-1].done == seen[-1].total
    if isinstance(found, np.ndarray):
        assert np.array_equal(found, call())


@pytest.mark.parametrize("name", [*ENDED, *PARTS])
def test_an_exception_of_progress_ends_the_call(name):
    seen = []

    def fails(step):
        seen.append(step)
        raise LookupError("no screen")

    with pytest.raises(LookupError, match="no screen"):
        EVERY[name](progress=fails)
    assert len(seen) == 1


@pytest.mark.parametrize("name", ENDED)
def test_progress_that_returns_false_ends_the_call(name):
    for no in (False, np.False_):
        seen = []

        def refuses(step, seen=seen, no=no):
            seen.append(step)
            return no

        with pytest.raises(hw.Error) as caught:
            ENDED[name](progress=refuses)
        assert (caught.value.id, caught.value.failure, len(seen)) == ("HW-INTERRUPTED", 130, 1)
    for yes in (None, True, 0, "", []):
        ENDED[name](progress=lambda step, yes=yes: yes)


def test_progress_ends_work_of_another_thread():
    graph = hw.read("rmat:16,16")  # so many arcs that a second thread works
    seen = []

    def refuses(step):
        seen.append(step)
        return False

    for call in (hw.components, hw.core_numbers, hw.betweenness, hw.closeness, functools.partial(hw.bfs, source=graph.ids[0])):
        seen.clear()
        with pytest.raises(hw.Error, match="HW-INTERRUPTED"):
            call(graph, progress=refuses)
        assert len(seen) == 1
    stop = threading.Event()
    with pytest.raises(hw.Error, match="HW-CANCELLED"):
        hw.betweenness(graph, stop=stop, progress=lambda step: stop.set())


def test_steps_have_all_parts():
    seen = []
    hw.eccentricities(LINE, progress=seen.append)
    assert seen[-1].what == "searches" and seen[-1].longest == 2000
    seen.clear()
    hw.sssp(GRAPH, 0, device="cpu", progress=seen.append)
    assert seen[-1].what == "rounds" and seen[-1].amount > 0
    with pytest.raises(AttributeError):
        seen[0].done = 3


def test_bars_with_settings():
    made = []

    class Bar:
        def __init__(self, total, unit, colour):
            self.total, self.n, self.unit = total, 0, unit
            made.append(self)

        def update(self, by):
            self.n += by

        def close(self):
            self.closed = True

    hw.closeness(GRAPH, progress=functools.partial(Bar, colour="red"))
    assert (made[0].n, made[0].total, made[0].unit, made[0].closed) == (GRAPH.num_vertices, GRAPH.num_vertices, "search", True)
    hw.bfs(LINE, 0, progress=functools.partial(Bar, colour="red"))
    assert (made[1].total, made[1].unit) == (None, "level") and made[1].n >= 2000


@pytest.mark.parametrize("strategy", ["cpu-dijkstra", "cpu-delta-stepping"])
def test_a_small_search_by_weight_reports_its_steps(strategy):
    graph, seen = hw.read("rmat:6,4"), []
    found = hw.sssp(graph, 1, strategy=strategy, device="cpu", progress=seen.append)
    assert (seen[0].what, seen[0].done, seen[-1].done) == ("rounds", 0, found.run.steps)
    with pytest.raises(hw.Error, match="HW-INTERRUPTED"):
        hw.sssp(graph, 1, strategy=strategy, device="cpu", progress=lambda step: False)


def test_a_step_that_lasts_is_reported_again():
    graph, seen = hw.read("rmat:16,16"), []
    began = time.monotonic()
    hw.Searcher(graph, device="cpu", threads=1).each(range(600), progress=seen.append)  # one part of at most 1,024 searches
    if time.monotonic() - began > 1:
        assert len(seen) > 4 and seen[0] == seen[1] and seen[-1].done == 600


def test_a_limit_beyond_all_floats_is_none():
    assert hw.bfs(LINE, 0, time_limit=10**400).run.complete
    with pytest.raises(hw.Error, match="HW-OPTION-TIME-LIMIT"):
        hw.bfs(LINE, 0, time_limit=-(10**400))


def test_parts_of_many_searches_are_the_whole():
    sources = [v % GRAPH.num_vertices for v in range(0, 2500 * 7, 7)]
    seen = []
    rows = hw.Searcher(GRAPH, device="cpu").each(sources, progress=seen.append)
    assert np.array_equal(rows, hw.Searcher(GRAPH, device="cpu").each(sources)) and (seen[-1].done, seen[-1].total) == (2500, 2500)
    assert hw.Searcher(GRAPH).each([], progress=lambda step: None).shape == (0, GRAPH.num_vertices)


@pytest.mark.parametrize(
    "make",
    [
        lambda path: functools.partial(hw.read, "rmat:21,16"),
        lambda path: functools.partial(hw.read("rmat:18,16").write, path / "e.csv"),
        lambda path: functools.partial(hw.Graph.from_edges, *np.random.default_rng(1).integers(0, 10**6, (2, 2 * 10**7))),
        lambda path: functools.partial(hw.edge_betweenness, hw.read("rmat:16,16")),
    ],
    ids=["read", "write", "from_edges", "edge_betweenness"],
)
def test_ctrl_c_ends_what_takes_long(make, tmp_path):
    ended_by_ctrl_c(make(tmp_path))
    assert not list(tmp_path.iterdir())
