#!/usr/bin/env bash
# settings_window.sh: the window comes back as its user left it; an option wins for one run, and a
# file that is wrong stops nothing. with_display.sh starts it. Exit code 77: a tool is missing.
set -euo pipefail
tests=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck source=../support/drive_window.sh
. "$tests/support/drive_window.sh"
settings=$XDG_CONFIG_HOME/spherescope/settings
# Resizing without a window manager takes xdotool alone; the picture stays small and fast.
usual=(--backend cpu --size 64x64 --vsync off --panels off)
is() {
    local values
    values=$(grep -v '^#' "$settings" 2>/dev/null | sort | paste -sd ' ') || true
    [[ $values == "$*" ]] || fail "settings are \"$values\", not \"$*\""
}

# A window that is only looked at leaves no file.
start_window "${usual[@]}"
shoot 'width == 1280' 'state["theme"] == "dark"'
end_window
[[ ! -e $settings ]] || fail "settings of a window that nobody changed"

# A size that the window gets before its first frame is the desktop's choice, not its user's.
start_window "${usual[@]}"
shoot 'width == 1280'
press t t ctrl+plus
xdotool windowsize --sync "$window" 900 600
shoot 'width == 900' 'height == 600' 'state["theme"] == "projector"' 'state["hud_scale"] > 1'
end_window
is 'hud-scale = 1.1 theme = projector window = 900x600'

# It comes back; an option wins, and is not remembered.
start_window "${usual[@]}"
shoot 'width == 900' 'height == 600' 'state["theme"] == "projector"' 'state["hud_scale"] == 1.1'
end_window
start_window "${usual[@]}" --theme light --window 800x500
shoot 'width == 800' 'height == 500' 'state["theme"] == "light"' 'state["hud_scale"] == 1.1'
end_window
is 'hud-scale = 1.1 theme = projector window = 900x600'

# A window that is too small to be found again comes back as it was before.
start_window "${usual[@]}"
shoot 'width == 900'
xdotool windowsize --sync "$window" 900 20
shoot 'width == 900' 'height == 20'
end_window
is 'hud-scale = 1.1 theme = projector window = 900x600'

# Full screen keeps the size of the window behind it.
start_window "${usual[@]}" --fullscreen
shoot 'state["fullscreen"] is True' 'width == 1280'
for _ in $(seq 100); do # twice within two seconds quits
    kill -0 "$program" 2>/dev/null || break
    press q q
    sleep 0.2
done
wait "$program" || fail "full screen ended with $?: $(cat "$work/stderr")"
program=""
is 'hud-scale = 1.1 theme = projector window = 900x600'

# Runs that must look alike everywhere ignore them.
"$SPHERESCOPE" --offscreen --backend cpu --size 64x64 --screenshot "$work/off.png" >/dev/null 2>&1
python3 "$tests/support/png_record.py" "$work/off.png" 'width == 1280' 'state["theme"] == "dark"' \
    'state["hud_scale"] == 1'
"$SPHERESCOPE" "${usual[@]}" --frames 3 --screenshot "$work/on.png" >/dev/null 2>&1
python3 "$tests/support/png_record.py" "$work/on.png" 'width == 1280' 'state["theme"] == "dark"'

# A wrong file: one sentence, and the window opens with what is right.
printf 'theme = pink\nhud-scale = 2\n' >"$settings"
start_window "${usual[@]}"
shoot 'state["theme"] == "dark"' 'state["hud_scale"] == 2'
end_window
[[ $(grep -c 'line 1 is not a setting' "$work/stderr") -eq 1 ]] || fail "$(cat "$work/stderr")"

# A folder that takes no file: one sentence at the end, and exit code 0.
rm -r "$XDG_CONFIG_HOME"
echo >"$XDG_CONFIG_HOME"
start_window "${usual[@]}"
press t
shoot 'state["theme"] == "light"'
end_window
[[ $(grep -c 'settings were not saved' "$work/stderr") -eq 1 ]] || fail "$(cat "$work/stderr")"
