#!/usr/bin/env python3
"""Checks the statements of the project's pages against the sources and the program.

Usage: test_docs.py SOURCE_DIR PROGRAM
       test_docs.py --rooms              prints the list of rooms for docs/architecture.md

Links and anchors have targets; named files, functions, options, keys and tests exist; the program
accepts each of its command lines; plots and claims are those of the recorded runs, and the list of
rooms is that of rooms.py.
"""
import filecmp
import gzip
import json
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True  # write nothing into the source tree
import rooms  # noqa: E402

KEY = re.compile(r"[A-Z0-9\[\]]|F1?[0-9]|Up|Down|Left|Right|Home|End|Space|Enter|Tab|Esc|"
                 r"Page(Up|Down)|Ctrl [+=-]")
FLAG = re.compile(r"--[a-z][a-z0-9-]*")
PATH = re.compile(r"(app|kernels|render|shaders|assets|tests|docs|cmake|packaging)/[\w./*-]+")
NAME = re.compile(r"((?:app|krn|ren)_\w+)(\(\))?")
OTHER_PROGRAMS = ("cmake", "ctest", "git", "python3", "cp ", "./test.sh", "flock", "srun", "cpack",
                  "apt-get", "docker", "--build-arg", "compute-sanitizer", "TEST_PROBE_MIB")


def pages(root):
    return [page for page in [root / "README.md", root / "CONTRIBUTING.md", root / "CHANGELOG.md",
                              root / "assets" / "README.md", *sorted((root / "docs").glob("*.md"))] if page.exists()]


def slug(heading):
    """Returns the anchor that GitHub gives a heading."""
    text = re.sub(r"[`*]", "", heading.strip().lower())
    return re.sub(r"[^\w\- ]", "", text).replace(" ", "-")


def split_page(text):
    """Returns the page's prose, its inline code and the command lines of its sh blocks."""
    commands = []
    for block in re.findall(r"^```sh\n(.*?)^```", text, re.M | re.S):
        joined = block.replace("\\\n", " ")
        commands += [line for line in joined.splitlines() if line.strip()]
    prose = re.sub(r"^```.*?^```", "", text, flags=re.M | re.S)
    return prose, re.findall(r"`([^`]+)`", prose), commands


def anchors(page):
    prose, _, _ = split_page(page.read_text(encoding="utf-8"))
    found = {}
    for heading in re.findall(r"^#{1,6} (.+)$", prose, re.M):
        name = slug(heading)
        found[name] = found.get(name, -1) + 1
    return {n if i == 0 else f"{n}-{i}" for n, last in found.items() for i in range(last + 1)}


def check_links(root, page, wrong):
    prose, _, _ = split_page(page.read_text(encoding="utf-8"))
    for target in re.findall(r"\]\(([^)\s]+)\)", re.sub(r"`[^`]*`", "", prose)):
        if re.match(r"[a-z]+:", target):
            continue
        path, _, anchor = target.partition("#")
        file = (page.parent / path).resolve() if path else page
        if not file.exists() or root.resolve() not in [file.resolve(), *file.resolve().parents]:
            wrong(page, f"link to {target}: no such file")
        elif anchor and anchor not in anchors(file):
            wrong(page, f"link to {target}: no such heading")


def check_paths(root, page, sources, wrong):
    _, codes, _ = split_page(page.read_text(encoding="utf-8"))
    for code in codes:
        if PATH.fullmatch(code) and not re.search(r"NAME|FILE", code):
            if not (root / code).exists() and not list(root.glob(code)):
                wrong(page, f"`{code}`: no such file")
        name = NAME.fullmatch(code)
        if name and not re.search(rf"\b{name[1]}\b", sources):
            wrong(page, f"`{code}`: not in the sources")


def check_commands(page, flags, keys, program, wrong):
    prose, codes, commands = split_page(page.read_text(encoding="utf-8"))
    for code in codes + commands:
        if not code.startswith(OTHER_PROGRAMS):
            for flag in FLAG.findall(code):
                if flag not in flags:
                    wrong(page, f"`{code}`: the program has no option {flag}")
    for code in codes:
        if KEY.fullmatch(code) and code not in keys:
            wrong(page, f"key `{code}`: not in the help")
    for first, last in re.findall(r"`(.)` to `(.)`", prose):
        if f"{first}-{last}" not in keys:
            wrong(page, f"keys `{first}` to `{last}`: the help has other ends")
    for line in commands + [c for c in codes if c.startswith(("./run.sh ", "spherescope "))]:
        words = shlex.split(line, comments=True)
        if not words or words[0] not in ("./run.sh", "spherescope"):
            continue
        if re.search(r"\b(FILE|NAME|WxH|N)\b", line):
            continue
        # The program parses the whole command line before it prints the version.
        run = subprocess.run([program, *words[1:], "--version"], capture_output=True, text=True,
                             check=False)
        if run.returncode != 0:
            wrong(page, f"{line}: {run.stderr.strip() or run.stdout.strip()}")


def help_of(program):
    """Returns the options and the names of keys that --help shows."""
    text = subprocess.run([program, "--help"], capture_output=True, text=True, check=True).stdout
    section = text.split("\nKeys in the window\n")[1].split("\n\n")[0]
    keys = set()
    for line in section.splitlines():
        shown = re.match(r"  (\S.*?)(?:  |$)", line)
        for name in re.split(r" or | (?![+=-])", shown[1]) if shown else []:
            keys.add(name)
            ends = re.fullmatch(r"(.)-(.)", name)
            if ends:
                keys.update(chr(c) for c in range(ord(ends[1]), ord(ends[2]) + 1))
    return set(FLAG.findall(text)), keys


def check_reach(root, wrong):
    """Checks that links from README.md reach every page."""
    reached, waiting = set(), [root / "README.md"]
    while waiting:
        page = waiting.pop().resolve()
        if page in reached or not page.exists():
            continue
        reached.add(page)
        for target in re.findall(r"\]\(([^)\s#]+\.md)", page.read_text(encoding="utf-8")):
            waiting.append(page.parent / target)
    for page in pages(root):
        if page.resolve() not in reached:
            wrong(page, "README.md does not lead here")


def check_plots(root, program, wrong):
    draws = Path(program).parent / "app" / "write_plots"
    if not draws.exists():
        wrong(root / "docs" / "images", "the target write_plots, which draws the plots, is not built")
        return
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([draws, root / "assets" / "runs", folder], check=True)
        for drawn in sorted(Path(folder).iterdir()):
            kept = root / "docs" / "images" / drawn.name
            if not kept.exists() or not filecmp.cmp(drawn, kept, shallow=False):
                wrong(kept, "not what write_plots draws; run it")


def table_rows(page):
    return [[cell.strip() for cell in line.strip("|").split("|")]
            for line in page.read_text(encoding="utf-8").splitlines()
            if line.startswith("| ")] if page.exists() else []


def check_claim_list(root, wrong):
    """Checks that docs/claims.md names every row of the claims board, and no other."""
    page, listed = root / "docs" / "claims.md", root / "app" / "spec" / "subjects.h"
    if not page.exists() or not listed.exists():
        return
    ids = set(re.findall(r'X\(\w+, "([a-z0-9-]+)",', listed.read_text(encoding="utf-8")))
    named = {code for row in table_rows(page) if len(row) == 4
             for code in re.findall(r"`([a-z0-9-]+)`", row[3])}
    for claim in sorted(ids - named):
        wrong(page, f"no sentence is judged by the claim {claim}")
    for claim in sorted(named - ids):
        wrong(page, f"{claim} is no claim of app/spec/subjects.h")


def verdict_words(root):
    """Returns what tables of claims say for each verdict of a record."""
    text = (root / "app" / "model" / "verdict.c").read_text(encoding="utf-8")
    table = re.search(r"entries\[APP_VERDICTS\] = (.*?)^};", text, re.M | re.S)[1]
    return dict(re.findall(r'\] = \{"([^"]+)".*?"([^"]+)"\},$', table, re.M | re.S))


def check_claims(root, wrong):
    """Checks that README.md and docs/claims.md show the claims of the recorded run: every one in at
    least one of them, and none with other numbers or another verdict."""
    run = root / "assets" / "runs" / "nvidia-h200-all.json.gz"
    if not run.exists():
        return
    words = verdict_words(root)
    rows = table_rows(root / "README.md") + table_rows(root / "docs" / "claims.md")
    for result in json.loads(gzip.decompress(run.read_bytes()))["results"]:
        if result["benchmark"] != "claims":
            continue
        told = result.get("outcome") or result["parameters"]
        numbers = re.findall(r"[0-9.]+", told["number"])
        found = [row for row in rows if row[0].startswith(told["claim"]) and
                 row[-1] in (*words, *words.values())]
        if not found or any(
                row[-1] != words[told["verdict"]] or len(row) < 4 or
                any(n not in re.findall(r"[0-9.]*[0-9]", row[2].split("[")[0]) for n in numbers)
                for row in found):
            wrong(root / "README.md", f"{run.name} says of the claim \"{told['claim']}\": "
                                      f"{told['number']}, {words[told['verdict']]}")


def rooms_list():
    """Returns the rooms of rooms.ROOMS and their purposes as a Markdown list."""
    return "".join(f"- `{room}`: {purpose}\n" for room, (_, purpose) in rooms.ROOMS.items())


def check_rooms(root, wrong):
    page = root / "docs" / "architecture.md"
    if not page.exists():
        return
    text = page.read_text(encoding="utf-8")
    found = re.search(r"<!-- rooms -->\n(.*?)<!-- /rooms -->", text, re.S)
    if not found or found[1] != rooms_list():
        wrong(page, "the list of rooms is not that of tests/structure/rooms.py; "
                    "tests/structure/test_docs.py --rooms prints it")


def check_faults(root, wrong):
    """Checks that every fault of docs/reliability.md has a promise and names tests that exist."""
    page = root / "docs" / "reliability.md"
    built = "\n".join(file.read_text(encoding="utf-8")
                      for file in sorted((root / "tests").rglob("CMakeLists.txt")))
    built = set(re.findall(r"[\w-]+", re.sub(r"#.*", "", built)))
    runs = set((root / "test.sh").read_text(encoding="utf-8").split())
    matrix = set(re.findall(r"\w+", (root / "tests" / "matrix.sh").read_text(encoding="utf-8")))
    faults = re.search(r"<!-- faults -->\n(.*?)<!-- /faults -->", page.read_text(encoding="utf-8"),
                       re.S)
    rows = [re.split(r"(?<!\\)\|", line)[1:-1] for line in faults[1].splitlines()[2:]
            if not line.startswith("| **")]  # a heading of faults
    for row in rows:
        names = re.findall(r"`([^`]+)`", row[-1])
        if len(row) != 3 or not row[1].strip() or not names:
            wrong(page, f"no fault with a promise and its tests: {row}")
        for name in names:
            script, *words = name.split()
            known = {*words[:1]} <= runs and {*words[1:]} <= matrix if script == "./test.sh" else (
                re.sub(r"^corpus_|_standin$", "", name) in built)
            if not known:
                wrong(page, f"{name} is no test: {row[0].strip()}")


def check(root, program):
    """Returns the mistakes found, one line each, and the number of pages."""
    found = []

    def wrong(page, words):
        found.append(f"{page.relative_to(root)}: {words}")

    flags, keys = help_of(program)
    sources = "\n".join(file.read_text(encoding="utf-8") for room in ("app", "kernels", "render")
                        for file in sorted((root / room).rglob("*"))
                        if file.suffix in (".c", ".h", ".cu", ".cuh", ".inc"))
    for page in pages(root):
        check_links(root, page, wrong)
        check_paths(root, page, sources, wrong)
        check_commands(page, flags, keys, program, wrong)
    check_reach(root, wrong)
    check_plots(root, program, wrong)
    check_rooms(root, wrong)
    check_claim_list(root, wrong)
    check_claims(root, wrong)
    check_faults(root, wrong)
    return found, len(pages(root))


def main():
    if sys.argv[1:] == ["--rooms"]:
        print(rooms_list(), end="")
        return
    root, program = Path(sys.argv[1]).resolve(), sys.argv[2]
    found, count = check(root, program)
    for line in found:
        print(line)
    print(f"{count} pages, {len(found)} mistakes")
    sys.exit(1 if found or count == 0 else 0)


if __name__ == "__main__":
    main()
