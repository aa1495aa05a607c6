"""Signals, closed windows and closed pipes: every kind of run ends soon, with the exit code and the
record of the table below, and leaves no process and no part of a file.

Usage: signals.py terminal|window [REPEATS]. `window` needs a display and xdotool. With REPEATS,
every row runs so often, and the distribution of the times is printed.

Half a second is promised. The tests run beside others on machines of any size, so twenty times as
much is allowed, and the times are printed.
"""
import json
import os
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time

PROGRAM = os.environ["SPHERESCOPE"]
ALLOWED_S = 10.0
HANG_S = 30.0
TRIES = 4

KEPT = "kept"  # exit code 1; the record is marked as incomplete, and the program says so
NONE = "none"  # exit code 1; there is no record, and the program says so
SIGNAL = "signal"  # ended before the program catches signals: nothing had begun
DONE = "done"  # exit code 0; the record is complete
UNWRITTEN = "unwritten"  # exit code 1; a file cannot be written, and the program says so
QUIT = "quit"  # exit code 0; a person closed the window: the record is marked as incomplete

WORDS = {
    KEPT: ("Interrupted: the results up to this point are written as incomplete.",),
    NONE: (
        "Interrupted: nothing is written.",
        "Interrupted before there were results: none are written.",
        "Interrupted twice: the run ends at once.",
    ),
}
START = (NONE, SIGNAL, KEPT)

ONE = ["--processes", "1"]
LARGE = ["--spheres", "1000000", "--radii", "2:12"]
HUGE = ["--size", "16384x16384"]
DUEL = ["--duel", "book/global,strip/global/8"]
SHORT = ["--bench", "raytrace", "--modes", "book/global", "--frames", "9", *ONE]
LITTLE = ["--bench", "raytrace", *ONE]

TERM, INT, HUP = [("TERM", 0)], [("INT", 0)], [("HUP", 0)]
TWICE = [("TERM", 0), ("TERM", 0.001)]
MIXED = [("INT", 0), ("TERM", 0.001), ("HUP", 0.001)]
LATER = [("TERM", 0), ("INT", 0.7)]

# What a run waits for at its start, and then never gets.
SILENT = {"scene.json": "held", "talk.json": "held", "other.json": "held"}

# Arguments, seconds from the start, signals with the seconds before each, and what may follow.
# Where one outcome is allowed and another seen, the row is tried again later in the run: a machine
# that is busy begins late.
TERMINAL = [
    (LITTLE, 0.0, TERM, START),
    (LITTLE, 0.005, INT, START),
    (LITTLE, 0.01, HUP, START),
    (LITTLE, 0.02, TWICE, START),
    (LITTLE, 0.05, MIXED, START),
    (LITTLE, 1.0, MIXED, (KEPT,)),
    (["--bench", "raytrace", *LARGE, *ONE], 1.5, TERM, (KEPT,)),
    (["--bench", "raytrace", *HUGE, *ONE], 1.0, HUP, (KEPT,)),
    (["--bench", "saxpy", "--seconds", "60", *ONE], 0.7, TWICE, (KEPT,)),
    (["--bench", "memlat", "--seconds", "60", *ONE], 0.7, INT, (KEPT,)),
    (["--bench", "book", *ONE], 0.5, INT, (KEPT,)),
    (["--bench", "all", "--seconds", "100", "--processes", "3"], 0.5, TERM, (KEPT,)),
    (["--bench", "raytrace", *LARGE, "--processes", "2"], 1.5, MIXED, (KEPT,)),
    (["--sweep", "spheres=1..1000000", *ONE], 1.0, TERM, (KEPT,)),
    (["--sweep", "spheres=1..1000000", "--processes", "2"], 1.0, HUP, (KEPT,)),
    ([*DUEL, *LARGE, *ONE], 1.5, TERM, (KEPT,)),
    ([*DUEL, *HUGE, *ONE], 1.0, TERM, (KEPT,)),
    (["--record", "r.json"], 0.7, TERM, (KEPT,)),
    (["--offscreen", *LARGE], 0.3, TERM, (NONE, KEPT)),
    (["--offscreen", *HUGE], 0.3, TERM, (NONE, KEPT)),
    (["--offscreen", "--size", "128x128", "--seconds", "20"], 1.0, TWICE, (KEPT, NONE)),
    (["--talk", "four-claims", "--check"], 0.1, TERM, (NONE, DONE, SIGNAL)),
    (["--talk", "talk.json", "--check"], 0.3, TERM, (NONE,)),
    (["--scene", "scene.json", *LITTLE], 0.3, TERM, (NONE,)),
    (["--scene", "scene.json", "--bench", "raytrace"], 0.3, TERM, (NONE, KEPT)),
    (["--scene", "/proc/kmsg", *LITTLE], 0.3, TERM, (NONE,)),
    (["--play", "other.json", "--offscreen"], 0.3, TERM, (NONE,)),
    (["--replay", "other.json"], 0.3, INT, (NONE,)),
    (["--compare", "other.json", "other.json"], 0.3, TERM, (NONE,)),
    # Nobody reads what these write.
    ([*SHORT, "--csv", "nobody"], 2.0, LATER, (UNWRITTEN,)),
    ([*SHORT], 20.0, TERM, (DONE,)),
]
WINDOW = [
    (["--window", "320x240"], 0.0, TERM, START),
    (["--window", "320x240"], 0.05, TWICE, START),
    (["--window", "320x240", "--panels", "off"], 2.0, MIXED, (KEPT,)),
    (["--window", "320x240", "--seconds", "100"], 2.0, HUP, (KEPT,)),
    (["--window", "320x240", "--talk", "four-claims"], 2.0, TERM, (KEPT,)),
    (["--window", "320x240", "--panels", "off"], 1.0, "close", (DONE,)),
    (["--window", "320x240", "--panels", "off", "--seconds", "100"], 1.0, "close", (QUIT,)),
]


def draws():
    """Returns true when the program was built with window and pictures."""
    told = subprocess.run([PROGRAM, "--info"], capture_output=True, text=True, check=False).stdout
    return "SPHERESCOPE_GUI=OFF" not in told


def processes_of(session):
    """Returns the names of the processes of a session that still run."""
    names = []
    for entry in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{entry}/stat", encoding="utf-8") as file:
                name, rest = file.read().split("(", 1)[1].rsplit(")", 1)
            state, _, _, of = rest.split()[:4]
            if int(of) == session and state != "Z":
                names.append((int(entry), name))
        except (OSError, ValueError):
            pass
    return names


def close_window(process):
    """Presses the key that quits, until the program ends."""
    window = ["xdotool", "search", "--onlyvisible", "--pid", str(process.pid)]
    end = time.monotonic() + HANG_S
    while process.poll() is None and time.monotonic() < end:
        found = subprocess.run(window, capture_output=True, text=True, check=False).stdout.split()
        if found:
            subprocess.run(["xdotool", "windowfocus", found[0]], stderr=subprocess.DEVNULL, check=False)
            subprocess.run(["xdotool", "key", "q"], check=False)
        time.sleep(0.1)


def send(process, signals):
    for name, gap in signals:
        time.sleep(gap)
        if process.poll() is None:
            process.send_signal(getattr(signal, "SIG" + name))


def record_of(folder):
    """Returns None where there is no record, else what it says about being complete."""
    try:
        with open(os.path.join(folder, "r.json"), encoding="utf-8") as file:
            return json.load(file)["complete"]
    except FileNotFoundError:
        return None


def outcome_of(code, words, complete, asked):
    """Returns the outcome, or None where code, words and record contradict each other."""
    if code == 0:
        return QUIT if complete is False else DONE if complete or not asked else None
    if code in (-signal.SIGTERM, -signal.SIGINT, -signal.SIGHUP):
        return SIGNAL if complete is None and words == "" else None
    if code == 1 and "cannot be written: " in words:
        return UNWRITTEN
    for outcome, sentences in WORDS.items():
        if code == 1 and words.split("\n")[-1].removeprefix("spherescope: ") in sentences:
            if complete is False or (complete is None and outcome == NONE):
                return outcome
    return None


def run(arguments, moment, signals):
    """Runs one row. Returns the outcome, the seconds from the first signal to the end, and what is
    wrong, as a text."""
    folder = tempfile.mkdtemp()
    held = []
    for name, kind in {**SILENT, "nobody": "alone"}.items():
        if name in arguments:
            os.mkfifo(os.path.join(folder, name))
            if kind == "held":
                held.append(os.open(os.path.join(folder, name), os.O_RDWR))
    asked = not {"--check", "--compare", "--record"} & set(arguments)
    command = [PROGRAM, "--backend", "cpu", *arguments, *(["--json", "r.json"] if asked else [])]
    if "--compare" in arguments:
        command = [PROGRAM, *arguments]
    with open(os.path.join(folder, "out"), "wb") as out, open(
        os.path.join(folder, "err"), "wb"
    ) as err:
        process = subprocess.Popen(
            command,
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=err,
            env={**os.environ, "HOME": folder},
            start_new_session=True,
        )
    try:
        process.wait(moment)
    except subprocess.TimeoutExpired:
        pass
    begin = time.monotonic()
    if signals == "close":
        close_window(process)
    else:
        send(process, signals)
    try:
        code = process.wait(HANG_S)
    except subprocess.TimeoutExpired:
        process.kill()
        code = process.wait()
    took = time.monotonic() - begin - (0 if signals == "close" else sum(gap for _, gap in signals))
    wrong = []
    left = processes_of(process.pid)
    if left:  # killed ones take a moment
        time.sleep(1.0)
        left = processes_of(process.pid)
    for number, name in left:
        wrong.append(f"{name} is left behind")
        os.kill(number, signal.SIGKILL)
    parts = [name for name in os.listdir(folder) if ".part-" in name or ".spherescope-" in name]
    if parts:
        wrong.append(f"left behind: {parts}")
    with open(os.path.join(folder, "err"), encoding="utf-8") as file:
        words = file.read().strip()
    complete = record_of(folder)
    outcome = outcome_of(code, words, complete, asked)
    if outcome is None:
        wrong.append(f"exit code {code}, record {complete}: {words[-300:]}")
    if took > ALLOWED_S and signals != "close":
        wrong.append(f"{took:.1f} s")
    for file in held:
        os.close(file)
    shutil.rmtree(folder, ignore_errors=True)
    return outcome, took, "; ".join(wrong)


def try_row(row):
    """Runs a row until its outcome is one of those allowed. Returns the seconds and whether the row
    holds."""
    arguments, moment, signals, allowed = row
    for attempt in range(TRIES):
        outcome, took, wrong = run(arguments, moment * 2**attempt, signals)
        if wrong or outcome in allowed:
            break
    name = signals if signals == "close" else "+".join(name for name, _ in signals)
    print(f"{1e3 * took:5.0f} ms  {outcome}  {' '.join(arguments)} @{moment} {name}", flush=True)
    if wrong or outcome not in allowed:
        print(f"signals.py: {' '.join(arguments)} @{moment} {name}: {outcome} instead of "
              f"{' or '.join(allowed)}. {wrong}", flush=True)
        return took, False
    return took, True


def closed_output(pictures):
    """Runs whose standard output is a closed pipe write their record, and fail with a sentence."""
    good = True
    for arguments in (
        ["--bench", "saxpy", "--seconds", "0.3", *ONE, "--json", "r.json"],
        ["--bench", "saxpy", "--seconds", "0.3", "--processes", "2", "--json", "r.json"],
        ["--bench", "saxpy", "--seconds", "0.3", *ONE, "--json", "-"],
        ["--offscreen", "--seconds", "0.3", "--screenshot", "r.png", "--json", "r.json"],
        ["--help"],
        ["--list-devices"],
    ):
        if "--offscreen" in arguments and not pictures:
            continue
        folder = tempfile.mkdtemp()
        reading, writing = os.pipe()
        os.close(reading)
        ended = subprocess.run(
            [PROGRAM, "--backend", "cpu", *arguments],
            cwd=folder,
            stdout=writing,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
        os.close(writing)
        said = "Standard output" in ended.stderr
        written = record_of(folder) is not None or "r.json" not in arguments
        shutil.rmtree(folder, ignore_errors=True)
        if ended.returncode != 1 or not said or not written:
            print(f"signals.py: closed pipe: {' '.join(arguments)}: exit {ended.returncode}, "
                  f"{ended.stderr[-200:]}, record {written}")
            good = False
    return good


def main():
    window = sys.argv[1] == "window"
    repeats = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    if not window:
        for name in ("DISPLAY", "WAYLAND_DISPLAY"):
            os.environ.pop(name, None)
    elif not shutil.which("xdotool"):
        return 77
    times, good = [], True
    pictures = draws()
    for row in repeats * (WINDOW if window else TERMINAL):
        if "--offscreen" in row[0] and not pictures:
            continue
        took, holds = try_row(row)
        good = good and holds
        if row[2] != "close":
            times.append(1e3 * took)
    if not window:
        good = closed_output(pictures) and good
    print(f"{len(times)} signals: median {statistics.median(times):.0f} ms, "
          f"95 % below {sorted(times)[int(0.95 * (len(times) - 1))]:.0f} ms, "
          f"at most {max(times):.0f} ms")
    return 0 if good else 1


sys.exit(main())
