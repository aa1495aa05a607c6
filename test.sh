#!/usr/bin/env bash
# Installs missing packages, builds everything with warnings as errors and runs all tests; with
# --matrix, builds and tests the other configurations. See ./test.sh --help.
set -euo pipefail
# shellcheck disable=SC2034 # read by bootstrap.sh
script=test.sh
root=$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")
# shellcheck source=cmake/bootstrap.sh
. "$root/cmake/bootstrap.sh"

if [[ ${1-} == --help ]]; then
    cat <<'HELP'
Usage: ./test.sh [CTEST OPTION...]    builds in build-ci and runs all tests, or those chosen
       ./test.sh --matrix [NAME...]   builds and tests the other configurations, or those named
       ./test.sh --help

Both install missing packages first. Some options of CTest:
  -R NAME    the tests whose names contain NAME
  -L LABEL   cpu (any machine), gl (OpenGL; Mesa suffices), gpu (a CUDA device),
             cli (starts the program), build (the sources and scripts themselves)
  -N         lists the tests

The configurations of --matrix, each in a folder of build-matrix, with a log beside it:
  headers    every header compiles alone
  cpu        neither CUDA nor OpenGL, as on a cluster's login node
  cuda       CUDA without OpenGL, for all GPU generations
  sanitized  the address and undefined-behaviour sanitizers
  standin    likewise for the CUDA code, with a stand-in for a GPU; takes hours
  clang      compiled by clang
  cuda11     compiled by CUDA 11.8, where it is in /usr/local/cuda-11.8
HELP
    exit 0
fi

install_missing "$build_needs$test_needs"
if [[ ${1-} == --matrix ]]; then
    shift
    exec "$root/tests/matrix.sh" "$@"
fi
build ci "$root/build-ci" all
exec ctest --test-dir "$root/build-ci" --output-on-failure --no-tests=error \
    -j "$(nproc 2>/dev/null || echo 2)" "$@" </dev/null
