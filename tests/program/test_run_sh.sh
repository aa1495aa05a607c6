#!/usr/bin/env bash
# test_run_sh.sh SOURCE_DIR: tests run.sh and test.sh in a folder with a small program of its own,
# which CMake really configures and builds. PATH has all programs of this machine but apt-get, so
# that nothing is installed, and NVIDIA's, whose answers and traces are the test's.
set -euo pipefail
source=$1
top=$(mktemp -d)
trap 'rm -rf "$top"' EXIT
tree="$top/a tree" # the blank is intended
bin=$top/bin log=$top/log
mkdir -p "$tree/cmake" "$tree/tests" "$bin" "$top/elsewhere"
cp "$source/run.sh" "$source/test.sh" "$tree"
cp "$source/tests/matrix.sh" "$tree/tests"
sed "s# /\(proc\|dev\|usr/lib/wsl\)/# \"$top\"/\1/#g; s/-t 12/-t 2/; s/-k 1 10/-k 1 1/" \
    "$source/cmake/bootstrap.sh" >"$tree/cmake/bootstrap.sh"
IFS=: read -ra folders <<<"$PATH"
for folder in "${folders[@]}"; do
    ln -s "$folder"/* "$bin" 2>/dev/null || true # the first of a name stays
done
rm -f "$bin"/{apt-get,nvidia-smi,nvcc}
cat >"$tree/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.25)
set(CMAKE_C_COMPILER_FORCED ON) # takes half the time
project(small LANGUAGES C)
message(STATUS "No NVIDIA driver: gpus ${SPHERESCOPE_GPUS}, cuda ${SPHERESCOPE_CUDA}.")
add_executable(spherescope main.c)
enable_testing()
add_test(NAME fails COMMAND false)
add_test(NAME takes_long COMMAND true)
set_tests_properties(takes_long PROPERTIES LABELS long)
END
cat >"$tree/CMakePresets.json" <<'END'
{"version": 6, "configurePresets": [
    {"name": "release", "generator": "Ninja", "binaryDir": "${sourceDir}/build"},
    {"name": "ci", "generator": "Ninja", "binaryDir": "${sourceDir}/build-ci"}]}
END
echo 'int puts(const char *); int main(int n, char **a) { return puts(a[n - 1]) < 0 ? 1 : n; }' \
    >"$tree/main.c"

passed=0 case=""
check() { # CONDITION...: $out, $status and the log belong to the last run
    if ! "$@"; then
        printf 'FAILED %s: %s\nstatus %s\n-- out\n%s\n-- log\n' "$case" "$*" "$status" "$out"
        cat "$log"
        exit 1
    fi
    passed=$((passed + 1))
}
is() { [[ $1 == "$2" ]]; }
logged() { grep -qE -- "$1" "$log"; }
silent() { [[ ! -s $log ]]; }
try() { # CASE STATUS [VARIABLE=VALUE...] -- SCRIPT [ARGUMENT...]
    local expected=$2 variables=()
    case=$1
    shift 2
    while [[ $1 != -- ]]; do
        variables+=("$1")
        shift
    done
    status=0
    out=$(cd "$top/elsewhere" && env -i PATH="$bin" HOME="$top" TMPDIR="$top" "${variables[@]}" \
        "$tree/$2" "${@:3}" 2>"$log") || status=$?
    check is "$status" "$expected"
}
configured_for() { logged "driver: $1\.\$"; }

try 'a new checkout' 3 -- run.sh --size 'a b'
check is "$out" 'a b'
check is "$(cat "$log")" 'run.sh: No NVIDIA driver: gpus none, cuda .
run.sh: building (the first time takes a minute or more)
run.sh: built 50 %'
try 'again' 2 -- run.sh --help
check silent
try 'the compiler changed' 1 CC=gcc -- run.sh
check configured_for "gpus none, cuda "
mv "$tree" "$tree 2"
tree="$tree 2"
try 'the checkout moved' 1 -- run.sh
check configured_for "gpus none, cuda "

# GPUs, as nvidia-smi tells them.
printf '#!/usr/bin/env bash\nprintf "$SAYS"; ${THEN-true}\n' >"$bin/nvidia-smi"
chmod +x "$bin/nvidia-smi"
try 'a driver has come' 1 SAYS='9.0\n7.5\n9.0\n' -- run.sh
check configured_for "gpus 75;90, cuda "
try 'once known, no answer takes it away' 1 SAYS= -- run.sh
check silent
try 'a new compiler, and no answer' 1 CC=gcc SAYS= -- run.sh
check configured_for "gpus 75;90, cuda "
rm "$tree/build/bootstrap.stamp"
(cd "$tree" && cmake --preset release -USPHERESCOPE_GPUS -DSPHERESCOPE_CUDA:STRING=ON >/dev/null)
try 'a folder configured by hand is kept as it is' 1 SAYS='9.0\n' -- run.sh
check configured_for "gpus , cuda ON"
try 'also when the compiler changes' 1 CC=gcc SAYS='9.0\n' -- run.sh
check configured_for "gpus , cuda ON"

asks() { # GPUS SAYS [THEN]
    case="asks $*" status=0
    out=$(PATH=$bin SAYS=$2 THEN=${3-true} bash -c '. "$0"; ask_driver' "$tree/cmake/bootstrap.sh")
    check is "$out" "$1"
}
asks 90 '9.0\n'
asks none 'No devices were found\n'
mkdir -p "$top/dev" "$top/usr/lib/wsl/lib"
for says in '' 'N/A\n' '9.0\n[N/A]\n' '9.0' '9.0\nend\n' '-9.0\n' 'Field "compute_cap" is not\n'; do
    asks none "$says"
    : >"$top/dev/nvidiactl"
    asks unknown "$says"
    rm "$top/dev/nvidiactl"
done
: >"$top/dev/nvidiactl"
asks unknown '9.0\n' false
asks unknown '9.0\n' 'sleep 9'
asks none 'No devices were found\n'
mv "$bin/nvidia-smi" "$top/usr/lib/wsl/lib"
asks 89 '8.9\n'
rm "$top/usr/lib/wsl/lib/nvidia-smi"
asks unknown ''
rm "$top/dev/nvidiactl"
: >"$top/usr/lib/wsl/lib/libcuda.so.1"
asks unknown ''

try 'test.sh lists what is quick' 0 -- test.sh -N
check grep -q ': fails$' <<<"$out"
check is "$(grep -c takes_long <<<"$out")" 0
try 'a test fails' 8 -- test.sh -R '^fails$'
try 'a test is chosen' 0 -- test.sh -L long
try 'no such test' 8 -- test.sh -R nonsense
try 'no such configuration' 2 -- test.sh --matrix cuda nonsense
check logged 'no configuration "nonsense"; there are: nightly sanitized'

mv "$tree/main.c" "$top"
echo 'int main(void) { return nothing; }' >"$tree/main.c"
try 'the compiler fails' 1 -- run.sh
check logged "error: .*nothing"
check logged 'the build failed'
check is "$out" ''
echo 'message(FATAL_ERROR "a reason")' >>"$tree/CMakeLists.txt"
try 'CMake fails' 1 -- run.sh
check logged 'a reason'
rm -r "$tree/build"
try 'CMake fails at once' 1 -- run.sh
check logged 'could not configure'
rm "$bin/cmake"
printf '#!/bin/sh\necho cmake version 3.22.1\n[ "$1" = --version ]\n' >"$bin/cmake"
chmod +x "$bin/cmake"
try 'CMake is too old' 1 -- run.sh
check logged 'CMake 3.25 or newer is needed; this one is 3.22.1'
rm "$bin"/ninja*
try 'no Ninja and no libraries' 1 PKG_CONFIG_LIBDIR=/nowhere -- run.sh
check is "$(wc -l <"$log")" 1
check logged 'no apt-get here.*: Ninja \(ninja\|ninja-build\), GLFW 3 \(glfw3\), .*, zlib \(zlib\)$'
try 'nor for tests' 1 PKG_CONFIG_LIBDIR=/nowhere -- test.sh
check logged ', cmocka \(cmocka\)$'
try 'test.sh --help' 0 -- test.sh --help
check silent
for word in --matrix 'CTEST OPTION' --coverage --soak; do
    check grep -qe "$word" <<<"$out"
done

echo "$passed checks"
