"""Maximum flow and minimum cut."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _core
from ._arrays import word
from ._error import made
from ._export import tails_of
from ._graph import Graph, require_graph
from ._run import Device, Progress, RunReport, Stop, asked, run_report


@dataclass(frozen=True, repr=False, eq=False)
class Flow:
    """A maximum flow and a minimum cut. Arrays are in the order of the graph's vertices and arcs; methods take and give your ids."""

    value: int
    """What leaves the source and arrives at the target. It is also the capacity of the minimum cut."""
    arc: npt.NDArray[np.int64]
    """What goes along each arc, in the order of csr(). Of the two arcs of an undirected edge at most one carries something."""
    source_side: npt.NDArray[np.bool_]
    """One per vertex: is it on the source's side of the minimum cut? The same for every strategy and device."""
    run: RunReport
    _graph: Graph = field(repr=False)

    def of(self, u: Any, v: Any) -> int:
        """What goes from the vertex that you call `u` directly to the one that you call `v`; 0 where no arc leads."""
        offsets, heads = self._graph.csr()
        tail, head = self._graph.vertex(u), self._graph.vertex(v)
        begin, end = int(offsets[tail]), int(offsets[tail + 1])
        first, last = np.searchsorted(heads[begin:end], [head, head + 1])
        return int(self.arc[begin + first : begin + last].sum())

    def cut(self) -> list[tuple[Any, Any, int]]:
        """The arcs of the minimum cut: your ids of its two ends, and its capacity. Arcs without capacity are left out."""
        graph = self._graph
        tails, heads, weights = tails_of(graph), graph.csr()[1], graph.weights
        across = self.source_side[tails] & ~self.source_side[heads]
        if weights is not None:
            across &= weights > 0
        places = np.flatnonzero(across)
        capacities = [1] * places.size if weights is None else [int(c) for c in weights[places].tolist()]
        return list(zip(graph._ids(tails[places]), graph._ids(heads[places]), capacities))

    def __repr__(self) -> str:
        side = int(np.count_nonzero(self.source_side))
        return f"<hopwave.Flow: {self.value:,}, {side:,} of {self.source_side.size:,} vertices on the source's side of the cut>"


def max_flow(
    graph: Graph,
    source: Any,
    target: Any,
    *,
    strategy: str = "auto",
    device: Device = "auto",
    threads: int = 0,
    seed: int = 1,
    time_limit: float | None = None,
    progress: Progress = None,
    stop: Stop | None = None,
) -> Flow:
    """The greatest flow from one id to another, and a minimum cut between them. Weights are the capacities of the arcs; each arc
    has a capacity of 1 where the graph has no weights.

    Capacities are whole numbers of 0 or more, below 2**63; others are Error HW-FLOW-CAPACITY, and sums of 2**63 or more Error
    HW-FLOW-SUM. An undirected edge carries up to its capacity in either direction. Capacities of parallel edges add up if the
    graph has these edges: read() and from_edges() keep them with keep_duplicates=True, else only the lightest.

    `strategy`: "edmonds-karp", "dinic" (both on the CPU), "push-relabel" (CPU and GPU) or "auto". The device
    "auto" is the CPU. A GPU pays for large graphs: each call copies the graph there. `progress` counts the flow that has
    arrived, of the most that can.
    """
    require_graph(graph)
    begin, end = graph.vertex(source), graph.vertex(target)
    if begin == end:
        raise made(f"target: {target!r} is the source, expected another vertex", "HW-QUERY-TARGET")
    with asked(device, threads, seed, time_limit, progress, stop, "unit", auto="cpu") as words:
        value, arc, side, run = _core.max_flow(graph._core, begin, end, word(strategy, "strategy"), words)
    return Flow(value, arc, side.view(np.bool_), run_report(run), graph)
