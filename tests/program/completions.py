#!/usr/bin/env python3
"""completions.py SOURCE_DIR BUILD_DIR: asks bash, zsh and fish what they complete.

Every shell offers every option of --help, and the values of options of each kind. Shells that are
not installed are left out; bash always is.
"""
import fcntl
import os
import pty
import re
import select
import shutil
import struct
import subprocess
import sys
import tempfile
import termios
import time
from pathlib import Path

SOURCE, BUILD = Path(sys.argv[1]), Path(sys.argv[2])
MANUAL = BUILD / "manual"
PATIENCE_S = 60

# What is typed, words that are offered, and words that are not. {files} is a folder with some files.
TALKS = sorted(file.stem for file in (SOURCE / "assets" / "talks").glob("*.json"))
CASES = [
    ("spherescope --storage con", ["constant"], ["global"]),
    ("spherescope --hud ", ["on", "off"], ["--hud"]),
    ("spherescope --zoom ", ["fit"], ["--zoom"]),
    ("spherescope --bench ", ["all", "raytrace", "saxpy"], ["--bench"]),
    ("spherescope --bench raytrace,sax", ["saxpy"], ["timer"]),
    ("spherescope --scene {files}/", ["one.json", "folder"], ["--scene"]),
    ("spherescope --screenshot {files}/", ["shot.png", "folder"], ["other.mp4"]),
    ("spherescope --record-frames {files}/", ["folder"], ["shot.png"]),
    ("spherescope --talk ", TALKS, ["--talk"]),
    ("spherescope --play ", ["h100", "h200"], ["--play"]),
]


def ask_bash(line, folder):
    # readline splits at the characters of COMP_WORDBREAKS, "=" among them.
    words = [w for w in re.split(r"\s+|(=)", line) if w]
    if line.endswith(" "):
        words.append("")
    script = ('. "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _spherescope; '
              'printf "%s\\n" "${COMPREPLY[@]}"')
    return subprocess.run(["bash", "-c", script, "bash", MANUAL / "spherescope", *words], cwd=folder,
                          capture_output=True, text=True, check=True).stdout


def ask_fish(line, folder):
    script = f'source "{MANUAL}/spherescope.fish"; complete -C "{line}"'
    text = subprocess.run(["fish", "--no-config", "-c", script], cwd=folder, capture_output=True,
                          text=True, check=True, env={**os.environ, "HOME": str(folder)}).stdout
    return re.sub(r"\t.*", "", text)  # the descriptions


def plain(text):
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]|\r", "", text)


class Zsh:
    """An interactive zsh, which alone completes. Ctrl-D lists what Tab would complete."""

    def __init__(self, folder):
        self.pid, self.file = pty.fork()
        if self.pid == 0:
            os.chdir(folder)
            os.execvpe("zsh", ["zsh", "-f", "-i"],
                       {**os.environ, "HOME": str(folder), "TERM": "dumb", "PS1": ""})
        fcntl.ioctl(self.file, termios.TIOCSWINSZ, struct.pack("HHHH", 400, 150, 0, 0))
        self.send(f"PS1='<>'; LISTMAX=10000; fpath=({MANUAL} $fpath); autoload -Uz compinit; "
                  "compinit -u -D; bindkey -e; print -r -- READ''Y\n")
        self.wait_for("READY")

    def send(self, text):
        os.write(self.file, text.encode())

    def read_until(self, is_enough):
        text, end = "", time.monotonic() + PATIENCE_S
        while not is_enough(text) and time.monotonic() < end:
            if select.select([self.file], [], [], 0.2)[0]:
                text += os.read(self.file, 65536).decode(errors="replace")
        return text

    def wait_for(self, mark):
        """Returns what is printed up to the prompt after the mark; only there zsh takes keys."""
        return self.read_until(lambda text: "<>" in plain(text).split(mark)[-1]
                               if mark in text else False)

    def ask(self, line):
        # Ctrl-U clears the line. zsh shows the line again below the list; keys that come earlier
        # would end the listing.
        self.send(f"\x15{line}\x04")
        text = self.read_until(lambda text: "\n<>spherescope " in plain(text).split(line, 1)[-1])
        self.send("\x15print -r -- LIST''END\n")
        self.wait_for("LISTEND")
        return plain(text).split(line, 1)[-1].split("\n<>spherescope ")[0]

    def close(self):
        os.close(self.file)
        os.waitpid(self.pid, 0)


def check(shell, ask, folder, flags, storages):
    wrong = 0
    cases = [("spherescope --", sorted(flags), []), *CASES,
             ("spherescope --storage ", storages, ["--storage", "book"]),
             ("spherescope --storage=", storages, ["--hud"])]
    for line, offered, others in cases:
        typed = line.format(files=folder)
        text = ask(typed)
        # A word stands alone, or after the part of a path or list that was typed.
        found = {part for word in text.split()
                 for part in (word, re.split(r"[/,=]", word.rstrip("/"))[-1])}
        missing = [word for word in offered if word not in found]
        if shell == "fish":
            others = []  # it lists files with other endings last, rather than not at all
        extra = [word for word in others if word in found]
        if missing or extra:
            wrong += 1
            print(f"{shell}: {typed!r} lacks {missing}, has {extra}:\n{text}")
    print(f"{shell}: {len(cases)} lines, {wrong} wrong")
    return wrong


def main():
    text = subprocess.run([os.environ["SPHERESCOPE"], "--help"], capture_output=True, text=True,
                          check=True).stdout
    options = text.split("\nKeys in the window\n")[0]
    flags = set(re.findall(r"^  (--[a-z-]+)", options, re.M))
    assert len(flags) > 30, flags
    storages = re.search(r"^  --storage (\S+)", options, re.M)[1].split("|")
    assert "global" in storages and "texture" in storages, storages
    wrong = 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        files = folder / "files"
        (files / "folder").mkdir(parents=True)
        for file in ("one.json", "shot.png", "other.mp4"):
            (files / file).write_text("{}", encoding="utf-8")
        wrong += check("bash", lambda line: ask_bash(line, folder), files, flags, storages)
        if shutil.which("fish"):
            wrong += check("fish", lambda line: ask_fish(line, folder), files, flags, storages)
        else:
            print("fish: not installed, left out")
        if shutil.which("zsh"):
            zsh = Zsh(folder)
            wrong += check("zsh", zsh.ask, files, flags, storages)
            zsh.close()
        else:
            print("zsh: not installed, left out")
    for flag in sorted(flags):
        page = (MANUAL / "spherescope.1").read_text(encoding="utf-8").replace("\\-", "-")
        if not re.search(rf"^\.B {flag}\b", page, re.M):
            print(f"the manual page lacks {flag}")
            wrong += 1
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
