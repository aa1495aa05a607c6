#!/usr/bin/env bash
# Records frames as PNG files and as a video; a stand-in takes the place of ffmpeg, counts what it
# reads and can fail. Exits with 77 in a build without OpenGL.
set -euo pipefail
tests=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
unset DISPLAY WAYLAND_DISPLAY
export HOME=$work XDG_CONFIG_HOME=$work/.config
failed=0

fail() {
    echo "capture.sh: $*"
    failed=1
}
# expect CODE PATTERN COMMAND...: checks the exit code, and that PATTERN matches stdout or stderr.
expect() {
    local code=$1 pattern=$2 actual=0
    shift 2
    timeout 600 "$@" >"$work/out" 2>"$work/err" </dev/null || actual=$?
    if [[ $actual -ne $code ]] ||
        ! { cat "$work/out" "$work/err" && echo; } | grep -E -- "$pattern" >/dev/null; then
        fail "$*: exit $actual, expected $code and /$pattern/:"
        head -5 "$work/out" "$work/err"
    fi
}
"$SPHERESCOPE" --info 2>/dev/null | grep -q 'SPHERESCOPE_GUI=OFF' && exit 77
PATH=/usr/bin:/bin
mkdir bin empty
bash=$(type -P bash)
# The stand-in writes its arguments and the number of bytes that it has read into the video's file.
cat >bin/ffmpeg <<STUB
#!$bash
echo "\$\$" >"$work/pid"
if [[ -e "$work/dies" ]]; then
    /usr/bin/head -c 1000 >/dev/null
    printf '\\nno such encoder\\n' >&2
    exit 9
fi
[[ ! -e "$work/writes-nothing" ]] || { /bin/cat >/dev/null; echo 'no room' >&2; exit 0; }
[[ ! -e "$work/ends-badly" ]] || { /bin/cat >/dev/null; exit 3; }
out=\${!#}
{ printf '[%s]' "\$@"; echo; /usr/bin/wc -c; } >"\${out#file:}"
STUB
chmod +x bin/ffmpeg

run=("$SPHERESCOPE" --backend cpu --offscreen --size 64x48 --window 161x99 --hud off --seconds 20)
frames=("${run[@]}" --screenshot shot.png)

# Frames: numbered from 1, as many as asked for, each with its own pose, and the same in every run.
mkdir a
expect 0 '^frames: a/one \(7\)' "${frames[@]}" --frames 7 --record-frames a/one
expect 0 '^frames: two \(7\)' "${frames[@]}" --frames 7 --record-frames two
[[ $(cd a/one && echo *) == "$(echo frame-00000{1..7}.png)" ]] || fail "names: $(ls a/one)"
for i in 1 2 3 4 5 6 7; do
    python3 "$tests/support/png_same.py" a/one/frame-00000$i.png two/frame-00000$i.png ||
        fail "frame $i is not the same in another run"
done
! python3 "$tests/support/png_same.py" a/one/frame-00000{1,7}.png 2>/dev/null || fail "no motion"
# The pose of frame 7 is that of six sixtieths of a second, on any frame rate.
"$tests/support/png_record.py" shot.png "abs(state['pose']['time_s'] - 6 / 60) < 1e-12" || failed=1
python3 "$tests/support/png_same.py" two/frame-000007.png shot.png || fail "the last frame"
expect 0 '^frames: still \(2\)' "${frames[@]}" --frames 2 --record-frames still --motion off
python3 "$tests/support/png_same.py" still/frame-00000{1,2}.png || fail "--motion off moves"

# Nothing is replaced, and a folder that cannot be used ends the run before anything is rendered.
expect 1 '^spherescope: --record-frames replaces no file, and two has frame-' "${frames[@]}" \
    --record-frames two
mkdir other && : >other/frame-7.png && : >file
expect 1 'other has frame-7.png already' "${frames[@]}" --record-frames other
expect 1 '^spherescope: file cannot be written: Not a directory; name a folder\.' \
    "${frames[@]}" --record-frames file
expect 1 '^spherescope: no/folder cannot be written: .*; make its folder first, ' \
    "${frames[@]}" --record-frames no/folder
[[ ! -s out && $(wc -l <err) -eq 1 ]] || fail "not one line"
expect 2 'exclude' "$SPHERESCOPE" --bench raytrace --record-frames x
expect 2 'needs --offscreen' "$SPHERESCOPE" --duel book/global,book/shared --video x.mp4
expect 2 'mp4' "${frames[@]}" --video x.avi
expect 2 'one file' "${frames[@]}" --video x.mp4 --json x.mp4

# A video, without ffmpeg and with the stand-in.
expect 4 '^spherescope: --video needs the program ffmpeg' env PATH="$work/empty" "${frames[@]}" \
    --video v.mp4
[[ ! -s out && ! -e v.mp4 ]] || fail "something was rendered without ffmpeg"
expect 0 '^video: v.mp4 \(5 frames, 60 per second\)' env PATH="$work/bin" "${frames[@]}" \
    --frames 5 --video v.mp4
format='[-f][rawvideo][-pixel_format][rgba][-video_size][161x99][-framerate][60][-i][pipe:0]'
grep -qF -- "$format" v.mp4 ||
    fail "arguments: $(head -1 v.mp4)"
grep -qx $((5 * 161 * 99 * 4)) v.mp4 || fail "bytes: $(tail -1 v.mp4)"
# A file is replaced by a complete video only; the name may begin with a dash or have blanks.
cp v.mp4 before
touch dies
expect 1 '^spherescope: ffmpeg failed \(exit code 9\): no such encoder; the video is not' \
    env PATH="$work/bin" "${frames[@]}" --frames 5 --video v.mp4
rm dies
touch ends-badly
expect 1 '^spherescope: ffmpeg failed \(exit code 3\); the video is not' env PATH="$work/bin" \
    "${frames[@]}" --frames 5 --video v.mp4
rm ends-badly
touch writes-nothing
expect 1 '^spherescope: ffmpeg wrote nothing, but reports success: no room; the video is not' \
    env PATH="$work/bin" "${frames[@]}" --frames 5 --video v.mp4
rm writes-nothing
cmp -s v.mp4 before || fail "a failed video replaced another"
expect 0 '^video: ' env PATH="$work/bin" "${frames[@]}" --frames 2 "--video=-a b.mp4" \
    --record-frames both
grep -qx $((2 * 161 * 99 * 4)) "./-a b.mp4" || fail "bytes of a strange name"
[[ $(cd both && echo *) == "frame-000001.png frame-000002.png" ]] || fail "both: $(ls both)"
ln -s v.mp4 link.mp4
expect 0 '^video: link.mp4' env PATH="$work/bin" "${frames[@]}" --frames 1 --video link.mp4
[[ -L link.mp4 ]] && grep -qx $((161 * 99 * 4)) v.mp4 || fail "a symbolic link was replaced"
mkdir d.mp4
expect 1 "Is a directory" env PATH="$work/bin" "${frames[@]}" --video d.mp4
expect 1 '^spherescope: ' env PATH="$work/bin" "${frames[@]}" --video no/x.mp4
[[ -z $(find . -name '.spherescope*') ]] || fail "left behind: $(find . -name '.spherescope*')"

# An interrupted recording leaves no video and no process.
rm -f pid
PATH=$work/bin "${run[@]}" --frames 100000 --video i.mp4 --screenshot i.png >out 2>err </dev/null &
pid=$!
for _ in {1..600}; do
    [[ ! -e pid || -z $(find . -name '.spherescope*') ]] || break
    sleep 0.1
done
kill -TERM "$pid"
actual=0
wait "$pid" || actual=$?
[[ $actual -eq 1 && ! -e i.mp4 ]] || fail "interrupted: exit $actual, $(ls i.mp4 2>&1)"
! kill -0 "$(cat pid)" 2>/dev/null || fail "ffmpeg is still there"

[[ $failed -eq 0 ]] && echo "capture.sh: all is well"
exit $failed
