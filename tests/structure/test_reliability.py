#!/usr/bin/env python3
"""Checks the table of faults in docs/reliability.md: every row has a promise and names tests, and
every named test exists.

Usage: test_reliability.py SOURCE_DIR BUILD_DIR

A test exists if CTest lists it for this build, or if tests/CMakeLists.txt adds it in another
configuration, or if it is a run or a configuration that ./test.sh has an option for. Then the checks must find the
mistakes planted for them.
"""
import re
import subprocess
import sys
from pathlib import Path

ADDS = re.compile(r"(?:sphere_test|sphere_window_test|sphere_script|add_test)\(\s*(?:NAME\s+)?"
                  r"([\w${}]+)")
STANDIN_ADDS = re.compile(r"sphere_standin_test\(\s*(\w+)")  # adds NAME_standin
LOOP = re.compile(r"foreach\((\w+) IN ITEMS\s+([^)]*)\)(.*?)endforeach\(\)", re.S)


def listed_tests(build):
    """Returns the names that CTest lists for this build."""
    text = subprocess.run(["ctest", "--test-dir", build, "-N"], capture_output=True, text=True,
                          check=True).stdout
    return set(re.findall(r"^ +Test +#\d+: (\S+)", text, re.M))


def written_tests(text):
    """Returns the names of all tests that a CMake file adds, in whatever configuration."""
    found = set()
    for variable, items, body in LOOP.findall(text):
        for name in ADDS.findall(body):
            found |= {name.replace(f"${{{variable}}}", item) for item in items.split()}
    found |= set(ADDS.findall(text)) | {f"{name}_standin" for name in STANDIN_ADDS.findall(text)}
    return {name for name in found if "$" not in name}


def matrix_names(text):
    """Returns the configurations of the matrix, also those that run by name only."""
    found = " ".join(re.findall(r"^(?:all|by_name)=\(([^)]*)\)", text, re.M))
    return {f"./test.sh --matrix {name}" for name in found.split()}


def runs(text):
    """Returns the calls of ./test.sh that run other tests than those of CTest."""
    return {f"./test.sh --{name}" for name in re.findall(r"== --(\w+) ]]", text)}


def check(page, tests):
    """Returns the mistakes in the page's table, and the number of its rows."""
    table = re.search(r"<!-- faults -->\n(.*?)<!-- /faults -->", page, re.S)
    if not table:
        return ["there is no table of faults"], 0
    wrong, seen = [], set()
    rows = [[cell.strip() for cell in re.split(r"(?<!\\)\|", line.strip().strip("|"))]
            for line in table[1].splitlines()[2:]]
    for row in rows:
        names = re.findall(r"`([^`]+)`", row[-1])
        if len(row) != 3 or not all(row):
            wrong.append(f"a row is not \"fault | promise | test\": {row}")
        elif not names or re.sub(r"`[^`]+`|[, ]", "", row[2]):
            wrong.append(f"no test, or more than names of tests: {row[0]}")
        elif row[0] in seen:
            wrong.append(f"twice: {row[0]}")
        wrong += [f"{name} is no test: {row[0]}" for name in names if name not in tests]
        seen.add(row[0])
    return wrong, len(rows)


def check_checks():
    """Returns the planted mistakes that were not found."""
    head = "<!-- faults -->\n| Fault | Promise | Test |\n| --- | --- | --- |\n"
    cmake = ("sphere_test(one cpu)\nadd_test(NAME two\n COMMAND x)\n"
             "sphere_standin_test(c \"\")\n"
             "foreach(name IN ITEMS\n  a b)\n sphere_test(${name} cpu)\n"
             " add_test(NAME ${name}_mono COMMAND x)\nendforeach()\n")
    tests = written_tests(cmake) | matrix_names("all=(asan cuda)\n")
    lost = [] if tests == {"one", "two", "a", "b", "a_mono", "b_mono", "c_standin",
                           "./test.sh --matrix asan", "./test.sh --matrix cuda"} else [f"tests found: {sorted(tests)}"]
    sound = "| f | p | `one`, `b_mono`, `./test.sh --matrix asan` |\n"
    for rows, expected in ((sound, ""), ("| f | p | `gone` |\n", "gone is no test"),
                           ("| f | p | soon |\n", "no test"), ("| f | p | |\n", "is not"),
                           ("| f | | `one` |\n", "is not"), ("| f | `one` |\n", "is not"),
                           ("| f | p | `one` later |\n", "more than names"),
                           (sound + sound, "twice")):
        wrong, count = check(head + rows + "<!-- /faults -->\n", tests)
        if (expected not in "\n".join(wrong)) if expected else wrong or count != 1:
            lost.append(f"{rows!r}: {wrong}")
    if not check("# Reliability\n", tests)[0]:
        lost.append("a page without the table")
    return lost


def main():
    root, build = Path(sys.argv[1]), sys.argv[2]
    cmake = (root / "tests" / "CMakeLists.txt").read_text(encoding="utf-8")
    listed, written = listed_tests(build), written_tests(cmake)
    matrix = matrix_names((root / "tests" / "matrix.sh").read_text(encoding="utf-8"))
    others = runs((root / "test.sh").read_text(encoding="utf-8"))
    page = (root / "docs" / "reliability.md").read_text(encoding="utf-8")
    wrong, count = check(page, listed | written | matrix | others)
    lost = check_checks()
    if not listed or not matrix:
        wrong.append("CTest or the matrix lists nothing")
    for line in wrong + [f"not found: {line}" for line in lost]:
        print(f"docs/reliability.md: {line}")
    print(f"{count} rows, {len(listed | written)} tests, {len(wrong + lost)} mistakes")
    sys.exit(1 if wrong or lost or count == 0 else 0)


if __name__ == "__main__":
    main()
