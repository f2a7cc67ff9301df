"""Closeness of every vertex, estimated from searches from a few vertices, with error bounds."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from . import _core
from ._arrays import count
from ._graph import Graph, require_graph
from ._run import Device, Progress, RunReport, Stop, asked, run_report
from ._search import Direction
from ._values import Values, named


@dataclass(frozen=True, repr=False)
class SampledCloseness:
    """Estimates, one value per vertex; top(10) of each array returns ids. With a probability of 1 - risk no value of an array
    is farther from the true one than its error."""

    closeness: Values
    closeness_error: npt.NDArray[np.float64]
    harmonic: Values
    """The sum of 1 / distance."""
    harmonic_error: npt.NDArray[np.float64]
    average: Values
    """Average distance to the vertices that it reaches; 0 if none of them is a pivot."""
    average_error: npt.NDArray[np.float64]
    reached: npt.NDArray[np.float64]
    """Number of vertices reached, itself included; exact if directions are ignored."""
    average_distance: float
    """Of the graph, over all pairs of a vertex and another that it reaches."""
    average_distance_error: float
    efficiency: float
    efficiency_error: float
    diameter: tuple[int, int]
    """A distance that was found, and one that no distance exceeds."""
    pivots: int
    """Searches made."""
    risk: float
    run: RunReport
    """If it is not complete, the estimates are from the pivots that were searched."""

    def __repr__(self) -> str:
        ended = "" if self.run.complete else f", ended by {self.run.end}"
        return (
            f"<hopwave.SampledCloseness of {self.closeness.size:,} vertices from {self.pivots:,} searches: average distance "
            f"{self.average_distance:.4g} ± {self.average_distance_error:.2g}{ended}>"
        )


def sampled_closeness(
    graph: Graph,
    samples: int,
    *,
    risk: float = 0.05,
    direction: Direction = "in",
    device: Device = "auto",
    threads: int = 0,
    seed: int = 1,
    time_limit: float | None = None,
    progress: Progress = None,
    stop: Stop | None = None,
) -> SampledCloseness:
    """Closeness and harmonic centrality of every vertex, estimated from `samples` random vertices.

    Distances are hops, also in a graph with weights. With as many samples as vertices the values are exact. `seed` chooses them.
    At `time_limit`, `stop` and the end by `progress`, which counts searches, the result has estimates from the pivots searched
    by then: see `run`.
    """
    require_graph(graph)
    samples = count(samples, "samples", 1)
    with asked(device, threads, seed, time_limit, progress, stop, "search", min(samples, graph.num_vertices)) as words:
        found = _core.sampled_closeness(graph._core, samples, float(risk), direction, words)
    found["run"] = run_report(found["run"])
    for name in ("closeness", "harmonic", "average"):
        found[name] = named(found[name], graph._ids)
    return SampledCloseness(**found)
