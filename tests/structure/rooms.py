#!/usr/bin/env python3
"""rooms.py SOURCE_DIR [BUILD_DIR]: checks the dependencies between the folders of the code.

A room is a folder. The table below names every room, its floor and its purpose. The checks compare
it with the includes of the sources and, with BUILD_DIR, with the symbols of the object
files. They also report every cycle of files, through includes or through symbols; members of
results that nobody uses; and sources that do not open with a comment.
"""
import os
import re
import subprocess
import sys
from fnmatch import fnmatch

# room: (floor, purpose). A room may use the rooms of lower floors; the folders of a backend's probes may
# use each other. The exceptions follow.
ROOMS = {
    "kernels/include": (0, "the public headers of kernels"),
    "render/include": (1, "the public headers of render"),
    "kernels/core/base": (1, "errors as values, calls that fail on purpose, small allocations, the clock"),
    "kernels/core/stats": (2, "statistics of samples"),
    "kernels/core/trace": (2, "the mathematics of a pixel, modes, scenes and tiles"),
    "kernels/core/telemetry": (2, "clocks, power and temperature"),
    "kernels/core/light": (3, "the mathematics of a ray of the light view, and the reference that checks it"),
    "kernels/core/device": (4, "the interface that every backend implements"),
    "kernels/core/mine": (5, "reads, guards, compiles the user's kernel"),
    "kernels/core/inject": (5, "makes pictures wrong on purpose, for tests"),
    "kernels/core/probes": (5, "the interface that every backend's probes implement"),
    "kernels/core/published": (5, "repeats published timings, on any backend"),
    "kernels/cpu/runtime": (6, "the CPU backend's threads"),
    "kernels/cuda/runtime": (6, "checked CUDA calls, the timer, and untimed kernels"),
    "kernels/cpu/trace": (7, "the CPU's ray tracer"),
    "kernels/cuda/trace": (7, "the CUDA ray tracer"),
    "kernels/cpu/light": (8, "the CPU's kernels of the light view"),
    "kernels/cuda/light": (8, "the CUDA kernels of the light view"),
    "kernels/cuda/published": (8, "published CUDA programs"),
    "kernels/cpu/probes": (9, "runs and checks the CPU's probes"),
    "kernels/cpu/probes/topics": (9, "one descriptor per measured topic"),
    "kernels/cuda/probes": (9, "runs and checks the CUDA probes"),
    "kernels/cuda/probes/topics": (9, "one descriptor per measured topic"),
    "kernels/cuda/probes/kernels": (9, "the kernels of the measured topics"),
    "kernels/cpu/device": (10, "the CPU backend"),
    "kernels/cuda/device": (10, "the CUDA backend"),
    "kernels/gl": (10, "the OpenGL backend: computes in a context that is lent to it"),
    "kernels": (11, "the table of backends"),
    "render/gl": (12, "checked calls of OpenGL, programs, contexts without a display"),
    "render/text": (13, "turns characters into distance fields in one texture"),
    "render": (14, "pixels, text and plots in an OpenGL context"),
    "app/base": (15, "text, numbers, time, files and tables; knows no spheres"),
    "app/spec": (16, "what is rendered and what is on screen, as plain data"),
    "app/scenes": (16, "reads scenes from files"),
    "app/model": (17, "the record: samples become metrics, reasons and verdicts"),
    "app/topics": (18, "the topics, their charts, the published claims and their rules"),
    "app/command": (19, "what a key or an option can change, as pure functions; help, manual, settings"),
    "app/records": (20, "records as files: written, read, compared, played"),
    "app/engine": (20, "turns the state into launches and collects their times"),
    "app/print": (21, "prints a record as tables and as a report"),
    "app/talk": (21, "reads talks, enters their steps, compares guesses"),
    "app/measure": (22, "decides what is measured next and when a measurement ends"),
    "app/hud": (22, "everything drawn over and beside the picture"),
    "app/bench": (23, "benchmarks, sweeps, replays; what a run writes"),
    "app/window": (24, "the window, its frame loop, pictures without a window"),
    "app": (25, "main: starts the kind of run"),
}

# What nobody else may use, whatever the floors: the backends do not know each other, what shows numbers does
# not know what measures them, and only the rooms that draw call functions of render; everybody may use its
# headers.
APART = [
    (["kernels/cpu/*"], ["kernels/cuda/*", "kernels/gl"]),
    (["kernels/cuda/*"], ["kernels/cpu/*", "kernels/gl"]),
    (["kernels/gl"], ["kernels/cpu/*", "kernels/cuda/*"]),
    (["app/hud", "app/print", "app/topics", "app/talk"], ["app/engine", "app/measure"]),
    (["app/model"], ["app/command"]),
]
DRAWS = ["app/hud", "app/window", "render", "render/*"]

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
    (r"jansson\.h", ["app/base/*", "app/records/*", "app/scenes/*", "app/talk/*"]),
    (r"qrencode\.h", ["app/hud/*"]),
    (r"zlib\.h", ["app/base/files.c"]),
    (r"GL/", ["render/*"]),
    (r"EGL/", ["render/*"]),
    (r"(png|ft2build|freetype/.*)(\.h)?$", ["render/*"]),
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


def house_of(room):
    """Returns the folder within which rooms may use each other."""
    probes = re.match(r"kernels/\w+/probes", room)
    return probes[0] if probes else room


def may_use(user, used):
    if user == used or house_of(user) == house_of(used):
        return True
    if user not in ROOMS or used not in ROOMS or ROOMS[used][0] >= ROOMS[user][0]:
        return False
    if used in ("render", "render/gl", "render/text") and not matches(user, DRAWS):
        return False
    return not any(matches(user, one) and matches(used, other) for one, other in APART)


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


def check_openings(root, files):
    """Reports sources that do not open with a comment, and opening comments that name another file."""
    for path in files:
        with open(os.path.join(root, path), encoding="utf-8") as file:
            first = file.readline()
        named = re.match(r"/\* (\S+/\S+\.\w+) - ", first)
        if re.search(r"\.cu?$", path) and not first.startswith("/*"):
            fail(f"{path}: does not open with a comment that says what it does")
        if named and not path.endswith(named[1]):
            fail(f"{path}: opens with the name of another file, {named[1]}")


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
    check_openings(root, files)
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
