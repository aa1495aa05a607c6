#!/usr/bin/env bash
# untrusted.sh: gives every option that reads a file something that is none of its files. The
# program must say what is wrong in one line without control characters, and exit with code 1. What
# it says about the run itself does not begin with its name. hostile.py has files that it accepts.
set -uo pipefail
tests=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)
work=$(mktemp -d)
trap 'chmod -R u+rwx "$work"; rm -rf "$work"' EXIT
cd -- "$work" || exit 1
failed=0
before=() # the command that starts the program, if any

# Starts a program after root has given up what lets it override permissions.
drop='import os, sys; sys.path.insert(0, sys.argv[1]); import no_overrides; no_overrides.drop()
os.execvp(sys.argv[2], sys.argv[2:])'

# refused WORDS OPTION FILE: runs the program; its line must match the regular expression WORDS.
# Hangs end after a minute.
refused() {
    local words=$1 status=0 option=$2 file=$3
    local -a command=("$option" "$file")
    case $option in
    --scene) command+=(--bench raytrace --seconds 0.1) ;;
    --play) command+=(--offscreen) ;;
    --compare) command+=("$file") ;;
    --replay) command+=(--offscreen) ;;
    --talk) command+=(--check) ;;
    esac
    timeout 60 "${before[@]}" "$SPHERESCOPE" --backend cpu "${command[@]}" >out 2>err </dev/null ||
        status=$?
    if [[ $status -ne 1 || $(grep -c '^spherescope: ' err) -ne 1 ]] || ! grep -qE -- "$words" err ||
        LC_ALL=C grep -qP '[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|\xe2\x80[\xaa-\xae]' err; then
        printf 'untrusted.sh: %s %s: exit %d, expected 1 and %s:\n' "$option" "$file" "$status" \
            "$words"
        cat -v err
        failed=1
    fi
}

mkdir folder
: >empty.json
head -c 4096 /dev/urandom | tr -d '{[' >binary.json
truncate -s 1G huge.json # sparse: it takes no room
printf '{"schema": "\xc2\x9b31m", "\xe2\x80\xae\xe2\x81\xa6x": 1}' >controls.json
printf '\x1b]0;title\x07{' >escape.json
printf '[%.0s' {1..5000} >deep.json
printf '\xef\xbb\xbf{}' >bom.json
printf '{"schema":\0"x"}' >nul.json
printf '{\r\n"schema": "spherescope-scene-1",\r\n"schema": "spherescope-scene-1"}' >twice.json
printf '{"schema": NaN}' >nan.json
printf '{"schema": 1e999}' >large.json
printf 'x' >locked.json
chmod 000 locked.json
name=$'odd\x1b[31m\xc2\x9b31m\xe2\x80\xae.json'
printf '{' >"$name"

for option in --scene --compare --replay --play --talk; do
    refused 'No such file|no talk' $option ./missing.json
    refused 'folder|no file|not found' $option ./folder/
    refused 'empty' $option ./empty.json
    refused 'binary.json, line [0-9]+' $option ./binary.json
    refused 'larger than the limit of [0-9]+ MiB' $option ./huge.json
    refused ': schema ' $option ./controls.json
    refused 'escape.json, line 1' $option ./escape.json
    refused 'deep.json, line 1: brackets are nested' $option ./deep.json
    refused 'bom.json, line 1' $option ./bom.json
    refused 'nul.json, line 1' $option ./nul.json
    refused 'twice.json, line 3' $option ./twice.json
    refused 'nan.json, line 1' $option ./nan.json
    refused 'large.json, line 1' $option ./large.json
    refused 'odd' $option "./$name"
    refused 'larger than the limit' $option /dev/zero
    refused 'empty' $option /dev/null
    refused 'line 1' $option /proc/self/status
    before=(/usr/bin/python3 -c "$drop" "$tests/support")
    refused 'Permission denied' $option ./locked.json
    before=()
done

# A PNG file is not read at all beyond its limit; without OpenGL, none is.
printf '\x89PNG\r\n\x1a\n' >huge.png
truncate -s 1100M huge.png
if "$SPHERESCOPE" --info 2>/dev/null | grep -q 'SPHERESCOPE_GUI=OFF'; then
    "$SPHERESCOPE" --replay huge.png >out 2>err
    grep -q 'cannot read screenshots' err || { cat err; failed=1; }
else
    refused 'more than 1024 MiB' --replay ./huge.png
fi

# A talk names no files but regular ones of its folder.
talk() {
    printf '{"schema": "spherescope-talk-1", "title": "T", "minutes": 1, "steps": [
{"id": "only", "caption": "x", "minutes": 1, "set": {"scene": "%s"}}]}' "$1" >folder/talk.json
}
printf '{"schema": "spherescope-scene-1", "spheres": [
{"center": [0, 0, 0], "radius": 100, "color": [1, 1, 1]}]}' >outside.json
ln -s ../outside.json folder/link.json
ln -s .. folder/up
mkfifo folder/pipe.json
ln -s /dev/zero folder/device.json
for path in ../outside.json ../../etc/passwd /etc/passwd; do
    talk "$path"
    refused 'steps.0..set.scene .*below the talk.s folder' --talk folder/talk.json
done
for path in link.json up/outside.json device.json; do
    talk "$path"
    refused 'step only: .*leads out of the talk.s folder' --talk folder/talk.json
done
talk pipe.json
refused 'step only: .*not a regular file' --talk folder/talk.json
# Nor does it set what is written.
for option in json csv prometheus screenshot video record-frames play replay talk; do
    sed "s/\"scene\": [^}]*/\"$option\": \"written\"/" folder/talk.json >folder/option.json
    refused 'not an option that a step can set' --talk folder/option.json
done
[[ ! -e written && ! -e folder/written ]] || { echo "untrusted.sh: a talk wrote a file"; failed=1; }

# Nor does a record or a picture, which the program accepts.
mkdir records
/usr/bin/python3 "$tests/program/hostile.py" "$work/records" || failed=1
exit $failed
