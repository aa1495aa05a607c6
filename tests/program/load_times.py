#!/usr/bin/env python3
"""Prints the frame times of the CPU backend beside busy loops, for one or more builds.

Usage: load_times.py PROGRAM... (each a spherescope; run by hand, takes about two minutes)

Each round runs every build in turn, so that other activity on the machine affects all of them. Each
line shows one case: median and 95th percentile, in ms, of the samples of all rounds. The samples are
those that a duel keeps.
"""
import json
import multiprocessing
import os
import subprocess
import sys
import tempfile

# On the CPU all storages read the same caches, so a duel of two of them repeats one mode.
CASES = [
    ("64x64 book", "book/global,book/readonly", "64x64"),
    ("64x64 strip/8", "strip/global/8,strip/readonly/8", "64x64"),
    ("1024x1024 strip/8", "strip/global/8,strip/readonly/8", "1024x1024"),
]
LOOPS = [0, 2, 4]
ROUNDS = 10
SECONDS = "0.25"


def spin():
    while True:
        pass


def samples(program, duel, size, folder):
    """Returns the times, in ms, of the last 2000 frames of one run."""
    record = os.path.join(folder, "run.json")
    subprocess.run([program, "--backend", "cpu", "--duel", duel, "--size", size, "--seconds",
                    SECONDS, "--json", record], check=True, stdout=subprocess.DEVNULL)
    with open(record, encoding="utf-8") as file:
        return json.load(file)["results"][0]["samples_ms"]


def percentile(values, share):
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def main():
    programs = sys.argv[1:]
    if not programs:
        sys.exit(__doc__)
    print(f"{'frame':18} {'loops':>5}  " + "  ".join(f"{os.path.relpath(p):>28}" for p in programs))
    with tempfile.TemporaryDirectory() as folder:
        for name, duel, size in CASES:
            for loops in LOOPS:
                busy = [multiprocessing.Process(target=spin, daemon=True) for _ in range(loops)]
                for process in busy:
                    process.start()
                taken = {program: [] for program in programs}
                for _ in range(ROUNDS):
                    for program in programs:
                        taken[program] += samples(program, duel, size, folder)
                for process in busy:
                    process.kill()
                    process.join()
                cells = [f"{percentile(v, 0.5):.4f} / {percentile(v, 0.95):.4f} ({len(v)})"
                         for v in taken.values()]
                print(f"{name:18} {loops:5}  " + "  ".join(f"{c:>28}" for c in cells), flush=True)


if __name__ == "__main__":
    main()
