"""scripts/gpu-sectors without a GPU: Nsight Compute's file is read, launches are matched with the simulator's, figures compared.

sectors_test.py TOOL    The counters are made up: the simulator's own, so that each difference is known.
"""
import contextlib
import importlib.machinery
import importlib.util
import io
import json
import math
import pathlib
import subprocess
import sys
import tempfile

root = pathlib.Path(__file__).resolve().parent.parent.parent
loader = importlib.machinery.SourceFileLoader("gpu_sectors", str(root / "scripts" / "gpu-sectors"))
script = importlib.util.module_from_spec(importlib.util.spec_from_loader("gpu_sectors", loader))
sys.dont_write_bytecode = True
loader.exec_module(script)
faults = []


def expect(what, found, wanted):
    if found != wanted:
        faults.append(f"{what}: {found!r}, expected {wanted!r}")


def ncu_file(rows, titles):
    """As ncu --csv --page raw writes it: its own lines, titles, units, and figures with a comma for each thousand."""
    quoted = lambda cells: ",".join(f'"{cell}"' for cell in cells)
    lines = ["==PROF== Connected to process 812 (/build-gpu/hopwave)", "==PROF== Profiling \"pmpp_edge_level\": 0%....50%....100% - 4 passes"]
    first = ["ID", "Process ID", "Process Name", "Host Name", "Kernel Name", "Context", "Stream", "Block Size", "Grid Size", "Device", "CC"]
    lines += [quoted([*first, *titles]), quoted([""] * 11 + ["sector"] * len(titles))]
    for i, (kernel, grid, block, figures) in enumerate(rows):
        lines.append(quoted([i, 812, "hopwave", "127.0.0.1", kernel, 1, 7, f"({block}, 1, 1)", f"({grid}, 1, 1)", 0, "9.0", *(f"{x:,}" for x in figures)]))
    return "\n".join([*lines, "==PROF== Disconnected from process 812", ""])


names = script.counters()
one = script.launches(ncu_file([("void hopwave::cuda::<unnamed>::pmpp_edge_level<unsigned int>(const T1 *, A<B> *)", 3, 256, range(1000, 1000 + len(names)))], names))
expect("launches", len(one), 1)
expect("kernel, grid, block", (one[0]["kernel"], one[0]["grid"], one[0]["block"]), ("pmpp_edge_level", 3, 256))
expect("reads", (one[0]["read requests"], one[0]["read sectors"]), (1000, 1001))
expect("atomics are both kinds", one[0]["atomic sectors"], 1006 + 1007)
for kernel in ("tree_scan_add(unsigned int *)", "void k::(anonymous namespace)::tree_scan_add<(int)4>(A<B>)", "tree_scan_add"):
    expect(kernel, script.launches(ncu_file([(kernel, 1, 1, range(len(names)))], names))[0]["kernel"], "tree_scan_add")
few = script.launches(ncu_file([("k(int)", 1, 1, range(len(names) - 1))], names[:-1]))[0]
expect("a figure that is not counted is none", (few["read sectors"], math.isnan(few["bank conflicts"])), (1, True))
try:
    script.launches(ncu_file([("k(int)", 1, 1, range(1))], names[:1]))
    faults.append("what is compared is missing, and nothing said so")
except RuntimeError as error:
    expect("the missing counter is named", names[1] in str(error), True)
with tempfile.TemporaryDirectory() as name:
    program = pathlib.Path(name) / "ncu"
    for listed, wanted in ((names, names), (names[:-1], names[:-1]), ([], names)):  # silent: it may know all
        lines = "".join(f"{one.split('.')[0]}   Counter  sector  # of sectors\\n" for one in listed)
        program.write_text(f"#!/bin/sh\nprintf '{lines}'\n")
        program.chmod(0o755)
        with contextlib.redirect_stdout(io.StringIO()):
            expect(f"of {len(listed)} counters", script.known_to(str(program)), wanted)


def kept(folder, strategy, factor, drop=0):
    """The files of a search: ncu's figures are `factor` times the simulator's."""
    words = [sys.argv[1], "bfs", "rmat:8,8", "-s", "maxdeg", "--strategy", strategy, "--device", "sim", "--explain", "--json", "-q"]
    found = json.loads(subprocess.run(words, capture_output=True, text=True, check=True).stdout)
    place = folder / f"rmat-8@maxdeg@{strategy}"
    place.mkdir(parents=True)
    (place / "sim.json").write_text(json.dumps(found))
    launches = found["searches"][0]["counts"]["launches"]
    name = f"void {strategy.replace('-', '_')}_level<unsigned int>(int)"
    rows = [] if drop else [(name, 9, 32, [77] * len(names))]  # before the levels
    for launch in launches:
        figures = script.figures_of(launch)
        row = [round(factor * figures[name] / len(counters)) for name, counters in script.COUNTERS.items() for _ in counters]
        launch["requests"] = None  # a GPU does not count them
        if launch["level"]:
            rows.append((name, launch["grid"], launch["block"], row))
    (place / "gpu.json").write_text(json.dumps(found))
    (place / "ncu.csv").write_text(ncu_file(rows[drop:], names))


def run(folder):
    with contextlib.redirect_stdout(io.StringIO()) as out:
        sys.argv = ["gpu-sectors", "--from", str(folder)]
        code = script.main()
    return code, out.getvalue()


tool = sys.argv[1]
FOUR = ["pmpp-vertex-push", "pmpp-vertex-pull", "pmpp-edge", "pmpp-private-frontier"]
for what, factor, drop, wanted, text in (("the same", 1, 0, 0, "4 of 4 kernels"), ("a third more", 1.33, 0, 1, "0 of 4 kernels"),
                                         ("a launch is missing", 1, 1, 1, "launches of other grids or blocks")):
    with tempfile.TemporaryDirectory() as name:
        for strategy in FOUR:
            sys.argv = ["", tool]
            kept(pathlib.Path(name), strategy, factor, drop)
        code, out = run(name)
        expect(what, code, wanted)
        if text not in out or (drop == 0 and "pmpp_edge_level" not in out):
            faults.append(f"{what}: no '{text}' in\n{out}")
        if factor == 1 and drop == 0 and ("bank conflicts" not in out or "atomic sectors" not in out):
            faults.append(f"{what}: figures are missing in\n{out}")

print("\n".join(faults) or "sectors_test: as expected")
sys.exit(bool(faults))
