"""Which extension is loaded: that of hopwave-cu13 if it is installed and of this version. Here it is a copy of hopwave's own."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import hopwave as hw
from hopwave import _core

SHOW = """
import json, warnings
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    import hopwave as hw
    from hopwave import _core, _search
    graph = hw.Graph.from_edges([0, 1], [1, 2])
    far = [int(hw.bfs(graph, 0).distance[2]) for _ in range(3)]
    same = _search._core is _core and hw._core is _core
    print(json.dumps({"package": hw.device_info()["package"], "file": _core.__file__, "far": far, "same": same,
                      "built_with_cuda": hw.device_info()["built_with_cuda"], "gpu": hw.device_info()["gpu"],
                      "said": [str(w.message) for w in caught]}))
"""


@pytest.fixture
def plug_in(tmp_path: Path) -> Path:
    package = tmp_path / "hopwave_cu13"
    package.mkdir()
    shutil.copy(_core.__file__, package / "_core.abi3.so")
    libraries = Path(_core.__file__).parent.parent / "hopwave.libs"  # a wheel's own, which its extension looks for there
    if libraries.is_dir():
        shutil.copytree(libraries, tmp_path / libraries.name)
    (package / "__init__.py").write_text(f'__version__ = "{hw.__version__}"\n')
    return package


def show(path: Path) -> dict:
    environment = {**os.environ, "PYTHONPATH": str(path)}
    out = subprocess.run([sys.executable, "-c", SHOW], env=environment, capture_output=True, text=True, check=True).stdout
    shown = json.loads(out)
    assert shown["far"] == [2, 2, 2] and shown["same"]
    return shown


def test_the_plug_in_is_taken(plug_in):
    shown = show(plug_in.parent)
    assert shown["package"] == "hopwave-cu13" and Path(shown["file"]).parent == plug_in
    if not shown["gpu"]:  # said once, for three searches
        assert len(shown["said"]) == 1 and "hopwave-cu13 is installed, but: no GPU (" in shown["said"][0]
    else:
        assert shown["said"] == []


def test_a_plug_in_of_another_version_is_left_alone(plug_in):
    (plug_in / "__init__.py").write_text('__version__ = "0.0.1"\n')
    shown = show(plug_in.parent)
    assert shown["package"] == "hopwave" and Path(shown["file"]).parent != plug_in
    assert len(shown["said"]) == 1 and f"hopwave {hw.__version__} does not match hopwave-cu13 0.0.1" in shown["said"][0]


def test_a_plug_in_that_cannot_be_loaded(plug_in):
    (plug_in / "_core.abi3.so").write_bytes(b"no library")
    shown = show(plug_in.parent)
    assert shown["package"] == "hopwave" and len(shown["said"]) == 1 and "cannot be loaded" in shown["said"][0]


def test_without_an_extension_it_is_no_plug_in(plug_in):
    (plug_in / "_core.abi3.so").unlink()
    shown = show(plug_in.parent)
    assert shown["package"] == "hopwave" and len(shown["said"]) == 1 and "has no extension" in shown["said"][0]
