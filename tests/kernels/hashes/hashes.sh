#!/usr/bin/env bash
# hashes.sh COMPILER [EMULATOR]: builds the kernels with another compiler and compares the hashes of
# their pictures with the table; with an emulator, for AArch64. Exit code 77: one is missing.
set -euo pipefail
source=$TEST_SOURCE_DIR/tests/kernels/hashes build=$TEST_BINARY_DIR/tests/hashes-$1
options=(-DCMAKE_BUILD_TYPE=Release "-DCMAKE_C_COMPILER=$1")
for tool in "$@"; do
    type -P "$tool" >/dev/null || {
        echo "skipped: $tool is not installed"
        exit 77
    }
done
# Linked statically, it needs no libraries of the other processor.
[[ $# == 1 ]] || options+=(-DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR=aarch64
    -DCMAKE_EXE_LINKER_FLAGS=-static)
cmake -S "$source" -B "$build" -G Ninja "${options[@]}"
cmake --build "$build"
${2-} "$build/hashes" cpu "$source/table.txt"
