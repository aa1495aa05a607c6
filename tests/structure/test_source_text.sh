#!/usr/bin/env bash
# test_source_text.sh SOURCE_DIR: checks that source_text.sh finds every kind of forbidden text.
set -euo pipefail
tests=$1/tests/structure
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
mkdir -p "$tree/app"
echo 'int x;' >"$tree/app/main.c"
passed=0

# finds LINE: expects the script to fail and to name the file that contains LINE.
finds() {
    local out
    printf '%b\n' "$1" >"$tree/app/odd.c"
    if out=$("$tests/source_text.sh" "$tree") || [[ $out != *app/odd.c* ]]; then
        printf 'source_text.sh did not find: %s\n%s\n' "$1" "$out"
        exit 1
    fi
    rm -f "$tree/app/odd.c"
    passed=$((passed + 1))
}

"$tests/source_text.sh" "$tree"
finds 'int x; '
finds '\tint x;'
finds 'int x;\r'
finds '// TO''DO later'
finds 'char s[] = "/ho''me/me/x";'
finds 'int x;\c'
echo "$passed checks"
