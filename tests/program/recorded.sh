#!/usr/bin/env bash
# Recorded runs from a shell: what --play shows and writes, and what --record makes.
set -euo pipefail
tests=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
unset DISPLAY WAYLAND_DISPLAY
export HOME=$work XDG_CONFIG_HOME=$work/.config
all=$tests/../assets/runs/nvidia-h200-all.json.gz
failed=0
checks=0

# expect CODE PATTERN COMMAND...: checks the exit code, and that PATTERN matches stdout or stderr.
expect() {
    local code=$1 pattern=$2 actual=0
    shift 2
    checks=$((checks + 1))
    timeout 600 "$@" >out 2>err </dev/null || actual=$?
    if [[ $actual -ne $code ]] || ! cat out err | grep -E -- "$pattern" >/dev/null; then
        echo "recorded.sh: $*: exit $actual, expected $code and /$pattern/:"
        head -5 out err
        failed=1
    fi
}

# expect_line CODE PATTERN COMMAND...: the same, and there is one line on stderr.
expect_line() {
    expect "$@"
    [[ $(wc -l <err) -eq 1 ]] || { echo "recorded.sh: ${*:3}: not one line"; cat err; failed=1; }
}

play=("$SPHERESCOPE" --backend cpu --offscreen --play)

# Bad files and names, before anything is drawn.
expect_line 1 'cannot be read' "${play[@]}" ./none.json
echo '{' >bad.json
expect_line 1 'bad.json, line' "${play[@]}" bad.json
expect_line 1 'one device' "${play[@]}" h200,h100
expect_line 4 'No recorded run of h9000' "${play[@]}" h9000
expect_line 2 '--play takes' "${play[@]}" ,
expect_line 2 '--play' "${play[@]}" h200 --bench all
expect_line 2 '--play' "$SPHERESCOPE" --play h200 --duel book/global,book/constant

# Recording: a file that cannot be written ends it at once, and it takes no other measurement.
expect_line 1 'cannot be written' "$SPHERESCOPE" --record /nowhere/run.json
expect_line 2 '--record takes' "$SPHERESCOPE" --record run.txt
for other in "--bench all" "--sweep spheres=1..2" "--offscreen" "--json x.json" "--play h200"; do
    # shellcheck disable=SC2086 # words of a command line
    expect_line 2 'exclude each other' "$SPHERESCOPE" --record run.json $other
done
expect 0 '' "$SPHERESCOPE" --backend cpu --record run.json --processes 1 --size 64x64
python3 - run.json <<'END' || { echo "recorded.sh: --record: wrong record"; failed=1; }
import json, sys
record = json.load(open(sys.argv[1]))
results = record["results"]
counts = {r["workload"]["spheres"] for r in results if r["benchmark"] == "raytrace"}
assert counts == {10, 20, 50, 100, 200, 500, 1000, 2000, 5000}, counts
assert record["complete"], record["notes"]
keys = [json.dumps([r["benchmark"], r["variant"], r["workload"], r["parameters"]]) for r in results]
assert len(keys) == len(set(keys)), "a result is there twice"
found = {r["benchmark"] for r in results}
assert {"raytrace", "claims", "ilp", "saxpy"} <= found, found
END
if python3 -c 'import jsonschema' 2>/dev/null; then
    expect 0 '' python3 "$tests/support/validate_record.py" \
        "$tests/../assets/results.schema.json" run.json
fi
# With itself, nothing differs.
expect 0 'compared with itself' "$SPHERESCOPE" --compare run.json run.json
! grep -qE '  (FASTER|SLOWER)' out || { echo "recorded.sh: --compare: differs"; failed=1; }

"$SPHERESCOPE" --info 2>/dev/null | grep -q 'SPHERESCOPE_GUI=OFF' && exit $failed

# What was just recorded can be played.
expect 0 'picture: own.png' "${play[@]}" run.json --size 64x64 --frames 50 --seconds 100 \
    --screenshot own.png
grep -q 'Recorded by one process of another run' out ||
    { echo "recorded.sh: one process: whose intervals?"; failed=1; }

# A packed record is one, also from a pipe; a cut and a damaged one are refused with a line.
zcat "$all" >source.json
expect 0 '^source.json against ' "$SPHERESCOPE" --compare <(cat "$all") source.json
! grep -qE '  (FASTER|SLOWER)' out || { echo "recorded.sh: packed and unpacked differ"; failed=1; }
head -c 1000 "$all" >cut.json
(head -c 1000 "$all" && echo damage && tail -c +1008 "$all") >damaged.json
for way in "${play[*]}" "$SPHERESCOPE --compare source.json" "$SPHERESCOPE --replay"; do
    # shellcheck disable=SC2086 # words of a command line
    expect_line 1 'cut.json is cut: its packed data end at byte 1000\.$' $way ./cut.json
    # shellcheck disable=SC2086
    expect_line 1 'damaged.json is damaged: .* of its packed data\.$' $way ./damaged.json
done

# A screenshot's record has the numbers of the file, marked; a table and a file have them as well.
expect 0 'recorded' "${play[@]}" "$all" --storage constant --panels full \
    --frames 20 --seconds 100 --screenshot played.png --json played.json
if ! grep -q 'Recorded by 5 processes of another run' out ||
    grep -qE 'this run|On the CPU' out; then
    echo "recorded.sh: a GPU's record of five processes reads as something else"
    failed=1
fi
python3 "$tests/support/png_record.py" played.png >shot.json
python3 - source.json shot.json played.json <<'END' ||
import json, sys
source, shot, played = (json.load(open(path)) for path in sys.argv[1:])
def key(r):
    return json.dumps([r["benchmark"], r["variant"], r["backend"], r.get("workload"),
                       r["parameters"]], sort_keys=True)
known = {key(r): r for r in source["results"]}
for record, modes in ((shot, {"book/constant"}), (played, None)):
    own = [r for r in record["results"] if r["backend"] == "cuda"]
    assert own and all("recorded" in r["trust"] for r in own)
    assert all(r["outcome"]["recorded_processes"] == 5 for r in own if r["benchmark"] != "claims")
    assert "recorded" in record["trust"]
    for r in own:
        if r["benchmark"] == "claims":
            continue
        of = known[key(r)]
        for name, value in r["metrics"].items():
            assert abs(value - of["metrics"][name]) <= 1e-6 * abs(value), (key(r), name)
    times = [r for r in record["results"] if r["benchmark"] == "raytrace"]
    assert all(r["backend"] == "cuda" for r in times), "a live time"
    if modes:
        assert {r["variant"] for r in times} == modes
        claims = {r["variant"]: r for r in own if r["benchmark"] == "claims"}
        assert claims["constant-kernel"]["outcome"]["verdict"] == "INVERTED"
    else:
        assert len(times) == sum(r["benchmark"] == "raytrace" for r in source["results"])
    assert any("NVIDIA H200" in note for note in record["notes"]), record["notes"]
END
    { echo "recorded.sh: --play: wrong record"; failed=1; }
if python3 -c 'import jsonschema' 2>/dev/null; then
    expect 0 '' python3 "$tests/support/validate_record.py" \
        "$tests/../assets/results.schema.json" shot.json played.json
fi

# A played record can be played, also where another backend rendered its picture: the device is the
# one that measured. Early versions named that in a sentence alone, and wrote no number of
# processes: a copy of theirs has none either.
python3 - played.json counted.json uncounted.json <<'END'
import json, sys
record = json.load(open(sys.argv[1]))
assert record["environment"]["device"]["backend"] == "cpu"
record["results"] = [r for r in record["results"] if r["benchmark"] == "raytrace"]
json.dump(record, open(sys.argv[2], "w"))
del record["recorded"]
for r in record["results"]:
    r["outcome"].pop("recorded_processes", None)
json.dump(record, open(sys.argv[3], "w"))
END
expect 0 'Recorded by 5 processes of another run' "${play[@]}" counted.json --seconds 3 \
    --json again.json
expect 0 'whose number of processes is unknown' "${play[@]}" uncounted.json --seconds 3 \
    --json unknown.json
python3 - source.json played.json again.json unknown.json <<'END' ||
import json, sys
source, *records = (json.load(open(path)) for path in sys.argv[1:])
environment = source["environment"]
for record in records:
    origin = record["recorded"]
    assert origin["device"]["name"] == environment["device"]["name"], origin
    assert origin["device"]["backend"] == "cuda", origin
    assert origin["time_utc"][:10] == environment["time_utc"][:10], origin
    assert record["notes"] == records[0]["notes"], record["notes"]
    times = {r["variant"]: r["metrics"]["median_ms"] for r in record["results"]}
    assert len(times) > 1 and times == {r["variant"]: r["metrics"]["median_ms"]
                                        for r in records[0]["results"]}, times
for name in ("clock", "l2_bytes", "driver_version", "launch_floor_ms", "clock_max_mhz"):
    for record in records[:2]:
        assert record["recorded"]["device"][name] == environment["device"][name], name
again, unknown = ([r["outcome"] for r in record["results"] if r["benchmark"] == "raytrace"]
                  for record in records[1:])
assert again and all(outcome["recorded_processes"] == 5 for outcome in again), again
assert unknown and not any("recorded_processes" in outcome for outcome in unknown), unknown
END
    { echo "recorded.sh: played twice"; failed=1; }
if python3 -c 'import jsonschema' 2>/dev/null; then
    expect 0 '' python3 "$tests/support/validate_record.py" \
        "$tests/../assets/results.schema.json" again.json unknown.json
fi

# What was not recorded has no number, and a sentence.
expect 0 'not recorded: 40 spheres; recorded are 20' "${play[@]}" "$all" \
    --spheres 40 --frames 5 --seconds 100 --screenshot none.png --json none.json
python3 -c 'import json
assert not any(r["benchmark"] == "raytrace" for r in json.load(open("none.json"))["results"])' ||
    { echo "recorded.sh: a number that was not recorded"; failed=1; }

# Without a GPU and without an option, the shipped H200 stands beside the panels, marked as such.
expect 0 'picture: default.png' "$SPHERESCOPE" --backend cpu --offscreen --panels full \
    --size 128x128 --frames 60 --screenshot default.png
python3 "$tests/support/png_record.py" default.png \
    '{r["backend"] for r in results if r["benchmark"] == "raytrace"} == {"cpu"}' \
    '{r["backend"] for r in results if r["benchmark"] == "claims"} == {"cpu", "cuda"}' \
    'all(("recorded" in r["trust"]) == (r["backend"] == "cuda") for r in results
         if r["variant"] != "constant-others")' ||
    { echo "recorded.sh: the default picture: wrong record"; failed=1; }
# So it does in a spotlight without panels; without either, no run is read.
expect 0 'picture: spotlight.png' "$SPHERESCOPE" --backend cpu --offscreen --panels off \
    --spotlight whole --subject claims --size 64x64 --frames 3 --screenshot spotlight.png
python3 "$tests/support/png_record.py" spotlight.png \
    '{r["backend"] for r in results if r["benchmark"] == "claims"} == {"cpu", "cuda"}' \
    'any(r["outcome"]["verdict"] == "INVERTED" and "recorded" in r["trust"] for r in results
         if r["benchmark"] == "claims" and r["variant"] == "constant-kernel")' ||
    { echo "recorded.sh: a spotlight without panels: wrong record"; failed=1; }
expect 0 'picture: bare.png' "$SPHERESCOPE" --backend cpu --offscreen --panels off \
    --size 64x64 --frames 3 --screenshot bare.png
python3 "$tests/support/png_record.py" bare.png \
    'not any(r["benchmark"] == "claims" for r in results)' ||
    { echo "recorded.sh: a picture without panels: wrong record"; failed=1; }

echo "recorded.sh: $checks checks"
exit $failed
