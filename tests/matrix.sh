#!/usr/bin/env bash
# matrix.sh NAME...: builds and tests configurations that ./test.sh does not build, so that they do
# not break unnoticed; "nightly" stands for those of one night. Prints a line per configuration; a
# failure does not stop the others.
set -uo pipefail
root=$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/..
cd -- "$root" || exit 1
folder=build-matrix
jobs=$(nproc 2>/dev/null || echo 2)
nightly=(sanitized threads analysis headers cuda cuda11 fuzz)
by_name=(standin checked packages bundle) # take hours, or root and a network
skipped=77

# A cluster's login node has none of these packages: searching for one is an error.
without_gui=(-DSPHERESCOPE_GUI=OFF --no-warn-unused-cli)
for package in OpenGL GLEW Freetype PNG glfw3; do
    without_gui+=("-DCMAKE_DISABLE_FIND_PACKAGE_$package=ON")
done

# make NAME TARGETS [CMAKE OPTION...]: configures and builds the targets, which blanks separate.
make() {
    local dir=$folder/$1 targets
    read -ra targets <<<"$2"
    shift 2
    cmake -S . -B "$dir" -G Ninja -DSPHERESCOPE_WERROR=ON "$@" &&
        cmake --build "$dir" --target "${targets[@]}" --parallel "$jobs"
}

# check NAME LABELS: runs the tests with one of these labels.
check() {
    ctest --test-dir "$folder/$1" --output-on-failure --no-tests=error -j "$jobs" -L "^($2)\$"
}

has_nvcc() {
    [[ -n ${CUDACXX-} ]] || type -P nvcc /usr/local/cuda/bin/nvcc >/dev/null
}

headers() {
    make headers test_headers
}
cuda() {
    has_nvcc || return $skipped
    make cuda all "${without_gui[@]}" -DSPHERESCOPE_CUDA=ON && check cuda 'cpu|gpu'
}
# The second tree of .ci/run: the unit tests, the corpora of the fuzz targets, ten commands of the
# program, and the CUDA code on the stand-in for a GPU. Clang warns of what gcc does not see.
sanitized() {
    local compilers=()
    ! echo 'int main(void) { return 0; }' |
        clang -fsanitize=address -x c - -o $folder/probe 2>/dev/null ||
        compilers=(-DCMAKE_C_COMPILER=clang -DCMAKE_CXX_COMPILER=clang++
            -DCMAKE_C_FLAGS=-Wno-pass-failed) # instrumented loops are not vectorised
    make sanitized all --preset asan "${compilers[@]}" && check sanitized cpu
}
# The thread sanitizer over the tests that start the program's own threads: the CPU backend's team,
# telemetry, the verification, the reading of recorded runs and the line of progress. Mesa's threads
# are not built for the sanitizer, so no test of OpenGL is among them. There are no suppressions. It
# is also the build for a cluster's login node, without CUDA and OpenGL, so all of it is built.
threads() {
    local names
    local tests=(find_races team telemetry cancel verify recorded device_cpu trust heat sampler)
    printf -v names '%s|' "${tests[@]}"
    make threads all --preset tsan "${without_gui[@]}" || return
    ctest --test-dir "$folder/threads" --output-on-failure --no-tests=error -j "$jobs" \
        -R "^(${names%|})\$"
}
# gcc's analyzer, then clang-tidy, over the C sources of the program, where there is nvcc the CUDA
# backend's, too; no kernel is compiled. Two checks of gcc 12's analyzer
# are off, because they report what is right: uninitialized values, for every memcpy() out of a
# constant; and leaks, for memory that a structure of the caller owns. Clang's analyzer has both
# checks without these faults, and the leak sanitizer watches the tests.
analysis() {
    local flags='-fanalyzer -Wno-analyzer-use-of-uninitialized-value' cuda=OFF objects status=0
    flags+=' -Wno-analyzer-malloc-leak'
    type -P gcc >/dev/null || return $skipped
    ! has_nvcc || cuda=ON
    cmake -S . -B $folder/analysis -G Ninja -DSPHERESCOPE_WERROR=ON -DCMAKE_C_COMPILER=gcc \
        -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_FLAGS="$flags" -DSPHERESCOPE_CUDA=$cuda \
        -DSPHERESCOPE_CUDA_ARCHS=90 -DBUILD_TESTING=OFF || return
    objects=$(ninja -C $folder/analysis -t targets all | sed -n 's/\(\.c\.o\): .*/\1/p')
    # shellcheck disable=SC2086 # one word per object
    cmake --build $folder/analysis --parallel "$jobs" --target $objects || return
    python3 tests/structure/tidy.py . "$folder/analysis" || status=$?
    # Without clang-tidy, gcc's analyzer has passed all the same.
    ((status == skipped)) || return $status
}
standin() {
    has_nvcc || return $skipped
    make standin all --preset asan -DSPHERESCOPE_CUDA=ON -DSPHERESCOPE_CUDA_ARCHS=90 \
        -DSPHERESCOPE_LONG_TESTS=ON && check standin standin
}
# On a machine with a GPU; elsewhere the tests report themselves as skipped.
checked() {
    has_nvcc || return $skipped
    type -P compute-sanitizer /usr/local/cuda/bin/compute-sanitizer >/dev/null || return $skipped
    make checked all "${without_gui[@]}" -DSPHERESCOPE_CUDA=ON -DSPHERESCOPE_LONG_TESTS=ON &&
        check checked checked
}
# Twenty seconds per target.
fuzz() {
    type -P clang >/dev/null || return $skipped
    make fuzz fuzz_targets -DCMAKE_C_COMPILER=clang -DCMAKE_BUILD_TYPE=RelWithDebInfo \
        -DCMAKE_C_FLAGS_RELWITHDEBINFO='-O1 -g' -DSPHERESCOPE_CUDA=OFF -DSPHERESCOPE_FUZZ=ON \
        -DSPHERESCOPE_WERROR=OFF \
        -DSPHERESCOPE_SANITIZE=fuzzer-no-link,address,undefined,float-cast-overflow &&
        check fuzz fuzz
}
cuda11() {
    local home=/usr/local/cuda-11.8
    [[ -x $home/bin/nvcc ]] || return $skipped
    make cuda11 all "${without_gui[@]}" -DCMAKE_CUDA_COMPILER=$home/bin/nvcc -DSPHERESCOPE_CUDA=ON
}

# The archive of a release, started in bare roots of other systems.
bundle() {
    make bundle bundle -DCMAKE_BUILD_TYPE=Release -DBUILD_TESTING=OFF \
        -DSPHERESCOPE_WERROR=OFF && # warnings are the matter of `cuda`
        tests/program/bundle.sh "$PWD" "$PWD/$folder/bundle" bookworm trixie jammy noble
}
packages() {
    tests/program/packages.sh "$PWD"
}

[[ ${1-} != nightly ]] || set -- "${nightly[@]}"
for name in "${@:-}"; do
    [[ " ${nightly[*]} ${by_name[*]} " == *" ${name:-none} "* ]] || {
        printf 'matrix: there is no configuration "%s"; there are: nightly %s\n' "$name" \
            "${nightly[*]} ${by_name[*]}" >&2
        exit 2
    }
done
mkdir -p "$folder" || exit 1
failed=()
for name in "$@"; do
    log=$folder/$name.log start=$SECONDS
    "$name" >"$log" 2>&1 </dev/null
    status=$?
    tests=$(grep -E '^([0-9]+% tests passed|clang-tidy: |skipped: clang-tidy)' "$log")
    if ((status == 0)); then
        word=passed
    elif ((status == skipped)); then
        word='skipped: its compiler or tool is not here'
    else
        word=FAILED
        failed+=("$name")
        tail -n 60 "$log"
    fi
    printf 'matrix: %-10s %4d s  %s%s\n' "$name" $((SECONDS - start)) "$word" "${tests:+, $tests}"
done
if ((${#failed[@]} > 0)); then
    printf 'matrix: %d of %d failed: %s; logs are in %s\n' ${#failed[@]} $# "${failed[*]}" "$folder"
    exit 1
fi
printf 'matrix: all %d passed or were skipped, %d s\n' $# "$SECONDS"
