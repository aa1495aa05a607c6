# drive_window.sh, to be sourced: starts the program in a real window, presses its keys and takes
# screenshots. The script that sources it sets `tests`, and with_display.sh starts it. Ends with 77
# when a tool is missing.
for tool in xdotool python3; do
    type -P "$tool" >/dev/null || { echo "skipped: $tool is not installed" >&2; exit 77; }
done
work=$(mktemp -d)
exec {silence}<> <(:)
program="" window="" keys="" shot_key=s quit_key=q # a script may choose others
clean_up() {
    [[ -z $program ]] || kill -KILL "$program" 2>/dev/null || true
    rm -rf "$work"
}
trap clean_up EXIT
export HOME=$work XDG_CONFIG_HOME=$work/.config
export LP_NUM_THREADS=0 # Mesa's threads would take the processors from the tools that press keys
mkdir -p "$work/Pictures"
fail() { echo "${0##*/}: $*" >&2; exit 1; }
# pause SECONDS: sleeps, without a process.
pause() { read -rt "$1" -u "$silence" || true; }

# await WHAT COMMAND...: waits until the command succeeds, while the program runs.
await() {
    for _ in $(seq 3000); do
        ! "${@:2}" || return 0
        [[ -z $program ]] || kill -0 "$program" 2>/dev/null ||
            fail "$1: the program ended: $(cat "$work/stderr")"
        pause 0.02
    done
    ! type -P xrandr >/dev/null || xrandr >&2
    ! type -P xwininfo >/dev/null || xwininfo -root -tree >&2
    fail "$1"
}
# window_named NAME sets found; has_keyboard asks for the keyboard where the window has none.
window_named() {
    found=$(xdotool search --onlyvisible --name "^$1\$" 2>/dev/null | tail -1) && [[ -n $found ]]
}
has_keyboard() {
    [[ $(xdotool getwindowfocus 2>/dev/null || true) != "$window" ]] || return 0
    xdotool windowactivate "$window" 2>/dev/null || true
    return 1
}

# start_window OPTION...: starts the program and waits for its window.
start_window() {
    "$SPHERESCOPE" "$@" 2>"$work/stderr" &
    program=$!
    window=""
    for _ in $(seq 1000); do
        window=$(xdotool search --onlyvisible --class spherescope 2>/dev/null | tail -1) || true
        [[ -z $window ]] || break
        kill -0 "$program" 2>/dev/null || fail "the program ended: $(cat "$work/stderr")"
        pause 0.1
    done
    [[ -n $window ]] || fail "no window after 100 s"
    xdotool windowfocus --sync "$window"
}

press() {
    keys+="$* "
    xdotool key --delay 20 "$@"
}

# shots prints the number of screenshots, newest the name of the last one; one_shot takes one more.
# A new file is empty until the whole one replaces it, and is passed over. They start no processes,
# which would take the processor from the program.
shots() {
    local file count=0
    for file in "$work"/Pictures/*.png; do [[ ! -s $file ]] || count=$((count + 1)); done
    echo $count
}
newest() {
    local file last=""
    for file in "$work"/Pictures/*.png; do
        [[ ! -s $file || -n $last && ! $file -nt $last ]] || last=$file
    done
    echo "$last"
}
one_shot() {
    local before
    before=$(shots)
    xdotool key "$shot_key"
    for _ in $(seq 6000); do
        [[ $(shots) -gt $before ]] && break
        kill -0 "$program" 2>/dev/null || fail "the program ended: $(cat "$work/stderr")"
        pause 0.05
    done
    [[ $(shots) -eq $((before + 1)) ]] ||
        fail "key $shot_key wrote no screenshot; after the keys: $keys"
}

# shoot EXPRESSION... takes screenshots until the record of one satisfies all expressions: on a busy
# machine a frame, a full screen or a first sample may take long.
shoot() {
    local try
    for try in $(seq 60); do
        one_shot
        python3 "$tests/support/png_record.py" "$(newest)" "$@" 2>"$work/why" && return
        pause 0.2
    done
    fail "after the keys: $keys, try $try: $(cut -c1-600 "$work/why")"
}

# record True|False: the record end.json is complete, or not, and has times.
record() {
    python3 -c 'import json, sys
r = json.load(open(sys.argv[1]))
assert str(r["complete"]) == sys.argv[2]
assert any(x["benchmark"] == "raytrace" and x["metrics"]["n"] > 0 for x in r["results"])' \
        "$work/end.json" "$1" || fail "the record"
}

# complaints prints what the program has written to standard error. On the stand-in for a GPU, the
# address sanitizer warns of its threads. Most displays have one monitor for a talk and its notes.
complaints() {
    grep -Ev 'ASan doesn.t fully support makecontext|^spherescope: There is one monitor' \
        "$work/stderr" || true
}

# chord KEY... presses the last key while the others are held.
chord() {
    local held=("${@:1:$#-1}")
    keys+="$* "
    xdotool keydown "${held[0]}" ${held[1]:+keydown "${held[1]}"} key "${!#}" \
        ${held[1]:+keyup "${held[1]}"} keyup "${held[0]}"
    pause 0.02
}

# ended WHAT: waits until the program has ended well, with no line but its own. end_window presses
# Q first.
ended() {
    for _ in $(seq 1000); do kill -0 "$program" 2>/dev/null || break; pause 0.05; done
    ! kill -0 "$program" 2>/dev/null || fail "$1: the program goes on"
    local status=0
    wait "$program" || status=$?
    program=""
    [[ $status -eq 0 ]] || fail "$1 ended with $status: $(cat "$work/stderr")"
    [[ $(complaints | grep -Evc '^(spherescope: |$)' || true) -eq 0 ]] || fail "$(complaints)"
}
end_window() {
    press "$quit_key"
    ended "key $quit_key"
}
