#!/usr/bin/env bash
# Reads the QR code of screenshots with zbarimg and compares it with their record. Exits with 77
# without zbarimg, libqrencode or OpenGL.
set -euo pipefail
tests=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
unset DISPLAY WAYLAND_DISPLAY
export HOME=$work XDG_CONFIG_HOME=$work/.config
"$SPHERESCOPE" --info 2>/dev/null | grep -q 'SPHERESCOPE_GUI=OFF' && exit 77

run=("$SPHERESCOPE" --backend cpu --offscreen --size 64x48 --frames 40 --seconds 20
    --qr on)
actual=0
"${run[@]}" --screenshot first.png >out 2>err </dev/null || actual=$?
if [[ $actual -eq 4 ]]; then
    # A build without libqrencode says so, and draws nothing.
    grep -q '^spherescope: --qr needs libqrencode' err && [[ ! -e first.png ]] || exit 1
    exit 77
fi
[[ $actual -eq 0 ]] || { cat err; exit 1; }
type -P zbarimg >/dev/null || exit 77

failed=0
while read -r options; do
    # shellcheck disable=SC2086 # words of a command line
    "${run[@]}" $options --screenshot shot.png >out 2>err </dev/null || { cat err; failed=1; }
    "$tests/support/png_record.py" shot.png >record.json
    zbarimg -q --raw -S'*.disable' -Sqrcode.enable shot.png >text 2>/dev/null || true
    python3 - "$options" <<'END' || failed=1
import json, re, sys
record, text = json.load(open("record.json")), open("text").read().strip()
state, environment = record["state"], record["environment"]
assert state["qr"] is True
wanted = ["Spherescope " + environment["version"], environment["git"][:12],
          environment["device"]["name"][:40], state["kernel"] + "/" + state["storage"],
          "%d spheres, 64x48" % state["scene"]["count"]]
missing = [word for word in wanted if word not in text]
assert not missing, (sys.argv[1], missing, text)
light, view = state["light"], state["kernel"] in ("brute", "tree")
options = "--camera %g:%g:%g --bounces %d --samples %d" % (
    light["yaw"], light["pitch"], light["distance"], light["bounces"], light["samples"])
assert (options in text) == view, (sys.argv[1], options, text)
assert 120 <= len(text) <= 320 and text.isascii(), text
assert re.search(r" [0-9.]+ ms", text), text
END
done <<'END'
--window 1280x720 --panels full
--window 1280x720 --hud off --panels off
--window 1920x1080 --theme light --storage constant
--window 1080x1920 --theme projector --panels full
--window 3840x2160 --panels compact --spheres 500
--window 1280x720 --spotlight whole --subject plot
--window 1080x1920 --spotlight whole --subject claims --hud off
--window 1280x720 --panels full --kernel tree --camera -154.67:20.5:1.82 --bounces 8 --samples 16
--window 3840x2160 --theme light --view light
END
# A duel has both modes.
"${run[@]}" --duel book/global,strip/constant/8 --screenshot duel.png >out 2>err </dev/null ||
    { cat err; failed=1; }
zbarimg -q --raw -S'*.disable' -Sqrcode.enable duel.png >text 2>/dev/null || true
grep -q 'book/global.* ms.*strip/constant/8.* ms' text || { cat text; failed=1; }
# One of the light view, the longest text, is still read in a small window.
"${run[@]}" --duel brute/constant,tree/constant --camera 30:20:2.5 --window 1280x720 \
    --screenshot duel.png >out 2>err </dev/null || { cat err; failed=1; }
zbarimg -q --raw -S'*.disable' -Sqrcode.enable duel.png >text 2>/dev/null || true
grep -q 'brute/constant.* ms.*tree/constant.* ms.*--camera 30:20:2.5 .*Z$' text ||
    { cat text; failed=1; }
# A window without room for it says so on screen, and draws none.
"${run[@]}" --window 320x240 --panels off --screenshot small.png >out 2>err </dev/null
! zbarimg -q --raw -S'*.disable' -Sqrcode.enable small.png >text 2>/dev/null || failed=1
[[ $failed -eq 0 ]] && echo "qr.sh: all is well"
exit $failed
