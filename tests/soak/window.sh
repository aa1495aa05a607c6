#!/usr/bin/env bash
# window.sh MINUTES: a window that stays open, with keys at random and a screenshot now and then.
# Prints memory, file descriptors, threads and frames every minute, and fails when one of the first
# three grows after the first third of the time. with_display.sh starts it. Exit code 77: a tool is
# missing.
set -euo pipefail
minutes=${1:?window.sh MINUTES}
tests=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck source=../support/drive_window.sh
. "$tests/support/drive_window.sh"

# Memory may still grow by this much, in KiB: what keys open late, and the screenshots' texts.
growth_kib=65536
RANDOM=${SOAK_SEED:-1}
# Keys that need no files, do not end the run, and keep frames short.
soak_keys=(1 2 3 4 5 m k bracketleft bracketright w r g a y p n ctrl+n x t u d h v i minus equal
    ctrl+equal ctrl+minus Tab Left Right space Home Escape Return z f)

start_window --backend cpu --window 960x540 --size 256x256 --vsync off --json "$work/end.json"
pid=$program

# field NAME prints a number of the program's status.
field() { awk -v name="$1:" '$1 == name { print $2 }' "/proc/$pid/status"; }
descriptors() { find "/proc/$pid/fd" -mindepth 1 | wc -l; }

# Screenshots are checked, counted and removed.
pictures=0
check_screenshot() {
    one_shot
    python3 "$tests/support/png_record.py" "$(newest)" 'state["width"] >= 1' \
        'all(r["metrics"]["low_ms"] <= r["metrics"]["median_ms"] <= r["metrics"]["high_ms"]
             for r in results if "low_ms" in r["metrics"] and "median_ms" in r["metrics"])' \
        'all(r["metrics"]["min_ms"] <= r["metrics"]["median_ms"] <= r["metrics"]["max_ms"]
             for r in results if "min_ms" in r["metrics"] and "median_ms" in r["metrics"])' ||
        fail "seed ${SOAK_SEED:-1}, minute $minute: $(cut -c1-600 "$work/why" 2>/dev/null)"
    rm -f "$(newest)"
    pictures=$((pictures + 1))
}

printf '%7s %9s %12s %8s %6s %9s\n' minute MiB descriptors threads keys pictures
begin=$SECONDS
pressed=0 minute=0 warm_rss=0 warm_files=0 warm_threads=0 least_files=0 least_threads=0
while ((SECONDS - begin < minutes * 60)); do
    kill -0 "$pid" 2>/dev/null || fail "the program ended: $(cat "$work/stderr")"
    xdotool key "${soak_keys[RANDOM % ${#soak_keys[@]}]}"
    pressed=$((pressed + 1))
    sleep 1
    ((pressed % 20 != 0)) || check_screenshot
    ((SECONDS - begin >= 60 * (minute + 1))) || continue
    minute=$(((SECONDS - begin) / 60))
    rss=$(field VmRSS) threads=$(field Threads) files=$(descriptors)
    printf '%7d %9d %12d %8d %6d %9d\n' "$minute" "$((rss / 1024))" "$files" "$threads" \
        "$pressed" "$pictures"
    if ((minute * 3 <= minutes || minute == 1)); then
        warm_rss=$((rss > warm_rss ? rss : warm_rss))
        warm_files=$((files > warm_files ? files : warm_files))
        warm_threads=$((threads > warm_threads ? threads : warm_threads))
        continue
    fi
    ((rss <= warm_rss + growth_kib)) || fail "$((rss / 1024)) MiB after $((warm_rss / 1024)) MiB"
    # Verification has a thread for a moment; a leak raises the least of the last third.
    ((minute * 3 > minutes * 2)) || continue
    least_files=$((least_files == 0 || files < least_files ? files : least_files))
    least_threads=$((least_threads == 0 || threads < least_threads ? threads : least_threads))
done
((least_files <= warm_files)) || fail "$least_files file descriptors after $warm_files"
((least_threads <= warm_threads)) || fail "$least_threads threads after $warm_threads"

# Neither help nor a question of a slow frame must take the key that ends the run.
xdotool key Escape Escape Home
check_screenshot
kill -TERM "$pid"
status=0
wait "$pid" || status=$?
program=""
[[ $status -eq 1 ]] || fail "TERM ended the run with $status: $(cat "$work/stderr")"
python3 -c 'import json, sys
r = json.load(open(sys.argv[1]))
assert any(x["benchmark"] == "raytrace" and x["metrics"]["n"] > 0 for x in r["results"])' \
    "$work/end.json" || fail "--json at the end"
