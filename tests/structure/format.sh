#!/usr/bin/env bash
# format.sh SOURCE_DIR: checks that .clang-format holds for all C and CUDA sources. It runs the
# major version of Debian 12 only, because other versions break lines elsewhere. Exit code 77: that
# version is not installed.
set -euo pipefail
cd -- "$1"
shopt -s nullglob globstar
major=14
places=$(mktemp)
trap 'rm -f "$places"' EXIT

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
# One call for all files, because starting the tool takes longer than a file. It writes
# FILE:LINE:COLUMN: error: ... for every place.
status=0
"$tool" --dry-run -Werror "${files[@]}" 2>"$places" || status=$?
wrong=$(sed -n 's/^\([^ :]*\):[0-9]*:[0-9]*: error: .*/\1/p' "$places" | sort -u)
# shellcheck disable=SC2086 # a name per line
[[ -z $wrong ]] || printf 'not formatted: %s\n' $wrong
[[ $status -eq 0 || -n $wrong ]] || cat "$places"
echo "${#files[@]} files checked, $(wc -w <<<"$wrong") wrong; \"$tool -i FILE\" formats one"
((status == 0))
