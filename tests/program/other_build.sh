#!/usr/bin/env bash
# other_build.sh SOURCE_DIR BUILD_DIR [CMAKE_OPTION...]: configures, builds and tests the project in
# another configuration. What it prints is seen when it fails.
set -euo pipefail
source=$1 build=$2
shift 2
jobs=$(nproc 2>/dev/null || echo 2)
cmake -S "$source" -B "$build" -G Ninja "$@"
cmake --build "$build" --parallel "$jobs"
# The checks of the sources and of other builds are those of the build that started this one.
ctest --test-dir "$build" --output-on-failure --no-tests=error -j "$jobs" -L '^(cpu|gl|cli)$'
