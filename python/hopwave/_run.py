"""How calls run, and what they report about it: the keywords that every call has, steps, and RunReport."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from typing import Any, Literal, Protocol, Union

import numpy as np

from . import _core
from ._arrays import count, whole, word
from ._error import Error, made
from ._words import in_python

Device = Literal["auto", "cpu", "gpu", "sim"]
End = Literal["complete", "interrupted", "cancelled", "time-limit", "searches"]
Progress = Union[bool, Callable[..., Any], None]
_DEVICES = ("auto", "cpu", "gpu", "sim")
_MOST_THREADS = 4096


class Stop(Protocol):
    """What `stop` may be: threading.Event has this interface."""

    def is_set(self) -> bool: ...


@dataclass(frozen=True)
class Step:
    """How far a call has got. A `progress` function gets one."""

    what: str
    """The unit of `done`: "levels", "searches", "rounds", "vertices", "arcs", "bytes", "flow", "pairs", "work"."""
    done: int
    total: int
    """0: not known."""
    amount: int
    """"levels": vertices in the frontier. "rounds": arcs relaxed so far. "searches" of eccentricities: vertices that may still
    need a search. Otherwise 0."""
    longest: int
    """"searches" of eccentricities: the longest shortest path found so far. Otherwise 0."""


@dataclass(frozen=True)
class RunReport:
    """How a call ran. Times are in milliseconds, and 0 where a call has no such part."""

    end: End
    """"complete"; "interrupted" (progress returned False), "cancelled" (`stop` was set), "time-limit" or "searches"
    (`max_searches`): the result has what was known by then."""
    device: str
    """Where it ran: cpu, gpu or sim."""
    strategy: str
    """The strategy that ran; on a CPU, what "auto" chose; empty if the call has none."""
    chosen: str
    """The strategy that "auto" chose, and the reason; otherwise empty."""
    prepare_ms: float
    """Transposing, reordering, checking weights."""
    copy_in_ms: float
    """Copying the graph to the device."""
    work_ms: float
    """The algorithm itself: device events on a GPU, wall clock on a CPU."""
    copy_out_ms: float
    """Copying results to the host."""
    notes: tuple[str, ...]
    """Such as the reason why there is no GPU."""

    @property
    def complete(self) -> bool:
        """Returns True if the result is the whole answer."""
        return self.end == "complete"


@dataclass(frozen=True)
class SearchReport(RunReport):
    """How a search ran. `prepare_ms` and `copy_in_ms` are those of its Searcher."""

    host_ms: float
    """Wall clock of the traversal on the host."""
    levels: int
    """The greatest distance found."""
    steps: int
    """Steps taken, of which the last may have found nothing."""
    launches: int
    """Kernels launched."""
    round_trips: int
    """How often the host waited for the device."""
    edges_examined: int
    """0 if they are not counted."""
    grid: int
    """Blocks of the largest launch; 0 on a CPU."""
    block: int
    """Threads per block of the largest launch; 0 on a CPU."""
    trace: tuple[dict[str, Any], ...]
    """One entry per step, if the Searcher traces: level, direction, frontier, arcs, found, ms. `arcs` is 0 if they are not
    counted."""
    counts: tuple[dict[str, Any], ...]
    """One entry per kernel launch, if the Searcher counts; in the simulator with what the threads did (hopwave/counts.h)."""
    devices: tuple[dict[str, Any], ...]
    """With the trace of a graph that is split over GPUs: each device's part of each level."""
    parts_ms: dict[str, float]
    """With the trace, if the strategy reports them: times of the parts that are not levels."""


@dataclass(frozen=True)
class WeightedReport(RunReport):
    """How a search by weight ran."""

    parents_ms: float
    """Finding the tree from the distances."""
    delta: float
    """Width of a bucket at the start of the search; 0: the method has no buckets."""
    steps: int
    """Rounds between two barriers; for cpu-dijkstra vertices taken from the heap."""
    relaxations: int
    """Arcs examined; differs from run to run if threads race."""
    launches: int
    round_trips: int


def _fields(report: _core.RunReport | _core.SearchReport | _core.WeightedReport) -> dict[str, Any]:
    fields = report.fields()
    fields["notes"] = tuple(in_python(note) for note in fields["notes"])
    return {name: tuple(value) if isinstance(value, list) else value for name, value in fields.items()}


def run_report(report: _core.RunReport) -> RunReport:
    return RunReport(**_fields(report))


def search_report(report: _core.SearchReport) -> SearchReport:
    return SearchReport(**_fields(report))


def weighted_report(report: _core.WeightedReport) -> WeightedReport:
    return WeightedReport(**_fields(report))


def _seconds(time_limit: float | None) -> float:
    """Returns a limit in the library's form: 0 is none."""
    if time_limit is None:
        return 0.0
    if isinstance(time_limit, bool) or not hasattr(time_limit, "__float__"):
        raise TypeError(f"time_limit: a number of seconds or None is needed, not {type(time_limit).__name__}")
    try:
        value = float(time_limit)
    except OverflowError:  # an int beyond all floats
        value = math.inf if time_limit > 0 else -math.inf
    if not value > 0:
        raise made(f"time_limit: {value:g}, expected more than 0 seconds; None is no limit", "HW-OPTION-TIME-LIMIT")
    return 0.0 if math.isinf(value) else value


def _threads(threads: int) -> int:
    if not 0 <= (threads := whole(threads, "threads")) <= _MOST_THREADS:
        raise made(f"threads: {threads}, expected 1 to {_MOST_THREADS}, or 0 for one per hardware thread", "HW-OPTION-THREADS")
    return threads


def _device(device: str, auto: str) -> str:
    if word(device, "device") not in _DEVICES:
        raise ValueError(f"device is one of {', '.join(_DEVICES)}, not {device!r}")
    return auto if device == "auto" else device


def asked(
    device: str,
    threads: int,
    seed: int,
    time_limit: float | None,
    progress: Progress,
    stop: Stop | None,
    unit: str = "step",
    total: int = 0,
    *,
    auto: str = "auto",
) -> AbstractContextManager[_core.Asked]:
    """Checks the keywords that every call has, and returns what the extension takes instead of them.

    `unit` and `total` (0: unknown) are those of a bar. `auto`: the device for "auto", if the library's own rule is another.
    """
    device, threads, seed, seconds = _device(device, auto), _threads(threads), count(seed, "seed"), _seconds(time_limit)
    if stop is not None and not callable(getattr(stop, "is_set", None)):
        raise TypeError(f"stop: an object with is_set(), such as threading.Event, or None is needed, not {type(stop).__name__}")
    if progress is None or progress is False:
        return nullcontext(_core.Asked(device, threads, seed, seconds, None, stop))
    if progress is not True and not callable(progress):
        raise TypeError(f"progress: True, a class such as tqdm.auto.tqdm or a function is needed, not {type(progress).__name__}")
    if progress is not True and not isinstance(progress.func if isinstance(progress, functools.partial) else progress, type):
        return nullcontext(_core.Asked(device, threads, seed, seconds, _stepped(progress), stop))
    return _with_bar(progress, unit, total, (device, threads, seed, seconds), stop)


def _stepped(function: Callable[[Step], Any]) -> Callable[..., bool]:
    """Returns what the extension calls: False ends the call, and nothing else that the caller's function returns."""

    def report(what: str, done: int, total: int, amount: int, longest: int) -> bool:
        answer = function(Step(what, done, total, amount, longest))
        return not (answer is False or (isinstance(answer, np.bool_) and not answer))

    return report


@contextmanager
def _with_bar(
    progress: Any, unit: str, total: int, words: tuple[str, int, int, float], stop: Stop | None
) -> Iterator[_core.Asked]:
    make = progress
    if progress is True:
        from tqdm.auto import tqdm as make
    bar = make(total=total or None, unit=unit)
    shown = ""

    def report(what: str, done: int, total: int, _amount: int, _longest: int) -> bool:
        nonlocal shown
        shown = shown or what
        if what == shown:  # a bar has one unit: that of the first part of the work
            if total:
                bar.total = total
            bar.update(done - bar.n)
        return True

    try:
        yield _core.Asked(*words, report, stop)
    finally:
        bar.close()
