#!/usr/bin/env bash
# light_keys.sh [cpu|cuda]: presses the keys of the light view and moves the mouse in a real window,
# and checks the records in the screenshots. with_display.sh starts it. Exit code 77: a tool is
# missing.
set -euo pipefail
backend=${1:-cpu}
tests=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck source=../support/drive_window.sh
. "$tests/support/drive_window.sh"

start_window --backend "$backend" --window 640x400 --size 96x64 --vsync off --panels off

# Prints what the newest screenshot's record says of the light view.
light() {
    python3 "$tests/support/png_record.py" "$(newest)" |
        python3 -c 'import json, sys; print(json.load(sys.stdin)["state"]["light"])'
}

# The book view has no camera: nothing that belongs to the light view changes its state.
one_shot
start=$(light)
xdotool mousemove --window "$window" 300 200
press period comma e ctrl+Left
xdotool mousedown 1 mousemove_relative 40 0 mouseup 1 click 4
one_shot
[[ $(light) == "$start" ]] || fail "in the book view: $(light)"

press 3 l
shoot 'state["kernel"] == "brute"' 'state["storage"] == "constant"' \
    'any(r["variant"] == "brute/constant" and r["metrics"]["n"] > 0 and
         r["workload"]["view"] == "light" for r in results)' \
    "state['light']['bounces'] == $start['bounces']"
press k period period comma e
shoot 'state["kernel"] == "tree"' "state['light']['bounces'] == $start['bounces'] + 1" \
    'state["light"]["samples"] == 4' \
    'any(r["variant"] == "tree/constant" and r["workload"]["samples"] == 4 for r in results)'
press ctrl+Left ctrl+Up ctrl+Next
shoot "abs(state['light']['yaw'] - $start['yaw'] + 5) < 0.01" \
    "abs(state['light']['pitch'] - $start['pitch'] - 5) < 0.01" \
    "state['light']['distance'] > $start['distance']"
press ctrl+Prior ctrl+l
shoot 'state["light"]["camera_path"] is True' \
    "abs(state['light']['distance'] - $start['distance']) < 0.02"
press ctrl+l

# To the right and down with the left button held: the camera goes to the left and up. The wheel
# moves it nearer.
xdotool mousemove --window "$window" 300 200 mousedown 1
for _ in 1 2 3 4; do xdotool mousemove_relative 10 10; sleep 0.02; done
xdotool mouseup 1
turned="17.5 < $start['yaw'] - 5 - state['light']['yaw'] < 18.5"
shoot "$turned" "17.5 < state['light']['pitch'] - $start['pitch'] - 5 < 18.5"
xdotool mousemove_relative 50 50
xdotool click 4 click 4
shoot "state['light']['distance'] < 0.9 * $start['distance']" "$turned"

press Home
shoot 'state["kernel"] == "book"'
[[ $(light) == "$start" ]] || fail "after Home: $(light)"
end_window

echo "$(shots) screenshots"
