#!/usr/bin/env bash
# One node of four is really slower, and the table of all nodes names it alone. The nodes are
# processes of the CPU backend on this machine, which need not be idle: they measure in turns, in
# another order each time, so that what else runs here slows all of them alike, and the slow one
# renders every picture four times (krn_cpu_slow), which is more than what remains of that.
#
# The program is $SPHERESCOPE.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
unset DISPLAY WAYLAND_DISPLAY
export HOME=$work OMP_NUM_THREADS=1
nodes=4 rounds=5 slow=3
give_up() {
    echo "slow_node.sh: $*"
    cat out err
    exit 1
}

for ((round = 1; round <= rounds; round++)); do
    for ((turn = 0; turn < nodes; turn++)); do
        node=$(((round + turn) % nodes + 1))
        fault=()
        ((node == slow)) && fault=(SPHERESCOPE_FAIL=krn_cpu_slow)
        env "${fault[@]}" "$SPHERESCOPE" --backend cpu --bench raytrace --modes 'book/*' \
            --size 96x96 --frames 40 --processes 1 --json "node$node-$round.json" >out 2>err ||
            give_up "node $node, round $round: exit $?"
    done
done
sides=()
for ((node = 1; node <= nodes; node++)); do
    records=(node"$node"-*.json)
    sides+=("$(IFS=,; echo "${records[*]}")")
done
"$SPHERESCOPE" --compare "${sides[@]}" >out 2>err || give_up "--compare: exit $?"
table=$(sed -n '/^All sides/,$p' out)
# The pictures of all nodes are right; only the times of one are not like the others'.
[[ $(grep -c 'is slower than the others' <<<"$table") -eq 1 ]] || give_up "not one node is named"
grep -Eq "^node$slow-1\.json \+ 4 on .* is slower than the others: 0\.[0-5]" <<<"$table" ||
    give_up "the slow node is not named"
! grep -Eq 'wrong results|not to be quoted' <<<"$table" || give_up "a node is in doubt"
printf '%s\n' "$table"
