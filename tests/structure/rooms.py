#!/usr/bin/env python3
"""rooms.py SOURCE_DIR [BUILD_DIR]: checks the dependencies between the folders of the code.

A room is a folder. The table below names every room, its purpose and the rooms that it may use. The
checks compare it with the includes of the sources and, with BUILD_DIR, with the symbols of the object
files. They also report every cycle of files, through includes or through symbols; and members of
results that nobody uses.
"""
import os
import re
import subprocess
import sys
from fnmatch import fnmatch

# Every folder of app/ may use, besides the rooms in its entry, the public headers of render and
# kernels and the functions of kernels. Only the rooms that draw may call functions of render.
APP = ["render/include", "kernels/include", "kernels", "kernels/*"]
DRAWS = APP + ["render", "render/*"]

# room: (purpose, rooms that it may use)
ROOMS = {
    "app/base": ("text, numbers, time and files; knows no spheres", APP),
    "app/table": ("tables of text cells, printed as plain text or as Markdown",
                  APP + ["app/base"]),
    "app/subjects": ("the list of what the spotlight can show: topics, claims, plots", APP + ["app/claims"]),
    "app/command": ("everything that a key or an option can change, as pure functions",
                    APP + ["app/base", "app/subjects"]),
    "app/judge": ("turns samples into metrics, reasons and verdicts, as pure functions",
                  APP + ["app/base"]),
    "app/ui": ("one chart, described by values and drawn with any pen, and the pen of SVG",
               APP + ["app/base"]),
    "app/topics": ("one descriptor per measured topic, its picture, and the texts that it comes from",
                   APP + ["app/base", "app/judge", "app/ui"]),
    "app/claims": ("the claims board: published claims, and the rules that judge them",
                   APP + ["app/base", "app/judge", "app/topics"]),
    "app/model": ("what a run measured, as one structure: adds results, sums up processes, rebuilds probes, times over a size",
                  APP + ["app/base", "app/subjects", "app/command", "app/judge"]),
    "app/io": ("records as files: JSON, which is read again, CSV and Prometheus",
               APP + ["app/base", "app/subjects", "app/command", "app/judge", "app/model"]),
    "app/compare": ("compares records",
                    APP + ["app/base", "app/table", "app/command", "app/judge", "app/model", "app/io"]),
    "app/print": ("prints a results record as tables",
                   APP + ["app/base", "app/table", "app/command", "app/judge", "app/topics",
                          "app/model"]),
    "app/scenes": ("reads scenes from files: JSON, tables and molecules",
                   APP + ["app/base"]),
    "app/engine": ("turns the state into launches and collects their times",
                   APP + ["app/base", "app/scenes", "app/command", "app/judge"]),
    "app/measure": ("decides what is measured next and when a measurement ends",
                    APP + ["app/base", "app/command", "app/judge", "app/topics", "app/claims", "app/model", "app/engine"]),
    "app/recorded": ("recorded runs: the numbers of a device that is not here, from its records",
                     APP + ["app/base", "app/places", "app/command", "app/judge", "app/topics", "app/claims", "app/model", "app/io",
                            "app/engine", "app/measure"]),
    "app/heat": ("the heat map of the picture on screen: when it is found again, and its scale",
                 APP + ["app/base", "app/command", "app/judge", "app/engine"]),
    "app/anatomy": ("the phases of frames on CPU and GPU: collects them, and sums them up",
                    APP + ["app/base"]),
    "app/talk": ("talks: reads them, enters their steps, compares guesses with measurements; pure but for reading",
                 APP + ["app/base", "app/places", "app/command", "app/judge", "app/topics", "app/claims"]),
    "app/report": ("turns measurements into records and files",
                   APP + ["app/base", "app/command", "app/judge", "app/topics", "app/claims", "app/model", "app/io",
                          "app/engine", "app/measure", "app/recorded", "app/anatomy"]),
    "app/bench": ("runs without pictures: benchmarks, sweeps, listings",
                  APP + ["app/base", "app/command", "app/judge", "app/topics", "app/claims", "app/model", "app/compare",
                         "app/print", "app/engine", "app/measure", "app/recorded", "app/report"]),
    "app/replay": ("renders the picture of a record again and compares picture and times",
                   APP + ["app/base", "app/table", "app/command", "app/judge", "app/model", "app/io",
                          "app/engine", "app/report"]),
    "app/info": ("lists the machine, its devices, their properties and their kernels",
                 APP + ["app/base", "app/table", "app/model", "app/io"]),
    "app/places": ("finds the program's assets and the user's folders, and keeps the settings",
                   APP + ["app/base", "app/command"]),
    "app/manual": ("writes the manual page and the completions of shells from the command table",
                   APP + ["app/base", "app/command"]),
    "app/hud": ("everything drawn over and beside the picture",
                DRAWS + ["app/base", "app/ui", "app/subjects", "app/command", "app/judge", "app/topics", "app/claims",
                         "app/engine", "app/measure", "app/recorded", "app/heat", "app/anatomy",
                         "app/talk", "app/info", "app/model", "app/hud/anatomy", "app/hud/help", "app/hud/pages",
                         "app/hud/qr", "app/hud/spotlight",
                         "app/hud/story", "app/hud/talk"]),
    "app/hud/help": ("the pages of the help screen: keys, words, formulas, verdicts",
                     DRAWS + ["app/base", "app/command", "app/judge", "app/topics", "app/claims", "app/engine",
                              "app/measure", "app/recorded", "app/hud", "app/hud/pages"]),
    "app/hud/pages": ("the pages of panels: what is on each, where it is, and the claims board",
                      DRAWS + ["app/base", "app/command", "app/judge", "app/topics", "app/claims", "app/engine",
                               "app/measure", "app/recorded", "app/hud"]),
    "app/hud/qr": ("the numbers on screen as a QR code",
                   DRAWS + ["app/base", "app/command", "app/judge", "app/engine", "app/measure",
                            "app/hud"]),
    "app/hud/spotlight": ("draws one subject large enough for the last row, with what a text claims about it",
                          DRAWS + ["app/base", "app/subjects", "app/command", "app/judge", "app/topics", "app/claims", "app/engine",
                                   "app/measure", "app/recorded", "app/anatomy", "app/hud",
                                   "app/hud/anatomy", "app/hud/pages",
                                   "app/hud/story"]),
    "app/hud/story": ("draws times over a size: the story plot, and the plot of a sweep's record",
                      DRAWS + ["app/base", "app/command", "app/judge", "app/topics", "app/claims", "app/model", "app/engine",
                               "app/measure", "app/recorded", "app/hud"]),
    "app/capture": ("records frames as PNG files and as a video",
                    DRAWS + ["app/base", "app/command"]),
    "app/hud/anatomy": ("draws the frame anatomy",
                        DRAWS + ["app/base", "app/command", "app/judge", "app/anatomy", "app/hud"]),
    "app/window": ("the window, its frame loop, and pictures without a window",
                   DRAWS + ["app/base", "app/places", "app/command", "app/judge", "app/topics", "app/claims", "app/model", "app/io",
                            "app/print", "app/engine", "app/measure", "app/recorded", "app/anatomy", "app/heat",
                            "app/report", "app/bench", "app/hud", "app/hud/qr", "app/hud/story", "app/hud/talk", "app/talk",
                            "app/window/talk", "app/capture"]),
    "app/hud/talk": ("draws what a talk's step says, and what was guessed and measured",
                     DRAWS + ["app/base", "app/command", "app/judge", "app/topics", "app/claims", "app/talk",
                              "app/hud"]),
    "app/window/talk": ("a talk in a session, its check, the presenter's view, and the display kept awake",
                        DRAWS + ["app/base", "app/subjects", "app/command", "app/judge", "app/topics", "app/claims", "app/model", "app/io",
                                 "app/engine", "app/measure", "app/recorded", "app/talk", "app/report",
                                 "app/bench", "app/hud", "app/hud/talk", "app/window"]),
    "app": ("main: opens the engine, starts the kind of run, returns an exit code", APP + ["app/*"]),

    "render/include": ("the public headers of render", ["kernels/include"]),
    "render/gl": ("OpenGL: its functions, checked calls, programs, contexts without a display",
                  ["render/include", "kernels/include", "kernels/*"]),
    "render/text": ("turns characters into distance fields in one texture",
                    ["render/include", "render/gl", "kernels/include", "kernels/*"]),
    "render": ("pixels, text and plots in an OpenGL context",
               ["render/*", "kernels/include", "kernels/*"]),

    "kernels/include": ("the public headers of kernels", []),
    "kernels/core/base": ("errors as values, and the clock", ["kernels/include"]),
    "kernels/core/stats": ("statistics of samples", ["kernels/include", "kernels/core/base"]),
    "kernels/core/trace": ("the mathematics of a pixel, modes, scenes and tiles, for both backends",
                           ["kernels/include", "kernels/core/base"]),
    "kernels/core/light": ("the mathematics of a ray of the light view, what its rays share, and the reference that checks them",
                           ["kernels/include", "kernels/core/base", "kernels/core/trace"]),
    "kernels/core/device": ("the interface that every backend implements",
                            ["kernels/include", "kernels/core/base", "kernels/core/light",
                             "kernels/core/trace"]),
    "kernels/core/telemetry": ("clocks, power and temperature",
                               ["kernels/include", "kernels/core/base"]),
    "kernels/core/inject": ("makes calls and pictures fail on purpose, for tests",
                            ["kernels/include", "kernels/core/base", "kernels/core/device",
                             "kernels/core/trace"]),
    "kernels/core/probes": ("the interface that every backend's probes implement",
                            ["kernels/include", "kernels/core/base", "kernels/core/device",
                             "kernels/core/trace"]),
    "kernels/core/published": ("repeats published timings, on any backend",
                               ["kernels/include", "kernels/core/base", "kernels/core/device",
                                "kernels/core/stats", "kernels/core/trace"]),
    "kernels/cpu/runtime": ("the CPU backend's threads",
                            ["kernels/include", "kernels/core/*"]),
    "kernels/cpu/trace": ("the CPU's ray tracer",
                          ["kernels/include", "kernels/core/*", "kernels/cpu/runtime"]),
    "kernels/cpu/light": ("the CPU's kernels of the light view",
                          ["kernels/include", "kernels/core/*", "kernels/cpu/runtime",
                           "kernels/cpu/trace"]),
    "kernels/cpu/heat": ("counts the sphere tests of each pixel on the CPU",
                         ["kernels/include", "kernels/core/*", "kernels/cpu/runtime",
                          "kernels/cpu/trace"]),
    "kernels/cpu/probes": ("allocates, runs, times and checks the CPU's probes",
                           ["kernels/include", "kernels/core/*", "kernels/cpu/runtime",
                            "kernels/cpu/trace", "kernels/cpu/probes/topics"]),
    "kernels/cpu/probes/topics": ("one descriptor per measured topic",
                                  ["kernels/include", "kernels/core/*", "kernels/cpu/runtime",
                                   "kernels/cpu/trace", "kernels/cpu/probes"]),
    "kernels/cpu/device": ("the CPU backend",
                           ["kernels/include", "kernels/core/*", "kernels/cpu/*"]),
    "kernels/cuda/runtime": ("checked CUDA calls, the timer, and untimed kernels",
                             ["kernels/include", "kernels/core/*"]),
    "kernels/cuda/trace": ("the CUDA ray tracer",
                           ["kernels/include", "kernels/core/*", "kernels/cuda/runtime"]),
    "kernels/cuda/light": ("the light view on a GPU: every ray against every sphere, and a tree built in every frame",
                           ["kernels/include", "kernels/core/*", "kernels/cuda/runtime",
                            "kernels/cuda/trace"]),
    "kernels/cuda/heat": ("what each pixel costs on a GPU, summed up and coloured",
                          ["kernels/include", "kernels/core/*", "kernels/cuda/runtime",
                           "kernels/cuda/trace", "kernels/cuda/light"]),
    "kernels/cuda/probes": ("allocates, starts, times and checks the CUDA probes",
                            ["kernels/include", "kernels/core/*", "kernels/cuda/runtime",
                             "kernels/cuda/probes/topics"]),
    "kernels/cuda/probes/topics": ("one descriptor per measured topic",
                                   ["kernels/include", "kernels/core/*", "kernels/cuda/runtime",
                                    "kernels/cuda/trace", "kernels/cuda/light",
                                    "kernels/cuda/probes", "kernels/cuda/probes/kernels",
                                    "kernels/cuda/published"]),
    "kernels/cuda/probes/kernels": ("the kernels of the measured topics",
                                    ["kernels/include", "kernels/core/*", "kernels/cuda/runtime",
                                     "kernels/cuda/trace", "kernels/cuda/light",
                                     "kernels/cuda/probes"]),
    "kernels/cuda/published": ("published CUDA programs",
                               ["kernels/include", "kernels/core/*", "kernels/cuda/runtime",
                                "kernels/cuda/trace"]),
    "kernels/cuda/device": ("the CUDA backend",
                            ["kernels/include", "kernels/core/*", "kernels/cuda/*"]),
    "kernels": ("the table of backends",
                ["kernels/include", "kernels/core/*", "kernels/cpu/device",
                 "kernels/cuda/device", "kernels/cuda/published"]),
}

# The folders that an include in quotes may name, by the first folders of the including file.
ROOTS = {
    "app": ["app", "render/include", "kernels/include"],
    "render/include": ["render/include", "kernels/include"],
    "render": ["render", "render/include", "kernels/include"],
    "kernels/include": ["kernels/include"],
    "kernels": ["kernels", "kernels/include"],
}
GENERATED = {"app_version.h"}

# Includes in angle brackets, and the files that may have them.
FOREIGN = [
    (r"GLFW/", ["app/window/*"]),
    (r"jansson\.h", ["app/base/*", "app/io/*", "app/scenes/*",
                     "app/info/*", "qrencode\.h", "app/hud/qr/*", "app/talk/*"]),
    (r"zlib\.h", ["app/base/files.c"]),
    (r"GL/", ["render/*"]),
    (r"EGL/", ["render/*"]),
    (r"(png|ft2build|freetype/.*|fontconfig/.*)(\.h)?$", ["render/*"]),
    (r"cuda_gl_interop", ["render/interop_cuda.c"]),
    (r"(cuda|cub/|nvml|nvtx|device_launch|curand)", ["kernels/cuda/*", "render/interop_cuda.c"]),
    (r"omp\.h", ["kernels/cpu/*"]),
]
ONE_FILE = ["GLFW/", "EGL/"]  # each included by exactly one file

PREFIX = {"kernels": "krn_", "render": "ren_", "app": "app_"}
# Names that the CUDA compiler and the sanitizers give to symbols local to a file.
COMPILERS_OWN = re.compile(
    r"^(__odr_asan|__device_stub__|__fatbin|__cuda|__sti|__nv|\(anonymous namespace\)::|_GLOBAL_)")

INCLUDE = re.compile(r'^\s*#\s*include\s*(?:"([^"]+)"|<([^>]+)>)')
OPENMP = re.compile(r"^\s*#\s*pragma\s+omp\b")

problems = []


def fail(text):
    problems.append(text)


def matches(name, patterns):
    return any(fnmatch(name, pattern) for pattern in patterns)


def room_of(path):
    """Returns the room of a file: its folder, or the include folder above it."""
    folder = os.path.dirname(path)
    for include in ("kernels/include", "render/include"):
        if folder == include or folder.startswith(include + "/"):
            return include
    return folder


def module_of(path):
    """Returns the module of a file. A .c, .cu and .h of one name in one folder are one module; device
    code that several .cu files share, in a .cuh, is a module of its own.
    """
    return path if path.endswith(".cuh") else os.path.splitext(path)[0]


def may_use(user, used):
    return user == used or (user in ROOMS and matches(used, ROOMS[user][1]))


def sources(root):
    found = []
    for top in ("app", "render", "kernels"):
        for folder, _, names in os.walk(os.path.join(root, top)):
            for name in names:
                if re.search(r"\.(c|h|cu|cuh|inc)$", name):
                    found.append(os.path.relpath(os.path.join(folder, name), root))
    return sorted(found)


def check_includes(root, files):
    """Checks the includes between rooms and of foreign headers; returns the edges between modules."""
    known = set(files)
    edges = {}
    users = {api: set() for api in ONE_FILE}
    for path in files:
        room = room_of(path)
        if room not in ROOMS:
            fail(f"{path}: the folder {room} is not in the table of tests/structure/rooms.py")
            continue
        roots = next(r for prefix, r in ROOTS.items() if path.startswith(prefix + "/"))
        with open(os.path.join(root, path), encoding="utf-8") as file:
            lines = file.read().splitlines()
        for number, line in enumerate(lines, 1):
            if OPENMP.match(line) and not path.startswith("kernels/cpu/"):
                fail(f"{path}:{number}: OpenMP belongs in kernels/cpu/ only")
            include = INCLUDE.match(line)
            if not include:
                continue
            quoted, angled = include.groups()
            if quoted:
                if quoted in GENERATED:
                    continue
                found = [r + "/" + quoted for r in roots
                         if ".." not in quoted.split("/") and r + "/" + quoted in known]
                if not found:
                    fail(f'{path}:{number}: {room} cannot include "{quoted}"')
                    continue
                used = room_of(found[0])
                if not may_use(room, used):
                    fail(f'{path}:{number}: {room} must not use {used} ("{quoted}")')
                if not used.endswith("/include"):
                    edges.setdefault((module_of(path), module_of(found[0])),
                                     f'{path} includes "{quoted}"')
            else:
                for pattern, where in FOREIGN:
                    if re.match(pattern, angled):
                        if not matches(path, where):
                            fail(f"{path}:{number}: <{angled}> belongs in {' '.join(where)} only")
                        break
                for api in ONE_FILE:
                    if angled.startswith(api):
                        users[api].add(path)
    for api, paths in users.items():
        if len(paths) != 1:
            fail(f"{api} is included by {len(paths)} files, not by one: {' '.join(sorted(paths))}")
    return edges


def objects(build, known):
    """Yields (object file, source) for every object compiled from a known source."""
    for folder, _, names in os.walk(build):
        inside = os.path.relpath(folder, build).split(os.sep)
        if inside[0] not in PREFIX or "CMakeFiles" not in inside:
            continue
        at = inside.index("CMakeFiles")
        for name in names:
            if not name.endswith(".o") or at + 1 >= len(inside):
                continue
            source = "/".join(inside[:at] + inside[at + 2:] + [name[:-2]])
            # A build folder keeps the objects of deleted files.
            if source in known:
                yield os.path.join(folder, name), source


def symbols(paths, demangle):
    """Returns for each object file the names that it defines and those that it needs."""
    found = {path: (set(), set()) for path in paths}
    # One call for all, because starting nm takes longer than a file.
    out = subprocess.run(["nm", "-gAC" if demangle else "-gA", *paths], stdout=subprocess.PIPE,
                         stderr=subprocess.DEVNULL, universal_newlines=True, check=False).stdout
    for line in out.splitlines():
        parts = re.match(r"^(.*?\.o):(?:[0-9a-fA-F]+)?\s+([A-Za-z])\s(.*)$", line)
        if not parts:
            continue
        path, kind, name = parts.groups()
        if kind == "U":
            found[path][1].add(name)
        elif kind in "TDBRC":
            found[path][0].add(name)
    return found


def check_symbols(build, files):
    """Checks the prefixes and the users of the symbols; returns the edges between modules."""
    compiled = dict(objects(build, set(files)))
    spelled, linked = symbols(compiled, True), symbols(compiled, False)
    owner, needs, checked = {}, {}, 0
    for path, source in compiled.items():
        top = source.split("/")[0]
        for name in spelled[path][0]:
            checked += 1
            bare = re.split(r"[(<]", name)[0].split(" ")[-1]
            if COMPILERS_OWN.match(name) or (top == "app" and name == "main"):
                continue
            if not bare.startswith(PREFIX[top]):
                fail(f"{source}: the name {name} does not start with {PREFIX[top]}")
        defined, needed = linked[path]
        for name in defined:
            owner[name] = source
        needs.setdefault(source, set()).update(needed)
    edges = {}
    for source, names in sorted(needs.items()):
        for name in sorted(names):
            if name not in owner or owner[name] == source:
                continue
            used = owner[name]
            edges.setdefault((module_of(source), module_of(used)), f"{source} needs {name} of {used}")
            if not may_use(room_of(source), room_of(used)):
                fail(f"{source}: {room_of(source)} must not use {room_of(used)} ({name} of {used})")
    if checked == 0:
        fail(f"no symbols found in {build}")
    return edges, checked


def check_cycles(edges, kind):
    """Reports every cycle of modules once, by its shortest path."""
    after = {}
    for a, b in edges:
        if a != b:
            after.setdefault(a, []).append(b)
    reported = set()
    for start in sorted(after):
        if start in reported:
            continue
        way, queue = {start: None}, [start]
        end = None
        while queue and end is None:
            here = queue.pop(0)
            for there in sorted(after.get(here, [])):
                if there == start:
                    end = here
                    break
                if there not in way:
                    way[there] = here
                    queue.append(there)
        if end is None:
            continue
        cycle = []
        while end is not None:
            cycle.insert(0, end)
            end = way[end]
        reported.update(cycle)
        fail(f"a cycle of {kind}: " + "; ".join(
            edges[(a, b)] for a, b in zip(cycle, cycle[1:] + cycle[:1])))


def check_members(root, files):
    """Reports members of results that nobody writes or reads by name. Side B of a duel goes by the name
    of side A, and the items of the book's window by that of the first."""
    text = {f: open(os.path.join(root, f), encoding="utf-8").read() for f in files if f.endswith(".c")}
    used = set(re.findall(r"\bAPP_[WPOM]_\w+", "".join(text.values())))
    with open(os.path.join(root, "app/model/members.h"), encoding="utf-8") as table:
        rows = re.findall(r'\b(?:X\(([WPO]), (\w+)|M\((\w+)), "(.*)', table.read())
    for place, other, metric, rest in rows:
        name = f"APP_{place or 'M'}_{other or metric}"
        if "item of the window" in rest:
            name = "APP_M_HOST_ALLOC_MS"
        if name not in used and re.sub(r"_B(_|$)", r"_A\1", name) not in used:
            fail(f"app/model/members.h: nobody writes or reads {name}")
    if not rows:
        fail("app/model/members.h: no members found")


def main():
    if len(sys.argv) not in (2, 3):
        print(__doc__)
        return 2
    root = sys.argv[1]
    files = sources(root)
    if not files:
        fail("no source files found: is this the checkout?")
    edges = check_includes(root, files)
    check_members(root, files)
    checked = 0
    if len(sys.argv) == 3:
        linked, checked = check_symbols(sys.argv[2], files)
        for edge, why in linked.items():
            edges.setdefault(edge, why)
    check_cycles(edges, "includes and symbols" if checked else "includes")
    for text in problems:
        print(text)
    print(f"{len(files)} files, {len({room_of(f) for f in files})} rooms, {len(edges)} arrows between "
          f"modules, {checked} symbols: {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
