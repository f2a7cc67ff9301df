"""Diameter and radius, from few searches."""

from __future__ import annotations

from ._algorithms import Eccentricities, eccentricities
from ._graph import Graph
from ._run import Device, Progress, Stop, ended_early
from ._search import Direction


def _figure(found: Eccentricities, bounds: tuple[int, int]) -> int:
    if found.run.complete:
        return bounds[1]
    done = f"from {bounds[0]} to {bounds[1]}, after {found.searches:,} searches"
    raise ended_early(found.run, done, "hopwave.eccentricities() returns these bounds")


def diameter(
    graph: Graph,
    *,
    direction: Direction = "out",
    device: Device = "auto",
    threads: int = 0,
    seed: int = 1,
    time_limit: float | None = None,
    progress: Progress = None,
    stop: Stop | None = None,
) -> int:
    """The longest of all shortest paths between vertices that reach each other, in hops. See eccentricities(); but an early
    end is an Error."""
    found = eccentricities(
        graph, "diameter", direction=direction, device=device, threads=threads, seed=seed, time_limit=time_limit,
        progress=progress, stop=stop,
    )  # fmt: skip
    return _figure(found, found.diameter)


def radius(
    graph: Graph,
    *,
    direction: Direction = "out",
    device: Device = "auto",
    threads: int = 0,
    seed: int = 1,
    time_limit: float | None = None,
    progress: Progress = None,
    stop: Stop | None = None,
) -> int:
    """The least eccentricity in the largest component. Like diameter()."""
    found = eccentricities(
        graph, "radius", scope="largest", direction=direction, device=device, threads=threads, seed=seed, time_limit=time_limit,
        progress=progress, stop=stop,
    )  # fmt: skip
    return _figure(found, found.radius)
