"""What notebooks show: pictures, and bars that move."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import numpy as np
import pytest

import hopwave as hw


class Bar:
    """As tqdm's, and remembers."""

    made: list[Bar] = []

    def __init__(self, total: int, unit: str) -> None:
        self.total, self.unit, self.n, self.closed = total, unit, 0, False
        Bar.made.append(self)

    def update(self, by: int) -> None:
        self.n += by

    def close(self) -> None:
        self.closed = True


def picture(html: str) -> tuple[str, list[tuple[str, str]]]:
    """All text, and of each bar its label with its count."""
    root = ET.fromstring(f"<div>{html}</div>")
    bars = [tuple(rect.find("title").text.split(": ")) for rect in root.iter("rect")]
    for rect in root.iter("rect"):
        assert 0 <= float(rect.get("height")) <= 120 and 0 <= float(rect.get("x")) + float(rect.get("width")) <= 360
    return " ".join(root.itertext()), bars


def test_a_graph_shows_its_degrees():
    star = hw.Graph.from_edges([0] * 5, range(1, 6), directed=False, num_vertices=8)
    text, bars = picture(star._repr_html_())
    assert bars == [("0", "2"), ("1", "5"), ("2…", "0"), ("4…", "1")]
    assert "10, undirected" in text and "weights no" in text
    for graph in (hw.Graph.from_edges([], []), hw.read("rmat:10,8")):
        _, bars = picture(graph._repr_html_())
        assert sum(int(count.replace(",", "")) for _, count in bars) == graph.num_vertices


def test_a_result_shows_its_levels():
    graph = hw.Graph.from_edges(["a<b", "a<b", "c"], ["c", "d", "e"])
    text, bars = picture(hw.bfs(graph, "a<b")._repr_html_())
    assert bars == [("0", "1"), ("1", "2"), ("2", "1")] and "depth 2" in text


def test_bars_move(tmp_path):
    Bar.made.clear()
    graph = hw.read("rmat:11,8")
    searcher, sources = hw.Searcher(graph, device="cpu"), list(range(1500))
    assert np.array_equal(searcher.each(sources, progress=Bar), searcher.each(sources))
    for figures in (hw.closeness, hw.harmonic, hw.eccentricity):
        assert np.array_equal(figures(graph, sources, progress=Bar), figures(graph, sources))
    assert [(b.total, b.n, b.unit, b.closed) for b in Bar.made] == [(1500, 1500, "search", True)] * 4
    file = tmp_path / "long.el"
    file.write_text("".join(f"{i} {i + 1}\n" for i in range(10**5)))
    assert hw.read(file, progress=Bar).num_arcs == 10**5
    assert (Bar.made[-1].n, Bar.made[-1].unit, Bar.made[-1].closed) == (file.stat().st_size, "B", True)


def test_tqdm_itself():
    pytest.importorskip("tqdm")
    assert hw.closeness(hw.read("rmat:6,4"), progress=True).size == 64


def test_a_bar_that_fails_ends_the_work(tmp_path):
    class Failing(Bar):
        def update(self, by: int) -> None:
            raise LookupError("no screen")

    file = tmp_path / "long.el"
    file.write_text("".join(f"{i} {i + 1}\n" for i in range(10**6)))
    with pytest.raises(LookupError, match="no screen"):
        hw.read(file, progress=Failing)
    assert Bar.made[-1].closed
    with pytest.raises(LookupError, match="no screen"):
        hw.closeness(hw.read("rmat:6,4"), progress=Failing)


def test_steps_and_launches_are_those_of_the_search():
    graph = hw.Graph.from_edges([0, 1, 2], [1, 2, 3])
    plain = hw.Searcher(graph, strategy="pmpp-vertex-push", device="sim").bfs(0)
    assert plain.run.trace == () and plain.run.counts == ()
    told = hw.Searcher(graph, strategy="pmpp-vertex-push", device="sim", trace=True, counts=True).bfs(0, parents=True)
    assert [(step["level"], step["direction"], step["found"]) for step in told.run.trace][:3] == [(k, "push", 1) for k in (1, 2, 3)]
    searching = [launch for launch in told.run.counts if launch["level"] > 0]
    assert [launch["work"] for launch in searching[:3]] == [1, 1, 1] and all(launch["counted"] for launch in searching)
    assert searching[0]["read"]["neighbors"] == 4 and searching[0]["written"]["levels"] == 4
    on_cpu = hw.Searcher(graph, device="cpu", strategy="cpu-sequential", trace=True, counts=True).bfs(0)
    assert on_cpu.run.counts == () and sum(step["found"] for step in on_cpu.run.trace) == 3


SVG = "{http://www.w3.org/2000/svg}"


def words_of(drawn: hw.Picture) -> str:
    root = ET.fromstring(str(drawn))
    assert root.tag == f"{SVG}svg" and drawn._repr_svg_() == str(drawn)
    return " ".join(text for text in root.itertext())


def textbook() -> hw.Graph:
    return hw.read("pmpp")


def test_a_search_is_drawn_with_its_threads(tmp_path):
    searcher = hw.Searcher(textbook(), strategy="pmpp-vertex-push", device="sim")
    whole = searcher.bfs(0).picture()
    text = words_of(whole)
    assert "The tree that is found" in text and "pmpp-vertex-push, from 0" in text
    assert "Step 2: 2 vertices of level 1, 5 vertices get level 2" in text and "9 threads" in text
    one = words_of(searcher.bfs(0).picture(step=2))
    assert "Step 2: " in one and "Step 1: " not in one and "The tree that is found" not in one
    whole.save(tmp_path / "a.svg")
    assert (tmp_path / "a.svg").read_text(encoding="utf-8") == str(whole)
    assert "Step 2: " not in words_of(searcher.bfs(0, max_depth=1).picture())


def test_both_orders_are_drawn():
    text = words_of(hw.bfs(textbook(), 0).picture(against="dfs"))
    assert "Depth first, with a stack" in text and "The tree is 6 arcs deep." in text and " 6/0" in text


def test_what_cannot_be_drawn_is_an_error():
    result = hw.bfs(textbook(), 0)
    for wrong in ({"step": 0}, {"step": -1}, {"against": "bfs"}):
        with pytest.raises(ValueError):
            result.picture(**wrong)
    for wrong in ({"step": 9}, {"step": 1, "against": "dfs"}):
        with pytest.raises(hw.Error, match="HW-PICTURE-STEP"):
            result.picture(**wrong)
    with pytest.raises(hw.Error, match="HW-PICTURE-SIZE"):
        hw.bfs(hw.read("chain:101"), 0).picture()


def test_a_matrix_is_drawn():
    drawn = textbook().spy(name="figure 15.2")
    assert "figure 15.2: 9 × 9, 15 entries" in words_of(drawn)
    assert "HW" not in words_of(hw.read("rmat:12,8").spy(side=64))
    for wrong in (0, 4097, 2.5):
        with pytest.raises((ValueError, TypeError)):
            textbook().spy(side=wrong)
