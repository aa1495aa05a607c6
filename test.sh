#!/usr/bin/env bash
# Installs what is missing, builds everything with warnings as errors and runs all tests, those of
# the other configurations included: ./test.sh [options of ctest, such as -R NAME or -L gl]
set -euo pipefail
# shellcheck disable=SC2034 # read by bootstrap.sh
script=test.sh
root=$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")
# shellcheck source=cmake/bootstrap.sh
. "$root/cmake/bootstrap.sh"

install_missing "$build_needs$test_needs"
build ci "$root/build-ci" all
exec ctest --test-dir "$root/build-ci" --output-on-failure --no-tests=error \
    -j "$(nproc 2>/dev/null || echo 2)" "$@" </dev/null
