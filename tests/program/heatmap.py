"""Screenshots with and without a heat map: the legend and the colours are in the picture, the
record has the state, and without a heat map the picture is the same byte for byte."""
import json
import os
import struct
import subprocess
import sys
import tempfile
import zlib

PROGRAM = os.environ["SPHERESCOPE"]


def read(path):
    """Returns width, rows of RGB bytes and the record of a PNG of 8 bits per channel."""
    data = open(path, "rb").read()
    at, packed, record, header = 8, b"", None, None
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at : at + 8])
        body = data[at + 8 : at + 8 + length]
        if kind == b"IHDR":
            header = struct.unpack(">IIBBBBB", body)
        elif kind == b"IDAT":
            packed += body
        elif kind == b"iTXt" and body.startswith(b"spherescope\0"):
            rest = body[len(b"spherescope\0") :]
            text = rest[2:].split(b"\0", 2)[2]
            record = json.loads(zlib.decompress(text) if rest[0] else text)
        at += 12 + length
    width, height, depth, colour = header[:4]
    assert depth == 8 and colour in (2, 6), header
    step = 3 if colour == 2 else 4
    return width, unfilter(zlib.decompress(packed), width, height, step), step, record


def paeth(a, b, c):
    p = a + b - c
    return min((abs(p - a), 0, a), (abs(p - b), 1, b), (abs(p - c), 2, c))[2]


def unfilter(data, width, height, step):
    rows, above = [], bytearray(width * step)
    for j in range(height):
        start = j * (width * step + 1)
        kind, row = data[start], bytearray(data[start + 1 : start + 1 + width * step])
        for i in range(len(row)):
            left = row[i - step] if i >= step else 0
            corner = above[i - step] if i >= step else 0
            add = (0, left, above[i], (left + above[i]) // 2, 0)[kind]
            if kind == 4:
                add = paeth(left, above[i], corner)
            row[i] = (row[i] + add) & 255
        rows.append(row)
        above = row
    return rows


def shot(folder, name, *options):
    path = os.path.join(folder, name + ".png")
    subprocess.run(
        [PROGRAM, "--backend", "cpu", "--offscreen", "--size", "128x128", "--window", "320x240",
         "--frames", "3", "--seconds", "20", "--screenshot", path, *options],
        check=True, capture_output=True)
    return read(path)


def colours(picture):
    width, rows, step, _ = picture
    return {bytes(row[step * i : step * i + 3]) for row in rows for i in range(width)}


def main():
    with tempfile.TemporaryDirectory() as folder:
        book = ("--modes", "book/global", "--hud", "off")
        plain = shot(folder, "plain", *book)
        off = shot(folder, "off", *book, "--heatmap", "off")
        heat = shot(folder, "heat", *book, "--heatmap", "tests")
        assert plain[1] == off[1], "--heatmap off changes the picture"
        assert plain[1] != heat[1], "--heatmap tests does not change the picture"
        assert off[3]["state"]["heatmap"] == "off" and heat[3]["state"]["heatmap"] == "tests"
        # The book's kernel tests all 20 spheres everywhere: the upper end of the scale. The legend
        # has all colours of the scale, white text, and its ends.
        ramp = colours(heat)
        assert bytes((251, 241, 99)) in ramp and bytes((17, 0, 47)) in ramp, "no scale"
        assert sum(c in ramp for c in colours(plain)) < len(colours(plain)), "spheres are left"
        assert heat[1][2][: 3] == bytes((251, 241, 99)) or heat[1][2].count(251) > 100
        text = [c for c in ramp if min(c) > 230]
        assert text, "the legend has no text"
        lit = ("--view", "light", "--modes", "tree/global", "--hud", "off")
        rays = shot(folder, "rays", *lit, "--heatmap", "rays")
        assert rays[1] != shot(folder, "lit", *lit)[1], "--heatmap rays does not change the picture"
        assert rays[3]["state"]["heatmap"] == "rays"
        asked = subprocess.run([PROGRAM, "--backend", "cpu", "--offscreen", "--heatmap", "cycles"],
                               capture_output=True, text=True)
        assert asked.returncode == 4 and "--heatmap cycles: The CPU backend" in asked.stderr
    return 0


sys.exit(main())
