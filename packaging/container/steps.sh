#!/usr/bin/env bash
# steps.sh build ON|OFF | install [PACKAGE...] | develop [PACKAGE...] | release: the steps of
# the container files, as root on Debian 12 or a system like it.
#   build ON|OFF  installs what the build needs, builds with or without a window, and makes the
#                 package in /packages
#   install       installs the packages in /packages, with what they need, and those named
#   develop       installs what building, testing and packaging need, and the packages named, and
#                 adds the user developer
#   release       installs CUDA 12.9's compiler from NVIDIA's archive, and makes and tests in build
#                 what a release has
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
        -DSPHERESCOPE_GUI="$2" -DSPHERESCOPE_STATIC=OFF
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
develop)
    needs=$build_needs$test_needs$package_needs$package_test_needs
    install_missing "$needs"
    # install_missing is content without what only tests need; an image is not.
    lacks=$(missing_packages "$needs")
    [[ -z $lacks ]] || die "could not be installed: $lacks"
    apt_install "" "${@:2}"
    rm -rf /var/lib/apt/lists/*
    useradd --create-home --shell /bin/bash developer
    ;;
release)
    install_missing "$build_needs$package_needs"
    apt_install "" ca-certificates curl python3-pip xz-utils
    keyring=https://developer.download.nvidia.com/compute/cuda/repos/debian12/x86_64
    curl -fsSLo /tmp/keyring.deb $keyring/cuda-keyring_1.1-1_all.deb
    dpkg -i /tmp/keyring.deb
    apt-get -qq update
    apt_install "" cuda-nvcc-12-9 cuda-cudart-dev-12-9 cuda-cccl-12-9
    cmake -S "$root" -B "$root/build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DBUILD_TESTING=OFF \
        -DSPHERESCOPE_CUDA=ON -DCMAKE_CUDA_COMPILER=/usr/local/cuda-12.9/bin/nvcc
    cmake --build "$root/build" --target bundle
    "$root/packaging/wheel.sh" "$root/build"
    "$root/tests/program/bundle.sh" "$root" "$root/build"
    ;;
*)
    die "usage: steps.sh build ON|OFF | install [PACKAGE...] | develop [PACKAGE...] | release"
    ;;
esac
