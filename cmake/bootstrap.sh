# Functions of run.sh and test.sh: install packages, configure, build. The caller sets $script (the
# name at the start of messages), $root (the checkout) and, where the build is for the GPUs of this
# machine alone, $gpus to what ask_driver prints. All messages go to stderr.

# One dependency per line: Debian's package, a probe for other systems, its name in words. The probe
# cmd:A|B stands for one of these programs, pc:NAME for a pkg-config module, font:FILE for a font.
# Packages with "-" are optional (Mesa's software OpenGL, tools for more tests) and installed only
# where there is apt-get.
build_needs='
build-essential       cmd:cc|gcc|clang          a C compiler
cmake                 cmd:cmake                 CMake 3.25 or newer
ninja-build           cmd:ninja|ninja-build     Ninja
pkg-config            cmd:pkg-config|pkgconf    pkg-config
git                   -                         git
libglfw3-dev          pc:glfw3                  GLFW 3
libglew-dev           pc:glew                   GLEW
libgl-dev             pc:gl                     OpenGL
libegl-dev            pc:egl                    EGL
libfreetype-dev       pc:freetype2              FreeType
libpng-dev            pc:libpng                 libpng
libjansson-dev        pc:jansson                jansson
zlib1g-dev            pc:zlib                   zlib
libqrencode-dev       -                         libqrencode, for QR codes
libgl1-mesa-dri       -                         Mesa
libegl-mesa0          -                         Mesa
libglx-mesa0          -                         Mesa
fonts-inter           font:Inter-Bold.otf       the font Inter
fonts-jetbrains-mono  font:JetBrainsMono-Bold.ttf  the font JetBrains Mono
'
test_needs='
libcmocka-dev         pc:cmocka                 cmocka
strace                -                         strace, to see what is opened and started
xvfb                  -                         Xvfb
xdotool               -                         xdotool
openbox               -                         Openbox, a window manager
icewm                 -                         IceWM, another
xfwm4                 -                         Xfwm, another
i3-wm                 -                         i3, one that tiles windows
xserver-xorg-core     -                         Xorg, for displays with several outputs
xserver-xorg-video-dummy  -                     its driver for outputs without hardware
x11-xserver-utils     -                         xrandr, which switches outputs
x11-utils             -                         xwininfo and xprop
zbar-tools            -                         zbarimg, which reads QR codes
libembree-dev         -                         Embree 3, which the light view is compared with
locales               -                         locales, to build one with a decimal comma
python3-jsonschema    -                         Python with jsonschema
python3-yaml          -                         Python with YAML
fish                  -                         fish, to test its completions
zsh                   -                         zsh, likewise
mandoc                -                         mandoc, which checks the manual page
desktop-file-utils    -                         desktop-file-validate
appstream             -                         appstreamcli, which checks the metadata
clang                 -                         clang
libclang-rt-dev       -                         the run time of its sanitizers
clang-format          -                         clang-format
clang-tidy            -                         clang-tidy
'

ci_test_needs='
chromium              -                         Chromium, which measures in the page of --html
'

# For a Debian package, and for ./test.sh --matrix packages.
package_needs='
dpkg-dev              cmd:dpkg-shlibdeps        dpkg-shlibdeps
file                  cmd:file                  file
'
package_test_needs='
debootstrap           -                         debootstrap
lintian               -                         lintian
'

say() {
    printf '%s: %s\n' "$script" "$*" >&2
}

die() {
    say "$*"
    exit 1
}

# have PROBE: succeeds if a cmd:, pc: or font: dependency is installed.
have() {
    local name names config
    case $1 in
    cmd:*)
        IFS='|' read -ra names <<<"${1#cmd:}"
        for name in "${names[@]}"; do
            type -P "$name" >/dev/null && return 0
        done
        return 1
        ;;
    pc:*)
        config=$(type -P pkg-config || type -P pkgconf) || return 1
        "$config" --exists "${1#pc:}"
        ;;
    font:*)
        [[ -n $(find /usr/share/fonts /usr/local/share/fonts ~/.local/share/fonts \
            -name "${1#font:}" 2>/dev/null) ]]
        ;;
    esac
}

# Prints the missing dependencies in words, separated by commas.
missing_tools() {
    local package probe words list=""
    while read -r package probe words; do
        [[ -n $package && $probe != - ]] || continue
        have "$probe" || list+="${list:+, }$words (${probe#*:})"
    done <<<"$1"
    printf '%s' "$list"
}

# Prints the Debian packages that are not installed, separated by blanks.
missing_packages() {
    local package probe words wanted=() installed list=""
    while read -r package probe words; do
        [[ -n $package ]] && wanted+=("$package")
    done <<<"$1"
    # dpkg-query fails if it does not know one of the packages; what it prints is still right.
    installed=$(dpkg-query -W -f '${Package} ${db:Status-Status}\n' "${wanted[@]}" 2>/dev/null) ||
        true
    for package in "${wanted[@]}"; do
        [[ $'\n'$installed$'\n' == *$'\n'"$package installed"$'\n'* ]] || list+="${list:+ }$package"
    done
    printf '%s' "$list"
}

# apt_install SUDO PACKAGE...: SUDO is "sudo" or empty.
apt_install() {
    local apt=(${1:+"$1"} env DEBIAN_FRONTEND=noninteractive apt-get -qq
        -o DPkg::Lock::Timeout=300 -o Dpkg::Use-Pty=0)
    local install=("${apt[@]}" install -y --no-install-recommends)
    shift
    # A dry run shows whether the package lists exist and have all names.
    "${install[@]}" --simulate "$@" >/dev/null 2>&1 || "${apt[@]}" update
    # The lists may still be older than the archive, which removes old versions.
    "${install[@]}" "$@" || { "${apt[@]}" update && "${install[@]}" "$@"; }
}

# install_missing NEEDS: prints nothing when all is installed. A failed installation stops the
# script only if the build needs the package.
install_missing() {
    local needs=$1 packages tools log sudo=""
    if ! type -P apt-get >/dev/null || ! type -P dpkg-query >/dev/null; then
        tools=$(missing_tools "$needs")
        [[ -z $tools ]] ||
            die "there is no apt-get here; install with your package manager: $tools"
        return 0
    fi
    packages=$(missing_packages "$needs")
    [[ -n $packages ]] || return 0
    if [[ $(id -u) != 0 ]]; then
        if ! type -P sudo >/dev/null; then
            tools=$(missing_tools "$needs")
            [[ -z $tools ]] ||
                die "root or sudo is needed to install these packages: $packages"
            return 0
        fi
        sudo=sudo
    fi
    say "installing with apt-get (may take some minutes): $packages"
    log=$(mktemp)
    # shellcheck disable=SC2086 # package names hold no blanks
    if ! apt_install "$sudo" $packages >"$log" 2>&1 </dev/null; then
        tools=$(missing_tools "$needs")
        if [[ -n $tools ]]; then
            cat "$log" >&2
            rm -f "$log"
            die "apt-get could not install what is missing: $tools"
        fi
        say "apt-get could not install all of them; the build does not need the rest"
    fi
    rm -f "$log"
}

# Prints the compute capabilities of this machine's GPUs, as in 75;90, "none" where there is no
# driver or no GPU, and "unknown" where the driver does not say.
ask_driver() {
    local smi trace said=""
    smi=$(type -P nvidia-smi || type -P /usr/lib/wsl/lib/nvidia-smi) || smi=false
    # Beside a broken GPU, nvidia-smi may hang where no signal reaches it, and is left behind.
    IFS= read -r -d '' -t 12 said < <(timeout -k 1 10 "$smi" --query-gpu=compute_cap \
        --format=csv,noheader 2>/dev/null </dev/null && echo end) || true
    if [[ $said =~ ^([1-9][0-9]*\.[0-9]$'\n')+end$'\n'$ ]]; then
        said=$(sort -u <<<"${said%$'\n'end*}")
        said=${said//./}
        printf '%s' "${said//$'\n'/;}"
        return
    fi
    # A driver is in the kernel, also under WSL and on Jetson: libcuda.so.1 alone runs nothing.
    for trace in /proc/driver/nvidia/version /dev/nvidiactl /dev/nvhost-gpu /dev/nvgpu \
        /usr/lib/wsl/lib/libcuda.so.1; do
        if [[ -e $trace && $said != 'No devices were found'* ]]; then
            printf unknown
            return
        fi
    done
    printf none
}

# choose_gpus DIR: lets a directory that somebody has configured himself stay as it is, and any DIR
# keep the GPUs that it is for when the driver names none, as on the login node of a cluster.
choose_gpus() {
    local before=""
    [[ -n ${gpus-} ]] || return 0
    if [[ -f $1/bootstrap.stamp ]]; then
        IFS= read -r before <"$1/bootstrap.stamp" || true
        [[ $before == GPUS=* ]] || before=""
        before=${before#GPUS=}
    elif [[ -f $1/CMakeCache.txt ]] &&
        ! grep -q '^SPHERESCOPE_GPUS:[A-Z]*=.' "$1/CMakeCache.txt"; then
        before="by hand"
    fi
    if [[ $before == "by hand" || (-n $before && $before != none && $gpus != [1-9]*) ]]; then
        gpus=$before
    fi
}

# Prints what a build directory depends on besides the sources: its GPUs, place, tools and
# environment. A change configures it afresh.
fingerprint() {
    local name tools=()
    for name in "${CC:-cc}" cmake ninja ccache nvcc "${CUDACXX:-nvcc}"; do
        name=$(type -P "$name") && tools+=("$name")
    done
    printf '%s\n' "GPUS=${gpus-}" "$root" "CC=${CC-} CFLAGS=${CFLAGS-} CUDACXX=${CUDACXX-}" \
        "CUDAHOSTCXX=${CUDAHOSTCXX-} CUDA_HOME=${CUDA_HOME-} CUDA_PATH=${CUDA_PATH-}"
    # Include size and time: an upgraded compiler keeps its name.
    stat -L -c '%n %s %Y' "${tools[@]}" "${CUDA_HOME:-/usr/local/cuda}/bin/nvcc" \
        "${CUDA_PATH:-/usr/local/cuda}/bin/nvcc" /usr/local/cuda/bin/nvcc 2>/dev/null || true
}

# configure PRESET DIR [OPTION...]: writes the output to DIR/bootstrap.log.
configure() {
    (cd -- "$root" && cmake --preset "$1" "${@:3}") >"$2/bootstrap.log" 2>&1 </dev/null
}

# compile DIR TARGET: writes the output to DIR/bootstrap.log. When there is something to compile,
# prints one line, and then a counter on a terminal, or a line every 10 percent elsewhere.
compile() {
    local line percent shown="" status=0
    NINJA_STATUS='[%f/%t] ' cmake --build "$1" --target "$2" 2>&1 </dev/null |
        while IFS= read -r line; do
            printf '%s\n' "$line"
            [[ $line =~ ^\[([0-9]+)/([0-9]+)\]' Building ' ]] || continue
            [[ -n $shown ]] || say "building (the first time takes a minute or more)"
            percent=$((100 * BASH_REMATCH[1] / BASH_REMATCH[2]))
            if [[ -t 2 ]]; then
                printf '\r%s' "${line%% B*}" >&2
            elif ((percent / 10 > shown / 10)); then
                say "built $percent %"
            fi
            shown=$percent
        done >"$1/bootstrap.log" || status=$?
    if [[ -t 2 ]]; then printf '\r\033[K' >&2; fi
    return "$status"
}

# configure_anew PRESET DIR: configures from nothing, or ends the script with CMake's output. With
# $gpus, keeps what somebody has chosen for CUDA in DIR.
configure_anew() {
    local version line options=()
    if [[ -n ${gpus-} && -f $2/CMakeCache.txt ]]; then
        while IFS= read -r line; do
            case $line in
            SPHERESCOPE_CUDA:* | SPHERESCOPE_CUDA_ARCHS:*) options+=("-D$line") ;;
            esac
        done <"$2/CMakeCache.txt"
    fi
    [[ -z ${gpus-} || $gpus == "by hand" ]] || options+=("-DSPHERESCOPE_GPUS=$gpus")
    rm -f "$2/bootstrap.stamp"
    if ! configure "$1" "$2" --fresh "${options[@]}"; then
        cat "$2/bootstrap.log" >&2
        version=$(cmake --version)
        version=${version#cmake version }
        version=${version%%$'\n'*}
        printf '3.25\n%s\n' "$version" | sort -CV ||
            die "CMake 3.25 or newer is needed; this one is $version"
        die "CMake could not configure $2; its output above has the reason"
    fi
    note_cuda "$2"
    fingerprint >"$2/bootstrap.stamp"
}

# Repeats CMake's line on why a build has no CUDA, or takes long, and what to do, if there is one.
note_cuda() {
    local line
    while IFS= read -r line; do
        case $line in
        '-- No CUDA compiler'* | '-- No NVIDIA'*) say "${line#-- }" ;;
        esac
    done <"$1/bootstrap.log"
}

# build PRESET DIR TARGET: brings TARGET in DIR up to date, or ends the script.
build() {
    local preset=$1 dir=$2 target=$3 lock
    mkdir -p -- "$dir" 2>/dev/null || true
    [[ -w $dir ]] ||
        die "$dir is not writable; if another user created it in an earlier run, remove it"
    # A lock, because two runs at once would write the same objects. Released before the program
    # starts.
    exec {lock}>"$dir/bootstrap.lock"
    ! type -P flock >/dev/null || flock "$lock"

    choose_gpus "$dir"
    local stamp=$dir/bootstrap.stamp
    if [[ -f $dir/CMakeCache.txt && ! -f $stamp && ${gpus:-by hand} == "by hand" ]]; then
        # Configured by hand: keep its options if the build directory is usable.
        if configure "$preset" "$dir"; then
            note_cuda "$dir"
            fingerprint >"$stamp"
        else
            configure_anew "$preset" "$dir"
        fi
    elif [[ ! -f $dir/build.ninja || ! -f $stamp || $(fingerprint) != "$(<"$stamp")" ]]; then
        configure_anew "$preset" "$dir"
    fi
    if ! compile "$dir" "$target"; then
        # When a library has moved, ninja or CMake complains rather than a compiler: configure
        # afresh.
        if grep -qE '^(ninja: error: .*(missing and no known rule|rebuilding)|CMake Error)' \
            "$dir/bootstrap.log"; then
            configure_anew "$preset" "$dir"
            compile "$dir" "$target" && exec {lock}>&- && return 0
        fi
        cat "$dir/bootstrap.log" >&2
        die "the build failed; the output above has the reason"
    fi
    exec {lock}>&-
}
