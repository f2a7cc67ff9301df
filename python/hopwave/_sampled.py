"""Closeness of every vertex, estimated from searches from a few vertices, with error bounds."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from . import _core
from ._arrays import count
from ._graph import Graph, require_graph
from ._progress import Progress, asked
from ._search import Device, Direction
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
    complete: bool
    """True if all pivots were searched; otherwise the estimates are from those that were."""
    ended: str
    """What ended the call early: HW-TIME-LIMIT; empty if it is complete."""

    def __repr__(self) -> str:
        ended = "" if self.complete else f", ended by {self.ended}"
        return (
            f"<hopwave.SampledCloseness of {self.closeness.size:,} vertices from {self.pivots:,} searches: average distance "
            f"{self.average_distance:.4g} ± {self.average_distance_error:.2g}{ended}>"
        )


def sampled_closeness(
    graph: Graph,
    samples: int,
    *,
    seed: int = 1,
    risk: float = 0.05,
    direction: Direction = "in",
    device: Device = "auto",
    time_limit: float | None = None,
    progress: Progress = None,
) -> SampledCloseness:
    """Closeness and harmonic centrality of every vertex, estimated from `samples` random vertices.

    Distances are hops, also in a graph with weights. With as many samples as vertices the values are exact. After `time_limit`
    seconds they are estimates from the pivots searched by then. `progress`, over searches, as in hopwave.read().
    """
    require_graph(graph)
    samples, seed = count(samples, "samples", 1), count(seed, "seed")
    with asked(time_limit, progress, "search", min(samples, graph.num_vertices)) as limits:
        found = _core.sampled_closeness(graph._core, samples, seed, float(risk), direction, device, *limits)
    for name in ("closeness", "harmonic", "average"):
        found[name] = named(found[name], graph._ids)
    return SampledCloseness(**found)
