#!/usr/bin/env bash
# window_keys.sh [cpu|cuda]: presses keys in a real window on that backend and checks the records in
# the screenshots. with_display.sh starts it. Exit code 77: a tool is missing.
set -euo pipefail
backend=${1:-cpu}
tests=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck source=../support/drive_window.sh
. "$tests/support/drive_window.sh"

start_window --backend "$backend" --window 960x540 --size 128x128 --vsync off --panels off \
    --json "$work/end.json"

shoot 'state["storage"] == "global"' 'state["scene"]["count"] == 20' 'width == 960' \
    'height == 540' 'env["device"]["backend"] == "'"$backend"'"' 'state["motion"] is True' \
    'any(r["variant"] == "book/global" and r["metrics"]["n"] > 0 for r in results)'
press 3
shoot 'state["storage"] == "constant"' 'state["pose"]["time_s"] > 0' \
    'any(r["variant"] == "book/constant" and r["metrics"]["n"] > 0 for r in results)'
[[ $(newest) == *-constant*.png ]] || fail "the name says no storage: $(newest)"
press 4
shoot 'state["panels"] == "off"' 'not any(r["benchmark"] == "claims" for r in results)'
press p p
shoot 'state["panels"] == "full"' 'state["page"] == "claims"' \
    'any(r["benchmark"] == "access" and r["metrics"]["n"] > 0 for r in results)'
# Other pages cover the picture, which keeps its size and its times, until one is hidden.
press n n ctrl+n b
shoot 'state["page"] == "story"' \
    'any(r["variant"] == "book/shared" and r["metrics"]["n"] > 0 for r in results)'
press Escape y a a
shoot 'state["panels"] == "off"'
# A duel against the mode that was left: storage keys change side B, and the record has both.
press 2
shoot 'state["storage"] == "readonly"' # on screen: what one frame passes over was not left
press m
shoot 'state["storage"] == "constant"'
press Tab 1
shoot 'state["duel"]["storage"] == "global"' 'state["storage"] == "constant"' \
    'any(r["variant"] == "book/constant,book/global" for r in results)'
press Tab
shoot 'state["duel"]["on"] is False' 'all(r["benchmark"] != "duel" for r in results)'
press z
shoot 'state["follow_pane"] is True' '(state["width"], state["height"]) == (960, 540)'
xdotool windowsize --sync "$window" 700 400
shoot '(state["width"], state["height"]) == (700, 400)' 'width == 700' 'height == 400'
press z
shoot '(state["width"], state["height"]) == (128, 128)' 'width == 700'
if [[ $backend == cuda ]]; then
    shoot 'env["blit"]["used"] == "interop"'
    press i
    shoot 'state["blit"] == "pbo"' 'env["blit"]["used"] == "pbo"'
    press i
    shoot 'state["blit"] == "copy"' 'env["blit"]["used"] == "copy"'
    press c
    shoot 'env["device"]["backend"] == "cpu"'
    press c
    shoot 'env["device"]["backend"] == "cuda"'
else
    press i
    shoot 'state["blit"] == "pbo"' 'env["blit"]["used"] == "copy"'
    press c
    shoot 'env["device"]["backend"] == "cpu"'
fi
press t u ctrl+plus ctrl+plus w
shoot 'state["theme"] == "light"' 'state["hud"] is False' 'state["hud_scale"] > 1.1' \
    'state["warm"] is True'
# Results in files of their own, and a hold.
written() { file=$(find "$work/Pictures" -name "*.$1" -size +0 | head -1) && [[ -n $file ]]; }
press u w j
await "key J writes no results" written json
results=$file
python3 -c 'import json, sys
r = json.load(open(sys.argv[1]))
assert any(x["benchmark"] == "raytrace" for x in r["results"])' "$results" || fail "key J: $results"
press ctrl+j
await "Ctrl J writes no page" written html
grep -q 'base64,iVBOR.*</figure>' "$file" && grep -q '</html>' "$file" || fail "Ctrl J: $file"
press Return
sleep 0.3
shoot 'True'
held=$(newest)
sleep 0.3
shoot 'True'
for shot in "$held" "$(newest)"; do
    python3 "$tests/support/png_record.py" "$shot" >"$shot.record"
done
python3 -c 'import json, sys
a, b = ([(r["variant"], r["processes"][0]["samples_ms"]) for r in json.load(open(p))["results"]]
        for p in sys.argv[1:])
assert a and a == b' "$held.record" "$(newest).record" || fail "Enter: the numbers moved"
press Return
press v h h h
shoot 'state["vsync"] is True' 'state["help"] is True' 'state["help_page"] == "words"'
press v Escape d ctrl+k
shoot 'state["code"] is True' 'state["details"] is False'
press Escape f
shoot 'state["code"] is False' 'state["fullscreen"] is True' 'width > 960'
press Escape
shoot 'state["fullscreen"] is False' 'width == 700'
press Home
shoot 'state["storage"] == "global"' 'state["scene"]["count"] == 20' 'state["theme"] == "dark"'

# Sizes of a window being dragged, 1 x 1 among them; then hidden and shown again.
for size in "1 1" "40 900" "1279 3" "640 360" "2 2" "960 540"; do
    # shellcheck disable=SC2086 # two words
    xdotool windowsize "$window" $size
    sleep 0.15
done
xdotool windowunmap "$window"
sleep 0.3
xdotool windowmap "$window"
sleep 0.5
xdotool windowfocus "$window"
shoot 'width == 960' 'height == 540'

end_window
record True

# Without --size the picture follows its pane, and Z leads to the book's size.
start_window --backend "$backend" --window 700x400 --vsync off --panels off
shoot 'state["follow_pane"] is True' '(state["width"], state["height"]) == (700, 400)'
xdotool windowsize --sync "$window" 640 360
shoot '(state["width"], state["height"]) == (640, 360)' 'width == 640'
press z
shoot 'state["follow_pane"] is False' '(state["width"], state["height"]) == (1024, 1024)'
end_window
echo "$(shots) screenshots"
