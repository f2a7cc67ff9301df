"""What the tests share."""

from __future__ import annotations

import faulthandler
import os
from collections.abc import Iterator

import hypothesis
import pytest

import hopwave as hw

# Machines that run the tests are shared, so an example has no deadline; the same examples run every time.
EXAMPLES = int(os.environ.get("HOPWAVE_EXAMPLES", "60"))
hypothesis.settings.register_profile("hopwave", deadline=None, derandomize=True, max_examples=EXAMPLES)
hypothesis.settings.load_profile("hopwave")


# A test that hangs ends the run after this many seconds, with a list of what each thread was doing.
LONGEST_SECONDS = 300


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    with item.config.pluginmanager.getplugin("capturemanager").global_and_fixture_disabled():
        errors = os.dup(2)  # where the user sees it
    faulthandler.dump_traceback_later(LONGEST_SECONDS, exit=True, file=errors)
    try:
        return (yield)
    finally:
        faulthandler.cancel_dump_traceback_later()
        os.close(errors)


@pytest.fixture
def friends() -> hw.Graph:
    return hw.Graph.from_edges(["alice", "bob", "carol", "erin"], ["bob", "carol", "dave", "frank"], directed=False)
