#!/usr/bin/env bash
# gl_reset.sh: the driver resets OpenGL. The program says so itself, writes its record as
# incomplete, and ends with exit code 1. A reset in the presenter's window closes that window only.
# with_display.sh starts it. Exit code 77: a tool is missing.
set -euo pipefail
tests=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck source=../support/drive_window.sh
. "$tests/support/drive_window.sh"

# reset N ARGUMENT...: runs the program; when it asks for the Nth time, the driver has reset its
# OpenGL. It asks when a frame begins and ends, and when a picture has been read.
reset() {
    local status=0
    rm -rf "$work"/p.png "$work"/end.json "$work"/frames
    SPHERESCOPE_FAIL=glGetGraphicsResetStatus:$1 "$SPHERESCOPE" --backend cpu --size 64x64 \
        --window 320x180 --panels off --screenshot "$work/p.png" --json "$work/end.json" \
        "${@:2}" >/dev/null 2>"$work/stderr" || status=$?
    [[ $status -eq 1 ]] || fail "exit code $status: $(cat "$work/stderr")"
    grep -q '^spherescope: .*GL_CONTEXT_LOST.*: the graphics driver was reset, so start the' \
        "$work/stderr" || fail "$(cat "$work/stderr")"
    [[ $(grep -c '^spherescope: ' "$work/stderr") -eq 1 ]] || fail "lines: $(cat "$work/stderr")"
    [[ ! -e $work/p.png ]] || fail "a picture of a lost context is written"
}
for ask in 50 51 52; do
    reset "$ask" --seconds 20 --vsync off
    grep -q 'written as incomplete\.$' "$work/stderr" || fail "$(cat "$work/stderr")"
    record False
done

# Without a display, the table does not need OpenGL.
for ask in 20 21 22; do
    reset "$ask" --offscreen --modes book/global --frames 8 --seconds 1
    record True
done
echo "OpenGL reset 6 times"

# In the presenter's window: it closes with a notice, and the show goes on to its end.
# talk N OPTION...: gives a talk; the driver has reset OpenGL at question N. No key is pressed, so
# that the questions are the same in every run.
talk() {
    rm -f "$work"/p.png "$work"/end.json
    SPHERESCOPE_FAIL=glGetGraphicsResetStatus:$1 "$SPHERESCOPE" --backend cpu --size 64x64 \
        --window 320x180 --vsync off --talk ray-tracer --presenter --screenshot "$work/p.png" \
        --json "$work/end.json" "${@:2}" >/dev/null 2>"$work/stderr"
}
talk 1000000 --frames 8 || fail "a talk: $(cat "$work/stderr")"
mv "$work/p.png" "$work/whole.png"
# The first frame asks a few times, and a reset ends the run. Then the presenter's first frame asks.
for ask in $(seq 15 40); do
    ! talk "$ask" --frames 8 || break
    grep -q '^spherescope: .*GL_CONTEXT_LOST' "$work/stderr" || fail "$(cat "$work/stderr")"
done
[[ -z $(complaints) ]] || fail "a presenter's window that is lost: $(cat "$work/stderr")"
same() { python3 "$tests/support/png_same.py" "$work/whole.png" "$work/p.png" "$@" 2>/dev/null; }
same 0 80 80 70 || fail "the picture beside the scene has changed"
! same 10 168 240 12 || fail "there is no notice of the presenter's window"

# windows_of_talk N: gives a talk for some seconds, and counts the looks at it that see the
# presenter's window beside the main one, and those after the first of them that see the main one
# alone: the last of a talk does, at times.
windows_of_talk() {
    local status=0
    both=0 alone=0
    talk "$1" --seconds 3 &
    program=$!
    while kill -0 "$program" 2>/dev/null; do
        if xdotool search --onlyvisible --name '^Spherescope$' >/dev/null 2>&1; then
            if xdotool search --onlyvisible --name '^Spherescope notes$' >/dev/null 2>&1; then
                both=$((both + 1))
            else
                alone=$((alone + (both > 0)))
            fi
        fi
        pause 0.1
    done
    wait "$program" || status=$?
    program=""
    [[ $status -eq 0 && -z $(complaints) ]] || fail "a talk: $status, $(cat "$work/stderr")"
    record True
}
windows_of_talk 1000000
((both > 0 && alone <= 2)) || fail "the presenter's window is gone after $both looks"
windows_of_talk "$ask"
((both == 0 || alone > 2)) || fail "the presenter's window is lost, and stays for $both looks"
echo "one presenter's window lost"
