#!/usr/bin/env python3
"""Records and pictures that the program accepts, and whose members name other files, outputs and
commands; and the largest files that it accepts.

Usage: hostile.py FOLDER      program.py calls it; the program is $SPHERESCOPE

Each is compared, shown and replayed in a folder that holds what it names. The program must write
nothing, open nothing that they name, and start nothing. strace watches it, where it is installed
and may; otherwise only what is left in the folder tells.
"""
import hashlib
import json
import os
import re
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "support"))
import no_overrides  # noqa: E402
import png_record  # noqa: E402

PROGRAM = os.environ["SPHERESCOPE"]
WORK = Path(sys.argv[1])
FOLDER = WORK / "with hostile names"
MARK = "hostile"  # is in every name below, and in no other
QUICK = ["--backend", "cpu", "--size", "16x16", "--frames", "2", "--modes", "book/global"]
SHOWN = ["--offscreen", "--window", "160x90", "--hud", "off"]
# What a member may be taken for: a file, an output, options, commands of a shell.
NAMES = (f"{MARK}.json", f"../{MARK}.json", f"/tmp/{MARK}-written", f"--json={MARK}-written",
         f"$(touch {MARK}-written)", f"`touch {MARK}-written`", f";touch {MARK}-written;",
         f"|touch {MARK}-written", f"file:///tmp/{MARK}-written", f"%n%s{MARK}")
ARGV = ["/bin/touch", f"{MARK}-written", "--json", f"{MARK}-written.json", "--csv",
        f"{MARK}-written.csv", "--screenshot", f"{MARK}-written.png", "--record-frames",
        f"{MARK}-written", "--scene", f"{MARK}.json", "--talk", f"{MARK}.json", *NAMES]
MEMBERS = ("json", "csv", "prometheus", "screenshot", "record-frames", "video", "include", "$ref",
           "command", "scene-file", "talk")
# docs/formats.md: a record of the largest size "may take some 2 GiB, others less".
RECORD_BYTES, RECORD_MIB = 128 << 20, 2048
SCENE_SPHERES, SCENE_MIB = 300_000, 1024
mistakes = 0


def wrong(*words):
    global mistakes
    mistakes += 1
    print("hostile.py:", *words)


def is_instrumented():
    """Returns true for the program of a sanitizer, whose memory is not that of the program."""
    held = Path(PROGRAM).read_bytes()
    return b"__asan_init" in held or b"__tsan_init" in held


def watched():
    """Returns the command that watches a program, or an empty one."""
    watch = ["strace", "-f", "--seccomp-bpf", "-qq", "-e", "trace=%file,%process", "-o",
             str(WORK / "calls")]
    try:
        works = subprocess.run([*watch, "/bin/true"], stderr=subprocess.DEVNULL, check=False)
        if works.returncode == 0:
            return watch
    except FileNotFoundError:
        pass
    print("hostile.py: without strace, only what is left in the folder was checked")
    return []


def run(arguments, watch=()):
    """Runs the program in the folder. Returns exit code, output and the peak of its memory, MiB."""
    environment = {"PATH": "/usr/bin:/bin", "HOME": str(FOLDER),
                   "MESA_SHADER_CACHE_DISABLE": "true", "GCOV_PREFIX": str(WORK / "counts")}
    for name in ("ASAN_OPTIONS", "LSAN_OPTIONS", "UBSAN_OPTIONS", "LD_LIBRARY_PATH"):
        if name in os.environ:
            environment[name] = os.environ[name]
    if watch:  # the leak checker cannot look into a program that strace watches
        environment["ASAN_OPTIONS"] = environment.get("ASAN_OPTIONS", "") + ":detect_leaks=0"
    with open(WORK / "said", "wb") as said:
        process = subprocess.Popen([*watch, PROGRAM, *arguments], cwd=FOLDER, env=environment,
                                   stdin=subprocess.DEVNULL, stdout=said, stderr=said,
                                   preexec_fn=no_overrides.drop)
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    text = (WORK / "said").read_text(encoding="utf-8", errors="replace")
    return process.returncode, text, used.ru_maxrss / 1024


def contents():
    """Returns what is in the folder, and in those that the names lead to."""
    found = {}
    for path in [*FOLDER.rglob("*"), *WORK.glob(f"*{MARK}*"), *Path("/tmp").glob(f"{MARK}*")]:
        status = path.lstat()
        found[str(path)] = (status.st_mode, status.st_mtime_ns,
                            hashlib.sha256(path.read_bytes()).digest() if path.is_file() else 0)
    return found


def hostile(record):
    """Yields names and records that name files: one in members that no reader needs, and unknown
    ones; the others as the scene."""
    def copy():
        return json.loads(json.dumps(record))

    names = " ".join(NAMES)
    told = copy()
    device = told["environment"]["device"]
    for where in (told["environment"], device, device["properties"]):
        for name, value in where.items():
            if isinstance(value, str) and name not in ("backend", "time_utc"):
                where[name] = names
    told["environment"]["argv"] = ARGV
    told["notes"] = list(NAMES)
    for result in told["results"]:
        result["scope"] = names
    for where in (told, told["environment"], told["run"], told["results"][0]):
        where.update((name, NAMES[number % len(NAMES)]) for number, name in enumerate(MEMBERS))
    yield "members", told
    for number, name in enumerate(NAMES[:2]):
        placed = copy()
        placed["state"]["scene"] |= {"kind": "file", "path": name, "count": 1,
                                     "spheres": [[0, 0, 0, 100, 1, 0.5, 0]]}
        placed["environment"]["argv"] = ["spherescope", "--scene", name]
        yield f"scene{number}", placed


def check_calls(name, picture):
    """Checks what strace saw."""
    writes = re.compile(r"\b(open|openat|creat)\(.*(O_WRONLY|O_RDWR|O_CREAT|O_TRUNC)|\bcreat\(")
    changes = re.compile(r"\b(rename|link|symlink|unlink|mkdir|rmdir|mknod|chmod|chown|truncate)"
                         r"(at|at2)?\(")
    calls = (WORK / "calls").read_text(encoding="utf-8", errors="replace").splitlines()
    if sum("execve" in call for call in calls) != 1:
        wrong(f"{name}: has started {[call for call in calls if 'execve' in call][1:]}")
    for call in calls:
        own = re.search(rf'"({picture}|{WORK}/\.spherescope-\d+-\d+\.tmp|{WORK}/counts|'
                        r"/(dev|proc|sys)/)", call)
        if MARK in call.replace(str(FOLDER), ""):
            wrong(f"{name}: has opened what a member names: {call}")
        elif (writes.search(call) or changes.search(call)) and not own:
            wrong(f"{name}: writes: {call}")


def check(name, arguments, watch, draws):
    """Runs the program over an input and checks what it has done."""
    picture = WORK / "shown.png"
    before = contents()
    if draws:
        arguments = [*arguments, "--screenshot", str(picture)]
    code, text, _ = run(arguments, watch)
    if code != 0:
        wrong(f"{name}: exit {code}: {text[-300:]}")
    if draws and not picture.exists():
        wrong(f"{name}: no picture")
    if contents() != before:
        wrong(f"{name}: has changed {set(contents().items()) ^ set(before.items())}")
    if watch:
        check_calls(name, picture)
    picture.unlink(missing_ok=True)


def write(path, before, after, entry, count):
    """Writes a JSON text with an array of equal entries."""
    with path.open("w", encoding="ascii") as file:
        file.write(before + entry)
        for _ in range(count - 1):
            file.write("," + entry)
        file.write("]" + after)


def check_memory():
    """The largest files of their kinds take no more memory than the documentation says."""
    if is_instrumented():
        return
    record = json.loads((WORK / "base.json").read_text(encoding="utf-8"))
    results, count = 2000, 4000  # nearly as many values, with their commas, as are allowed
    (result,) = record["results"]
    result["processes"][0]["samples_ms"] = ["samples"]
    record["results"] = ["results"]
    frame, text = (json.dumps(part, separators=(",", ":")) for part in (record, result))
    number = "1.25,".rjust(((RECORD_BYTES - len(frame)) // results - len(text) - 1) // count)
    text = text.replace('"samples"', (number * count)[:-1])
    large, scene = WORK / "large.json", WORK / "scene.json"
    write(large, *frame.split('"results"]'), text, results)
    write(scene, '{"schema":"spherescope-scene-1","spheres":[', "}",
          '{"center":[1.5,2.5,3.5],"radius":4.5,"color":[0.25,0.5,1]}', SCENE_SPHERES)
    for path, most_mib, arguments in (
            (large, RECORD_MIB, ["--compare", str(large), str(WORK / "base.json")]),
            (scene, SCENE_MIB, ["--scene", str(scene), "--bench", "raytrace", "--processes", "1",
                                *QUICK])):
        code, told, peak = run(arguments)
        print(f"hostile.py: {path.name} of {path.stat().st_size >> 20} MiB takes {peak:.0f} MiB")
        if code != 0 or peak > most_mib:
            wrong(f"{path.name}: exit {code}, {peak:.0f} MiB: {told[-300:]}")
        path.unlink()


def main():
    FOLDER.mkdir()
    base = WORK / "base.json"
    code, text, _ = run([*QUICK, "--bench", "raytrace", "--processes", "1", "--json", str(base)])
    picture = WORK / "base.png"
    draws = "SPHERESCOPE_GUI=OFF" not in run(["--info"])[1]
    if draws:
        code, text, _ = run([*QUICK, *SHOWN, "--screenshot", str(picture)])
    if code != 0:
        wrong(f"exit {code}: {text}")
    record = json.loads(base.read_text(encoding="utf-8"))
    # What the members name is there.
    for path in (FOLDER / f"{MARK}.json", WORK / f"{MARK}.json"):
        path.write_text('{"schema": "spherescope-scene-1", "spheres": [{"center": [0, 0, 0], '
                        '"radius": 9, "color": [1, 1, 1]}]}', encoding="ascii")
    inputs = {}
    for name, changed in hostile(record):
        inputs[name] = WORK / f"{name}.json"
        inputs[name].write_text(json.dumps(changed), encoding="ascii")
        if draws:
            (WORK / f"{name}.png").write_bytes(png_record.replace(
                picture.read_bytes(), json.dumps(changed)))
    FOLDER.chmod(0o555)
    watch = watched()
    for name, path in inputs.items():
        check(f"--compare {name}", ["--compare", str(path), str(base)], watch, False)
        if not draws:
            continue
        check(f"--play {name}", ["--play", str(path), *QUICK, *SHOWN], watch, True)
        for file in (path, path.with_suffix(".png"))[name != "members":]:
            check(f"--replay {file.name}", ["--replay", str(file), "--offscreen", "--frames", "2",
                                            "--seconds", "0.2"], watch, True)
    FOLDER.chmod(0o755)
    check_memory()
    return 1 if mistakes else 0


sys.exit(main())
