"""Graphs from files and generators."""

from __future__ import annotations

import os
import warnings
from collections.abc import Mapping
from typing import Any

from . import _core
from ._arrays import truth, truth_or_none, word
from ._graph import Graph
from ._kinds import path_name
from ._run import Device, Progress, Stop, asked


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
    keep_duplicates: bool | None = None,
    keep_self_loops: bool = False,
    drop_zeros: bool = False,
    allow_huge: bool = False,
    cache: bool = False,
    device: Device = "auto",
    threads: int = 0,
    seed: int = 1,
    time_limit: float | None = None,
    progress: Progress = None,
    stop: Stop | None = None,
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
    dropped unless `keep_duplicates` or `keep_self_loops`; Graph.report counts them. keep_duplicates=None keeps them where the
    input names the target of a flow, as a .max does: their capacities add up. `lenient` repairs what can be repaired.
    `drop_zeros` drops entries of Matrix Market that are zero. `allow_huge` accepts headers that state far more data than the
    file can hold. `cache` keeps a .hwg in the folder of a file that must be parsed, and opens it the next time.

    Every call of this package that runs takes these keywords, in this order:
    - `device`: "auto", "cpu", "gpu" or "sim", the simulator. Here a device sorts the edges into rows; "auto" is the CPU.
    - `threads`: of the CPU; 0: all.
    - `seed`: of random choices, and of the simulator's schedule.
    - `time_limit`: in seconds, then the call raises Error HW-TIME-LIMIT, or returns what is known: see its result's `run`.
    - `progress`: True for a tqdm bar, a class such as tqdm.auto.tqdm, or a function that gets a hopwave.Step several times
      per second. If it returns False, the call ends with Error HW-INTERRUPTED, or returns what is known.
    - `stop`: a threading.Event, or another object with is_set(). Once it is set, the call ends with Error HW-CANCELLED, or
      returns what is known.
    Reading counts "bytes", then building counts "arcs"; generators count "work", and take their seed from the spec.
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
        truth_or_none(keep_duplicates, "keep_duplicates"),
        truth(keep_self_loops, "keep_self_loops"),
        truth(cache, "cache"),
    )
    with asked(device, threads, seed, time_limit, progress, stop, "B", auto="cpu") as words:
        graph = Graph(_core.read(name, reading, words))
    for note in graph.report.notes:
        warnings.warn(note, stacklevel=2)
    return graph
