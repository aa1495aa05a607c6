#!/usr/bin/env bash
# bundle.sh SOURCE_DIR BUILD_DIR [SUITE...]: makes the archive that runs from where it is unpacked,
# and checks what it holds, what it needs and how large it is; then starts it from a folder with a
# blank in its name, with an empty environment: the hashes of the build, its picture, and removal
# by deleting the folder. With suites of Debian or Ubuntu, likewise in a bare root of each, as a
# user without root and without a network: first without OpenGL, then with Mesa and in a window
# under Xvfb. BUNDLE_BASES is a folder with roots of suites that debootstrap has made before. Exit
# code 77: there is no window in this build, debootstrap or root is missing, or no suite can be had.
set -euo pipefail
source=$1 build=$2
shift 2
work=$(mktemp -d)
trap 'rm -rf --one-file-system "$work"' EXIT
skip() {
    echo "bundle.sh: skipped: $*"
    exit 77
}
fail() {
    echo "bundle.sh: $*"
    exit 1
}
[[ -e $build/spherescope-window.so ]] || skip "this build has no window"
[[ $(uname -m) == x86_64 ]] || skip "the archive is made on x86-64"
! grep -q '^SPHERESCOPE_SANITIZE:[A-Z]*=.\|^SPHERESCOPE_COVERAGE:[A-Z]*=ON' \
    "$build/CMakeCache.txt" || skip "a build with sanitizers or coverage is for this machine"

archive=$("$source/packaging/bundle.sh" "$build")
bytes=$(stat -c %s "$archive")
((bytes <= 15000000)) || fail "$archive has $bytes bytes"
place="$work/a folder"
mkdir "$place"
tar -xJf "$archive" -C "$place"
folder=$(echo "$place"/*)
(cd "$folder" && find . -type f ! -path './assets/*' | sort) >"$work/files"
diff -r "$source/assets" "$folder/assets"
echo "$(basename "$archive"): $bytes bytes, $(wc -l <"$work/files") files beside the assets"

# needs OBJECT: the libraries that it names.
needs() {
    readelf -d "$1" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p'
}
c_library='lib(c|m|dl|rt|pthread)\.so\.[0-9]+|ld-linux-x86-64\.so\.2'
machine="$c_library|lib(OpenGL|GL|EGL|X11|z)\.so\.[0-9]+"
own=$(cd "$folder/lib" && printf '|%s' *)
for object in "$folder"/spherescope "$folder"/*.so "$folder"/lib/*; do
    allowed=$machine$own
    [[ $object != */spherescope ]] || allowed=$c_library
    if needs "$object" | grep -vxE "$allowed"; then
        fail "$object needs what the machine may lack"
    fi
    newest=$(objdump -T "$object" | sed -n 's/.*\(GLIBC_[0-9.]*\).*/\1/p' | sort -Vu | tail -n 1)
    printf '%s\nGLIBC_2.34\n' "${newest:-GLIBC_2}" | sort -CV || fail "$object needs $newest"
    if objdump -T "$object" | grep 'GLIBCXX\|CXXABI'; then fail "$object needs libstdc++"; fi
done
never='c|stdc\+\+|gcc_s|EGL.*|GL[^E].*|drm.*|wayland.*'
if find "$folder" -name '*.so*' | grep -E "/lib($never)\.so"; then
    fail "a library of the machine lies inside"
fi
for library in "$folder"/lib/*; do
    [[ ! -x $library ]] || fail "$library is executable"
done

picture='--backend cpu --offscreen --size 64x64 --frames 3 --window 640x360 --hud off'
# shellcheck disable=SC2086 # options
"$build/spherescope" $picture --screenshot "$work/build.png" --json "$place/build.json" \
    >"$work/said" 2>&1 || fail "$(cat "$work/said")"

# check_rest COMMAND, check_picture COMMAND: have COMMAND run shell lines in the program's folder.
# What needs no OpenGL: the picture has the hash of the build.
check_rest() {
    "$1" './spherescope --replay ../build.json --backend cpu --frames 3 --seconds 1 &&
        rm -f ./*.png &&
        ./spherescope --info &&
        ./spherescope --play h200 --seconds 0.5 --html /tmp/page.html && rm /tmp/page.html &&
        ./spherescope --talk four-claims --check --backend cpu --size 64x64' >"$work/said" 2>&1 ||
        fail "$(cat "$work/said")"
    grep -q '^picture: the same bytes (hash ' "$work/said" || fail "other hashes"
}
check_picture() {
    "$1" "./spherescope $picture --screenshot /tmp/r.png" >"$work/said" 2>&1 ||
        fail "$(cat "$work/said")"
    "$1" 'cat /tmp/r.png && rm /tmp/r.png' >"$work/r.png"
    python3 "$source/tests/support/png_same.py" "$work/build.png" "$work/r.png" ||
        fail "another picture"
}

bare() {
    (cd "$folder" && env -i sh -c "$1")
}
began=$(date +%s%N)
bare "./spherescope --backend cpu --bench raytrace --modes book/global --size 64x64 --frames 3 \
    --processes 1" >"$work/said" 2>&1 || fail "$(cat "$work/said")"
echo "a verified number after $((($(date +%s%N) - began) / 1000000)) ms"
check_rest bare
check_picture bare
echo "with an empty environment: the hashes and the picture of the build"

# The same folder for pip, which installs it without a network.
if python3 -m pip --version >/dev/null 2>&1; then
    wheel=$("$source/packaging/wheel.sh" "$build")
    python3 -m pip install -q --no-index --target "$work/python" "$wheel" 2>"$work/said" ||
        fail "$(cat "$work/said")"
    PYTHONPATH=$work/python "$work/python/bin/spherescope" --play h200 --seconds 0.5 \
        --html "$work/page.html" >"$work/said" 2>&1 || fail "$(cat "$work/said")"
    grep -q '<svg' "$work/page.html" || fail "the wheel's program writes no page"
    diff -r -x __init__.py -x __pycache__ "$folder" "$work/python/spherescope"
    echo "$(basename "$wheel"): $(stat -c %s "$wheel") bytes, installed and started"
else
    echo "pip: not installed, left out"
fi

roots=0
for suite in "$@"; do
    [[ $(id -u) == 0 ]] || skip "only root may change its root folder"
    type -P debootstrap >/dev/null || skip "debootstrap is not installed"
    root=$work/$suite
    address=http://deb.debian.org/debian part=main
    case $suite in focal | jammy | noble)
        address=http://archive.ubuntu.com/ubuntu part=main,universe
        ;;
    esac
    if [[ -d ${BUNDLE_BASES:-/nonexistent}/$suite ]]; then
        cp -a "$BUNDLE_BASES/$suite" "$root"
    fi
    [[ -d $root ]] || debootstrap --variant=minbase --components="$part" "$suite" "$root" \
        "$address" >"$work/log" 2>&1 || {
        echo "$suite: left out: $(tail -n 1 "$work/log")"
        rm -rf --one-file-system "$root"
        continue
    }
    roots=$((roots + 1))
    # What a window and a picture need of the machine; unpacked later.
    packages='libgl1-mesa-dri libgl1 libopengl0 libegl1 libegl-mesa0 libx11-6 xvfb zlib1g'
    chroot "$root" sh -c "useradd -m -d /srv/guest guest && apt-get -qq update &&
        apt-get -qq install -d -y --no-install-recommends $packages" >"$work/log" 2>&1 ||
        fail "$suite: $(tail -n 20 "$work/log")"
    place="$root/srv/guest/a folder"
    mkdir "$place"
    tar -xJf "$archive" -C "$place" --no-same-owner
    cp "$work/a folder/build.json" "$place"
    chroot "$root" chown -R guest: /srv/guest
    within="/srv/guest/a folder/$(basename "$folder")"
    (cd "$root/srv/guest" && find . | sort) >"$work/before"
    inside() {
        unshare --mount --pid --net --fork sh -c \
            'mount -t proc proc "$1/proc" && mount --rbind /dev "$1/dev" && exec env -i \
             PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/srv/guest chroot --userspec=guest:guest "$1" \
             sh -c "cd \"\$1\" && eval \"\$2\"" sh "$2" "$3"' sh "$root" "$within" "$1"
    }
    check_rest inside
    grep -q 'There is no window and no picture, which need OpenGL, EGL and X11' "$work/said" ||
        fail "$suite: without OpenGL, it does not say so: $(cat "$work/said")"
    ! inside "./spherescope $picture --screenshot /tmp/r.png" >"$work/said" 2>&1 ||
        fail "$suite: a picture without OpenGL"
    chroot "$root" sh -c "apt-get -qq install -y --no-install-recommends $packages" \
        >"$work/log" 2>&1 || fail "$suite: $(tail -n 20 "$work/log")"
    check_rest inside
    check_picture inside
    # The server writes its number when it takes clients.
    inside 'timeout 300 Xvfb -displayfd 1 -screen 0 1280x720x24 >/tmp/display 2>/dev/null &
        for i in $(seq 600); do test -s /tmp/display && break; sleep 0.1; done
        DISPLAY=:$(cat /tmp/display) ./spherescope --backend cpu --size 64x64 --frames 20 \
            --screenshot /tmp/w.png; code=$?; kill $!; wait; rm /tmp/display; exit $code' \
        >"$work/said" 2>&1 || fail "$suite: $(cat "$work/said")"
    ! grep -qi 'without a window' "$work/said" || fail "$suite: no window: $(cat "$work/said")"
    inside 'test -s /tmp/w.png && rm /tmp/w.png'
    (cd "$root/srv/guest" && find . ! -path './.cache*' | sort) | diff "$work/before" - ||
        fail "$suite: it left files outside its folder"
    echo "$suite: $(chroot "$root" ldd --version | head -n 1): all of it, without OpenGL and with"
    rm -rf --one-file-system "$root"
done
((roots > 0 || $# == 0)) || skip "debootstrap reaches no archive"
echo "bundle.sh: passed"
