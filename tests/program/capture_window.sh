#!/usr/bin/env bash
# Records a window on the display of with_display.sh; a stand-in takes the place of ffmpeg. A
# resized window ends the video, while the PNG files go on. Exits with 77 without xdotool.
set -euo pipefail
tests=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)
type -P xdotool >/dev/null || exit 77
work=$(mktemp -d)
pid=""
trap '[[ -z $pid ]] || kill -KILL "$pid" 2>/dev/null || true; rm -rf "$work"' EXIT
cd "$work"
export HOME=$work XDG_CONFIG_HOME=$work/.config
unset WAYLAND_DISPLAY

fail() {
    echo "capture_window.sh: $*"
    head -5 out err 2>/dev/null || true
    exit 1
}
mkdir bin
bash=$(type -P bash)
cat >bin/ffmpeg <<STUB
#!$bash
out=\${!#}
{ printf '[%s]' "\$@"; echo; /usr/bin/wc -c; } >"\${out#file:}"
STUB
chmod +x bin/ffmpeg
PATH=$work/bin:$PATH "$SPHERESCOPE" --backend cpu --size 64x48 --window 400x300 --video v.mp4 \
    --record-frames frames --vsync off --panels off >out 2>err </dev/null &
pid=$!
# Wait for two frames, resize, and wait for frames of the new size; the limits catch a hang only.
count() { find frames -name 'frame-*.png' 2>/dev/null | wc -l; }
until_count() {
    for _ in {1..1200}; do
        [[ $(count) -lt $1 ]] || return 0
        kill -0 "$pid" 2>/dev/null || fail "the program has ended"
        sleep 0.1
    done
    fail "no more frames: $(count)"
}
until_count 2
window=$(xdotool search --sync --onlyvisible --name Spherescope | head -1)
xdotool windowsize --sync "$window" 480 320
for _ in {1..1200}; do
    [[ ! -e v.mp4 ]] || break
    sleep 0.1
done
[[ -e v.mp4 ]] || fail "the resized window did not end the video"
until_count $(($(count) + 3))
kill -TERM "$pid"
actual=0
wait "$pid" || actual=$?
pid=""
[[ $actual -eq 1 ]] || fail "exit $actual"
grep -qE "^frames: frames \($(count)\)" out || fail "frames: $(count)"
shown=$(sed -n 's/^video: v.mp4 (\([0-9]*\) frames, 60 per second)$/\1/p' out)
[[ $shown -gt 0 ]] || fail "no video in words"
grep -qF '[-video_size][400x300]' v.mp4 || fail "arguments: $(head -1 v.mp4)"
grep -qx $((shown * 400 * 300 * 4)) v.mp4 || fail "bytes: $(tail -1 v.mp4) of $shown frames"
sizes=$(python3 "$tests/support/png_same.py" frames/frame-000001.png \
    "frames/frame-$(printf %06d "$(count)").png" 2>&1) || true
[[ $sizes == "400x300 and 480x320" ]] || fail "the sizes of the frames: $sizes"
echo "capture_window.sh: all is well"
