#!/usr/bin/env bash
# arrows.sh SOURCE_DIR [ROOM:OBJECT_OR_LIBRARY]...: holds the layout of the code.
# app -> render -> kernels and nothing back, each foreign API in its own room, each room's prefix on
# every symbol that it shows, no file over 600 lines.
set -euo pipefail
cd -- "$1"
shift
shopt -s nullglob globstar
wrong=0

fail() {
    printf '%s\n' "$*"
    wrong=$((wrong + 1))
}

# Includes in quotes: the folders in which a room's files may find them. Another room shows only its
# include/; a header that none of the folders holds was reached some other way.
declare -A may_see=(
    [kernels/core]="kernels/core kernels/include"
    [kernels/cpu]="kernels/cpu kernels/core kernels/include"
    [kernels/cuda]="kernels/cuda kernels/core kernels/include"
    [kernels/include]="kernels/include"
    [kernels]="kernels/core kernels/include"
    [render/include]="render/include kernels/include"
    [render]="render render/include kernels/include"
    [app]="app render/include kernels/include"
)
generated=" app_version.h "

# Includes in angle brackets (and pragmas): what, and the files that may have it.
foreign=(
    'GLFW/|app/*'
    'jansson\.h|app/*'
    'GL/|render/*'
    'EGL/|render/*'
    '(png|ft2build|freetype/.*|fontconfig/.*)\.?h?$|render/*'
    'cuda_gl_interop|render/interop_cuda.c'
    '(cuda|cub/|nvml|nvtx|device_launch|curand)|kernels/cuda/* render/interop_cuda.c'
    'omp\.h|kernels/cpu/*'
)
one_file=(GLFW/ EGL/)

allowed() { # FILE PATTERN...
    local file=$1 pattern
    for pattern in $2; do
        # shellcheck disable=SC2053 # the right side is a pattern
        [[ $file == $pattern ]] && return 0
    done
    return 1
}

files=({app,render,kernels}/**/*.{c,h,cu,cuh,inc})
((${#files[@]})) || fail "no source files found: wrong folder?"
declare -A users=()
for file in "${files[@]}"; do
    case $file in
    kernels/core/* | kernels/cpu/* | kernels/cuda/* | kernels/include/*)
        room=${file#kernels/} room=kernels/${room%%/*}
        ;;
    render/include/*) room=render/include ;;
    *) room=${file%%/*} ;;
    esac
    number=0
    while IFS= read -r line || [[ -n $line ]]; do
        number=$((number + 1))
        if [[ $line =~ ^[[:space:]]*\#[[:space:]]*include[[:space:]]*\"([^\"]+)\" ]]; then
            header=${BASH_REMATCH[1]}
            [[ $generated == *" $header "* && $room == app ]] && continue
            found=
            for folder in ${may_see[$room]}; do
                [[ $header != *..* && -f $folder/$header ]] && found=1
            done
            [[ -n $found ]] || fail "$file:$number: $room must not include \"$header\""
        elif [[ $line =~ ^[[:space:]]*\#[[:space:]]*include[[:space:]]*\<([^\>]+)\> ]]; then
            header=${BASH_REMATCH[1]}
            for rule in "${foreign[@]}"; do
                [[ $header =~ ^(${rule%|*}) ]] || continue
                allowed "$file" "${rule##*|}" ||
                    fail "$file:$number: <$header> belongs into ${rule##*|} only"
                break
            done
            for api in "${one_file[@]}"; do
                [[ $header != "$api"* || ${users[$api]-} == *" $file "* ]] || users[$api]+=" $file "
            done
        elif [[ $line =~ ^[[:space:]]*\#[[:space:]]*pragma[[:space:]]+omp ]]; then
            [[ $file == kernels/cpu/* ]] ||
                fail "$file:$number: OpenMP belongs into kernels/cpu/ only"
        fi
    done <"$file"
    ((number <= 600)) || fail "$file: $number lines; split it before 600"
done
for api in "${one_file[@]}"; do
    count=$(wc -w <<<"${users[$api]-}")
    ((count == 1)) || fail "$api is included by $count files, not by one: ${users[$api]-}"
done

# Symbols. The CUDA compiler's own stubs and what C++ keeps to one file are nobody's names.
declare -A prefix=([kernels]=krn_ [render]=ren_ [app]=app_)
declare -A above=([kernels]='(ren|app)_' [render]='app_' [app]='$^')
checked=0
for argument in "$@"; do
    room=${argument%%:*} object=${argument#*:}
    while read -r symbol; do
        checked=$((checked + 1))
        name=${symbol%%[(<]*}
        [[ ${name##* } == "${prefix[$room]}"* || ($room == app && $symbol == main) ]] ||
            fail "${object##*/}: the name $symbol does not start with ${prefix[$room]}"
    done < <(nm -gC --defined-only "$object" 2>/dev/null | sed -nE 's/^[0-9a-f]+ [TDBRC] //p' |
        grep -vE '^(__odr_asan|__device_stub__|__fatbin|__cuda|\(anonymous namespace\)::)' || true)
    while read -r symbol; do
        fail "${object##*/}: needs $symbol of a room above"
    done < <(nm -u "$object" 2>/dev/null | sed -nE "s/^ +U (${above[$room]}.*)/\\1/p")
done
(($# == 0 || checked > 0)) || fail "no symbols found in $*"

echo "${#files[@]} files and $checked symbols looked at, $wrong wrong"
((wrong == 0))
