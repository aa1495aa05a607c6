#!/usr/bin/env bash
# packages.sh SOURCE_DIR [develop|cluster|window]: makes the source archive, and from it the
# container images and the Debian packages, or one of each, in a bare Debian 12; installs, runs and
# removes them there. The archive builds without a network and twice to the same bytes, and lintian
# finds no error. In the image to work in, its user builds and tests without a network. Takes about
# a quarter of an hour, root and a network. Exit code 77: debootstrap or root is missing.
set -euo pipefail
source=$1
tests=$source/tests
skip() {
    echo "packages.sh: skipped: $*"
    exit 77
}
fail() {
    echo "packages.sh: $*"
    exit 1
}
type -P debootstrap >/dev/null || skip "debootstrap is not installed"
[[ $(id -u) == 0 ]] || skip "only root may change its root folder"
unshare --mount --pid --fork true 2>/dev/null || skip "this machine allows no namespaces"
work=$(mktemp -d)
trap 'rm -rf --one-file-system "$work"' EXIT

# The archive is that of the files as they are, committed or not.
cd -- "$source"
commit=$(git stash create)
commit=$(git rev-parse "${commit:-HEAD}")
git archive --format=tar.gz --prefix=spherescope/ -o "$work/source.tar.gz" "$commit"
mkdir "$work/archive"
tar -xzf "$work/source.tar.gz" -C "$work/archive"
archive=$work/archive/spherescope

base=${PACKAGES_BASE-}
if [[ -z $base ]]; then
    base=$work/base
    debootstrap --variant=minbase bookworm "$base" http://deb.debian.org/debian \
        >"$work/log" 2>&1 || {
        tail -n 20 "$work/log"
        skip "debootstrap reaches no Debian archive"
    }
fi

# inside ROOT COMMAND: runs a command in a root folder, without a network and without a display.
inside() {
    unshare --mount --pid --net --fork sh -c \
        'mount -t proc proc "$1/proc" && mount --rbind /dev "$1/dev" &&
         exec env -i PATH=/usr/sbin:/usr/bin chroot "$1" sh -c "$2"' sh "$1" "$2"
}

# develop ROOT: builds the archive in the image to work in, as its user, and runs a few tests.
develop() {
    local home=$1/home/developer
    cp -a "$archive" "$home/spherescope"
    inside "$1" 'chown -R developer: ~developer && su developer -c "cd ~/spherescope &&
        ./test.sh -R \"^(stats|picture|processes|docs|format)\$\""' \
        >"$work/run.log" 2>&1 || fail "develop: $(tail -n 60 "$work/run.log")"
    echo "develop: $(grep 'tests passed' "$work/run.log")"
    # The image has all that they need; a skipped test would prove nothing.
    grep -q 'tests did not run\|\*\*\*Skipped\|installing with apt-get' "$work/run.log" &&
        fail "develop: $(cat "$work/run.log")"
    return 0
}

kinds=(develop cluster window)
[[ -z ${2-} ]] || kinds=("$2")
for kind in "${kinds[@]}"; do
    mkdir "$work/$kind"
    python3 "$tests/program/containers.py" "$base" \
        "$archive/packaging/container/$kind.Containerfile" "$archive" "$work/$kind" \
        >"$work/$kind.root" 2>"$work/$kind.log" || {
        tail -n 40 "$work/$kind.log"
        fail "$kind.Containerfile"
    }
    root=$(tail -n 1 "$work/$kind.root")
    if [[ $kind == develop ]]; then
        develop "$root"
        continue
    fi
    said=$(inside "$root" 'spherescope --version')
    echo "$kind: $said" | paste -sd ' '
    [[ $said == *"(git ${commit:0:12})"* ]] ||
        fail "$kind: the archive does not know its commit $commit"
    [[ $kind == window || $said == *'no window'* ]] || fail "cluster: has a window"
    # No NVIDIA driver: the processor renders and is measured.
    inside "$root" 'spherescope --bench raytrace --modes book/global --size 64x64 --processes 1 \
        --seconds 2 --json /tmp/r.json' >"$work/run.log" 2>&1 || fail "$(cat "$work/run.log")"
    grep -q '"backend": "cpu"' "$root/tmp/r.json" || fail "$kind: not on the CPU"
    if [[ $kind == window ]]; then
        inside "$root" 'spherescope --offscreen --size 64x64 --frames 3 --screenshot /tmp/r.png' \
            >"$work/run.log" 2>&1 || fail "$(cat "$work/run.log")"
        [[ -s $root/tmp/r.png ]] || fail "$kind: no picture"
    fi
    # Removing it leaves nothing of it.
    inside "$root" 'dpkg --purge spherescope' >/dev/null 2>&1 || fail "$kind: cannot be removed"
    left=$(find "$root/usr" "$root/etc" "$root/var" -iname '*spherescope*')
    [[ -z $left ]] || fail "$kind: left behind: $left"
    if type -P lintian >/dev/null; then
        lintian --allow-root --fail-on error "$work/$kind"/build/packages/*.deb ||
            fail "$kind: lintian finds errors"
    fi
done

if [[ ${kinds[-1]} == develop ]]; then
    echo "packages.sh: passed"
    exit
fi

# Again, in another folder and without a network: the same bytes.
[[ ${kinds[-1]} == window ]] && with=ON || with=OFF
build=$work/${kinds[-1]}/build
mv "$build/source" "$build/elsewhere"
mv "$build/packages" "$work/first"
rm -rf "$build/tmp/build"
inside "$build" "/elsewhere/packaging/container/steps.sh build $with" >"$work/again.log" 2>&1 || {
    tail -n 40 "$work/again.log"
    fail "the archive does not build without a network"
}
cmp "$work"/first/*.deb "$build"/packages/*.deb || fail "two builds differ"
sha256sum "$build"/packages/*.deb | sed 's# .*/#  #'
echo "packages.sh: passed"
