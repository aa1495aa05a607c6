#!/usr/bin/env bash
# window_storm.sh: under a window manager the window is resized, moved, minimised, restored and
# taken to full screen and back while keys are pressed, and then gets a size that OpenGL cannot
# draw.
# Afterwards its numbers are still there, memory has not grown, and nothing was complained about.
# STORM_RESIZES sets the number of resizes, STORM_SEED their order. with_display.sh starts it. Exit
# code 77: a tool is missing.
set -euo pipefail
tests=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)
type -P openbox >/dev/null || { echo "skipped: openbox is not installed" >&2; exit 77; }
# shellcheck source=../support/drive_window.sh
. "$tests/support/drive_window.sh"
resizes=${STORM_RESIZES:-100}
# A frame has 1040 x 650 pixels on average: one buffer per resize that is not freed is 260 MiB.
growth_kib=65536

# Freed blocks return to the system, so that memory shows what is in use. Otherwise the C library
# keeps what the largest frames took: on a busy machine, Mesa holds tens of MiB in blocks of 64 KiB
# until it has drawn them.
export MALLOC_MMAP_THRESHOLD_=65536 MALLOC_TRIM_THRESHOLD_=131072 MALLOC_ARENA_MAX=2

# activate waits until the window manager has given the window the focus. Before it is ready, and
# while no window is active, xdotool fails and says so.
activate() {
    for _ in $(seq 600); do
        xdotool windowactivate "$window" 2>/dev/null || true
        [[ $(xdotool getactivewindow 2>/dev/null || true) != "$window" ]] || return 0
        kill -0 "$program" 2>/dev/null || fail "the program ended: $(cat "$work/stderr")"
        sleep 0.05
    done
    fail "the window manager does not activate the window"
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
            sleep 0.05
        done
    done
    fail "key S wrote no screenshot; after the keys: $keys"
}

openbox --sm-disable >"$work/openbox" 2>&1 &
manager=$!
for _ in $(seq 300); do
    ! xdotool get_num_desktops >/dev/null 2>&1 || break
    sleep 0.05
done

RANDOM=${STORM_SEED:-1}
start_window --backend cpu --window 960x540 --size 64x64 --vsync off
pid=$program
# resident prints the least memory of a second, in KiB: a frame takes some while it is drawn.
resident() {
    for _ in $(seq 20); do
        awk '$1 == "VmRSS:" { print $2 }' "/proc/$pid/status"
        sleep 0.05
    done | sort -n | head -1
}
samples='max(r["metrics"]["n"] for r in results if r["variant"] == "book/global")'

# Keys that change neither the scene nor the image leave every mode its numbers.
storm_keys=(1 2 3 4 5 m k t u d h Escape g a y p n x v i ctrl+plus ctrl+minus)
key() { printf '%s' "${storm_keys[RANDOM % ${#storm_keys[@]}]}"; }

# resize WIDTH HEIGHT KEY: gives the window that size and presses the key at once.
resize() { xdotool windowsize "$window" "$1" "$2" key "$3"; }

odd_sizes() {
    local size
    for size in "1 1" "20000 40" "40 20000" "1280 1" "1 800" "960 540"; do
        # shellcheck disable=SC2086 # two words
        resize $size "$(key)"
        sleep 0.1
    done
}

# Presses the keys that lead back to the mode and the screen of the start; Home would begin anew.
restore() {
    local back
    activate
    press Escape Escape 1
    for _ in 1 2 3 4; do
        one_shot
        back=$(python3 "$tests/support/png_record.py" "$(newest)" | python3 -c 'import json, sys
state = json.load(sys.stdin)["state"]
steps = {"panels": ("p", ["off", "full", "compact"]), "spotlight": ("x", ["off", "whole", "side"]),
         "kernel": ("k", ["book", "binned", "strip"]), "hud": ("u", [True, False]),
         "help": ("Escape", [False, True]), "device_card": ("d", [False, True]),
         "anatomy": ("a", ["off", "on"]), "story": ("y", [False, True]),
         "heatmap": ("g", ["off", "tests"])}
print(*[k for name, (k, values) in steps.items() for _ in range(values.index(state[name]))])')
        [[ -n $back ]] || return 0
        # shellcheck disable=SC2086 # words
        press $back
    done
}

# What the panels take belongs to the start, and so does what every screen takes the first time, at
# the largest size: tables, glyphs, buffers, shaders.
shoot 'any(r["benchmark"] == "latency" and r["backend"] == "cpu" and r["metrics"]["n"] > 0
           for r in results)'
for name in "${storm_keys[@]}"; do
    resize $((1 + RANDOM % 1280)) $((1 + RANDOM % 800)) "$name"
done
resize 1280 800 "$(key)"
odd_sizes
restore
press F11
shoot 'state["fullscreen"] is True' '(width, height) == (1280, 800)'
press F11
shoot "$samples >= 100" '(width, height) == (960, 540)' 'state["panels"] == "off"'
before=$(resident)

for _ in $(seq "$resizes"); do
    resize $((800 + RANDOM % 481)) $((500 + RANDOM % 301)) "$(key)"
done
odd_sizes
for place in "0 0" "-300 -200" "1200 700" "40 40"; do
    # shellcheck disable=SC2086 # two words
    xdotool windowmove "$window" $place key "$(key)"
done
for _ in 1 2 3; do
    xdotool windowminimize "$window" key "$(key)"
    sleep 0.2
    xdotool windowmap "$window"
    activate
    xdotool key "$(key)"
done
kill -0 "$pid" 2>/dev/null || fail "the program ended: $(cat "$work/stderr")"
restore
shoot "$samples >= 100" 'state["storage"] == "global"' 'state["kernel"] == "book"' 'width == 960' \
    'height == 540' 'state["fullscreen"] is False'

# Full screen fills the display; the window returns where it was.
for _ in 1 2; do
    press F11
    shoot 'state["fullscreen"] is True' '(width, height) == (1280, 800)'
    press t F11
    shoot 'state["fullscreen"] is False' '(width, height) == (960, 540)'
done

after=$(resident)
((after <= before + growth_kib)) || fail "$((after / 1024)) MiB after $((before / 1024)) MiB"
[[ ! -s $work/stderr ]] || fail "$(cat "$work/stderr")"

# Without a window manager nothing holds a size back. The program says what is wrong and goes on
# when the size is possible again.
kill "$manager"
wait "$manager" 2>/dev/null || true
sleep 0.3
xdotool windowsize "$window" 20000 20000
for _ in $(seq 200); do [[ ! -s $work/stderr ]] || break; sleep 0.05; done
grep -q '^spherescope: A frame of 20000 x 20000 is larger than .* Make the window smaller\.$' \
    "$work/stderr" || fail "20000x20000: $(cat "$work/stderr")"
xdotool windowsize --sync "$window" 960 540
xdotool windowmap "$window" windowfocus "$window"
shoot "$samples >= 100" 'width == 960' 'height == 540'
end_window
echo "$(shots) screenshots; $((before / 1024)) MiB before, $((after / 1024)) MiB after"
