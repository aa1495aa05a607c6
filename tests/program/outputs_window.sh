#!/usr/bin/env bash
# A window whose files cannot be written, or whose video ends: the show goes on, and the exit code
# and a sentence say what is missing. with_display.sh starts it. Exit code 77: a tool is missing.
set -euo pipefail
tests=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck source=../support/drive_window.sh
. "$tests/support/drive_window.sh"
run=(--backend cpu --window 480x320 --size 64x64 --panels off --vsync off)
cd "$work"

# expect CODE PATTERN ARGUMENT...: a run that ends by itself, with one such line.
expect() {
    local code=$1 pattern=$2 actual=0
    shift 2
    timeout 600 "$SPHERESCOPE" "${run[@]}" "$@" >"$work/out" 2>"$work/err" </dev/null || actual=$?
    [[ $actual -eq $code && $(grep -cE -- "$pattern" "$work/err") -eq 1 ]] ||
        fail "$*: exit $actual, expected $code and /$pattern/: $(cat "$work/err")"
}
# A monitor or a file that is not there ends the run before a window opens.
expect 4 '^spherescope: There is no monitor 31' --monitor 31
expect 1 '^spherescope: missing/r.json cannot be written: .*; ' --json missing/r.json
expect 1 '^spherescope: missing/r.png cannot be written: .*; ' --screenshot missing/r.png
expect 1 '^spherescope: missing/d cannot be written: .*; make its folder' --record-frames missing/d
# A disk that is full at the end: the other files are written.
ln -s /dev/full full.png
expect 1 '^spherescope: full.png cannot be written: No space left on device; ' --seconds 1 \
    --screenshot full.png --json r.json
python3 -c 'import json; json.load(open("r.json"))' || fail "the record is lost with the picture"
expect 1 '^spherescope: /dev/full cannot be written: No space' --seconds 1 --json /dev/full \
    --csv r.csv --screenshot r.png
[[ $(head -c 9 r.csv) == benchmark && -s r.png ]] || fail "the CSV file is lost with the record"
mkdir both
ln -s /dev/full both/a.png
ln -s /dev/full both/a.csv
expect 1 '^spherescope: both/a.png cannot be written: No space' --seconds 1 --json /dev/full \
    --csv both/a.csv --screenshot both/a.png
[[ $(grep -cE '^spherescope: (/dev/full|both/a.csv) cannot be written: No' "$work/err") -eq 2 ]] ||
    fail "not every lost file is told: $(cat "$work/err")"
# A recording that fails ends, and the window goes on to its own end.
export MESA_SHADER_CACHE_DISABLE=true
if (ulimit -f 0 && exec "$SPHERESCOPE" "${run[@]}" --seconds 3 --record-frames frames \
    2>&1 >/dev/null </dev/null) | cat >err; then
    fail "a lost recording is no failure"
fi
[[ $(grep -c 'File too large' err) -eq 1 ]] || fail "the lost recording: $(cat err)"
[[ -z $(ls -A frames) ]] || fail "left behind: $(ls -A frames)"

# Another size ends the video, for which a stand-in takes the place of ffmpeg; the frames go on.
mkdir bin
printf '#!/bin/bash\nout=${!#}\nexec /bin/cat >"${out#file:}"\n' >bin/ffmpeg
chmod +x bin/ffmpeg
until_there() { # PATTERN COUNT: waits for so many files
    for _ in $(seq 2000); do
        [[ $(find . -name "$1" | wc -l) -lt $2 ]] || return 0
        kill -0 "$program" || fail "the program ended: $(cat "$work/stderr")"
        pause 0.05
    done
    fail "no $2 files $1"
}
PATH=$work/bin:$PATH start_window "${run[@]}" --record-frames sizes --video "$work/v.mp4"
until_there 'frame-*' 2
xdotool windowsize --sync "$window" 400 300
until_there v.mp4 1
until_there 'frame-*' $(($(find sizes -type f | wc -l) + 3))
end_window
[[ -s v.mp4 && $(($(stat -c %s v.mp4) % (480 * 320 * 4))) -eq 0 ]] ||
    fail "no video of whole frames"
sizes=$(python3 "$tests/support/png_same.py" sizes/frame-000001.png \
    "$(find sizes -type f | sort | tail -1)" 2>&1) || true
[[ $sizes == "480x320 and 400x300" ]] || fail "the sizes of the frames: $sizes"

# Keys that save, without any folder to save to: HOME does not exist, and the working folder has
# been deleted. The window answers with a notice and goes on.
mkdir gone
cd gone
rmdir "$work/gone"
export HOME=/nonexistent XDG_CONFIG_HOME=/nonexistent
start_window "${run[@]}" --json "$work/end.json" --screenshot "$work/end.png"
press s j o s
sleep 0.5
press 3
sleep 0.5
kill -0 "$program" || fail "the program ended: $(cat "$work/stderr")"
end_window
cd "$work"
python3 "$tests/support/png_record.py" end.png 'state["storage"] == "constant"' ||
    fail "the keys after the notices had no effect"
[[ -s end.json ]] || fail "no record at the end"
echo "outputs_window.sh: all is well"
