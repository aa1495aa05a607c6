#!/usr/bin/env python3
"""Checks that every file of the project obeys .editorconfig, and that it agrees with .clang-format.

Usage: test_editorconfig.py SOURCE_DIR

indent_size is checked where a line opens a block: the next line, if it is deeper, is deeper by one
step. For C and CUDA, the test format checks the indentation. A section that applies to no file is a
mistake. Then every check must find the mistake planted for it.
"""
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

PROPERTIES = {
    "charset": ("utf-8",), "end_of_line": ("lf",), "insert_final_newline": ("true",),
    "trim_trailing_whitespace": ("true",), "indent_style": ("space",), "indent_size": None,
    "max_line_length": None,
}
# The ends of lines that open a block, by the endings of files.
BRACE = re.compile(r"\{$")
OPENS = {
    ".cpp": BRACE, ".vert": BRACE, ".frag": BRACE, ".json": re.compile(r"[{\[]$"),
    ".sh": re.compile(r"(\{|\bthen|\bdo|\belse)$"), ".py": re.compile(r":$"),
    ".yml": re.compile(r":( \|)?$"), ".clang-tidy": re.compile(r": >$"),
    ".cmake": re.compile(r"^\s*(if|elseif|else|foreach|function|macro|while)\s*\(.*\)$"),
}
OPENS["CMakeLists.txt"] = OPENS[".cmake"]
OPENS["run"] = OPENS[".sh"]
BINARY = 8000  # git takes a file for binary if a zero byte is among its first ones


def files(root):
    """Returns the paths of the project's files; without git, of all but what a build makes."""
    top = subprocess.run(["git", "-C", root, "rev-parse", "--show-prefix"], capture_output=True,
                         check=False)
    if top.returncode == 0 and not top.stdout.strip():
        listed = subprocess.run(["git", "-C", root, "ls-files", "-z", "--cached", "--others",
                                 "--exclude-standard"], capture_output=True, check=True).stdout
        names = [os.fsdecode(name) for name in listed.split(b"\0") if name]
    else:
        names = []
        for folder, folders, here in os.walk(root):
            inside = os.path.relpath(folder, root)
            folders[:] = [name for name in folders
                          if name not in (".git", ".cache", "__pycache__") and
                          not (inside == "." and name.startswith("build"))]
            names += [os.path.normpath(os.path.join(inside, name)) for name in here]
    return sorted(name for name in names if (root / name).is_file())


def translate(glob):
    """Returns the regular expression of a section's name, as EditorConfig defines it."""
    out, depth, at = "", 0, 0
    while at < len(glob):
        if glob.startswith("**", at):
            out, at = out + ".*", at + 2
            continue
        char = glob[at]
        at += 1
        if char == "*":
            out += "[^/]*"
        elif char == "{":
            out, depth = out + "(?:", depth + 1
        elif char == "}":
            out, depth = out + ")", depth - 1
        elif char == "," and depth:
            out += "|"
        else:
            out += re.escape(char)
    return re.compile(out if "/" in glob else "(?:.*/)?" + out)


def read_sections(text, wrong):
    """Returns the sections as tuples of name, expression and properties, in order."""
    sections = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line or line.startswith("#") or line == "root = true" and not sections:
            continue
        head, pair = re.fullmatch(r"\[(.+)\]", line), re.fullmatch(r"(\w+) = (\S+)", line)
        if head:
            sections.append((head[1], translate(head[1]), {}))
        elif pair and sections and pair[1] in PROPERTIES:
            allowed = PROPERTIES[pair[1]]
            if pair[2] not in (allowed or ()) + ("unset", "off") and (
                    allowed or not pair[2].isdigit()):
                wrong(f".editorconfig:{number}", f"the test knows no {line}")
            sections[-1][2][pair[1]] = pair[2]
        else:
            wrong(f".editorconfig:{number}", f"the test knows no {line}")
    return sections


def check_file(name, data, rules, wrong):
    """Checks one file's bytes against the properties that apply to it."""
    on = {key: value for key, value in rules.items() if value not in ("unset", "off")}
    if not on or b"\0" in data[:BINARY]:
        return
    try:
        text = data.decode("utf-8" if "charset" in on else "latin-1")
    except UnicodeDecodeError:
        wrong(name, "is not UTF-8")
        return
    if "charset" in on and text.startswith("\ufeff"):
        wrong(name, "has a byte order mark")
    if "end_of_line" in on and "\r" in text:
        wrong(name, "has a carriage return")
    if "insert_final_newline" in on and text and not text.endswith("\n"):
        wrong(name, "has no line end at its end")
    lines = text.split("\n")
    opens = OPENS.get(Path(name).suffix) or OPENS.get(Path(name).name)
    step, longest = int(on.get("indent_size", 0)), int(on.get("max_line_length", 0))
    before = ""
    for number, line in enumerate(lines, 1):
        blanks = len(line) - len(line.lstrip(" "))
        if "trim_trailing_whitespace" in on and line != line.rstrip(" \t"):
            wrong(f"{name}:{number}", "blank at the end of the line")
        if "indent_style" in on and line[blanks:blanks + 1] == "\t":
            wrong(f"{name}:{number}", "indented by a tab")
        if longest and len(line) > longest:
            wrong(f"{name}:{number}", f"longer than {longest}")
        deeper = blanks - (len(before) - len(before.lstrip(" ")))
        if step and opens and line.strip() and opens.search(before) and 0 < deeper != step:
            wrong(f"{name}:{number}", f"indented by {deeper}, not {step}")
        before = line


def check(root):
    """Returns the mistakes found, one line each, and the number of files."""
    found = []

    def wrong(where, words):
        found.append(f"{where}: {words}")

    sections = read_sections((root / ".editorconfig").read_text(encoding="utf-8"), wrong)
    used, names = set(), files(root)
    for name in names:
        rules = {}
        for section, expression, properties in sections:
            if expression.fullmatch(name):
                rules.update(properties)
                used.add(section)
        check_file(name, (root / name).read_bytes(), rules, wrong)
    for section, _, _ in sections:
        if section not in used:
            wrong(".editorconfig", f"no file is [{section}]")
    style = (root / ".clang-format").read_text(encoding="utf-8")
    rules = {}
    for _, expression, properties in sections:
        if expression.fullmatch("app/main.c"):
            rules.update(properties)
    for theirs, ours in (("IndentWidth", "indent_size"), ("ColumnLimit", "max_line_length")):
        if f"\n{theirs}: {rules.get(ours)}\n" not in style:
            wrong(".editorconfig", f"{ours} of C is not {theirs} of .clang-format")
    return found, len(names)


SOUND = {
    ".editorconfig": "root = true\n[*]\ncharset = utf-8\nend_of_line = lf\nindent_style = space\n"
                     "insert_final_newline = true\ntrim_trailing_whitespace = true\n"
                     "[*.{c,sh,py,json,yml,cmake}]\nindent_size = 4\nmax_line_length = 100\n"
                     "[{CMakeLists.txt,.clang-tidy}]\nindent_size = 4\n[.ci/run]\nindent_size = 4\n"
                     "[app/long.c]\nmax_line_length = off\n"
                     "[corpus/**]\ninsert_final_newline = unset\n",
    ".clang-format": "A: B\nIndentWidth: 4\nColumnLimit: 100\n",
    "app/main.c": "int x = 1 +\n        2;\n", "app/long.c": "x" * 101 + "\n",
    "CMakeLists.txt": "if(A)\n    b()\nendif()\n", ".ci/run": "if a; then\n    b\nfi\n",
    "corpus/cut": "x", "a/.clang-tidy": "A: >\n    b\n", "a.png": "\0\r", "build/b.sh": "\r", "tests/CMakeLists.txt": "\n",
    "tests/a.py": "if a:\n    b()\n    if (c and\n            d):\n        e()\n",
}
PLANTED = {
    "is not UTF-8": ("a.md", b"\xff\n"), "has a byte order mark": ("a.md", b"\xef\xbb\xbfa\n"),
    "has a carriage return": ("a.md", b"a\r\n"), "has no line end": ("a.md", b"a"),
    "a.md:1: blank": ("a.md", b"a \n"), "a.md:2: indented by a tab": ("a.md", b"a\n\tb\n"),
    "a.c:1: longer than 100": ("app/a.c", b"x" * 101 + b"\n"),
    "a.sh:2: indented by 2, not 4": ("a.sh", b"if a; then\n  b\nfi\n"),
    "a.py:2: indented by 3, not 4": ("a.py", b"if a:\n   b()\n"),
    "a.json:2: indented by 2, not 4": ("a.json", b"{\n  \"a\": 1\n}\n"),
    "a.yml:2: indented by 2, not 4": ("a.yml", b"a:\n  b: 1\n"),
    "a.cmake:2: indented by 2, not 4": ("a.cmake", b"if(A)\n  b()\nendif()\n"),
    ".ci/run:2: indented by 8, not 4": (".ci/run", b"if a; then\n        b\nfi\n"),
    "no file is [*.x]": (".editorconfig", SOUND[".editorconfig"].encode() + b"[*.x]\n"),
    "knows no indent_style = tab": (".editorconfig", SOUND[".editorconfig"].encode().replace(
        b"= space", b"= tab")),
    "not ColumnLimit": (".clang-format", b"A: B\nIndentWidth: 4\nColumnLimit: 80\n"),
    "not IndentWidth": (".clang-format", b"A: B\nIndentWidth: 2\nColumnLimit: 100\n"),
}


def check_checks():
    """Returns the planted mistakes that no check found."""
    failures = []
    for message, (name, data) in {"": ("a.md", b"a\n"), **PLANTED}.items():
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            for path, text in SOUND.items():
                (root / path).parent.mkdir(parents=True, exist_ok=True)
                (root / path).write_bytes(text.encode())
            (root / name).write_bytes(data)
            lines = check(root)[0]
            if not message:
                failures += [f"a sound tree is blamed: {line}" for line in lines]
            elif not any(message in line for line in lines):
                failures.append(f"not found: {message}")
    return failures


def main():
    found, count = check(Path(sys.argv[1]).resolve())
    failures = check_checks()
    for line in found + failures:
        print(line)
    print(f"{count} files, {len(found)} mistakes; {len(PLANTED)} planted mistakes, "
          f"{len(failures)} not found")
    sys.exit(1 if found or failures or count == 0 else 0)


if __name__ == "__main__":
    main()
