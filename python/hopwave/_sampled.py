"""Closeness of every vertex from searches from a few, with how far off it may be."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from . import _core
from ._arrays import whole
from ._graph import Graph
from ._search import Device, Direction


@dataclass(frozen=True)
class SampledCloseness:
    """Estimates, a value a vertex. With a probability of 1 - risk no value of an array is farther from the truth than its error."""

    closeness: npt.NDArray[np.float64]
    closeness_error: npt.NDArray[np.float64]
    harmonic: npt.NDArray[np.float64]
    """The sum of 1 / distance."""
    harmonic_error: npt.NDArray[np.float64]
    average: npt.NDArray[np.float64]
    """Distance to the vertices that it reaches; 0 where none of them is a pivot."""
    average_error: npt.NDArray[np.float64]
    reached: npt.NDArray[np.float64]
    """Itself included; exact where directions play no part."""
    average_distance: float
    """Of the graph, over all pairs of a vertex and another that it reaches."""
    average_distance_error: float
    efficiency: float
    efficiency_error: float
    diameter: tuple[int, int]
    """A distance that was met, and one that no distance exceeds."""
    pivots: int
    """Searches made."""
    risk: float
    complete: bool
    """All pivots were searched; else the estimates are from those that were."""
    ended: str
    """What ended the call early: HW-TIME-LIMIT; empty where it is complete."""


def sampled_closeness(
    graph: Graph,
    samples: int,
    *,
    seed: int = 1,
    risk: float = 0.05,
    direction: Direction = "in",
    device: Device = "auto",
    time_limit: float | None = None,
) -> SampledCloseness:
    """Closeness and harmonic centrality of every vertex, estimated from `samples` vertices that are drawn at random.

    Distances are hops, also in a graph with weights.
    With as many samples as vertices the values are exact. After `time_limit` seconds they are from those searched by then.
    """
    if (samples := whole(samples, "samples")) < 1:
        raise ValueError(f"samples: {samples} is less than 1")
    return SampledCloseness(**_core.sampled_closeness(graph._core, samples, seed, risk, direction, device, time_limit or 0.0))
