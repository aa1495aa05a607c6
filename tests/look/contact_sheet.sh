#!/usr/bin/env bash
# contact_sheet.sh FOLDER [SIZES [THEMES]]: takes a picture of every screen of the program in a real
# window and writes them to FOLDER. with_display.sh starts it:
#
#   DISPLAY_SIZE=3840x2160 SPHERESCOPE=build/spherescope \
#       tests/support/with_display.sh tests/look/contact_sheet.sh /tmp/sheet
#
# SIZES and THEMES are lists in quotes. OPTIONS holds further options of the program, PAUSE the
# seconds before each picture. Exit code 77: a tool is missing.
set -euo pipefail
tests=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)
[[ $# -ge 1 ]] || { echo "contact_sheet.sh: name a folder" >&2; exit 2; }
folder=$1
sizes=${2:-1280x720 1920x1080 3840x2160 1080x1920}
themes=${3:-dark light projector}
mkdir -p "$folder"
# shellcheck source=../support/drive_window.sh
. "$tests/support/drive_window.sh"

# The screens, in the order in which one window shows them: a name, and the keys that lead there
# from the screen before.
screens=(
    'global:'
    'readonly:2' 'constant:3' 'shared:4' 'texture:5'
    'strip:1 k' 'strip-16:bracketright bracketright' 'binned:k' 'splat:k' 'book:k'
    'light:l' 'light-tree:k' 'light-samples:e e'
    'help-keys:e k l h' 'help-words:h' 'help-formulas:h' 'help-verdicts:h'
    'details:h d' 'code:ctrl+k'
    'duel:ctrl+k Tab 3' 'code-duel:ctrl+k' 'hold:ctrl+k Return'
    'claims-full:Return Tab 1 p p' 'story-full:n' 'topic-full:n' 'claim-full:x' 'anatomy-full:a'
    'claims:p p n ctrl+n' 'story:n' 'topic:n' 'claim:x' 'anatomy:a'
    'heat-map:a g'
    'refused:g Up Up Up Up Up Up Up 3'
)

# walk SIZE THEME shows every screen and copies its picture, which must have the window's size and
# differ from the one before.
walk() {
    local size=$1 theme=$2 screen name from=$folder/$1-$2 list before=""
    mkdir -p "$from"
    # shellcheck disable=SC2086 # a list of options
    start_window --window "$size" --theme "$theme" --size 512x512 --vsync off ${OPTIONS-}
    for screen in "${screens[@]}"; do
        name=${screen%%:*}
        IFS=' ' read -ra list <<<"${screen#*:}"
        [[ ${#list[@]} -eq 0 ]] || press "${list[@]}"
        sleep "${PAUSE:-0.4}"
        one_shot
        cp -- "$(newest)" "$from/$name.png"
        python3 "$tests/support/png_record.py" "$from/$name.png" \
            "(width, height) == (${size%x*}, ${size#*x})" "state[\"theme\"] == \"$theme\"" ||
            fail "$from/$name.png"
        [[ -z $before ]] || ! cmp -s "$before" "$from/$name.png" || fail "$name looks like $before"
        before=$from/$name.png
    done
    end_window
}

for size in $sizes; do
    for theme in $themes; do
        walk "$size" "$theme"
        echo "$size $theme: $(find "$folder/$size-$theme" -name '*.png' | wc -l) screens"
    done
done
