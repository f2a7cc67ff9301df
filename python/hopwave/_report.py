"""Reports of reading and building."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Report:
    """How reading or building a graph interpreted its input."""

    source: str
    """A file's name, a generator's spec, or "memory"."""
    format: str
    details: str
    """Such as "tab separated"."""
    rows: int
    """Edges, arcs or entries in the input."""
    duplicates: int
    """Arcs that occur more than once: dropped, except the lightest of each, unless `duplicates_kept`. An undirected edge that
    occurs twice counts for both of its arcs."""
    self_loops: int
    """Dropped unless `self_loops_kept`."""
    duplicates_kept: bool = False
    self_loops_kept: bool = False
    direction_assumed: bool = False
    """True if neither the file nor the caller states whether edges are directed: assumed directed."""
    weights_rounded: int = 0
    """Weights that no number of 64 bits holds exactly."""
    repairs: list[str] = field(default_factory=list)
    """What lenient=True repaired, one line each."""
    notes: list[str] = field(default_factory=list)
    """What was assumed; read() turns these into warnings."""
