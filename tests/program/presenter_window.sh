#!/usr/bin/env bash
# presenter_window.sh: gives a talk from the presenter's window, whose slide shows what the hall
# sees. The screen saver's library is the system's own, where it is installed. with_display.sh
# starts it. Exit code 77: a tool is missing.
set -euo pipefail
tests=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck source=../support/drive_window.sh
. "$tests/support/drive_window.sh"

start_window --backend cpu --window 640x360 --size 128x128 --vsync off --talk ray-tracer --presenter
await "there is no presenter's window" window_named 'Spherescope notes'
notes=$found
xdotool windowfocus --sync "$notes"
press Next Next
shoot 'state["duel"]["on"] is True'
# Its slide shows what the newest screenshot shows. Where that is black, the slide is all that is as
# black in the window, which tells its place.
slide() {
    # shellcheck disable=SC2046 # two numbers
    PYTHONPATH=$tests/support python3 - "$1" "$(newest)" "$work/slide" $(xdotool \
        getwindowgeometry "$notes" | awk -F '[ ,]+' '/Position/ { print $3, $4 }') <<'END'
import sys
import png_same
import window_image
def means(rows, bytes_per_pixel, channels, left, top, width, height):
    width, height = width // 3, height // 3
    for part in range(9):
        x, y = left + part % 3 * width, top + part // 3 * height
        span = slice(bytes_per_pixel * x, bytes_per_pixel * (x + width))
        lines = [row[span] for row in rows[y : y + height]]
        for channel in channels:
            yield sum(sum(line[channel::bytes_per_pixel]) for line in lines) / (width * height)
state, shot, place, x, y = sys.argv[1:]
shown = window_image.rows(int(x), int(y), 960, 540)
if state == "black":
    black = [(i, j) for j in range(540) for i in range(960) if not any(shown[j][4 * i : 4 * i + 3])]
    (left, top), (right, bottom) = black[0], black[-1]
    width, height = right - left + 1, bottom - top + 1
    assert len(black) == width * height and width > 240, (black[0], black[-1], len(black))
    assert abs(width / height - 640 / 360) < 0.02, (width, height)
    print(left, top, width, height, file=open(place, "w"))
else:
    slide = list(means(shown, 4, (2, 1, 0), *map(int, open(place).read().split())))
    hall = list(means(png_same.rows(shot)[0], 3, (0, 1, 2), 0, 0, 640, 360))
    assert max(hall) > 20 and max(abs(a - b) for a, b in zip(slide, hall)) < 2, (slide, hall)
END
}
xdotool windowraise "$notes"
for state in black picture; do
    press period
    for try in $(seq 20); do
        one_shot
        sleep 3.2 # the notice that tells of the file is not in it, but on the slide
        ! slide "$state" 2>"$work/why" || break
    done
    [[ ! -s $work/why ]] || fail "the slide, $state, try $try: $(tail -1 "$work/why")"
done
main=$(xdotool search --onlyvisible --name '^Spherescope$' | tail -1)
xdotool windowfocus --sync "$main"
press Next Next
shoot 'state["duel"]["on"] is True' 'state["hud"] is True'
press q
end_window
