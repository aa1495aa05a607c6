#!/usr/bin/env bash
# kernel_file.sh: in a real window, the kernel of --kernel-file is compiled anew when its file is
# saved; whatever the file contains, the window goes on. with_display.sh starts it. Exit code 77: a
# tool is missing.
set -euo pipefail
tests=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck source=../support/drive_window.sh
. "$tests/support/drive_window.sh"
command -v c++ >/dev/null || { echo "skipped: there is no C++ compiler" >&2; exit 77; }

book=$tests/../assets/kernels/book.cu
file=$work/own.cu
# As editors save: another file takes the place of the old one.
save() { sed "$@" "$book" >"$work/new.cu" && mv "$work/new.cu" "$file"; }
kernel() { echo "record['state']['kernel'] == '$1' and record['state']['storage'] == '$2'"; }
measured() { echo "any(r['variant'] == '$1' for r in record['results'])"; }

# The window begins without a kernel that is wrong, and shows it as soon as it is right.
save 's/red \* 255/red * 200/'
start_window --backend cpu --window 640x400 --size 64x64 --kernel-file "$file"
shoot "$(kernel book global)"
save ''
shoot "$(kernel mine global)" "$(measured mine/global)"
save -e 's/^extern/__constant__ sphere scene[20];\nextern/' -e 's/spheres\[s\]/scene[s]/g'
shoot "$(kernel mine constant)" "$(measured mine/constant)"
# Faults: the version before stays.
save 's/red \* 255/red * 200/'
shoot "$(kernel mine constant)"
save 's/pixel\[3\] = 255;/for (;;) pixel[3]++;/'
sleep 3
shoot "$(kernel mine constant)"
rm "$file"
mkdir "$file"
shoot "$(kernel mine constant)"
rmdir "$file"
press Tab # beside the book's kernel
shoot "record['state']['duel']['on'] and record['state']['duel']['kernel'] == 'book'"
press Tab
save ''
shoot "$(kernel mine global)" "$(measured mine/global)"
press k
shoot "$(kernel book global)"
press k k k k
shoot "$(kernel mine global)"
end_window
# A size that the kernel does not survive is tried in another process: the picture stays.
crash='if (frame.width == 640) *(volatile int *)16 = 1;'
save "s/unsigned char \*pixel =/$crash unsigned char *pixel =/"
start_window --backend cpu --window 640x400 --size 64x64 --kernel-file "$file"
shoot "$(kernel mine global)" "$(measured mine/global)"
press z
sleep 2
shoot "$(kernel mine global)" "record['state']['width'] == 64"
press Up
shoot "$(kernel mine global)" "record['state']['scene']['count'] == 40" "$(measured mine/global)"
end_window
[[ -z $(pgrep -g 0 -f -- "--mine 1 0" || true) ]] || fail "a process is left"

# A folder's board: what is saved is ranked, and the picture goes on.
mkdir "$work/class"
start_window --backend cpu --window 640x400 --size 64x64 --kernel-file "$work/class"
row() { echo "any(r['variant'] == '$1' and '$2' in str(r['outcome']) for r in record['results'])"; }
sed '' "$book" >"$work/class/first.cu"
shoot "$(row first.cu rank)" "record['state']['page'] == 'class'"
sed 's/red \* 255/red * 200/' "$book" >"$work/class/first.cu"
sed '' "$book" >"$work/class/second.cu"
shoot "$(row first.cu "pixels wrong")" "$(row second.cu rank)"
end_window

# A signal while the compiler works ends it, too, and removes its folder.
printf '#!/bin/sh\nsleep 1234 & echo $! >"%s"; wait\n' "$work/compiler" >"$work/slow"
chmod +x "$work/slow"
mkdir "$work/temporary"
# A process that nobody has waited for yet has ended, too.
compiler_ended() { [[ $(ps -o stat= -p "$(cat "$work/compiler")" || true) == @(|Z*) ]]; }
for signal in TERM INT HUP; do
    rm -f "$work/compiler"
    CXX=$work/slow TMPDIR=$work/temporary "$SPHERESCOPE" --backend cpu --bench raytrace \
        --kernel-file "$file" >"$work/out" 2>&1 &
    for _ in {1..300}; do [[ ! -s $work/compiler ]] || break; pause 0.1; done
    kill -s "$signal" $!
    wait $! || true
    for _ in {1..50}; do ! compiler_ended || break; pause 0.1; done
    compiler_ended || fail "$signal leaves the compiler"
    [[ -z $(ls "$work/temporary") ]] || fail "$signal leaves $(ls "$work/temporary")"
done
