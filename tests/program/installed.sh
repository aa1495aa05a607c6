#!/usr/bin/env bash
# installed.sh SOURCE_DIR BUILD_DIR: checks that an installed program starts, needs no CUDA library,
# and comes with all of assets/.
set -euo pipefail
source=$1 build=$2
prefix=$(mktemp -d)
trap 'rm -rf "$prefix"' EXIT
cmake --install "$build" --prefix "$prefix" >/dev/null
"$prefix/bin/spherescope" --version
if ldd "$prefix/bin/spherescope" | grep -iE 'cuda|not found'; then
    echo "the program needs a library that it should link statically"
    exit 1
fi
diff -r "$source/assets" "$prefix/share/spherescope"
