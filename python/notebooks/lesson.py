"""What the notebooks share: kernels as they are in the library, searches in the simulator, pictures of what they did."""

from __future__ import annotations

from typing import Any

import matplotlib.pyplot as plt
from IPython.display import Markdown

import hopwave as hw

# The hues of the other pictures (Okabe & Ito 2008), which colour-blind readers can distinguish.
plt.rcParams["axes.prop_cycle"] = plt.cycler(
    color=["#0072b2", "#e69f00", "#009e73", "#d55e00", "#cc79a7", "#56b4e9", "#b8a800", "#7a7a7a"]
)
KINDS = ("rows", "neighbors", "tails", "levels", "parents", "queues", "flags", "other")


def kernel(strategy: str, cuda: bool = False) -> Markdown:
    """The kernels of a strategy or a printed listing (`literal:NAME`), after the functions of the sources that they call."""
    return Markdown(f"```c++\n{hw.strategy_source(strategy, cuda=cuda)}```")


def steps(listing: str) -> Markdown:
    """What a printed listing does, by the lines of the print."""
    rows = [f"| {place} | {what} |" for place, what in hw.listing_steps(listing)]
    return Markdown("\n".join(["| print | what a thread does |", "|---|---|", *rows]))


def search(
    graph: hw.Graph, strategy: str, source: Any = 0, trace: bool = False, parameters: dict[str, int] | None = None
) -> hw.Result:
    """A search in the simulator that counts what each thread does. Its distances are checked against the CPU's.

    `trace` notes every step; a kernel that takes several levels a launch then takes one.
    """
    searcher = hw.Searcher(graph, strategy=strategy, device="sim", trace=trace, counts=True, parameters=parameters)
    found = searcher.bfs(source)
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
    work = sum(launch["work"] for launch in all_of)
    steps = sum(launch["work"] / (1 - launch["divergence"]) for launch in all_of if launch["work"])  # waiting lanes too
    return {
        "launches": len(all_of),
        "threads": sum(launch["threads"] for launch in all_of),
        "with work": sum(launch["working"] for launch in all_of),
        "neighbours read": work,
        "longest": sum(launch["longest"] for launch in all_of),
        "idle %": round(100 * (1 - work / steps), 1) if steps else 0,
        "lanes per warp": round(sum(launch["working"] for launch in all_of) / warps, 1) if warps else 0,
        "global atomics": sum(launch["global_atomics"] for launch in all_of),
        "on one address": max((launch["most_on_one_address"] for launch in all_of), default=0),
        "bytes": sum(traffic(result).values()),
    }


def draw_figures(rows: dict[str, dict[str, Any]]) -> None:
    """A panel for each figure in which the searches differ, with a bar per search."""
    words = [word for word in next(iter(rows.values())) if len({row[word] for row in rows.values()}) > 1]
    if not words:
        return
    across = min(4, len(words))
    down = -(-len(words) // across)
    drawing, panels = plt.subplots(
        down, across, figsize=(2.6 * across, (0.8 + 0.22 * len(rows)) * down), squeeze=False, sharey=True, layout="constrained"
    )
    for panel, word in zip(panels.flat, words):
        bars = panel.barh(list(rows), [row[word] for row in rows.values()])
        panel.bar_label(bars, [f"{row[word]:,}" for row in rows.values()], fontsize=7, padding=2)
        panel.set_title(word, fontsize=9)
        panel.set_xticks([])
        panel.margins(x=0.35)
        panel.tick_params(labelsize=8)
    for panel in list(panels.flat)[len(words) :]:
        panel.axis("off")
    panels[0][0].invert_yaxis()  # all share it
    drawing.suptitle("What the searches did", fontsize=10)
    plt.show()


def compare(results: dict[str, hw.Result]) -> Markdown:
    """Bars, and a table with one row per search."""
    rows = {name: figures(result) for name, result in results.items()}
    if len(rows) > 1:
        draw_figures(rows)
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
    axes.set(title="Neighbours read in each level", xlabel="level", ylabel="neighbours", xticks=list(work))
    axes.legend(fontsize=8)
    plt.show()


def draw_traffic(results: dict[str, hw.Result]) -> None:
    """Bytes by kind, one bar per search."""
    _, axes = plt.subplots(figsize=(7, 0.6 + 0.35 * len(results)))
    left = [0] * len(results)
    for kind in KINDS:
        widths = [traffic(result)[kind] for result in results.values()]
        if any(widths):
            axes.barh(list(results), widths, left=left, label=kind)
        left = [a + b for a, b in zip(left, widths)]
    axes.invert_yaxis()
    axes.set(title="Bytes of device memory, read and written", xlabel="bytes")
    axes.legend(fontsize=8, ncols=4, loc="upper center", bbox_to_anchor=(0.5, -0.35 if len(results) < 4 else -0.2))
    plt.show()
