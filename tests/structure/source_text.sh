#!/usr/bin/env bash
# source_text.sh SOURCE_DIR: checks every text file of the project for text that it must not
# contain.
set -euo pipefail
cd -- "$1"
wrong=0

# Lists the files; without git (in an unpacked archive), leaves out the ignored folders by name.
# The corpus of the fuzz targets is faulty on purpose.
files() {
    if git -C . rev-parse --show-prefix 2>/dev/null | grep -qx ''; then
        git ls-files -z --cached --others --exclude-standard | grep -zv '^tests/fuzz/corpus/'
    else
        find . -path './build*' -prune -o -path './.*' -prune -o \
            -path ./tests/fuzz/corpus -prune -o -type f -print0
    fi
}

# no WHAT REGEX [GREP_OPTION...]: fails where REGEX matches. The patterns below are written so that
# they do not match themselves.
no() {
    local what=$1 regex=$2 found
    shift 2
    found=$(files | xargs -0 grep -nIP "$@" -e "$regex" -- /dev/null 2>/dev/null | head -20) || true
    [[ -n $found ]] || return 0
    printf '%s:\n%s\n' "$what" "$found"
    wrong=$((wrong + 1))
}

# only_in EXTENSIONS WHAT REGEX: likewise, in files with these extensions only.
only_in() {
    local found
    found=$(files | grep -zE "\\.($1)$" | xargs -0 grep -nIP -e "$3" -- /dev/null 2>/dev/null |
        head -20) || true
    [[ -n $found ]] || return 0
    printf '%s:\n%s\n' "$2" "$found"
    wrong=$((wrong + 1))
}

count=$(files | tr -dc '\0' | wc -c)
((count > 0)) || { echo "no files found: wrong folder?"; exit 1; }

no 'left to do' '\b(TOD[O]|FIXM[E]|XX[X])\b'
no "a machine's folder" '(^|[\s"'\''(=:,])/(hom[e]|roo[t]|wor[k]|User[s])/'
no 'conflict marker' '^(<{7}|>{7}|={7})( |$)'
no 'blank at the end of a line' '[ \t]+$'
no 'carriage return' '\r'
unended=$(files | xargs -0 grep -IlZ . | xargs -0 grep -zLP '\n\z') || true
[[ -z $unended ]] || {
    printf 'no line end at the end:\n%s\n' "$unended"
    wrong=$((wrong + 1))
}
only_in 'c|h|cu|cuh|inc|vert|frag|glsl|sh|cmake|json|md' 'tab' '\t'
only_in 'sh|cmake|txt|vert|frag|glsl' 'line over 100 columns' '^.{101}'

echo "$count files checked, $wrong rules broken"
((wrong == 0))
