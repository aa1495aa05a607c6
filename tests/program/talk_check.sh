#!/usr/bin/env bash
# talk_check.sh SOURCE_DIR: checks the shipped talks and talks that are wrong, with --check.
set -euo pipefail
source_dir=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "talk_check.sh: $*" >&2; exit 1; }

# expect CODE WORDS ARGUMENT...: runs the program; stderr must have one line, with these words.
# Where nothing can be drawn, two lines before it say so.
expect() {
    local code=$1 words=$2 status=0
    shift 2
    "$SPHERESCOPE" --backend cpu "$@" >"$work/out" 2>"$work/err" || status=$?
    [[ $status -eq $code ]] || fail "$*: exit $status, not $code: $(cat "$work/err")"
    [[ -n $words ]] || return 0
    if grep -qF 'The steps are rendered, but not drawn.' "$work/err"; then
        sed -i 1,2d "$work/err"
    fi
    grep -qF -- "$words" "$work/err" || fail "$*: $(cat "$work/err")"
    [[ $(wc -l <"$work/err") -eq 1 ]] || fail "$*: several lines: $(cat "$work/err")"
}

for path in "$source_dir"/assets/talks/*.json; do
    name=$(basename "$path" .json)
    expect 0 "" --talk "$name" --check --play h200
    expect 0 "" --talk "$name" --check
    read -r minutes steps < <(python3 -c 'import json, sys
talk = json.load(open(sys.argv[1]))
print(talk["minutes"], len(talk["steps"]))' "$path")
    tail -1 "$work/out" | grep -qF "$minutes.0 min of the $minutes.0 planned" ||
        fail "$name: $(tail -1 "$work/out")"
    [[ $(wc -l <"$work/out") -eq $((steps + 2)) ]] || fail "$name: $(cat "$work/out")"
done

step() { echo '{"schema": "spherescope-talk-1", "title": "T", "minutes": 1,
    "steps": [{"id": "only", "minutes": 1, '"$1"'}]}' >"$work/talk.json"; }
step '"caption": "x", "set": {"scene": "scene.json"}'
expect 1 "step only" --talk "$work/talk.json" --check
cp "$source_dir/assets/scenes/three.json" "$work/scene.json"
expect 0 "" --talk "$work/talk.json" --check
step '"set": {"panels": "off"}'
nothing="it shows nothing: no caption, no question, no panels and no spotlight."
expect 1 "talk.json, step only: $nothing" --talk "$work/talk.json" --check
# From a recorded run, a step must point at something that was recorded.
played=(--play "$source_dir/assets/runs/nvidia-h200-all.json.gz" --check)
has_gui=1
"$SPHERESCOPE" --info 2>/dev/null | grep -q 'SPHERESCOPE_GUI=OFF' && has_gui=0
step '"caption": "x", "set": {"spotlight": "whole", "subject": "story", "size": "96x96"}'
if [[ $has_gui -eq 1 ]]; then
    expect 1 "step only: its story plot shows nothing" --talk "$work/talk.json" "${played[@]}"
else
    expect 0 "" --talk "$work/talk.json" "${played[@]}" # nothing can point at anything
fi
step '"set": {"size": "96x96"}, "question": {"text": "q", "kind": "number", "unit": "ms",
    "lowest": 0, "highest": 9, "measured": {"time": "book/global"}}'
[[ $has_gui -eq 0 ]] || expect 1 "step only: nothing answers its question: not recorded: 96" \
    --talk "$work/talk.json" "${played[@]}"
expect 0 "" --talk "$work/talk.json" --check
step '"set": {"panels": "off", "spotlight": "side", "subject": "saxpy"}'
expect 0 "" --talk "$work/talk.json" "${played[@]}"
step '"set": {"storage": "disk"}'
expect 1 "step only" --talk "$work/talk.json"
step '"set": {"storage": "constant", "spheres": "9999"}'
expect 1 "step only" --talk "$work/talk.json" --check
expect 1 "no-such-talk" --talk no-such-talk
expect 1 "$work" --talk "$work/none.json" --check
expect 2 "--check needs --talk" --check
expect 2 "--presenter needs --talk" --presenter
expect 2 "exclude each other" --talk four-claims --bench saxpy
echo "talks checked"
