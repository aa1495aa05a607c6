#!/usr/bin/env bash
# installed.sh SOURCE_DIR BUILD_DIR: checks that an installed program starts, needs no CUDA library,
# finds its assets wherever the prefix is moved, and comes with all that a desktop and a shell look
# for, each valid where its checker is installed.
set -euo pipefail
source=$1 build=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() {
    echo "$*"
    exit 1
}

cmake --install "$build" --prefix "$work/first" >/dev/null
prefix=$work/moved
mv "$work/first" "$prefix"
says=$("$prefix/bin/spherescope" --version)
printf '%s\n' "$says"
while IFS= read -r object; do
    if ldd "$object" | grep -iE 'cuda|not found'; then
        fail "$object needs a library that it should link statically"
    fi
done < <(find "$prefix/bin" "$prefix/lib" -type f)
diff -r "$source/assets" "$prefix/share/spherescope"

# Everything else, by name.
share=$prefix/share
desktop=$share/applications/spherescope.desktop
icon=$share/icons/hicolor/scalable/apps/spherescope.svg
metainfo=$share/metainfo/org.spherescope.Spherescope.metainfo.xml
expected=("$prefix/bin/spherescope" "$share/man/man1/spherescope.1"
    "$share/bash-completion/completions/spherescope" "$share/zsh/site-functions/_spherescope"
    "$share/fish/vendor_completions.d/spherescope.fish")
window=yes
[[ $says != *'no window'* ]] || window=no
[[ $window == no ]] || expected+=("$desktop" "$icon" "$metainfo"
    "$prefix/lib/spherescope/spherescope-window.so")
diff <(printf '%s\n' "${expected[@]}" | sort) \
    <(find "$prefix" -type f ! -path "$share/spherescope/*" | sort) ||
    fail "these files are missing (<) or too many (>)"

# The version is in one place: CMakeLists.txt.
version=$(sed -n 's/^project(spherescope VERSION \([0-9.]*\).*/\1/p' "$source/CMakeLists.txt")
[[ $says == "spherescope $version "* ]] || fail "--version does not tell $version"
grep -q "Spherescope $version\"" "$share/man/man1/spherescope.1" ||
    fail "the manual page is not of $version"

# check TOOL ARGUMENT...: runs a checker where it is installed; it must print nothing.
check() {
    local out
    if ! type -P "$1" >/dev/null; then
        echo "$1: not installed, left out"
        return
    fi
    out=$("$@" 2>&1) && [[ -z $out ]] || fail "$1: $out"
    echo "$1: valid"
}
check mandoc -T lint -W warning "$share/man/man1/spherescope.1"
[[ $window == yes ]] || exit 0
check desktop-file-validate "$desktop"
# Of the hints that are no errors, one remains: a page of the project on the web.
if type -P appstreamcli >/dev/null; then
    appstreamcli validate --no-net "$metainfo"
fi
/usr/bin/python3 - "$icon" "$metainfo" "$desktop" "$version" <<'PYTHON'
import sys
import xml.etree.ElementTree as tree
from pathlib import Path
icon, metainfo, desktop, version = sys.argv[1:]
assert tree.parse(icon).getroot().tag.endswith("svg")
root = tree.parse(metainfo).getroot()
assert root.find("releases/release").get("version") == version
assert root.find("launchable").text == Path(desktop).name
assert f"Icon={Path(icon).stem}\n" in Path(desktop).read_text(encoding="utf-8")
PYTHON

# A device without a record: the sentence names the folder that was searched.
runs=$("$prefix/bin/spherescope" --play no-such-device --offscreen --size 64x64 2>&1) &&
    fail "a record that is not there was shown"
[[ $runs == *'/share/spherescope/runs.' ]] || fail "the installed runs are not found: $runs"
