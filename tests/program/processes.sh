#!/usr/bin/env bash
# Runs that measure in several processes: one record of all, a process that crashes, a wrong
# picture, what no process can do, time limits, and what the parent prints.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
unset DISPLAY WAYLAND_DISPLAY
export HOME=$work
failed=0
cpu=("$SPHERESCOPE" --backend cpu)
small=(--size 64x64 --frames 6 --modes 'book/*,binned/global')

# expect CODE PATTERN COMMAND...: checks the exit code, and that PATTERN matches stdout or stderr.
expect() {
    local code=$1 pattern=$2 actual=0
    shift 2
    timeout 600 "$@" >out 2>err </dev/null || actual=$?
    if [[ $actual -ne $code ]] || ! cat out err | grep -E -- "$pattern" >/dev/null; then
        echo "processes.sh: $*: exit $actual, expected $code and /$pattern/:"
        head -5 out err
        failed=1
    fi
}
# check WHAT PYTHON: runs a check of the record r.json, as r.
check() {
    python3 -c "import json, sys; r = json.load(open('r.json')); $2" ||
        { echo "processes.sh: $1"; failed=1; }
}

# Three processes, one record: every result keeps every process. The command line is the user's.
expect 0 '^3 processes$' "${cpu[@]}" --bench raytrace,ilp "${small[@]}" --processes 3 \
    --order-seed 7 --json r.json
check "three processes" "
run = r['run']
assert (run['processes'], run['processes_asked']) == (3, 3), run
assert (run['failed'], run['seed']) == ([], '7'), run
assert r['complete'] and '--worker' not in r['environment']['argv'], r['environment']['argv']
assert {x['benchmark'] for x in r['results']} == {'raytrace', 'ilp'}
names = [x['variant'] for x in r['results'] if x['benchmark'] == 'raytrace']
assert names[0] == 'book/global' and names[-1] == 'binned/global', names  # the tables' order
for x in r['results']:
    each = x['processes']
    assert [p['process'] for p in each] == [1, 2, 3], x['variant']
    assert len({tuple(p['samples_ms']) for p in each}) == 3, x['variant']
    m = x['metrics']
    assert m['low_ms'] < m['median_ms'] < m['high_ms'], m
    assert x['verified'] is True, (x['variant'], x.get('verified_reason'))
assert any('binned/global' in n for n in r['notes']), r['notes']  # the choice of modes"
[[ $(grep -c '^  book/global' out) -eq 1 ]] || { echo "processes.sh: not one table"; failed=1; }
expect 0 '"schema"' "${cpu[@]}" --bench raytrace "${small[@]}" --processes 2 --json -
python3 -c 'import json, sys; json.load(open(sys.argv[1]))' out ||
    { echo "processes.sh: --json -: stdout is not JSON alone"; failed=1; }
expect 0 '' "${cpu[@]}" --sweep spheres=1..2 "${small[@]}" --processes 2 --json r.json
check "sweep" "
assert r['run']['processes'] == 2 and len(r['results']) == 12, len(r['results'])
assert {x['workload']['spheres'] for x in r['results']} == {1, 2}"
expect 0 '' "${cpu[@]}" --duel book/global,binned/global --size 64x64 --frames 30 --processes 2 \
    --json r.json
check "duel" "
(x,) = r['results']
assert x['benchmark'] == 'duel' and len(x['processes']) == 2"

# One process says that it is one; other commands have none.
expect 0 'One process' "${cpu[@]}" --bench raytrace "${small[@]}" --processes 1
expect 2 'processes needs' "$SPHERESCOPE" --processes 3 --compare a.json b.json
expect 2 'order-seed needs' "$SPHERESCOPE" --offscreen --order-seed 3
expect 2 'processes takes' "$SPHERESCOPE" --bench raytrace --processes 33
expect 2 'no option --worker' "$SPHERESCOPE" --worker 99 1 2 3 4

# A wrong picture in every process; what no process can do is tried once.
expect 3 'WRONG|wrong' env SPHERESCOPE_FAULT=constant "${cpu[@]}" --bench raytrace "${small[@]}" \
    --processes 2
expect 4 'no panels' env SPHERESCOPE_FAIL=krn_cpu_probes_open "${cpu[@]}" --bench saxpy \
    --processes 3
[[ $(grep -c 'no panels' err) -eq 1 ]] || { echo "processes.sh: tried again"; failed=1; }
expect 1 'none.json' "${cpu[@]}" --scene none.json --bench raytrace --processes 3
[[ $(grep -c 'none.json' err) -eq 1 ]] || { echo "processes.sh: tried again"; failed=1; }

# The second process crashes: the others' results count, and the record says what is missing.
rm -f r.json
"${cpu[@]}" --bench raytrace --size 64x64 --modes 'book/*' --processes 3 --json r.json \
    >out 2>err </dev/null &
pid=$!
for _ in $(seq 3000); do
    kill -0 $pid 2>/dev/null || break
    for child in $(cat /proc/$pid/task/$pid/children 2>/dev/null || true); do
        words=$({ tr '\0' ' ' <"/proc/$child/cmdline"; } 2>/dev/null || true)
        if [[ $words =~ --worker\ [0-9]+\ 2\  ]]; then
            kill -KILL "$child" || true
            break 2
        fi
    done
    sleep 0.01
done
status=0
wait $pid || status=$?
if [[ $status -ne 1 ]] ||
    ! grep -q 'process 2 of 3 ended by signal 9; its results are missing' err; then
    echo "processes.sh: a crash: exit $status"
    cat err
    failed=1
fi
check "a crash" "
run = r['run']
assert (run['processes'], run['processes_asked']) == (2, 3) and r['complete'] is False, run
assert [f['process'] for f in run['failed']] == [2] and 'signal 9' in run['failed'][0]['why'], run
assert all([p['process'] for p in x['processes']] == [1, 3] for x in r['results'])"

# A worker is killed while a process of its own runs: that one ends as well, and the next begins.
# It is stopped first, so that it cannot end by itself, and with a second thread: then its start is
# over. On a busy machine the first workers may end unseen, so that there are many.
OMP_NUM_THREADS=2 "${cpu[@]}" --bench book --processes 20 >out 2>err </dev/null &
pid=$!
# child PID prints the first process that it has started.
child() {
    local ids=""
    read -r ids 2>/dev/null <"/proc/$1/task/$1/children" || true
    printf '%s' "${ids%% *}"
}
# works PID: it measures a window of the book's. The leak sanitizer's own process at a worker's end
# has the worker's command line.
works() {
    local words threads=("/proc/$1/task/"*)
    ((${#threads[@]} > 1)) && mapfile -d '' -t words 2>/dev/null <"/proc/$1/cmdline" &&
        [[ ${words[*]} == *--book-window* ]]
}
runs() { grep -q '^State:[[:space:]]*[^ZX]' "/proc/$1/status" 2>/dev/null; }
worker= inner= next= caught=0
for _ in $(seq 3000); do
    kill -0 $pid 2>/dev/null || break
    worker=$(child $pid) inner=
    [[ -z $worker ]] || inner=$(child "$worker")
    if [[ -n $inner ]] && works "$inner"; then
        kill -STOP "$inner" && kill -KILL "$worker" && caught=1 && break
    fi
    sleep 0.005
done
for _ in $(seq 400); do
    next=$(child $pid)
    [[ -z $next || $next == "$worker" ]] || runs "$inner" || break
    sleep 0.05
done
if [[ $caught -eq 0 || -z $next || $next == "$worker" ]] || runs "$inner"; then
    echo "processes.sh: a worker's own process outlives it, or holds up the run: caught $caught," \
        "run $pid, worker $worker, its process $inner, next worker $next"
    grep -E '^(Name|State|PPid):' "/proc/$inner/status" || true
    kill -KILL "$inner" || true
    failed=1
fi
kill -TERM $pid
status=0
wait $pid || status=$?
[[ $status -eq 1 ]] || { echo "processes.sh: a killed worker: exit $status"; failed=1; }

# --seconds bounds the whole run; a busy machine gets a few seconds more.
for command in "--bench raytrace,saxpy,memlat" "--bench raytrace --spheres 1000000" \
    "--sweep spheres=1..100000" "--duel book/global,book/constant"; do
    read -ra words <<<"$command"
    begin=$(date +%s%N)
    expect 0 'up to about 6 s: 2 processes of 3 s' "${cpu[@]}" "${words[@]}" \
        --processes 2 --seconds 6
    took=$((($(date +%s%N) - begin) / 1000000))
    echo "$took ms for --seconds 6: $command"
    [[ $took -lt 12000 ]] || { echo "processes.sh: $command: $took ms for 6 s"; failed=1; }
done
# Frames in place of a time: how long they take is not known.
expect 0 '^2 processes$' "${cpu[@]}" --bench raytrace --modes strip/global/8 --frames 5 \
    --processes 2
# A frame that takes longer than the run leaves no result, and the record says so.
expect 0 'Incomplete' "${cpu[@]}" --bench raytrace --modes book/global --size 16384x16384 \
    --spheres 100000 --processes 2 --seconds 1 --json none.json
expect 0 '1 of 1 have fewer than 6 samples' "${cpu[@]}" --bench raytrace --modes book/global \
    --size 16384x16384 --spheres 100000 --processes 1 --seconds 1
# A start that takes longer than --seconds does not lift the limit: one frame would take minutes.
begin=$(date +%s%N)
"${cpu[@]}" --bench raytrace --modes book/global --size 16384x16384 --spheres 1000000 \
    --radii 2:12 --seconds 0.2 --processes 1 >out 2>err </dev/null &
pid=$!
sleep 0.03
kill -STOP $pid
sleep 0.8
kill -CONT $pid
(sleep 20 && kill -KILL $pid) 2>/dev/null &
watch=$!
wait $pid || { echo "processes.sh: a slow start: exit $?"; failed=1; }
kill $watch 2>/dev/null || true
echo "$((($(date +%s%N) - begin) / 1000000)) ms for --seconds 0.2 after a slow start"
# What the time does not suffice for says so; a busy machine needs all of it to fill the arrays.
expect 0 'saxpy: (.* fewer than 6 samples|skipped: the time was up)' "${cpu[@]}" --bench saxpy \
    --seconds 0.5 --processes 1
exit $failed
