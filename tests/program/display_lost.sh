#!/usr/bin/env bash
# display_lost.sh: the X server is killed under the window, and under a minimised one, and closes
# the connection before there is a window. The program says so itself, writes its record as
# incomplete, and ends with exit code 1. On a display without OpenGL 3.3, it runs without a window.
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
    for _ in $(seq 600); do kill -0 "$program" 2>/dev/null || break; pause 0.05; done
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

open_display
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
for _ in $(seq 600); do [[ $(mark) != *'# 0x'* ]] || break; pause 0.05; done
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
echo "two displays without OpenGL 3.3"
