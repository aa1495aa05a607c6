#!/usr/bin/env bash
# Installs missing packages, builds everything with warnings as errors and runs the tests; with
# --matrix, builds and tests other configurations; with --soak, runs for long. See ./test.sh --help.
set -euo pipefail
# shellcheck disable=SC2034 # read by bootstrap.sh
script=test.sh
root=$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")
# shellcheck source=cmake/bootstrap.sh
. "$root/cmake/bootstrap.sh"

if [[ ${1-} == --help ]]; then
    cat <<'HELP'
Usage: ./test.sh [CTEST OPTION...]    builds in build-ci and runs the tests, or those chosen
       ./test.sh --matrix NAME...     builds and tests these configurations; "nightly": most of them
       ./test.sh --coverage           runs the tests without a GPU and counts the lines they reach
       ./test.sh --soak [FRAMES [MINUTES]]
                                      builds in build-ci, renders 1000000 small frames, or FRAMES,
                                      and then drives a window for 30 minutes, or MINUTES; fails
                                      when memory, file descriptors or threads grow
       ./test.sh --help

All install missing packages first. Some options of CTest:
  -R NAME    the tests whose names contain NAME
  -L LABEL   cpu (any machine), gl (OpenGL; Mesa suffices), gpu (a CUDA device),
             cli (starts the program), build (the sources and scripts themselves),
             quick (some of these, in two minutes);
             only by name: timing (judges times and speeds, on a quiet machine), long
  -N         lists the tests

The configurations of --matrix, each in a folder of build-matrix, with a log beside it:
  sanitized  clang with the address, undefined-behaviour and leak sanitizers; .ci/run has it
  threads    the thread sanitizer over the program's own threads, without CUDA and OpenGL
  analysis   gcc's analyzer and clang-tidy find nothing in the sources
  headers    every header compiles alone
  cuda       CUDA without OpenGL, for all GPU generations
  cuda11     compiled by CUDA 11.8, where it is in /usr/local/cuda-11.8
  fuzz       libFuzzer for 20 s on everything that reads files, where clang is installed
By name only, not in "nightly":
  standin    sanitizers for the CUDA code, with a stand-in for a GPU; takes hours
  checked    compute-sanitizer over the tests of the GPU; needs a GPU, takes hours
  packages   Debian packages and container files in bare systems; needs root
  bundle     the archive for any Linux, in bare systems; needs root

--coverage builds in build-coverage, prints the share of lines reached in each room, and fails below
90 % in all; build-coverage/not_reached.txt lists the lines that no test reaches.
HELP
    exit 0
fi

# A browser is 400 MB. Without it, the tests of the page in one are skipped; with CI set, they fail.
[[ -z ${CI-} ]] || test_needs+=$ci_test_needs
[[ " $* " != *' packages '* && " $* " != *' bundle '* ]] ||
    test_needs+=$package_needs$package_test_needs
install_missing "$build_needs$test_needs"
if [[ ${1-} == --matrix ]]; then
    shift
    exec "$root/tests/matrix.sh" "$@"
fi
if [[ ${1-} == --coverage ]]; then
    build coverage "$root/build-coverage" all
    find "$root/build-coverage" -name '*.gcda' -delete
    # The build and a test of the label build run them.
    "$root/build-coverage/app/write_manual" "$(mktemp -d)" 2026-01-01
    "$root/build-coverage/app/write_plots" "$root/assets/runs" "$(mktemp -d)"
    status=0
    ctest --test-dir "$root/build-coverage" --output-on-failure --no-tests=error \
        -j "$(nproc 2>/dev/null || echo 2)" -L '^(cpu|gl|cli|long)$' </dev/null || status=$?
    python3 "$root/tests/coverage.py" "$root" "$root/build-coverage" || status=1
    exit "$status"
fi
build ci "$root/build-ci" all
if [[ ${1-} == --soak ]]; then
    shift
    exec "$root/tests/soak/soak.sh" "$@" </dev/null
fi
# What a selection names runs; without one, all that is quick and judges no times.
[[ " $*" == *" -"[LRI]* ]] || set -- -LE '^(timing|long)$' "$@"
exec ctest --test-dir "$root/build-ci" --output-on-failure --no-tests=error \
    -j "$(nproc 2>/dev/null || echo 2)" "$@" </dev/null
