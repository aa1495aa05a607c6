"""Signals, closed windows and closed pipes: every kind of run ends soon, with the exit code and the
record of the table below, and leaves no process and no part of a file.

Usage: signals.py terminal|window. `window` needs a display and xdotool; without it, one more run,
with several outputs, gets its signal at moments all over its length. Half a second is promised: with
TEST_TIMING, on a quiet machine, the median of all rows has to keep the promise, and no row may take
twenty times as much.
"""
import csv
import json
import os
import shutil
import signal
import statistics
import struct
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "support"))
import png_record  # noqa: E402

PROGRAM = os.environ["SPHERESCOPE"]
JUDGES_TIMES = "TEST_TIMING" in os.environ
ALLOWED_S = 10.0
PROMISED_S = 0.5
SLOWED = 10  # by a sanitizer, at most
HANG_S = 100.0
TRIES = 6

KEPT = "kept"  # exit code 1; the record is marked as incomplete, and the program says so
NONE = "none"  # exit code 1; there is no record, and the program says so
SIGNAL = "signal"  # ended before the program catches signals: nothing had begun
DONE = "done"  # exit code 0; the record is complete
UNWRITTEN = "unwritten"  # exit code 1; a file cannot be written, and the program says so
QUIT = "quit"  # exit code 0; a person closed the window: the record is marked as incomplete

WORDS = {
    KEPT: ("Interrupted: the results up to this point are written as incomplete.",),
    NONE: ("Interrupted: nothing is written.", "Interrupted twice: the run ends at once.",
           "Interrupted before there were results: none are written."),
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
LATER = [("TERM", 0), ("INT", 0.4)]

# What a run waits for at its start, and then never gets.
SILENT = ("scene.json", "talk.json", "other.json")

# Arguments, seconds from the start, signals with the seconds before each, and what may follow.
# Where one outcome is allowed and another seen, the row is tried again later in the run: a machine
# that is busy begins late.
TERMINAL = [
    (LITTLE, 0.0, TERM, START),
    (LITTLE, 0.02, TWICE, START),
    (LITTLE, 0.5, MIXED, (KEPT,)),
    # One frame of these takes seconds: whether it is over depends on the machine.
    (["--bench", "raytrace", *HUGE, *ONE], 0.5, HUP, (NONE, KEPT)),
    (["--bench", "raytrace", *LARGE, "--processes", "2"], 1.0, MIXED, (NONE, KEPT)),
    ([*DUEL, *LARGE, *ONE], 1.0, TERM, (NONE, KEPT)),
    (["--offscreen", *LARGE], 0.2, TERM, (NONE, KEPT)),
    (["--bench", "saxpy", "--seconds", "60", *ONE], 0.4, TWICE, (KEPT,)),
    (["--bench", "access", "--seconds", "60", *ONE], 0.4, INT, (KEPT,)),
    (["--bench", "book", *ONE], 1.0, INT, (KEPT,)),
    (["--bench", "all", "--seconds", "100", "--processes", "3"], 0.5, TERM, (KEPT,)),
    (["--sweep", "spheres=1..1000000", *ONE], 0.5, TERM, (KEPT,)),
    (["--sweep", "spheres=1..1000000", "--processes", "2"], 0.5, HUP, (KEPT,)),
    ([*DUEL, "--size", "64x64", "--seconds", "60", *ONE], 0.5, TERM, (KEPT,)),
    (["--record", "r.json"], 0.4, TERM, (KEPT,)),
    (["--offscreen", "--size", "128x128", "--seconds", "20"], 0.5, TWICE, (KEPT, NONE)),
    (["--talk", "four-claims", "--check"], 0.1, TERM, (NONE, DONE, SIGNAL)),
    (["--talk", "talk.json", "--check"], 0.2, TERM, (NONE,)),
    (["--scene", "scene.json", "--bench", "raytrace"], 0.2, TERM, (NONE, KEPT)),
    (["--scene", "kmsg.json", *LITTLE], 0.2, TERM, (NONE,)),
    (["--play", "other.json", "--offscreen"], 0.2, TERM, (NONE,)),
    (["--replay", "other.json"], 0.2, INT, (NONE,)),
    (["--compare", "other.json", "other.json"], 0.2, TERM, (NONE,)),
    # Nobody reads what these write.
    ([*SHORT, "--csv", "nobody"], 0.5, LATER, (UNWRITTEN,)),
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


# The run that gets a signal at each of so many moments.
OUTPUTS = ["--size", "64x64", "--frames", "9", "--seconds", "20", "--modes", "book/global", "--csv",
           "r.csv"]
PICTURE = ["--offscreen", "--window", "160x90", "--screenshot", "r.png"]
MOMENTS = 40 if JUDGES_TIMES else 8


def promised_s():
    """Returns the seconds that the median may take with this program."""
    program = Path(PROGRAM).read_bytes()
    slow = b"__asan_init" in program or b"__tsan_init" in program
    return PROMISED_S * (SLOWED if slow else 1)


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
    """Returns None where there is no record, else what it says about being complete. A record
    without a result is none that a run may write."""
    try:
        with open(os.path.join(folder, "r.json"), encoding="utf-8") as file:
            record = json.load(file)
            return record["complete"] if record["results"] else "without results"
    except FileNotFoundError:
        return None


def check_csv(text):
    """Raises ValueError unless a table has a result, and every row all its columns."""
    rows = list(csv.reader(text.splitlines()))
    if not text.endswith("\n") or len(rows) < 2 or len({len(row) for row in rows}) != 1:
        raise ValueError(f"{len(rows)} rows of a table, the last one {text[-40:]!r}")


def broken_files(folder):
    """Returns what is wrong with the outputs in a folder, each of which is whole or absent."""
    broken = []
    for name, check in (("r.json", json.loads), ("r.csv", check_csv), ("r.png", lambda data: [*png_record.chunks(data)])):
        try:
            data = Path(folder, name).read_bytes()
            check(data if name == "r.png" else data.decode())
        except FileNotFoundError:
            pass
        except (ValueError, struct.error) as error:
            broken.append(f"{name} is broken: {error}")
    return broken


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
    for name in (*SILENT, "nobody"):
        if name in arguments:
            os.mkfifo(os.path.join(folder, name))
            if name in SILENT:
                held.append(os.open(os.path.join(folder, name), os.O_RDWR))
    os.symlink("/proc/kmsg", os.path.join(folder, "kmsg.json"))
    asked = not {"--check", "--compare", "--record"} & set(arguments)
    command = [PROGRAM, "--backend", "cpu", *arguments, *(["--json", "r.json"] if asked else [])]
    if "--compare" in arguments:
        command = [PROGRAM, *arguments]
    with open(folder + "/out", "wb") as out, open(folder + "/err", "wb") as err:
        process = subprocess.Popen(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=out,
                                   stderr=err, env={**os.environ, "HOME": folder},
                                   start_new_session=True)
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
    parts = [name for name in os.listdir(folder) if ".part-" in name]
    if parts:
        wrong.append(f"left behind: {parts}")
    broken = broken_files(folder)
    wrong += broken
    with open(os.path.join(folder, "err"), encoding="utf-8") as file:
        words = file.read().strip()
    if words.count("Interrupted") > 1:
        wrong.append(f"more than one sentence: {words[-300:]}")
    complete = record_of(folder) if not broken else None
    outcome = outcome_of(code, words, complete, asked)
    if outcome is None:
        wrong.append(f"exit code {code}, record {complete}: {words[-300:]}")
    results = ("r.json", "r.csv", *(["r.png"] if outcome == SIGNAL else []))  # a picture may be drawn
    written = [name for name in os.listdir(folder) if name in results]
    if outcome in (NONE, SIGNAL) and written:
        wrong.append(f"{written} should not be there")
    if JUDGES_TIMES and took > ALLOWED_S and signals != "close":
        wrong.append(f"{took:.1f} s")
    for file in held:
        os.close(file)
    shutil.rmtree(folder, ignore_errors=True)
    return outcome, took, "; ".join(wrong)


def sweep_moments(pictures):
    """Ends the same run at moments from its start to its end. Returns the seconds that each end
    took, and whether all is well."""
    arguments = OUTPUTS + PICTURE if pictures else [*SHORT, "--csv", "r.csv"]
    times, seen, good, length = [], {}, True, HANG_S
    for _ in range(2):
        begin = time.monotonic()
        outcome, _, wrong = run(arguments, HANG_S, TERM)
        length = min(length, time.monotonic() - begin)
        if outcome != DONE or wrong:
            print(f"signals.py: without a signal: {outcome}. {wrong}")
            good = False
    for i in range(MOMENTS):
        moment = 1.05 * length * i / (MOMENTS - 1)
        outcome, took, wrong = run(arguments, moment, TERM)
        times.append(took)
        seen[outcome] = seen.get(outcome, 0) + 1
        if wrong or outcome not in (*START, DONE):
            print(f"signals.py: {' '.join(arguments)} @{moment:.3f}: {outcome}. {wrong}")
            good = False
    print(f"{MOMENTS} moments in {length:.2f} s: {seen}")
    return times, good


def report(what, times):
    """Prints the median of the times of a group, and returns whether it may be as it is."""
    median, promised = statistics.median(times), promised_s()
    print(f"{len(times)} {what}: median {1e3 * median:.0f} ms of {1e3 * promised:.0f} ms promised, "
          f"at most {1e3 * max(times):.0f} ms")
    return median < promised or not JUDGES_TIMES


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
        ended = subprocess.run([PROGRAM, "--backend", "cpu", *arguments], cwd=folder, check=False,
                               stdout=writing, stderr=subprocess.PIPE, text=True)
        os.close(writing)
        said = "Standard output" in ended.stderr
        written = record_of(folder) is not None or "r.json" not in arguments
        shutil.rmtree(folder, ignore_errors=True)
        if ended.returncode != 1 or not said or not written:
            print(f"signals.py: closed pipe: {' '.join(arguments)}: exit {ended.returncode}, "
                  f"{ended.stderr[-200:]}, record {written}")
            good = False
    return good


def full_memory():
    """A small allocation that fails ends a run as a signal does, and before there is something to
    keep at once. Returns whether it does."""
    folder = tempfile.mkdtemp()

    def fail(which):
        ended = subprocess.run(
            [PROGRAM, "--backend", "cpu", *SHORT, "--json", "r.json"], cwd=folder, text=True,
            env={**os.environ, "SPHERESCOPE_FAIL": which}, capture_output=True, check=False)
        return ended.returncode, ended.stderr.strip().split("\n")[-1], record_of(folder)

    counted = subprocess.run(
        [PROGRAM, "--backend", "cpu", *SHORT], env={**os.environ, "SPHERESCOPE_FAIL": "count"},
        capture_output=True, text=True, check=False).stderr
    calls = int(counted.split("counted krn_grow ")[1].split()[0])
    ends = fail("krn_grow:1"), fail(f"krn_grow:{calls // 3}")
    shutil.rmtree(folder, ignore_errors=True)
    start = "spherescope: Memory is full: "
    right = ((1, start + "close other programs.", None),
             (1, start + "the results up to this point are written as incomplete.", False))
    if ends != right:
        print(f"signals.py: memory is full, {calls} calls: {ends}")
    return ends == right


def main():
    window = sys.argv[1] == "window"
    if not window:
        for name in ("DISPLAY", "WAYLAND_DISPLAY"):
            os.environ.pop(name, None)
    elif not shutil.which("xdotool"):
        return 77
    times, good = [], True
    pictures = draws()
    rows = [row for row in (WINDOW if window else TERMINAL)
            if "--offscreen" not in row[0] or pictures]
    # Most of a row is waiting; its time means something alone, and a key needs the keyboard.
    with ThreadPoolExecutor(1 if JUDGES_TIMES or window else 2) as pool:
        for row, (took, holds) in zip(rows, pool.map(try_row, rows)):
            good = good and holds
            if row[2] != "close":
                times.append(took)
    if not window:
        good = closed_output(pictures) and good
        good = full_memory() and good
        moments, holds = sweep_moments(pictures)
        good = report("moments", moments) and holds and good
    good = report("signals", times) and good
    return 0 if good else 1


sys.exit(main())
