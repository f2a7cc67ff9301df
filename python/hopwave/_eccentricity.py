"""Diameter, radius, center, periphery and eccentricities, from few searches."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from . import _core
from ._arrays import count
from ._graph import Graph, require_graph
from ._run import Device, Progress, RunReport, Stop, asked, ended_early, run_report
from ._search import Direction

Goal = Literal["diameter", "radius", "figures", "every"]


@dataclass(frozen=True, repr=False)
class Eccentricities:
    """The result of eccentricities(). Pairs are bounds, both inclusive; they are equal if the value is known."""

    lower: npt.NDArray[np.int32]
    """Lower and upper bounds of the eccentricities, one value per vertex; -1 outside the scope."""
    upper: npt.NDArray[np.int32]
    diameter: tuple[int, int]
    radius: tuple[int, int]
    """For the largest component, whatever the scope."""
    ends: tuple[Any, Any] | None
    """Ids of two vertices with a shortest path of diameter[0] hops between them. None without a search."""
    central: Any
    """The id of a vertex with eccentricity radius[1]; None without a search."""
    center: list[Any]
    """The ids of all vertices with eccentricity radius[1] in the largest component, if the goal is "figures" or "every" and was
    reached."""
    periphery: list[Any]
    """The ids of all vertices with eccentricity diameter[1] in the scope, under the same conditions."""
    components: int
    """The number of weakly connected components."""
    searches: int
    run: RunReport
    """If it is not complete, the bounds are what is known."""

    def __repr__(self) -> str:
        def figure(name: str, bounds: tuple[int, int]) -> str:
            return f"{name} {bounds[0]}" + ("" if bounds[0] == bounds[1] else f" to {bounds[1]}")

        ended = "" if self.run.complete else f", ended by {self.run.end}"
        return (
            f"<hopwave.Eccentricities of {self.lower.size:,} vertices: {figure('diameter', self.diameter)}, "
            f"{figure('radius', self.radius)}, {self.searches:,} searches{ended}>"
        )


def eccentricities(
    graph: Graph,
    goal: Goal = "every",
    *,
    scope: Literal["each", "largest"] = "each",
    direction: Direction = "out",
    max_searches: int | None = None,
    device: Device = "auto",
    threads: int = 0,
    seed: int = 1,
    time_limit: float | None = None,
    progress: Progress = None,
    stop: Stop | None = None,
) -> Eccentricities:
    """Exact eccentricities, or only the "diameter", the "radius", or both with the vertices that have them ("figures"), which
    takes fewer searches.

    An eccentricity is the greatest distance, in hops, to a vertex of the same component; weights are ignored. A directed graph
    needs strongly connected components (Error HW-ECCENTRICITY-STRONG) unless direction is "both". After `max_searches`
    searches, and at `time_limit`, `stop` and the end by `progress`, which counts searches, the result has the bounds known so
    far: see `run`.
    """
    require_graph(graph)
    searches = 2**64 - 1 if max_searches is None else count(max_searches, "max_searches")
    with asked(device, threads, seed, time_limit, progress, stop, "search") as words:
        found = _core.eccentricities(graph._core, goal, scope, direction, searches, words)
    found["run"] = run_report(found["run"])
    start, end, central = found.pop("start"), found.pop("end"), found.pop("central")
    for vertices in ("center", "periphery"):
        found[vertices] = graph._ids(found[vertices])
    ends = None if start is None else (graph.id(start), graph.id(end))
    return Eccentricities(ends=ends, central=None if central is None else graph.id(central), **found)


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
        graph,
        "diameter",
        direction=direction,
        device=device,
        threads=threads,
        seed=seed,
        time_limit=time_limit,
        progress=progress,
        stop=stop,
    )
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
        graph,
        "radius",
        scope="largest",
        direction=direction,
        device=device,
        threads=threads,
        seed=seed,
        time_limit=time_limit,
        progress=progress,
        stop=stop,
    )
    return _figure(found, found.radius)
