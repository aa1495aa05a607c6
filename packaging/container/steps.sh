#!/usr/bin/env bash
# steps.sh build ON|OFF | install [PACKAGE...]: the steps of the container files, as root on Debian
# 12 or a system like it.
#   build ON|OFF  installs what the build needs, builds with or without a window, and makes the
#                 package in /packages
#   install       installs the packages in /packages, with what they need, and those named
set -euo pipefail
# shellcheck disable=SC2034 # read by bootstrap.sh
script=steps.sh
root=$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/../..
# shellcheck source=../../cmake/bootstrap.sh
. "$root/cmake/bootstrap.sh"

case ${1-} in
build)
    install_missing "$build_needs$package_needs"
    cmake -S "$root" -B /tmp/build -G Ninja -DCMAKE_BUILD_TYPE=Release -DBUILD_TESTING=OFF \
        -DSPHERESCOPE_GUI="$2"
    cmake --build /tmp/build
    cpack --config /tmp/build/CPackConfig.cmake -B /tmp/build/packages
    mkdir -p /packages
    cp /tmp/build/packages/*.deb /packages
    ;;
install)
    apt-get -qq update
    DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends "${@:2}" \
        /packages/*.deb
    rm -rf /var/lib/apt/lists/*
    ;;
*)
    die "usage: steps.sh build ON|OFF, or steps.sh install [PACKAGE...]"
    ;;
esac
