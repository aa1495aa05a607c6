#!/usr/bin/env python3
"""Runs the commands of every ```sh block of README.md, CONTRIBUTING.md and docs/*.md.

Usage: doc_commands.py SOURCE_DIR BUILD_DIR cli|gl      the program is $SPHERESCOPE

The commands of a page run in the page's order, in a new folder that looks like a checkout: ./run.sh,
build-cpu/spherescope and spherescope start the program that was built. "cli" runs those that need no OpenGL, "gl" those
that draw or open a window; with_display.sh starts it. Each must end with exit code 0, or with 4
where it asks for a GPU or a program that is not here, and write the files that it names.

What is changed, so that a command ends within seconds.
  - ./test.sh and ctest list the tests that their options choose, and do not run them;
  - a measurement gets --seconds 0.4 --processes 1 --size 64x64, where it does not set them;
  - a picture gets --frames 2 --window 640x360, likewise, and without a window --size 64x64, but not
    where it shows recorded times; --frames N is at most 4, and --seconds N at most 2;
  - the processor renders (--backend cpu), unless the command is about a GPU;
  - --fail-on-slower gets --band 50, and may fail: so short runs differ;
  - what CHANGED lists is replaced.
A block marked ```text below a sh block has lines that its last command prints, spaces aside.
A file that a command reads and no earlier command of its page has written is made as INPUTS says.
NOT_RUN lists the commands that cannot run here.
"""
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

MORE = "compiles the whole program again; "
NOT_RUN = {  # how a command begins: why it is not run
    "cmake -S . -B build": MORE + "every test needs such a build",
    "cmake --build build": MORE + "every test needs such a build",
    "build-cuda/": "needs nvcc and minutes; `./test.sh --matrix standin` does that",
    "ctest --test-dir build-cuda ": "the same",
    "clang-format-14 ": "rewrites the sources; the test `format` runs it",
    "cmake --install build ": "installs; the test `installed` does that",
    "cpack ": "needs dpkg-dev and file; `./test.sh --matrix packages` makes the package",
    "apt-get install ": "needs root; `./test.sh --matrix packages` installs the package",
    "git archive ": "needs a git checkout; `./test.sh --matrix packages` builds from the archive",
    "docker ": "needs Docker; `./test.sh --matrix packages` follows the container files",
    "tar -xf spherescope-": "needs a release; the test `bundle` unpacks one",
    "cd spherescope-": "the same",
    "./spherescope": "the same, and starts it",
    "srun ": "needs Slurm; the test `slurm` runs it where Slurm is installed",
}
NOT_RUN_CONTRIBUTING = {  # likewise, in CONTRIBUTING.md
    "./test.sh --matrix": "compiles and tests everything several times",
    "compute-sanitizer ": "needs a GPU, and takes minutes",
}
CHANGED = {"/var/lib/prometheus/node-exporter/": "./"}  # node_exporter's folder is root's
ABOUT_A_GPU = r"--device all|--backend cuda|cuda:"  # exit code 4 without one

BENCH = "./run.sh --bench raytrace --narrow --seconds 60 --json new.json"
ONE_GPU = "./run.sh --device all --bench raytrace --processes 3 --json gpus.json"
RUNS = "assets/runs/nvidia-h200-"
INPUTS = {  # file: the documented command that makes it, or a file that it is copied from
    "old.json": BENCH, "new.json": BENCH, "old1.json": BENCH, "old2.json": BENCH,
    "old3.json": BENCH, "new1.json": BENCH, "new2.json": BENCH, "new3.json": BENCH,
    "*-gpu*.json": BENCH,
    "shot.png": "./run.sh --offscreen --screenshot shot.png",
    "my-talk.json": "the talk in docs/talks.md",
    "run.json": RUNS + "all.json.gz", "all.json": RUNS + "all.json.gz",
    "light.json": RUNS + "light.json.gz",
}
ENDS_SOON = {"--info", "--list-devices", "--compare", "--check", "--help", "--version"}
MEASURES = {"--bench", "--sweep", "--duel", "--record"}
WRITES = {"--json", "--csv", "--prometheus", "--html", "--screenshot", "--video", "--record",
          "--record-frames"}
FILE = re.compile(r"[\w*./~-]+\.(json(\.gz)?|png)")


def pages(root):
    return [page for page in [root / "README.md", root / "CONTRIBUTING.md",
                              *sorted((root / "docs").glob("*.md"))] if page.exists()]


def blocks(page):
    """Returns the commands of each sh block of a page, and the lines that the last one prints."""
    text = page.read_text(encoding="utf-8")
    found = []
    for block, shown in re.findall(r"^ *```sh\n(.*?)^ *```\n(?:\n*```text\n(.*?)^```)?", text,
                                   re.M | re.S):
        lines = block.replace("\\\n", " ").splitlines()
        commands = [line.strip() for line in lines if line.split("#")[0].strip()]
        found.append((commands, shown.splitlines()))
    return found


def starts_program(command):
    return command.split()[0] in ("./run.sh", "build-cpu/spherescope", "spherescope")


def needs_gl(command):
    options = set(shlex.split(command, comments=True))
    if options & ENDS_SOON:
        return False
    return not options & MEASURES or "--screenshot" in options


def added(command):
    """Returns the options that let a command end within seconds."""
    options = set(shlex.split(command, comments=True))
    more = []
    if options & ENDS_SOON:
        more = [("--band", "50")] if "--fail-on-slower" in options else []
    elif options & MEASURES:
        # --narrow starts as many processes as it needs, at least eight.
        processes = [] if "--narrow" in options else [("--processes", "1")]
        more = [("--seconds", "0.4"), *processes, ("--size", "64x64")]
    else:
        more = [("--frames", "2")] if "--seconds" not in options else []
        # A recorded run has times for the sizes that were recorded; a replay has its own size.
        if "--offscreen" in options and not options & {"--play", "--replay"}:
            more.append(("--size", "64x64"))
    if needs_gl(command):
        more.append(("--window", "640x360"))
    # A replay takes the recorded backend.
    if not options & (ENDS_SOON | {"--replay"}) and not re.search(ABOUT_A_GPU, command):
        more.append(("--backend", "cpu"))
    return [word for pair in more if pair[0] not in options for word in pair]


def shortened(command):
    for old, new in CHANGED.items():
        command = command.replace(old, new)
    for option, most in (("--frames", 4), ("--seconds", 2)):
        command = re.sub(rf"{option} (\d+)", lambda n: f"{option} {min(int(n[1]), most)}", command)
    return command


class Docs:
    """The commands of one tree, and the mistakes found in them."""

    def __init__(self, root, build, program, mode):
        self.root, self.build, self.program, self.mode = root, build, program, mode
        self.found, self.ran, self.listed = [], 0, set()
        listing = subprocess.run([program, "--list-devices", "--json", "-"], check=False,
                                 capture_output=True, text=True).stdout
        devices = json.loads(listing[listing.find("{"):])["devices"] if "{" in listing else []
        self.has_gpu = any(d["backend"] == "cuda" and d["usable"] for d in devices)

    def wrong(self, page, words):
        self.found.append(f"{page.relative_to(self.root)}: {words}")

    def checkout(self, folder):
        """Makes a folder look like a checkout whose programs are those that were built."""
        for entry in self.root.iterdir():
            if not entry.name.startswith((".", "build")) and entry.suffix != ".sh":
                (folder / entry.name).symlink_to(entry)
        (folder / ".bin").mkdir()
        (folder / "build-cpu").mkdir()
        program = f'#!/bin/sh\nexec "{self.program}" $ADDED "$@"\n'
        ctest = shutil.which("ctest") or "ctest"
        lists = f'exec "{ctest}" --test-dir "{self.build}" -N --no-tests=error "$@"\n'
        for name, text in (("run.sh", program), ("build-cpu/spherescope", program),
                           (".bin/spherescope", program), ("test.sh", "#!/bin/sh\n" + lists),
                           (".bin/ctest", "#!/bin/sh\nshift 2 # the folder\n" + lists),
                           (".bin/less", "#!/bin/sh\nexec cat\n")):
            (folder / name).write_text(text, encoding="utf-8")
            (folder / name).chmod(0o755)

    def start(self, command, folder):
        """Runs a command as a reader would."""
        environment = os.environ | {
            "PATH": f"{folder}/.bin:{os.environ['PATH']}", "HOME": str(folder),
            "XDG_CONFIG_HOME": f"{folder}/.config", "PYTHONDONTWRITEBYTECODE": "1",
            "ADDED": " ".join(added(command)) if starts_program(command) else ""}
        if self.mode == "cli":
            for name in ("DISPLAY", "WAYLAND_DISPLAY"):
                environment.pop(name, None)
        ended = subprocess.run(["bash", "-c", f"set -o pipefail; {shortened(command)}"],
                               cwd=folder, env=environment, stdin=subprocess.DEVNULL, check=False,
                               capture_output=True, text=True, timeout=600)
        return ended

    def inputs(self, command, folder, page):
        """Makes the files that a command reads and no earlier one has written."""
        words = shlex.split(command, comments=True)
        reads = [word for option, word in zip(["", *words], words) if option not in WRITES]
        for name in (name for word in reads for name in word.split(",")):
            if not FILE.fullmatch(name) or list(folder.glob(name)):
                continue
            source = INPUTS.get(name)
            if source is None:
                self.wrong(page, f"{command}: nothing has made {name}")
            elif source.startswith("./run.sh"):
                if not any(source in line.split("  #")[0] for line in self.all):
                    self.wrong(page, f"INPUTS: no page has the command {source}")
                made = source.split()[-1]
                for copy in ("node1-gpu0.json", "node2-gpu0.json") if "*" in name else (name,):
                    ended = self.start(source.replace(made, copy), folder)
                    if ended.returncode != 0:
                        self.wrong(page, f"{command}: {source}: {ended.stderr[-600:]}")
            elif source.startswith("the talk in "):
                text = (self.root / source.split()[-1]).read_text(encoding="utf-8")
                talk = re.search(r"^ *```json\n(.*?)^ *```", text, re.M | re.S)[1]
                (folder / name).write_text(talk, encoding="utf-8")
            else:
                shutil.copy(self.root / source, folder / name)

    def expected(self, command):
        """Returns the exit codes that are right."""
        if re.search(ABOUT_A_GPU, command) and not self.has_gpu:
            return [4]
        if "--fail-on-slower" in command:  # other programs may slow one of the sides
            return [0, 1]
        return [4] if "--video" in command and shutil.which("ffmpeg") is None else [0]

    def run(self, command, shown, folder, page):
        self.ran += 1
        self.inputs(command, folder, page)
        ended = self.start(command, folder)
        code = ended.returncode
        if code not in self.expected(command):
            self.wrong(page, f"{command}: exit code {code}, not {self.expected(command)[0]}: "
                             f"{ended.stdout[-200:]}{ended.stderr[-600:]}")
        printed = {" ".join(line.split()) for line in ended.stdout.splitlines()}
        for line in shown:
            if " ".join(line.split()) not in printed:
                self.wrong(page, f"{command}: does not print {line!r}")
        words = shlex.split(shortened(command), comments=True)
        for option, name in zip(words, words[1:]):
            if code == 0 and option in WRITES and name != "-" and not (folder / name).exists():
                self.wrong(page, f"{command}: {name} is not there")

    @staticmethod
    def excuses(page):
        """Returns how the commands of a page begin that are not run."""
        return [*NOT_RUN, *(NOT_RUN_CONTRIBUTING if page.name == "CONTRIBUTING.md" else ())]

    def page(self, page):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            self.checkout(folder)
            for commands, shown in blocks(page):
                gl = False  # what is no program of ours belongs to the command before it
                for command in commands:
                    excuses = [begin for begin in self.excuses(page) if command.startswith(begin)]
                    self.listed.update(excuses)
                    if excuses:
                        continue
                    gl = needs_gl(command) if starts_program(command) else gl
                    if gl == (self.mode == "gl"):
                        self.run(command, shown if command == commands[-1] else [], folder, page)

    def check(self):
        self.all = [command for page in pages(self.root) for commands, _ in blocks(page)
                    for command in commands]
        for page in pages(self.root):
            self.page(page)
        every = {begin for page in pages(self.root) for begin in self.excuses(page)}
        for begin in every - self.listed:
            self.found.append(f"NOT_RUN: no page has a command {begin!r}")
        return self.found


def main():
    root, build, mode = Path(sys.argv[1]).resolve(), sys.argv[2], sys.argv[3]
    docs = Docs(root, build, os.environ["SPHERESCOPE"], mode)
    found = docs.check()
    for line in found:
        print(line)
    print(f"{docs.ran} commands run, {len(found)} mistakes")
    sys.exit(1 if found or docs.ran == 0 else 0)


if __name__ == "__main__":
    main()
