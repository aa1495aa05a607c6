#!/usr/bin/env python3
"""faults.py quick|every [SCENARIO[:KIND]...]: makes the program's calls of CUDA, OpenGL and allocation fail, one
per run, and judges how each run ends. The program is $SPHERESCOPE, linked so that its allocations can
fail; with a stand-in for CUDA (its name ends in standin), the calls of the runtime fail too; with a
name that ends in gpu, it runs on a real one. On a display, a window is driven; without, all other
scenarios run. FAULTS_JOBS: runs at a time.

quick: a run counts its calls; then the Nth call fails, for 7 N of each kind. every: a run lists the
classes of its calls, which differ in function, callers or phase (tests/support/fault_class.h); then,
of every class, the first two calls, the one in the middle and the last fail in turn. The GPU is also
lost for good at the first and at the last call of every class of the runtime.

Each run must end by itself with 0, 1 or 4; say why; leave no file but those that it was to write, and
these complete; and write no picture but the right one.
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

PROGRAM = os.path.abspath(os.environ["SPHERESCOPE"])  # runs have folders of their own
STANDIN = PROGRAM.endswith("standin")
GPU = PROGRAM.endswith("gpu")
LOST_AT = "cuda" if GPU else "runtime"  # the calls at which the GPU is also lost for good
PNG_SAME = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support", "png_same.py")
TIMEOUT_S = 120  # only a hang takes so long, on a busy machine too

PICTURE = ["--offscreen", "--hud", "off", "--panels", "off", "--size", "48x48", "--window", "96x54",
           "--frames", "3", "--seconds", "1", "--screenshot", "p.png", "--json", "r.json"]
ABOVE_NOTICE = ["0", "0", "96", "36"]  # of that picture: what a notice does not cover
SCENARIOS = {
    # start, several kernels and storages, screenshot, exit
    "picture": PICTURE + ["--modes", "book/global,strip/constant/4,binned/global"],
    # the light view: the spheres in its forms, and the tree
    "light": PICTURE + ["--kernel", "tree", "--modes", "brute/constant,tree/global"],
    # the same with everything that is drawn
    "screen": ["--offscreen", "--size", "48x48", "--window", "640x360", "--frames", "3", "--seconds", "1.5",
               "--panels", "compact", "--screenshot", "p.png", "--json", "r.json"],
    "duel": ["--duel", "book/global,strip/shared", "--size", "48x48", "--seconds", "0.3",
             "--processes", "1", "--json", "r.json"],
    # start, toggles, new sizes, a screenshot, exit; needs a display
    "window": ["--window", "320x180", "--size", "48x48", "--panels", "off", "--vsync", "off",
               "--seconds", "6", "--screenshot", "p.png", "--json", "r.json"],
    "bench": ["--bench", "saxpy", "--seconds", "0.3", "--processes", "1", "--json", "r.json"],
}
QUICK_RUNS = 7  # per kind


CACHE = tempfile.mkdtemp(prefix="faults-cache-")
# What happens to a window: keys, and sizes.
EVENTS = ["3", "k", "Tab", "m", (500, 300), "Up", "z", (200, 120), "i", "s", "p", "q", "q"]


def environment(what, folder):
    """what: the variable of a fault and its value."""
    env = dict(os.environ, HOME=folder, XDG_CACHE_HOME=CACHE, OMP_NUM_THREADS="2",
               FAULT_CLASSES=classes_file(folder))
    variable, value = what
    if variable != "FAULT_CLASS":
        del env["FAULT_CLASSES"]
    if value:
        env[variable] = value
    return env


def classes_file(folder):
    return os.path.join(CACHE, os.path.basename(folder) + "-classes")


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


def run(arguments, what):
    """Runs the program in a folder of its own. Returns its exit code, stderr and that folder."""
    folder = tempfile.mkdtemp(prefix="faults-")
    os.mkdir(os.path.join(folder, "Pictures"))
    with open(os.path.join(CACHE, os.path.basename(folder)), "w+b") as stderr:
        program = subprocess.Popen([PROGRAM] + arguments, cwd=folder, stdin=subprocess.DEVNULL,
                                   env=environment(what, folder), stderr=stderr,
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
        os.remove(stderr.name)
        return status, stderr.read().decode(errors="replace"), folder


def same(a, b, part):
    """Returns true when two pictures are complete and the same in that part, or everywhere."""
    return subprocess.run([sys.executable, PNG_SAME, a, b] + part, check=False, stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL).returncode == 0


def defect_of(status, stderr, folder, arguments, expected):
    """Returns what is wrong with a run, or None. expected: the right picture, or None."""
    if status is None:
        return "it hangs"
    if status not in (0, 1, 4):
        return f"it ends with {status}"
    if re.search(r"stand-in for CUDA|Sanitizer|runtime error:", stderr):
        return "it does not clean up"
    told = [line for line in stderr.splitlines()
            if not line.startswith(("up to about", "progress: ", "picture:"))]
    if status != 0 and not any(len(line.split()) >= 6 for line in told):
        return "it does not say why"
    if "checking on would name" in stderr:
        return "its sentence needs a second run"
    fell = "The CPU backend takes over." in stderr
    wanted = [arguments[i + 1] for i, a in enumerate(arguments) if a in ("--screenshot", "--json")]
    left = set(os.listdir(folder)) - set(wanted)
    if left - {"Pictures", ".config", ".nv"}:  # the last is the driver's cache
        return f"it leaves {' '.join(sorted(left))}"
    shots = [os.path.join("Pictures", name) for name in os.listdir(os.path.join(folder, "Pictures"))]
    for name in wanted + shots:
        path = os.path.join(folder, name)
        if not os.path.exists(path):
            if status == 0:
                return f"it ends with 0 without {name}"
        elif name.endswith(".json"):
            try:
                record = json.load(open(path, encoding="utf-8"))
            except ValueError:
                return f"{name} is not complete"
            if (STANDIN or GPU) and record["state"]["backend"] == "cpu" and not fell:
                return "it does not say that the GPU is lost"
        elif not same(path, path if name in shots else expected or path,
                      ABOVE_NOTICE if fell else []):
            return f"{name} is not the right picture"
    return None


def chosen(calls, most):
    """Returns the first calls and a sample of the others."""
    if calls <= most:
        return list(range(1, calls + 1))
    first = most // 2
    step = (calls - first) / (most - first)
    return list(range(1, first + 1)) + [first + int(step * (i + 1)) for i in range(most - first)]


def faults_by_number(arguments):
    """Returns the number of calls per kind, and faults per kind: N of the calls that the run makes."""
    calls, faults = {}, {}
    variables = ["SPHERESCOPE_FAIL"] + (["SPHERESCOPE_STANDIN"] if STANDIN else [])
    for variable in variables:
        status, stderr, folder = run(arguments, (variable, "count"))
        shutil.rmtree(folder)
        for kind, made in re.findall(r"^counted any-(\w+) (\d+)$", stderr, re.M):
            calls[kind] = f"{made} calls"
            word = "fail" if kind == "runtime" else f"any-{kind}"
            faults[kind] = [(variable, f"{word}:{n}") for n in chosen(int(made), QUICK_RUNS)]
    return calls, faults


def faults_by_class(arguments):
    """Likewise, of calls of every class that the run has."""
    status, stderr, folder = run(arguments, ("FAULT_CLASS", ""))
    shutil.rmtree(folder)
    made, classes, faults = {}, {}, {}
    for line in sorted(open(classes_file(folder), encoding="utf-8")):
        identity, kind, count, _ = line.split()
        last = int(count)
        # The stand-in fails all calls of the runtime, also those that pass through KRN_CUDA.
        made[kind] = made.get(kind, 0) + last
        classes[kind] = classes.get(kind, 0) + 1
        faults.setdefault(kind, []).extend(
            ("FAULT_CLASS", f"{kind}:{identity}:{n}")
            for n in sorted({1, min(2, last), (last + 1) // 2, last}))
        if kind == LOST_AT:
            faults.setdefault("lost", []).extend(
                ("FAULT_CLASS", f"{kind}:{identity}:{n}:lost") for n in sorted({1, last}))
            made["lost"], classes["lost"] = made[kind], classes[kind]
    return {kind: f"{made[kind]} calls in {classes[kind]} classes" for kind in made}, faults


def line_of(what):
    """Returns the variables that repeat a fault, as a shell takes them."""
    classes = "FAULT_CLASSES=classes " if what[0] == "FAULT_CLASS" else ""
    return classes + "=".join(what)


def fail(arguments, what):
    """Runs with a fault; returns how it ended, where the call was, and the seconds."""
    start = time.monotonic()
    ended = run(arguments, what)
    where = "not reached"
    if what[0] != "FAULT_CLASS":
        where = ""
    elif os.path.exists(classes_file(ended[2])):
        where = open(classes_file(ended[2]), encoding="utf-8").read().strip()
        os.remove(classes_file(ended[2]))
    return ended, where, time.monotonic() - start


def scenario(name, quick, pool):
    name, _, only = name.partition(":")
    arguments = SCENARIOS[name]
    status, stderr, clean = run(arguments, ("SPHERESCOPE_FAIL", ""))
    if status == 4:
        print(f"skipped: {stderr}")
        sys.exit(77)
    if status != 0:
        sys.exit(f"faults.py: {name} without a fault ends with {status}:\n{stderr}")
    calls, faults = faults_by_number(arguments) if quick else faults_by_class(arguments)
    expected = os.path.join(clean, "p.png") if name == "picture" else None
    defects, said = [], {}
    for kind, whats in faults.items():
        if only not in ("", kind):
            continue
        ends, missed, slowest = {}, 0, 0.0
        for what, ((status, stderr, folder), where, seconds) in zip(
                whats, pool.map(lambda what: fail(arguments, what), whats)):
            ends[status] = ends.get(status, 0) + 1
            missed += where == "not reached"
            slowest = max(slowest, seconds)
            defect = defect_of(status, stderr, folder, arguments, expected)
            for line in stderr.splitlines():
                said.setdefault(re.sub(r"[0-9]+", "N", line), f"{what[1]} {where}: {line}")
            if defect:
                defects.append(what)
                print(f"WRONG: {line_of(what)} {os.path.basename(PROGRAM)} {' '.join(arguments)}: "
                      f"{defect}\n{where}\n{stderr}", flush=True)
            shutil.rmtree(folder)
        words = ", ".join(f"{n} with {status}" for status, n in sorted(ends.items(), key=str))
        print(f"{name}: {kind}: {calls[kind]}, {len(whats)} failed in turn: {words}; "
              f"{missed} not reached, slowest {slowest:.1f} s", flush=True)
        if whats and missed == len(whats):
            defects.append(kind)
            print(f"WRONG: no run reaches its call: {kind}")
    shutil.rmtree(clean)
    if os.environ.get("FAULTS_SENTENCES"):
        print("\n".join(sorted(said.values())), flush=True)
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
    if GPU:
        status, stderr, folder = run(["--backend", "cuda"] + PICTURE, ("SPHERESCOPE_FAIL", ""))
        shutil.rmtree(folder)
        if status == 4:
            print(f"skipped: {stderr}")
            sys.exit(77)
    workers = 1 if "DISPLAY" in os.environ else int(os.environ.get("FAULTS_JOBS", os.cpu_count()))
    with concurrent.futures.ThreadPoolExecutor(workers) as pool:
        wrong = sum(scenario(name, sys.argv[1] == "quick", pool) for name in names)
    shutil.rmtree(CACHE)
    print(f"{wrong} defects")
    sys.exit(1 if wrong else 0)


main()
