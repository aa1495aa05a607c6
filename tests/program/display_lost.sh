#!/usr/bin/env bash
# display_lost.sh: the X server is killed under the window, and under a minimised one, and closes
# the connection before there is a window; and the driver resets OpenGL. The program says so itself,
# writes its record as incomplete, and ends with exit code 1. A reset in the presenter's window
# closes that window only, and on a display without OpenGL 3.3, the program runs without a window.
# Exit code 77: a tool is missing.
set -euo pipefail
tests=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)
for tool in Xvfb openbox xprop; do
    type -P "$tool" >/dev/null || { echo "skipped: $tool is not installed" >&2; exit 77; }
done
server=""
# shellcheck source=../support/drive_window.sh
. "$tests/support/drive_window.sh"
trap '[[ -z $server ]] || kill -KILL "$server" 2>/dev/null || true; clean_up' EXIT
unset WAYLAND_DISPLAY XAUTHORITY

small=(--backend cpu --size 64x64)

# ends CODE WORDS COMMAND...: the command ends with that code and one line, which begins so.
ends() {
    local status=0
    "${@:3}" >/dev/null 2>"$work/stderr" || status=$?
    [[ $status -eq $1 && $(grep -c . "$work/stderr") -eq 1 ]] &&
        grep -q "^spherescope: $2" "$work/stderr" ||
        fail "$*: exit code $status: $(cat "$work/stderr")"
}

# record True|False: the record at the end is complete, or not, and has times.
record() {
    python3 -c 'import json, sys
r = json.load(open(sys.argv[1]))
assert str(r["complete"]) == sys.argv[2]
assert any(x["benchmark"] == "raytrace" and x["metrics"]["n"] > 0 for x in r["results"])' \
        "$work/end.json" "$1" || fail "the record"
}

# open_display [-]: opens a display of its own, because the test kills it; with -, one without GLX.
open_display() {
    local number
    exec {number}< <(exec Xvfb -displayfd 1 -screen 0 1280x800x24 -noreset -nolisten tcp \
        "${1:-+}extension" GLX 2>"$work/xvfb" </dev/null)
    server=$!
    read -r -t 60 -u "$number" display || fail "Xvfb did not start: $(cat "$work/xvfb")"
    exec {number}<&-
    export DISPLAY=:$display
}

# lose WORDS: kills the display; the program must end by itself. The time is for a busy machine: it
# takes less than a second.
lose() {
    kill -KILL "$server"
    server=""
    for _ in $(seq 600); do kill -0 "$program" 2>/dev/null || break; sleep 0.05; done
    ! kill -0 "$program" 2>/dev/null || fail "still running after 30 s without a display"
    mv "$work/stderr" "$work/said"
    ends 1 "The display is gone: its X server has ended or .*$1" said "$program"
    program=""
}
said() { cat "$work/said" >&2 && wait "$1"; }

open_display
start_window --backend cpu --window 640x360 --size 64x64 --json "$work/end.json"
shoot 'any(r["benchmark"] == "raytrace" and r["metrics"]["n"] > 10 for r in results)'
lose 'written as incomplete\.$'
record False
[[ -z $(find "$work" -maxdepth 1 -name 'end.json?*') ]] || fail "a part of a file is left"

# While it is minimised, the program waits for events.
open_display
start_window --backend cpu --window 640x360 --size 64x64 --panels off
shoot 'width == 640'
xdotool windowunmap "$window"
sleep 0.5
lose 'closed the connection\.$'

# A display that greets the program as the real one does, and leaves at its first request.
open_display
early=$((30000 + $$ % 20000))
coproc python3 -c 'import socket, sys
real, early = ("/tmp/.X11-unix/X" + n for n in sys.argv[1:])
greeting = b"l\0\x0b\0" + bytes(8)
server = socket.socket(socket.AF_UNIX)
server.connect(real)
server.sendall(greeting)
answer = server.recv(8, socket.MSG_WAITALL)
answer += server.recv(4 * int.from_bytes(answer[6:8], "little"), socket.MSG_WAITALL)
listening = socket.socket(socket.AF_UNIX)
listening.bind(early)
listening.listen()
print("ready", flush=True)
client = listening.accept()[0]
client.recv(4096)
client.sendall(answer)
client.recv(1)' "$display" "$early"
leaver=$COPROC_PID
read -r -t 60 -u "${COPROC[0]}" _ || fail "the display that leaves did not start"
ends 1 'The display is gone: .* before the window was there\. Start again' env DISPLAY=":$early" \
    "$SPHERESCOPE" "${small[@]}" --window 640x360
kill "$leaver" 2>/dev/null || true
rm -f "/tmp/.X11-unix/X$early"
echo "three displays lost"

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
open_display
for ask in 50 51 52 300; do
    reset "$ask" --seconds 20 --vsync off
    grep -q 'written as incomplete\.$' "$work/stderr" || fail "$(cat "$work/stderr")"
    record False
done

# Without a display, the table does not need OpenGL.
for ask in 6 20 21 22; do
    reset "$ask" --offscreen --modes book/global --frames 8 --seconds 1
    record True
done
echo "OpenGL reset 8 times"

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
for ask in $(seq 10 40); do
    ! talk "$ask" --frames 8 || break
    grep -q '^spherescope: .*GL_CONTEXT_LOST' "$work/stderr" || fail "$(cat "$work/stderr")"
done
[[ -z $(complaints) ]] || fail "a presenter's window that is lost: $(cat "$work/stderr")"
same() { python3 "$tests/support/png_same.py" "$work/whole.png" "$work/p.png" "$@" 2>/dev/null; }
same 0 80 80 70 || fail "the picture beside the scene has changed"
! same 30 20 40 20 || fail "there is no notice of the presenter's window"

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
        sleep 0.1
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

# without_window LINES PICTURES [VARIABLE=VALUE]: on a display without OpenGL 3.3, the picture is
# drawn without a window, or none, and the table is printed.
without_window() {
    local status=0
    mkdir -p "$work/cwd"
    rm -f "$work"/cwd/*
    (cd "$work/cwd" && exec env "${@:3}" "$SPHERESCOPE" --backend cpu --size 64x64 --frames 3 \
        --seconds 2 >"$work/out" 2>"$work/stderr") || status=$?
    [[ $status -eq 0 ]] || fail "no OpenGL: exit code $status: $(cat "$work/stderr")"
    grep -q '^spherescope: No window with OpenGL 3\.3 can be opened: .*\.$' "$work/stderr" &&
        grep -q '^spherescope: Running without a window: one offscreen picture and the table\.$' \
            "$work/stderr" &&
        [[ $(grep -c '^spherescope: ' "$work/stderr") -eq $1 ]] || fail "$(cat "$work/stderr")"
    grep -q '^  book/global ' "$work/out" || fail "no table without OpenGL: $(cat "$work/out")"
    [[ $(find "$work/cwd" -name 'spherescope-*.png' | wc -l) -eq $2 ]] ||
        fail "not $2 pictures without OpenGL"
}
# Mesa has an older OpenGL everywhere, which two more lines tell; a program that asks for a monitor
# asks for a window.
without_window 4 0 MESA_GL_VERSION_OVERRIDE=2.1
grep -q '^spherescope: No picture can be drawn either; printing the table alone\.$' \
    "$work/stderr" || fail "$(cat "$work/stderr")"
monitor=("$SPHERESCOPE" "${small[@]}" --monitor 0)
ends 4 '' env MESA_GL_VERSION_OVERRIDE=2.1 "${monitor[@]}"
# Nor is there one where nothing shows windows.
ends 4 'No window can be opened: DISPLAY is not set, so this Wayland session has no XWayland;' \
    env -u DISPLAY WAYLAND_DISPLAY=w-0 "${monitor[@]}"
ends 4 'No window can be opened: WSL has not set DISPLAY; run "wsl --update"' \
    env -u DISPLAY WSL_DISTRO_NAME=Debian "${monitor[@]}"

# A window manager that was killed has left its mark, at which GLFW 3.3 aborts.
mark() { xprop -root _NET_SUPPORTING_WM_CHECK; }
openbox --sm-disable >"$work/openbox" 2>&1 &
manager=$!
for _ in $(seq 600); do [[ $(mark) != *'# 0x'* ]] || break; sleep 0.05; done
kill -KILL "$manager"
wait "$manager" 2>/dev/null || true
left=$(mark)
[[ $left == *'# 0x'* ]] || fail "openbox has left no mark: $left"
ends 0 "The display's window manager has ended: start it again" "$SPHERESCOPE" "${small[@]}" \
    --frames 3 --json "$work/end.json"
grep -q '"GLFW window, X11' "$work/end.json" && [[ $(mark) == "$left" ]] ||
    fail "a killed window manager: $(mark)"

# A display without GLX.
kill -KILL "$server"
wait "$server" 2>/dev/null || true
open_display -
without_window 2 1
echo "one presenter's window lost; two displays without OpenGL 3.3"
