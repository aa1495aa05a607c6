#!/usr/bin/env bash
# standin.sh: what the program does where CUDA cannot be used, or has little memory. The program in
# $SPHERESCOPE has a stand-in for the CUDA runtime, which answers as SPHERESCOPE_STANDIN says
# (tests/support/cuda_standin/answers.cpp).
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
unset DISPLAY WAYLAND_DISPLAY
export HOME=$work
run=(--size 32x32 --seconds 0.2 --processes 1)
wrong=0
failed() { printf 'standin.sh: %s\n' "$*"; cat err; wrong=1; }

# expect CODE REGEX ARGUMENT...: runs the program; stderr must match the regex, if there is one.
expect() {
    local code=$1 regex=$2 status=0
    shift 2
    "$SPHERESCOPE" "$@" >out 2>err </dev/null || status=$?
    [[ $status -eq $code ]] || failed "$SPHERESCOPE_STANDIN: $*: ends with $status, not $code"
    [[ -z $regex ]] || grep -Eq "$regex" err || failed "$SPHERESCOPE_STANDIN: $*: not '$regex'"
}

unusable() {
    export SPHERESCOPE_STANDIN=$1
    local why=$2
    expect 0 "^spherescope: The CPU backend takes over\\. CUDA cannot be used \\($why" \
        --bench raytrace --modes book/global "${run[@]}"
    grep -q '^cpu,' out || failed "$1: the table is not the CPU's"
    expect 4 "^spherescope: CUDA cannot be used \\($why" \
        --backend cuda --bench raytrace --modes book/global "${run[@]}"
    local option
    for option in --help --version --list-devices --info; do
        expect 0 '' "$option"
        [[ -s out ]] || failed "$1: $option prints nothing"
    done
}

unusable no-device 'error 100\): no NVIDIA GPU is visible'
needs='and this program needs CUDA [1-9][0-9]\.[0-9]'
cures='update the driver, to [45][0-9]+ or newer, or take a build made with CUDA 11\.8\.'
unusable driver-too-old "error 35\\): the NVIDIA driver has CUDA 11\\.4, $needs: $cures"
unusable error:35 "error 35\\): there is no NVIDIA driver, $needs: install one\\."
WSL_DISTRO_NAME=Debian unusable driver-too-old 'error 35\): .* update the driver in Windows, whose'
unusable stub "error 34\\): libcuda is the toolkit's stub.*: remove"
unusable error:46 'error 46\): the GPU is busy'
unusable error:802 'error 802\): the system is not ready .*fabric manager'
unusable error:803 'error 803\): driver and kernel module .*: restart'
unusable error:804 'error 804\): this GPU needs a newer driver'
unusable error:999 'error 999\): CUDA could not start: .* restart'
unusable error:1 'error 1\): .*: start again; if it fails again, see nvidia-smi'

# Faults of the GPU, which a new context may end; any other error is none.
for fault in 214 220 700 702 710 714 715 716 717 718 719; do
    export SPHERESCOPE_STANDIN=error:$fault
    expect 4 "After a fault on the GPU, .* \\(error $fault\\): restart the program" \
        --backend cuda --bench raytrace --modes book/global "${run[@]}"
done

# The device is there, but has no code to run: only a launch tells.
unusable no-code 'error 209\): this program has no code for this GPU: build'

# Memory: what does not fit is refused with a sentence, and the rest goes on.
export SPHERESCOPE_STANDIN=memory:1000000
expect 1 "the device's memory is full \(2, 0 of 0 MiB are free\): close other programs" \
    --backend cuda --bench raytrace \
    --modes book/global --size 1024x1024 --seconds 0.2 --processes 1
expect 0 '' --backend cuda --bench raytrace --modes book/global "${run[@]}"
grep -q '^cuda,' out || failed "little memory: the table is not the GPU's"
export SPHERESCOPE_STANDIN=memory:1500000 # none is left for a table of latencies
expect 0 '' --backend cuda --bench latency "${run[@]}"
for call in 1 2; do
    export SPHERESCOPE_FAIL=cudaHostGetDevicePointer:$call
    expect 1 'cudaHostGetDevicePointer failed' --backend cuda --bench saxpy "${run[@]}"
done
unset SPHERESCOPE_FAIL

# Another device draws OpenGL, as on a laptop with two GPUs: the picture is copied, and both the
# record and the sentence on screen tell why. Without OpenGL there is no picture.
export SPHERESCOPE_STANDIN=other-gl
status=0
"$SPHERESCOPE" --backend cuda --offscreen --size 64x64 --modes book/global --frames 4 --seconds 20 \
    --screenshot other.png --json other.json >out 2>err </dev/null || status=$?
if ((status != 4)); then
    ((status == 0)) || failed "other-gl: ends with $status"
    python3 - <<'END' || failed "other-gl: the record"
import json
record = json.load(open("other.json"))
assert {"gl-elsewhere", "software-gl"} & set(record["trust"]), record["trust"]
blit = record["environment"]["blit"]
assert blit["asked"] == "interop" != blit["used"], blit
assert "another device draws OpenGL" in blit["reason"] and "start with" in blit["reason"], blit
END
fi
if ((status == 0)); then
    WSL_DISTRO_NAME=Debian "$SPHERESCOPE" --backend cuda --offscreen --size 64x64 --frames 4 \
        --modes book/global --seconds 20 --screenshot wsl.png --json wsl.json >out 2>err </dev/null
    grep -q 'Pictures are copied: WSL has no interoperability of CUDA and OpenGL' wsl.json ||
        failed "other-gl: the record of WSL"
    # On the same GPU, by its name, OpenGL has a row beside the four where constant memory wins.
    while read -r word cases; do
        SPHERESCOPE_STANDIN=$word "$SPHERESCOPE" --backend cuda --bench where --processes 1 \
            --seconds 1 >out 2>err </dev/null || failed "$word: ends with $?"
        grep -q "^where: $cases of $cases have fewer than 6 samples" out ||
            failed "$word: not $cases cases"
    done <<<$'devices:1 56\nllvmpipe 70'
fi

# Some kernels are launched through a table of pointers, whose names would tell a user nothing.
export SPHERESCOPE_STANDIN=devices:1
for launch in 'launcher->launch book' 'launcher->brute brute' 'launcher->tree tree'; do
    SPHERESCOPE_FAIL=${launch% *} expect 1 '^spherescope: CUDA: the launch of a kernel failed, ' \
        --backend cuda --bench raytrace --modes "${launch#* }/global" "${run[@]}"
done

# A device that is lost in the middle of a run ends it with a sentence, or the CPU takes over.
for call in 300 1000; do
    export SPHERESCOPE_STANDIN=lost:$call
    status=0
    "$SPHERESCOPE" --backend cuda --bench raytrace --modes 'book/*' "${run[@]}" >out 2>err \
        </dev/null || status=$?
    [[ $status -le 1 || $status -eq 4 ]] || failed "lost at call $call: ends with $status"
    grep -Eq 'spherescope: .*\(719\)|CPU backend takes over' err ||
        failed "lost at call $call: not said"
done

# A device that is lost while the first scene is loaded: the CPU takes over, unless the GPU was
# asked for by name. Loading begins after the last call whose loss is told before a missing scene
# file.
one=(--bench raytrace --modes book/global "${run[@]}")
first=100 last=100000
while ((first < last)); do
    middle=$(((first + last) / 2))
    export SPHERESCOPE_STANDIN=lost:$middle
    "$SPHERESCOPE" --backend cuda --scene missing.json "${one[@]}" >out 2>err </dev/null &&
        failed "a missing file is not missed"
    if grep -q '(719)' err; then first=$((middle + 1)); else last=$middle; fi
done
for call in $first $((first + 8)); do
    export SPHERESCOPE_STANDIN=lost:$call
    expect 1 '^spherescope: CUDA: .*\(719\)' --backend cuda "${one[@]}"
    expect 0 '^spherescope: The CPU backend takes over\. CUDA: .*\(719\)' "${one[@]}"
    grep -q '^cpu,' out || failed "lost at call $call: the table is not the CPU's"
    expect 0 '^spherescope: The CPU backend takes over\. CUDA: .*\(719\)' --bench raytrace \
        --modes tree/global "${run[@]}"
done

# Nothing takes the place of a GPU that was asked for by name, where no audience waits.
for call in 300 600; do
    export SPHERESCOPE_STANDIN=lost:$call
    status=0
    "$SPHERESCOPE" --backend cuda --offscreen --modes 'book/*' --size 32x32 --seconds 0.5 \
        --screenshot lost.png >out 2>err </dev/null || status=$?
    ((status == 1 || status == 4)) || failed "named, lost at call $call: ends with $status"
    ! grep -q 'takes over' err || failed "named, lost at call $call: the CPU takes over"
    [[ ! -s out ]] || failed "named, lost at call $call: there is a table"
done

# Every GPU measures in processes of its own, and one record has them all.
export SPHERESCOPE_STANDIN=devices:2
all=(--device all --bench raytrace --modes 'book/global,book/constant' --size 32x32 --frames 6)
expect 0 '^4 processes$' "${all[@]}" --processes 2 --json all.json
grep -Eq '^ *GPU 1 .*0000:01:00\.0' out || failed "--device all: no row for GPU 1"
python3 - <<'END' || failed "--device all: the record"
import json
run = json.load(open("all.json"))["run"]
assert [(e["process"], e["ordinal"]) for e in run["each"]] == [(1, 0), (2, 1), (3, 0), (4, 1)], run
assert [e["pci_id"] for e in run["each"][:2]] == ["0000:00:00.0", "0000:01:00.0"], run
END
# A GPU that cannot be used, even the first one, costs its own processes only.
for busy in 0 1; do
    export SPHERESCOPE_STANDIN=devices:2,busy:$busy
    expect 1 "process $((busy + 1)) of 4 ended without results" "${all[@]}" --processes 2 \
        --json all.json
    python3 - "$busy" <<'END' || failed "--device all without GPU $busy: the record"
import json, sys
record = json.load(open("all.json"))
assert {e["ordinal"] for e in record["run"]["each"]} == {1 - int(sys.argv[1])}, record["run"]
assert len(record["run"]["failed"]) == 2 and record["complete"] is False, record["run"]
END
done
# When no GPU can be used, the first process of each says why, no other one starts, and nothing is
# written; --device all takes no CPU in the place of a GPU.
export SPHERESCOPE_STANDIN=devices:3,busy:0,busy:1,busy:2
expect 4 '^spherescope: None of the 3 GPUs gave results\.$' "${all[@]}" --processes 2 \
    --json none.json
[[ $(grep -c 'error 46): the GPU is busy' err) -eq 3 ]] || failed "all busy: not said for each GPU"
[[ ! -s out && ! -e none.json ]] || failed "all busy: there are results"
# Without --device all, the CPU takes over.
expect 0 '^spherescope: The CPU backend takes over\. .*error 46' --bench raytrace \
    --modes book/global "${run[@]}"
export SPHERESCOPE_STANDIN=devices:2
expect 1 'more than 128 processes' "${all[@]}" --processes 65
expect 2 'device all needs' --device all --offscreen
export SPHERESCOPE_STANDIN=no-device
expect 4 'no NVIDIA GPU is visible' "${all[@]}"

((wrong == 0)) && echo "every answer is told as it should be"
exit "$wrong"
