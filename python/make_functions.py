"""Writes the parts of the packages that are made of the library's table of algorithms. The build calls it:
make_functions.py EXTENSION-FOLDER OUTPUT-FOLDER writes algorithms.py (hopwave/_algorithms.py) and networkx.py
(hopwave_networkx/table.py)."""

from __future__ import annotations

import re
import sys
import textwrap
from pathlib import Path
from typing import Any

PACKAGE = Path(__file__).parent / "hopwave"
PARAMETERS = {"count": "int", "real": "float", "word": "str", "vertex": "Any", "vertices": "Any", "truth": "bool"}
OUTPUTS = {
    "count": "int",
    "truth": "bool",
    "real": "float",
    "range": "tuple[int, int]",
    "vertex": "Any",
    "ends": "tuple[Any, Any] | None",
    "vertices": "list[Any]",
    "naturals": "npt.NDArray[np.uint32]",
    "integers": "npt.NDArray[np.int32]",
    "amounts": "npt.NDArray[np.int64]",
    "truths": "npt.NDArray[np.bool_]",
    "reals": "npt.NDArray[np.float64]",
}
WEIGHED = {"count": "float", "range": "tuple[float, float]", "integers": OUTPUTS["reals"]}
HOW = {
    "device": ('Device', '"auto"'),
    "threads": ("int", "0"),
    "seed": ("int", "1"),
    "time_limit": ("float | None", "None"),
    "progress": ("Progress", "None"),
    "stop": ("Stop | None", "None"),
}
HEAD = '''"""{}

Written by make_functions.py when the package is built."""

from __future__ import annotations

'''
IMPORTS = """from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from . import _results
from ._graph import Graph
from ._run import Device, Progress, RunReport, Stop
from ._table import run as _run, value as _value
from ._values import Values

"""


def literal(value: Any) -> str:
    return f'"{value}"' if isinstance(value, str) else repr(value)


def text(paragraphs: str, indent: int) -> str:
    """Returns a docstring."""
    lines = []
    for paragraph in f'"""{paragraphs}'.split("\n\n"):
        lines += textwrap.wrap(paragraph, 128 - indent, break_long_words=False, break_on_hyphens=False) + [""]
    lines[-1] = '"""'
    if len(lines) == 2:
        lines = [lines[0] + '"""']
    return textwrap.indent("\n".join(lines), " " * indent) + "\n"


def annotation(parameter: dict[str, Any]) -> str:
    if parameter["choices"]:
        return f"Literal[{', '.join(map(literal, parameter['choices']))}]"
    name = PARAMETERS[parameter["kind"]]
    return name if parameter["required"] or parameter["initial"] is not None or name == "Any" else f"{name} | None"


def function(row: dict[str, Any]) -> str:
    words = [f"    graph: Graph,\n"]
    named = False
    for parameter in row["parameters"]:
        if parameter["keyword"] and not named:
            words.append("    *,\n")
            named = True
        initial = bool(parameter["initial"]) if parameter["kind"] == "truth" else parameter["initial"]
        default = "" if parameter["required"] else f" = {literal(initial)}"
        words.append(f"    {parameter['name']}: {annotation(parameter)}{default},\n")
    if not named:
        words.append("    *,\n")
    words += [f"    {name}: {kind} = {default},\n" for name, (kind, default) in HOW.items()]
    values = ", ".join(f'"{parameter["name"]}": {parameter["name"]}' for parameter in row["parameters"])
    kind = row["result"] or output(row["outputs"][0])
    rest = f"{literal(row['function'])}, graph, {{{values}}}, ({', '.join(HOW)}))\n"
    call = f"    return _run({kind}, {rest}" if row["result"] else f"    found: {kind} = _value({rest}    return found\n"
    return f"def {row['function']}(\n{''.join(words)}) -> {kind}:\n{text(row['help'], 4)}{call}"


def output(of: dict[str, Any]) -> str:
    kind = of["kind"]
    return "Values" if of["ranked"] else OUTPUTS[kind] + (f" | {WEIGHED[kind]}" if of["weighed"] else "")


def result(row: dict[str, Any], bases: dict[str, str]) -> str:
    name = row["result"]
    base = name if name in bases else "FoundIn"
    lines = [f"@dataclass(frozen=True, repr=False, eq=False)\nclass {name}(_results.{base}):\n", text(row["result_help"], 4), "\n"]
    for each in row["outputs"]:
        lines.append(f"    {each['name']}: {output(each)}\n")
        if each["help"]:
            lines.append(text(each["help"], 4))
    lines.append("    run: RunReport\n")
    if row["partial"]:
        lines.append(text("If it is not complete, the values are what is known by then.", 4))
    if bases.get(name, "FoundIn") == "FoundIn":
        lines.append("    _graph: Graph = field(repr=False)\n")
    return "".join(lines)


def algorithms(table: list[dict[str, Any]]) -> str:
    bases = dict(re.findall(r"^class (\w+)\((\w+)\):", (PACKAGE / "_results.py").read_text(), re.MULTILINE))
    results = {row["result"]: result(row, bases) for row in table if row["result"]}
    names = sorted([*results, *(row["function"] for row in table)])
    parts = [*results.values(), *(function(row) for row in table)]
    listed = "__all__ = [\n" + "".join(f'    "{name}",\n' for name in names) + "]\n"
    return HEAD.format("The algorithms of the library's table.") + IMPORTS + listed + "".join(f"\n\n{part}" for part in parts)


def networkx(table: list[dict[str, Any]]) -> str:
    rows = [
        f'    "{row["networkx"]}": ("{row["function"]}", "{row["outputs"][0]["name"]}"),\n' for row in table if row["networkx"]
    ]
    return (
        HEAD.format("NetworkX's functions that return one value per node: the function of hopwave, and its array.")
        + "PER_NODE = {\n"
        + "".join(rows)
        + "}\n"
    )


def main() -> None:
    extension, folder = sys.argv[1], Path(sys.argv[2])
    sys.path.insert(0, extension)
    import _core

    table = _core.algorithms()
    (folder / "algorithms.py").write_text(algorithms(table), encoding="utf-8")
    (folder / "networkx.py").write_text(networkx(table), encoding="utf-8")


if __name__ == "__main__":
    main()
