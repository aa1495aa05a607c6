#!/usr/bin/env bash
# with_display.sh COMMAND...: runs COMMAND on an X display of its own and ends with its exit code.
# DISPLAY_SIZE (default 1280x800) is the display's size. 77: there is no Xvfb here.
set -euo pipefail

if ! type -P Xvfb >/dev/null; then
    echo "with_display.sh: skipped: Xvfb is not installed" >&2
    exit 77
fi
log=$(mktemp)
xvfb="" command=""

# The display goes after the command and everything that it started.
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

# A killed script runs no trap: the kernel ends its children instead, where setpriv can ask for it.
leash=()
if setpriv --pdeathsig TERM true 2>/dev/null; then
    leash=(setpriv --pdeathsig TERM)
fi

# Xvfb picks a free number itself and writes it once it takes clients.
exec {number}< <(exec "${leash[@]}" Xvfb -displayfd 1 -screen 0 "${DISPLAY_SIZE:-1280x800}x24" \
    -dpi 96 -noreset -nolisten tcp +extension GLX 2>"$log" </dev/null)
xvfb=$!
if ! read -r -t 30 -u "$number" display; then
    cat "$log" >&2
    echo "with_display.sh: Xvfb did not start" >&2
    exit 1
fi
exec {number}<&-

unset WAYLAND_DISPLAY XAUTHORITY
export DISPLAY=:$display XDG_SESSION_TYPE=x11

# Job control gives the command a process group of its own (to be ended whole) and default signals.
set -m
"${leash[@]}" "$@" <&0 &
command=$!
set +m
status=0
wait "$command" || status=$?
exit "$status"
