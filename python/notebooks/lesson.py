"""What the notebooks share: kernels as they are in the sources, searches in the simulator, pictures of what they did."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
from IPython.display import Markdown

import hopwave as hw

SOURCES = Path(__file__).resolve().parents[2] / "src" / "bfs" / "strategy"
KINDS = ("rows", "neighbors", "tails", "levels", "parents", "queues", "flags", "other")


def kernel(strategy: str) -> Markdown:
    """The kernels of a strategy, from its source file or from those that strategies share."""
    name = strategy.replace("-", "_")
    texts = [path.read_text() for path in (SOURCES / f"{name}.cu", *sorted((SOURCES / "gpu").glob("*.h")))]
    pattern = rf"^(?:template <.*?>\n)?HW_KERNEL void {name}\w*\(.*?^\}}\n"
    found = [match for text in texts for match in re.findall(pattern, text, re.MULTILINE | re.DOTALL)]
    assert found, f"no kernel of {strategy} is in {SOURCES}"
    return Markdown("```c++\n" + "\n".join(found) + "```")


def search(graph: hw.Graph, strategy: str, source: Any = 0, trace: bool = False) -> hw.Result:
    """A search in the simulator that counts what each thread does. Its distances are checked against the CPU's.

    `trace` notes every step; a kernel that takes several levels a launch then takes one.
    """
    found = hw.Searcher(graph, strategy=strategy, device="sim", trace=trace, counts=True).bfs(source)
    assert (found.distance == hw.bfs(graph, source, device="cpu").distance).all()
    return found


def traffic(result: hw.Result) -> dict[str, int]:
    """Bytes of device memory that the search read and wrote, by kind."""
    both = [launch[way] for launch in result.run.counts for way in ("read", "written")]
    return {kind: sum(part[kind] for part in both) for kind in KINDS}


def figures(result: hw.Result) -> dict[str, Any]:
    """Sums over the launches of a search."""
    all_of = result.run.counts
    warps = sum(launch["working_warps"] for launch in all_of)
    return {
        "launches": len(all_of),
        "threads": sum(launch["threads"] for launch in all_of),
        "with work": sum(launch["working"] for launch in all_of),
        "neighbours read": sum(launch["work"] for launch in all_of),
        "lanes a warp": round(sum(launch["working"] for launch in all_of) / warps, 1) if warps else 0,
        "global atomics": sum(launch["global_atomics"] for launch in all_of),
        "on one address": max((launch["most_on_one_address"] for launch in all_of), default=0),
        "bytes": sum(traffic(result).values()),
    }


def compare(results: dict[str, hw.Result]) -> Markdown:
    """A table, a row a search."""
    rows = {name: figures(result) for name, result in results.items()}
    words = list(next(iter(rows.values())))
    lines = ["| | " + " | ".join(words) + " |", "|---|" + "---:|" * len(words)]
    lines += [f"| {name} | " + " | ".join(f"{row[word]:,}" for word in words) + " |" for name, row in rows.items()]
    return Markdown("\n".join(lines))


def draw_levels(results: dict[str, hw.Result]) -> None:
    """Neighbours read by the launches that look for each level."""
    _, axes = plt.subplots(figsize=(7, 2.6))
    for name, result in results.items():
        work = dict.fromkeys(range(1, result.depth + 2), 0)
        for launch in result.run.counts:
            if launch["level"] > 0:
                work[launch["level"]] += launch["work"]
        axes.plot(list(work), list(work.values()), marker="o", label=name)
    axes.set(xlabel="level", ylabel="neighbours read", xticks=list(work))
    axes.legend(fontsize=8)
    plt.show()


def draw_traffic(results: dict[str, hw.Result]) -> None:
    """Bytes by kind, a bar a search."""
    _, axes = plt.subplots(figsize=(7, 0.6 + 0.35 * len(results)))
    left = [0] * len(results)
    for kind in KINDS:
        widths = [traffic(result)[kind] for result in results.values()]
        if any(widths):
            axes.barh(list(results), widths, left=left, label=kind)
        left = [a + b for a, b in zip(left, widths)]
    axes.invert_yaxis()
    axes.set(xlabel="bytes of device memory")
    axes.legend(fontsize=8, ncols=4, loc="lower right", bbox_to_anchor=(1, 1))
    plt.show()
