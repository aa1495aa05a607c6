#!/usr/bin/env bash
# bundle.sh BUILD_DIR: makes BUILD_DIR/spherescope-VERSION-linux-MACHINE.tar.xz, which runs from
# where it is unpacked: the program, the object that draws with its libraries, assets, manual and
# licences. `cmake --build BUILD_DIR --target bundle` builds what it takes, and runs it.
set -euo pipefail
source=$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/..
build=$(readlink -f -- "$1")
fail() {
    echo "bundle.sh: $*" >&2
    exit 1
}
version=$(sed -n 's/^CMAKE_PROJECT_VERSION:STATIC=//p' "$build/CMakeCache.txt")
name=spherescope-$version-linux-$(uname -m)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
folder=$work/$name
mkdir -p "$folder/lib" "$folder/licences"

for file in spherescope spherescope-window.so; do
    strip -o "$folder/$file" "$build/$file"
done
cp -R "$source/assets" "$source/LICENSE" "$build/manual/spherescope.1" "$folder"

# The libraries of what draws. OpenGL and X11 belong to the machine, as do the C library and zlib,
# which the machine's own drivers need, perhaps newer.
inside='glfw|GLEW|freetype|png16|qrencode|brotlidec|brotlicommon'
while read -r soname _ path _; do
    [[ $soname =~ ^lib($inside)\.so ]] || continue
    [[ -f $path ]] || fail "$soname is not on this machine"
    cp -L "$path" "$folder/lib/$soname"
    strip "$folder/lib/$soname"
    chmod 644 "$folder/lib/$soname"
    linked+=("$(readlink -f "$path")")
done < <(ldd "$build/spherescope-window.so")
chmod 644 "$folder/spherescope-window.so"

# The licence of each, also of what is linked from an archive, and of the fonts, from Debian.
for path in "${linked[@]}" "$(find /usr/lib -name libjansson.a)" "$(find /usr/lib -name libz.a)" \
    "$(find /usr/share/fonts -name Inter-Bold.otf)" \
    "$(find /usr/share/fonts -name JetBrainsMono-Bold.ttf)"; do
    package=$(dpkg-query -S "$path" 2>/dev/null || dpkg-query -S "${path#/usr}") ||
        fail "no package has ${path:-one of the libraries}; Debian's have their licences"
    package=${package%%[:,]*}
    cp -L "/usr/share/doc/$package/copyright" "$folder/licences/$package"
done

# Files are as old as the release, so that two archives of the same build have the same bytes.
released=$(sed -n 's/^## \[[0-9.]*\] - //p' "$source/CHANGELOG.md" | head -n 1)
export TZ=UTC
tar -C "$work" --sort=name --owner=0 --group=0 --numeric-owner \
    --mtime="${SOURCE_DATE_EPOCH:+@}${SOURCE_DATE_EPOCH:-$released}" -cf - "$name" |
    xz -T1 -9 >"$build/$name.tar.xz"
echo "$build/$name.tar.xz"
