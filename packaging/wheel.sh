#!/usr/bin/env bash
# wheel.sh BUILD_DIR: makes a wheel for pip of the archive that bundle.sh has made in BUILD_DIR.
# Python only starts the program.
set -euo pipefail
umask 022
build=$(readlink -f -- "$1")
version=$(sed -n 's/^CMAKE_PROJECT_VERSION:STATIC=//p' "$build/CMakeCache.txt")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tar -xJf "$build/spherescope-$version-linux-$(uname -m).tar.xz" -C "$work"
mkdir "$work/wheel"
cd "$work/wheel"
mv "$work/spherescope-$version-linux-$(uname -m)" spherescope
cat >spherescope/__init__.py <<'PYTHON'
import os
import sys


def main():
    program = os.path.join(os.path.dirname(os.path.abspath(__file__)), "spherescope")
    os.execv(program, [program, *sys.argv[1:]])
PYTHON
info=spherescope-$version.dist-info
tag=py3-none-manylinux_2_34_$(uname -m)
mkdir "$info"
printf '%s\n' 'Metadata-Version: 2.1' 'Name: spherescope' "Version: $version" \
    'Summary: live GPU benchmark that renders spheres' 'License: MIT' >"$info/METADATA"
printf '%s\n' 'Wheel-Version: 1.0' 'Generator: wheel.sh' 'Root-Is-Purelib: false' "Tag: $tag" \
    >"$info/WHEEL"
printf '%s\n' '[console_scripts]' 'spherescope = spherescope:main' >"$info/entry_points.txt"
find . -type f -printf '%P,,\n' | sort >"$work/RECORD"
printf '%s/RECORD,,\n' "$info" >>"$work/RECORD"
mv "$work/RECORD" "$info/RECORD"
rm -f "$build/spherescope-$version-$tag.whl"
python3 -m zipfile -c "$build/spherescope-$version-$tag.whl" spherescope "$info"
echo "$build/spherescope-$version-$tag.whl"
