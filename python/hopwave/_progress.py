"""Progress bars: tqdm's, or anything that is made and moved like them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


@contextmanager
def bar(progress: Any, total: int, unit: str) -> Iterator[Any]:
    """`progress` is None, True for tqdm's own, or a class such as tqdm.auto.tqdm; gives a bar with update(), or None."""
    if progress is None or progress is False:
        yield None
        return
    if progress is True:
        from tqdm.auto import tqdm as progress
    made = progress(total=total, unit=unit)
    try:
        yield made
    finally:
        made.close()
