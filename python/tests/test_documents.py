"""The documents' Python: programs that run, and print what is shown below them."""

from __future__ import annotations

import ast
import contextlib
import io
import re
from pathlib import Path
from typing import Any

import networkx as nx
import pytest

import hopwave as hw

DOCUMENTS = Path(__file__).parents[2] / "docs"
pytestmark = pytest.mark.skipif(not DOCUMENTS.exists(), reason="the documents are not here")


def blocks(name: str) -> list[tuple[str, str]]:
    """Each block of Python, with the block of output that follows it."""
    found = re.findall(r"```(\w*)\n(.*?)```\n", (DOCUMENTS / name).read_text(), re.DOTALL)
    return [
        (text, after[1] if after[0] == "" else "")
        for (language, text), after in zip(found, [*found[1:], ("end", "")])
        if language == "python"
    ]


def test_the_first_lesson(tmp_path, monkeypatch):
    pytest.importorskip("pandas")
    pytest.importorskip("matplotlib")
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    printed = 0
    for program, expected in blocks("python-first.md"):
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            exec(compile(program, "python-first.md", "exec"), names)
        assert out.getvalue() == expected, program
        printed += bool(expected)
    theirs = nx.betweenness_centrality(names["g"].to_networkx())
    assert dict(names["central"].top(99)) == pytest.approx(theirs)
    assert printed == 4 and Path("central.png").stat().st_size > 1000


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_the_reference(tmp_path, monkeypatch):
    """The lines of docs/python.md on a small graph; those for a GPU are read only."""
    monkeypatch.chdir(tmp_path)
    with open("social.txt", "w") as file:
        file.writelines(f"{v} {(v * 7 + 3) % 101} {v % 5 + 1}\n{v} {(v + 1) % 101} 2\n" for v in range(101))
    for program, _ in blocks("python.md"):
        program = program.replace("social.txt.zst", "social.txt").replace("samples=1000", "samples=50").replace("g, 1000", "g, 50")
        if 'device="gpu"' in program:
            ast.parse(program)
        else:
            exec(compile(program, "python.md", "exec"), {"hw": hw, "g": hw.read("social.txt")})


def test_every_keyword_that_the_reference_names_is_one():
    text = (DOCUMENTS / "python.md").read_text()
    known = {"pip", "scripts"}
    for thing in (*vars(hw).values(), *vars(hw.Graph).values(), *vars(hw.Searcher).values(), *vars(hw.Result).values(),
                  *vars(hw.DeviceGraph).values()):
        known |= set(getattr(getattr(thing, "__func__", thing), "__annotations__", ()))
        known |= set(getattr(getattr(thing, "__init__", None), "__annotations__", ()))
    used = set(re.findall(r"`([a-z_]+)=", text)) | set(re.findall(r"[(, ]([a-z_]+)=[\w\"\[{(…]", " ".join(re.findall(r"`([^`\n]+)`", text))))
    assert used <= known | {"target", "weight", "source"}, used - known
