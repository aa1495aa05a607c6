#!/usr/bin/python3
"""processes_table.py RECORD...: prints the medians of every process of the records as CSV, one line
per process in the order of their time stamps, one column per result: what the test
compare_recorded draws from. The line "tick_ms" has the clock's tick (0: unknown)."""
import json
import sys


def processes_of(record):
    """Yields (time stamp, {result: (median, tick)}) for each process."""
    environment = record["environment"]
    each = {e["process"]: e.get("time_utc", "") for e in record.get("run", {}).get("each", [])}
    found = {}
    for result in record["results"]:
        name = f"{result['benchmark']} {result['variant']}"
        parameters = result.get("parameters", {})
        if "axis" in parameters:
            name += f" {parameters[parameters['axis']]}"
        entries = result.get("processes") or [{"process": 1, "metrics": result["metrics"]}]
        for entry in entries:
            metrics = entry["metrics"]
            if metrics.get("median_ms", 0) > 0:
                found.setdefault(entry["process"], {})[name.replace(",", ";")] = (
                    metrics["median_ms"], metrics.get("tick_ms", 0))
    for process, medians in found.items():
        yield each.get(process, environment["time_utc"]), medians


rows = []
for path in sys.argv[1:]:
    with open(path, encoding="utf-8") as file:
        rows += processes_of(json.load(file))
rows.sort(key=lambda row: row[0])
columns = [name for name in (rows[0][1] if rows else {}) if all(name in row[1] for row in rows)]
print("process," + ",".join(columns))
print("tick_ms," + ",".join(f"{max(row[1][name][1] for row in rows):.9g}" for name in columns))
for number, (_, medians) in enumerate(rows, 1):
    print(f"{number}," + ",".join(f"{medians[name][0]:.9g}" for name in columns))
