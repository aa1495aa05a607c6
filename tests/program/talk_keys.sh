#!/usr/bin/env bash
# talk_keys.sh: gives a shipped talk in a real window with the keys of a remote control, and checks
# the states in the screenshots. with_display.sh starts it. Exit code 77: a tool is missing.
set -euo pipefail
tests=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck source=../support/drive_window.sh
. "$tests/support/drive_window.sh"
export FAKE_XSS_LOG=$work/suspended SPHERESCOPE_XSS=${FAKE_XSS:-}

# is_black succeeds when every pixel of the newest screenshot is black.
is_black() {
    PYTHONPATH=$tests/support python3 -c 'import png_same, sys
sys.exit(any(map(any, png_same.rows(sys.argv[1])[0])))' "$(newest)"
}

start_window --backend cpu --window 640x360 --size 128x128 --vsync off --talk four-claims
shoot 'state["storage"] == "global"' 'state["panels"] == "off"' 'state["hud"] is False'
is_black && fail "the first step is black"
press Next
shoot 'state["duel"]["on"] is True' 'state["storage"] == "constant"'
# At the question, digits are a guess; the storage stays. A remote's point blanks the screen first.
press period
sleep 0.3
for _ in $(seq 40); do
    one_shot
    ! is_black || break
    pause 0.1
done
is_black || fail "the key . does not blank the screen"
press period 1 period 4 BackSpace 5 Return
shoot 'state["duel"]["storage"] == "global"' 'state["storage"] == "constant"'
is_black && fail "the screen is still black"
press Return
shoot 'state["storage"] == "constant"'
press Next
shoot 'state["duel"]["on"] is True' 'state["hud"] is True'
# Whatever a remote control or a mouse sends goes on and back.
xdotool mousemove --window "$window" 300 200
for way in 'key Down click 3' 'click 1 key Up' 'click 5 key Prior'; do
    back=${way#* * }
    keys+="$way "
    # shellcheck disable=SC2086 # words
    xdotool ${way% * *}
    shoot 'state["duel"]["on"] is False' 'state["hud"] is False'
    # shellcheck disable=SC2086 # words
    xdotool $back
    shoot 'state["duel"]["on"] is True' 'state["hud"] is True'
done
for _ in $(seq 10); do
    press Next
    shoot 'state["backend"] == "cpu"'
done
shoot 'state["page"] == "claims"' 'state["panels"] == "full"'
press Next
shoot 'state["page"] == "claims"'
[[ -z ${FAKE_XSS:-} ]] || grep -qx 'display 1' "$work/suspended" ||
    fail "the screen saver was not suspended"
press q
end_window
[[ -z ${FAKE_XSS:-} ]] || grep -qx 'display 0' "$work/suspended" ||
    fail "the screen saver is still suspended"

# A step's scene file may be exchanged while the talk is given: a pipe without a writer holds nobody
# up, and what has been linked to from outside is not read. The step before stays on screen.
mkdir "$work/talk"
cat >"$work/talk/talk.json" <<'END'
{"schema": "spherescope-talk-1", "title": "T", "minutes": 2, "steps": [
{"id": "first", "caption": "x", "minutes": 1, "set": {"spheres": "7"}},
{"id": "second", "caption": "y", "minutes": 1, "set": {"scene": "scene.json"}}]}
END
scene='{"schema": "spherescope-scene-1", "spheres": [
{"center": [0, 0, 0], "radius": 100, "color": [1, 1, 1]}]}'
echo "$scene" >"$work/outside.json"
echo "$scene" >"$work/talk/scene.json"
start_window --backend cpu --window 640x360 --size 64x64 --vsync off --talk "$work/talk/talk.json"
shoot 'state["scene"]["count"] == 7'
rm "$work/talk/scene.json"
mkfifo "$work/talk/scene.json"
press Next
shoot 'state["scene"]["kind"] == "random"' 'state["scene"]["count"] == 7'
rm "$work/talk/scene.json"
ln -s ../outside.json "$work/talk/scene.json"
press Prior Next
shoot 'state["scene"]["kind"] == "random"' 'state["scene"]["count"] == 7'
rm "$work/talk/scene.json"
echo "$scene" >"$work/talk/scene.json"
press Prior Next
shoot 'state["scene"]["kind"] == "file"'
press q
end_window
echo "$(shots) screenshots"
