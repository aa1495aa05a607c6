"""Runs on a terminal: a line tells what runs and how long it will take, and goes on while one frame
takes seconds; Ctrl-C and a lost connection leave the results so far. Without a terminal there is
no such line, and nowhere a colour. A run that is longer than --seconds says so."""
import json
import os
import pty
import re
import select
import subprocess
import sys
import tempfile
import time

PROGRAM = [os.environ["SPHERESCOPE"], "--backend", "cpu"]
BENCH = ["--bench", "raytrace", "--radii", "2:12", "--spheres"]
LONG = ["--seconds", "50", "--json", "r.json"]
LIMIT_S = 60.0  # a hang; a busy machine may take long
for name in ("DISPLAY", "WAYLAND_DISPLAY"):
    os.environ.pop(name, None)


def fail(why):
    print(f"terminal.py: {why}")
    sys.exit(1)


def run(folder, arguments, until, key):
    """Runs the program on a terminal. Once it has written `until`, types the key, or with None hangs
    up. Returns the exit code and what was written."""
    child, terminal = pty.fork()
    if child == 0:
        os.chdir(folder)
        os.execv(PROGRAM[0], [*PROGRAM, *arguments])
    text, acted = "", key == ""
    end = time.monotonic() + LIMIT_S
    while time.monotonic() < end:
        ready, _, _ = select.select([terminal], [], [], 0.5)
        try:
            text += os.read(terminal, 65536).decode() if ready else ""
        except OSError:  # the program has ended
            break
        if not acted and re.search(until, text):
            acted = True
            if key is None:
                break
            os.write(terminal, key)
    else:
        os.kill(child, 9)
    os.close(terminal)  # a lost connection, if the program still runs
    # Progress rewrites its line without escape sequences: there are no colours for NO_COLOR to end.
    if "\x1b" in text:
        fail(f"{arguments}: escape sequences on a terminal: {text!r}")
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status), text


def keeps(folder, text, some=False):
    """Returns true when an interrupted run has left its results so far, as incomplete, or, unless it
    has some, no file; text: None, or what it has told."""
    path = os.path.join(folder, "r.json")
    if not os.path.exists(path):
        return not some and (text is None or "Interrupted before there were results" in text)
    with open(path, encoding="utf-8") as file:
        record = json.load(file)
    os.remove(path)
    told = text is None or "Interrupted: the results up to" in text
    return told and record["complete"] is False and len(record["results"]) > 0


with tempfile.TemporaryDirectory() as folder:
    # A worker must give its results up within a third of a second: also under a sanitizer, with the
    # smaller scene.
    for processes, spheres in (("1", "1000000"), ("2", "50000")):
        # The second time proves that the line is written while one frame takes seconds. Before there
        # are samples to count, a process only starts, and has no results to keep.
        times = r"samples  \d+ of about \d+ s[^\n]*\r[^\n]*samples  [1-9]\d* of about \d+ s"
        arguments = [*BENCH, spheres, "--processes", processes, *LONG]
        code, text = run(folder, arguments, times, b"\x03")
        if not re.search(times, text):
            fail(f"no progress with {processes} processes: {text[-500:]!r}")
        if code != 1 or not keeps(folder, text):
            fail(f"Ctrl-C: exit code {code}: {text[-500:]!r}")
    for processes in ("1", "2"):  # a small scene has results at once
        arguments = [*BENCH, "20", "--processes", processes, *LONG]
        code, text = run(folder, arguments, r"[1-9]\d* samples  [1-9]\d* of about", b"\x03")
        if code != 1 or not keeps(folder, text, True):
            fail(f"Ctrl-C, a small scene: exit code {code}: {text[-500:]!r}")
    code, text = run(folder, [*BENCH, "1000000", "--processes", "1", *LONG], "samples", None)
    if code != 1 or not keeps(folder, None):
        fail(f"a lost connection: exit code {code}")
    told = subprocess.run([*PROGRAM, "--info"], capture_output=True, text=True, check=True).stdout
    if "SPHERESCOPE_GUI=OFF" in told:
        code, text = run(folder, ["--bench", "raytrace", "--seconds", "1"], "", "")
        if code != 0:
            fail(f"a benchmark: exit code {code}: {text[-500:]!r}")
    else:
        code, text = run(folder, ["--offscreen", "--seconds", "1", "--screenshot", "r.png"], "", "")
        if code != 0 or "drawing frame" not in text:
            fail(f"a picture: exit code {code}: {text[-500:]!r}")
    # Every line of progress is cleared before what follows.
    last = [line for line in text.split("\n") if "of about" in line][-1]
    if not re.search(r"\r {60,}\r[^\r]*\r?$", last):
        fail(f"the line of progress stays: {last!r}")
    ended = subprocess.run(
        [*PROGRAM, "--bench", "saxpy", "--seconds", "0.3", "--processes", "1"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=True,
    )
    if "\r" in ended.stderr or "samples" in ended.stderr:
        fail(f"progress without a terminal: {ended.stderr!r}")
    ended = subprocess.run(
        [*PROGRAM, "--bench", "all", "--seconds", "0.01", "--processes", "2"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=True,
    )
    if "more than --seconds 0.01: 2 processes cannot start and prepare in less" not in ended.stderr:
        fail(f"a run that is longer than --seconds does not say so: {ended.stderr!r}")
print("terminal.py: all is well")
