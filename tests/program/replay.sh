#!/usr/bin/env bash
# Replays screenshots and results files: the same picture, what has changed, and files that are
# refused.
set -euo pipefail
tests=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
unset DISPLAY WAYLAND_DISPLAY
export HOME=$work XDG_CONFIG_HOME=$work/.config
failed=0

# expect CODE PATTERN COMMAND...: checks the exit code, and that PATTERN matches stdout or stderr.
expect() {
    local code=$1 pattern=$2 actual=0
    shift 2
    timeout 600 "$@" >"$work/out" 2>"$work/err" </dev/null || actual=$?
    if [[ $actual -ne $code ]] ||
        ! { cat "$work/out" "$work/err" && echo; } | grep -E -- "$pattern" >/dev/null; then
        echo "replay.sh: $*: exit $actual, expected $code and /$pattern/:"
        head -5 "$work/out" "$work/err"
        failed=1
    fi
}
# refused CODE PATTERN FILE [OPTION...]: expects one line on stderr and nothing on stdout.
refused() {
    local code=$1 pattern=$2
    shift 2
    expect "$code" "^spherescope: .*$pattern" "$SPHERESCOPE" --offscreen --replay "$@"
    [[ ! -s out && $(wc -l <err) -eq 1 ]] || {
        echo "replay.sh: $*: not one line"
        failed=1
    }
}
has_gui=1
"$SPHERESCOPE" --info 2>/dev/null | grep -q 'SPHERESCOPE_GUI=OFF' && has_gui=0

# Results in JSON, with and without OpenGL: same numbers, an old schema, a record without a picture.
one=("$SPHERESCOPE" --backend cpu --processes 1 --bench raytrace --modes book/global --frames 5)
expect 0 'book/global' "${one[@]}" --size 64x48 --json r.json
expect 0 'picture: not compared, the record has no hash' "$SPHERESCOPE" --replay r.json --seconds 1
grep -q 'Replay of r.json' out || { echo "replay.sh: no table"; failed=1; }
refused 1 'No such file' nothing.png
refused 1 'folder|Is a directory' .
printf 'junk' >junk.png
refused 1 'junk.png, line 1' junk.png
: >empty.json
refused 1 'empty' empty.json
echo '{"schema": "spherescope-results-2"}' >bare.json
refused 1 'state is missing' bare.json
head -c 3000 r.json >cut.json
refused 1 'cut.json, line' cut.json
mkfifo pipe
(timeout 60 cat r.json >pipe &)
expect 0 'picture: not compared' "$SPHERESCOPE" --replay pipe --seconds 1
expect 2 'replay.*exclude' "$SPHERESCOPE" --replay r.json --bench raytrace
expect 2 'replay.*exclude' "$SPHERESCOPE" --replay r.json --compare r.json r.json
expect 2 '3000' "$SPHERESCOPE" --replay r.json --spheres 3000 --storage constant

python3 - <<'END'
import json
record = json.load(open("r.json"))
scene = record["state"]["scene"]
scene.update(kind="file", path="/etc/hostname", hash="0" * 16)
json.dump(record, open("path.json", "w"))
END
refused 1 'only the path of its scene.*--scene' path.json

if [[ $has_gui -eq 0 ]]; then
    printf '\x89PNG\r\n\x1a\n' >shot.png
    refused 4 'cannot read screenshots' shot.png
    exit $failed
fi

printf '\x89PNG\r\n\x1a\n' >signature.png
refused 1 'signature.png' signature.png
record=("$tests/support/png_record.py")
plain=(--backend cpu --hud off --window 320x240 --seconds 0.5)
cp "$tests/../assets/scenes/planets.json" planets.json
shots=0
for mode in "book texture 1" "strip constant 8" "binned global 1"; do
    read -r kernel storage pixels <<<"$mode"
    for scene in "--spheres 77 --seed 5" "--scene planets.json"; do
        shots=$((shots + 1))
        # shellcheck disable=SC2086 # words of a command line
        expect 0 'picture: a.png' "$SPHERESCOPE" --offscreen "${plain[@]}" $scene --kernel $kernel \
            --storage $storage --pixels-per-thread $pixels --size 200x150 --motion on --zoom 0.2 \
            --screenshot a.png
        mv planets.json hidden.json
        expect 0 'picture: the same bytes' "$SPHERESCOPE" --offscreen --replay a.png --seconds 0.5 \
            --screenshot b.png
        "${record[@]}" b.png "state['kernel'] == '$kernel'" "state['storage'] == '$storage'" \
            "state['motion'] is False" "state['hud'] is False" "width == 320" || failed=1
        python3 "$tests/support/png_same.py" a.png b.png || { echo "replay.sh: $mode"; failed=1; }
        "${record[@]}" a.png >a.json
        expect 0 'picture: the same bytes' "$SPHERESCOPE" --replay b.png --kernel book --storage \
            global --pixels-per-thread 1 --seconds 0.5 --screenshot c.png
        python3 - a.json c.png "$tests/support" <<'END' || { echo "replay.sh: hash"; failed=1; }
import json, subprocess, sys
a = json.load(open(sys.argv[1]))
c = json.loads(subprocess.check_output([sys.argv[3] + "/png_record.py", sys.argv[2]]))
assert a["picture"] == c["picture"] and a["state"]["scene"] == c["state"]["scene"], c["picture"]
assert c["state"]["kernel"] == "book", c["state"]
END
        mv hidden.json planets.json
    done
done
[[ $shots -eq 6 ]]

# The last shot, replayed with options that change it, and after changes of its record.
expect 0 'picture: not compared, size or zoom' "$SPHERESCOPE" --offscreen --replay a.png \
    --size 9x9 --seconds 0.5 --screenshot d.png
python3 - <<'END'
import json
record = json.load(open("a.json"))
record["state"]["scene"]["spheres"][0][3] *= 1.5
json.dump(record, open("tampered.json", "w"))
END
expect 3 'picture: DIFFERS' "$SPHERESCOPE" --offscreen --replay tampered.json --window 320x240 \
    --seconds 0.5 --screenshot e.png
head -c 1000 a.png >cut.png # within the record, however short it is
refused 1 'cut.png' cut.png
# A changed seed in the PNG itself, and a record without a hash.
expect 0 '' "$SPHERESCOPE" --offscreen "${plain[@]}" --size 99x80 --screenshot f.png --json f.json
python3 - <<'END'
import json, struct, zlib
data = open("f.png", "rb").read()
at, out, changed = 8, data[:8], 0
while at < len(data):
    length, kind = struct.unpack(">I4s", data[at:at + 8])
    body = data[at + 8:at + 8 + length]
    if kind == b"iTXt":
        name = len(b"spherescope\0") + 2
        start = name + body[name:].index(b"\0") + 1
        start += body[start:].index(b"\0") + 1
        record = json.loads(zlib.decompress(body[start:]))
        record["state"]["scene"]["seed"] = "2"
        body = body[:start] + zlib.compress(json.dumps(record).encode())
        changed += 1
    out += struct.pack(">I4s", len(body), kind) + body
    out += struct.pack(">I", zlib.crc32(kind + body))
    at += 12 + length
assert changed == 1
open("seed.png", "wb").write(out)
record = json.load(open("f.json"))
del record["picture"]
json.dump(record, open("bare.json", "w"))
END
expect 3 'picture: DIFFERS' "$SPHERESCOPE" --offscreen --replay seed.png --seconds 0.5 \
    --screenshot g.png
expect 0 'picture: not compared, the record has no hash' "$SPHERESCOPE" --offscreen --replay \
    bare.json --seconds 0.5 --window 320x240 --hud off --screenshot h.png
python3 "$tests/support/png_same.py" f.png h.png || { echo "replay.sh: no hash"; failed=1; }

[[ $failed -eq 0 ]] && echo "replay.sh: all is well"
exit $failed
