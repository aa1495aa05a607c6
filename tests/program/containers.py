#!/usr/bin/env python3
"""containers.py BASE FILE SOURCE WORK: runs a container file in folders, without a container tool.

BASE is the root folder of the image that every FROM starts at; SOURCE the context. Each stage gets a
copy of BASE below WORK, in which the RUN lines run with chroot. Prints the folder of the last stage;
what the lines print goes to standard error. Knows the instructions that packaging/container uses,
and fails at any other. Needs root.
"""
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path


class Stage:
    def __init__(self, base, folder):
        subprocess.run(["cp", "-a", base, folder], check=True)
        (folder / "etc/resolv.conf").unlink(missing_ok=True)  # it may be a link out of the folder
        shutil.copy("/etc/resolv.conf", folder / "etc/resolv.conf")
        self.folder, self.env = folder, {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin"}

    def run(self, command):
        # A mount namespace of its own: /proc and /dev go with the command.
        script = ('mount -t proc proc "$1/proc" && mount --rbind /dev "$1/dev" && '
                  'exec chroot "$1" /bin/sh -c "$2"')
        subprocess.run(["unshare", "--mount", "--pid", "--fork", "sh", "-c", script, "sh",
                        self.folder, command], env={**self.env, **proxies()}, check=True,
                       stdout=sys.stderr)


def proxies():
    """Returns the variables by which this machine reaches the network."""
    return {name: value for name, value in os.environ.items() if name.lower().endswith("_proxy")}


def copy(source, target):
    target.parent.mkdir(parents=True, exist_ok=True)
    subprocess.run(["cp", "-a", f"{source}/." if source.is_dir() else source,
                    f"{target}/" if source.is_dir() and target.mkdir(exist_ok=True) is None
                    else target], check=True)


def main():
    base, file, source, work = map(Path, sys.argv[1:])
    stages, stage, variables = {}, None, {}
    for line in file.read_text(encoding="utf-8").replace("\\\n", " ").splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        word, _, rest = line.partition(" ")
        if word == "ARG":
            name, _, value = rest.partition("=")
            variables[f"${name}"] = value
        elif word == "FROM":
            image, _, name = rest.partition(" AS ")
            assert variables[image] == "debian:12", line
            stage = Stage(base, work / (name or "last"))
            stages[name or "last"] = stage
        elif word == "COPY":
            words = rest.split()
            origin = source
            if words[0].startswith("--from="):
                origin = stages[words.pop(0).partition("=")[2]].folder
            copy(origin / words[0].lstrip("/"), stage.folder / words[1].lstrip("/"))
        elif word == "RUN":
            stage.run(rest)
        elif word == "ENV":
            stage.env.update(pair.split("=", 1) for pair in rest.split())
        elif word in ("ENTRYPOINT", "CMD"):
            words = json.loads(rest)
            if word == "ENTRYPOINT":
                assert shutil.which(words[0], path=str(stage.folder / "usr/bin")), line
        else:
            sys.exit(f"containers.py: {file.name}: unknown instruction {word}")
    print(stage.folder)


if __name__ == "__main__":
    main()
