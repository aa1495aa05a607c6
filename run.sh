#!/usr/bin/env bash
# Installs missing packages, builds the program and starts it: ./run.sh [options of spherescope]
set -euo pipefail
# shellcheck disable=SC2034 # read by bootstrap.sh
script=run.sh
root=$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")
# shellcheck source=cmake/bootstrap.sh
. "$root/cmake/bootstrap.sh"

install_missing "$build_needs"
# shellcheck disable=SC2034 # read by bootstrap.sh
gpus=$(ask_driver)
build release "$root/build" spherescope
exec "$root/build/spherescope" "$@"
