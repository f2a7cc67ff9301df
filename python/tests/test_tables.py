"""Tables as other programs write them: which columns are read, and what is said of it."""

from __future__ import annotations

import warnings
from pathlib import Path

import pytest

import hopwave as hw

TABLE = "source,target,timestamp,km\n1,2,99,5\n2,3,98,NA\n"


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "table.csv"
    path.write_text(TABLE)
    return path


def arcs(graph: hw.Graph) -> list[tuple[int, int, float]]:
    offsets, targets = graph.csr()[:2]
    ids = graph.ids
    rows = [v for v in range(graph.num_vertices) for _ in range(offsets[v], offsets[v + 1])]
    return [(int(ids[u]), int(ids[v]), float(w)) for u, v, w in zip(rows, targets, graph.weights)]


@pytest.mark.parametrize("columns", ["weight=timestamp", "weight=3", {"weight": "timestamp"}, {"weight": 3}])
def test_columns(table: Path, columns: object) -> None:
    assert arcs(hw.read(table, columns=columns)) == [(1, 2, 99), (2, 3, 98)]


@pytest.mark.parametrize(("missing", "right"), [(7, [(1, 2, 5), (2, 3, 7)]), ("drop", [(1, 2, 5)])])
@pytest.mark.filterwarnings("ignore")
def test_missing_weights(table: Path, missing: object, right: object) -> None:
    assert arcs(hw.read(table, columns="weight=km", missing_weight=missing)) == right


def test_a_missing_weight_is_an_error(table: Path) -> None:
    with pytest.raises(hw.Error, match="HW-EDGE-WEIGHT"):
        hw.read(table, columns="weight=km")
    assert hw.read(table, columns="weight=km", weights=False).weights is None


def test_a_header_that_is_an_edge(tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    path.write_text("Ann,Bob\nCid,Dan\nDan,Eve\n")
    with pytest.warns(UserWarning, match="first row taken as header"):
        assert hw.read(path).num_vertices == 3
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert hw.read(path, header=False).num_vertices == 5
