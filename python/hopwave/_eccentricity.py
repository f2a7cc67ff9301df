"""Diameter, radius, center, periphery and eccentricities, from as few searches as will do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from . import _core
from ._graph import Graph
from ._search import Device, Direction

Goal = Literal["diameter", "radius", "figures", "every"]


@dataclass(frozen=True)
class Eccentricities:
    """What eccentricities() found. Pairs are bounds, both included; they are equal where the figure is known."""

    lower: npt.NDArray[np.int32]
    """Of each vertex's eccentricity, one a vertex; -1 outside the scope."""
    upper: npt.NDArray[np.int32]
    diameter: tuple[int, int]
    radius: tuple[int, int]
    """Of the largest component, whatever the scope."""
    ends: tuple[Any, Any] | None
    """Ids: a shortest path from one to the other has diameter[0] hops. None without a search."""
    central: Any
    """The id of a vertex with eccentricity radius[1]; None without a search."""
    center: npt.NDArray[np.uint32]
    """All vertices with eccentricity radius[1] in the largest component, where goal is "figures" or "every" and reached."""
    periphery: npt.NDArray[np.uint32]
    """All vertices with eccentricity diameter[1] in the scope, likewise."""
    components: int
    """Weakly connected ones."""
    searches: int
    complete: bool
    """The goal was reached; else the bounds are what is known."""
    ended: str
    """What ended the call early: HW-TIME-LIMIT or "searches"; empty where it is complete."""


def eccentricities(
    graph: Graph,
    goal: Goal = "every",
    *,
    scope: Literal["each", "largest"] = "each",
    direction: Direction = "out",
    device: Device = "auto",
    time_limit: float | None = None,
    max_searches: int | None = None,
) -> Eccentricities:
    """Exact eccentricities, or only the "diameter", the "radius", or both and who has them ("figures"), which takes fewer searches.

    An eccentricity is the greatest distance, in hops, to a vertex of one's own component; weights play no part. A directed graph needs strongly connected
    components (Error HW-ECCENTRICITY-STRONG) unless direction is "both". After `time_limit` seconds or `max_searches`
    searches the bounds so far are the answer.
    """
    searches = 2**64 - 1 if max_searches is None else max_searches
    found = _core.eccentricities(graph._core, goal, scope, direction, device, time_limit or 0.0, searches)
    start, end, central = found.pop("start"), found.pop("end"), found.pop("central")
    ends = None if start is None else (graph.id(start), graph.id(end))
    return Eccentricities(ends=ends, central=None if central is None else graph.id(central), **found)


def diameter(graph: Graph, *, direction: Direction = "out", device: Device = "auto") -> int:
    """The longest of all shortest paths between vertices that reach each other, in hops. See eccentricities()."""
    return eccentricities(graph, "diameter", direction=direction, device=device).diameter[1]


def radius(graph: Graph, *, direction: Direction = "out", device: Device = "auto") -> int:
    """The least eccentricity in the largest component. See eccentricities()."""
    return eccentricities(graph, "radius", scope="largest", direction=direction, device=device).radius[1]
