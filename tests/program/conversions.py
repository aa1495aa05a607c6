#!/usr/bin/env python3
"""Results in the formats that other programs read: CSV, JSON in pandas, metrics for Prometheus.

Usage: conversions.py SOURCE_DIR [standin]      the program is $SPHERESCOPE

With standin, the program has a stand-in for the CUDA runtime, and a run on two GPUs is converted.
Python's pandas and Prometheus's promtool are used where they are installed.
"""
import csv
import json
import math
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT, PROGRAM = Path(sys.argv[1]).resolve(), os.environ["SPHERESCOPE"]
SAMPLE = re.compile(r'([a-z_]+)(\{(?:[a-zA-Z_]\w*="(?:[^"\\\n]|\\["\\n])*",?)*\})? (\S+)')
LABEL = re.compile(r'([a-zA-Z_]\w*)="((?:[^"\\\n]|\\["\\n])*)"')
mistakes = 0


def check(holds, *words):
    global mistakes
    if not holds:
        mistakes += 1
        print("conversions.py:", *words)


def measure(frames, *options):
    done = subprocess.run([PROGRAM, "--size", "64x64", "--frames", frames, "--processes", "2",
                           *options], capture_output=True, text=True)
    check(done.returncode == 0, options, "exit", done.returncode, done.stderr)


def near(a, b):
    return math.isclose(float(a), float(b), rel_tol=1e-8)


def check_csv(record):
    text = Path("r.csv").read_bytes().decode("utf-8")
    check(text.count("\r\n") == text.count("\n") == len(record["results"]) + 1, "CSV: lines")
    rows = list(csv.DictReader(text.splitlines()))
    for row, result in zip(rows, record["results"]):
        check(row["variant"] == result["variant"] and
              near(row["median_ms"], result["metrics"]["median_ms"]), "CSV:", row)


def find(series, name, result, **more):
    """Returns the values of the series of a result that have these labels, too."""
    wanted = {("benchmark", result["benchmark"]), ("variant", result["variant"]), *more.items()}
    return [value for (family, labels), value in series.items()
            if family == name and wanted <= set(labels) and
            all((k, f"{v:.9g}") in labels for k, v in result["parameters"].items()
                if isinstance(v, (int, float)))]


def check_gpus(record, series):
    """Checks the times of every GPU against its processes; returns the number of GPUs."""
    gpus = {}
    for entry in record["run"].get("each", []):
        gpus.setdefault((str(entry["ordinal"]), entry["pci_id"]), []).append(entry["process"])
    if len(gpus) < 2:
        check(not any("_gpu_" in name for name, _ in series), "metrics of one GPU")
        return len(gpus)
    for result in record["results"]:
        for (gpu, pci_id), processes in gpus.items():
            times = [p["metrics"]["median_ms"] / 1e3 for p in result["processes"]
                     if p["process"] in processes]
            mean = math.exp(sum(map(math.log, times)) / len(times))
            found = find(series, "spherescope_gpu_time_seconds", result, gpu=gpu, pci_id=pci_id)
            wrong = find(series, "spherescope_gpu_wrong", result, gpu=gpu, pci_id=pci_id)
            check(len(found) == 1 and near(found[0], mean) and wrong == [0], result["variant"],
                  gpu, found, wrong)
    return len(gpus)


def check_metrics(record):
    """Checks every line of the text, and every time against the record."""
    families, series = {}, {}
    family = None
    for line in Path("r.prom").read_text(encoding="utf-8").split("\n")[:-1]:
        if line.startswith("# HELP "):
            family = line.split()[2]
            check(family not in families and line.endswith("."), "twice, or no sentence:", line)
            families[family] = None
        elif line.startswith("# TYPE "):
            check(line == f"# TYPE {family} gauge", line)
            families[family] = "gauge"
        else:
            sample = SAMPLE.fullmatch(line)
            check(sample and sample[1] == family and families[family], "not a sample:", line)
            labels = dict(LABEL.findall(sample[2] or ""))
            key = (sample[1], tuple(sorted(labels.items())))
            check(key not in series, "a series that is there twice:", line)
            series[key] = float(sample[3])
    for name in families:
        check(re.fullmatch(r"spherescope_[a-z_]+", name) and not re.search("_(ms|gb|kb|us)", name),
              "a name with a unit that is no base unit:", name)
    for result in record["results"]:
        found = find(series, "spherescope_time_seconds", result)
        check(len(found) == 1 and near(found[0], result["metrics"]["median_ms"] / 1e3),
              result["benchmark"], result["variant"], found)
    gpus = check_gpus(record, series)
    tool = shutil.which("promtool")
    if tool:
        with open("r.prom", "rb") as text:
            done = subprocess.run([tool, "check", "metrics"], stdin=text, capture_output=True,
                                  text=True)
        check(done.returncode == 0 and not done.stderr, "promtool:", done.stdout, done.stderr)
    print(f"{len(families)} families, {len(series)} series; promtool: {tool or 'not installed'}")
    return gpus


def check_pandas(record):
    """Runs the three lines that docs/formats.md gives."""
    docs = (ROOT / "docs/formats.md").read_text(encoding="utf-8")
    lines = re.search(r"```python\n(import json, pandas\n(?:.*\n){2})```", docs)
    check(lines, "docs/formats.md lacks the three lines")
    shutil.copy("r.json", "results.json")
    python = "/usr/bin/python3"
    if subprocess.run([python, "-c", "import pandas"], capture_output=True).returncode != 0:
        print("pandas: not installed")
        return
    done = subprocess.run([python, "-c", lines[1] + "print(len(table), "
                           "*table['metrics.median_ms'], sep='\\n')"],
                          capture_output=True, text=True)
    words = done.stdout.split()
    check(done.returncode == 0 and int(words[0]) == len(record["results"]) and
          all(near(a, r["metrics"]["median_ms"]) for a, r in zip(words[1:], record["results"])),
          "pandas:", done.stdout, done.stderr)
    print("pandas:", words[0], "rows")


def convert_two_gpus():
    os.environ["SPHERESCOPE_STANDIN"] = "devices:2"
    measure("6", "--device", "all", "--bench", "raytrace", "--modes", "book/global,book/constant",
            "--json", "r.json", "--prometheus", "r.prom")
    record = json.load(open("r.json", encoding="utf-8"))
    check(check_metrics(record) == 2, "not two GPUs")


def convert():
    cpu = ("--backend", "cpu")
    measure("6", *cpu, "--bench", "raytrace,saxpy", "--modes", "book/*,strip/*/8", "--json",
            "r.json", "--csv", "r.csv", "--prometheus", "r.prom")
    record = json.load(open("r.json", encoding="utf-8"))
    check_csv(record)
    check_metrics(record)
    check_pandas(record)
    # A duel has no time of its own.
    measure("1000", *cpu, "--duel", "book/global,book/constant", "--prometheus", "duel.prom")
    check("spherescope_duel_ratio{" in Path("duel.prom").read_text(), "a duel lacks its ratio")
    check(sorted(p.name for p in Path().iterdir()) ==
          ["duel.prom", "r.csv", "r.json", "r.prom", "results.json"], "other files are left")


def main():
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        if sys.argv[2:] == ["standin"]:
            convert_two_gpus()
        else:
            convert()
        os.chdir("/")
    sys.exit(1 if mistakes else 0)


main()
