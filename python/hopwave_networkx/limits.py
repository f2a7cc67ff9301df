"""How far a search goes for its argument `cutoff` or `depth_limit`."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np

_MOST_LEVELS = 1 << 32


def limit(cutoff: Any) -> int:
    """Returns the last level of a search that continues while `cutoff > level`; -1: all."""
    if cutoff is None:
        return -1
    if not isinstance(cutoff, (int, float, Fraction, np.integer)):
        raise TypeError("NetworkX decides what this cutoff means")
    if not cutoff > 0:  # also for NaN
        return 0
    return -1 if cutoff > _MOST_LEVELS else math.ceil(cutoff)


def farthest(cutoff: Any) -> float:
    """Returns the largest distance of a search by weights."""
    if cutoff is None or cutoff != cutoff:  # nothing is greater than NaN
        return math.inf
    if not isinstance(cutoff, (int, float, Fraction)) or float(cutoff) != cutoff:
        raise TypeError("NetworkX decides what is farther than this cutoff")
    return float(cutoff)
