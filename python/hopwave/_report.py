"""What reading and building say of their input."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Report:
    """What reading or building a graph made of its input."""

    source: str
    """A file's name, a generator's spec, or "memory"."""
    format: str
    details: str
    """Such as "tab separated"."""
    rows: int
    """Edges, arcs or entries given."""
    duplicates: int
    """Arcs met more than once: left out, but for the lightest of each, unless `duplicates_kept`. An undirected edge that is given
    twice counts for both of its arcs."""
    self_loops: int
    """Left out unless `self_loops_kept`."""
    duplicates_kept: bool = False
    self_loops_kept: bool = False
    direction_assumed: bool = False
    """Neither the file nor the caller said whether edges have a direction: they do."""
    weights_rounded: int = 0
    """Weights that no number of 64 bits holds exactly."""
    repairs: list[str] = field(default_factory=list)
    """What lenient=True mended, one line each."""
    notes: list[str] = field(default_factory=list)
    """What was assumed; read() makes warnings of them."""
