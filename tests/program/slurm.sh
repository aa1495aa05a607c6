#!/usr/bin/env bash
# The recipe of docs/clusters.md under Slurm, as it stands there: a controller and two nodes of two
# made-up GPUs each run on this machine, with a key, ports and folders of their own. One task per
# GPU writes one record, and one table compares all of them.
#
# Usage: slurm.sh SOURCE_DIR      the program is $SPHERESCOPE
# Skipped (77) without Debian's slurm-wlm and munge, or without root, which slurmd needs.
set -euo pipefail
source_dir=$1
PATH=$PATH:/usr/sbin:/sbin
for program in slurmctld slurmd srun scontrol munged; do
    type -P "$program" >/dev/null || { echo "slurm.sh: $program is not installed"; exit 77; }
done
[[ $EUID -eq 0 ]] || { echo "slurm.sh: only root can start slurmd"; exit 77; }

# slurmd and munged accept only folders that nobody else can write to, from / on.
work=$(mktemp -d /run/spherescope-slurm-XXXXXX)
chmod 755 "$work"
started=()
clean() {
    local pid
    for pid in "${started[@]}"; do
        kill -TERM "$pid" 2>/dev/null || true
    done
    for pid in "${started[@]}"; do
        wait "$pid" 2>/dev/null || true
    done
    rm -rf "$work"
}
trap clean EXIT
give_up() {
    echo "slurm.sh: $*"
    tail -n 15 "$work"/*.log || true
    exit 1
}

# Ports that nothing uses now.
read -r control node1 node2 < <(python3 -c '
import socket
s = [socket.socket() for _ in range(3)]
[x.bind(("127.0.0.1", 0)) for x in s]
print(*[x.getsockname()[1] for x in s])')
mkdir -m 755 "$work/state" "$work/node1" "$work/node2" "$work/run"
(umask 077 && head -c 1024 /dev/urandom >"$work/munge.key")
export SLURM_CONF=$work/slurm.conf
cat >"$SLURM_CONF" <<END
ClusterName=spherescope
SlurmctldHost=$(hostname)(127.0.0.1)
SlurmctldPort=$control
AuthType=auth/munge
AuthInfo=socket=$work/munge.socket
CryptoType=crypto/munge
SlurmUser=root
SlurmdUser=root
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/%n
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=$work/%n.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerParameters=sched_interval=1
ReturnToService=2
GresTypes=gpu
NodeName=node1 NodeHostname=$(hostname) NodeAddr=127.0.0.1 Port=$node1 CPUs=2 Gres=gpu:2
NodeName=node2 NodeHostname=$(hostname) NodeAddr=127.0.0.1 Port=$node2 CPUs=2 Gres=gpu:2
PartitionName=all Nodes=node1,node2 Default=YES MaxTime=10 State=UP
END
printf 'Name=gpu File=/dev/%s\n' null zero >"$work/gres.conf" # any devices

munged --foreground --key-file="$work/munge.key" --socket="$work/munge.socket" \
    --pid-file="$work/munged.pid" --log-file="$work/munged.log" --seed-file="$work/munge.seed" \
    >"$work/munged.log" 2>&1 &
started+=($!)
for _ in $(seq 100); do
    [[ -S $work/munge.socket ]] && break
    sleep 0.1
done
slurmctld -D >"$work/slurmctld.log" 2>&1 &
started+=($!)
for node in node1 node2; do
    slurmd -D -N "$node" >"$work/$node.log" 2>&1 &
    started+=($!)
done
ready=0
for _ in $(seq 300); do
    ready=$(scontrol --oneliner show node 2>/dev/null | grep -c 'State=IDLE ' || true)
    [[ $ready -eq 2 ]] && break
    sleep 0.2
done
[[ $ready -eq 2 ]] || give_up "the nodes are not ready: $(scontrol show node 2>&1 | grep State)"

# The recipe, but small, and on the CPU: these GPUs are made up.
sed -n '/^<!-- slurm -->$/,/^```$/p' "$source_dir/docs/clusters.md" | sed '1,2d;$d' \
    >"$work/recipe.sh"
grep -q '^srun ' "$work/recipe.sh" || give_up "docs/clusters.md has no recipe"
mkdir "$work/bin"
cat >"$work/bin/spherescope" <<END
#!/bin/sh
[ "\$1" = --compare ] && exec "$SPHERESCOPE" "\$@"
echo "\$SLURMD_NODENAME \$CUDA_VISIBLE_DEVICES" >>"$work/seen"
exec "$SPHERESCOPE" --backend cpu --size 64x64 --frames 20 --modes 'book/*' "\$@"
END
chmod +x "$work/bin/spherescope"
cd "$work/run"
sed -i 's/--nodes=[0-9]*/--nodes=2/; s/--ntasks-per-node=[0-9]*/--ntasks-per-node=2/' \
    "$work/recipe.sh"
PATH=$work/bin:$PATH timeout 300 bash -eu "$work/recipe.sh" >"$work/out" 2>"$work/recipe.log" ||
    give_up "the recipe ends with $?"

expected="node1-gpu0.json node1-gpu1.json node2-gpu0.json node2-gpu1.json"
[[ $(echo *.json) == "$expected" ]] || give_up "records: $(echo *.json)"
[[ $(sort -u "$work/seen" | wc -l) -eq 4 ]] || give_up "tasks share a GPU: $(sort "$work/seen")"
grep -A 12 '^All sides' "$work/out" || give_up "there is no table of all GPUs"
for file in $expected; do
    grep -Eq "^ *${file/./\\.} " <(sed -n '/^All sides/,$p' "$work/out") ||
        give_up "$file is not in the table"
done
