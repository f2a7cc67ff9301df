"""How callers follow long calls and limit them: tqdm's progress bars, functions, and seconds."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any, Union

from ._error import made

Progress = Union[bool, Callable[..., Any], None]
Report = Callable[[int, int], object]


def _seconds(time_limit: float | None) -> float:
    """Returns a limit in the library's form: 0 is none."""
    if time_limit is None:
        return 0.0
    if isinstance(time_limit, bool) or not hasattr(time_limit, "__float__"):
        raise TypeError(f"time_limit: a number of seconds or None is needed, not {type(time_limit).__name__}")
    value = float(time_limit)
    if not value > 0:
        raise made(f"time_limit: {value:g}, expected more than 0 seconds; None is no limit", "HW-OPTION-TIME-LIMIT")
    return 0.0 if math.isinf(value) else value


_NOTHING = nullcontext[tuple[float, Union[Report, None]]]((0.0, None))


def asked(
    time_limit: float | None, progress: Progress, unit: str, total: int = 0
) -> AbstractContextManager[tuple[float, Report | None]]:
    """Returns what the extension's long calls take at their end: seconds, and a function of the work done and the total.

    `progress` is None or False, True for a tqdm bar, a class with the interface of tqdm's, or another function, which is called
    directly. `total` 0: unknown.
    """
    if time_limit is None and (progress is None or progress is False):
        return _NOTHING  # most calls, some of which take microseconds
    return _asked(_seconds(time_limit), progress, unit, total)


@contextmanager
def _asked(seconds: float, progress: Progress, unit: str, total: int) -> Iterator[tuple[float, Report | None]]:
    if progress is None or progress is False:
        yield seconds, None
        return
    make: Any = progress
    if progress is True:
        from tqdm.auto import tqdm as make
    elif not callable(progress):
        raise TypeError(f"progress: True, a class such as tqdm.auto.tqdm or a function is needed, not {type(progress).__name__}")
    elif not isinstance(progress.func if isinstance(progress, functools.partial) else progress, type):
        yield seconds, progress
        return
    bar = make(total=total or None, unit=unit)

    def report(done: int, total: int) -> None:
        if total:
            bar.total = total
        bar.update(done - bar.n)

    try:
        yield seconds, report
    finally:
        bar.close()
