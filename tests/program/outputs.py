#!/usr/bin/env python3
"""Every option that writes a file, with every place that cannot be written.

Usage: outputs.py SOURCE_DIR [cpu|gl]      the program is $SPHERESCOPE

The options are those that the command table marks as written: one without an entry in RUNS below
fails. A place that is known to be bad before the run ends it at once, with exit code 1 and one line;
a disk that fills up later costs the file, but neither the tables nor the other files. Of several
files that are lost, each has a line. An old file is kept until a complete one replaces it, and no part of a new one is left.
"""
import os
import re
import resource
import shutil
import stat
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "support"))
import no_overrides  # noqa: E402

ROOT, PROGRAM = Path(sys.argv[1]), os.environ["SPHERESCOPE"]
BENCH = ["--bench", "raytrace", "--processes", "1"]
QUICK = ["--backend", "cpu", "--size", "16x16", "--frames", "2"]
ONE = ["--modes", "book/global"]
PICTURE = ["--offscreen", "--window", "160x90", "--seconds", "10", *ONE]
SWEEP = ["--sweep", "spheres=1..2", "--processes", "1", *ONE]
# For each option, the runs that write its file, and whether they need OpenGL.
RUNS = {
    "--json": [([*BENCH, *ONE], False), ([*SWEEP], False), (PICTURE, True),
               (["--duel", "book/global,book/shared", "--processes", "1"], False)],
    "--csv": [([*BENCH, *ONE], False), (PICTURE, True)],
    "--prometheus": [([*BENCH, *ONE], False), (PICTURE, True)],
    "--html": [([*BENCH, *ONE], False), (PICTURE, True)],
    "--screenshot": [(PICTURE, True), ([*SWEEP, "--window", "160x90"], True)],
    "--record-frames": [(PICTURE, True)],
    "--video": [(PICTURE, True)],
    "--record": [(["--processes", "1"], False)],
}
SUFFIX = {"--prometheus": ".prom", "--screenshot": ".png", "--video": ".mp4", "--record": ".json"}
SLOW = ("--record",)  # its run is a complete one: only what ends it at once is tried
WITH_PICTURES = ("--screenshot", "--record-frames", "--video")
# ffmpeg reads all frames and writes their number of bytes, as far as the disk has room.
FFMPEG = "#!/bin/sh\nfor out; do :; done\n/usr/bin/head -c 200000 >\"${out#file:}\"\n"
OWN_PICTURE = "spherescope: ./spherescope-"  # the sentence about a picture that no option names
# What is said of a place: its name, the reason, and what to do.
CANNOT = re.compile(r"spherescope: .+ cannot be written: [^;]+; [^;]+\.")
# ffmpeg ends, and a video is a regular file: these have sentences of their own.
OWN_WORDS = re.compile(r"spherescope: (ffmpeg failed|--video needs a regular file)")
cases = mistakes = 0


def written_options():
    """Returns the options of the command table whose files or folders are written."""
    text = (ROOT / "app/command/command_table.c").read_text(encoding="utf-8")
    found = set()
    for entry in re.split(r"\n    \{\.section", text)[1:]:
        flag = re.search(r'\.flag = "(--[a-z-]+)"', entry)
        if flag and re.search(r"FILE_WRITTEN|FOLDER_FILLED", entry):
            found.add(flag[1])
    return found


def wrong(*words):
    global mistakes
    mistakes += 1
    print("outputs.py:", *words)


def contents(folder):
    """Returns what a folder holds, and where its links lead, but for the picture that a run without
    a window writes under a name of its own."""
    found = {}
    for path in sorted(folder.rglob("*")):
        if re.fullmatch(r"spherescope-[\d-]+-\w+\.png", path.name):
            continue
        mode = path.lstat().st_mode
        found[str(path.relative_to(folder))] = (
            os.readlink(path) if stat.S_ISLNK(mode) else
            path.read_bytes() if stat.S_ISREG(mode) else stat.S_IFMT(mode))
    return found


def surroundings():
    """Returns the variables of every run."""
    return {name: value for name, value in os.environ.items()
            if name not in ("DISPLAY", "WAYLAND_DISPLAY")} | {
                "PATH": f"{TOOLS}:/usr/bin:/bin", "HOME": "/nonexistent",
                "MESA_SHADER_CACHE_DISABLE": "true", "TMPDIR": SPARE}


def run(arguments, cwd, limit=None, unprivileged=False, streams=None, before=()):
    """Runs the program; limit: of the size of each file, bytes; before: words before its name."""
    global cases
    cases += 1
    environment = surroundings()
    if limit is not None or unprivileged:
        # gcov counts lines in files that such a run would cut, or could not open.
        environment["GCOV_PREFIX"] = f"{WORK}/counts-{unprivileged}"

    def prepare():
        if limit is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
        if unprivileged:
            no_overrides.drop()
        for stream in streams or ():
            os.close(stream)

    ended = subprocess.run([*before, PROGRAM, *QUICK, *arguments], cwd=cwd, env=environment,
                           stdin=subprocess.DEVNULL, capture_output=True, timeout=600,
                           preexec_fn=prepare, check=False)
    return ended.returncode, ended.stdout.decode(), ended.stderr.decode()


def sentences(err):
    """Returns the lines of stderr that are no forecast and no remark on the number of processes."""
    return [line for line in err.splitlines()
            if not line.startswith(("up to about", "progress: ",
                                     "spherescope: One process is measured"))]


def is_sentence(line):
    return bool(CANNOT.fullmatch(line) or OWN_WORDS.match(line))


def early(flag, arguments, place, path, folder, unprivileged=False):
    """A place that is bad from the start: nothing is measured, printed or changed."""
    before = contents(folder)
    code, out, err = run([*arguments, flag, path], folder, unprivileged=unprivileged)
    lines = err.splitlines()
    if code != 1 or out or len(lines) != 1 or not is_sentence(lines[0]):
        wrong(f"{flag}, {place}: exit {code}, {len(out)} bytes of output, {err!r}")
    if contents(folder) != before:
        wrong(f"{flag}, {place}: {set(contents(folder)) ^ set(before)} has changed")


def late(flag, arguments, place, path, folder, limit=None):
    """A place that turns out bad when it is written: the tables are printed."""
    before = contents(folder)
    code, out, err = run([*arguments, flag, path], folder, limit=limit)
    lines = [line for line in sentences(err) if OWN_PICTURE not in line]
    if code != 1 or "book/" not in out or len(lines) != 1 or not is_sentence(lines[0]):
        wrong(f"{flag}, {place}: exit {code}, {out!r}, {err!r}")
    after = contents(folder)
    if after != before:
        wrong(f"{flag}, {place}: {set(after) ^ set(before)} has changed")


def bad_places(flag, arguments, folder):
    suffix, takes_folder = SUFFIX.get(flag, ""), flag == "--record-frames"
    name = "x" + suffix
    early(flag, arguments, "a missing folder", f"missing/{name}", folder)
    early(flag, arguments, "a file as folder", f"file/{name}", folder)
    early(flag, arguments, "a name of 256 bytes", "n" * (256 - len(suffix)) + suffix, folder)
    early(flag, arguments, "a link that leads nowhere", f"nowhere{suffix}", folder)
    early(flag, arguments, "a link to itself", f"round{suffix}", folder)
    if takes_folder:
        early(flag, arguments, "a file in place of the folder", "file", folder)
    else:
        early(flag, arguments, "a folder in place of the file", f"folder{suffix}", folder)
        early(flag, arguments, "a file without permission", f"locked{suffix}", folder,
              unprivileged=True)
    early(flag, arguments, "a folder without permission", f"closed/{name}", folder,
          unprivileged=True)
    # The working folder has been deleted.
    gone = folder / "gone"
    gone.mkdir()
    code, out, err = run([*arguments, flag, name], gone,
                         before=["/bin/sh", "-c", 'rmdir ../gone && exec "$@"', "sh"])
    if code != 1 or out or len(err.splitlines()) != 1:
        wrong(f"{flag}, a deleted folder: exit {code}, {err!r}")


def full_disks(flag, arguments, folder):
    suffix = SUFFIX.get(flag, "")
    if flag == "--record-frames":
        code, out, err = run([*arguments, flag, "frames"], folder, limit=1000)
        if code != 1 or "book/" not in out or not sentences(err):
            wrong(f"{flag}, a full disk: exit {code}, {out!r}, {err!r}")
        left = list((folder / "frames").iterdir())
        if left:
            wrong(f"{flag}, a full disk: {left} is left")
        shutil.rmtree(folder / "frames")
        return
    if flag != "--video":  # a video is a regular file
        late(flag, arguments, "a full device", f"full{suffix}", folder)
    for name in ("old", "new") if flag not in WITH_PICTURES else ("old",):
        late(flag, arguments, "a full disk", name + suffix, folder, limit=100)


def good_places(flag, arguments, folder):
    """Long names, and a link to a file, which stays a link."""
    suffix = SUFFIX.get(flag, "")
    names = ["n" * (length - len(suffix)) + suffix for length in (255, 243, 249, 250)]
    for name in names[:1] if flag in WITH_PICTURES else names:
        code, out, err = run([*arguments, flag, name], folder)
        if code != 0 or "book/" not in out or not (folder / name).exists():
            wrong(f"{flag}, a name of {len(name)} bytes: exit {code}, {err!r}")
    if flag == "--record-frames":
        return
    kept_places(flag, arguments, folder)
    code, _, err = run([*arguments, flag, f"link{suffix}"], folder)
    link, target = folder / f"link{suffix}", folder / f"target{suffix}"
    if code != 0 or not link.is_symlink() or target.read_bytes() == b"old":
        wrong(f"{flag}, a link: exit {code}, {err!r}")


def kept_places(flag, arguments, folder):
    """Files that nothing may replace: something is mounted on one, it is another's in a sticky
    folder, or its folder takes no files. They are overwritten, and nothing else is left."""
    name = f"x{SUFFIX.get(flag, '')}"
    places = {"a mounted file": ([], False), "a folder that takes no files": ([], True)}
    mount = ["sh", "-c", 'mount --bind "$0" "$1" && shift && exec "$@"', str(folder / "source"),
             str(folder / "a mounted file" / name)]
    for unshare in (["unshare", "-rm"], ["unshare", "-m"]):
        if subprocess.run([*unshare, "mount", "--bind", "file", "file"], cwd=folder, check=False,
                          capture_output=True).returncode == 0:
            places["a mounted file"] = ([*unshare, *mount], False)
    if not places["a mounted file"][0]:
        print("outputs.py: this machine allows no mounts")
        del places["a mounted file"]
    if os.geteuid() == 0:
        places["another's file in a sticky folder"] = ([], True)
    for place, (before, unprivileged) in places.items():
        target = folder / place / name
        target.parent.mkdir()
        for file in (target, folder / "source"):
            file.write_text("old" * 100000, encoding="ascii")
        target.chmod(0o666)
        target.parent.chmod(0o1777 if "sticky" in place else 0o555)
        if "sticky" in place:
            for path in (target, target.parent):
                os.chown(path, 12345, 12345)
        inode = target.stat().st_ino
        code, out, err = run([*arguments, flag, str(target)], folder, unprivileged=unprivileged,
                             before=before)
        written = (folder / "source" if before else target).read_bytes()
        if code != 0 or "book/" not in out or b"oldold" in written or not written:
            wrong(f"{flag}, {place}: exit {code}, {err!r}")
        if inode != target.stat().st_ino or [*target.parent.iterdir(), *Path(SPARE).iterdir()] != [
                target]:
            wrong(f"{flag}, {place}: {list(target.parent.iterdir())}, {os.listdir(SPARE)}")


def streams(flag, arguments, folder):
    """Closed streams: the file is whole, and the exit code says that the tables are lost."""
    for closed, expected in (((0, 1, 2), 1), ((1,), 1), ((2,), 0)):
        whole = folder / f"whole{len(closed)}{expected}{SUFFIX.get(flag, '')}"
        code, _, err = run([*arguments, flag, whole.name], folder, streams=closed)
        if code != expected:
            wrong(f"{flag}, without streams {closed}: exit {code}, {err!r}")
        if 2 not in closed and not any("tandard output" in line for line in err.splitlines()):
            wrong(f"{flag}, without streams {closed}: {err!r}")
        held = whole.read_bytes() if whole.is_file() else b""
        if flag == "--json":
            check = subprocess.run([sys.executable, "-m", "json.tool"], input=held, check=False,
                                   capture_output=True)
            if check.returncode != 0:
                wrong(f"{flag}, without streams {closed}: {check.stderr.decode()}")
        elif flag == "--screenshot" and not held.endswith(b"IEND\xaeB`\x82"):
            wrong(f"{flag}, without streams {closed}: no complete picture")
        if flag in WITH_PICTURES:
            return  # such a run takes long


def set_up(suffix):
    """Returns a new folder with everything that the places need."""
    folder = Path(tempfile.mkdtemp(dir=WORK))
    folder.chmod(0o777)
    (folder / "file").write_text("old", encoding="ascii")
    for name in ("old", "target", "locked"):
        (folder / (name + suffix)).write_text("old", encoding="ascii")
    (folder / ("locked" + suffix)).chmod(0o444)
    (folder / ("folder" + suffix)).mkdir()
    (folder / "closed").mkdir(mode=0o555)
    for name, target in (("nowhere", "missing/x"), ("round", "round" + suffix),
                         ("full", "/dev/full"), ("link", "target" + suffix)):
        (folder / (name + suffix)).symlink_to(target)
    return folder


def default_picture():
    """A picture that no option names: a folder that takes none costs nothing but the picture."""
    folder = set_up("") / "closed"
    code, out, err = run(PICTURE, folder, unprivileged=True)
    if code != 1 or "book/" not in out or len(sentences(err)) != 1 or list(folder.iterdir()):
        wrong(f"the default picture: exit {code}, {out!r}, {err!r}")


def lost_together(arguments, flags):
    """The folder of all outputs goes away while they are measured: each is told, in one line, and
    what is complete is kept elsewhere."""
    global cases
    cases += 1
    folder = set_up("")
    (folder / "out").mkdir()
    names = {flag: f"out/x{SUFFIX.get(flag, flag)}" for flag in flags}
    given = [word for flag in flags for word in (flag, names[flag])]
    with subprocess.Popen([PROGRAM, "--backend", "cpu", "--size", "16x16", *arguments, *given],
                          cwd=folder, env=surroundings(), stdin=subprocess.DEVNULL,
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as process:
        err = ""
        for line in process.stderr:  # the forecast comes when the outputs have been checked
            err += line
            if line.startswith("up to about"):
                (folder / "out").rename(folder / "gone")  # at once, whatever is written there
        code = process.wait(timeout=600)
    lines = sentences(err)
    told = [name for name in names.values()
            if len([line for line in lines if line.startswith(f"spherescope: {name}")]) == 1]
    if code != 1 or len(told) != len(flags) or len(lines) != len(flags):
        wrong(f"{arguments}, all outputs lost: exit {code}, {err!r}")
    for flag in {*flags} - {"--record-frames", "--video"}:
        kept = [path for path in Path(SPARE).iterdir()
                if path.name.startswith(Path(names[flag]).name + ".part-")]
        if len(kept) != 1 or not kept[0].read_bytes() or str(kept[0]) not in err:
            wrong(f"{arguments}, {flag}: {kept} is kept; {err!r}")
        for path in kept:
            path.unlink()


def several(draws):
    tables = ["--json", "--csv", "--prometheus", "--html"]
    bench = ["--bench", "raytrace", "--seconds", "3", *ONE, "--processes"]
    if draws:
        lost_together(["--offscreen", "--window", "160x90", "--seconds", "2", *ONE],
                      ["--record-frames", "--video", "--screenshot", *tables])
        lost_together(["--offscreen", "--window", "160x90", "--seconds", "2", *ONE],
                      ["--video", "--screenshot", *tables])
        lost_together([*SWEEP, "--window", "160x90", "--seconds", "2"], ["--screenshot", *tables])
    else:
        lost_together([*bench, "1"], tables)
        lost_together([*bench, "2"], tables)
        lost_together([*SWEEP, "--seconds", "3"], tables)


def main():
    draws = sys.argv[2] == "gl"
    unknown = written_options() ^ set(RUNS)
    if unknown:
        wrong(f"{', '.join(sorted(unknown))}: in the command table or in RUNS, but not in both")
    for flag, all_runs in RUNS.items():
        runs = [arguments for arguments, needs_gl in all_runs if needs_gl == draws]
        for number, arguments in enumerate(runs):
            folder = set_up(SUFFIX.get(flag, ""))
            if number == 0:
                bad_places(flag, arguments, folder)
            if flag in SLOW:
                continue
            if draws and flag not in WITH_PICTURES:
                late(flag, arguments, "a full device", "full" + SUFFIX.get(flag, ""), folder)
                continue
            full_disks(flag, arguments, folder)
            if number == 0:
                good_places(flag, arguments, folder)
                streams(flag, arguments, folder)
    several(draws)
    if draws:
        default_picture()
    print(f"outputs.py: {cases} runs, {mistakes} mistakes")
    sys.exit(1 if mistakes else 0)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as WORK:
        os.chmod(WORK, 0o777)
        TOOLS = Path(WORK) / "tools"
        TOOLS.mkdir()
        SPARE = f"{WORK}/spare"  # the folder of temporary files
        os.mkdir(SPARE)
        (TOOLS / "ffmpeg").write_text(FFMPEG, encoding="ascii")
        (TOOLS / "ffmpeg").chmod(0o755)
        main()
