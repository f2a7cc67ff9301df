"""Graphs from files and generators."""

from __future__ import annotations

import os
import warnings
from collections.abc import Mapping
from typing import Any

from . import _core
from ._arrays import count, truth, truth_or_none, word
from ._graph import Graph
from ._kinds import path_name
from ._progress import Progress, asked


def read(
    path: str | bytes | os.PathLike[Any],
    *,
    format: str | None = None,
    directed: bool | None = None,
    bipartite: bool | None = None,
    lenient: bool = False,
    columns: str | Mapping[str, str | int] | None = None,
    header: bool | None = None,
    missing_weight: float | str | None = None,
    decimal_comma: bool = False,
    weights: bool = True,
    keep_duplicates: bool = False,
    keep_self_loops: bool = False,
    drop_zeros: bool = False,
    allow_huge: bool = False,
    cache: bool = False,
    threads: int = 0,
    time_limit: float | None = None,
    progress: Progress = None,
) -> Graph:
    """Reads a graph in any format that the tool knows, also .gz and .zst, or generates one from a spec ("rmat:16,8").

    `directed` None: as the file states, otherwise directed. False: every edge counts in both directions. True: every row is an
    arc; for symmetric formats both arcs of every edge.

    `bipartite` True: the ids of the two columns, or of a matrix's rows and columns, are two kinds of vertices, with the ids
    "left:ID" and "right:ID"; edges are undirected unless directed=True. False: one kind. None: two kinds for KONECT's "% bip"
    and for matrices that are not square, otherwise one.

    For edge lists: `columns` names the columns to read, by their names or numbers from 1: "source=from,target=to,weight=4", or
    {"source": "from", "target": "to", "weight": 4}. `header` states whether the first row names them. `missing_weight` is the
    value for NA, null, nan, - or an empty cell: a number, "drop" or "error". `decimal_comma`: weights have a decimal comma, as
    in 0,5.

    weights=False drops weights. Assumptions are reported as warnings. Parallel edges (except the lightest) and self-loops are
    dropped unless `keep_duplicates` or `keep_self_loops`; Graph.report counts them. `lenient` repairs what can be repaired.
    `drop_zeros` drops entries of Matrix Market that are zero. `allow_huge` accepts headers that state far more data than the
    file can hold. `cache` keeps a .hwg in the folder of a file that must be parsed, and opens it the next time. `threads` 0:
    all.

    After `time_limit` seconds the call raises Error HW-TIME-LIMIT. `progress` is True for a tqdm bar over the bytes read, a
    class such as tqdm.auto.tqdm, or a function that is called several times per second with the work done and the total (0:
    unknown).
    """
    name = path_name(path)
    if columns is not None and not isinstance(columns, str):
        columns = ",".join(f"{role}={column}" for role, column in columns.items())
    reading = _core.Reading(
        "" if format is None else word(format, "format"),
        truth_or_none(directed, "directed"),
        truth_or_none(bipartite, "bipartite"),
        truth(lenient, "lenient"),
        truth(allow_huge, "allow_huge"),
        truth(drop_zeros, "drop_zeros"),
        columns or "",
        truth_or_none(header, "header"),
        "" if missing_weight is None else str(missing_weight),
        truth(decimal_comma, "decimal_comma"),
        truth(weights, "weights"),
        truth(keep_duplicates, "keep_duplicates"),
        truth(keep_self_loops, "keep_self_loops"),
        truth(cache, "cache"),
        count(threads, "threads", most=2**31 - 1),
    )
    with asked(time_limit, progress, "B") as limits:
        graph = Graph(_core.read(name, reading, *limits))
    for note in graph.report.notes:
        warnings.warn(note, stacklevel=2)
    return graph
