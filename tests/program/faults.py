#!/usr/bin/env python3
"""faults.py quick|every [SCENARIO[:KIND]...]: makes the program's calls of CUDA, OpenGL and allocation fail, one
per run, and judges how each run ends. The program is $SPHERESCOPE, linked so that its allocations can
fail; with a stand-in for CUDA (its name ends in standin), the calls of the runtime fail too. On a
display, a window is driven; without, all other scenarios run.

A run counts its calls first. Then the Nth call fails: for the first N of each kind and a sample of the
others (quick: 7 in all), or of 600 (every). Each run must end by itself with 0, 1 or 4; say why; leave no file but
those that it was to write, and these complete; and write no picture but the right one.
"""
import concurrent.futures
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

PROGRAM = os.environ["SPHERESCOPE"]
STANDIN = PROGRAM.endswith("standin")
PNG_SAME = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support", "png_same.py")
TIMEOUT_S = 120  # only a hang takes so long, on a busy machine too

PICTURE = ["--offscreen", "--hud", "off", "--panels", "off", "--size", "48x48", "--window", "96x54",
           "--frames", "3", "--seconds", "1", "--screenshot", "p.png", "--json", "r.json"]
SCENARIOS = {
    # start, several kernels and storages, screenshot, exit
    "picture": PICTURE + ["--modes", "book/global,strip/constant/4,binned/global"],
    # the same with everything that is drawn
    "screen": ["--offscreen", "--size", "48x48", "--window", "640x360", "--frames", "3", "--seconds", "5",
               "--panels", "compact", "--screenshot", "p.png", "--json", "r.json"],
    "duel": ["--duel", "book/global,strip/shared", "--size", "48x48", "--seconds", "0.3",
             "--processes", "1", "--json", "r.json"],
    # start, toggles, new sizes, a screenshot, exit; needs a display
    "window": ["--window", "320x180", "--size", "48x48", "--panels", "off", "--vsync", "off",
               "--seconds", "6", "--screenshot", "p.png", "--json", "r.json"],
    "bench": ["--bench", "saxpy", "--seconds", "0.3", "--processes", "1", "--json", "r.json"],
}
RUNS = {"quick": 7, "every": 600}  # per kind


CACHE = tempfile.mkdtemp(prefix="faults-cache-")
# What happens to a window: keys, and sizes.
EVENTS = ["3", "k", "Tab", "m", (500, 300), "Up", "z", (200, 120), "i", "s", "p", "q", "q"]


def environment(kind, what, folder):
    env = dict(os.environ, HOME=folder, XDG_CACHE_HOME=CACHE, OMP_NUM_THREADS="2")
    env["SPHERESCOPE_STANDIN" if kind == "runtime" else "SPHERESCOPE_FAIL"] = what
    return env


def xdotool(*arguments):
    return subprocess.run(["xdotool"] + list(arguments), stdout=subprocess.PIPE, timeout=TIMEOUT_S,
                          stderr=subprocess.DEVNULL, check=False).stdout.decode().split()


def drive(program):
    """Waits for the window of the program and does to it what EVENTS says."""
    window = []
    while not window:
        if program.poll() is not None:
            return
        time.sleep(0.05)
        window = xdotool("search", "--onlyvisible", "--class", "spherescope")
    xdotool("windowfocus", window[-1])
    for event in EVENTS:
        if program.poll() is not None:
            return
        if isinstance(event, tuple):
            xdotool("windowsize", window[-1], *map(str, event))
        else:
            xdotool("key", event)
        time.sleep(0.02)


def run(arguments, kind, what):
    """Runs the program in a folder of its own. Returns its exit code, stderr and that folder."""
    folder = tempfile.mkdtemp(prefix="faults-")
    os.mkdir(os.path.join(folder, "Pictures"))
    with open(os.path.join(CACHE, os.path.basename(folder)), "w+b") as stderr:
        program = subprocess.Popen([PROGRAM] + arguments, cwd=folder, stdin=subprocess.DEVNULL,
                                   env=environment(kind, what, folder), stderr=stderr,
                                   stdout=subprocess.DEVNULL)
        if arguments == SCENARIOS["window"]:
            drive(program)
        try:
            status = program.wait(TIMEOUT_S)
        except subprocess.TimeoutExpired:
            program.kill()
            program.wait()
            status = None
        stderr.seek(0)
        return status, stderr.read().decode(errors="replace"), folder


def defect_of(status, stderr, folder, arguments, expected):
    """Returns what is wrong with a run, or None. expected: the right picture, or None."""
    if status is None:
        return "it hangs"
    if status not in (0, 1, 4):
        return f"it ends with {status}"
    if re.search(r"stand-in for CUDA|Sanitizer|runtime error:", stderr):
        return "it does not clean up"
    told = [line for line in stderr.splitlines() if not line.startswith(("up to about", "picture:"))]
    if status != 0 and not any(len(line.split()) >= 6 for line in told):
        return "it does not say why"
    if "checking on would name" in stderr:
        return "its sentence needs a second run"
    wanted = [arguments[i + 1] for i, a in enumerate(arguments) if a in ("--screenshot", "--json")]
    left = set(os.listdir(folder)) - set(wanted)
    if left - {"Pictures", ".config"}:
        return f"it leaves {' '.join(sorted(left))}"
    shots = [os.path.join("Pictures", name) for name in os.listdir(os.path.join(folder, "Pictures"))]
    for name in wanted + shots:
        path = os.path.join(folder, name)
        if not os.path.exists(path):
            if status == 0:
                return f"it ends with 0 without {name}"
        elif name.endswith(".json"):
            try:
                json.load(open(path, encoding="utf-8"))
            except ValueError:
                return f"{name} is not complete"
        elif subprocess.run([sys.executable, PNG_SAME, path, path if name in shots else expected or path], check=False,
                            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode != 0:
            return f"{name} is not the right picture"
    return None


def counts(stderr):
    return {name: int(n) for name, n in re.findall(r"^counted any-(\w+) (\d+)$", stderr, re.M)}


def chosen(calls, most):
    """Returns the first calls and a sample of the others."""
    if calls <= most:
        return list(range(1, calls + 1))
    first = most // 2
    step = (calls - first) / (most - first)
    return list(range(1, first + 1)) + [first + int(step * (i + 1)) for i in range(most - first)]


def scenario(name, most, pool):
    name, _, only = name.partition(":")
    arguments = SCENARIOS[name]
    status, stderr, clean = run(arguments, "alloc", "count")
    if status == 4:
        print(f"skipped: {stderr}")
        sys.exit(77)
    if status != 0:
        sys.exit(f"faults.py: {name} without a fault ends with {status}:\n{stderr}")
    calls = counts(stderr)
    if STANDIN:
        calls.update(counts(run(arguments, "runtime", "count")[1]))
    expected = os.path.join(clean, "p.png") if name == "picture" else None
    defects, said = [], {}
    for kind, made in calls.items():
        if only not in ("", kind):
            continue
        ends = {}
        what = [("fail:" if kind == "runtime" else f"any-{kind}:") + str(n) for n in chosen(made, most)]
        for fault, (status, stderr, folder) in zip(
                what, pool.map(lambda fault, k=kind: run(arguments, k, fault), what)):
            ends[status] = ends.get(status, 0) + 1
            defect = defect_of(status, stderr, folder, arguments, expected)
            for line in stderr.splitlines():
                said.setdefault(re.sub(r"[0-9]+", "N", line), f"{fault}: {line}")
            if defect:
                defects.append((kind, fault, defect, stderr))
            shutil.rmtree(folder)
        words = ", ".join(f"{n} with {status}" for status, n in sorted(ends.items(), key=str))
        print(f"{name}: {made} calls of {kind}, {len(what)} failed in turn: {words}")
    shutil.rmtree(clean)
    for kind, fault, defect, stderr in defects:
        variable = "SPHERESCOPE_STANDIN" if kind == "runtime" else "SPHERESCOPE_FAIL"
        print(f"WRONG: {variable}={fault} {os.path.basename(PROGRAM)} {' '.join(arguments)}: {defect}\n"
              f"{stderr}")
    if os.environ.get("FAULTS_SENTENCES"):
        print("\n".join(sorted(said.values())))
    return len(defects)


def main():
    if len(sys.argv) < 2 or sys.argv[1] not in ("quick", "every"):
        sys.exit(__doc__)
    displays = ["window"] if "DISPLAY" in os.environ else [n for n in SCENARIOS if n != "window"]
    names = sys.argv[2:] or (displays[:1] if sys.argv[1] == "quick" else displays)
    # Keys go to the window that has the focus, so there is one at a time.
    if "DISPLAY" in os.environ and not shutil.which("xdotool"):
        print("skipped: xdotool is not installed")
        sys.exit(77)
    workers = 1 if "DISPLAY" in os.environ else os.cpu_count()
    with concurrent.futures.ThreadPoolExecutor(workers) as pool:
        wrong = sum(scenario(name, RUNS[sys.argv[1]], pool) for name in names)
    shutil.rmtree(CACHE)
    print(f"{wrong} defects")
    sys.exit(1 if wrong else 0)


main()
