#!/usr/bin/env bash
# with_display.sh COMMAND...: runs COMMAND on a private X display and exits with its exit code, or
# with 77 when Xvfb is missing. DISPLAY_SIZE (default 1280x800) is the display's size.
set -euo pipefail

if ! type -P Xvfb >/dev/null; then
    echo "with_display.sh: skipped: Xvfb is not installed" >&2
    exit 77
fi
log=$(mktemp)
xvfb="" command=""

# The display ends after the command and all processes that it started.
clean_up() {
    trap - EXIT INT TERM HUP
    [[ -z $command ]] || kill -KILL -- "-$command" 2>/dev/null || true
    if [[ -n $xvfb ]]; then
        kill "$xvfb" 2>/dev/null || true
        wait "$xvfb" 2>/dev/null || true
    fi
    rm -f "$log"
}
trap clean_up EXIT
trap 'exit 143' TERM
trap 'exit 130' INT
trap 'exit 129' HUP

# A killed script runs no trap. Where setpriv exists, the kernel then ends the children.
leash=()
if setpriv --pdeathsig TERM true 2>/dev/null; then
    leash=(setpriv --pdeathsig TERM)
fi

# Xvfb picks a free display number and writes it once it accepts clients. Keys do not repeat (-r):
# on a busy machine their release may come late enough for it.
exec {number}< <(exec "${leash[@]}" Xvfb -displayfd 1 -screen 0 "${DISPLAY_SIZE:-1280x800}x24" \
    -dpi 96 -r -noreset -nolisten tcp +extension GLX 2>"$log" </dev/null)
xvfb=$!
if ! read -r -t 30 -u "$number" display; then
    cat "$log" >&2
    echo "with_display.sh: Xvfb did not start" >&2
    exit 1
fi
exec {number}<&-

unset WAYLAND_DISPLAY XAUTHORITY
export DISPLAY=:$display XDG_SESSION_TYPE=x11

# Job control gives the command its own process group, so that the whole group can be ended, and
# default signal handlers.
set -m
"${leash[@]}" "$@" <&0 &
command=$!
set +m
status=0
wait "$command" || status=$?
exit "$status"
