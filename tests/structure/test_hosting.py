#!/usr/bin/env python3
"""Checks what a public host and an editor read: the CI workflow, the templates for issues and pull
requests, and the development container.

Usage: test_hosting.py SOURCE_DIR PROGRAM

The workflow runs .ci/run with official actions and time limits; templates name options and files
that exist; the development container is built from the list of packages in cmake/bootstrap.sh and
from no other. Then every check must find the mistake planted for it in a copy of these files. Exit
code 77: Python's yaml is missing.
"""
import json
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

try:
    import yaml
except ImportError:
    print("skipped: python3-yaml is not installed")
    sys.exit(77)

sys.dont_write_bytecode = True  # write nothing into the source tree
import test_docs  # noqa: E402

WORKFLOW = ".github/workflows/ci.yml"
DEVCONTAINER = ".devcontainer/devcontainer.json"
REQUEST = ".github/pull_request_template.md"
FORMS = ".github/ISSUE_TEMPLATE"
ACTIONS = re.compile(r"actions/(checkout|upload-artifact)@v\d+")
ELEMENTS = {"textarea": "label", "input": "label", "checkboxes": "label", "markdown": "value"}
# What people are asked for, and no report is of use without.
ASKED = {"fault.yml": ("--info", "--screenshot", "exact command"),
         "number.yml": ("--info", "--json", "exact command"), "idea.yml": ()}
# The files that the checks read.
READ = (".github", ".devcontainer", ".ci", "packaging/container", "cmake/bootstrap.sh", "test.sh",
        "tests/matrix.sh", "CONTRIBUTING.md", "CHANGELOG.md", "docs/adding.md")


def executable(path):
    return path.is_file() and path.stat().st_mode & 0o111 != 0


def check_workflow(root, wrong):
    file = yaml.safe_load((root / WORKFLOW).read_text(encoding="utf-8"))
    if not {"push", "pull_request"} <= set(file.get(True, file.get("on", {}))):
        wrong(WORKFLOW, "does not run for pushes and pull requests")
    if file.get("permissions") != {"contents": "read"}:
        wrong(WORKFLOW, "may do more than read")
    scripts, kept = [], []
    for name, job in file["jobs"].items():
        if not isinstance(job.get("timeout-minutes"), int):
            wrong(WORKFLOW, f"job {name} has no time limit")
        for step in job["steps"]:
            if "uses" in step and not ACTIONS.fullmatch(step["uses"]):
                wrong(WORKFLOW, f"{step['uses']} is no official action")
            if step.get("uses", "").startswith("actions/upload-artifact"):
                kept += step["with"]["path"].split()
            scripts.append(step.get("run", ""))
    for script in scripts:
        if subprocess.run(["bash", "-n"], input=script, text=True, capture_output=True,
                          check=False).returncode != 0:
            wrong(WORKFLOW, f"bash cannot read: {script}")
    if not any(re.search(r"\bbash \.ci/run$", script, re.M) for script in scripts):
        wrong(WORKFLOW, "does not run .ci/run")
    if not executable(root / ".ci" / "run"):
        wrong(".ci/run", "no executable file")
    # The folders are those that test.sh and matrix.sh write into.
    written = {"build-ci" if '"$root/build-ci"' in (root / "test.sh").read_text(encoding="utf-8")
               else None,
               *re.findall(r"^folder=(\S+)", (root / "tests" / "matrix.sh").read_text(
                   encoding="utf-8"), re.M)}
    if "build-matrix/*.log" not in kept:
        wrong(WORKFLOW, "does not keep the logs of the matrix")
    for path in kept:
        if path.split("/")[0] not in written:
            wrong(WORKFLOW, f"keeps {path}, which no script writes")


def check_text(root, name, flags, wrong):
    """Checks the options and the files that a template names."""
    text = (root / name).read_text(encoding="utf-8")
    for code in re.findall(r"`([^`]+)`", text) + re.findall(r"placeholder: (.+)", text):
        scripts = code.startswith("./test.sh")
        known = (root / "test.sh").read_text(encoding="utf-8").split() if scripts else flags
        for flag in test_docs.FLAG.findall(code):
            if flag not in known:
                wrong(name, f"{'test.sh' if scripts else 'the program'} has no option {flag}")
    for path in re.findall(r"[\w/]+\.md\b", text):
        if not (root / path).is_file():
            wrong(name, f"{path}: no such file")


def check_form(name, form, wrong):
    """Checks one issue form against the rules of GitHub's syntax for them."""
    if not all(isinstance(form.get(key), str) for key in ("name", "description")):
        wrong(name, "has no name or no description")
    seen = set()
    for element in form.get("body") or [{}]:
        label = ELEMENTS.get(element.get("type"))
        if label is None or not isinstance(element.get("attributes", {}).get(label), str):
            wrong(name, f"an element is not of the known types, or has no {label}")
        if element.get("id") in seen:
            wrong(name, f"id {element['id']} twice")
        seen.add(element.get("id"))
        if not isinstance(element.get("validations", {}).get("required", False), bool):
            wrong(name, "required is neither true nor false")


def check_forms(root, flags, wrong):
    for path in sorted((root / FORMS).glob("*.yml")):
        name = str(path.relative_to(root))
        text = path.read_text(encoding="utf-8")
        form = yaml.safe_load(text)
        if path.name == "config.yml":
            if not isinstance(form.get("blank_issues_enabled"), bool):
                wrong(name, "does not say whether blank issues are allowed")
            continue
        check_form(name, form, wrong)
        check_text(root, name, flags, wrong)
    for name, words in ASKED.items():
        path = root / FORMS / name
        text = path.read_text(encoding="utf-8") if path.exists() else ""
        for word in words if text else ("anything",):
            if word not in text:
                wrong(f"{FORMS}/{name}", f"does not ask for {word}")


def check_container(root, wrong):
    folder = root / ".devcontainer"
    config = json.loads((root / DEVCONTAINER).read_text(encoding="utf-8"))
    build = config["build"]
    recipe, context = folder / build["dockerfile"], folder / build["context"]
    if not recipe.is_file() or context.resolve() != root.resolve():
        wrong(DEVCONTAINER, f"{build['dockerfile']} or {build['context']}: not in the sources")
        return
    if config.get("hostRequirements", {}).get("gpu") != "optional":
        wrong(DEVCONTAINER, "needs a GPU, or takes none")
    if not executable(root / config["postCreateCommand"].split()[0]):
        wrong(DEVCONTAINER, f"{config['postCreateCommand']}: no such script")
    text = "\n".join(line for line in recipe.read_text(encoding="utf-8").splitlines()
                     if not line.startswith("#"))
    for name in build.get("args", {}):
        if not re.search(rf"^ARG {name}=", text, re.M):
            wrong(DEVCONTAINER, f"{recipe.name} has no ARG {name}")
    for source in re.findall(r"^COPY (?!--)(\S+)", text, re.M):
        if not (root / source).exists():
            wrong(recipe.name, f"COPY {source}: no such file")
    steps = (root / "packaging/container/steps.sh").read_text(encoding="utf-8")
    ran = re.findall(r"^RUN (\S+) (\w+)(.*)$", text, re.M)
    if not ran or any(script != "/source/packaging/container/steps.sh" or
                      f"\n{verb})\n" not in steps for script, verb, _ in ran):
        wrong(recipe.name, "runs something else than the steps of steps.sh")
    # No second list of packages.
    listed = re.findall(r"^([a-z][a-z0-9.+-]+) +(?:-|cmd:\S+|pc:\S+) ",
                        (root / "cmake/bootstrap.sh").read_text(encoding="utf-8"), re.M)
    for package in {word for _, _, words in ran for word in words.split()} & set(listed):
        wrong(recipe.name, f"{package} is in cmake/bootstrap.sh already")
    if len(listed) < 20 or "$build_needs$test_needs" not in steps:
        wrong("cmake/bootstrap.sh", "its packages are not those of the container")
    user = config.get("remoteUser")
    if user and not re.search(rf"^ +useradd .*\b{user}$", steps, re.M):
        wrong(DEVCONTAINER, f"nothing adds the user {user}")


def check(root, flags):
    """Returns the mistakes found, one line each."""
    found = []

    def wrong(where, words):
        found.append(f"{where}: {words}")

    check_workflow(root, wrong)
    check_forms(root, flags, wrong)
    check_text(root, REQUEST, flags, wrong)
    check_container(root, wrong)
    return found


RECIPE = "packaging/container/develop.Containerfile"
# What the check says, the file, a text in it, and what takes its place.
PLANTED = (
    ("does not run .ci/run", WORKFLOW, "bash .ci/run\n      - name", "bash ./test.sh\n      - name"),
    ("no official action", WORKFLOW, "actions/checkout@", "somebody/checkout@"),
    ("has no time limit", WORKFLOW, "    timeout-minutes: 240\n", ""),
    ("may do more than read", WORKFLOW, "contents: read", "contents: write"),
    ("pull requests", WORKFLOW, "  pull_request:\n", ""),
    ("keep the logs of the matrix", WORKFLOW, "build-matrix/*.log", "build-ci/x.log"),
    ("which no script writes", WORKFLOW, "build-ci/bootstrap.log", "build-gone/bootstrap.log"),
    ("bash cannot read", WORKFLOW, "run: sudo sysctl", "run: if sudo sysctl"),
    ("no option --replayed", f"{FORMS}/fault.yml", "--replay", "--replayed"),
    ("no option --spheroids", f"{FORMS}/fault.yml", "--spheres", "--spheroids"),
    ("does not ask for --info", f"{FORMS}/number.yml", "--info", "the machine"),
    ("id info twice", f"{FORMS}/fault.yml", "id: picture", "id: info"),
    ("known types", f"{FORMS}/idea.yml", "type: checkboxes", "type: boxes"),
    ("no description", f"{FORMS}/idea.yml", "description: A claim", "about: A claim"),
    ("neither true nor false", f"{FORMS}/idea.yml", "required: true", "required: maybe"),
    ("blank issues", f"{FORMS}/config.yml", "blank_issues_enabled", "blank"),
    ("docs/gone.md: no such file", f"{FORMS}/idea.yml", "docs/adding.md", "docs/gone.md"),
    ("test.sh has no option --matrices", REQUEST, "--matrix", "--matrices"),
    ("no option --jsonl", REQUEST, "--json", "--jsonl"),
    ("not in the sources", DEVCONTAINER, "develop.Containerfile", "gone.Containerfile"),
    ("not in the sources", DEVCONTAINER, '"context": ".."', '"context": "../app"'),
    ("needs a GPU", DEVCONTAINER, '"optional"', "true"),
    ("no such script", DEVCONTAINER, "./test.sh -N", "./tests.sh -N"),
    ("has no ARG GPU", DEVCONTAINER, '"BUILD"', '"GPU"'),
    ("adds the user", DEVCONTAINER, '"developer"', '"someone"'),
    ("COPY cmake/gone.sh", RECIPE, "COPY cmake/bootstrap.sh", "COPY cmake/gone.sh"),
    ("something else", RECIPE, "steps.sh develop", "steps.sh develops"),
    ("something else", RECIPE, "RUN /source", "RUN apt-get install x\nRUN /source"),
    ("in cmake/bootstrap.sh already", RECIPE, "gdb", "gdb libpng-dev"),
    ("not those of the container", "packaging/container/steps.sh", "needs=$build_needs$test", "needs=$test"),
)


def check_checks(source, flags):
    """Returns the planted mistakes that no check found."""
    failures = []
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        for name in READ:
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            if (source / name).is_dir():
                shutil.copytree(source / name, root / name)
            else:
                shutil.copy(source / name, root / name)
        for message, name, text, other in PLANTED:
            sound = (root / name).read_text(encoding="utf-8")
            (root / name).write_text(sound.replace(text, other), encoding="utf-8")
            if text not in sound or not any(message in line for line in check(root, flags)):
                failures.append(f"not found: {message}")
            (root / name).write_text(sound, encoding="utf-8")
    return failures


def main():
    root = Path(sys.argv[1]).resolve()
    flags, _ = test_docs.help_of(sys.argv[2])
    found = check(root, flags)
    # Where the files are wrong, the planted mistakes prove nothing.
    failures = [] if found else check_checks(root, flags)
    for line in found + failures:
        print(line)
    print(f"{len(found)} mistakes; {len(PLANTED)} planted mistakes, {len(failures)} not found")
    sys.exit(1 if found or failures else 0)


if __name__ == "__main__":
    main()
