#!/usr/bin/env bash
# format.sh SOURCE_DIR: checks that .clang-format holds for all C and CUDA sources. It runs the
# major version of Debian 12 only, because other versions break lines elsewhere. Exit code 77: that
# version is not installed.
set -euo pipefail
cd -- "$1"
shopt -s nullglob globstar
major=14

tool=
for name in clang-format-$major clang-format; do
    if [[ $("$name" --version 2>/dev/null) =~ version\ $major\. ]]; then
        tool=$name
        break
    fi
done
if [[ -z $tool ]]; then
    echo "skipped: clang-format $major is not installed"
    exit 77
fi
files=({app,render,kernels,tests}/**/*.{c,h,cu,cuh,inc})
wrong=0
for file in "${files[@]}"; do
    "$tool" --dry-run -Werror "$file" 2>/dev/null || {
        echo "not formatted: $file"
        wrong=$((wrong + 1))
    }
done
echo "${#files[@]} files checked, $wrong wrong; \"$tool -i FILE\" formats one"
((wrong == 0))
