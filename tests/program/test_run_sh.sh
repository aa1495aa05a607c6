#!/usr/bin/env bash
# test_run_sh.sh SOURCE_DIR: tests run.sh and test.sh with stand-ins for apt-get, dpkg-query, sudo,
# cmake, ctest and nvidia-smi, on a PATH with few other tools. Each stand-in logs its call into the
# file that receives the script's own messages, which shows their order. A driver is looked for in a
# folder of the test.
set -euo pipefail
source=$1
top=$(mktemp -d)
trap 'rm -rf "$top"' EXIT
tree="$top/a tree" # the blank is intended
bin=$top/bin log=$top/log installed=$top/installed
mkdir -p "$tree/cmake" "$tree/tests" "$bin" "$top/elsewhere"
cp "$source/run.sh" "$source/test.sh" "$tree"
sed "s# /\(proc\|dev\|usr/lib/wsl\)/# \"$top\"/\1/#g; s/-t 12/-t 2/; s/-k 1 10/-k 1 1/" \
    "$source/cmake/bootstrap.sh" >"$tree/cmake/bootstrap.sh"
cp "$source/tests/matrix.sh" "$tree/tests"
for tool in bash cat chmod dirname env flock grep mkdir mktemp nproc readlink rm sleep sort stat \
    tail timeout; do
    ln -s "$(type -P $tool)" "$bin/$tool"
done

stand_in() { # NAME, text on stdin
    { printf '#!/usr/bin/env bash\n' && cat; } >"$bin/$1"
    chmod +x "$bin/$1"
}
for tool in cc gcc ninja python3; do
    stand_in $tool <<<'exit 0'
done
stand_in id <<<'echo "${FAKE_UID:-0}"'
stand_in sudo <<<'echo "call sudo" >>"$LOG"; exec "$@"'
stand_in pkg-config <<<'[[ " ${FAKE_LACKS-} " != *" $2 "* ]]'
stand_in ctest <<<'echo "call ctest $*" >>"$LOG"; exit "${FAKE_EXIT:-0}"'
stand_in dpkg-query <<'STUB'
for name in "${@:4}"; do
    if grep -qx "$name" "$INSTALLED"; then echo "$name installed"; else lacks=1; fi
done
exit "${lacks:-0}"
STUB
stand_in apt-get <<'STUB'
echo "call apt-get $*" >>"$LOG"
echo "apt-get says much"
[[ -z ${FAKE_APT_FAILS-} ]] || exit 100
[[ "$*" != *--simulate* || -z ${FAKE_NO_LISTS-} ]] || exit 100
if [[ " $* " == *" install "* && "$*" != *--simulate* ]]; then printf '%s\n' "$@" >>"$INSTALLED"; fi
STUB
stand_in cmake <<'STUB'
case $1 in
--version) echo "cmake version ${FAKE_CMAKE:-3.25.1}" ;;
--preset)
    echo "call cmake $*" >>"$LOG"
    echo "-- configuring"
    echo "${FAKE_STATUS--- CUDA 13}"
    [[ -z ${FAKE_CONFIGURE_FAILS-} ]] || exit 1
    case $2 in release) dir=build ;; *) dir=build-$2 ;; esac
    mkdir -p $dir && echo >$dir/build.ninja
    [[ "$*" == *--fresh* || ! -e $dir/CMakeCache.txt ]] || exit 0
    printf '%s\n' SPHERESCOPE_CUDA_ARCHS:STRING= SPHERESCOPE_GPUS:STRING= >$dir/CMakeCache.txt
    for option in "${@:3}"; do
        [[ $option != -D* ]] || echo "${option#-D}" >>$dir/CMakeCache.txt
    done ;;
-S) echo "call cmake $*" >>"$LOG" ;;
--build)
    echo "the compiler's words"
    [[ -z ${FAKE_BUILD_FAILS-} ]] || exit 2
    [[ $2 != build-matrix/* ]] || { [[ $2 != *"/${FAKE_MATRIX_FAILS- }" ]]; exit; }
    for step in ${FAKE_STEPS-1/1}; do
        [[ -e $2/spherescope ]] || echo "[$step] Building C object x"
    done
    printf '%s\n' '#!/usr/bin/env bash' 'echo "in $PWD"; printf "[%s]" "$@"; exit ${FAKE_EXIT:-0}' \
        >"$2/spherescope"
    chmod +x "$2/spherescope" ;;
esac
STUB

passed=0 case=""
check() { # CONDITION...: "$out", "$status" and the log belong to the last run
    if ! "$@"; then
        printf 'FAILED %s: %s\nstatus %s\n-- out\n%s\n-- log\n' "$case" "$*" "$status" "$out"
        cat "$log"
        exit 1
    fi
    passed=$((passed + 1))
}
logged() { grep -qE -- "$1" "$log"; }
not_logged() { ! logged "$1"; }
silent() { [[ ! -s $log ]]; }
is() { [[ $1 == "$2" ]]; }
# earlier A B: checks that a line with A precedes the first line with B
earlier() { [[ $(grep -E -m1 -e "$1" -e "$2" "$log") =~ $1 ]] && logged "$2"; }

try() { # CASE [VARIABLE=VALUE...] -- SCRIPT [ARGUMENT...]
    local variables=() name
    case=$1
    shift
    while [[ $1 != -- ]]; do
        variables+=("$1")
        shift
    done
    name=$2
    shift 2
    : >"$log"
    status=0
    out=$(cd "$top/elsewhere" && env -i PATH="$bin" HOME="$top" TMPDIR="$top" LOG="$log" \
        INSTALLED="$installed" "${variables[@]}" "$tree/$name" "$@" 2>>"$log") || status=$?
}
forget() { rm -rf "$tree"/build*; }

: >"$installed"
try 'a bare machine, as root' FAKE_EXIT=3 -- run.sh --size 64x64 'a b'
check is "$status" 3
check is "$out" "in $top/elsewhere"$'\n'"[--size][64x64][a b]"
check earlier 'run.sh: installing with apt-get' 'call apt-get'
for package in build-essential cmake libglfw3-dev libjansson-dev libqrencode-dev fonts-inter; do
    check logged "installing with apt-get.* $package( |\$)"
done
check not_logged 'cmocka|zbar-tools|ffmpeg|says much|configuring|words|sudo'
check logged 'call cmake --preset release'
check earlier 'call apt-get' 'call cmake'
check is "$(grep -c '^run.sh: building' "$log")" 1

try 'again' FAKE_EXIT=4 -- run.sh --help
check is "$status" 4
check silent

forget
try 'progress in a log' FAKE_STEPS='1/30 2/30 3/30 4/30 15/30 30/30' -- run.sh
check is "$(grep -o 'built.*' "$log")" $'built 10 %\nbuilt 50 %\nbuilt 100 %'

try 'the compiler changed' CC=ninja -- run.sh
check logged 'call cmake --preset release --fresh'
try 'and changed back' -- run.sh
check logged 'call cmake --preset release --fresh'
stand_in nvcc <<<'exit 0'
try 'nvcc has come' -- run.sh
check logged 'call cmake --preset release --fresh'
mv "$tree" "$tree 2"
tree="$tree 2"
try 'the checkout moved' -- run.sh
check logged 'call cmake --preset release --fresh'
rm "$tree/build/bootstrap.stamp"
try 'configured by hand' -- run.sh
check logged 'call cmake --preset release$'

# GPUs, as nvidia-smi tells them; "none" where nothing tells of a driver.
configured_for() { logged "call cmake --preset release --fresh .*-DSPHERESCOPE_GPUS=$1\$"; }
forget
try 'no driver' 'FAKE_STATUS=-- No NVIDIA driver: x' -- run.sh
check configured_for none
check logged '^run.sh: No NVIDIA driver: x$'
try 'still no driver' -- run.sh
check silent
stand_in nvidia-smi <<'STUB'
[[ "$*" == '--query-gpu=compute_cap --format=csv,noheader' ]] || echo "call nvidia-smi $*" >>"$LOG"
printf "${FAKE_GPUS-9.0\n}"
${FAKE_SMI-true}
STUB
try 'a driver has come' -- run.sh
check configured_for 90
try 'the same GPU' -- run.sh
check silent
try 'a second GPU' 'FAKE_GPUS=9.0\n7.5\n9.0\n' -- run.sh
check configured_for '75;90'
try 'another GPU' 'FAKE_GPUS=12.0\n' -- run.sh
check configured_for 120
for answer in '' 'No devices were found\n' 'N/A\n' '9.0\n[N/A]\n' '9.0' '9.0\nend\n' '-9.0\n' \
    'Field "compute_cap" is not a valid field to query.\n'; do
    try "once known, no answer takes it away: $answer" "FAKE_GPUS=$answer" -- run.sh
    check silent
done
try 'nor a failure' FAKE_SMI=false -- run.sh
check silent
try 'nor silence' FAKE_SMI='sleep 9' -- run.sh
check silent
try 'a new compiler, and no answer' CC=ninja FAKE_SMI=false -- run.sh
check configured_for 120
mkdir -p "$top/dev"
for answer in '' 'N/A\n' '9.0\n[N/A]\n'; do
    forget
    try "no GPU, no driver: $answer" "FAKE_GPUS=$answer" -- run.sh
    check configured_for none
    : >"$top/dev/nvidiactl"
    try "a driver that does not say: $answer" "FAKE_GPUS=$answer" -- run.sh
    check configured_for unknown
    rm "$top/dev/nvidiactl"
done
for script in 'sleep 9' false; do
    forget
    : >"$top/dev/nvidiactl"
    try "nvidia-smi does: $script" "FAKE_SMI=$script" -- run.sh
    check configured_for unknown
    check is "$status" 0
    try 'it recovers' -- run.sh
    check configured_for 90
done
forget
try 'a driver without a GPU' 'FAKE_GPUS=No devices were found\n' -- run.sh
check configured_for none
rm "$bin/nvidia-smi"
forget
try 'a driver without nvidia-smi' -- run.sh
check configured_for unknown
rm "$top/dev/nvidiactl"
mkdir -p "$top/usr/lib/wsl/lib"
: >"$top/usr/lib/wsl/lib/libcuda.so.1"
forget
try 'WSL without nvidia-smi' -- run.sh
check configured_for unknown
cat >"$top/usr/lib/wsl/lib/nvidia-smi" <<<$'#!/usr/bin/env bash\necho 8.9'
chmod +x "$top/usr/lib/wsl/lib/nvidia-smi"
try 'WSL' -- run.sh
check configured_for 89
rm -r "$top/usr"

forget
try 'what is chosen by hand for CUDA ...' -- run.sh
printf 'SPHERESCOPE_CUDA:STRING=ON\n' >>"$tree/build/CMakeCache.txt"
try '... stays chosen' CC=ninja -- run.sh
check configured_for none
check logged ' -DSPHERESCOPE_CUDA:STRING=ON '
forget
try 'a directory configured by hand ...' -- run.sh
rm "$tree/build/bootstrap.stamp"
echo 'SPHERESCOPE_CUDA_ARCHS:STRING=86' >"$tree/build/CMakeCache.txt"
try '... is kept as it is' -- run.sh
check logged 'call cmake --preset release$'
try '... is for no other GPU later' -- run.sh
check silent
try '... and keeps its choice when the compiler changes' CC=ninja -- run.sh
check logged 'call cmake --preset release --fresh -DSPHERESCOPE_CUDA_ARCHS:STRING=86$'
rm "$tree/build/bootstrap.stamp"
echo 'SPHERESCOPE_GPUS:STRING=90' >"$tree/build/CMakeCache.txt"
try 'an earlier configuration that failed was not made by hand' -- run.sh
check configured_for none

sed -i '/^libpng-dev$/d' "$installed"
try 'one package is missing' -- run.sh
check logged 'installing with apt-get[^:]*: libpng-dev$'
check is "$status" 0

sed -i '/^libpng-dev$/d' "$installed"
try 'no package lists yet' FAKE_NO_LISTS=1 -- run.sh
check earlier ' update' ' install -y --no-install-recommends libpng-dev'

sed -i '/^libpng-dev$/d' "$installed"
try 'a user with sudo' FAKE_UID=1000 -- run.sh
check earlier 'installing with apt-get' 'call sudo'
check is "$status" 0

sed -i '/^libpng-dev$/d' "$installed"
try 'apt-get fails' FAKE_APT_FAILS=1 FAKE_LACKS=libpng -- run.sh
check is "$status" 1
check logged 'apt-get says much'
check logged 'could not install what is missing: libpng \(libpng\)$'
try 'apt-get fails, the library is there' FAKE_APT_FAILS=1 -- run.sh
check is "$status" 0

mv "$bin/sudo" "$top"
try 'a user without sudo' FAKE_UID=1000 FAKE_LACKS=libpng -- run.sh
check is "$status" 1
check is "$(wc -l <"$log")" 1
check logged 'root or sudo is needed.*: libpng-dev$'
try 'a user without sudo who needs none' FAKE_UID=1000 -- run.sh
check is "$status" 0
check silent

mv "$bin/apt-get" "$bin/dpkg-query" "$top"
try 'no apt-get, all there' -- run.sh
check is "$status" 0
check silent
mv "$bin/ninja" "$top"
try 'no apt-get, two missing' FAKE_LACKS=glew -- run.sh
check is "$status" 1
check is "$(wc -l <"$log")" 1
check logged 'no apt-get here.*: Ninja \(ninja\|ninja-build\), GLEW \(glew\)$'
mv "$top/ninja" "$bin"
try 'no apt-get, no cmocka' FAKE_LACKS=cmocka -- test.sh
check is "$status" 1
check logged ': cmocka \(cmocka\)$'
mv "$top/apt-get" "$top/dpkg-query" "$bin"

forget
try 'CMake fails' FAKE_CONFIGURE_FAILS=1 -- run.sh
check is "$status" 1
check logged '^-- configuring'
check logged 'could not configure'
try 'CMake is too old' FAKE_CONFIGURE_FAILS=1 FAKE_CMAKE=3.22.1 -- run.sh
check logged 'CMake 3.25 or newer is needed; this one is 3.22.1'
try 'the compiler fails' FAKE_BUILD_FAILS=1 -- run.sh
check is "$status" 1
check logged "the compiler's words"
check is "$out" ''
forget
try 'no nvcc' 'FAKE_STATUS=-- No CUDA compiler (x): y' -- run.sh
check logged '^run.sh: No CUDA compiler \(x\): y$'
check is "$status" 0

try 'test.sh' FAKE_EXIT=8 -- test.sh -R name
check is "$status" 8
check earlier 'test.sh: installing with apt-get.*libcmocka-dev' 'call apt-get'
check logged 'test.sh: installing with apt-get.* zbar-tools( |$)'
check logged 'call cmake --preset ci --fresh$'
check logged "call ctest --test-dir $tree/build-ci --output-on-failure .* -R name\$"
try 'the quick tests' -- test.sh
check logged "call ctest .* -LE \^\(timing\|long\)\\$\$"

: >"$log"
try 'test.sh --help' -- test.sh --help
check is "$status" 0
check silent
for word in '--matrix' 'CTEST OPTION' --coverage --soak headers analysis cuda sanitized threads \
    fuzz cuda11; do
    check grep -qe "$word" <<<"$out"
done

rm -f "$bin/nvcc"
try 'test.sh --matrix' CUDACXX=nvcc -- test.sh --matrix nightly
check is "$status" 0
check logged 'call cmake -S . -B build-matrix/headers .*'
check logged 'build-matrix/cuda .*-DSPHERESCOPE_GUI=OFF.*-DSPHERESCOPE_CUDA=ON'
check logged 'build-matrix/sanitized .*--preset asan'
check logged 'call ctest --test-dir build-matrix/sanitized .*-L \^\(cpu\)\$'
check not_logged 'build-matrix/sanitized .*clang'
check grep -q '^matrix: fuzz .* skipped' <<<"$out"
check grep -qE '^matrix: headers +[0-9]+ s  passed' <<<"$out"
check logged 'build-matrix/analysis .*-fanalyzer'
check logged 'call ctest --test-dir build-matrix/threads .*-R \^\(find_races\|team\|'
check logged 'build-matrix/threads .*--preset tsan -DSPHERESCOPE_GUI=OFF'
check grep -q '^matrix: all 7 passed or were skipped' <<<"$out"

try 'one configuration fails' CUDACXX=nvcc FAKE_MATRIX_FAILS=cuda -- test.sh --matrix nightly
check is "$status" 1
check grep -qE '^matrix: cuda +[0-9]+ s  FAILED' <<<"$out"
check grep -q "the compiler's words" <<<"$out"
check grep -qE '^matrix: sanitized +[0-9]+ s  passed' <<<"$out"
check grep -q '^matrix: 1 of 7 failed: cuda;' <<<"$out"
check not_logged 'test-dir build-matrix/cuda'

try 'a test of one configuration fails' FAKE_EXIT=8 -- test.sh --matrix sanitized
check is "$status" 1
check grep -q '^matrix: 1 of 1 failed: sanitized;' <<<"$out"

try 'no such configuration' -- test.sh --matrix cuda nonsense
check is "$status" 2
check logged 'no configuration "nonsense"; there are: nightly sanitized'
check not_logged 'call cmake'

echo "$passed checks"
