#!/usr/bin/env bash
# opengl_keys.sh: the backend gl in a real window: by name, with C round what is there, and by
# itself where OpenGL draws on a GPU; llvmpipe passes for one by an injected fault.
# with_display.sh starts it. Exit code 77: a tool is missing.
set -euo pipefail
tests=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck source=../support/drive_window.sh
. "$tests/support/drive_window.sh"

# Rendered live by OpenGL. What is drawn before it hides nothing of its dispatch.
gl='state["backend"] == "gl"'
live='any(r["variant"] == "book/constant" and r["backend"] == "gl" and
          r["metrics"]["n"] > 0 for r in results)'
start_window --backend gl --storage constant --window 640x400 --size 64x48 --vsync off --panels off
shoot "$gl" "$live" 'any(r["metrics"].get("net_ms", 0) > 0 for r in results)'
press k
shoot 'state["kernel"] == "strip"' "$gl"
press c
shoot 'state["backend"] != "gl"'
# In a duel, C gives B a backend of its own.
press Tab
shoot 'state["duel"]["on"] and state["duel"]["backend"] == "same"'
press c
shoot 'state["duel"]["backend"] == "gl" and state["backend"] != "gl"' \
    'any(r["benchmark"] == "duel" and r["parameters"]["b"].startswith("gl:") and
         r["metrics"]["n"] > 0 and r["outcome"]["b_verified"] == "yes" for r in results)'
press n
shoot 'state["duel"]["storage"] == "constant" and state["duel"]["backend"] == "gl"'
end_window

# Without CUDA, a window takes a GPU's OpenGL; C goes to the recorded run and back.
export SPHERESCOPE_FAIL=krn_gl_processor
if ! "$SPHERESCOPE" --list-devices | grep -q '^cuda  *0'; then
    start_window --storage constant --window 640x400 --size 64x48 --vsync off --panels off
    shoot "$gl" "$live"
    press c
    shoot 'state["backend"] == "cpu"'
    press c c
    shoot "$gl"
    end_window
fi
