#!/usr/bin/env bash
# keyboards.sh: presses keys by their places on boards of three layouts, which change while the
# window is open, and checks the records in the screenshots; the test `keyboards` has all layouts.
# with_display.sh starts it. Exit code 77: a tool is missing.
set -euo pipefail
tests=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck source=../support/drive_window.sh
. "$tests/support/drive_window.sh"
type -P setxkbmap >/dev/null || { echo "skipped: setxkbmap is not installed" >&2; exit 77; }
# Codes of X for the places of keys on a US board: xdotool would look for a symbol on any key.
k1=10 k3=12 k4=13 k5=14 kQ=24 kU=30 kOpen=34 kClose=35 kK=45 kX=53 kN=57
kComma=59 pad3=89 padPoint=91 shift=50 altgr=108 alt=64 super=133 ctrl=37 caps=66 numlock=77
shot_key=F12 quit_key=$kQ

start_window --backend cpu --window 640x360 --size 64x64 --vsync off --panels off --kernel strip \
    --pixels-per-thread 1
# The French row has its digits above other characters, and brackets with AltGr or at their places.
setxkbmap fr
press $k3
shoot 'state["storage"] == "constant"'
chord $shift $k4
shoot 'state["storage"] == "shared"' 'state["pixels_per_thread"] == 1'
press $kClose $kClose
shoot 'state["pixels_per_thread"] == 4'
chord $altgr $k5
press $kOpen # a dead key, after which the next one would compose
shoot 'state["pixels_per_thread"] == 1'
chord $shift $k1
shoot 'state["storage"] == "global"'
setxkbmap us -variant dvorak
press $kK # prints a T
shoot 'state["theme"] == "light"'
chord $ctrl $kN # prints a B
press $kX # prints a Q
ended "Q of Dvorak"

# A Bulgarian key prints a comma where a US board has Q, and no key has Q. With Alt or Super a key
# is a window manager's; CapsLock changes nothing.
setxkbmap bg
start_window --backend cpu --window 640x360 --size 64x64 --vsync off --panels off
chord $alt $k3
chord $super $k3
press $caps
chord $alt $shift $k3
shoot 'state["storage"] == "global"'
press $kU $k4 $caps
shoot 'state["hud"] is False' 'state["storage"] == "shared"'
end_window

# In a talk the keypad is a remote control's keys or, with NumLock, digits.
setxkbmap fr
quit_key=q
start_window --backend cpu --window 640x360 --size 64x64 --vsync off --talk four-claims
press $pad3
shoot 'state["duel"]["on"] is True' 'state["storage"] == "constant"'
press $numlock $pad3 $padPoint
chord $shift $kComma
press $k5 $k1 Return
shoot 'state["duel"]["storage"] == "global"' 'state["storage"] == "constant"'
press $numlock $pad3 $pad3
shoot 'state["duel"]["on"] is True' 'state["hud"] is True'
press q
end_window
echo "$(shots) screenshots"
