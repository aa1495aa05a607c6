#!/usr/bin/env bash
# window_storm.sh [cpu|cuda]: on that backend, under a window manager, windows are closed; and one
# is resized down to 1x1, moved, minimised and restored, or taken to full screen and back, 200 times
# in a row while keys are pressed, and then gets a size that OpenGL cannot draw. Afterwards its
# screen is that of the start, memory has not grown, and nothing was complained about.
# STORM_CYCLES sets how many times, STORM_SEED their order. with_display.sh starts it. Exit code 77:
# a tool is missing.
set -euo pipefail
backend=${1:-cpu}
tests=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)
type -P openbox >/dev/null || { echo "skipped: openbox is not installed" >&2; exit 77; }
# shellcheck source=../support/drive_window.sh
. "$tests/support/drive_window.sh"
cycles=${STORM_CYCLES:-200}
# One buffer of the frame's size per change that is not freed is 4 MiB per full screen and 1 MiB per
# other size: 200 MiB.
growth_kib=65536

# Freed blocks return to the system, so that memory shows what is in use. Otherwise the C library
# keeps what the largest frames took: on a busy machine, Mesa holds tens of MiB in blocks of 64 KiB
# until it has drawn them.
export MALLOC_MMAP_THRESHOLD_=65536 MALLOC_TRIM_THRESHOLD_=131072 MALLOC_ARENA_MAX=2

# activate waits until the window manager has given the window the keyboard. Before it is ready, and
# while no window is active, xdotool fails and says so.
activate() { await "the window manager does not activate the window" has_keyboard; }

# has_size WIDTH HEIGHT, is_minimised, is_shown: what the display says of the window.
has_size() { [[ $(xdotool getwindowgeometry "$window") == *"Geometry: $1x$2" ]]; }
is_shown() { [[ $(xdotool search --onlyvisible --class spherescope 2>/dev/null) == *"$window"* ]]; }
is_minimised() { ! is_shown; }

# close_window WINDOW: asks the window manager to close it, as a button in a task bar does.
close_window() {
    python3 - "$1" <<'END'
import ctypes as c
import sys
class Message(c.Structure):
    _fields_ = [("type", c.c_int), ("serial", c.c_ulong), ("sent", c.c_int),
                ("display", c.c_void_p), ("window", c.c_ulong), ("name", c.c_ulong),
                ("format", c.c_int), ("data", c.c_long * 5), ("rest", c.c_long * 24)]
x = c.CDLL("libX11.so.6")
x.XOpenDisplay.restype = c.c_void_p
x.XInternAtom.restype = x.XDefaultRootWindow.restype = c.c_ulong
display = c.c_void_p(x.XOpenDisplay(None))
root = c.c_ulong(x.XDefaultRootWindow(display))
name = x.XInternAtom(display, b"_NET_CLOSE_WINDOW", 0)
message = Message(33, 0, 1, display, int(sys.argv[1]), name, 32, (0, 2))
to_manager = c.c_long(1 << 19 | 1 << 20)
assert x.XSendEvent(display, root, 0, to_manager, c.byref(message))
x.XCloseDisplay(display)
END
}

# The window manager gives the focus a moment later, on a busy machine after the key.
one_shot() {
    local before
    before=$(shots)
    for _ in $(seq 30); do
        xdotool windowactivate "$window" 2>/dev/null ||
            xdotool windowfocus "$window" 2>/dev/null || true
        xdotool key s
        for _ in $(seq 100); do
            [[ $(shots) -eq $before ]] || return 0
            kill -0 "$program" 2>/dev/null || fail "the program ended: $(cat "$work/stderr")"
            pause 0.05
        done
    done
    fail "key S wrote no screenshot; after the keys: $keys"
}

openbox --sm-disable >"$work/openbox" 2>&1 &
manager=$!
for _ in $(seq 300); do
    ! xdotool get_num_desktops >/dev/null 2>&1 || break
    pause 0.05
done

# The presenter's window is closed, and the show goes on without a word. Then the main window is
# closed, and its record is written: incomplete, because the time is not over.
lacks_notes() { ! window_named "Spherescope notes"; }
start_window --backend "$backend" --window 640x360 --size 64x64 --vsync off --talk ray-tracer \
    --presenter --seconds 10000 --json "$work/end.json"
await "there is no presenter's window" window_named "Spherescope notes"
notes=$found
await "there is no main window" window_named Spherescope
window=$found
close_window "$notes"
await "the presenter's window stays" lacks_notes
activate
press Next Next
shoot 'state["duel"]["on"] is True' 'any(r["metrics"]["n"] > 0 for r in results)'
close_window "$window"
ended "the window is closed:"
[[ -z $(complaints) ]] || fail "the window is closed: $(complaints)"
record False

RANDOM=${STORM_SEED:-1}
start_window --backend "$backend" --window 960x540 --size 64x64 --vsync off --panels full
pid=$program
# resident prints the least memory of a second, in KiB: a frame takes some while it is drawn.
resident() {
    for _ in $(seq 20); do
        awk '$1 == "VmRSS:" { print $2 }' "/proc/$pid/status"
        pause 0.05
    done | sort -n | head -1
}
samples='max(r["metrics"]["n"] for r in results if r["variant"] == "book/global")'

# Keys that change neither the scene nor the image leave every mode its numbers. None of them leads
# back to the mode of the start.
storm_keys=(2 3 4 5 t u d h Escape g a y p n x v i ctrl+plus ctrl+minus)
key() { printf '%s' "${storm_keys[RANDOM % ${#storm_keys[@]}]}"; }

# resize WIDTH HEIGHT KEY: gives the window that size and presses the key at once.
resize() { xdotool windowsize "$window" "$1" "$2" key "$3"; }

odd_sizes() {
    local size
    for size in "1 1" "20000 40" "40 20000" "1280 1" "1 800" "960 540"; do
        # shellcheck disable=SC2086 # two words
        resize $size "$(key)"
        pause 0.1
    done
}

# restore STORAGE_KEY: presses it and those that lead back to the kernel and the screen of the
# start; Home would begin anew.
restore() {
    local back
    activate
    press Escape Escape "$1"
    for _ in 1 2 3 4; do
        one_shot
        back=$(python3 "$tests/support/png_record.py" "$(newest)" | python3 -c 'import json, sys
state = json.load(sys.stdin)["state"]
steps = {"panels": ("p", ["off", "full", "compact"]),
         "kernel": ("k", ["book", "splat", "binned", "strip"]), "hud": ("u", [True, False]),
         "help": ("Escape", [False, True]), "details": ("d", [False, True]),
         "heatmap": ("g", ["off", "cycles", "tests"])}
if state["backend"] == "cpu":
    steps["heatmap"] = ("g", ["off", "tests"]) # it counts no cycles
print(*[k for name, (k, values) in steps.items() for _ in range(values.index(state[name]))])')
        [[ -n $back ]] || return 0
        # shellcheck disable=SC2086 # words
        press $back
    done
}

# What the panels take belongs to the start, and so does what every screen takes the first time, at
# the largest size: tables, glyphs, buffers, shaders.
shoot 'env["device"]["backend"] == "'"$backend"'"' \
    'any(r["benchmark"] == "access" and r["backend"] == "'"$backend"'" and r["metrics"]["n"] > 0
         for r in results)'
for name in "${storm_keys[@]}" k m k; do
    resize $((1 + RANDOM % 1280)) $((1 + RANDOM % 800)) "$name"
done
resize 1280 800 "$(key)"
odd_sizes
restore 1
press F11
shoot 'state["fullscreen"] is True' '(width, height) == (1280, 800)'
press F11
shoot "$samples >= 100" '(width, height) == (960, 540)' 'state["panels"] == "off"'
before=$(resident)

# storm KIND: does that to the window, and waits until the display says so, so that no change hides
# the next one.
width=960 height=540
storm() {
    case $1 in
    resize)
        width=$((1 + RANDOM % 1280)) height=$((1 + RANDOM % 800))
        ((RANDOM % 4)) || width=1 height=1
        resize $width $height "$(key)"
        await "no size of ${width}x$height" has_size $width $height
        ;;
    move)
        xdotool windowmove "$window" $((RANDOM % 1600 - 300)) $((RANDOM % 1000 - 200)) key "$(key)"
        ;;
    minimise)
        xdotool windowminimize "$window" key "$(key)"
        await "the window is not minimised" is_minimised
        xdotool windowmap "$window"
        await "the window is not restored" is_shown
        ;;
    fullscreen)
        activate
        xdotool key F11
        await "no full screen" has_size 1280 800
        xdotool key t key F11 # not Escape, which leaves full screen, too
        await "full screen stays" has_size $width $height
        ;;
    esac
}
kinds=(resize move minimise fullscreen resize)
for cycle in $(seq "$cycles"); do
    storm "${kinds[RANDOM % ${#kinds[@]}]}"
    [[ -z $(complaints) ]] || fail "cycle $cycle: $(complaints)"
done
resize 1 1 2
activate
shoot '(width, height) == (1, 1)'
odd_sizes
xdotool windowmove "$window" 40 40
restore 2
shoot 'state["storage"] == "readonly"' 'state["kernel"] == "book"' '(width, height) == (960, 540)' \
    'state["fullscreen"] is False' 'state["panels"] == "off"'
press 1
shoot "$samples >= 100" 'state["storage"] == "global"'

after=$(resident)
((after <= before + growth_kib)) || fail "$((after / 1024)) MiB after $((before / 1024)) MiB"
[[ -z $(complaints) ]] || fail "$(complaints)"

# Without a window manager nothing holds a size back. The program says what is wrong and goes on
# when the size is possible again. OpenGL on a GPU may draw that size.
software=$(python3 "$tests/support/png_record.py" "$(newest)" | python3 -c 'import json, sys
print(json.load(sys.stdin)["environment"]["gl"]["software"])')
kill "$manager"
wait "$manager" 2>/dev/null || true
sleep 0.3
xdotool windowsize "$window" 20000 20000
for _ in $(seq 200); do [[ -z $(complaints) ]] || break; sleep 0.05; done
if [[ -n $(complaints) || $software == True ]]; then
    grep -q '^spherescope: A frame of 20000 x 20000 is larger than .* Make the window smaller\.$' \
        "$work/stderr" || fail "20000x20000: $(complaints)"
fi
xdotool windowsize --sync "$window" 960 540
xdotool windowmap "$window" windowfocus "$window"
shoot "$samples >= 100" 'width == 960' 'height == 540'
end_window
echo "$(shots) screenshots; $((before / 1024)) MiB before, $((after / 1024)) MiB after"
