"""Long calls: time limits, reports, and Ctrl-C. A limit of a nanosecond is always over, so that no test waits for time."""

from __future__ import annotations

import functools
import inspect

import numpy as np
import pytest
from test_objects import ended_by_ctrl_c

import hopwave as hw

GRAPH = hw.read("rmat:12,8")
LINE = hw.Graph.from_edges(range(2000), range(1, 2001), directed=False)
CHAIN = hw.Graph.from_edges(range(2000), range(1, 2001), directed=True)
CYCLE = hw.Graph.from_edges(range(2000), [*range(1, 2000), 0])

# What may take long; each has both keywords.
CALLS = {
    "read": lambda **w: hw.read("rmat:12,8", **w),
    "bfs": lambda **w: hw.bfs(LINE, 0, **w),
    "each": lambda **w: hw.Searcher(GRAPH).each(range(70), **w),
    "summaries": lambda **w: hw.summaries(GRAPH, **w),
    "closeness": lambda **w: hw.closeness(GRAPH, **w),
    "closeness of samples": lambda **w: hw.closeness(GRAPH, samples=70, **w),
    "harmonic": lambda **w: hw.harmonic(GRAPH, **w),
    "eccentricity": lambda **w: hw.eccentricity(GRAPH, **w),
    "diameter": lambda **w: hw.diameter(LINE, **w),
    "radius": lambda **w: hw.radius(LINE, **w),
    "betweenness": lambda **w: hw.betweenness(GRAPH, **w),
    "betweenness of samples": lambda **w: hw.betweenness(GRAPH, samples=70, **w),
    "edge_betweenness": lambda **w: hw.edge_betweenness(GRAPH, **w),
    "sssp": lambda **w: hw.sssp(GRAPH, 0, device="cpu", **w),
    "components": lambda **w: hw.components(GRAPH, **w),
    "components in the simulator": lambda **w: hw.components(LINE, device="sim", **w),
    "strong_components": lambda **w: hw.strong_components(CYCLE, **w),
    "condensation": lambda **w: hw.condensation(CYCLE, **w),
    "condensation of known components": lambda **w: hw.condensation(CYCLE, hw.strong_components(CYCLE), **w),
    "topological_generations": lambda **w: hw.topological_generations(CHAIN, **w),
    "is_acyclic": lambda **w: hw.is_acyclic(CHAIN, **w),
}


@pytest.mark.parametrize("name", [*CALLS, "write", "eccentricities", "sampled_closeness"])
def test_every_long_call_has_both_keywords(name):
    function = getattr(hw, name.split()[0], None) or getattr(hw.Graph, name, None) or getattr(hw.Searcher, name)
    keywords = inspect.signature(function).parameters
    for word in ("time_limit", "progress"):
        assert keywords[word].kind is inspect.Parameter.KEYWORD_ONLY and keywords[word].default is None


@pytest.mark.parametrize("name", CALLS)
def test_time_limits(name, tmp_path):
    with pytest.raises(hw.Error, match="limit") as caught:
        CALLS[name](time_limit=1e-9)
    assert (caught.value.id, caught.value.failure) == ("HW-TIME-LIMIT", 124)
    CALLS[name](time_limit=float("inf"))
    for wrong, error in ((-1, hw.Error), (0, hw.Error), (float("nan"), hw.Error), ("1", TypeError), (True, TypeError)):
        with pytest.raises(error, match="time_limit"):
            CALLS[name](time_limit=wrong)


def test_limits_that_give_what_is_known(tmp_path):
    assert hw.eccentricities(LINE, time_limit=1e-9).ended == hw.sampled_closeness(GRAPH, 70, time_limit=1e-9).ended == "HW-TIME-LIMIT"
    with pytest.raises(hw.Error) as caught:
        GRAPH.write(tmp_path / "e.csv", time_limit=1e-9)
    assert caught.value.id == "HW-TIME-LIMIT" and not list(tmp_path.iterdir())


def test_a_searcher_goes_on_after_its_limit():
    searcher = hw.Searcher(LINE, progress=lambda done, total: None)
    with pytest.raises(hw.Error, match="HW-TIME-LIMIT"):
        searcher.bfs(0, time_limit=1e-9)
    assert searcher.bfs(0).depth == 2000 and searcher.bfs(0, time_limit=3600).depth == 2000


@pytest.mark.parametrize("name", CALLS)
def test_reports_come_to_a_function(name):
    seen: list[tuple[int, int]] = []
    found = CALLS[name](progress=lambda done, total: seen.append((done, total)))
    done, totals = [d for d, _ in seen], {t for _, t in seen}
    assert done == sorted(done) and done[-1] > 0 and len(totals) == 1
    assert totals == {0} or done[-1] == totals.pop()
    plain = CALLS[name]()
    if isinstance(found, np.ndarray):
        assert np.array_equal(found, plain)

    def fails(done, total):
        raise LookupError("no screen")

    with pytest.raises(LookupError, match="no screen"):
        CALLS[name](progress=fails)
    with pytest.raises(TypeError, match="progress"):
        CALLS[name](progress="yes")


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


def test_parts_of_many_searches_are_the_whole():
    sources = [v % GRAPH.num_vertices for v in range(0, 2500 * 7, 7)]
    seen = []
    rows = hw.Searcher(GRAPH, device="cpu").each(sources, progress=lambda done, total: seen.append((done, total)))
    assert np.array_equal(rows, hw.Searcher(GRAPH, device="cpu").each(sources)) and seen[-1] == (2500, 2500)
    assert hw.Searcher(GRAPH).each([], progress=print).shape == (0, GRAPH.num_vertices)


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
