#!/usr/bin/env python3
"""test_rooms.py: checks that rooms.py finds every kind of violation.

Builds a small tree without violations, plants one at a time, and expects rooms.py to fail and to name
it. Compiles the violations that only the linker sees.
"""
import os
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
CC = os.environ.get("CC", "cc").split()

TREE = {
    "app/window/window.c": "#include <GLFW/glfw3.h>\n",
    "app/engine/engine.h": '#include "krn/a.h"\n',
    "app/engine/engine.c": '#include "engine/engine.h"\n#include "base/text.h"\n'
                           "void app_engine(void);\nvoid app_engine(void) { app_text(); }\n",
    "app/base/text.h": "void app_text(void);\n",
    "app/base/text.c": '#include "base/text.h"\nvoid app_text(void) {}\n',
    "app/hud/hud.c": '#include "engine/engine.h"\n#include "ren/a.h"\n',
    "app/main.c": '#include "engine/engine.h"\nint main(void) { return 0; }\n',
    "render/egl.c": "#include <EGL/egl.h>\n",
    "render/include/ren/a.h": '#include "krn/a.h"\n',
    "kernels/include/krn/a.h": "#include <stddef.h>\n",
    "kernels/core/trace/pixel.h": '#include "krn/a.h"\n',
    "kernels/core/trace/scene.c": '#include "core/trace/pixel.h"\n'
                                  "void krn_scene(void);\nvoid krn_scene(void) {}\n",
    "kernels/cpu/trace/strip.c": '#include "core/trace/pixel.h"\n',
    "kernels/cuda/runtime/check.h": '#include "krn/a.h"\n',
    "kernels/cuda/trace/book.cuh": '#include "cuda/runtime/check.h"\n',
    "kernels/cuda/trace/book.cu": '#include "cuda/trace/book.cuh"\n',
}
# Object files by their place in a build folder, with their sources.
OBJECTS = {
    "app/CMakeFiles/app_core.dir/engine/engine.c.o": "app/engine/engine.c",
    "app/CMakeFiles/app_core.dir/base/text.c.o": "app/base/text.c",
    "kernels/CMakeFiles/krn_core.dir/core/trace/scene.c.o": "kernels/core/trace/scene.c",
}

# The violations: file, text added to it, a part of the message; True: needs object files.
PLANTED = [
    ("app/base/text.c", '#include "engine/engine.h"', "app/base must not use app/engine", False),
    ("app/engine/engine.c", '#include "hud/hud.h"', 'cannot include "hud/hud.h"', False),
    ("app/hud/hud.h", '#include "window/none.h"', 'cannot include "window/none.h"', False),
    ("app/extra/new.c", "", "the folder app/extra is not in the table", False),
    ("app/main.c", '#include "core/trace/pixel.h"', 'cannot include "core/trace/pixel.h"', False),
    ("app/main.c", '#include "../render/egl.c"', "cannot include", False),
    ("app/main.c", "#include <GL/gl.h>", "<GL/gl.h> belongs in render/*", False),
    ("app/main.c", "# include <cuda_runtime.h>", "<cuda_runtime.h> belongs in", False),
    ("app/main.c", "#pragma omp parallel", "OpenMP belongs in kernels/cpu/", False),
    ("app/main.c", "#include <GLFW/glfw3.h>", "<GLFW/glfw3.h> belongs in app/window", False),
    ("app/window/other.c", "#include <GLFW/glfw3.h>", "GLFW/ is included by 2 files", False),
    ("app/hud/hud.c", "#include <jansson.h>", "<jansson.h> belongs in", False),
    ("app/main.c", "\n" * 600, "split it before 600", False),
    ("render/egl.c", '#include "hud/hud.h"', "render cannot include", False),
    ("render/egl.c", "#include <cuda_gl_interop.h>", "<cuda_gl_interop.h> belongs in", False),
    ("render/include/ren/a.h", "#include <EGL/egl.h>", "EGL/ is included by 2 files", False),
    ("kernels/core/trace/scene.c", '#include "ren/a.h"', "cannot include", False),
    ("kernels/core/trace/scene.c", '#include "cuda/runtime/check.h"',
     "kernels/core/trace must not use kernels/cuda/runtime", False),
    ("kernels/cpu/trace/strip.c", '#include "cuda/runtime/check.h"',
     "kernels/cpu/trace must not use kernels/cuda/runtime", False),
    ("kernels/cuda/runtime/check.h", '#include "cuda/trace/book.cuh"',
     "kernels/cuda/runtime must not use kernels/cuda/trace", False),
    ("kernels/core/trace/scene.c", "#include <omp.h>", "<omp.h> belongs in", False),
    # circles
    ("app/engine/engine.h", '#include "engine/other.h"\n',
     "a cycle of includes", {"app/engine/other.h": '#include "engine/engine.h"\n'}),
    # symbols
    ("app/base/text.c", "void app_engine(void);\nvoid app_text_two(void);\n"
     "void app_text_two(void) { app_engine(); }",
     "app/base must not use app/engine (app_engine of", True),
    ("app/engine/engine.c", "void app_other(void);\nvoid app_engine_two(void);\n"
     "void app_engine_two(void) { app_other(); }",
     "a cycle of includes and symbols",
     {"app/engine/other.c": "void app_engine(void);\nvoid app_other(void);\n"
                            "void app_other(void) { app_engine(); }\n"}),
    ("app/base/text.c", "int wrong_prefix = 1;", "wrong_prefix does not start with app_", True),
    ("kernels/core/trace/scene.c", "void app_text(void);\nvoid krn_up(void);\n"
     "void krn_up(void) { app_text(); }", "kernels/core/trace must not use app/base", True),
]


def write(root, tree):
    for path, text in tree.items():
        os.makedirs(os.path.dirname(os.path.join(root, path)), exist_ok=True)
        with open(os.path.join(root, path), "w", encoding="utf-8") as file:
            file.write(text)


def compile_objects(root, build, extra):
    places = dict(OBJECTS)
    for source in extra:
        if source.endswith(".c"):
            places["app/CMakeFiles/app_core.dir/" + source.split("/", 1)[1] + ".o"] = source
    for place, source in places.items():
        path = os.path.join(build, place)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        subprocess.run(CC + ["-w", "-c", os.path.join(root, source), "-o", path,
                             "-I" + os.path.join(root, "app"),
                             "-I" + os.path.join(root, "kernels"),
                             "-I" + os.path.join(root, "kernels/include")], check=True)


def run(root, build):
    done = subprocess.run([sys.executable, os.path.join(HERE, "rooms.py"), root]
                          + ([build] if build else []), stdout=subprocess.PIPE,
                          universal_newlines=True, check=False)
    return done.returncode, done.stdout


def main():
    wrong = 0
    for i, (path, text, message, more) in enumerate([("", "", "", True)] + PLANTED):
        top = tempfile.mkdtemp()
        root, build = os.path.join(top, "tree"), os.path.join(top, "build")
        extra = more if isinstance(more, dict) else {}
        write(root, TREE)
        write(root, extra)
        if path:
            os.makedirs(os.path.dirname(os.path.join(root, path)), exist_ok=True)
            with open(os.path.join(root, path), "a", encoding="utf-8") as file:
                file.write(text + "\n")
        compiled = more is True or any(name.endswith(".c") for name in extra)
        if compiled:
            compile_objects(root, build, extra)
        code, out = run(root, build if compiled else None)
        if i == 0 and code != 0 or i > 0 and (code != 1 or message not in out):
            print(f"{path or 'the sound tree'}: exit code {code}, expected {message!r} in:\n{out}")
            wrong += 1
        shutil.rmtree(top)
    print(f"{len(PLANTED)} violations planted, {wrong} not found")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
