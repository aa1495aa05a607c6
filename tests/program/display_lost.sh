#!/usr/bin/env bash
# display_lost.sh: the X server is killed under the window, and under a minimised one, and closes
# the connection before there is a window; and the driver resets OpenGL. The program says so itself,
# writes its record as incomplete, and ends with exit code 1. Exit code 77: a tool is missing.
set -euo pipefail
tests=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)
type -P Xvfb >/dev/null || { echo "skipped: Xvfb is not installed" >&2; exit 77; }
server=""
# shellcheck source=../support/drive_window.sh
. "$tests/support/drive_window.sh"
trap '[[ -z $server ]] || kill -KILL "$server" 2>/dev/null || true; clean_up' EXIT
unset WAYLAND_DISPLAY XAUTHORITY

# A display of its own, because the test kills it.
open_display() {
    local number
    exec {number}< <(exec Xvfb -displayfd 1 -screen 0 1280x800x24 -noreset -nolisten tcp \
        +extension GLX 2>"$work/xvfb" </dev/null)
    server=$!
    read -r -t 60 -u "$number" display || fail "Xvfb did not start: $(cat "$work/xvfb")"
    exec {number}<&-
    export DISPLAY=:$display
}

# lose: kills the display; the program must end by itself. The time is for a busy machine: it takes
# less than a second.
lose() {
    local status=0
    kill -KILL "$server"
    server=""
    for _ in $(seq 600); do kill -0 "$program" 2>/dev/null || break; sleep 0.05; done
    ! kill -0 "$program" 2>/dev/null || fail "still running after 30 s without a display"
    wait "$program" || status=$?
    program=""
    [[ $status -eq 1 ]] || fail "exit code $status: $(cat "$work/stderr")"
    [[ $(grep -c . "$work/stderr") -eq 1 ]] || fail "more than one line: $(cat "$work/stderr")"
    grep -q "^spherescope: The display is gone: its X server has ended or .*$1" "$work/stderr" ||
        fail "$(cat "$work/stderr")"
}

open_display
start_window --backend cpu --window 640x360 --size 64x64 --json "$work/end.json"
shoot 'any(r["benchmark"] == "raytrace" and r["metrics"]["n"] > 10 for r in results)'
lose 'written as incomplete\.$'
python3 -c 'import json, sys
r = json.load(open(sys.argv[1]))
assert r["complete"] is False
assert any(x["benchmark"] == "raytrace" and x["metrics"]["n"] > 10 for x in r["results"])' \
    "$work/end.json" || fail "the record"
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
status=0
DISPLAY=:$early "$SPHERESCOPE" --backend cpu --window 640x360 --size 64x64 2>"$work/stderr" ||
    status=$?
kill "$leaver" 2>/dev/null || true
rm -f "/tmp/.X11-unix/X$early"
[[ $status -eq 1 ]] || fail "exit code $status: $(cat "$work/stderr")"
grep -q '^spherescope: The display is gone: .* before the window was there\. Start again' \
    "$work/stderr" || fail "$(cat "$work/stderr")"
[[ $(grep -c . "$work/stderr") -eq 1 ]] || fail "more than one line: $(cat "$work/stderr")"
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
for ask in 50 51 52 53 54 55 300; do
    reset "$ask" --seconds 20 --vsync off
    grep -q 'written as incomplete\.$' "$work/stderr" || fail "$(cat "$work/stderr")"
    python3 -c 'import json, sys
r = json.load(open(sys.argv[1]))
assert r["complete"] is False
assert any(x["benchmark"] == "raytrace" and x["metrics"]["n"] > 0 for x in r["results"])' \
        "$work/end.json" || fail "the record after a reset"
done

# Without a display, the table does not need OpenGL.
for ask in 6 20 21 22 23 24 25; do
    reset "$ask" --offscreen --modes book/global --frames 8 --seconds 1
    python3 -c 'import json, sys
r = json.load(open(sys.argv[1]))
assert r["complete"] is True
assert any(x["benchmark"] == "raytrace" and x["metrics"]["n"] > 0 for x in r["results"])' \
        "$work/end.json" || fail "the record after a reset without a display"
done
echo "OpenGL reset 14 times"
