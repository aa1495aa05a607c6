#!/usr/bin/env bash
# soak.sh [FRAMES [MINUTES]]: FRAMES small frames without a display, then MINUTES of a window. Fails
# when memory, file descriptors or threads grow, or when statistics are wrong. ./test.sh --soak
# builds the program and starts this script.
set -euo pipefail
frames=${1:-1000000} minutes=${2:-30}
root=$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/../..
export SPHERESCOPE=${SPHERESCOPE:-$root/build-ci/spherescope}
[[ $frames =~ ^[0-9]+$ && $minutes =~ ^[0-9]+$ ]] || {
    echo "Usage: ./test.sh --soak [FRAMES [MINUTES]]" >&2
    exit 2
}

status=0
skipped=77
# report NAME COMMAND...: runs a part and notes whether it failed.
report() {
    local name=$1 code=0
    shift
    echo "--- $name"
    "$@" || code=$?
    case $code in
    0) echo "$name: passed" ;;
    "$skipped") echo "$name: skipped" ;;
    *)
        echo "$name: failed"
        status=1
        ;;
    esac
}
((frames == 0)) || report "$frames frames" \
    env TEST_SOAK_FRAMES="$frames" "$(dirname -- "$SPHERESCOPE")/tests/test_soak"
((minutes == 0)) || report "$minutes minutes of a window" \
    "$root/tests/support/with_display.sh" "$root/tests/soak/window.sh" "$minutes"
exit "$status"
