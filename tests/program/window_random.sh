#!/usr/bin/env bash
# window_random.sh: presses keys at random in a real window, all but those that end the run or write
# files; then the window still answers, and its state is that of the keys that follow.
# RANDOM_KEYS sets their number, RANDOM_SEED the seed, which a failure prints. with_display.sh
# starts it. Exit code 77: a tool is missing.
set -euo pipefail
tests=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck source=../support/drive_window.sh
. "$tests/support/drive_window.sh"
count=${RANDOM_KEYS:-2000} seed=${RANDOM_SEED:-1}
RANDOM=$seed
fail() { echo "${0##*/}: seed $seed, after $pressed keys: $*" >&2; exit 1; }

random_keys=(0 1 2 3 4 5 6 7 8 9 a b c d e g h i k l m n p r t u v w x y z f minus equal bracketleft
    bracketright period comma slash Tab Left Right Up Down Prior Next End space Return BackSpace
    Escape F1 F2 F3 F4 F5 F11 ctrl+n ctrl+x ctrl+plus ctrl+minus ctrl+equal ctrl+a shift+n alt+p)
batch=50 pressed=0

start_window --backend cpu --window 640x360 --size 64x64 --vsync off --talk four-claims
while ((pressed < count)); do
    picked=()
    for _ in $(seq "$batch"); do picked+=("${random_keys[RANDOM % ${#random_keys[@]}]}"); done
    # A batch ends with the start state, so that scenes do not grow until frames take seconds.
    xdotool key --delay 3 "${picked[@]}" Home
    pressed=$((pressed + batch))
    kill -0 "$program" 2>/dev/null || fail "the program ended: $(cat "$work/stderr")"
done

# Leave question, help, page, talk and full screen; then the start state has the storage of a
# key. F5 would return to the talk.
press Escape Escape Escape Escape Home 4
shoot 'state["storage"] == "shared"' 'state["help"] is False' 'state["scene"]["count"] == 20' \
    'state["hold"] is False if "hold" in state else True' 'width >= 1'
press q
end_window
echo "$pressed keys"
