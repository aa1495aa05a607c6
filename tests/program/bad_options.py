#!/usr/bin/env python3
"""Bad command lines through the program itself: a sample for every option that --help lists. Each
ends with exit code 2, one line on stderr that names the option, and nothing on stdout. The test
bad_values has all cases, without starting the program. The program is $SPHERESCOPE.
"""
import os
import re
import subprocess
import sys

PROGRAM = os.environ["SPHERESCOPE"]
NUMBERS = ("nan", "inf", "-1", "1e308", "99999999999999999999999", "7x")
cases = mistakes = 0


def refuse(flag, *arguments):
    global cases, mistakes
    cases += 1
    ended = subprocess.run([PROGRAM, *arguments], stdin=subprocess.DEVNULL, capture_output=True,
                           text=True, timeout=600, check=False)
    lines = ended.stderr.splitlines()
    if ended.returncode != 2 or ended.stdout or len(lines) != 1 or \
            not lines[0].startswith("spherescope: ") or flag not in lines[0]:
        mistakes += 1
        print(f"bad_options.py: {arguments}: exit {ended.returncode}, {ended.stdout!r}, "
              f"{ended.stderr!r}")


def main():
    text = subprocess.run([PROGRAM, "--help"], capture_output=True, text=True, check=True).stdout
    options = re.findall(r"^  (--[a-z-]+)(?: (\S+))?", text, re.M)
    for flag, takes in options:
        refuse(flag, flag + "=")
        refuse(flag + "q", flag + "q")
        if not takes:
            refuse(flag, flag, flag)
            refuse(flag, flag + "=on")
            continue
        refuse(flag, flag)
        refuse(flag, "--version", flag)  # the whole line is read before a question is answered
        if takes in ("N", "X", "PERCENT", "WxH", "A:B") or re.fullmatch(r"[a-z|]+", takes):
            for value in NUMBERS:
                if value.isdigit() or flag not in ("--seed", "--order-seed") or value != "7":
                    refuse(flag, flag, value)
    for arguments in (["stray"], [""], ["-"], ["--"], ["-x"], ["--help", "--help"],
                      ["--json", "a", "--csv", "./a"], ["--json", "-", "--csv", "-"],
                      ["--fail-on-slower"], ["--check"], ["--presenter"], ["--compare", "a"]):
        refuse("", *arguments)
    print(f"bad_options.py: {len(options)} options, {cases} command lines, {mistakes} mistakes")
    sys.exit(1 if mistakes or len(options) < 40 else 0)


if __name__ == "__main__":
    main()
