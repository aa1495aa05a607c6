#!/usr/bin/env bash
# monitors.sh MANAGER: on a real X server with two outputs that have no hardware, and under xfwm4 or
# icewm, which let a window choose the monitor of its full screen, outputs go and come in every
# order while the program shows on them. It fills the monitor on which its window is, goes on in a
# window where its monitor was, and loses nothing. A talk's show is on the monitor that is not the
# laptop's, a key swaps it with the notes, and mirrored monitors are told. Under i3, awesome, bspwm,
# dwm, herbstluftwm and their like, which do as they please, it starts where it should or says so.
# Exit code 77: a tool is missing; in continuous integration, which sets CI, that is a failure.
set -euo pipefail
tests=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)
driver=/usr/lib/xorg/modules/drivers/dummy_drv.so
for tool in Xorg "$driver" xrandr xwininfo xprop xdotool dbus-run-session "$1"; do
    [[ ! -e $tool ]] && ! type -P "$tool" >/dev/null || continue
    echo "skipped: $tool is not installed" >&2
    [[ -z ${CI-} ]] || exit 1
    exit 77
done
# shellcheck source=../support/drive_window.sh
. "$tests/support/drive_window.sh"
server="" manager=""
trap 'for job in ${manager:+-$manager} $server; do kill -- "$job" 2>/dev/null || true; done
clean_up' EXIT
unset WAYLAND_DISPLAY XAUTHORITY DBUS_SESSION_BUS_ADDRESS

cat >"$work/xorg.conf" <<'END'
Section "ServerFlags"
    Option "AutoAddDevices" "off"
    Option "AutoAddGPU" "off"
    Option "DontVTSwitch" "on"
EndSection
Section "Device"
    Identifier "outputs"
    Driver "dummy"
    VideoRam 65536
EndSection
Section "Screen"
    Identifier "screen"
    Device "outputs"
    DefaultDepth 24
    SubSection "Display"
        Virtual 2048 1024
    EndSubSection
EndSection
END
exec {number}< <(exec Xorg -displayfd 1 -config "$work/xorg.conf" -logfile "$work/xorg.log" \
    -noreset -nolisten tcp -novtswitch -sharevts -keeptty +extension GLX 2>"$work/xorg" </dev/null)
server=$!
read -r -t 60 -u "$number" display || fail "Xorg did not start: $(cat "$work/xorg")"
exec {number}<&-
export DISPLAY=:$display XDG_SESSION_TYPE=x11

# The outputs are 1024x768 and 800x600, which is at the right of the first where both are on.
declare -A on=()
outputs() {
    on=([0]="" [1]="")
    local output x=0
    for output in "$@"; do on[$output]=1; done
    local arguments=(--output DUMMY0 --off)
    if [[ -n ${on[0]} ]]; then
        arguments=(--output DUMMY0 --mode 1024x768 --pos 0x0 --primary)
        x=1024
    fi
    arguments+=(--output DUMMY1)
    if [[ -n ${on[1]} ]]; then
        arguments+=(--mode 800x600 --pos "${x}x0")
    else
        arguments+=(--off)
    fi
    xrandr "${arguments[@]}"
}
# place OUTPUT prints where it is: X Y WIDTH HEIGHT.
place() {
    case $1:${on[0]} in
    0:*) echo 0 0 1024 768 ;;
    1:1) echo 1024 0 800 600 ;;
    1:) echo 0 0 800 600 ;;
    esac
}

# rect prints where the window is, without its frame.
rect() {
    xwininfo -id "$window" 2>/dev/null |
        awk '/Absolute upper-left|^  (Width|Height):/ { a = a sep $NF; sep = " " } END { print a }'
}
has_rect() { [[ $(rect) == "$*" ]]; }
# shellcheck disable=SC2046 # four numbers
fills() { has_rect $(place "$1"); }
# is_on OUTPUT: all of the window is there.
is_on() {
    local x y w h X Y W H
    [[ -n ${on[$1]} ]] && read -r x y w h < <(rect) && read -r X Y W H < <(place "$1") &&
        [[ -n $h ]] && ((x >= X && y >= Y && x + w <= X + W && y + h <= Y + H))
}
is_window() { [[ $(xprop -id "$window" _NET_WM_STATE) != *FULLSCREEN* ]]; }
is_full() { ! is_window; }
is_window_in_view() { is_window && { is_on 0 || is_on 1; }; }
window_without() { is_window_in_view; }
full_without() { if [[ $1 == 0 ]]; then is_window_in_view; else fills 0; fi; }

# key KEY...: presses it once the window has the keyboard.
key() {
    await "no keyboard for $1" has_keyboard
    xdotool key "$1"
    keys+="$1 "
}
move_to() {
    local x
    read -r x _ < <(place "$1")
    xdotool windowmove "$window" $((x + 60)) 80
    await "the window does not move to output $1" is_on "$1"
}
full_screen_on() {
    move_to "$1"
    key F11
    await "F11 on output $1" fills "$1"
    key F11
    await "F11 again" is_window_in_view
    is_on "$1" || fail "full screen moves the window: $(rect)"
}
one_shot() {
    local before
    before=$(shots)
    key s
    await "key S writes no screenshot" more_shots "$before"
}
more_shots() { [[ $(shots) -gt $1 ]]; }

start() {
    "$SPHERESCOPE" --backend cpu --size 64x64 --window 640x360 --vsync off --json "$work/end.json" \
        "$@" 2>"$work/stderr" &
    program=$!
    await "there is no window" window_named Spherescope
    window=$found
}
# quit STORAGE: leaves the talk and ends the program, whose record must have that storage.
quit() {
    rm -f "$work/end.json"
    key Escape
    key q
    ended "key Q"
    python3 -c 'import json, sys
r = json.load(open(sys.argv[1]))
assert r["state"]["storage"] == sys.argv[2], r["state"]["storage"]
assert any(x["metrics"]["n"] > 0 for x in r["results"])' "$work/end.json" "$1" || fail "the record"
}

# managed: the window manager is ready. One that has ended leaves its properties, without the window
# that they name.
named() { xprop "$@" _NET_SUPPORTING_WM_CHECK 2>/dev/null; }
managed() {
    local id
    id=$(named -root) && [[ $(named -id "${id##* }") == "$id" ]] &&
        [[ $(xprop -root _NET_SUPPORTED 2>/dev/null) == *_NET_WM_STATE_FULLSCREEN* ]]
}
unmanaged() { ! managed; }

# notes COMMAND...: runs a command that looks at the window of the notes.
find_notes() {
    await "there is no window of notes" window_named "Spherescope notes"
    notes=$found
}
notes() { local window=$notes; "$@"; }
# has_text: twice, a hundred pixels at the window's top are light, and not the same ones, because
# the time goes on there: the first frame alone proves nothing. first_text is empty before.
has_text() {
    local text
    text=$(light_pixels) && [[ $text != "$first_text" ]] || return 1
    [[ -z $first_text ]] || return 0
    first_text=$text
    return 1
}
light_pixels() {
    # shellcheck disable=SC2046 # four numbers
    PYTHONPATH=$tests/support python3 - $(rect) <<'END'
import sys
import zlib
import window_image
left, top, width, height = map(int, sys.argv[1:])
shown = b"".join(window_image.rows(left, top, width, height // 4))
light = bytes(value > 200 for value in shown[1::4])
print(zlib.crc32(light))
sys.exit(sum(light) < 100)
END
}
says() { grep -q "^spherescope: $1" "$work/stderr"; }
cat >"$work/talk.json" <<'END'
{"schema": "spherescope-talk-1", "title": "T", "minutes": 1, "steps": [
{"id": "one", "caption": "x", "notes": "Notes that only the speaker reads.", "minutes": 1,
 "set": {"storage": "readonly"}}]}
END

xrandr --newmode odd 24.5 704 720 784 800 500 503 509 525
xrandr --addmode DUMMY1 800x600
outputs 0 1
xrandr >"$work/xrandr" # makes the driver look, and find that the output is connected
name=$1
case $name in
xfwm4) setsid dbus-run-session -- xfwm4 --compositor=off >"$work/manager" 2>&1 & ;;
i3) echo "# no questions" >"$work/i3" && setsid i3 -c "$work/i3" >"$work/manager" 2>&1 & ;;
*) setsid "$name" >"$work/manager" 2>&1 & ;;
esac
manager=$!
await "$name does not start" managed

# A window manager that tiles windows brings the show where it belongs, or a sentence tells what to
# press; by default i3 obeys. A window behind one in full screen, which some do not show, ends.
reaches() { fills "$1" || { [[ $name != i3 ]] && says 'The window manager keeps'; }; }
case $name in xfwm4 | icewm) ;; *)
    start --monitor 1 --fullscreen --storage readonly
    await "--monitor 1 --fullscreen" reaches 1
    timeout 100 "$SPHERESCOPE" --backend cpu --size 64x64 --fullscreen --frames 3 \
        2>"$work/behind" || fail "behind a window in full screen: $(cat "$work/behind")"
    key F7
    await "F7" reaches 0
    quit readonly
    start --talk "$work/talk.json" --presenter --fullscreen
    await "the show" reaches 1
    find_notes
    await "the notes" notes is_on 0
    key F7
    await "the show after F7" reaches 0
    [[ $name != i3 ]] || await "the notes after F7" notes is_on 1
    key f
    quit readonly
    outputs 0
    start --talk "$work/talk.json" --presenter --fullscreen
    await "the show on one monitor" is_full
    key f
    find_notes
    quit readonly
    exit
esac

# On the monitor that the user names; with it goes full screen, and nothing else.
start --panels off --monitor 1 --fullscreen
await "--monitor 1 --fullscreen" fills 1
key 2
outputs 0
await "output 1 goes" is_window_in_view
shoot 'state["fullscreen"] is False' 'state["storage"] == "readonly"'
key f
await "F after output 1 has gone" fills 0
outputs 0 1
key f
await "F again" is_window_in_view
is_on 0 || fail "an output that comes moves the window: $(rect)"

# On the monitor to which the user moves it.
for output in 1 0 1; do full_screen_on "$output"; done

# In a mode that GLFW has not heard of, full screen changes the mode. GLFW asks for the old one
# back when the output has gone, which the display refuses.
move_to 1
xrandr --addmode DUMMY1 odd
xrandr --output DUMMY1 --mode odd
key f
await "F in another mode" is_full
outputs 0
await "the output with another mode goes" is_window_in_view
xrandr --delmode DUMMY1 odd
outputs 0 1

# Outputs go in each order and each comes back first, under a window and under full screen on the
# first one: each pair of these once. Those that come back have other numbers.
for order in "1 0 0 window" "1 0 1 full" "0 1 0 full" "0 1 1 window"; do
    read -r first second back form <<<"$order"
    move_to 0
    [[ $form == window ]] || { key f; await "F" fills 0; }
    outputs "$second"
    await "output $first goes" "${form}_without" "$first"
    outputs
    await "all outputs go" is_window
    outputs "$back"
    await "output $back comes after $order" is_window_in_view
    outputs 0 1
done
full_screen_on 1
quit readonly

# A talk's show is not on the laptop's monitor, which is the primary one where no connector
# tells, and its notes are; unless the user names the monitor of the show.
start --talk "$work/talk.json" --presenter --monitor 0
await "--monitor 0 with notes" is_on 0
find_notes
await "the notes beside --monitor 0" notes is_on 1
quit readonly
start --talk "$work/talk.json" --presenter --fullscreen
await "the show" fills 1
find_notes
await "the notes" notes is_on 0
first_text=""
await "the notes show no text" notes has_text
key F7
await "the show after F7" fills 0
await "the notes after F7" notes is_on 1
key f
await "F after F7" is_window
is_on 0 || fail "F after F7: $(rect)"
key F7
await "the show after F7 in a window" is_on 1
await "the notes after F7 in a window" notes is_on 0
[[ -z $(complaints) ]] || fail "$(complaints)"
key f
await "F after F7 and F7" fills 1
xrandr --output DUMMY1 --pos 0x0
await "no word about mirrored monitors" says 'The monitors show the same'
await "the show on mirrored monitors" has_rect 0 0 800 600
outputs 0
await "no word about the monitor" says 'There is one monitor'
await "the show without its monitor" is_window_in_view
await "the notes without the show's monitor" notes is_window_in_view
outputs 0 1
key F7
await "the show after the output is back" is_on 1
notes is_on 0 || fail "the notes leave their monitor: $(notes rect)"
quit readonly
kill -- "-$manager"
wait "$manager" 2>/dev/null || true
manager=""
await "$name stays" unmanaged
xprop -root -remove _NET_SUPPORTING_WM_CHECK -remove _NET_SUPPORTED
echo "outputs off and on in every order, under $1"
