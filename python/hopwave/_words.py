"""The library's messages in Python's words: the library names options as its command-line tool does."""

from __future__ import annotations

import re

# Texts for which the option's own name is not enough.
_PHRASES = {
    "ignore directions (Direction::both, --direction both)": 'ignore directions (direction="both")',
    "make it undirected (--undirected)": "make it undirected (Graph.to_undirected())",
    "--directed writes both arcs of every edge": "Graph.to_directed() has both arcs of every edge",
    "drop self-loops (--clean)": "drop self-loops (read() and from_edges() do unless keep_self_loops=True)",
    "build_graph() makes such arrays from any list of edges": "Graph.from_edges() takes edges in any order",
    "pass it as directed, or let build_graph() add the other direction": (
        "say directed=True, or let Graph.from_edges() or to_undirected() add the other direction"
    ),
    "build_graph() makes the same graph on the CPU": "Graph.from_edges() makes the same graph on the CPU",
    "one of those that `hopwave convert --help` lists": "one of those in docs/formats.md",
    "`hopwave doctor`": "hopwave.device_info()",
    "`hopwave strategies`": "hopwave.strategies()",
    "`hopwave estimate`": "the command hopwave estimate",
    "`hopwave strategies show": "the command `hopwave strategies show",
    "`hopwave strategies literal`": "the command `hopwave strategies literal`",
    "make it again: hopwave convert GRAPH OUT.hwg --prepare": "make it again with the command hopwave convert and its option prepare",
    "make it again with hopwave convert": "make it again with Graph.write()",
    "a printed listing, with its faults, in the simulator: its answer may be wrong, --verify checks it": (
        "a printed listing, with its faults, in the simulator: its answer may be wrong"
    ),
    "--mode each makes one search per source": "Searcher.each() makes one search per source",
    "mpirun with --device cpu": "the command under mpirun on CPUs",
    " in --columns": " in columns",
    "as --columns needs": "as columns needs",
    "for --missing-weight": "for missing_weight",
    "(--missing-weight)": "(missing_weight)",
    "share the graph among more GPUs, or name --device cpu": 'share the graph among more gpus, or device="cpu"',
    "leave --bipartite out": "leave bipartite out",
    "without --prepare": "without prepare",
}

# Options that are keywords of another name, or are set to one value.
_KEYWORDS = {
    "undirected": "directed=False",
    "directed": "directed=True",
    "no-bipartite": "bipartite=False",
    "no-weights": "weights=False",
    "input-format": "format",
    "to": "format",
    "param": "parameters",
}
_SWITCHES = {"lenient", "allow-huge", "decimal-comma", "drop-zeros", "bipartite", "renumber", "prepare", "keep-self-loops", "keep-duplicates", "cache"}
# What follows an option as its value; other words that follow belong to the sentence.
_VALUES = {
    "device": r"auto|cpu|gpu|sim",
    "direction": r"out|in|both",
    "header": r"yes|no",
    "columns": r"[a-z]+=(?:[^\s;)]*[^\s;),.:])?",
    "input-format": r"[a-z0-9-]*(?:names|list|cedge|metis|adjacency)\b|NAME",
    "missing-weight": r"NUMBER|drop|error",
    "param": r"[a-z_]+=\d+",
}
_OPTION = re.compile(rf"--({'|'.join(sorted({*_KEYWORDS, *_SWITCHES, *_VALUES}, key=len, reverse=True))})\b")


def _keyword(option: str, value: str) -> str:
    name = _KEYWORDS.get(option, option.replace("-", "_"))
    if option in _SWITCHES:
        return f"{name}=True"
    if not value:
        return name if "=" in name else f"{name}="
    if option == "header":
        return f"header={value == 'yes'}"
    if option == "param":
        key, _, number = value.partition("=")
        return f'{name}={{"{key}": {number}}}'
    return f"{name}={value}" if value == "NUMBER" else f'{name}="{value}"'


def in_python(text: str) -> str:
    """Returns `text` with the tool's options as keywords of this package."""
    for phrase, ours in _PHRASES.items():
        text = text.replace(phrase, ours)
    parts, at = [], 0
    while found := _OPTION.search(text, at):
        option = found[1]
        value = re.compile(rf" ({_VALUES[option]})").match(text, found.end()) if option in _VALUES else None
        parts += [text[at : found.start()], _keyword(option, value[1] if value else "")]
        at = value.end() if value else found.end()
    return "".join(parts) + text[at:]
