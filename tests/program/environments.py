#!/usr/bin/env python3
"""The same command lines in unusual environments: other working folders, without HOME, in locales
with a decimal comma, without fonts, without OpenGL, with closed streams.

Usage: environments.py SOURCE_DIR LIBRARY      the program is $SPHERESCOPE

LIBRARY is own_locale.c, which sets the environment's locale inside the program. What the program
prints does not depend on the environment, numbers in files have a decimal point, and the questions
(--help, --version, --list-devices, --info) are always answered; soon, where TEST_TIMING is set.

Exit code 77: all of this holds, but there was no locale with a decimal comma. In continuous
integration, which sets CI, that is a mistake.
"""
import csv
import json
import os
import re
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "support"))
import no_overrides  # noqa: E402

ROOT, LIBRARY = Path(sys.argv[1]), sys.argv[2]
PROGRAM = os.environ["SPHERESCOPE"]
QUESTIONS = ("--help", "--version", "--list-devices", "--info")
MEASURE = ["--backend", "cpu", "--bench", "raytrace", "--processes", "1", "--frames", "3",
           "--size", "33x31", "--zoom", "1.5", "--band", "0.5", "--modes", "book/global"]
PICTURE = ["--backend", "cpu", "--offscreen", "--size", "33x31", "--frames", "2", "--seconds", "10",
           "--window", "320x180", "--zoom", "0.25", "--modes", "book/global"]
SANITIZER = "verify_asan_link_order=0:" + os.environ.get("ASAN_OPTIONS", "")
ANSWER_CPU_S = 1.0 if "TEST_TIMING" in os.environ else float("inf")
cases = mistakes = 0
commas = 0  # locales with a decimal comma


def wrong(*words):
    global mistakes
    mistakes += 1
    print("environments.py:", *words)


def run(arguments, place):
    """Runs the program in a place: its folder, variables, closed streams and user."""
    global cases
    cases += 1

    def prepare():
        if place.get("unprivileged"):
            no_overrides.drop()
        for stream in place.get("closed", ()):
            os.close(stream)

    folder = place.get("cwd", WORK)
    command = [PROGRAM, *arguments]
    if place.get("deleted"):
        folder = Path(tempfile.mkdtemp(dir=WORK))
        command = ["/bin/sh", "-c", 'rmdir "$PWD" && exec "$@"', "sh", *command]
    ended = subprocess.run(command, cwd=folder, env=place["env"], stdin=subprocess.DEVNULL,
                           capture_output=True, text=True, timeout=600, preexec_fn=prepare,
                           check=False)
    return ended.returncode, ended.stdout, ended.stderr


def places():
    """Yields a name and a place for each environment."""
    none = {"ASAN_OPTIONS": SANITIZER}  # and where the driver is
    for name in ("LSAN_OPTIONS", "UBSAN_OPTIONS", "CUDA_VISIBLE_DEVICES", "LD_LIBRARY_PATH"):
        if name in os.environ:
            none[name] = os.environ[name]
    plain = none | {"PATH": "/usr/bin:/bin", "HOME": str(WORK)}
    closed, file = WORK / "closed", WORK / "file"
    closed.mkdir(mode=0o555)
    file.write_text("no folder", encoding="ascii")
    yield "the plain one", {"env": plain}
    yield "the root folder", {"env": plain, "cwd": "/"}
    yield "a deleted folder", {"env": plain, "deleted": True}
    yield "a folder without permission", {"env": plain, "cwd": closed, "unprivileged": True}
    yield "no variables at all", {"env": none}
    yield "no HOME", {"env": {n: v for n, v in plain.items() if n != "HOME"}}
    for home in ("", "relative", "/nonexistent", str(file)):
        yield f"HOME={home}", {"env": plain | {"HOME": home}}
    yield "a HOME without permission", {"env": plain | {"HOME": str(closed)}, "unprivileged": True}
    yield "a display that refuses", {"env": plain | {"DISPLAY": ":987"}}
    yield "no fontconfig", {"env": plain | {"FONTCONFIG_FILE": "/nonexistent",
                                            "FONTCONFIG_PATH": "/nonexistent"}}
    yield "closed stdin", {"env": plain, "closed": (0,)}
    yield "closed stderr", {"env": plain, "closed": (2,)}
    for name in ["nowhere.UTF-8"] + comma_locale():
        yield f"LC_ALL={name}", {"env": plain | {
            "LC_ALL": name, "LOCPATH": str(WORK / "locales"), "LD_PRELOAD": LIBRARY}}


def comma_locale():
    """Builds a locale with a decimal comma; an empty list where its sources are not installed."""
    global commas
    (WORK / "locales").mkdir()
    made = WORK / "locales" / "de_DE.UTF-8"
    try:
        built = subprocess.run(["localedef", "-i", "de_DE", "-f", "UTF-8", made], check=False,
                               capture_output=True, text=True).stderr.strip()
    except FileNotFoundError:
        built = "localedef is not installed"
    if not made.exists():
        reason = f"no locale with a decimal comma was tried (Debian's package locales): {built}"
        if os.environ.get("CI"):
            wrong(reason)
        else:
            print("environments.py:", reason)
        return []
    # Without a comma here, the environment would test nothing.
    script = ("import locale; locale.setlocale(locale.LC_ALL, '');"
              "print(locale.localeconv()['decimal_point'])")
    shown = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True,
                           env={"LC_ALL": "de_DE.UTF-8", "LOCPATH": str(WORK / "locales")},
                           check=True)
    if shown.stdout.strip() != ",":
        wrong("the locale that was built has no decimal comma")
    commas = 1
    return ["de_DE.UTF-8"]


def cpu_s():
    """Returns the CPU time of all programs that have ended: others hardly change it."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def masked(text):
    """Returns what --info prints, without a GPU's clocks, power and temperature of the moment, and
    without the step that was seen of OpenGL's time stamps."""
    return re.sub(r"^  (driver|stampTick) .*$", r"  \1", text, flags=re.M)


def check_questions(name, place, answers):
    """Checks that the questions have the same answers as in the plain environment."""
    for question in QUESTIONS:
        before = cpu_s()
        code, out, err = run([question], place)
        if code != 0 or not out or cpu_s() - before > ANSWER_CPU_S:
            wrong(f"{name}: {question}: exit {code} after {cpu_s() - before:.2f} s, {err!r}")
        expected = answers.setdefault(question, masked(out))
        if masked(out) != expected:
            wrong(f"{name}: {question}: another answer: {first_difference(out, expected)}")


def first_difference(out, expected):
    for a, b in zip(masked(out).splitlines(), expected.splitlines()):
        if a != b:
            return f"{a!r}, not {b!r}"
    return "of another length"


def check_numbers(name, place, number):
    """Measures into JSON and CSV: decimal points in both, and in the tables."""
    names = [f"{SHARED}/{number}.json", f"{SHARED}/{number}.csv"]
    code, out, err = run([*MEASURE, "--scene", SCENE, "--json", names[0], "--csv", names[1]], place)
    if code != 0 or "book/global" not in out:
        wrong(f"{name}: measuring: exit {code}, {err!r}")
        return
    record = json.loads(Path(names[0]).read_text(encoding="utf-8"))
    assert record["complete"] and record["results"], record
    rows = list(csv.DictReader(open(names[1], encoding="utf-8", newline="")))
    for row in rows:
        if not float(row["median_ms"]) > 0 or float(row["zoom"] or 1.5) != 1.5 or None in row:
            wrong(f"{name}: CSV: {row}")
    if re.search(r"\d,\d", out) or re.search(r"\d,\d", err):
        wrong(f"{name}: a decimal comma in the tables: {out!r}, {err!r}")
    code, out, err = run(["--compare", names[0], names[0]], place)
    if code != 0 or re.search(r"\d,\d", out):
        wrong(f"{name}: comparing: exit {code}, {out!r}, {err!r}")


def check_picture(name, place, number, pictures):
    """Draws: the same pixels everywhere."""
    path = f"{SHARED}/{number}.png"
    code, out, err = run([*PICTURE, "--hud", "off", "--screenshot", path], place)
    if code != 0 or "book/global" not in out:
        wrong(f"{name}: drawing: exit {code}, {err!r}")
        return
    pictures.append(path)
    same = subprocess.run([sys.executable, ROOT / "tests/support/png_same.py", pictures[0], path],
                          capture_output=True, text=True, check=False)
    if same.returncode != 0:
        wrong(f"{name}: another picture: {same.stdout}{same.stderr}")


def check_no_opengl(plain):
    """Without OpenGL's drivers: the table alone, unless a picture is asked for by name."""
    place = {"env": plain | {"__EGL_VENDOR_LIBRARY_DIRS": "/nonexistent"}}
    if not re.search(r"^OpenGL: There is no OpenGL", run(["--info"], place)[1], re.M):
        print("environments.py: OpenGL's drivers cannot be hidden here: not tried without them")
        return
    quick = ["--backend", "cpu", "--size", "16x16", "--frames", "2", "--seconds", "10"]
    picture = WORK / "no.png"
    for arguments, expected, says in (
            (quick, 0, "printing the table alone"), (PICTURE, 4, "There is no OpenGL"),
            ([*quick, "--screenshot", str(picture)], 4, "There is no OpenGL"), (MEASURE, 0, "")):
        code, out, err = run(arguments, place)
        if code != expected or ("book/global" in out) != (expected == 0) or says not in err:
            wrong(f"no OpenGL: {arguments}: exit {code}, {out!r}, {err!r}")
    if picture.exists():
        wrong("no OpenGL: there is a picture")


def main():
    answers, pictures = {}, []
    draws = "SPHERESCOPE_GUI=OFF" not in run(["--info"], {"env": dict(os.environ)})[1]
    for number, (name, place) in enumerate(places()):
        check_questions(name, place, answers)
        if name.startswith(("LC_ALL=de", "the plain", "no variables", "a deleted")):
            check_numbers(name, place, number)
        if draws and name.startswith(("the plain", "no font", "LC_ALL=de")):
            check_picture(name, place, number, pictures)
        if draws and name == "the plain one":
            check_no_opengl(place["env"])
    print(f"environments.py: {cases} runs, {mistakes} mistakes")
    sys.exit(1 if mistakes else 0 if commas else 77)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as top:
        WORK = Path(top)
        WORK.chmod(0o755)
        SHARED = WORK / "shared"
        SHARED.mkdir()
        SHARED.chmod(0o777)
        SCENE = str(WORK / "scene.json")
        Path(SCENE).write_text(json.dumps({"schema": "spherescope-scene-1", "spheres": [
            {"center": [0.5, -1.25, 0], "radius": 100.5, "color": [0.25, 0.5, 0.75]}]}),
            encoding="ascii")
        main()
