#!/usr/bin/env bash
# record_key.sh: in a real window, key O records a run, and again cancels it. with_display.sh starts
# it. Exit code 77: a tool is missing.
set -euo pipefail
tests=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck source=../support/drive_window.sh
. "$tests/support/drive_window.sh"

start_window --backend cpu --window 960x540 --size 64x64 --vsync off --panels compact

# files PATTERN prints the number of files in the pictures folder; await PATTERN COUNT waits for it.
files() { find "$work/Pictures" -name "$1" | wc -l; }
await() {
    for _ in $(seq 2000); do
        [[ $(files "$1") -ne $2 ]] || return 0
        kill -0 "$program" 2>/dev/null || fail "the program ended: $(cat "$work/stderr")"
        pause 0.05
    done
    fail "$(files "$1") files $1, expected $2"
}
children() { pgrep -P "$program" | wc -l; }

press o
await '*-run.json' 1
[[ $(children) -eq 1 ]] || fail "no process records"
one_shot # the window still takes keys
press o
await '*-run.json' 0
[[ $(children) -eq 0 ]] || fail "the process goes on"
# Closing the window ends a recording and leaves no file.
press o
await '*-run.json' 1
end_window
[[ $(files '*-run.json') -eq 0 ]] || fail "a file of a recording that ended with the window"
