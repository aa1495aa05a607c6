#!/usr/bin/env bash
# busy.sh LOOPS COMMAND [ARGUMENT...]: runs a command while busy loops occupy the processors.
set -euo pipefail

[[ ${1-} =~ ^[0-9]+$ && $# -ge 2 ]] || {
    printf 'Usage: %s LOOPS COMMAND [ARGUMENT...]\n' "${0##*/}" >&2
    exit 2
}
count=$1
shift
loops=()
stop() {
    ((${#loops[@]} == 0)) || kill "${loops[@]}" 2>/dev/null || true
}
trap stop EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
for ((i = 0; i < count; i++)); do
    (while :; do :; done) &
    loops+=("$!")
done
status=0
"$@" || status=$?
exit "$status"
