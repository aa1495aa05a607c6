#!/usr/bin/env bash
# The program from a shell: what always works, the exit codes, and where the output goes.
set -euo pipefail
tests=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
unset DISPLAY WAYLAND_DISPLAY
export HOME=$work XDG_CONFIG_HOME=$work/.config
failed=0
checks=0

# expect CODE PATTERN COMMAND...: checks the exit code, and that PATTERN matches stdout or stderr.
expect() {
    local code=$1 pattern=$2 actual=0
    shift 2
    checks=$((checks + 1))
    timeout 600 "$@" >"$work/out" 2>"$work/err" </dev/null || actual=$?
    if [[ $actual -ne $code ]] ||
        ! { echo; cat "$work/out" "$work/err"; } | grep -E -- "$pattern" >/dev/null; then
        echo "cli.sh: $*: exit $actual, expected $code and /$pattern/:"
        head -5 "$work/out" "$work/err"
        failed=1
    fi
}
# The number of modes: the book's kernel by storage, the strip by storage and five K, binned.
MODES=$(python3 -c 'import json, sys
state = json.load(open(sys.argv[1]))["$defs"]["state"]["properties"]
print(6 * len(state["storage"]["enum"]) + 1)' "$tests/../assets/results.schema.json")
export MODES
# Most tests are not about processes, so they measure in one.
one=(--processes 1)
cpu=("$SPHERESCOPE" --backend cpu "${one[@]}")
has_gui=1
"$SPHERESCOPE" --info 2>/dev/null | grep -q 'SPHERESCOPE_GUI=OFF' && has_gui=0
has_gpu=0
"$SPHERESCOPE" --list-devices | grep -q '^cuda  *0' && has_gpu=1

# Questions are answered in every state of the machine, without a display, and quickly.
stub=$(find /usr/local/cuda*/ -name libcuda.so -path '*stubs*' 2>/dev/null | head -1)
mkdir -p "$work/stub"
[[ -z $stub ]] || cp "$stub" "$work/stub/libcuda.so.1"
for environment in "CUDA_VISIBLE_DEVICES=0" "CUDA_VISIBLE_DEVICES=" "LD_LIBRARY_PATH=$work/stub" \
    "LC_ALL=C" "HOME=" "DISPLAY=:987"; do
    for answer in "--help:Usage: spherescope" "--version:^spherescope [0-9]" \
        "--list-devices:^cpu  *0" "--info:^OpenGL: "; do
        start=$(date +%s%N)
        expect 0 "${answer#*:}" env "$environment" "$SPHERESCOPE" "${answer%%:*}"
        took=$((($(date +%s%N) - start) / 1000000))
        # They should take less than a second, --info with a GPU a few; a busy machine needs longer,
        # but a minute is a hang.
        [[ $took -lt 60000 ]] || { echo "cli.sh: $environment ${answer%%:*}: $took ms"; failed=1; }
    done
done

# Usage errors: exit code 2 and one line that names the flag.
for bad in "--storage nowhere" "--spheres 0" "--spheres 1000001" "--size 0x5" "--nonsense" "stray" \
    "--seed" "--spheres 3 --spheres 4" "--zoom nan" "--frames 2147483648"; do
    # shellcheck disable=SC2086 # words of a command line
    expect 2 "^spherescope: .*${bad%% *}" "$SPHERESCOPE" $bad
    [[ $(wc -l <"$work/err") -eq 1 ]] || { echo "cli.sh: $bad: not one line"; failed=1; }
done

# A text that is too long is told its limit; a wrong talk is no wrong usage.
long=$(printf 'a%.0s' {1..1024})
for flag in --json --record-frames --scene --compare; do
    expect 2 '^spherescope: .*too long; at most 1023 bytes\.$' "$SPHERESCOPE" "$flag=$long"
done
expect 1 'cannot be read' "$SPHERESCOPE" --backend cpu --bench raytrace --scene "${long:1}"
echo '{}' >talk.json
expect 1 '^spherescope: talk.json: schema must be' "$SPHERESCOPE" --talk talk.json --check
# Without memory for what a benchmark measures, the cure is one that helps.
if ! grep -qE '__(asan|tsan)_init' "$SPHERESCOPE"; then # those reserve more
    expect 1 '^spherescope: No memory for what panels and benchmarks measure: .*\. Close other ' \
        bash -c 'ulimit -v 100000 && exec "$@"' sh "$SPHERESCOPE" --backend cpu --bench saxpy \
        --processes 1 --seconds 1
fi

expect 0 'Usage: spherescope' "$SPHERESCOPE" -h
expect 2 '^spherescope: --modes takes .*book, strip, binned' "$SPHERESCOPE" --bench raytrace \
    --modes strip/nowhere
expect 2 'one file' "$SPHERESCOPE" --bench raytrace --json same --csv same

# The devices as JSON: on stdout alone, and in a file.
expect 0 '"spherescope-devices-1"' "$SPHERESCOPE" --list-devices --json -
expect 0 '^cpu ' "$SPHERESCOPE" --list-devices --json devices.json
python3 - "$work/out" devices.json <<'END' || { echo "cli.sh: --list-devices: JSON"; failed=1; }
import json, sys
record = json.load(open(sys.argv[2]))
for device in record["devices"]:
    assert device["usable"] == ("why" not in device), device
(cpu,) = [d for d in record["devices"] if d["backend"] == "cpu"]
assert cpu["number"] == 0 and cpu["name"] and cpu["usable"], cpu
assert cpu["name"] in open(sys.argv[1]).read()
END

# The machine with every device's properties and kernels: in words, and as JSON.
expect 0 '^  totalMemory  *[0-9 ]* bytes \(' "$SPHERESCOPE" --info
expect 0 '"spherescope-info-1"' "$SPHERESCOPE" --info --json -
expect 0 '^OpenGL: ' "$SPHERESCOPE" --info --json info.json
python3 - "$work/info.json" <<'END' || { echo "cli.sh: --info: JSON"; failed=1; }
import json, sys
info = json.load(open(sys.argv[1]))
tutorial = ["name", "totalGlobalMem", "sharedMemPerBlock", "regsPerBlock", "warpSize", "memPitch",
            "maxThreadsPerBlock", "maxThreadsDim", "maxGridSize", "totalConstMem", "major.minor",
            "clockRate", "textureAlignment", "deviceOverlap", "multiProcessorCount"]
assert info["version"] and info["cpu_threads"] > 0 and info["opengl"], info
for device in info["devices"]:
    assert device["usable"] == ("why" not in device), device
    if not device["usable"]:
        continue
    p = device["properties"]
    if device["backend"] == "cuda":
        assert list(p)[:len(tutorial)] == tutorial, list(p)
        assert p["totalGlobalMem"] > 2**28 and p["warpSize"] == 32 and len(p["maxGridSize"]) == 3, p
        names = [k["kernel"] for k in device["kernels"]]
        assert "book/constant" in names and "saxpy vector" in names, names
        for k in device["kernels"]:
            a = k["attributes"]
            assert a is None or a["registers"] > 0 and 0 < a["occupancy_percent"] <= 100, k
    else:
        assert p["name"] and p["processorCount"] >= 1 and p["vectorWidth"] >= 128, p
        assert device["kernels"] == [] and "registers" in device["why_no_kernels"], device
END

# A requested GPU that is missing: exit code 4. Without a request, the CPU takes over with one
# message.
if [[ $has_gpu -eq 0 ]]; then
    expect 4 '^spherescope: .*CUDA' "$SPHERESCOPE" --backend cuda "${one[@]}" --bench raytrace
    expect 0 'CPU backend takes over' "$SPHERESCOPE" "${one[@]}" --bench raytrace --frames 1 \
        --size 64x64
fi
expect 4 '^spherescope: .*(CUDA|monitor)' "$SPHERESCOPE" "${one[@]}" --device 63 --bench raytrace
expect 4 '^spherescope: ' "$SPHERESCOPE" --backend cpu --monitor 31
expect 0 'book/constant.*yes' env CUDA_VISIBLE_DEVICES= "$SPHERESCOPE" "${one[@]}" \
    --bench raytrace --frames 1 --size 64x64
expect 0 '2340 spheres' "${cpu[@]}" --bench raytrace --frames 1 --size 16x16 \
    --spheres 2341

# Results: in a file, on stdout alone, and in places that cannot be written.
expect 0 'book/global' "${cpu[@]}" --bench raytrace --frames 2 --size 64x64 \
    --json r.json
# Every mode and probe has its overhead and net time, in the regime of a run without a window.
expect 0 '' "${cpu[@]}" --bench raytrace,ilp --frames 2 --size 64x64 \
    --json net.json
(cd "$work" && python3 - <<'END') || { echo "cli.sh: --json: wrong overheads"; failed=1; }
import json
r = json.load(open("net.json"))
timed = [x for x in r["results"] if x["benchmark"] in ("raytrace", "ilp")]
assert len(timed) > 20
for x in timed:
    m = x["metrics"]
    assert x["regime"] == "idle" and m["gate_drops"] == 0 and m["tick_ms"] > 0, x
    raw, overhead = m["median_ms"], m.get("overhead_ms", 0)
    net = raw - overhead if 0 < overhead < raw else None
    assert (net is None) == (m.get("net_ms") is None), x
    assert net is None or abs(m["net_ms"] - net) < 1e-6 * raw, x
assert any(x["metrics"].get("net_ms") for x in timed)
p = r["environment"]["device"]["properties"]
assert p["processorCount"] >= 1 and p["totalMemory"] > 1 << 20, p
assert not any("registers" in x["outcome"] for x in timed) # a CPU's kernels tell none
END
# A host that is late now and then costs a reading; one that always is ends the run with a sentence.
expect 0 'book/global.* 5  count' env SPHERESCOPE_FAIL=krn_host_late:9 \
    "${cpu[@]}" --bench raytrace --frames 5 --size 64x64
for run in "--bench raytrace" "--bench ilp" "--duel book/global,strip/global"; do
    # shellcheck disable=SC2086 # words of a command line
    expect 1 '^spherescope: 200 runs in a row gave no time: the host launched each one too late' \
        env SPHERESCOPE_FAIL=krn_host_late "$SPHERESCOPE" --backend cpu $run --size 64x64
done
expect 0 '"schema"' "${cpu[@]}" --bench raytrace --frames 2 --size 64x64 --json -
python3 -c 'import json, sys; json.load(open(sys.argv[1]))' "$work/out" ||
    { echo "cli.sh: --json -: stdout is not JSON alone"; failed=1; }
if python3 -c 'import jsonschema' 2>/dev/null; then
    expect 0 '' python3 "$tests/support/validate_record.py" \
        "$tests/../assets/results.schema.json" r.json
fi
expect 0 '^benchmark,variant,backend,' "${cpu[@]}" --bench raytrace --frames 2 \
    --size 64x64 --csv -
python3 -c 'import csv, os, sys
rows = list(csv.DictReader(open(sys.argv[1], newline="")))
assert len(rows) == int(os.environ["MODES"])
assert all(float(r["median_ms"]) > 0 for r in rows)' "$work/out" ||
    { echo "cli.sh: --csv -: stdout is not CSV alone"; failed=1; }
expect 0 '^\| book/global \|' "${cpu[@]}" --bench raytrace --frames 2 \
    --size 64x64 --markdown
expect 2 'json - and --csv -' "$SPHERESCOPE" --bench raytrace --json - --csv -
# Chosen modes alone.
expect 0 'strip/constant/8' "${cpu[@]}" --bench raytrace --frames 2 --size 64x64 \
    --modes 'binned/global,*/constant/8' --json chosen.json
expect 0 '' python3 -c 'import json
names = [r["variant"] for r in json.load(open("chosen.json"))["results"]]
assert names == ["strip/constant/8", "binned/global"], names'

# A wrong picture: exit code 3, and a mark in the table and in the record.
expect 3 'WRONG picture, book/constant' env SPHERESCOPE_FAULT=constant "$SPHERESCOPE" "${one[@]}" \
    --backend cpu --bench raytrace --frames 2 --size 64x64 --json wrong.json
expect 3 'WRONG picture, tree/constant' env SPHERESCOPE_FAULT=constant "$SPHERESCOPE" \
    --backend cpu --processes 1 --bench raytrace --modes brute/global,tree/constant --frames 2 \
    --size 64x64
expect 0 '' python3 -c 'import json, os
r = json.load(open("wrong.json"))
assert "wrong-picture" in r["trust"]
assert len(r["results"]) == int(os.environ["MODES"])
assert all(x["verified"] == ("constant" not in x["variant"]) for x in r["results"])'

# Comparing: the first file with each of the others.
expect 0 'r.json against r.json' "$SPHERESCOPE" --compare r.json r.json
expect 0 'compared with itself' "$SPHERESCOPE" --compare r.json r.json
expect 0 'WRONG' "$SPHERESCOPE" --compare r.json wrong.json --markdown
expect 2 'fail-on-slower' "$SPHERESCOPE" --fail-on-slower
expect 2 'two records' "$SPHERESCOPE" --compare r.json
expect 2 'file names, also joined by commas, not ",,"' "$SPHERESCOPE" --compare r.json ,,
expect 2 'joined by commas, not "r.json,"' "$SPHERESCOPE" --compare r.json, r.json
expect 1 'line 1' "$SPHERESCOPE" --compare r.json /dev/null
expect 1 'counts a process twice' "$SPHERESCOPE" --compare r.json r.json,r.json
python3 -c 'import json
r, wrong = json.load(open("r.json")), json.load(open("wrong.json"))
def set_times(record, factor, i):
    for x in record["results"]:
        (p,) = x["processes"]
        p["samples_ms"] = [factor + (j + i) / 1e4 for j in range(50)]
        p["metrics"]["median_ms"] = x["metrics"]["median_ms"] = factor + (24.5 + i) / 1e4
        if x["verified"]:
            p["trust"] = x["trust"] = []
for side, factor, first in (("old", 1, 0), ("new", 2, 0), ("also", 1, 3)):
    for i in range(3):
        set_times(r, factor, first + i)
        json.dump(r, open(f"{side}{i}.json", "w"))
set_times(wrong, 1, 6)
json.dump(wrong, open("also-wrong.json", "w"))'
old=old0.json,old1.json,old2.json new=new0.json,new1.json,new2.json
expect 1 'SLOWER' "$SPHERESCOPE" --compare $old $new --fail-on-slower
expect 0 'SLOWER' "$SPHERESCOPE" --compare $old $new
expect 0 'FASTER' "$SPHERESCOPE" --compare $new $old --fail-on-slower
expect 4 'needs 3 processes on each side' "$SPHERESCOPE" --compare $old new0.json --fail-on-slower
python3 -c 'import json
for i in range(3):
    r = json.load(open(f"old{i}.json"))
    del r["results"][1:]
    json.dump(r, open(f"less{i}.json", "w"))'
less=less0.json,less1.json,less2.json
expect 4 'that another side lacks' "$SPHERESCOPE" --compare $old $less --fail-on-slower
expect 0 'SAME' "$SPHERESCOPE" --compare $less $old --fail-on-slower
expect 4 'WRONG or not to be quoted' "$SPHERESCOPE" --compare $old \
    also0.json,also1.json,also2.json,also-wrong.json --fail-on-slower

# The published timings.
expect 0 'all items' "${cpu[@]}" --bench book --json book.json
python3 -c 'import json
r = json.load(open("book.json"))["results"]
windows = [x for x in r if not x["variant"].endswith("/kernel")]
assert len(r) == 6 and len(windows) == 4
for x in windows:
    m = x["metrics"]
    assert x["parameters"]["width"] == 1024 and len(x["processes"][0]["samples_ms"]) == 5
    assert abs(m["items_ms"] / m["median_ms"] - 1) < 0.05, m' ||
    { echo "cli.sh: --bench book: the items do not add up"; failed=1; }
# A wrong picture of the book's scene bars the ratios that rest on it, and only these.
expect 3 'By the kernel: WRONG' env SPHERESCOPE_FAULT=constant "${cpu[@]}" --bench book \
    --json wrong-book.json
expect 0 '' python3 -c 'import json
r = json.load(open("wrong-book.json"))["results"]
told = {x["variant"]: x["verified"] for x in r if not x["variant"].endswith("/warm")}
assert told == {v + h: v == "global" for v in ("global", "constant") for h in ("/cold", "/kernel")}'
expect 4 'backend has no panels' env SPHERESCOPE_FAIL=krn_cpu_probes_open "${cpu[@]}" --bench saxpy
# Results from before a failure are written and marked as incomplete.
expect 4 'backend has no panels' env SPHERESCOPE_FAIL=krn_cpu_probes_open "${cpu[@]}" \
    --bench raytrace,saxpy --frames 2 --size 32x32 --json half.json --csv half.csv
expect 0 '' python3 -c 'import json, os
r = json.load(open("half.json"))
assert r["complete"] is False and len(r["results"]) == int(os.environ["MODES"])
assert all(x["complete"] for x in r["results"])'
expect 0 '^raytrace,' cat half.csv
expect 4 'backend has no panels' env SPHERESCOPE_FAIL=krn_cpu_probes_open "${cpu[@]}" \
    --bench saxpy --json none-at-all.json
[[ ! -e none-at-all.json ]] || { echo "cli.sh: a record without results"; failed=1; }
# The three clocks: the clock's step, and a launch by each clock where there is a second thread.
expect 0 'monotonic clock resolve' "${cpu[@]}" --bench timer --frames 8 --json clocks.json
expect 0 '' python3 -c 'import json
r = {}
for x in json.load(open("clocks.json"))["results"]:
    r.setdefault(x["variant"], []).append(x)
assert all(x["verified"] is True for s in r.values() for x in s)
step = r["resolution"][0]["metrics"]
assert 0 < step["median_ms"] < 0.1 and "overhead_ms" not in step and "tick_ms" not in step, step
for clock in ("launch", "host", "events"):
    for x in r.get(clock, []):
        assert x["parameters"]["axis"] == "elements" and "net_ms" not in x["metrics"], x
        assert ("effective_gbps" in x["metrics"]) == (clock != "launch"), x
assert len(r) in (1, 4), r.keys()'
# All benchmarks: each topic's probes, verified, and the claims board, in the table and in the
# record. A topic that the backend cannot measure is left out: here the first, the three clocks.
expect 0 'Coalesced reads take fewer cycles' env SPHERESCOPE_FAIL=krn_cpu_probes_open:1 \
    "${cpu[@]}" --bench all --size 64x64 --frames 8 --json all.json --csv all.csv
cp "$work/out" all.txt; expect 0 "timer: skipped: .* no panels" cat all.txt
expect 0 '' python3 -c 'import json
r = json.load(open("all.json"))
found = {x["benchmark"] for x in r["results"]}
topics = found - {"raytrace", "book", "claims"}
assert found > topics and "timer" not in found, found
assert topics >= {"saxpy", "peak", "access", "ilp", "memlat", "latency", "transfer", "atomics"}
assert "constant" not in topics, topics # a CPU has no constant memory
for x in r["results"]:
    if x["benchmark"] in topics:
        n = len(x["processes"][0]["samples_ms"])
        assert x["verified"] is True and x["metrics"]["n"] == n > 0, x["variant"]
        assert x["metrics"]["max_error"] == 0, x["variant"]
board = [x for x in r["results"] if x["benchmark"] == "claims"]
claims = {x["variant"]: x["outcome"]["verdict"] for x in board}
# Interrupted measurements, and few samples, leave a claim open.
sums = [x["metrics"] for x in r["results"] if x["variant"] in ("chunk/one", "strided/one")]
steady = all(m["n"] >= 6 and m["max_ms"] < 1.5 * m["min_ms"] for m in sums)
told = ["INVERTED"] if steady else ["INVERTED", "CAN\u0027T TELL"]
assert len(claims) == len(board) > 5 and claims["coalesced-cycles"] in told, (claims, sums)
assert claims["event-resolution"] == claims["launch-not-kernel"] == "not measured", claims
assert claims["saxpy-bandwidth"] == claims["ilp-threads"] == "not measured", claims
assert claims["memory-latency"] == claims["ilp-beyond-4"] == "not measured", claims'
expect 0 '^claims,coalesced-cycles,' cat all.csv
expect 0 'GFLOP/s' "${cpu[@]}" --bench ilp,saxpy --frames 2
if python3 -c 'import jsonschema' 2>/dev/null; then
    expect 0 '' python3 "$tests/support/validate_record.py" \
        "$tests/../assets/results.schema.json" \
        book.json wrong.json all.json
fi
# An output that cannot be written ends the run before it measures, with one line; an old file
# stays as it is, and no new one appears.
echo old >kept.json
for output in "--csv missing/r.csv" "--csv ." "--csv kept.json/r.csv" \
    "--screenshot missing/r.png"; do
    read -r flag path <<<"$output"
    expect 1 "^spherescope: ${path//./\\.} cannot" "${cpu[@]}" \
        --sweep spheres=1..1000 --size 4096x4096 --json kept.json "$flag" "$path"
done
[[ $(cat kept.json) == old ]] || { echo "cli.sh: a failed run replaced a file"; failed=1; }
expect 1 '^spherescope: missing/r.json' "${cpu[@]}" --bench raytrace --frames 1 \
    --size 16x16 --json missing/r.json
[[ $(wc -l <"$work/err") -eq 1 && ! -s $work/out ]] ||
    { echo "cli.sh: measured for nothing"; failed=1; }
expect 1 '^spherescope: ' "${cpu[@]}" --bench raytrace --frames 1 --size 16x16 \
    --json /dev/full
# A wrong picture outweighs a file that cannot be written; both are told.
for processes in 1 2; do
    expect 3 'WRONG picture, book/constant' env SPHERESCOPE_FAULT=constant "$SPHERESCOPE" \
        --backend cpu --bench raytrace --frames 1 --size 64x64 --modes book/constant \
        --json /dev/full --processes "$processes"
    grep -q '^spherescope: /dev/full cannot be written: ' "$work/err" ||
        { echo "cli.sh: a wrong picture hides the full disk: $(cat "$work/err")"; failed=1; }
done
expect 1 '^spherescope: .*output' bash -c '"$0" --help >/dev/full' "$SPHERESCOPE"
expect 1 '^spherescope: .*none.json' "$SPHERESCOPE" "${one[@]}" --scene none.json --bench raytrace
echo '{"schema": "spherescope-scene-1", "spheres": [{"center": [0, 0], "radius": 1}]}' >bad.json
expect 1 '^spherescope: .*bad.json.*(line )?1' "$SPHERESCOPE" "${one[@]}" --scene bad.json \
    --bench raytrace
for scene in "$tests"/../assets/scenes/*.json; do
    expect 0 'book/global.*yes' "${cpu[@]}" --scene "$scene" --bench raytrace \
        --frames 1 --size 200x100
done

# Duels: ratio, interval and verdict; the record lists the looks that claimed a difference.
expect 0 'ended by count' "${cpu[@]}" --duel book/global,book/global --frames 40 \
    --size 64x64 --band 2.5 --json d.json
expect 0 'times as fast as B' "${cpu[@]}" --duel book/global,book/shared \
    --seconds 1 --size 64x64
python3 - d.json <<'END' || { echo "cli.sh: --duel: wrong record"; failed=1; }
import json, sys
record = json.load(open(sys.argv[1]))
(result,) = record["results"]
assert (result["benchmark"], result["variant"]) == ("duel", "book/global,book/global"), result
samples = result["processes"][0]["samples_ms"]
assert result["metrics"]["n"] == 40 and len(samples) == 80, result["metrics"]
assert result["parameters"]["band_percent"] == 2.5 and result["stop"] == "count", result
assert result["metrics"]["claims"] == 0 and result["verified"] is True, result
assert record["state"]["duel"]["on"] and record["state"]["duel"]["storage"] == "global", record
END
if python3 -c 'import jsonschema' 2>/dev/null; then
    expect 0 '' python3 "$tests/support/validate_record.py" \
        "$tests/../assets/results.schema.json" d.json
fi
# A duel with a wrong side has no verdict, and says which side it is.
expect 3 '^WRONG, no verdict: wrong result on side B' env SPHERESCOPE_FAULT=constant \
    "${cpu[@]}" --duel book/global,book/constant --frames 40 --size 64x64 --json wrong-d.json
! grep -q 'times as fast' "$work/out" || { echo "cli.sh: a verdict on a wrong picture"; failed=1; }
expect 0 '' python3 -c 'import json
duel = json.load(open("wrong-d.json"))["results"][0]
assert duel["outcome"]["verdict"] == "WRONG" and "wrong-picture" in duel["trust"]
assert duel["outcome"]["a_verified"] == "yes" and duel["outcome"]["b_verified"] == "WRONG"
assert "wrong-picture" not in duel["outcome"].get("a_trust", "")
assert "wrong-picture" in duel["outcome"]["b_trust"]'
expect 2 '^spherescope: --duel' "$SPHERESCOPE" --duel book/global
expect 2 '^spherescope: --band' "$SPHERESCOPE" --band -1
expect 2 '2340' "$SPHERESCOPE" --duel book/global,book/constant --spheres 2341
if [[ $has_gpu -eq 0 ]]; then
    expect 4 '^spherescope: .*CUDA' "$SPHERESCOPE" --backend cuda "${one[@]}" \
        --duel book/global,book/global
fi

# Sweeps: every mode at every count, each verified; the plot is a PNG with the record inside.
expect 0 '^Fastest: ' "${cpu[@]}" --sweep spheres=1..20 --size 32x32 --seconds 1 \
    --frames 5 --json w.json --csv w.csv
python3 - w.json <<'END' || { echo "cli.sh: --sweep: wrong record"; failed=1; }
import json, os, sys
record = json.load(open(sys.argv[1]))
found = [(r["variant"], r["parameters"]["pixels_per_thread"], r["workload"]["spheres"])
         for r in record["results"]]
assert len(found) == len(set(found)) == int(os.environ["MODES"]) * 5, len(found)
assert {spheres for _, _, spheres in found} == {1, 2, 5, 10, 20}, found
assert all(r["verified"] is True for r in record["results"])
record["results"] = record["results"][::12]  # validating all of them takes long
json.dump(record, open("w-some.json", "w"))
END
if python3 -c 'import jsonschema' 2>/dev/null; then
    expect 0 '' python3 "$tests/support/validate_record.py" \
        "$tests/../assets/results.schema.json" w-some.json
fi
expect 0 '^  book/constant .* -$' "${cpu[@]}" --sweep spheres=2340..2341 \
    --size 8x8 --seconds 1 --frames 5 --storage constant
expect 0 '^\| book/global .*\|$' "${cpu[@]}" --sweep spheres=3..3 --size 8x8 \
    --frames 2 --markdown
expect 0 "^  binned/global" "${cpu[@]}" --sweep spheres=3..3 \
    --size 8x8 --frames 2 --modes binned/global
! grep -q 'book/' "$work/out" || { echo "cli.sh: a mode that was not chosen"; failed=1; }
expect 3 'WRONG picture, strip/constant/4 at 5' env SPHERESCOPE_FAULT=constant \
    "${cpu[@]}" --sweep spheres=4..5 --size 32x32 --seconds 1 --frames 5 --json wrong-w.json
expect 0 '' python3 -c 'import json, os
r = json.load(open("wrong-w.json"))
assert "wrong-picture" in r["trust"] and len(r["results"]) == 2 * int(os.environ["MODES"])
assert all(x["verified"] == ("constant" not in x["variant"]) for x in r["results"])'
expect 2 '^spherescope: --sweep takes spheres=A..B' "$SPHERESCOPE" --sweep spheres=20..1
expect 2 'bounces=A..B with 0 <= A <= B <= 8' "$SPHERESCOPE" --sweep bounces=0..9
expect 2 '^spherescope: --sweep bounces=A..B and --view exclude each other: .*book view' \
    "$SPHERESCOPE" --sweep bounces=0..8 --view book

# Sweeps of bounces: in the light view, with rays per second at every point, in the order of points
# and modes also after processes were merged.
expect 0 '^Sweep, rays per second' "$SPHERESCOPE" --backend cpu --processes 2 \
    --sweep spheres=2..5,bounces=0..2 --size 24x24 --frames 3 --modes '*/global' \
    --json b.json --csv b.csv
grep -q '^  5, 2 ' "$work/out" || { echo "cli.sh: no row per point"; failed=1; }
expect 0 '' python3 -c 'import csv, json
r = json.load(open("b.json"))
found = [(x["workload"]["spheres"], x["workload"]["bounces"], x["variant"]) for x in r["results"]]
wanted = [(s, b, v) for s in (2, 5) for b in (0, 1, 2) for v in ("brute/global", "tree/global")]
assert found == wanted, found
assert all(x["verified"] and x["workload"]["view"] == "light" for x in r["results"])
for x in r["results"]:
    m = x["metrics"]
    assert abs(m["rays_per_s"] * m["median_ms"] / 1e3 / m["rays"] - 1) < 1e-6, m
rows = list(csv.DictReader(open("b.csv", newline="")))
assert [(int(w["spheres"]), int(w["bounces"]), w["variant"]) for w in rows] == wanted
assert all(float(w["rays_per_s"]) > 0 for w in rows)'
if python3 -c 'import jsonschema' 2>/dev/null; then
    expect 0 '' python3 "$tests/support/validate_record.py" \
        "$tests/../assets/results.schema.json" b.json
fi
expect 3 'WRONG picture, brute/constant at 5 spheres and 2 bounces' env SPHERESCOPE_FAULT=constant \
    "${cpu[@]}" --sweep spheres=4..5,bounces=1..2 --size 32x32 --frames 3 --modes '*/constant'
# What is not swept stays as given: a scene file, and its spheres.
expect 0 'Over the number of bounces; 24 spheres; 24x24 pixels; light view, 4 samples' "${cpu[@]}" \
    --sweep bounces=1..2 --scene "$tests/../assets/scenes/caffeine.xyz" --samples 4 --size 24x24 \
    --frames 3 --modes tree/global
if [[ $has_gui -eq 1 ]]; then
    expect 0 'plot: w.png \(640x360\)' "${cpu[@]}" --sweep spheres=1..20 \
        --size 32x32 --seconds 1 --frames 5 --window 640x360 --theme light --screenshot w.png
    expect 0 '' python3 "$tests/support/png_record.py" w.png '(width, height) == (640, 360)'
    expect 0 'plot: b.png \(1280x720\)' "${cpu[@]}" --sweep spheres=2..5,bounces=0..1 \
        --size 24x24 --frames 3 --screenshot b.png
    expect 0 '' python3 "$tests/support/png_record.py" b.png \
        'len({str(r["workload"]) for r in record["results"]}) == 4'
    # The time is up before every point is measured: the plot shows those that are.
    expect 0 'plot: cut.png \(640x360\)' "${cpu[@]}" --sweep spheres=2..1000000 --radii 2:12 \
        --size 64x64 --seconds 0.3 --window 640x360 --screenshot cut.png
    expect 0 '' python3 "$tests/support/png_record.py" cut.png 'record["complete"] is False'
    # A frame takes longer than the run: the picture that was asked for is missing.
    expect 1 'There is no picture' "$SPHERESCOPE" --backend cpu --offscreen --spheres 100000 \
        --size 2048x2048 --modes book/global --seconds 0.1 --screenshot none.png
    expect 0 'picture: story.png \(1280x720\)' "$SPHERESCOPE" --backend cpu --offscreen --story on \
        --size 32x32 --modes book/global --seconds 12 --screenshot story.png
    expect 2 '^spherescope: --story takes' "$SPHERESCOPE" --story maybe

    # The phases of frames: they add up, the overlay takes few draw calls, and the screenshot has
    # the same numbers as the table's record.
    expect 0 'picture: anatomy.png' "$SPHERESCOPE" --backend cpu --offscreen --anatomy record \
        --panels full --size 64x64 --modes book/global --seconds 6 --screenshot anatomy.png \
        --json anatomy.json
    expect 0 "" python3 "$tests/support/validate_record.py" \
        "$tests/../assets/results.schema.json" anatomy.json
    expect 0 '' python3 -c 'import json
r = json.load(open("anatomy.json"))
m = [x for x in r["results"] if x["benchmark"] == "anatomy"][0]["metrics"]
assert m["n"] >= 10 and m["overlay_draw_calls"] in range(1, 5), m
assert m["cpu_mismatch_percent"] < 3 and m["gpu_mismatch_percent"] < 3, m
assert 0 < m["overlay_cpu_ms"] < m["cpu_span_ms"] and m["cpu_kernel_ms"] > 0, m
assert "gpu_kernel_ms" not in m and m["gpu_overlay_ms"] == m["overlay_gpu_ms"] > 0, m
assert r["state"]["anatomy"] == "record"'
    expect 0 '' python3 "$tests/support/png_record.py" anatomy.png \
        'any(x["benchmark"] == "anatomy" for x in record["results"])'
    expect 2 '^spherescope: --anatomy takes' "$SPHERESCOPE" --anatomy maybe
else
    expect 4 'SPHERESCOPE_GUI=OFF' "${cpu[@]}" --sweep spheres=1..2 \
        --size 32x32 --frames 5 --screenshot w.png
fi

if [[ $has_gui -eq 1 ]]; then
    # Without a display, and with one that nobody serves: draws a picture, prints the table, and
    # says so, in one line each for what is missing and for what it does instead.
    for display in -uDISPLAY DISPLAY=:987; do
        expect 0 '^spherescope: Running without a window: one offscreen picture and the table\.$' \
            env "$display" "$SPHERESCOPE" --backend cpu --size 64x64 --frames 3 --seconds 5
        [[ $(grep -c '^spherescope: No window can be opened: .*\.$' err) -eq 1 &&
            $(grep -c '^spherescope: ' err) -eq 2 ]] ||
            { echo "cli.sh: $display: $(cat err)"; failed=1; }
        grep -q '^  book/global ' out || { echo "cli.sh: $display: no table"; failed=1; }
        [[ $(find . -maxdepth 1 -name 'spherescope-*-global.png' | wc -l) -eq 1 ]] ||
            { echo "cli.sh: $display: no picture"; failed=1; }
        rm -f spherescope-*-global.png
    done
    expect 4 '^spherescope: No window can be opened: ' env DISPLAY=:987 "$SPHERESCOPE" \
        --backend cpu --size 64x64 --frames 3 --monitor 0
    expect 0 'picture: shot.png \(320x200\)' "$SPHERESCOPE" --backend cpu --offscreen --size 64x64 \
        --frames 3 --window 320x200 --storage shared --screenshot shot.png
    expect 0 '' python3 "$tests/support/png_record.py" shot.png 'state["storage"] == "shared"' \
        '(width, height) == (320, 200)' 'state["motion"] is False' \
        'env["blit"]["asked"] == "interop"'
    expect 1 '^spherescope: .*missing/shot.png' "$SPHERESCOPE" --backend cpu --offscreen \
        --size 16x16 --frames 1 --screenshot missing/shot.png
    # The same scene and size give the same picture with and without motion; --frames moves it when
    # asked.
    expect 0 '' "$SPHERESCOPE" --backend cpu --offscreen --motion on --frames 9 --size 64x64 \
        --screenshot moved.png
    expect 0 '' python3 "$tests/support/png_record.py" moved.png 'state["pose"]["time_s"] > 0'
else
    expect 4 'SPHERESCOPE_GUI=OFF' "$SPHERESCOPE" --offscreen
    expect 0 'book/global' "$SPHERESCOPE" --size 64x64
fi
# Terminated in mid-run: it does not hang and leaves no partial file.
if [[ $has_gui -eq 1 ]]; then
    # A busy machine may need longer for the first frame, without which there is no picture.
    for after in 0.5 2 8; do
        "$SPHERESCOPE" --backend cpu --offscreen --size 64x64 --seconds 60 --screenshot int.png \
            >/dev/null 2>&1 &
        pid=$!
        # Wait until the program catches signal 15.
        for _ in $(seq 600); do
            caught=$(sed -n 's/^SigCgt:[[:space:]]*//p' "/proc/$pid/status")
            (((16#$caught & 0x4000) == 0)) || break
            sleep 0.1
        done
        sleep $after
        kill -TERM $pid
        status=0
        wait $pid || status=$?
        [[ $status -eq 1 ]] || { echo "cli.sh: SIGTERM: exit $status"; failed=1; }
        [[ ! -e int.png ]] || break
    done
    expect 0 '' python3 "$tests/support/png_record.py" int.png 'record["complete"] is False'
fi
leftover=$(find . -name '*.tmp*' -o -name '.*spherescope*' | head -3)
[[ -z $leftover ]] || { echo "cli.sh: left behind: $leftover"; failed=1; }
echo "$checks checks"
exit $failed
