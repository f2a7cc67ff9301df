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
    """Reads a graph in any format the tool knows, .gz and .zst too, or makes one from a generator's spec ("rmat:16,8").

    `directed` None: as the file says, directed if it says nothing. False: every edge stands for both directions. True: every
    row is an arc; of symmetric formats both arcs of every edge.

    `bipartite` True: ids of the two columns, or a matrix' rows and columns, are two kinds of vertices, called "left:ID" and
    "right:ID"; edges have no direction unless directed=True. False: one kind. None: two for KONECT's "% bip" and for matrices
    that are not square, else one.

    Of edge lists `columns` says which columns are read, by their names or numbers from 1 on: "source=from,target=to,weight=4",
    or {"source": "from", "target": "to", "weight": 4}; `header` whether the first row names them; `missing_weight` what NA,
    null, nan, - or an empty cell stands for: a number, "drop" or "error"; `decimal_comma` that weights are written 0,5.
    weights=False leaves weights out. What had to be
    assumed is a warning.

    Parallel edges (but the lightest) and self-loops are left out unless they are kept; Graph.report counts them. `lenient`
    repairs what can be repaired. `drop_zeros` leaves out entries of Matrix Market that are zero. `allow_huge` believes headers
    that promise far more than the file can hold. `cache` keeps a .hwg beside a file that must be parsed, and opens that the next
    time. `threads` 0: all.

    After `time_limit` seconds it is Error HW-TIME-LIMIT. `progress` is True for a bar of tqdm over the bytes read, a class such
    as tqdm.auto.tqdm, or a function that is called with what is done and in all (0: not known), some times a second.
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
