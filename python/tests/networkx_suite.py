"""A pytest plugin for NetworkX's own suite: counts the tests that reach the backend."""

from __future__ import annotations

import functools
from collections import Counter
from typing import Any

import pytest
from networkx.utils import backends

from hopwave_networkx import FUNCTIONS, registry

# NetworkX's tests call them only with `neighbors`, `flow_func` or `auxiliary`, which are not for us; our tests compare them.
NEVER_CALLED = {"generic_bfs_edges", "local_node_connectivity", "minimum_st_edge_cut"}
calls: Counter[str] = Counter()
reached: set[str] = set()
failed: set[str] = set()
running = ""


def counted(name: str) -> Any:
    function = registry.OURS[name]

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        calls[name] += 1
        reached.add(running)
        return function(*args, **kwargs)

    return call


for each in FUNCTIONS:
    registry.OURS[each] = counted(each)  # what is left to NetworkX's own functions does not count


def not_called() -> set[str]:
    """An older NetworkX does not have all functions."""
    return {name for name in FUNCTIONS if name in backends._registered_algorithms} - set(calls)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_logstart(nodeid: str) -> None:
    global running
    running = nodeid


def pytest_runtest_logreport(report: Any) -> None:
    if report.failed:
        failed.add(report.nodeid)


def pytest_terminal_summary(terminalreporter: Any) -> None:
    missing = sorted(not_called())
    terminalreporter.write_line(
        f"hopwave: {len(reached)} tests reached the backend, {len(reached - failed)} of them passed; "
        f"{sum(calls.values())} calls of {len(calls)} functions; not called: {', '.join(missing) or 'none'}"
    )


def pytest_sessionfinish(session: Any) -> None:
    if not reached or not_called() - NEVER_CALLED:
        session.exitstatus = 1  # a suite that passes without the backend shows nothing
