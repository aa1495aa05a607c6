#!/usr/bin/env bash
# test_tree_checks.sh SOURCE_DIR: arrows.sh and source_text.sh find what they are there to find.
set -euo pipefail
tests=$1/tests/structure
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
mkdir -p "$tree"/{app,render/include/ren,kernels/{core,cpu,cuda,include/krn}}
passed=0

plain() { # a small tree with nothing wrong in it
    echo '#include <GLFW/glfw3.h>' >"$tree/app/window.c"
    echo '#include "ren/a.h"' >"$tree/app/main.c"
    echo '#include <EGL/egl.h>' >"$tree/render/egl.c"
    echo '#include "krn/a.h"' >"$tree/render/include/ren/a.h"
    echo '#include <stddef.h>' >"$tree/kernels/include/krn/a.h"
    echo 'int core;' >"$tree/kernels/core/core.c"
    echo 'int other;' >"$tree/kernels/core/core.h"
    rm -f "$tree/app/odd.c"
}

# finds SCRIPT FILE LINE: with LINE appended to FILE the script fails, and names the file.
finds() {
    local out
    plain
    printf '%b\n' "$3" >>"$tree/$2"
    if out=$("$tests/$1" "$tree") || [[ $out != *"$2"* && $out != *"${3#*<}"* ]]; then
        printf '%s did not find in %s: %s\n%s\n' "$1" "$2" "$3" "$out"
        exit 1
    fi
    passed=$((passed + 1))
}

plain
"$tests/arrows.sh" "$tree"
"$tests/source_text.sh" "$tree"
finds arrows.sh kernels/core/core.c '#include "ren/a.h"'
finds arrows.sh kernels/core/core.c '#include "../../app/x.h"'
finds arrows.sh render/egl.c '#include "main.h"'
finds arrows.sh app/main.c '#include "core.h"'
finds arrows.sh app/main.c '#include <GL/gl.h>'
finds arrows.sh app/main.c '# include <cuda_runtime.h>'
finds arrows.sh app/main.c '#pragma omp parallel'
finds arrows.sh render/egl.c '#include <jansson.h>'
finds arrows.sh render/egl.c '#include <cuda_gl_interop.h>'
finds arrows.sh kernels/core/core.c '#include <cuda_runtime_api.h>'
finds arrows.sh kernels/core/core.c '#include <ft2build.h>'
finds arrows.sh kernels/core/core.c '#include <omp.h>'
finds arrows.sh app/main.c '#include <GLFW/glfw3.h>'
finds arrows.sh render/include/ren/a.h '#include <EGL/egl.h>'
finds arrows.sh app/main.c "$(printf '\\n%.0s' {1..600})"
finds source_text.sh app/odd.c 'int x; '
finds source_text.sh app/odd.c '\tint x;'
finds source_text.sh app/odd.c 'int x;\r'
finds source_text.sh app/odd.c '// TO''DO later'
finds source_text.sh app/odd.c 'char s[] = "/ho''me/me/x";'
finds source_text.sh app/odd.c 'int x;\c'
echo "$passed checks"
