#!/usr/bin/env python3
"""tidy.py SOURCE_DIR BUILD_DIR: runs clang-tidy with .clang-tidy over every C source of the program
that BUILD_DIR compiles, on all processors. Every finding is an error.

A source whose preprocessed text was clean with the same clang-tidy and the same .clang-tidy is not
checked again: BUILD_DIR/tidy_clean lists the digests. Exit code 77: clang-tidy 14, the version of
Debian 12, is not installed; other versions find other things."""

import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys

MAJOR = 14
SKIPPED = 77
# Clang has no such options, and they change no text.
COMPILER_ONLY = re.compile(r"-fanalyzer|-Wno-analyzer-.*")


def find_tool():
    """Returns the name of clang-tidy 14 and its version, or None."""
    for name in (f"clang-tidy-{MAJOR}", "clang-tidy"):
        if shutil.which(name):
            version = subprocess.run([name, "--version"], capture_output=True, text=True).stdout
            if re.search(rf"version {MAJOR}\.", version):
                return name, version
    return None


def read_sources(source_dir, build_dir):
    """Returns the compile command of each C source of the rooms, once per source."""
    commands = {}
    for entry in json.loads((build_dir / "compile_commands.json").read_text()):
        path = pathlib.Path(entry["file"]).resolve()
        if path.suffix == ".c" and path.is_relative_to(source_dir):
            room = path.relative_to(source_dir).parts[0]
            if room in ("app", "kernels", "render"):
                commands.setdefault(path, entry)
    return commands


def clang_arguments(entry):
    """Returns the options of an entry without compiler, launcher, source and output."""
    words = shlex.split(entry["command"])
    options = []
    skip = True
    for word in words:
        if word.startswith("-"):
            skip = word in ("-o", "-c")
        if not skip and not COMPILER_ONLY.fullmatch(word):
            options.append(word)
    return options


def digest_of(path, options, salt):
    """Returns the digest of what clang-tidy sees: the text with comments, because NOLINT is one."""
    text = subprocess.run(["cc", "-E", "-CC", *options, str(path)], capture_output=True)
    return hashlib.sha256(salt + text.stdout).hexdigest() if text.returncode == 0 else None


def check(tool, path, options, salt, clean):
    digest = digest_of(path, options, salt)
    if digest in clean:
        return digest, ""
    # One source per process: clang-tidy 14 reports faults that are none when it reads several.
    done = subprocess.run([tool, "--quiet", str(path), "--", *options], capture_output=True,
                          text=True)
    return digest, "" if done.returncode == 0 else done.stdout + done.stderr


def main():
    source_dir, build_dir = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
    found = find_tool()
    if found is None:
        print(f"skipped: clang-tidy {MAJOR} is not installed")
        return SKIPPED
    tool, version = found
    salt = version.encode() + (source_dir / ".clang-tidy").read_bytes()
    stamp = build_dir / "tidy_clean"
    clean = set(stamp.read_text().split()) if stamp.exists() else set()
    sources = read_sources(source_dir, build_dir)
    if not sources:
        print("no sources found: wrong folder?")
        return 1
    os.chdir(source_dir)
    wrong = 0
    kept = set()
    again = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 2) as pool:
        jobs = {pool.submit(check, tool, path, clang_arguments(entry), salt, clean): path
                for path, entry in sources.items()}
        for job in concurrent.futures.as_completed(jobs):
            digest, output = job.result()
            if output:
                print(output, end="", flush=True)
                wrong += 1
            elif digest:
                again += digest in clean
                kept.add(digest)
                with stamp.open("a") as lines:  # an interrupted run keeps what it has done
                    lines.write(digest + "\n")
    stamp.write_text("".join(digest + "\n" for digest in sorted(kept)))
    print(f"clang-tidy: {len(sources)} sources, {again} unchanged since they were clean, "
          f"{wrong} with findings")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
