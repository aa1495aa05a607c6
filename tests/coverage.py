#!/usr/bin/env python3
"""coverage.py SOURCE_DIR BUILD_DIR [LIST]: prints which share of the program's lines the tests have
reached in BUILD_DIR, a build with SPHERESCOPE_COVERAGE, by room and in all, and writes the lines that
they have not reached to LIST (default: BUILD_DIR/not_reached.txt). Host code counts, that is app,
render and kernels without kernels/cuda. Fails when the tests reach less than 90 % of it."""

import collections
import concurrent.futures
import json
import os
import pathlib
import shlex
import subprocess
import sys

LEAST_PERCENT = 90.0


def counted(path):
    """Returns whether a path relative to the sources is host code of the program."""
    parts = path.parts
    return parts[0] in ("app", "kernels", "render") and parts[:2] != ("kernels", "cuda")


def read_object(notes):
    """Returns gcov's report of an object file, which has no counts when the object never ran."""
    done = subprocess.run(["gcov", "--json-format", "--stdout", str(notes)], capture_output=True,
                          text=True, cwd=notes.parent)
    if done.returncode != 0:
        sys.exit(f"gcov cannot read {notes}: {done.stderr}")
    return [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]


def find_notes(source_dir, build_dir):
    """Returns the .gcno file of each object of the program."""
    for entry in json.loads((build_dir / "compile_commands.json").read_text()):
        source = pathlib.Path(entry["file"])
        words = shlex.split(entry["command"])
        notes = (build_dir / words[words.index("-o") + 1]).with_suffix(".gcno")
        if source.is_relative_to(source_dir) and notes.exists() \
                and counted(source.relative_to(source_dir)):
            yield notes


def count_lines(source_dir, build_dir):
    """Returns the number of runs of each line of each file. A file that is compiled for several
    processors counts once: a line is reached when one of its objects has run it."""
    files = collections.defaultdict(collections.Counter)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 2) as pool:
        for reports in pool.map(read_object, find_notes(source_dir, build_dir)):
            for report in reports:
                base = pathlib.Path(report["current_working_directory"])
                for file in report["files"]:
                    path = (base / file["file"]).resolve()
                    if not path.is_relative_to(source_dir):
                        continue
                    path = path.relative_to(source_dir)
                    if counted(path):
                        for line in file["lines"]:
                            files[path][line["line_number"]] += line["count"]
    return files


def ranges(numbers):
    """Returns line numbers as text: "3-5, 9"."""
    runs = []
    for number in sorted(numbers):
        if runs and number == runs[-1][1] + 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    return ", ".join(str(a) if a == b else f"{a}-{b}" for a, b in runs)


def percent(reached, lines):
    return 100.0 * reached / lines if lines else 100.0


def main():
    source_dir, build_dir = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
    listing = pathlib.Path(sys.argv[3]) if len(sys.argv) > 3 else build_dir / "not_reached.txt"
    files = count_lines(source_dir, build_dir)
    if not files:
        sys.exit(f"coverage: {build_dir} holds no objects with counts; "
                 "configure it with -DSPHERESCOPE_COVERAGE=ON")
    rooms = collections.defaultdict(lambda: [0, 0])
    missed = []
    for path, lines in sorted(files.items()):
        room = rooms[path.parent.as_posix()]
        room[0] += len(lines)
        room[1] += sum(count > 0 for count in lines.values())
        never = [number for number, count in lines.items() if count == 0]
        if never:
            missed.append(f"{path}: {ranges(never)}\n")
    listing.write_text("".join(missed))
    print(f"{'room':28} {'lines':>7} {'reached':>8}       %")
    for room, (lines, reached) in sorted(rooms.items()):
        print(f"{room:28} {lines:7} {reached:8}  {percent(reached, lines):6.1f}")
    lines, reached = (sum(room[i] for room in rooms.values()) for i in (0, 1))
    print(f"{'all':28} {lines:7} {reached:8}  {percent(reached, lines):6.1f}")
    print(f"coverage: {lines - reached} lines are not reached; {listing} lists them")
    if percent(reached, lines) < LEAST_PERCENT:
        print(f"coverage: less than {LEAST_PERCENT:.0f} % of the lines are reached")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
