#!/usr/bin/env python3
"""What the program does from a shell: tables of command lines, exit codes and words.

Usage: program.py GROUP      the program is $SPHERESCOPE

Each group is a function below, and runs in a folder of its own without a display. Unit tests have
the values of options, the formats of files and the statistics; here is what only the program shows:
exit codes, streams, processes and files. Exit code 77: the group cannot run with this build.
"""
import base64
import csv
import gzip
import html.parser
import json
import math
import os
import pty
import re
import resource
import select
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

TESTS = Path(__file__).resolve().parent.parent
sys.dont_write_bytecode = True
sys.path.insert(0, str(TESTS / "support"))
import no_overrides  # noqa: E402
import png_record  # noqa: E402
import png_same  # noqa: E402

ASSETS = TESTS.parent / "assets"
PROGRAM = os.environ["SPHERESCOPE"]
CPU = "--backend cpu "
ONE = CPU + "--processes 1 "  # most tests are not about processes
RAYTRACE = ONE + "--bench raytrace --size 64x64 "
DRAW = CPU + "--offscreen --size 64x64 "
HANG_S = 600
JUDGES_TIMES = "TEST_TIMING" in os.environ  # on a quiet machine alone
mistakes = 0


def wrong(*words):
    global mistakes
    mistakes += 1
    print("program.py:", *words, flush=True)


def run(line, prepare=None, **env):
    """Runs the program with a line of options; returns exit code, stdout and stderr."""
    ended = subprocess.run([PROGRAM, *shlex.split(line)], env=os.environ | env, timeout=HANG_S,
                           stdin=subprocess.DEVNULL, capture_output=True, preexec_fn=prepare)
    return ended.returncode, *(text.decode(errors="replace")
                               for text in (ended.stdout, ended.stderr))


def expect(line, code=0, out="", err="", **env):
    """Checks the exit code, and that regular expressions match stdout and stderr; returns both."""
    ended = run(line, **env)
    if ended[0] != code or not all(re.search(words, text, re.M)
                                   for words, text in zip((out, err), ended[1:])):
        wrong(f"{env or ''} {line}: exit {ended[0]}, expected {code}, /{out}/ and /{err}/:",
              ended[1][-400:], ended[2][-400:])
    return ended[1:]


def refuse(line, code, words, **env):
    """Checks that the program says one line, and nothing else."""
    out, err = expect(line, code, "", "^spherescope: .*(" + words + ")", **env)
    if out or err.count("\n") != 1:
        wrong(f"{line}: not one line: {out[:400]}{err}")


def check(holds, *words):
    if not holds:
        wrong(*words)


def load(path):
    path = str(path)
    with (gzip.open if path.endswith(".gz") else open)(path, "rt", encoding="utf-8") as file:
        return json.load(file)


def save(path, record):
    Path(path).write_text(json.dumps(record), encoding="utf-8")


def results(path, benchmark=None):
    return [r for r in load(path)["results"] if benchmark in (None, r["benchmark"])]


def valid(*paths):
    """Validates records against the schema, where Python's jsonschema is installed."""
    done = subprocess.run([sys.executable, TESTS / "support/validate_record.py",
                           ASSETS / "results.schema.json", *paths], capture_output=True, text=True)
    check(done.returncode in (0, 77), done.stdout, done.stderr)


def same(a, b):
    return png_same.rows(a) == png_same.rows(b)


def instrumented():
    """Returns true for the program of a sanitizer, whose memory is not that of the program."""
    held = Path(PROGRAM).read_bytes()
    return b"__asan_init" in held or b"__tsan_init" in held


def modes():
    """Returns the number of modes: the book's kernel by storage, the strip's by storage and five K,
    the binned one and the splat one."""
    state = load(ASSETS / "results.schema.json")["$defs"]["state"]["properties"]
    return 6 * len(state["storage"]["enum"]) + 2


def recorded_run():
    return next((ASSETS / "runs").glob("nvidia-h200-all.json*"))


def needs_pictures():
    if not GUI:
        sys.exit(77)


def wrong_constant(path, count):
    """Checks a record of a run whose pictures from constant memory are wrong."""
    record = load(path)
    check("wrong-picture" in record["trust"] and len(record["results"]) == count and
          all(r["verified"] == ("constant" not in r["variant"]) for r in record["results"]), path)


def scenes():
    """Formats by their names, what a pipe may have, and the note of what a scene lacks."""
    shutil.copy(ASSETS / "scenes/three.json", "three.dat")
    table = "x;y;z;r;red;green;blue;mass\n0;0;0;1,5;255;0;0;7\n2;0;0;1;0;0;51;7\n"
    note = "Colours are read as 0 to 255. 1 column of the table is not read: mass."
    Path("table.TXT.gz").write_bytes(gzip.compress(table.encode()))
    Path("table.lammpstrj").write_text(table, encoding="ascii")
    one = RAYTRACE + "--modes book/global --frames 2 --json s.json --scene "
    out, _ = expect(one + "table.TXT.gz", 0, "^" + note)
    check(out.count(note) == 1 and note in load("s.json")["notes"], "not once:", out)
    check(load("s.json")["state"]["scene"]["note"] == note, "no note in the state")
    valid("s.json")
    for name in ("three.dat", "table.lammpstrj"):
        refuse(one + name, 1, "is in no known format: scene files end in .json, .csv, .* or ")
    os.mkfifo("pipe")
    for source, code, words in (("three.dat", 0, ""), ("table.lammpstrj", 1, "; a pipe has JSON")):
        with subprocess.Popen(f"exec cat {source} >pipe", shell=True) as writer:
            expect(one + "pipe", code, "", words)
            writer.kill()
    os.unlink("pipe")


def cli():
    """Questions are always answered; what is missing, unreadable or wrong has its exit code."""
    stubs = [str(Path(p).parent) for p in Path("/usr/local").glob("cuda*/lib64/stubs/libcuda.so")]
    for stub in stubs[:1]:
        shutil.copy(stub + "/libcuda.so", "libcuda.so.1")
    for env in ({"CUDA_VISIBLE_DEVICES": "0"}, {"CUDA_VISIBLE_DEVICES": ""},
                {"LD_LIBRARY_PATH": os.getcwd()}):
        for question, answer in (("--help", "^Usage: spherescope"), ("-h", "^Usage: spherescope"),
                                 ("--version", "^spherescope [0-9]"),
                                 ("--list-devices", "^cpu  *0"), ("--info", "^OpenGL: ")):
            expect(question, 0, answer, **env)
    refuse("--json " + "a" * 1024, 2, "--json.*too long; at most 1023 bytes\\.$")
    refuse("--bench raytrace --modes strip/nowhere", 2, "--modes takes .*book, strip, binned")
    expect(ONE + "--bench raytrace --scene " + "a" * 1023, 1, "", "cannot be read")
    scenes()
    expect("--device 63 --bench raytrace --processes 1", 4, "", "^spherescope: .*CUDA")
    expect(CPU + "--monitor 31", 4, "", "^spherescope: ")
    if not GPU:
        for line in ("--bench raytrace", "--duel book/global,book/global"):
            expect("--backend cuda --processes 1 " + line, 4, "", "^spherescope: .*CUDA")
        expect("--processes 1 --bench raytrace --frames 1 --size 64x64", 0, "",
               "CPU backend takes over")
    expect("--processes 1 --bench raytrace --frames 1 --size 64x64", 0, "book/constant.*yes",
           CUDA_VISIBLE_DEVICES="")
    if not instrumented():  # a sanitizer reserves more
        code, _, err = run(ONE + "--bench saxpy --seconds 1", lambda: resource.setrlimit(
            resource.RLIMIT_AS, (100_000 << 10,) * 2))
        check(code == 1 and re.search("^spherescope: No memory for what panels and benchmarks "
                                      "measure: .*\\. Close other ", err, re.M), "no memory:", err)
    with open("/dev/full", "wb") as full:
        ended = subprocess.run([PROGRAM, "--help"], stdout=full, stderr=subprocess.PIPE)
    check(ended.returncode == 1 and b"output" in ended.stderr, "a full stdout:", ended)
    # A wrong picture outweighs a file that cannot be written; both are told.
    for processes in "12":
        expect(CPU + "--bench raytrace --size 64x64 --frames 1 --modes book/constant --json "
               "/dev/full --processes " + processes, 3, "WRONG picture, book/constant",
               "^spherescope: /dev/full cannot be written: ", SPHERESCOPE_FAULT="constant")
    expect(RAYTRACE + "--modes brute/global,tree/constant --frames 2", 3,
           "WRONG picture, tree/constant", SPHERESCOPE_FAULT="constant")
    for scene in (ASSETS / "scenes").glob("*.json"):
        expect(RAYTRACE + f"--frames 1 --scene '{scene}'", 0, "book/global.*yes")
    # Devices and machine, as text and as JSON.
    for question, name in (("--list-devices", "devices"), ("--info", "info")):
        out, _ = expect(f"{question} --json -", 0, f'"spherescope-{name}-1"')
        devices = json.loads(out)["devices"]
        check(all(d["usable"] == ("why" not in d) for d in devices), devices)
        (cpu,) = [d for d in devices if d["backend"] == "cpu"]
        expect(f"{question} --json {name}.json", 0, "^cpu " if name == "devices" else "^OpenGL: ")
        check(cpu["usable"] and len(load(f"{name}.json")["devices"]) == len(devices), name)
        refuse(f"{question} --json -", 1, "output cannot be written: [^;]+$",
               prepare=lambda: os.close(1))
    properties = cpu["properties"]
    check(properties["processorCount"] >= 1 and properties["vectorWidth"] >= 128 and
          "registers" in cpu["why_no_kernels"], cpu)
    for gpu in (d for d in devices if d["backend"] == "cuda" and d["usable"]):
        check(gpu["properties"]["warpSize"] == 32 and
              {"book/constant", "saxpy vector"} <= {k["kernel"] for k in gpu["kernels"]}, gpu)


def ten_commands():
    """A command of each kind, in seconds: the second tree of .ci/run starts them with sanitizers."""
    expect(RAYTRACE + "--modes book/global,strip/constant/8 --frames 9 --json a.json", 0,
           "^  strip/constant/8 ")
    expect(ONE + "--bench saxpy,peak,timer --seconds 0.6 --csv a.csv", 0, "SAXPY")
    expect(ONE + "--duel book/global,binned/global --size 64x64 --frames 20", 0, "^20 pairs; ")
    expect(ONE + "--sweep spheres=10..20 --modes book/global --size 64x64 --frames 6", 0, "spheres")
    expect(CPU + "--bench raytrace --size 64x64 --view light --modes tree/global --frames 6 "
           "--processes 2", 0, "tree/global")
    expect("--compare a.json a.json", 0, "book/global")
    refuse("--replay " + str(ASSETS / "README.md"), 1, "README.md")
    expect("--info --json i.json", 0, "OpenGL")
    if GUI:
        expect(DRAW + "--play h200 --panels full --frames 2 --screenshot a.png")
        expect("--replay a.png --offscreen --screenshot b.png", 0, "book/global")
        expect(CPU + "--talk four-claims --check --size 64x64", 0, "steps, ")


def bad_options():
    """Mistakes of the command line end with 2; the test values has those of every option."""
    for line in ("stray", "''", "-x", "--spheres", "--spheres=", "--version --spheres nan",
                 "--spheresq 3", "--hud on --hud on", "--help=on", "--json a --csv ./a",
                 "--fail-on-slower", "--check", "--compare a", "--worker 99 1 2 3",
                 "--processes 3 --compare a b", "--narrow",
                 "--bench raytrace --narrow --processes 7", "--offscreen --order-seed 3",
                 "--replay r.json --bench raytrace", "--talk four-claims --bench saxpy"):
        refuse(line, 2, "")


def bench():
    """Results on stdout and in files; clocks, overheads, failures in the middle, wrong pictures."""
    expect(RAYTRACE.replace("raytrace", "raytrace,access") + "--frames 2 --json net.json", 0,
           "book/global")
    timed = results("net.json")
    for x in timed:
        m = x["metrics"]
        assert x["regime"] == "idle" and m["gate_drops"] == 0 and m["tick_ms"] > 0, x
        raw, overhead = m["median_ms"], m.get("overhead_ms", 0)
        net = raw - overhead if 0 < overhead < raw else None
        assert (net is None) == (m.get("net_ms") is None), x
        assert net is None or abs(m["net_ms"] - net) < 1e-6 * raw, x
    assert len(timed) > 20 and any(x["metrics"].get("net_ms") for x in timed)
    # A host that is late now and then costs a reading; one that always is ends the run.
    expect(RAYTRACE + "--frames 5", 0, "book/global.* 5  count", SPHERESCOPE_FAIL="krn_host_late:9")
    for line in ("--bench raytrace", "--bench peak", "--duel book/global,strip/global"):
        expect(CPU + "--size 64x64 " + line, 1, "", "^spherescope: 200 runs in a row gave no time",
               SPHERESCOPE_FAIL="krn_host_late")
    for name in ("-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"):
        json.loads(expect(RAYTRACE + f"--frames 2 --json {name}")[0])
    expect(RAYTRACE + "--frames 2 --json /dev/null --csv /dev/null", 0, "book/global")
    rows = list(csv.DictReader(expect(RAYTRACE + "--frames 2 --csv -")[0].splitlines()))
    assert len(rows) == modes() and all(float(r["median_ms"]) > 0 for r in rows)
    expect(RAYTRACE + "--frames 2 --markdown", 0, r"^\| book/global \|")
    expect(RAYTRACE + "--frames 1 --spheres 2341", 0, "2340 spheres")
    expect(ONE + "--bench raytrace --modes splat/global --spheres 1000001 --radii 0.5:1 "
           "--size 8x100 --frames 1 --json large.json", 0, "splat/global",
           "1000001 spheres take 0.13 GB of memory.")
    assert results("large.json")[0]["verified"]
    expect(RAYTRACE + "--frames 2 --modes 'binned/global,*/constant/8' --json chosen.json")
    assert [r["variant"] for r in results("chosen.json")] == ["strip/constant/8", "binned/global"]
    expect(RAYTRACE + "--frames 2 --json wrong.json", 3, "WRONG picture, book/constant",
           SPHERESCOPE_FAULT="constant")
    wrong_constant("wrong.json", modes())
    # A wrong picture bars the ratios of the published timings; bench_all has the right ones.
    expect(ONE + "--bench book --json wrong-book.json", 3, "By the kernel: WRONG",
           SPHERESCOPE_FAULT="constant")
    told = {x["variant"]: x["verified"] for x in results("wrong-book.json")
            if not x["variant"].endswith("/warm")}
    assert told == {v + h: v == "global" for v in ("global", "constant")
                    for h in ("/cold", "/kernel")}, told
    # Results from before a failure are written as incomplete; without results there is no file.
    lost = {"SPHERESCOPE_FAIL": "krn_cpu_probes_open"}
    expect(ONE + "--bench saxpy --json none.json", 4, "", "backend has no panels", **lost)
    expect(ONE + "--bench raytrace,saxpy --frames 2 --size 32x32 --json half.json --csv half.csv",
           4, "", "backend has no panels", **lost)
    half = load("half.json")
    assert half["complete"] is False and len(half["results"]) == modes(), half["complete"]
    assert "\nraytrace," in Path("half.csv").read_text() and not Path("none.json").exists()
    valid("chosen.json", "half.json")


def bench_all():
    """Every topic and the claims board, in the table and in the record. A topic that the backend
    cannot measure is left out: here the first, the three clocks, which then are measured alone."""
    out, _ = expect(ONE + "--bench all --size 64x64 --frames 8 --json all.json --csv all.csv", 0,
                    "Coalesced reads take fewer cycles", SPHERESCOPE_FAIL="krn_cpu_probes_open:1")
    check(re.search("timer: skipped: .* no panels", out), out)
    found = {x["benchmark"] for x in results("all.json")}
    topics = found - {"raytrace", "book", "claims"}
    assert topics == {"saxpy", "peak", "access"} and found > topics, found
    for x in results("all.json"):
        if x["benchmark"] in topics:
            m = x["metrics"]
            assert x["verified"] and m["n"] == len(x["processes"][0]["samples_ms"]) > 0, x
            assert m["max_error"] == 0, x["variant"]
    check("all items" in out, "no published timings:", out)
    windows = [x for x in results("all.json", "book") if not x["variant"].endswith("/kernel")]
    assert len(results("all.json", "book")) == 6 and len(windows) == 4
    for x in windows:
        assert x["parameters"]["width"] == 1024 and len(x["processes"][0]["samples_ms"]) == 5
        ratio = x["metrics"]["items_ms"] / x["metrics"]["median_ms"]
        assert abs(ratio - 1) < 0.05 or not JUDGES_TIMES, x["metrics"]
    claims = {x["variant"]: x["outcome"]["verdict"] for x in results("all.json", "claims")}
    assert len(claims) == 17, claims
    assert {x for x in claims if claims[x] != "not applicable"} <= {"saxpy-bandwidth", "saxpy-bound"}, claims
    assert "\nclaims,coalesced-cycles," in Path("all.csv").read_text()
    expect(ONE + "--bench timer --frames 8 --json clocks.json", 0, "monotonic clock resolve")
    clocks = {}
    for x in results("clocks.json"):
        clocks.setdefault(x["variant"], []).append(x)
        assert x["verified"] is True, x
    step = clocks["resolution"][0]["metrics"]
    assert 0 < step["median_ms"] and not {"overhead_ms", "tick_ms"} & set(step), step
    for clock in ("launch", "host", "events"):
        for x in clocks.get(clock, []):
            assert ("effective_gbps" in x["metrics"]) == (clock != "launch"), x
    assert len(clocks) in (1, 4), clocks.keys()  # one thread, or several
    # What measures a GPU says so, in one sentence.
    skipped = "ilp: skipped: it measures a GPU by CUDA; --play h200 shows a recorded run."
    check(skipped in out, out)
    for processes in ("1", "2"):
        said, _ = expect(CPU + f"--bench ilp --processes {processes} --json gpu.json", 0)
        assert said == skipped + "\n", said
        record = load("gpu.json")
        assert record["complete"] and record["notes"] == [skipped] and not record["results"], record
    valid("all.json", "clocks.json", "gpu.json")


def compare_program():
    """Records against each other; --fail-on-slower as an exit code."""
    expect(RAYTRACE + "--frames 2 --json r.json")
    for threads in "12":
        expect(RAYTRACE + f"--frames 2 --json {threads}.json", OMP_NUM_THREADS=threads)
        check(load(f"{threads}.json")["environment"]["cpu_threads"] == int(threads), threads)
    save("quota.json", load("1.json") | {
        "environment": load("1.json")["environment"] | {"cpu_quota": 0.5}})
    expect("--compare 1.json 2.json", 0, "^The CPU backends differ: threads 1 against 2")
    expect("--compare 1.json quota.json", 0, "quota of CPUs [0-9a-z.]* against 0.5")
    expect(RAYTRACE + "--frames 2 --json wrong.json", 3, SPHERESCOPE_FAULT="constant")
    for side, factor, first in (("old", 1, 0), ("new", 2, 0), ("also", 1, 3)):
        for i in range(4 if side == "also" else 3):
            record = load("wrong.json" if i == 3 else "r.json")
            for x in record["results"]:
                (p,) = x["processes"]
                p["samples_ms"] = [factor + (j + first + i) / 1e4 for j in range(50)]
                p["metrics"]["median_ms"] = factor + (24.5 + first + i) / 1e4
                x["metrics"]["median_ms"] = p["metrics"]["median_ms"]
                if x["verified"]:
                    p["trust"] = x["trust"] = []
            save(f"{side}{i}.json", record)
            if side == "old":
                save(f"less{i}.json", record | {"results": record["results"][:1]})
    old, new, less = (",".join(f"{side}{i}.json" for i in range(3))
                      for side in ("old", "new", "less"))
    also = ",".join(f"also{i}.json" for i in range(4))
    for line, code, out, err in (
            ("r.json r.json", 0, "r.json against r.json", ""),
            ("r.json wrong.json --markdown", 0, "WRONG", ""),
            (f"{old} {new}", 0, "SLOWER", ""),
            (f"{old} {new} --fail-on-slower", 1, "SLOWER", ""),
            (f"{new} {old} --fail-on-slower", 0, "FASTER", ""),
            (f"{less} {old} --fail-on-slower", 0, "SAME", ""),
            (f"{old} new0.json --fail-on-slower", 4, "", "needs 3 processes on each side"),
            (f"{old} {less} --fail-on-slower", 4, "", "that another side lacks"),
            (f"{old} {also} --fail-on-slower", 4, "", "WRONG or not to be quoted")):
        expect("--compare " + line, code, out, err)


def duels():
    """Ratio, interval and verdict, and none on a wrong picture."""
    expect(ONE + "--duel book/global,book/global --frames 40 --size 64x64 --band 2.5 --json d.json",
           0, "ended by count")
    expect(ONE + "--duel book/global,splat/global --seconds 1 --size 64x64", 0, "times as fast as B")
    out, _ = expect(ONE + "--duel book/global,book/shared --frames 40 --size 64x64", 0,
                    "^Storages: the same caches here: no difference to expect.$")
    check("times as fast" not in out, "a ratio of storages that are one memory:", out)
    record = load("d.json")
    (duel,) = record["results"]
    assert (duel["benchmark"], duel["variant"]) == ("duel", "book/global,book/global"), duel
    assert duel["metrics"]["n"] == 40 and len(duel["processes"][0]["samples_ms"]) == 80, duel
    assert duel["parameters"]["band_percent"] == 2.5 and duel["stop"] == "count", duel
    assert duel["metrics"]["claims"] == 0 and duel["verified"] is True, duel
    assert record["state"]["duel"]["on"] and record["state"]["duel"]["storage"] == "global"
    out, _ = expect(ONE + "--duel book/global,book/constant --frames 40 --size 64x64 --json w.json",
                    3, "^WRONG, no verdict: wrong result on side B", SPHERESCOPE_FAULT="constant")
    check("times as fast" not in out, "a verdict on a wrong picture:", out)
    (duel,) = results("w.json")
    told = duel["outcome"]
    assert told["verdict"] == "WRONG" and "wrong-picture" in duel["trust"], duel
    assert (told["a_verified"], told["b_verified"]) == ("yes", "WRONG"), told
    assert "wrong-picture" in told["b_trust"] and "wrong-picture" not in told.get("a_trust", "")
    valid("d.json")


def sweeps():
    """Every mode at every count, each verified; the plot is a PNG with the record inside."""
    short = ONE + "--size 32x32 --frames 5 --seconds 100 "
    expect(short + "--sweep spheres=1..20 --json w.json --csv w.csv", 0, "^Fastest: ")
    found = [(r["variant"], r["parameters"]["pixels_per_thread"], r["workload"]["spheres"])
             for r in results("w.json")]
    assert len(found) == len(set(found)) == modes() * 5 and all(
        r["verified"] for r in results("w.json"))
    assert {spheres for _, _, spheres in found} == {1, 2, 5, 10, 20}, found
    save("w-some.json", load("w.json") | {"results": results("w.json")[::12]})
    expect(short + "--sweep spheres=2340..2341 --storage constant", 0, "^  book/constant .* -$")
    expect(short + "--sweep spheres=3..3 --markdown", 0, r"^\| book/global .*\|$")
    out, _ = expect(short + "--sweep spheres=3..3 --modes binned/global", 0, "^  binned/global")
    check("book/" not in out, "a mode that was not chosen:", out)
    expect(short + "--sweep spheres=4..5 --json wrong.json", 3,
           "WRONG picture, strip/constant/4 at 5", SPHERESCOPE_FAULT="constant")
    wrong_constant("wrong.json", 2 * modes())
    # Of bounces: in the light view, in the order of points and modes also after a merge.
    out, _ = expect(CPU + "--processes 2 --sweep spheres=2..5,bounces=0..2 --size 24x24 --frames 3 "
                    "--modes '*/global' --json b.json --csv b.csv", 0, "^Sweep, rays per second")
    check(re.search("^  5, 2 ", out, re.M), "no row per point:", out)
    wanted = [(s, b, v) for s in (2, 5) for b in (0, 1, 2) for v in ("brute/global", "tree/global")]
    assert wanted == [(x["workload"]["spheres"], x["workload"]["bounces"], x["variant"])
                      for x in results("b.json")]
    for x in results("b.json"):
        m = x["metrics"]
        assert x["verified"] and x["workload"]["view"] == "light", x
        assert abs(m["rays_per_s"] * m["median_ms"] / 1e3 / m["rays"] - 1) < 1e-6, m
    # Bounces add rays, where spheres are mirrors, and take none away.
    for none, one, two in (results("b.json")[i:i + 6:2] for i in (0, 1, 6, 7)):
        assert 24 * 24 < none["metrics"]["rays"] <= one["metrics"]["rays"] <= two["metrics"]["rays"]
    with open("b.csv", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [(int(w["spheres"]), int(w["bounces"]), w["variant"]) for w in rows] == wanted
    valid("w-some.json", "b.json")
    expect(ONE + "--sweep spheres=4..5,bounces=1..2 --size 32x32 --frames 3 --modes '*/constant'",
           3, "WRONG picture, brute/constant at 5 spheres and 2 bounces",
           SPHERESCOPE_FAULT="constant")
    out, _ = expect(
        ONE + f"--sweep bounces=1..2 --scene '{ASSETS / 'scenes/caffeine.xyz'}' --samples 4 "
        "--size 24x24 --frames 3 --modes tree/global", 0,
        "Over the number of bounces; 24 spheres; 24x24 pixels; light view, 4 samples")
    check("\n  rays of a frame " in out and "Fastest mode at each number of bounces" in out, out)
    if not GUI:
        expect(short + "--sweep spheres=1..2 --screenshot w.png", 4, "", "SPHERESCOPE_GUI=OFF")
        return
    expect(short + "--sweep spheres=1..20 --window 640x360 --theme light --screenshot w.png", 0,
           r"plot: w.png \(640x360\)")
    check(png_record.read("w.png")[1] == (640, 360), "the plot's size")
    expect(ONE + "--sweep spheres=2..5,bounces=0..1 --size 24x24 --frames 3 --screenshot b.png", 0,
           r"plot: b.png \(1280x720\)")
    assert len({str(r["workload"]) for r in png_record.read("b.png")[0]["results"]}) == 4
    # The time is up before every point is measured: the plot shows those that are.
    expect(ONE + "--sweep spheres=2..1000000 --radii 2:12 --size 64x64 --seconds 0.3 "
           "--window 640x360 --screenshot cut.png", 0, r"plot: cut.png \(640x360\)")
    assert png_record.read("cut.png")[0]["complete"] is False


def nothing_drawn():
    """Where the shared object with all that draws is missing, or lacks a library, the rest runs."""
    global PROGRAM
    told = PROGRAM, Path(PROGRAM).with_name("spherescope-window.so")
    for folder, words in (("missing", "spherescope-window.so is not beside the program"),
                          ("no GL", r"OpenGL, EGL and X11: libOpenGL\.so\.9: cannot open")):
        if folder == "no GL" and not GUI:
            break
        Path(folder).mkdir()
        os.symlink(ASSETS, f"{folder}/assets")
        PROGRAM = shutil.copy(told[0], folder)
        if folder == "no GL":
            held = told[1].read_bytes()
            check(b"libOpenGL.so.0" in held, "needs no libOpenGL.so.0")
            Path(folder, told[1].name).write_bytes(held.replace(b"GL.so.0\0", b"GL.so.9\0"))
        expect("--info", 0, "^OpenGL: There is no window and no picture.*" + words)
        expect(RAYTRACE + "--frames 3 --modes book/global", 0, "^  book/global ")
        expect(CPU + "--play h200 --html page.html", 0, "^report: ", words)
        check("<svg" in Path("page.html").read_text(encoding="utf-8"), "a page without charts")
        expect(CPU + "--talk four-claims --check --size 64x64", 0, "steps, ", words)
        expect(CPU + "--size 64x64", 0, "^  book/global ", words)
        for pictures in ("--offscreen", "--record-frames f", "--qr on",
                         "--sweep spheres=1..2 --size 64x64 --processes 1 --screenshot w.png"):
            expect(CPU + pictures, 4, "", words)
    PROGRAM = told[0]


def pictures():
    """Without a window: the picture, its record, and what is said where it cannot be drawn."""
    if not GUI:
        expect("--offscreen", 4, "", "SPHERESCOPE_GUI=OFF")
        expect("--size 64x64", 0, "book/global")
        return
    # No display, and one that nobody serves: a line each for what is missing and what it does.
    for env in ({}, {"DISPLAY": ":987"}):
        out, err = expect(CPU + "--size 64x64 --window 320x200 --frames 3 --seconds 1", 0,
                          "^  book/global ", "^spherescope: Running without a window: one "
                          r"offscreen picture and the table\.$", **env)
        shots = list(Path().glob("spherescope-*-global.png"))
        check(len(shots) == 1 and err.count("spherescope: ") == 2 and
              err.count("No window can be opened: ") == 1, env, shots, err)
        for shot in shots:
            shot.unlink()
    expect(CPU + "--size 64x64 --frames 3 --monitor 0", 4, "",
           "^spherescope: No window can be opened: ", DISPLAY=":987")
    expect(DRAW + "--frames 3 --window 320x200 --storage shared --screenshot shot.png "
           "--json table.json", 0, r"picture: shot.png \(320x200\)")
    record, size = png_record.read("shot.png")
    (table,) = [r for r in results("table.json", "raytrace") if r["variant"] == "book/shared"]
    (shot,) = [r for r in record["results"] if r["benchmark"] == "raytrace"]
    check(shot["variant"] == "book/shared" and shot["metrics"] == table["metrics"],
          "the picture's time is not the table's:", shot["metrics"], table["metrics"])
    assert record["state"]["storage"] == "shared" and record["state"]["motion"] is False
    assert size == (320, 200) and record["environment"]["blit"]["asked"] == "interop"
    expect(DRAW + "--motion on --frames 9 --screenshot moved.png")
    assert png_record.read("moved.png")[0]["state"]["pose"]["time_s"] > 0
    # A frame takes longer than the run: the picture that was asked for is missing.
    expect(CPU + "--offscreen --spheres 100000 --size 1024x1024 --modes book/global --seconds 0.1 "
           "--screenshot none.png", 1, "", "There is no picture")
    expect(DRAW + "--page story --modes book/global --seconds 5 --window 640x360 --screenshot "
           "story.png", 0, r"picture: story.png \(640x360\)")
    # The points of the plot are in the record, as those of a sweep, and a recorded run has them.
    found = {r["workload"]["spheres"] for r in png_record.read("story.png")[0]["results"]
             if r["benchmark"] == "raytrace"}
    check({10, 20} <= found, "the points of the story plot:", found)
    # The phases of frames add up, and the screenshot has the same numbers as the table's record.
    expect(DRAW + "--anatomy record --panels full --modes book/global --frames 40 --window 640x360 "
           "--screenshot anatomy.png --json anatomy.json", 0, "picture: anatomy.png")
    (anatomy,) = results("anatomy.json", "anatomy")
    m = anatomy["metrics"]
    assert m["overlay_draw_calls"] in range(1, 5), m
    assert not JUDGES_TIMES or m["n"] >= 10, m
    assert 0 < m["overlay_cpu_ms"] < m["cpu_span_ms"] and m["cpu_kernel_ms"] > 0, m
    assert "gpu_kernel_ms" not in m and m["gpu_overlay_ms"] == m["overlay_gpu_ms"] > 0, m
    assert any(x["benchmark"] == "anatomy" for x in png_record.read("anatomy.png")[0]["results"])
    valid("anatomy.json")


def heatmap():
    """The legend and the colours are in the picture, the record has the state, and without a heat
    map the picture is the same byte for byte."""
    needs_pictures()

    def shot(name, options):
        expect(CPU + "--offscreen --size 128x128 --window 320x240 --frames 3 --seconds 100 "
               f"--hud off --screenshot {name}.png {options}")
        rows, width, _ = png_same.rows(f"{name}.png")
        return rows, {row[3 * i:3 * i + 3] for row in rows for i in range(width)}

    book, tree = "--modes book/global", "--view light --modes tree/global"
    plain, off = shot("plain", book), shot("off", book + " --heatmap off")
    heat, rays = shot("heat", book + " --heatmap tests"), shot("rays", tree + " --heatmap rays")
    assert plain[0] == off[0] != heat[0], "--heatmap changes nothing, or off changes something"
    assert rays[0] != shot("lit", tree)[0], "--heatmap rays does not change the picture"
    assert [png_record.read(f"{name}.png")[0]["state"]["heatmap"]
            for name in ("off", "heat", "rays")] == ["off", "tests", "rays"]
    # The book's kernel tests all 20 spheres everywhere: the upper end of the scale. The legend has
    # both ends of the scale, and white text.
    assert {bytes((251, 241, 99)), bytes((17, 0, 47))} <= heat[1]
    assert any(min(colour) > 230 for colour in heat[1])
    assert not plain[1] <= heat[1], "spheres are left"
    expect(CPU + "--offscreen --heatmap cycles", 4, "", "--heatmap cycles: The CPU backend")


def read_qr(picture):
    """Returns the text of the QR code in a picture; "": there is none."""
    return subprocess.run(["zbarimg", "-q", "--raw", "-S*.disable", "-Sqrcode.enable", picture],
                          capture_output=True, text=True).stdout.strip()


def qr_program():
    """Reads the QR code of screenshots with zbarimg and compares it with their record."""
    needs_pictures()
    short = CPU + "--offscreen --size 64x48 --frames 3 --qr on "
    code, _, err = run(short + "--screenshot first.png")
    if code == 4 and "--qr needs libqrencode" in err or not shutil.which("zbarimg"):
        sys.exit(77)

    def read(options):
        expect(short + options + " --screenshot shot.png")
        return read_qr("shot.png")

    for options in ("--window 1280x720 --panels compact --modes book/global",
                    "--window 1080x1920 --theme projector --panels full --modes book/global",
                    "--window 1280x720 --kernel tree --camera -154.67:20.5:1.82 --bounces 8 "
                    "--samples 16 --modes tree/global",
                    "--window 1280x720 --theme light --spheres 500 --modes book/global"):
        text, record = read(options), png_record.read("shot.png")[0]
        state, environment, light = record["state"], record["environment"], record["state"]["light"]
        view = "--camera %g:%g:%g --bounces %d --samples %d" % (
            light["yaw"], light["pitch"], light["distance"], light["bounces"], light["samples"])
        for word in ("Spherescope " + environment["version"], environment["git"][:12],
                     environment["device"]["name"][:40], state["kernel"] + "/" + state["storage"],
                     "%d spheres, 64x48" % state["scene"]["count"]):
            check(word in text, options, word, "is not in", text)
        check((view in text) == (state["kernel"] == "tree"), options, view, text)
        check(120 <= len(text) <= 320 and text.isascii() and re.search(" [0-9.]+ ms", text), text)
    # A duel has both modes; one of the light view, the longest text, fits into a small window.
    for duel, words in (("--duel book/global,strip/constant/8",
                         "book/global.* ms.*strip/constant/8.* ms"),
                        ("--duel brute/constant,tree/constant --camera 30:20:2.5 --window 1280x720",
                         "brute/constant.* ms.*tree/constant.* ms.*--camera 30:20:2.5 .*Z$")):
        check(re.search(words, text := read(duel)), duel, text)
    check(not read("--window 320x240 --panels off"), "a code in a window without room for it")


def page_url():
    """--page-url: a report's address, large, also as a step of a talk."""
    needs_pictures()
    lacks = run(DRAW + "--frames 1 --seconds 1 --qr on")[0] == 4
    if not shutil.which("zbarimg"):
        sys.exit(77)
    url = "https://example.org/" + 92 * "a" + "/h2.html"
    for size in ("1280x720", "800x600 --theme projector"):
        expect(DRAW + f"--frames 1 --hud off --page-url {url} --window {size} --screenshot url.png")
        text = read_qr("url.png")
        check(text == ("" if lacks else url), size, text)
    step = {"id": "scan", "minutes": 1, "set": {"page-url": url}}
    talk = {"schema": "spherescope-talk-1", "title": "Scan", "minutes": 1, "steps": [step]}
    save("scan.json", talk)
    expect(CPU + "--talk scan.json --check", 0, "1 step")
    step["set"]["page-url"] = "http://example.org/"
    save("scan.json", talk)
    expect(CPU + "--talk scan.json --check", 1, "", "page-url.* an address of https")


def replay_program():
    """The same picture again, what has changed, and files that are refused."""
    one = ONE + "--bench raytrace --modes book/global --frames 5 --size 64x48 --json r.json"
    expect(one, 0, "book/global")
    for name, text in (("junk.png", "junk"),
                       ("bare.json", '{"schema": "spherescope-results-2"}'),
                       ("cut.json", Path("r.json").read_text()[:3000])):
        Path(name).write_text(text)
    record = load("r.json")
    record["state"]["scene"].update(kind="file", path="/etc/hostname", hash="0" * 16)
    save("path.json", record)
    for path, words in (("junk.png", "junk.png, line 1"), ("bare.json", "environment is missing"), ("cut.json", "cut.json, line"),
                        ("path.json", "only the path of its scene.*--scene")):
        refuse("--offscreen --replay " + path, 1, words)
    refuse("--replay r.json --spheres 3000 --storage constant", 2, "3000")
    hashless = "picture: not compared, the record has no hash"
    out, _ = expect("--replay r.json --seconds 1", 0, hashless)
    check("Replay of r.json" in out, "no table:", out)
    os.mkfifo("pipe")
    with subprocess.Popen("exec cat r.json >pipe", shell=True) as writer:
        expect("--replay pipe --seconds 1", 0, hashless)
        writer.kill()
    # Pictures of other formats, which hold no record.
    for name, start in (("JPEG", b"\xff\xd8\xff\xe0\0\x10JFIF\0"), ("GIF", b"GIF89a\1\0\1\0"),
                        ("WebP", b"RIFF\x40\0\0\0WEBPVP8 "), ("BMP", b"BM\x46\0\0\0"),
                        ("TIFF", b"II*\0\x08\0\0\0"), ("TIFF", b"MM\0*\0\0\0\x08"),
                        ("AVIF", b"\0\0\0\x20ftypavif"), ("HEIC", b"\0\0\0\x20ftypheic"),
                        ("PDF", b"%PDF-1.7\n"), ("JPEG XL", b"\0\0\0\x0cJXL \r\n\x87\n")):
        Path("other.png").write_bytes(start + bytes(100))
        refuse("--offscreen --replay other.png", 1, f"other.png has the format {name} and holds no "
               "results: chat programs .* use the PNG file that Spherescope wrote")
        refuse("--compare r.json other.png", 1, f"the format {name} ")
    Path("signature.png").write_bytes(b"\x89PNG\r\n\x1a\n")
    refuse("--compare r.json signature.png", 1, "is a PNG file, whose record --replay alone reads")
    if not GUI:
        refuse("--offscreen --replay signature.png", 4, "cannot read screenshots")
        return
    refuse("--offscreen --replay signature.png", 1, "signature.png")
    Path("text.png").write_bytes(b"\x89PNG\n\x1a\n\0\0\0\r")  # sent as a text
    refuse("--offscreen --replay text.png", 1, "PNG file is damaged .its first bytes")
    plain_png = png_record.make()
    Path("plain.png").write_bytes(plain_png)
    refuse("--offscreen --replay plain.png", 1, "plain.png holds no results: the PNG files that ")
    Path("plain.png").write_bytes(plain_png[:-20])
    refuse("--offscreen --replay plain.png", 1, "PNG file is damaged")
    # Behind the pixels, as other tools write it.
    Path("behind.png").write_bytes(png_record.make(Path("r.json").read_text()))
    expect("--offscreen --replay behind.png --seconds 0.5", 0, hashless)
    plain = CPU + "--offscreen --hud off --window 320x240 --seconds 0.5 --motion on --zoom 0.2 "
    again = "--offscreen --seconds 0.5 --replay "
    # test_replay.c has every mode; here are a made-up scene, and one whose file is gone.
    shutil.copy(ASSETS / "scenes/planets.json", "planets.json")
    for kernel, storage, pixels, scene in (("strip", "constant", 8, "--spheres 77 --seed 5"),
                                           ("binned", "global", 1, "--scene planets.json")):
        expect(plain + f"{scene} --kernel {kernel} --storage {storage} --pixels-per-thread "
               f"{pixels} --size 200x150 --screenshot a.png", 0, "picture: a.png")
        if kernel == "binned":
            Path("planets.json").unlink()
        expect(again + "a.png --screenshot b.png", 0, "picture: the same bytes")
        a, (b, (width, _)) = png_record.read("a.png")[0], png_record.read("b.png")
        state = b["state"]
        check((state["kernel"], state["storage"], state["motion"], state["hud"], width) ==
              (kernel, storage, False, False, 320) and same("a.png", "b.png"), kernel, scene)
    expect("--replay b.png --kernel book --storage global --pixels-per-thread 1 "
           "--seconds 0.5 --screenshot c.png", 0, "picture: the same bytes")
    c = png_record.read("c.png")[0]
    check(a["picture"] == c["picture"] and c["state"]["kernel"] == "book" and
          a["state"]["scene"] == c["state"]["scene"], "the picture's hash:", c["picture"])
    # The last shot with options that change it, and after changes of its record.
    expect(again + "a.png --size 9x9 --screenshot d.png", 0, "picture: not compared, size or zoom")
    a["state"]["scene"]["spheres"][0][3] *= 1.5
    save("tampered.json", a)
    expect(again + "tampered.json", 3, "picture: DIFFERS")
    Path("cut.png").write_bytes(Path("a.png").read_bytes()[:1000])
    refuse(again + "cut.png", 1, "cut.png")
    expect(plain + "--spheres 20 --screenshot f.png")
    record = png_record.read("f.png")[0]
    record["state"]["scene"]["seed"] = "2"
    Path("seed.png").write_bytes(png_record.replace(Path("f.png").read_bytes(), json.dumps(record)))
    expect(again + "seed.png", 3, "picture: DIFFERS")


def kernel_file():
    """A kernel of the user's own: in every run that measures, in records, and in no replay."""
    text = (ASSETS / "kernels/book.cu").read_text(encoding="utf-8")
    mine = ONE + "--size 64x64 --kernel-file own.cu "
    Path("own.cu").write_text(text, encoding="utf-8")
    os.mkdir("temporary")
    os.environ["TMPDIR"] = os.path.abspath("temporary")
    code, _, err = run(mine + "--bench raytrace --frames 5 --json bench.json")
    if code == 1 and "install one" in err:
        sys.exit(77)
    for at, line in enumerate(["--bench raytrace --frames 5 --modes book/global,mine/*",
                               "--duel book/global,mine/global --frames 20",
                               "--sweep spheres=10..20 --modes mine/* --frames 5"]):
        expect(mine + line + f" --json {at}.json", 0, "mine/global")
        valid(f"{at}.json")
    for path in ["bench.json", "0.json"]:
        own, = (r for r in results(path) if r["variant"] == "mine/global")
        check(own["verified"] and own["parameters"]["kernel_file"] == "own.cu" and
              re.fullmatch("[0-9a-f]{16}", own["parameters"]["kernel_hash"]), own)
    check(len(results("bench.json", "raytrace")) == modes() + 1)
    expect(RAYTRACE + "--frames 5 --json without.json", 0)
    check(len(results("without.json", "raytrace")) == modes())
    check("mine" not in json.dumps(load("without.json")["notes"]))
    # Two versions are compared although their code differs, and that is said.
    Path("own.cu").write_text(text.replace("spheres[s]", "scene[s]").replace(
        "extern", "__constant__ sphere scene[20];\nextern"), encoding="utf-8")
    expect(mine + "--bench raytrace --frames 5 --modes mine/* --json constant.json", 0)
    expect("--compare 0.json constant.json", 0, r"Different\s+code:\s+first\s+is\s+mine/global"
           r"\s+of\s+own.cu\s+\([0-9a-f]{16}\),\s+other\s+is\s+mine/constant\s+of\s+own.cu")
    Path("own.cu").write_text(text.replace("red * 255", "red * 200"), encoding="utf-8")
    expect(mine + "--duel book/global,mine/global", 1, "^$", "own.cu renders .* pixels wrong")
    expect(ONE + "--bench raytrace --kernel-file none.cu", 1, "^$", "none.cu cannot be read")
    for line in ["--kernel mine", "--duel book/global,mine/global", "--offscreen --modes mine/*"]:
        refuse(CPU + line, 2, "--kernel-file FILE.cu")
    if GUI:
        Path("own.cu").write_text(text, encoding="utf-8")
        expect(DRAW + "--hud off --kernel-file own.cu --frames 2 --screenshot own.png", 0, "mine/global")
        state = png_record.read("own.png")[0]["state"]
        check(state["kernel"] == "mine", state)
        refuse("--replay own.png", 4, "kernel of the user's own")
        refuse(CPU + "--replay own.png --kernel-file own.cu", 4, "kernel of the user's own")
        expect(DRAW + "--hud off --frames 2 --screenshot book.png", 0)
        check(same("own.png", "book.png"), "the pictures differ")
    check(not os.listdir("temporary"), "folders are left")


def kernel_folder():
    """A folder of kernels is ranked, in every output; a faulty file is a row with its sentence."""
    text = (ASSETS / "kernels/book.cu").read_text(encoding="utf-8")
    os.mkdir("class")
    bench = CPU + "--size 64x64 --bench raytrace --kernel-file class "
    expect(bench, 1, "", "No kernel of the folder class has passed")
    Path("class/wrong.cu").write_text(text.replace("red * 255", "red * 200"), encoding="utf-8")
    Path("class/broken.cu").write_text(text.replace("{", "", 1), encoding="utf-8")
    Path("class/large.cu").write_bytes(b" " * 10_000_000)
    expect(bench, 1, "wrong.cu", "No kernel of the folder class has passed")
    Path("class/good.cu").write_text(text, encoding="utf-8")
    code, _, err = run(bench + "--json class.json --csv class.csv --html class.html")
    if code == 1 and "No kernel" in err:
        sys.exit(77)
    valid("class.json")
    rows = {r["variant"]: r for r in results("class.json", "class")}
    book = "the book's kernel"
    check(list(rows) == [book, "good.cu", "broken.cu", "large.cu", "wrong.cu"], list(rows))
    good = rows["good.cu"]
    check(rows[book]["metrics"]["ratio"] == 1 and "rank" not in rows[book]["outcome"], rows[book])
    check(good["verified"] and good["outcome"]["rank"] == 1 and
          good["outcome"]["value_low"] <= good["metrics"]["ratio"] <= good["outcome"]["value_high"])
    for name, words in [("wrong", "pixels wrong"), ("broken", "line "), ("large", "larger than")]:
        row = rows[name + ".cu"]
        check(words in row["outcome"]["note"] and "rank" not in row["outcome"] and
              not row["verified"], row)
    for path in ["class.csv", "class.html"]:
        check("large.cu" in Path(path).read_text(encoding="utf-8"))
    for more in ["--processes 2", "--narrow"]:
        refuse(bench + more, 2, "compared in one process")
    for other in ["--bench book", "--bench raytrace --modes book/*", "--sweep spheres=10..20"]:
        refuse(CPU + "--kernel-file class " + other, 2, "nothing else ranks kernels")
    refuse(CPU + "--kernel mine --kernel-file class", 2, "--kernel-file FILE.cu")
    for i in range(65):
        Path(f"class/{i}.cu").write_text("", encoding="utf-8")
    expect(bench, 1, "", "69 kernel files, and the board has room for 64")


def record_program():
    """What --record makes: every result once, valid, and equal to itself."""
    refuse("--record /nowhere/run.json", 1, "cannot be written")
    expect(ONE + "--record run.json --size 64x64")
    run_ = load("run.json")
    counts = {r["workload"]["spheres"] for r in run_["results"] if r["benchmark"] == "raytrace"}
    assert counts == {10, 20, 50, 100, 200, 500, 1000, 2000, 5000}, counts
    assert run_["complete"], run_["notes"]
    keys = {json.dumps([r["benchmark"], r["variant"], r["workload"], r["parameters"]])
            for r in run_["results"]}
    assert len(keys) == len(run_["results"]), "a result is there twice"
    expect(CPU + "--processes 2 --record two.json --size 16x16 --seconds 15", 0)
    swept = {r["workload"]["spheres"] for r in results("two.json") if r["benchmark"] == "raytrace"}
    assert {10, 20} <= swept <= counts, swept  # as far as the time went
    assert {"raytrace", "claims", "peak", "saxpy"} <= {r["benchmark"] for r in run_["results"]}
    valid("run.json")
    out, _ = expect("--compare run.json run.json", 0, "compared with itself")
    check(not re.search("  (FASTER|SLOWER)", out), "a run differs from itself")
    if GUI:
        expect(CPU + "--offscreen --play run.json --size 64x64 --frames 50 --seconds 100 "
               "--screenshot own.png", 0, "Recorded by one process of another run")


class Page(html.parser.HTMLParser):
    """A page of --html: fails where an element is not closed, or asks a network for something."""

    def __init__(self, path):
        super().__init__()
        self.path, self.open, self.seen, self.words, self.picture = path, [], [], "", None
        self.links, self.sections = [], []
        text = Path(path).read_text(encoding="utf-8")
        check(len(text.encode()) <= 2000000, path, "has", len(text.encode()), "bytes")
        check(not re.search("https?:|//[a-z]|url\\(|@import", re.sub('src="data:[^"]*"', "", text)),
              path, "names an address")
        colours = {*re.findall(r"var\(--(\w+)\)", text)}
        check(len(colours) > 5 and all(text.count(f"--{name}:") == 2 for name in colours),
              path, "lacks one of the colours", colours)
        check("@media print" in text and "prefers-color-scheme: dark" in text, path, "has no styles")
        self.feed(text)
        self.close()
        check(not self.open, path, "does not close", self.open)
        check(self.seen.count("script") == self.seen.count("title") == 1, path, "has other scripts")
        check(self.links == [f"#{name}" for name in self.sections] and
              len(set(self.links)) == len(self.links), path, self.links, self.sections)

    def handle_starttag(self, tag, attributes):
        names = [name for name, _ in attributes]
        check(len(names) == len(set(names)), self.path, tag, "has an attribute twice", names)
        check(not [name for name in names if name.startswith("on") or name == "style" or
                   (name == "href" and tag != "a")], self.path, tag, names)
        if tag == "a":
            self.links.append(dict(attributes)["href"])
        if tag == "h2":
            self.sections.append(dict(attributes)["id"])
        self.seen.append(tag)
        if tag == "img":
            kind, data = dict(attributes)["src"].split(",", 1)
            check(kind == "data:image/png;base64", self.path, kind)
            self.picture = base64.b64decode(data, validate=True)
        if tag not in ("meta", "img"):
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        self.handle_endtag(tag)

    def handle_endtag(self, tag):
        check(self.open and self.open[-1] == tag, self.path, f"</{tag}> closes", self.open[-1:])
        self.open = self.open[:-1]

    def handle_data(self, data):
        if not {"style", "script"} & set(self.open):
            self.words += f" {data}"


def has_words(page, markdown):
    """Checks that a page has the words of the tables in Markdown."""
    plain = re.sub(r"(?m)^\|[ :|-]+\|$|^### |(?<!\\)\|", " ", markdown)
    plain = re.sub(r"\\([|*<`\\])", r"\1", plain)
    missing = set(plain.split()) - set(page.words.split())
    check(len(plain.split()) > 50 and not missing, page.path, "lacks the words", missing)


def pages():
    """--html: a page that stands alone, in the words of --markdown, whose picture replays."""
    for line in (RAYTRACE + "--frames 4", ONE + "--bench saxpy,peak --seconds 2",
                 CPU + "--duel book/global,strip/global --size 64x64 --frames 60 --processes 2",
                 ONE + "--size 64x64 --sweep spheres=10..100 --seconds 2",
                 ONE + "--size 64x64 --sweep bounces=0..3 --seconds 2 --modes '*/global'"):
        out, _ = expect(line + " --markdown --html bench.html")
        page = Page("bench.html")
        check(page.picture is None and page.seen.count("details") > 1, line, page.seen)
        has_words(page, out)
    out, _ = expect(RAYTRACE + "--frames 4 --html -", 0, "^<!DOCTYPE html>", "^  book/global ")
    check(out.endswith("</html>\n"), "--html -:", out[-100:])
    # A record is read from whoever sends it.
    source = load(ASSETS / "runs/nvidia-h200-all.json.gz")
    evil = "</title><script src='x.js'>alert(1)</script><img src=x onerror=\"alert(1)\">&amp;"
    source["environment"]["device"]["name"] = evil
    source["notes"].append(evil)
    source["results"][0].update(benchmark="any", variant=evil, scope=evil)
    source["environment"]["argv"] = [evil]
    save("evil.json", source)
    expect(CPU + "--play evil.json --seconds 0.5 --html evil.html", 0)
    check(Page("evil.html").words.count(evil[:30]) >= 3, "evil.html does not show the texts")
    # What cannot be drawn leaves a page without a picture.
    source["state"]["scene"] |= {"kind": "file", "path": "/x.json", "count": 5}
    save("lost.json", source)
    expect(CPU + "--play lost.json --html lost.html", 0, "", "The page has no picture")
    check(Page("lost.html").picture is None, "lost.html has a picture")
    expect(CPU + "--play h100 --seconds 0.5 --html all.html")
    check(Page("all.html").seen.count("figure") > 10, "all.html has no charts")
    if not GUI:
        return
    expect(DRAW + "--frames 3 --modes book/global --screenshot shot.png --html shot.html")
    Path("page.png").write_bytes(Page("shot.html").picture)
    record, _ = png_record.read("page.png")
    check(same("shot.png", "page.png"), "the page has another picture")
    check(not any(p["samples_ms"] for r in record["results"] for p in r["processes"]) and
          record["results"], "the picture of a page has samples")
    expect(CPU + "--offscreen --frames 3 --replay page.png --screenshot again.png", 0,
           "^picture: the same bytes")
    # A picture that would be too large for a page is smaller there; it replays all the same.
    expect(CPU + "--offscreen --frames 1 --seconds 1 --spheres 2500 --radii 10:20 --kernel binned "
           "--modes binned/global --window 1100x1040 --screenshot large.png --html large.html")
    Path("small.png").write_bytes(Page("large.html").picture)
    check(png_record.read("small.png")[1] < png_record.read("large.png")[1] and
          Path("large.png").stat().st_size > 1000000, "a large picture is as large in its page")
    expect(CPU + "--offscreen --frames 1 --seconds 1 --modes binned/global --replay small.png "
           "--screenshot again.png", 0, "^picture: the same bytes")


def pages_in_browser():
    """The page in a browser, where one is installed: nothing on its console, and tables that sort."""
    browser = shutil.which("chromium") or shutil.which("chromium-browser")
    if browser is None:
        print("program.py: no chromium")
        sys.exit(1 if os.environ.get("CI") else 77)
    source = load(recorded_run())
    source["results"] = [r for r in source["results"] if r["benchmark"] != "raytrace"
                         or r["workload"]["spheres"] == 20]
    save("page.json", source)
    expect(CPU + "--play page.json --html page.html")
    text = Path("page.html").read_text(encoding="utf-8")
    # Sorts a table by its second column, downwards, and opens a histogram, as taps do.
    taps = """<script>
        const table = [...document.querySelectorAll("table")].find(one =>
            one.tHead.textContent.startsWith("kernel/storage/K"));
        table.querySelectorAll("th button")[1].click();
        table.querySelectorAll("th button")[1].click();
        table.querySelector("summary").click();
        const texts = (one, column) => [...one.tBodies[0].rows].map(row => row.cells[column])
            .map(cell => (cell.querySelector("summary") ?? cell).textContent);
        const probes = [...document.querySelectorAll("table")].find(one =>
            texts(one, 0).includes("vector, 64 Mi elements"));
        const clocks = [...document.querySelectorAll("table")].find(one =>
            texts(one, 0).some(text => text.startsWith("resolution, ")));
        clocks.querySelectorAll("th button")[2].click();
        const spans = texts(clocks, 2).map((span, i) => [texts(clocks, 1)[i], span]);
        probes.querySelector("th button").click();
        document.title = JSON.stringify([spans, texts(probes, 0),
            [...document.querySelectorAll("h2")].map(one => one.textContent),
            [...document.querySelectorAll("nav a")].map(one => one.textContent),
            document.querySelectorAll(".facts button").length,
            document.querySelector(".headline").textContent,[...table.tBodies[0].rows].map(row => row.cells[1].textContent),
                                         table.querySelector("details").open,
                                         document.documentElement.scrollWidth - innerWidth]);
        </script></body>"""
    Path("tapped.html").write_text(text.replace("</body>", taps), encoding="utf-8")
    command = [browser, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
               "--user-data-dir=" + os.getcwd() + "/browser", "--enable-logging=stderr",
               "--window-size=390,844"]
    for page, asks in (("tapped", ["--dump-dom"]), ("page", ["--screenshot=light.png"]),
                       ("page", ["--screenshot=dark.png",
                                 "--blink-settings=preferredColorScheme=0"])):
        ended = subprocess.run([*command, *asks, f"file://{os.getcwd()}/{page}.html"],
                               capture_output=True, text=True, timeout=HANG_S, check=False)
        check(ended.returncode == 0 and "CONSOLE" not in ended.stderr, asks, ended.stderr[-1000:])
        if page == "tapped":
            found = re.search("<title>(.*?)</title>", ended.stdout)[1]
    spans, names, titles, links, facts, said, medians, is_open, beyond = json.loads(
        html.unescape(found))
    units = {"ns": 1e-6, "µs": 1e-3, "ms": 1.0}
    lows = [float(re.search(r"[\d.]+", s)[0]) * units[m.split()[-1]] for m, s in spans]
    check(lows == sorted(lows) and len({m.split()[-1] for m, _ in spans}) > 1, "intervals:", spans)
    sizes = [int(n.split()[1]) * {"Ki": 1 << 10, "Mi": 1 << 20}[n.split()[2]] for n in names
             if n.startswith("vector, ")]
    check(len(sizes) > 3 and sizes == sorted(sizes), "names do not sort by their numbers:", names)
    check(titles == links and len(set(titles)) == len(titles), "the contents:", titles, links)
    check(facts == 0 and "times as fast as book/global" in said, "facts sort, or no headline:", said)
    ms = [float(t[-2]) * {"ns": 1e-6, "µs": 1e-3, "ms": 1.0}[t[-1]] for t in map(str.split, medians)]
    check(len(ms) > 20 and ms == sorted(ms, reverse=True), "the table is not sorted:", medians)
    check(is_open and beyond <= 0, "a tap shows no histogram, or the page is too wide:", beyond)
    check(Path("light.png").read_bytes() != Path("dark.png").read_bytes(), "there are no dark colours")


def recorded_program():
    """What --play shows and writes: the numbers of another machine, marked as such."""
    play = CPU + "--offscreen --play "
    Path("lfs.json").write_text("version https://git-lfs.github.com/spec/v1\nsize 12\n")
    Path("page.json").write_text("\n<!DOCTYPE html>\n<html></html>\n")
    for line, code, words in (("h200,h100", 1, "one device"),
                              ("h9000", 4, "No recorded run of h9000 .* runs of h[12]00, h[12]00,"),
                              ("lfs.json", 1, "lfs.json, line 1: a Git LFS pointer"),
                              ("page.json", 1, "page.json, line 1: a page of HTML")):
        refuse(play + line, code, words)
    needs_pictures()
    source = load(recorded_run())
    save("a, b.json", source | {"results": [
        r for r in source["results"] if r["benchmark"] == "raytrace" and r["workload"]["spheres"] == 20]})
    _, err = expect(play + "'a, b.json' --seconds 0.5", 0, "Recorded by 5 processes of another run")
    check("takes over" not in err, "a recorded run needs no GPU:", err)
    # A picture has the probes of all files, as its pages do.
    for name, kept in (("one", ("saxpy",)), ("other", ("raytrace", "timer"))):
        save(f"{name}.json", source | {"results": [r for r in source["results"]
                                                   if r["benchmark"] in kept]})
    expect(play + "one.json,other.json --panels full --seconds 0.5 --screenshot two.png")
    benchmarks = {r["benchmark"] for r in png_record.read("two.png")[0]["results"]}
    check({"saxpy", "timer"} <= benchmarks, "probes of one file alone:", benchmarks)
    # A packed record is one, also from a pipe; a cut and a damaged one are refused with a line.
    save("source.json", source)
    packed = recorded_run().read_bytes()
    os.mkfifo("pipe")
    with subprocess.Popen(["/bin/sh", "-c", 'exec cat "$0" >pipe', recorded_run()]) as writer:
        out, _ = expect("--compare pipe source.json", 0, "^source.json against ")
        writer.kill()
    check(not re.search("  (FASTER|SLOWER)", out), "packed and unpacked differ:", out)
    Path("cut.json").write_bytes(packed[:1000])
    Path("damaged.json").write_bytes(packed[:1000] + b"damage\n" + packed[1007:])
    for way in (play, "--compare source.json ", "--replay "):
        refuse(way + "./cut.json", 1, r"cut.json is cut: its packed data end at byte 1000\.$")
        refuse(way + "./damaged.json", 1, r"damaged.json is damaged: .* of its packed data\.$")
    played = f"{play} '{recorded_run()}' --seconds 0.5 "
    out, _ = expect(played + "--storage constant --panels full --screenshot played.png "
                    "--json played.json", 0, "Recorded by 5 processes of another run")
    check(not re.search("this run|same caches", out), "a GPU's record reads as something else:", out)

    def key(r):
        return json.dumps([r["benchmark"], r["variant"], r["backend"], r.get("workload"),
                           r["parameters"]], sort_keys=True)
    known = {key(r): r for r in source["results"]}
    shot, table = png_record.read("played.png")[0], load("played.json")
    check(any("has room for a part" in note for note in shot["notes"]),
          "the picture's record is a whole one:", shot["notes"])
    try:
        from PIL import Image
        check(list(Image.open("played.png").text) == ["spherescope"], "Pillow finds no record")
    except ImportError:
        print("program.py: Pillow opens no picture: it is not installed")
    for held in (shot, table):
        own = [r for r in held["results"] if r["backend"] == "cuda"]
        assert own and all("recorded" in x["trust"] for x in [held, *own])
        for r in own:
            if r["benchmark"] != "claims":
                assert r["outcome"]["recorded_processes"] == 5, r
                of = known[key(r)]["metrics"]
                assert all(math.isclose(value, of[name], rel_tol=1e-6)
                           for name, value in r["metrics"].items()), key(r)
        times = [r for r in held["results"] if r["benchmark"] == "raytrace"]
        assert all(r["backend"] == "cuda" for r in times), "a live time"
        assert any("NVIDIA H200" in note for note in held["notes"]), held["notes"]
        if held is shot:
            assert {r["variant"] for r in times} == {"book/constant"}, times
            (claim,) = [r for r in own if r["variant"] == "constant-kernel"]
            assert claim["outcome"]["verdict"] == "INVERTED", claim
        else:
            assert len(times) == sum(r["benchmark"] == "raytrace" and r["workload"]["spheres"] == 20
                                     for r in source["results"])
    # A played record can be played; a copy without the number of processes says that it is unknown.
    table["results"] = [r for r in table["results"] if r["benchmark"] == "raytrace"]
    save("counted.json", table)
    for r in table["results"]:
        r["outcome"].pop("recorded_processes", None)
    save("uncounted.json", table)
    expect(play + "counted.json --seconds 0.5 --json again.json", 0,
           "Recorded by 5 processes of another run")
    expect(play + "uncounted.json --seconds 0.5 --json unknown.json", 0,
           "whose number of processes is unknown")
    environment, records = source["environment"], [load(f"{name}.json") for name in
                                                   ("played", "again", "unknown")]

    def medians(held):
        return {r["variant"]: r["metrics"]["median_ms"] for r in held["results"]
                if r["benchmark"] == "raytrace"}
    for held in records:
        origin = held["recorded"]
        assert origin["device"]["name"] == environment["device"]["name"], origin
        assert origin["device"]["backend"] == "cuda", origin
        assert origin["time_utc"][:10] == environment["time_utc"][:10], origin
        assert held["notes"] == records[0]["notes"], held["notes"]
        assert len(medians(held)) > 1 and medians(held) == medians(records[0])
    for name in ("clock", "l2_bytes", "driver_version", "launch_floor_ms", "clock_max_mhz"):
        assert all(held["recorded"]["device"][name] == environment["device"][name]
                   for held in records[:2]), name
    for held, number in zip(records[1:], (5, None)):
        found = {r["outcome"].get("recorded_processes") for r in results_of(held, "raytrace")}
        assert found == {number}, found
    save("shot.json", shot)
    valid("shot.json", "played.json", "again.json", "unknown.json")
    # What was not recorded has no number, and a sentence.
    expect(played + "--spheres 40 --screenshot none.png --json none.json", 0,
           "not recorded: 40 spheres; recorded are 10, 20")
    assert not results("none.json", "raytrace"), "a number that was not recorded"
    # Without a GPU and without an option, pages have the numbers of the shipped H200; without a
    # page, no run is read.
    for name, options, backends in (("panels", "--panels full", {"cpu", "cuda"}),
                                    ("page", "--page saxpy", {"cpu", "cuda"}), ("bare", "", set())):
        expect(DRAW + f"--window 640x360 --frames 30 {options} --screenshot {name}.png")
        held = png_record.read(f"{name}.png")[0]
        claims = results_of(held, "claims")
        assert {r["backend"] for r in claims} == backends, name
        assert {r["backend"] for r in results_of(held, "raytrace")} <= {"cpu"}, name
        assert all(("recorded" in r["trust"]) == (r["backend"] == "cuda") for r in held["results"]
                   if r["variant"] != "constant-others"), name
        assert not claims or any(r["outcome"]["verdict"] == "INVERTED" and "recorded" in r["trust"]
                                 for r in claims if r["variant"] == "constant-kernel"), name


def capture():
    """Frames as PNG files and as a video. A stand-in takes the place of ffmpeg: it writes its
    arguments and the number of bytes that it has read into the video's file, or fails."""
    needs_pictures()
    os.mkdir("bin")
    os.mkdir("empty")
    Path("bin/ffmpeg").write_text(f"""#!/bin/bash
PATH=/usr/bin:/bin
cd {shlex.quote(os.getcwd())}
echo $$ >pid
case $(cat mode 2>/dev/null) in
dies) head -c 1000 >/dev/null; printf '\\nno such encoder\\n' >&2; exit 9 ;;
ends-badly) cat >/dev/null; exit 3 ;;
writes-nothing) cat >/dev/null; echo 'no room' >&2; exit 0 ;;
esac
out=${{!#}}
{{ printf '[%s]' "$@"; echo; wc -c; }} >"${{out#file:}}"
""")
    os.chmod("bin/ffmpeg", 0o755)
    with_ffmpeg, bytes_ = {"PATH": os.getcwd() + "/bin"}, 161 * 99 * 4
    frames = (CPU + "--offscreen --size 64x48 --window 161x99 --hud off --seconds 100 "
              "--screenshot shot.png ")
    # Numbered from 1, each with its own pose, and the same in every run.
    os.mkdir("a")
    expect(frames + "--frames 7 --record-frames a/one", 0, r"^frames: a/one \(7\)")
    expect(frames + "--frames 7 --record-frames two", 0, r"^frames: two \(7\)")
    names = [f"frame-00000{n}.png" for n in range(1, 8)]
    check(sorted(os.listdir("a/one")) == names, "names:", os.listdir("a/one"))
    check(all(same(f"a/one/{name}", f"two/{name}") for name in names), "another run differs")
    check(not same("two/" + names[0], "two/" + names[6]) and same("two/" + names[6], "shot.png"),
          "no motion, or another last frame")
    pose_s = png_record.read("shot.png")[0]["state"]["pose"]["time_s"]
    check(math.isclose(pose_s, 6 / 60, rel_tol=1e-11), "frame 7 at", pose_s)
    expect(frames + "--frames 2 --record-frames still --motion off", 0, r"^frames: still \(2\)")
    check(same("still/" + names[0], "still/" + names[1]), "--motion off moves")
    # Nothing is replaced, and what cannot be used ends the run before anything is rendered.
    os.mkdir("other")
    os.mkdir("d.mp4")
    Path("other/frame-7.png").touch()
    Path("file").touch()
    for line, code, words, env in (
            ("--record-frames two", 1, "--record-frames replaces no file, and two has frame-", {}),
            ("--record-frames other", 1, "other has frame-7.png already", {}),
            ("--record-frames file", 1, r"file cannot be written: Not a directory; name a folder\.",
             {}),
            ("--record-frames no/folder", 1,
             "no/folder cannot be written: .*; make its folder first", {}),
            ("--video x.avi", 2, "mp4", {}), ("--video d.mp4", 1, "Is a directory", with_ffmpeg),
            ("--video no/x.mp4", 1, "", with_ffmpeg),
            ("--video v.mp4", 4, "--video needs the program ffmpeg",
             {"PATH": os.getcwd() + "/empty"})):
        refuse(frames + line, code, words, **env)
    check(not Path("v.mp4").exists(), "a video without ffmpeg")
    expect(frames + "--frames 5 --video v.mp4", 0, r"^video: v.mp4 \(5 frames, 60 per second\)",
           **with_ffmpeg)
    before = Path("v.mp4").read_text()
    check("[-f][rawvideo][-pixel_format][rgba][-video_size][161x99][-framerate][60][-i][pipe:0]"
          in before and before.splitlines()[1] == str(5 * bytes_), before)
    # Only a complete video replaces a file; the name may begin with a dash or have blanks.
    for mode, words in (("dies", r"failed \(exit code 9\): no such encoder"),
                        ("ends-badly", r"failed \(exit code 3\)"),
                        ("writes-nothing", "wrote nothing, but reports success: no room")):
        Path("mode").write_text(mode)
        expect(frames + "--frames 5 --video v.mp4", 1, "",
               f"^spherescope: ffmpeg {words}; the video is not", **with_ffmpeg)
    Path("mode").unlink()
    check(Path("v.mp4").read_text() == before, "a failed video replaced another")
    expect(frames + "--frames 2 '--video=-a b.mp4' --record-frames both", 0, "^video: ",
           **with_ffmpeg)
    check(Path("-a b.mp4").read_text().splitlines()[1] == str(2 * bytes_) and
          sorted(os.listdir("both")) == names[:2], os.listdir("both"))
    os.symlink("v.mp4", "link.mp4")
    expect(frames + "--frames 1 --video link.mp4", 0, "^video: link.mp4", **with_ffmpeg)
    check(Path("link.mp4").is_symlink() and
          Path("v.mp4").read_text().splitlines()[1] == str(bytes_), "a link was replaced")
    # An interrupted recording leaves no video and no process.
    Path("pid").unlink()
    with start(frames + "--frames 100000 --video i.mp4", **with_ffmpeg) as process:
        wait_until(lambda: Path("pid").exists() and list(Path().glob("i.mp4.part-*")))
        process.terminate()
        check(process.wait(HANG_S) == 1 and not Path("i.mp4").exists(), "interrupted")
    check(not Path("/proc", Path("pid").read_text().strip()).exists(), "ffmpeg is still there")
    check(not list(Path().rglob("*.part-*")), "left behind:", list(Path().rglob("*.part-*")))


def start(line, **env):
    """Starts the program; its output goes to the file said."""
    with open("said", "wb") as said:
        return subprocess.Popen([PROGRAM, *shlex.split(line)], env=os.environ | env, stdout=said,
                                stderr=said, stdin=subprocess.DEVNULL)


def wait_until(holds):
    """Waits until holds() is true; returns false when that takes too long."""
    end = time.monotonic() + HANG_S
    while not (found := holds()) and time.monotonic() < end:
        time.sleep(0.005)
    return found


def child(pid):
    """Returns the first process that a process has started and its command line, or None."""
    try:
        first = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()[0]
        return int(first), Path(f"/proc/{first}/cmdline").read_text().split("\0")
    except (OSError, IndexError):
        return None


def processes():
    """Runs in several processes: one record of all, a process that crashes, time limits."""
    small = CPU + "--size 64x64 --frames 6 --modes 'book/*,binned/global' "
    expect(small + "--bench raytrace,peak --processes 3 --order-seed 7 --json r.json", 0,
           "^  book/global", "^3 processes$")
    r = load("r.json")
    run_ = r["run"]
    assert (run_["processes"], run_["processes_asked"], run_["failed"], run_["seed"]) == (
        3, 3, [], "7"), run_
    assert r["complete"] and "--worker" not in r["environment"]["argv"], r["environment"]["argv"]
    names = [x["variant"] for x in results_of(r, "raytrace")]
    assert names[0] == "book/global" and names[-1] == "binned/global", names  # the tables' order
    assert results_of(r, "peak") and any("binned/global" in note for note in r["notes"]), r["notes"]
    for x in r["results"]:
        each, m = x["processes"], x["metrics"]
        assert [p["process"] for p in each] == [1, 2, 3], x["variant"]
        assert len({tuple(p["samples_ms"]) for p in each}) == 3, x["variant"]
        assert m["low_ms"] < m["median_ms"] < m["high_ms"] and x["verified"] is True, x["variant"]
    json.loads(expect(small + "--bench raytrace --processes 2 --json -")[0])
    expect(small + "--bench raytrace --narrow --band 50 --processes 10", 0,
           "^After (8|10) processes, [0-9]+ of [0-9]+ intervals are narrow",
           "^up to 10 processes, until all intervals are narrow$")
    code, _, err = run(small + "--bench raytrace --processes 2", lambda: resource.setrlimit(
        resource.RLIMIT_NOFILE, (5, 5)))
    check(code == 0, f"with five descriptors: exit {code}, {err}")
    expect(small + "--sweep spheres=1..2 --processes 2 --json r.json")
    assert load("r.json")["run"]["processes"] == 2 and len(results("r.json")) == 12
    expect(CPU + "--duel book/global,binned/global --size 64x64 --frames 30 --processes 2 "
           "--json r.json")
    (duel,) = results("r.json", "duel")
    assert len(duel["processes"]) == 2, duel
    expect(small + "--bench raytrace --processes 1", 0, "", "One process")
    # A wrong picture in every process; what no process can do is tried once.
    expect(small + "--bench raytrace --processes 2", 3, "WRONG", SPHERESCOPE_FAULT="constant")
    for line, code, words, env in (
            ("--bench saxpy", 4, "no panels", {"SPHERESCOPE_FAIL": "krn_cpu_probes_open"}),
            ("--scene none.json --bench raytrace", 1, "none.json", {})):
        _, err = expect(CPU + line + " --processes 3", code, "", words, **env)
        check(err.count(words) == 1, "tried again:", err)
    # The second process crashes: the others' results count, and the record says what is missing.
    Path("r.json").unlink()
    with start(CPU + "--bench raytrace --size 64x64 --modes 'book/*' --processes 3 --json r.json"
               ) as process:
        def second():
            found = child(process.pid)
            words = found[1] if found else []
            return found if "--worker" in words and words[words.index("--worker") + 1] == "2" \
                else process.poll() is not None
        found = wait_until(second)
        if isinstance(found, tuple):
            os.kill(found[0], signal.SIGKILL)
        check(process.wait(HANG_S) == 1, "a crash:", process.returncode)
    check("process 2 of 3 ended by signal 9; its results are missing" in Path("said").read_text(),
          Path("said").read_text())
    run_ = load("r.json")["run"]
    assert (run_["processes"], run_["processes_asked"]) == (2, 3), run_
    assert [f["process"] for f in run_["failed"]] == [2] and not load("r.json")["complete"], run_
    assert all([p["process"] for p in x["processes"]] == [1, 3] for x in results("r.json"))
    killed_worker()
    # --seconds bounds the whole run; of frames, nobody knows how long they take.
    for line in ("--bench raytrace,saxpy,access", "--bench raytrace --spheres 1000000",
                 "--sweep spheres=1..100000", "--duel book/global,book/constant"):
        expect(CPU + line + " --processes 2 --seconds 2", 0, "",
               "up to about 2 s: 2 processes of 1 s")
    # A frame that takes longer than the run leaves no result, and the record says so; a start that
    # takes longer does not lift the limit.
    huge = CPU + "--bench raytrace --modes book/global --size 16384x16384 "
    expect(huge + "--spheres 100000 --processes 2 --seconds 1 --json none.json", 0, "^Incomplete")
    expect(huge + "--spheres 100000 --processes 1 --seconds 1", 0,
           "1 of 1 have fewer than 6 samples")
    with start(huge + "--spheres 1000000 --radii 2:12 --seconds 0.2 --processes 1") as process:
        time.sleep(0.03)
        process.send_signal(signal.SIGSTOP)
        time.sleep(0.8)
        process.send_signal(signal.SIGCONT)
        check(process.wait(HANG_S) == 0, "a slow start: exit", process.returncode)
    expect(ONE + "--bench saxpy --seconds 0.05", 0,
           "saxpy: (.* fewer than 6 samples|skipped: the time was up)")


def killed_worker():
    """A worker is killed while a process of its own runs: that one ends as well, and the next
    begins. It is stopped first, so that it cannot end by itself, and with a second thread: then its
    start is over. On a busy machine the first workers may end unseen, so that there are many."""
    def runs(pid):
        try:
            return not re.search(r"^State:\s*[ZX]", Path(f"/proc/{pid}/status").read_text(), re.M)
        except OSError:
            return False

    with start(CPU + "--bench book --processes 20", OMP_NUM_THREADS="2") as process:
        def busy():
            worker = child(process.pid)
            inner = worker and child(worker[0])
            try:  # the leak sanitizer's own process has the worker's command line
                if inner and "--book-window" in inner[1] and \
                        len(os.listdir(f"/proc/{inner[0]}/task")) > 1:
                    os.kill(inner[0], signal.SIGSTOP)
                    os.kill(worker[0], signal.SIGKILL)
                    return worker[0], inner[0]
            except OSError:
                pass
            return process.poll() is not None
        caught = wait_until(busy)
        check(isinstance(caught, tuple), "no worker was caught")
        if isinstance(caught, tuple):
            worker, inner = caught
            check(wait_until(lambda: (child(process.pid) or (worker,))[0] != worker and
                             not runs(inner)), "a worker's own process outlives it")
            if runs(inner):
                os.kill(inner, signal.SIGKILL)
        process.terminate()
        check(process.wait(HANG_S) == 1, "a killed worker: exit", process.returncode)


def conversions():
    """Results in the formats that other programs read: CSV, JSON in pandas, metrics for Prometheus.
    With a stand-in for the CUDA runtime, a run on two GPUs is converted."""
    os.environ["SPHERESCOPE_STANDIN"] = "devices:2"
    standin = "stand-in for a GPU" in run("--list-devices")[1]
    short = "--size 64x64 --frames 6 --processes 2 --json r.json --csv r.csv --prometheus r.prom "
    expect(short + ("--device all --bench raytrace --modes 'book/global,book/constant'" if standin
                    else CPU + "--bench raytrace,saxpy --modes 'book/*,strip/*/8' --seconds 6"))
    text, held = Path("r.csv").read_bytes().decode(), load("r.json")
    check(text.count("\r\n") == text.count("\n") == len(held["results"]) + 1, text)
    families, series = set(), set()
    for line in Path("r.prom").read_text(encoding="utf-8").splitlines():
        if line.startswith("# HELP "):
            family = line.split()[2]
            check(family not in families and line.endswith("."), "twice, or no sentence:", line)
            families.add(family)
        elif line.startswith("# TYPE "):
            check(line == f"# TYPE {family} gauge", line)
        else:
            sample = re.fullmatch(r'([a-z_]+)\{((?:[a-zA-Z_]\w*="(?:[^"\\]|\\["\\n])*",?)*)\} \S+',
                                  line)
            check(sample and sample[1] == family, "no sample:", line)
            labels = frozenset(re.findall(r'(\w+)="((?:[^"\\]|\\.)*)"', sample[2]))
            check((family, labels) not in series, "a series that is there twice:", line)
            series.add((family, labels))
    check(not [name for name in families if re.search("_(ms|gb|kb|us)", name)], families)
    check(standin == any("_gpu_" in name for name in families), families)
    # A collector reads all files of a folder: no two of them may hold the same series.
    expect(CPU + "--size 64x64 --frames 6 --processes 1 --bench raytrace --prometheus night.prom")

    def samples(name):
        return {line.rsplit(" ", 1)[0] for line in Path(name).read_text().splitlines()
                if line[0] != "#"}
    nights = samples("night.prom")
    check(nights and not nights & samples("r.prom"), nights & samples("r.prom"))
    check(all('run="night",host="' in one and ',device="' in one for one in nights), nights)
    if shutil.which("promtool"):
        done = subprocess.run("promtool check metrics <r.prom", shell=True, capture_output=True)
        check(done.returncode == 0 and not done.stderr, "promtool:", done)
    # The three lines that docs/formats.md gives for pandas.
    lines = re.search(r"```python\n(import json, pandas\n(?:.*\n){2})```",
                      (TESTS.parent / "docs/formats.md").read_text(encoding="utf-8"))
    shutil.copy("r.json", "results.json")
    if subprocess.run(["/usr/bin/python3", "-c", "import pandas"], capture_output=True).returncode:
        print("pandas is not installed")
    else:
        lines = lines[1] + "print(*table['metrics.median_ms'])"
        done = subprocess.run(["/usr/bin/python3", "-c", lines], capture_output=True, text=True)
        check([float(word) for word in done.stdout.split()] ==
              [r["metrics"]["median_ms"] for r in held["results"]], "pandas:", done)
    # A duel has no time of its own.
    expect(CPU + "--size 64x64 --frames 1000 --processes 2 --duel book/global,splat/global "
           "--prometheus duel.prom")
    check("spherescope_duel_ratio{" in Path("duel.prom").read_text(), "a duel lacks its ratio")


def talks_shipped():
    """The shipped talks, and the one that the manual writes, can be given from a recorded run."""
    manual = (TESTS.parent / "docs/talks.md").read_text(encoding="utf-8")
    Path("my-talk.json").write_text(re.search(r"```json\n(.*?)```", manual, re.S)[1],
                                    encoding="utf-8")
    for path in [Path("my-talk.json"), *(ASSETS / "talks").glob("*.json")]:
        talk, name = load(path), path.stem if path.is_absolute() else path
        out, _ = expect(CPU + f"--talk {name} --check --play h200")
        planned = "{0}.00 min of the {0}.00 planned".format(talk["minutes"])
        check(planned in out.splitlines()[-1] and out.count("\n") == len(talk["steps"]) + 2, out)
        hundredths = re.findall(r"^ .*?(\d+)\.(\d\d) min ", out, re.M)
        check(sum(int(a + b) for a, b in hundredths) == 100 * talk["minutes"], out)


def talk_check():
    """What --check finds in talks that are wrong."""
    shutil.copy(ASSETS / "scenes/three.json", "scene.json")
    recorded = f" --check --play '{recorded_run()}'"
    number = {"text": "q", "kind": "number", "unit": "ms", "lowest": 0, "highest": 9,
              "measured": {"time": "book/global"}}
    wide = {"text": "q", "kind": "choice", "measured": {"claim": "saxpy-bandwidth"},
            "answers": [{"text": 48 * "W", "from": 0, "to": 1}, {"text": "b", "from": 1}]}
    for step, options, code, words in (
            ({"caption": "x", "set": {"scene": "none.json"}}, " --check", 1, "step only"),
            ({"caption": "x", "set": {"scene": "scene.json"}}, " --check", 0, ""),
            ({}, " --check", 1, "talk.json, step only: it shows nothing: "
             r"no caption, no question and no page\."),
            # From a recorded run, a step must point at something that was recorded.
            ({"caption": "x", "set": {"page": "story", "size": "96x96"}},
             recorded, GUI, "step only: its story plot shows nothing"),
            ({"set": {"size": "96x96"}, "question": number}, recorded, GUI,
             "step only: nothing answers its question: not recorded: 96"),
            ({"set": {"size": "96x96"}, "question": number}, " --check", 0, ""),
            ({"caption": "x", "set": {"size": "96x96"}}, recorded, GUI,
             "step only: a number is missing: not recorded: 96"),
            ({"question": wide}, " --check --hud-scale 3 --window 720x1280", GUI,
             "step only: a text is cut: W+"),
            ({"caption": "x", "set": {"page": "memory-latency", "panels": "full"}},
             " --check --play h200 --hud-scale 3 --window 640x480", GUI, "step only: a chart has no room"),
            ({"set": {"page": "saxpy"}}, recorded, 0, ""),
            ({"set": {"storage": "disk"}}, "", 1, "step only"),
            ({"set": {"storage": "constant", "spheres": "9999"}}, " --check", 1, "step only")):
        save("talk.json", {"schema": "spherescope-talk-1", "title": "T", "minutes": 1,
                           "steps": [{"id": "only", "minutes": 1, **step}]})
        _, err = expect(CPU + "--talk talk.json" + options, code, "", words if code else "")
        check(not code or not GUI or err.count("\n") == 1, "not one line:", err)
    # Without a GPU, the first line says whose times are shown.
    expect("--talk four-claims --check", 0, "", r"takes over\. The times are those of --play h200",
           CUDA_VISIBLE_DEVICES="")
    refuse(CPU + "--talk no-such-talk", 1, "no-such-talk")


def untrusted():
    """Every option that reads a file, with something that is none of its files: one line without
    control characters. hostile.py has files that the program accepts."""
    os.mkdir("folder")
    odd = "odd\x1b[31m\u009b31m\u202e.json"
    scene = b'"schema": "spherescope-scene-1"'
    for name, held in ((odd, b"{"), ("empty.json", b""), ("locked.json", b"x"),
                       ("binary.json", os.urandom(4096).translate(None, b"{[")),
                       ("controls.json", '{"schema": "\u009b31m", "\u202e\u2061x": 1}'.encode()),
                       ("escape.json", b"\x1b]0;title\x07{"), ("deep.json", b"[" * 5000),
                       ("bom.json", b"\xef\xbb\xbf{}"), ("nul.json", b'{"schema":\0"x"}'),
                       ("twice.json", b"{\r\n" + scene + b",\r\n" + scene + b"}"),
                       ("nan.json", b'{"schema": NaN}'), ("large.json", b'{"schema": 1e999}'),
                       ("huge.json", b""), ("huge.png", b"\x89PNG\r\n\x1a\n")):
        Path(name).write_bytes(held)
    os.truncate("huge.json", (1 << 30) + 1)  # sparse: it takes no room
    os.truncate("huge.png", 1100 << 20)
    os.chmod("locked.json", 0)

    def refused(words, line, prepare=None):
        code, _, err = run(CPU + line, prepare)
        said = [text for text in err.splitlines() if text.startswith("spherescope: ")]
        if code != 1 or len(said) != 1 or not re.search(words, err) or \
                re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e]", err):
            wrong(f"{line!a}: exit {code}, expected 1 and /{words}/: {err!a}")

    for option in ("--scene {} --bench raytrace --processes 1 --frames 1", "--play {} --offscreen",
                   "--compare {} {}", "--replay {} --offscreen", "--talk {} --check"):
        for path, words in (
                ("./missing.json", "No such file|no talk"),
                ("./folder/", "folder|no file|not found"),
                ("./empty.json", "empty"), ("./binary.json", "binary.json( is |, line [0-9]+)"),
                ("./huge.json", "larger than the limit of [0-9]+ MiB"),
                ("./controls.json", ": schema "),
                ("./escape.json", "escape.json, line 1"),
                ("./nul.json", "nul.json is not text: its byte 10 is zero"),
                ("./deep.json", "deep.json, line 1: brackets are nested"),
                ("./bom.json", "bom.json: schema "), ("./twice.json", "twice.json, line 3"),
                ("./nan.json", "nan.json, line 1"), ("./large.json", "large.json, line 1"),
                ("./" + odd, "odd"), ("/dev/zero", "larger than the limit"), ("/dev/null", "empty"),
                ("/proc/self/status", "line 1|in no known format: scene files end in .json, ")):
            refused(words, option.replace("{}", shlex.quote(path)))
        refused("Permission denied", option.replace("{}", "./locked.json"), no_overrides.drop)
    if GUI:  # a PNG file is not read at all beyond its limit
        refused("more than 1024 MiB", "--replay ./huge.png")
    else:
        expect("--replay huge.png", 4, "", "cannot read screenshots")
    # A talk names no files but regular ones of its folder, and sets nothing that is written.
    save("outside.json", {"schema": "spherescope-scene-1", "spheres": [
        {"center": [0, 0, 0], "radius": 100, "color": [1, 1, 1]}]})
    os.symlink("../outside.json", "folder/link.json")
    os.symlink("..", "folder/up")
    os.symlink("/dev/zero", "folder/device.json")
    os.mkfifo("folder/pipe.json")
    out = "step only: .*leads out of the talk.s folder"
    below = "steps.0..set.scene .*below the talk.s folder"
    for words, option, value in (
            *((below, "scene", v) for v in ("../outside.json", "../../etc/passwd", "/etc/passwd")),
            *((out, "scene", v) for v in ("link.json", "up/outside.json", "device.json")),
            ("step only: .*not a regular file", "scene", "pipe.json"),
            *(("not an option that a step can set", v, "written")
              for v in ("json", "csv", "prometheus", "screenshot", "video", "record-frames", "play",
                        "replay", "talk"))):
        save("folder/talk.json", {"schema": "spherescope-talk-1", "title": "T", "minutes": 1,
                                  "steps": [{"id": "only", "caption": "x", "minutes": 1,
                                             "set": {option: value}}]})
        refused(words, "--talk folder/talk.json")
    check(not list(Path().rglob("written")), "a talk wrote a file")
    os.mkdir("records")
    done = subprocess.run([sys.executable, TESTS / "program/hostile.py", Path("records").resolve()])
    check(done.returncode == 0, "hostile.py: exit", done.returncode)


def results_of(record_, benchmark):
    return [r for r in record_["results"] if r["benchmark"] == benchmark]


def on_terminal(line, until="", key=b""):
    """Runs the program on a terminal. Once it has written `until`, types the key, or with None
    hangs up. Returns the exit code and what was written."""
    pid, terminal = pty.fork()
    if pid == 0:
        os.execv(PROGRAM, [PROGRAM, *shlex.split(line)])
    text, acted, end = "", key == b"", time.monotonic() + HANG_S
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
        os.kill(pid, signal.SIGKILL)
    os.close(terminal)  # a lost connection, if the program still runs
    # Progress rewrites its line without escape sequences: there are no colours for NO_COLOR to end.
    check("\x1b" not in text, line, "escape sequences on a terminal:", repr(text))
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), text


def terminal():
    """A line tells what runs and how long it will take, and goes on while one frame takes seconds;
    Ctrl-C and a lost connection leave the results so far. Without a terminal there is no line."""
    def keeps(text, some=False):
        if not Path("r.json").exists():
            return not some and (text is None or "Interrupted before there were results" in text)
        held = load("r.json")
        Path("r.json").unlink()
        return held["complete"] is False and len(held["results"]) > 0 and (
            text is None or "Interrupted: the results up to" in text)

    line = CPU + "--bench raytrace --radii 2:12 --seconds 50 --json r.json "
    # The second time proves that the line is written while one frame takes seconds. Before there
    # are samples to count, a process only starts, and has no results to keep. A worker gives its
    # results up within a third of a second, also under a sanitizer, with the smaller scene.
    slow = r"samples  \d+ of about \d+ s[^\n]*\r[^\n]*samples  [1-9]\d* of about \d+ s"
    small = r"[1-9]\d* samples  [1-9]\d* of about"
    for number, spheres, until in ((1, 1000000, slow), (2, 50000, slow), (1, 20, small),
                                   (2, 20, small)):
        code, text = on_terminal(line + f"--spheres {spheres} --processes {number}", until, b"\x03")
        check(code == 1 and re.search(until, text) and keeps(text, until == small),
              f"Ctrl-C, {number} processes, {spheres} spheres: exit {code}: {text[-500:]!r}")
    code, text = on_terminal(line + "--spheres 1000000 --processes 1", "samples", None)
    check(code == 1 and keeps(None), "a lost connection: exit", code)
    code, text = on_terminal(CPU + ("--offscreen --seconds 1 --screenshot r.png" if GUI else
                                    "--bench raytrace --seconds 1"))
    check(code == 0 and (not GUI or "drawing frame" in text), code, repr(text[-500:]))
    last = [words for words in text.split("\n") if "of about" in words][-1]
    check(re.search(r"\r {60,}\r[^\r]*\r?$", last), "the line of progress stays:", repr(last))
    _, err = expect(ONE + "--bench saxpy --seconds 0.3")
    check("\r" not in err and "samples" not in err, "progress without a terminal:", repr(err))
    expect(CPU + "--bench all --seconds 0.01 --processes 2", 0, "",
           "more than --seconds 0.01: 2 processes cannot start and prepare in less")


if __name__ == "__main__":
    for unset in ("DISPLAY", "WAYLAND_DISPLAY"):
        os.environ.pop(unset, None)
    with tempfile.TemporaryDirectory() as work:
        os.chdir(work)
        os.environ |= {"HOME": work, "XDG_CONFIG_HOME": work + "/.config"}
        GUI = "SPHERESCOPE_GUI=OFF" not in run("--info")[1]
        GPU = re.search("^cuda  *0", run("--list-devices")[1], re.M)
        try:
            globals()[sys.argv[1]]()
        finally:
            os.chdir("/")
    print(f"program.py {sys.argv[1]}: {mistakes} mistakes")
    sys.exit(1 if mistakes else 0)
