"""What scripts/tables, scripts/figures, scripts/report-test and scripts/reduce-results share about files in bench/results.

Files of hundreds of measurements that differ in a few figures are kept as rows. expanded() makes of rows what was measured, in the
form that `hopwave report` reads, or gpu-check writes.
"""
import json
import pathlib

results = pathlib.Path(__file__).resolve().parent.parent / "bench" / "results"
STRATEGY_ROWS = "hopwave-strategy-rows/1"
STRATEGY_COLUMNS = ["graph", "strategy", "min_ms", "median_ms", "levels", "launches", "round_trips", "scan"]
SURVEY_ROWS = "hopwave-survey-rows/1"
COLUMNS = ["graph", "strategy", "parameters", "least_ms", "median_ms", "greatest_ms", "teps", "levels", "launches", "round_trips"]


def load(name):
    """The file, expanded; None if it is not there."""
    path = results / name
    return expanded(json.loads(path.read_text())) if path.exists() else None


def expanded(data):
    """The content of a file of rows; any other unchanged."""
    if data.get("schema") == STRATEGY_ROWS:
        return dict(data, results=[strategy_of(data["graphs"], row) for row in data["rows"]])
    if data.get("schema") != SURVEY_ROWS:
        return data
    return {"schema": "hopwave-bench/1", "procedure": data["procedure"], "environment": data["environment"],
            "measurements": [measurement_of(data["graphs"], dict(zip(COLUMNS, row))) for row in data["rows"]], "pictures": []}


def measurement_of(graphs, row):
    zero = {"min": 0, "median": 0, "mean": 0, "max": 0, "deviation": 0, "harmonic_mean": 0}
    source = {"source": 0, "reached": 0, "arcs": 0, "depth": 0, "search_ms": [row["least_ms"]], "host_ms": [0]}
    times = {"min": row["median_ms"], "median": row["median_ms"], "mean": row["median_ms"], "max": row["greatest_ms"], "deviation": 0,
             "harmonic_mean": row["median_ms"]}
    return {"graph": graphs[row["graph"]], "strategy": row["strategy"], "device": "gpu", "parameters": row["parameters"],
            "prepared": False, "ran": row["strategy"], "verified": True, "search_ms": times, "host_ms": zero,
            "teps_harmonic_mean": row["teps"], "copy_ms": 0, "prepare_ms": 0, "levels": row["levels"], "launches": row["launches"],
            "round_trips": row["round_trips"], "sources": [source]}


def survey_rows(data):
    """A survey of one source a measurement, as rows. Traces and pictures are left out."""
    graphs, rows = [], []
    for m in data["measurements"]:
        if m.get("skipped") or len(m["sources"]) != 1 or not m["verified"]:
            raise SystemExit("survey_rows: a measurement that rows have no place for")
        if m["graph"] not in graphs:
            graphs.append(m["graph"])
        rows.append([graphs.index(m["graph"]), m["strategy"], m["parameters"], min(m["sources"][0]["search_ms"]),
                     m["search_ms"]["median"], m["search_ms"]["max"], m["teps_harmonic_mean"], m["levels"], m["launches"],
                     m["round_trips"]])
    return {"schema": SURVEY_ROWS, "procedure": data["procedure"], "environment": data["environment"], "graphs": graphs,
            "columns": COLUMNS, "rows": rows}


def strategy_of(graphs, row):
    """One strategy on one graph, as gpu-check writes it."""
    graph, strategy, least, median, levels, launches, trips, scan = row
    source = {"levels": levels, "launches": launches, "round_trips": trips, "round_trips_per_level": trips / levels if levels else 0}
    result = {"graph": graphs[graph]["graph"], "strategy": strategy, "min_ms": least, "median_ms": median, "sources": [source]}
    if scan:
        result["scan"] = [dict(parameters=parameters, **({"skipped": what} if isinstance(what, str) else {"median_ms": what}))
                          for parameters, what in scan]
    return result


def strategy_rows(data):
    """What gpu-check measured, as rows. Every answer was right, or there are no rows of it."""
    names, rows = [g["graph"] for g in data["graphs"]], []
    for r in data["results"]:
        if r["wrong_distances"] or any(row.get("wrong_distances") for row in r.get("scan", [])):
            raise SystemExit("strategy_rows: a wrong answer, which rows have no place for")
        first = r["sources"][0]
        scan = [[row["parameters"], row.get("skipped") or row["median_ms"]] for row in r.get("scan", [])]
        rows.append([names.index(r["graph"]), r["strategy"], r["min_ms"], r["median_ms"], first["levels"], first["launches"],
                     first["round_trips"], scan])
    kept = {k: v for k, v in data.items() if k != "results"}
    return dict(kept, schema=STRATEGY_ROWS, columns=STRATEGY_COLUMNS, rows=rows)
