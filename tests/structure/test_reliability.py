#!/usr/bin/env python3
"""Checks the table of faults in docs/reliability.md against the list in tests/structure/faults.md,
and the tests that both rest on.

Usage: test_reliability.py SOURCE_DIR BUILD_DIR

Every row of the page has a promise and names tests. A test exists if tests/CMakeLists.txt adds it
to the default test suite, with or without CUDA, or if it is a configuration of ./test.sh --matrix
or another run of ./test.sh that has a script of its own.

Every row of the list is split into parts: single faults and single promises. Each part names rows
of the page, and in each of these rows one of the tests must run in the default suite, with the
label cpu, gl or cli, both with CUDA and without, unless the list says why not. Every row of the
page is named by a part or is an addition, for which the same holds. Finally, the checks must find
the mistakes planted for them.
"""
import json
import platform
import re
import subprocess
import sys
from pathlib import Path

DEFAULT_LABELS = {"cpu", "gl", "cli"}
RUN = "./test.sh "
# Why a part is not held by the default suite on every machine.
LIMITS = ("nvcc", "by name", "no test")

# CMake: the beginning of a command, and its arguments.
COMMENT = re.compile(r"#\[(=*)\[.*?\]\1\]|#[^\n]*", re.S)
COMMAND = re.compile(r"(\w+)\s*\(")
ARGUMENT = re.compile(r'"((?:[^"\\]|\\.)*)"|([()])|((?:[^\s()"#\\]|\\.|"[^"]*")+)', re.S)
VARIABLE = re.compile(r"\$\{(\w+)\}")
ENDS = {"if": "endif", "foreach": "endforeach", "function": "endfunction"}
FALSE = ("", "0", "OFF", "NO", "FALSE", "N", "IGNORE", "NOTFOUND")


def cmake_commands(text):
    """Returns the commands of a CMake file: names with lists of arguments. An argument is its text,
    and whether it was quoted."""
    found, at = [], 0
    while at < len(text):
        comment, command = COMMENT.match(text, at), COMMAND.match(text, at)
        if comment:
            at = comment.end()
        elif command:
            arguments, depth, at = [], 1, command.end()
            while depth > 0:
                token = COMMENT.match(text, at) or ARGUMENT.match(text, at)
                if token is None or token.re is COMMENT:
                    at = token.end() if token else at + 1
                    if at > len(text):
                        raise ValueError(f"{command[1]}() does not end")
                    continue
                at = token.end()
                depth += {"(": 1, ")": -1}.get(token[2], 0)
                if depth > 0:
                    text_of = token[1] if token[1] is not None else token[2] or token[3]
                    arguments.append((text_of, token[1] is not None))
            found.append((command[1].lower(), arguments))
        else:
            at += 1
    return found


class Suite:
    """The tests that CMake files add in one configuration, with their labels. Knows as much of the
    language as decides on tests: conditions, loops, functions, lists and properties."""

    def __init__(self, read, facts, targets):
        """read: returns the text of a path, or None; facts: variables; targets: of other files."""
        self.read, self.facts, self.targets = read, facts, set(targets)
        self.labels, self.functions = {}, {}
        self.include("CMakeLists.txt", {}, "")

    def include(self, path, variables, folder):
        text = self.read(path)
        if text is not None:
            self.run(cmake_commands(text), variables, folder)

    def expand(self, arguments, variables):
        """Returns the arguments with the values of variables. A list becomes several arguments."""
        found = []
        for text, quoted in arguments:
            whole = VARIABLE.fullmatch(text)
            if whole and not quoted:
                found += [(value, False) for value in self.value(whole[1], variables)]
                continue
            while VARIABLE.search(text):
                text = VARIABLE.sub(lambda m: ";".join(self.value(m[1], variables)), text)
            found.append((text, quoted))
        return found

    def value(self, name, variables):
        if name in variables:
            return variables[name]
        fact = self.facts.get(name, "")
        return [fact] if fact else []

    def holds(self, arguments, variables):
        """Returns whether a condition is true."""
        words, at, text = self.expand(arguments, variables), 0, []

        def operand(word):
            name, quoted = word
            known = not quoted and (name in variables or name in self.facts)
            return ";".join(self.value(name, variables)) if known else name

        while at < len(words):
            word = words[at][0]
            second = words[at + 1][0] if at + 1 < len(words) else ""
            if word in ("AND", "OR", "NOT", "(", ")"):
                text.append(word.lower())
                at += 1
            elif word == "TARGET":
                text.append(str(second in self.targets))
                at += 2
            elif second in ("MATCHES", "STREQUAL"):
                left, right = operand(words[at]), words[at + 2:at + 3]
                same = bool(right) and (
                    re.search(right[0][0], left) is not None if second == "MATCHES"
                    else left == operand(right[0]))
                text.append(str(same))
                at += 3
            else:
                shown = operand(words[at])
                constant = shown == word and word not in ("1", "ON", "YES", "TRUE", "Y")
                text.append(str(not constant and shown not in FALSE
                                and not shown.endswith("-NOTFOUND")))
                at += 1
        try:
            return eval(" ".join(text), {"__builtins__": {}})  # words of the list above alone
        except SyntaxError as error:
            raise ValueError(f"a condition is not understood: {arguments}") from error

    def run(self, commands, variables, folder):
        at = 0
        while at < len(commands):
            name, arguments = commands[at]
            if name not in ENDS:
                self.call(name, arguments, variables, folder)
                at += 1
                continue
            end, depth = at, 0
            while True:
                depth += (commands[end][0] in ENDS) - (commands[end][0] in ENDS.values())
                if depth == 0:
                    break
                end += 1
            body, at = commands[at + 1:end], end + 1
            if name == "if":
                self.choose(arguments, body, variables, folder)
            elif name == "foreach":
                words = [word for word, _ in self.expand(arguments, variables)]
                items = words[1:]
                if items[:1] == ["IN"]:
                    items = items[2:] if items[1] == "ITEMS" else [
                        value for word in items[2:] for value in self.value(word, variables)]
                for item in items:
                    variables[words[0]] = [item]
                    self.run(body, variables, folder)
            else:
                self.functions[arguments[0][0].lower()] = (arguments[1:], body)

    def choose(self, condition, body, variables, folder):
        """Runs the branch of an if() whose condition is true."""
        branches, depth = [(condition, [])], 0
        for command in body:
            depth += (command[0] in ENDS) - (command[0] in ENDS.values())
            if depth == 0 and command[0] in ("elseif", "else"):
                branches.append((command[1] if command[0] == "elseif" else [("TRUE", False)], []))
            else:
                branches[-1][1].append(command)
        for condition, commands in branches:
            if self.holds(condition, variables):
                self.run(commands, variables, folder)
                return

    def call(self, name, arguments, variables, folder):
        words = [word for word, _ in self.expand(arguments, variables)]
        if name in self.functions:
            parameters, body = self.functions[name]
            own = dict(variables)
            for (parameter, _), word in zip(parameters, words):
                own[parameter] = [word]
            own["ARGN"] = words[len(parameters):]
            self.run(body, own, folder)
        elif name == "set":
            variables[words[0]] = words[1:]
        elif name == "list" and words[0] == "APPEND":
            variables[words[1]] = variables.get(words[1], []) + words[2:]
        elif name in ("add_library", "add_executable", "add_custom_target"):
            self.targets.add(words[0])
        elif name == "add_test":
            self.labels[words[1] if words[0] == "NAME" else words[0]] = set()
        elif name == "set_tests_properties":
            end = words.index("PROPERTIES")
            for key, value in zip(words[end + 1::2], words[end + 2::2]):
                if key == "LABELS":
                    self.labels.update((test, set(value.split(";"))) for test in words[:end])
        elif name == "set_property" and words[0] == "TEST" and "LABELS" in words:
            end = words.index("PROPERTY")
            for test in words[1:end]:
                if test != "APPEND":
                    old = self.labels[test] if "APPEND" in words[:end] else set()
                    self.labels[test] = old | set(words[end + 2:])
        elif name == "add_subdirectory":
            below = f"{folder}{words[0]}/"
            self.include(f"{below}CMakeLists.txt", dict(variables), below)


def suite(read, cuda, **others):
    """Returns the tests with their labels of a build with window and pictures; others: facts that
    differ from those of the build of ./test.sh."""
    facts = {"SPHERESCOPE_GUI": "ON", "SPHERESCOPE_CXX": "c++", "CMAKE_BUILD_TYPE": "Release",
             "SPHERESCOPE_HAVE_CUDA": "ON" if cuda else "", "CMAKE_SYSTEM_PROCESSOR": "x86_64"}
    targets = {"render", "spherescope"} | ({"CUDA::cudart"} if cuda else set())
    return Suite(read, facts | others, targets).labels


def listed_tests(build):
    """Returns the tests that CTest lists for this build, with their labels."""
    text = subprocess.run(["ctest", "--test-dir", build, "--show-only=json-v1"],
                          capture_output=True, text=True, check=True).stdout
    return {test["name"]: {label for entry in test.get("properties", [])
                           if entry["name"] == "LABELS" for label in entry["value"]}
            for test in json.loads(text)["tests"]}


def check_reading(read, build, listed):
    """Returns how the CMake files as read here differ from what CTest lists for this build."""
    cache = Path(build, "CMakeCache.txt").read_text(encoding="utf-8")
    facts = dict(re.findall(r"^((?:SPHERESCOPE|CMAKE_BUILD_TYPE|COMPUTE_SANITIZER|EMBREE)\w*):\w+="
                            r"(.*)$", cache, re.M))
    facts["CMAKE_SYSTEM_PROCESSOR"] = platform.machine()
    cuda = "standin" in listed or "lost_gpu" in listed
    if "picture" not in listed:
        return []  # a build without window and pictures
    found = suite(read, cuda, **facts)
    wrong = [f"CTest lists {name}, and tests/CMakeLists.txt as read here does not"
             for name in sorted(set(listed) - set(found))]
    wrong += [f"tests/CMakeLists.txt adds {name}, and CTest does not list it: build again"
              for name in sorted(set(found) - set(listed))]
    return wrong + [f"{name} has the labels {sorted(listed[name])}, not {sorted(found[name])}"
                    for name in sorted(set(found) & set(listed)) if found[name] != listed[name]]


def matrix_names(text):
    """Returns the configurations of the matrix, also those that run by name only."""
    found = " ".join(re.findall(r"^(?:all|by_name)=\(([^)]*)\)", text, re.M))
    return {f"{RUN}--matrix {name}" for name in found.split()}


def runs(text):
    """Returns the calls of ./test.sh that hand over to a script of tests of their own. The matrix
    takes the name of a configuration."""
    found = re.findall(r"== --(\w+) \]\]; then\n\s+shift\n\s+exec \"\$root/tests/", text)
    return {f"{RUN}--{name}" for name in found if name != "matrix"}


def table(text, mark):
    """Returns the rows of the table between <!-- mark --> and <!-- /mark -->, or None."""
    found = re.search(rf"<!-- {mark} -->\n(.*?)<!-- /{mark} -->", text, re.S)
    return found and [[cell.strip() for cell in re.split(r"(?<!\\)\|", line.strip()[1:-1])]
                      for line in found[1].strip().splitlines()[2:]]


def names_in(cell):
    return re.findall(r"`([^`]+)`", cell)


def check_page(page, tests):
    """Returns the mistakes in the page's table, and its rows."""
    rows = table(page, "faults")
    if not rows:
        return ["there is no table of faults"], []
    wrong, seen = [], set()
    for row in rows:
        names = names_in(row[-1])
        if len(row) != 3 or not all(row):
            wrong.append(f"a row is not \"fault | promise | test\": {row}")
        elif not names or re.sub(r"`[^`]+`|[, ]", "", row[2]):
            wrong.append(f"no test, or more than names of tests: {row[0]}")
        elif row[0] in seen:
            wrong.append(f"twice: {row[0]}")
        wrong += [f"{name} is no test: {row[0]}" for name in names if name not in tests]
        seen.add(row[0])
    return wrong, [row for row in rows if len(row) == 3]


def find_row(rows, words):
    """Returns the row of the page whose fault begins with these words, and why there is none."""
    found = [row for row in rows if row[0].startswith(words)]
    if not words or len(found) != 1:
        return None, f"\"{words}\" begins {len(found)} rows of docs/reliability.md"
    return found[0], None


def check_limit(part, limit, tests, suites):
    """Returns what is wrong with the tests of a part, or None. limit: why the default suite does
    not hold it everywhere; suites: with CUDA and without."""
    kind, _, reason = limit.partition(": ")
    if limit and (kind not in LIMITS or len(reason.split()) < 3):
        return f"\"{limit}\" is none of {', '.join(LIMITS)}, with a reason: {part}"
    held = [any(labels.get(name, set()) & DEFAULT_LABELS for name in tests) for labels in suites]
    if kind == "no test":
        return None
    if kind == "by name":
        by_name = [name for name in tests if name.startswith(RUN) or
                   any(name in labels and not labels[name] & DEFAULT_LABELS for labels in suites)]
        return None if by_name else f"no run by name and no test of a GPU: {part}"
    if kind == "nvcc":
        return None if held[0] else f"no test of the default suite with CUDA: {part}"
    return None if all(held) else f"no test of the default suite on every machine: {part}"


def check_list(text, rows, suites):
    """Returns the mistakes in the list, and its number of parts: rows without parts, parts that the
    page or the default suite does not hold, and rows of the page that the list does not know."""
    listed, parts, added = (table(text, mark) for mark in ("rows", "parts", "additions"))
    if not listed or not parts or added is None:
        return ["the list lacks a table"], 0
    wrong, named = [], set()
    left = {row[0]: "; ".join(row[1:]) for row in listed}
    if list(left) != [str(n + 1) for n in range(len(listed))]:
        wrong.append(f"the rows are not numbered from 1: {list(left)}")
    wrong += [f"a part does not have four cells: {part}" for part in parts if len(part) != 4]
    wrong += [f"an addition does not have three cells: {row}" for row in added if len(row) != 3]
    added = [row for row in added if len(row) == 3]
    # Longer parts first: a shorter one may be a piece of them.
    for number, part, openings, limit in sorted((part for part in parts if len(part) == 4),
                                                key=lambda part: -len(part[1])):
        if not part or part not in left.get(number, ""):
            wrong.append(f"row {number} of the list does not say \"{part}\"")
            continue
        left[number] = left[number].replace(part, "\n", 1)
        for words in openings.split("; "):
            row, why = find_row(rows, words)
            if row is None:
                wrong.append(f"{why}: {part}")
                continue
            named.add(row[0])
            why = check_limit(f"{part} ({words})", limit, names_in(row[2]), suites)
            wrong += [why] if why else []
    for number, rest in left.items():
        rest = re.sub(r"\b(?:and|or)\b|[\s;:,.()]", "", rest)
        if rest:
            wrong.append(f"row {number} of the list has no part for \"{rest}\"")
    for words, _, limit in added:
        row, why = find_row(rows, words)
        if row is None:
            wrong.append(f"{why}: an addition")
        elif row[0] in named:
            wrong.append(f"no addition, because the list names it: {row[0]}")
        else:
            named.add(row[0])
            why = check_limit(words, limit, names_in(row[2]), suites)
            wrong += [why] if why else []
    return wrong + [f"neither in the list nor an addition: {row[0]}" for row in rows
                    if row[0] not in named], len(parts)


PAGE_HEAD = "<!-- faults -->\n| Fault | Promise | Test |\n| --- | --- | --- |\n"
PAGE_END = "<!-- /faults -->\n"
PLANTED_CMAKE = """
# sphere_test(commented cpu)
#[[ sphere_test(bracketed cpu) ]]
function(sphere_test name label)
    add_test(NAME ${name} COMMAND test_${name}) # add_test(NAME behind COMMAND x)
    set_tests_properties(${name} PROPERTIES LABELS ${label} TIMEOUT 9)
endfunction()
sphere_test(one cpu)
sphere_test(card gpu)
if(TARGET render AND NOT (SPHERESCOPE_SANITIZE OR SPHERESCOPE_LONG_TESTS))
    sphere_test(drawn gl)
endif()
if(SPHERESCOPE_HAVE_CUDA AND SPHERESCOPE_CXX)
    set(all standin)
    sphere_test(standin cli)
    if(SPHERESCOPE_LONG_TESTS)
        sphere_test(long standin)
    endif()
    set_property(TEST ${all} APPEND PROPERTY LABELS standin)
elseif(CMAKE_BUILD_TYPE MATCHES "^Rel")
    sphere_test(plain gl)
else()
    sphere_test(never cpu)
endif()
foreach(name IN ITEMS
        a b)
    sphere_test(${name} cpu)
    sphere_test(${name}_mono gl)
endforeach()
add_subdirectory(fuzz)
"""
PLANTED_FUZZ = "if(NOT SPHERESCOPE_FUZZ)\n  add_test(NAME corpus COMMAND x)\nendif()\n"
PLANTED_SH = """
if [[ ${1-} == --help ]]; then
    cat <<'HELP'
fi
if [[ ${1-} == --matrix ]]; then
    shift
    exec "$root/tests/matrix.sh" "$@"
fi
if [[ ${1-} == --coverage ]]; then
    build coverage
fi
if [[ ${1-} == --soak ]]; then
    shift
    exec "$root/tests/soak/soak.sh" "$@" </dev/null
fi
"""
PLANTED_PAGE = """| no disk | p | `one`, `drawn` |
| no card, or a slow one | p | `standin`, `card` |
| a race | p | `./test.sh --matrix asan` |
| a card that is hot | p | `card` |
| a flood | p | `b_mono` |
| a fountain | p | `plain`, `standin` |
"""
PLANTED_LIST = """<!-- rows -->
| Row | Injected | Promised |
| --- | --- | --- |
| 1 | no disk; no card | exit 0 or 4 |
| 2 | a race, hot | nothing |
<!-- /rows -->
<!-- parts -->
| Row | Part | Rows | Limit |
| --- | --- | --- | --- |
| 1 | no disk | no disk | |
| 1 | no card | no card | nvcc: a driver refuses nothing |
| 1 | exit 0 | no disk; a fountain | |
| 1 | 4 | no disk | |
| 2 | a race | a race | by name: it takes hours |
| 2 | hot | a card that is hot | by name: it needs a GPU |
| 2 | nothing | a race | no test: nobody knows how |
<!-- /parts -->
<!-- additions -->
| Row | Why | Limit |
| --- | --- | --- |
| a flood | it rains | |
<!-- /additions -->
"""
PLANTED_READ = {"CMakeLists.txt": PLANTED_CMAKE, "fuzz/CMakeLists.txt": PLANTED_FUZZ}.get
# Changes of the page or of the list, and what must then be said.
PLANTED = (
    ("a removed row of the page", "| no disk | p | `one`, `drawn` |\n", "", "begins 0 rows"),
    ("a new row of the page", "| a flood | p |", "| a fire | p | `one` |\n| a flood | p |",
     "nor an addition: a fire"),
    ("a row that names a test of a GPU only", "`one`, `drawn`", "`card`",
     "no test of the default suite on every machine: no disk"),
    ("a row that names a test with nvcc only", "`one`, `drawn`", "`standin`",
     "no test of the default suite on every machine: no disk"),
    ("a row that names a matrix run only", "`one`, `drawn`", "`./test.sh --matrix asan`",
     "no test of the default suite on every machine: no disk"),
    ("a row that names an unlisted test only", "`one`, `drawn`", "`gone`", "gone is no test"),
    ("a row that names a commented-out test", "`one`, `drawn`", "`commented`",
     "commented is no test"),
    ("a row that names a test of a long build", "`one`, `drawn`", "`long`", "long is no test"),
    ("a row that names --help", "`./test.sh --matrix asan`", "`./test.sh --help`",
     "./test.sh --help is no test"),
    ("a test with nvcc that is gone", "`standin`, `card`", "`card`",
     "no test of the default suite with CUDA: no card"),
    ("one of two rows without a test", "`plain`, `standin`", "`plain`",
     "no test of the default suite on every machine: exit 0 (a fountain)"),
    ("a run by name that is gone", "`./test.sh --matrix asan`", "`one`", "no run by name"),
    ("two rows that begin alike", "| a flood | p |",
     "| no disk at all | p | `one` |\n| a flood | p |", "begins 2 rows"),
    ("an addition with a test of a GPU only", "`b_mono`", "`card`",
     "no test of the default suite on every machine: a flood"),
    ("an addition that the list names", "| a flood | it rains |", "| a race | it rains |",
     "because the list names it: a race"),
    ("a removed part", "| 1 | 4 | no disk | |\n", "", "no part for \"4\""),
    ("a part of another row", "| 1 | 4 |", "| 1 | 5 |", "does not say \"5\""),
    ("a limit without a reason", "nvcc: a driver refuses nothing", "nvcc", "with a reason"),
    ("an unknown limit", "by name: it takes hours", "later: it takes hours", "is none of"),
    ("a removed row of the list", "| 1 | no disk; no card | exit 0 or 4 |\n", "", "not numbered"),
)


def check_planted(page, faults):
    """Returns the mistakes that the checks find in planted files."""
    suites = [suite(PLANTED_READ, cuda) for cuda in (True, False)]
    tests = set(suites[0]) | set(suites[1]) | matrix_names("all=(asan)\n") | runs(PLANTED_SH)
    wrong, rows = check_page(page, tests)
    return wrong + check_list(faults, rows, suites)[0]


def check_checks():
    """Returns the planted mistakes that were not found."""
    lost = []
    common = {"one": {"cpu"}, "card": {"gpu"}, "drawn": {"gl"}, "a": {"cpu"}, "b": {"cpu"},
              "a_mono": {"gl"}, "b_mono": {"gl"}, "corpus": set()}
    for cuda, own in ((True, {"standin": {"cli", "standin"}}), (False, {"plain": {"gl"}})):
        found = suite(PLANTED_READ, cuda)
        if found != common | own:
            lost.append(f"tests found: {found}")
    if "drawn" in suite(PLANTED_READ, True, SPHERESCOPE_LONG_TESTS="ON"):
        lost.append("a condition in brackets")
    if runs(PLANTED_SH) != {"./test.sh --soak"}:
        lost.append(f"runs found: {runs(PLANTED_SH)}")
    tests = {"one", "b_mono", "./test.sh --matrix asan"}
    sound = "| f | p | `one`, `b_mono`, `./test.sh --matrix asan` |\n"
    for rows, expected in ((sound, ""), ("| f | p | `gone` |\n", "gone is no test"),
                           ("| f | p | soon |\n", "no test"), ("| f | p | |\n", "is not"),
                           ("| f | | `one` |\n", "is not"), ("| f | `one` |\n", "is not"),
                           ("| f | p | `one` later |\n", "more than names"),
                           (sound + sound, "twice")):
        wrong, found = check_page(PAGE_HEAD + rows + PAGE_END, tests)
        if (expected not in "\n".join(wrong)) if expected else wrong or len(found) != 1:
            lost.append(f"{rows!r}: {wrong}")
    if not check_page("# Reliability\n", tests)[0]:
        lost.append("a page without the table")
    page = PAGE_HEAD + PLANTED_PAGE + PAGE_END
    lost += [f"a sound list is blamed: {line}" for line in check_planted(page, PLANTED_LIST)]
    for what, old, new, expected in PLANTED:
        if (old in page) == (old in PLANTED_LIST):
            lost.append(f"{what}: cannot be planted")
        wrong = check_planted(page.replace(old, new), PLANTED_LIST.replace(old, new))
        if expected not in "\n".join(wrong):
            lost.append(f"{what}: {wrong}")
    if not check_list("# Faults\n", [], [{}, {}])[0]:
        lost.append("a list without its tables")
    return lost


def main():
    root, build = Path(sys.argv[1]), sys.argv[2]

    def read(path):
        file = root / "tests" / path
        return file.read_text(encoding="utf-8") if file.exists() else None

    listed = listed_tests(build)
    suites = [suite(read, cuda) for cuda in (True, False)]
    matrix = matrix_names(read("matrix.sh"))
    others = runs((root / "test.sh").read_text(encoding="utf-8"))
    page = (root / "docs" / "reliability.md").read_text(encoding="utf-8")
    wrong, rows = check_page(page, set(suites[0]) | set(suites[1]) | matrix | others)
    missing, parts = check_list(read("structure/faults.md"), rows, suites)
    differences = check_reading(read, build, listed)
    lost = check_checks()
    if not listed or not matrix or not others:
        wrong.append("CTest, the matrix or ./test.sh lists nothing")
    for line in wrong:
        print(f"docs/reliability.md: {line}")
    for line in missing:
        print(f"tests/structure/faults.md: {line}")
    for line in differences:
        print(f"tests/CMakeLists.txt: {line}")
    for line in lost:
        print(f"test_reliability.py: not found: {line}")
    mistakes = len(wrong + missing + differences + lost)
    print(f"{len(rows)} rows, {parts} parts of the list, {len(set(suites[0]) | set(suites[1]))} "
          f"tests, {mistakes} mistakes; {len(PLANTED)} planted mistakes, {len(lost)} not found")
    sys.exit(1 if mistakes or not rows or not parts else 0)


if __name__ == "__main__":
    main()
