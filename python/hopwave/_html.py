"""Pictures for notebooks: plain SVG, which needs no library and no network."""

from __future__ import annotations

import os
from html import escape
from pathlib import Path

import numpy as np
import numpy.typing as npt

_WIDTH, _HEIGHT, _LEFT, _BELOW = 360, 120, 8, 28


class Picture:
    """An SVG: notebooks show it, str() is its text."""

    __slots__ = ("_svg",)

    def __init__(self, svg: str) -> None:
        self._svg = svg

    def __str__(self) -> str:
        return self._svg

    def __repr__(self) -> str:
        return f"<hopwave.Picture: an SVG of {len(self._svg):,} letters>"

    def _repr_svg_(self) -> str:
        return self._svg

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the SVG to a file."""
        Path(path).write_text(self._svg, encoding="utf-8")


def bars(title: str, labels: list[str], counts: list[int]) -> str:
    """Returns bars with a logarithmic height; each shows its count under the pointer."""
    tallest = np.log2(1 + max(counts, default=0)) or 1.0
    step = (_WIDTH - 2 * _LEFT) / max(1, len(counts))
    every = -(-len(counts) // 12)  # more labels would overlap
    parts = [f'<text x="{_LEFT}" y="12" font-size="11" fill="currentColor">{escape(title)}</text>']
    for i, (label, count) in enumerate(zip(labels, counts)):
        height = (_HEIGHT - _BELOW - 16) * float(np.log2(1 + count) / tallest)
        x, y = _LEFT + i * step, _HEIGHT - _BELOW - height
        parts.append(
            f'<rect x="{x:.1f}" y="{y:.1f}" width="{max(1.0, step - 2):.1f}" height="{height:.1f}" fill="#4c78a8">'
            f"<title>{escape(label)}: {count:,}</title></rect>"
        )
        if i % every == 0:
            parts.append(f'<text x="{x:.1f}" y="{_HEIGHT - 12}" font-size="9" fill="currentColor">{escape(label)}</text>')
    return f'<svg width="{_WIDTH}" height="{_HEIGHT}" role="img" aria-label="{escape(title)}">{"".join(parts)}</svg>'


def table(caption: str, rows: dict[str, str]) -> str:
    cells = "".join(f"<tr><th>{escape(name)}</th><td>{escape(value)}</td></tr>" for name, value in rows.items())
    return f"<table><caption>{escape(caption)}</caption>{cells}</table>"


def degrees(offsets: npt.NDArray[np.uint64]) -> tuple[list[str], list[int]]:
    """Returns how many vertices have 0 arcs, 1, 2 to 3, 4 to 7 and so on."""
    each = np.diff(offsets.astype(np.int64))
    bins = np.bincount(np.frexp(each.astype(np.float64))[1]) if each.size else np.zeros(1, np.int64)
    labels = ["0", "1", *(f"{2**k}…" for k in range(1, len(bins)))][: len(bins)]
    return labels, [int(count) for count in bins]
