"""What the tests share."""

from __future__ import annotations

import os

import hypothesis
import pytest

import hopwave as hw

# Machines that run the tests are shared, so an example has no deadline; the same examples run every time.
EXAMPLES = int(os.environ.get("HOPWAVE_EXAMPLES", "60"))
hypothesis.settings.register_profile("hopwave", deadline=None, derandomize=True, max_examples=EXAMPLES)
hypothesis.settings.load_profile("hopwave")


@pytest.fixture
def friends() -> hw.Graph:
    return hw.Graph.from_edges(["alice", "bob", "carol", "erin"], ["bob", "carol", "dave", "frank"], directed=False)
