#!/usr/bin/env python3
"""png_same.py A B [X Y WIDTH HEIGHT]: exits with 0 when two screenshots have the same pixels, in that
rectangle or everywhere. Reads 8-bit RGB without interlacing, as the program writes it."""
import struct
import sys
import zlib

sys.dont_write_bytecode = True
import png_record  # noqa: E402


def rows(path):
    stream, size = b"", None
    for kind, body in png_record.chunks(open(path, "rb").read()):
        if kind == b"IHDR":
            size = struct.unpack(">II", body[:8])
            assert body[8:] == b"\x08\x02\0\0\0", "another kind of PNG"
        if kind == b"IDAT":
            stream += body
    width, height = size
    plain, found = zlib.decompress(stream), []
    for y in range(height):
        line = bytearray(plain[y * (3 * width + 1) : (y + 1) * (3 * width + 1)])
        kind, line = line[0], line[1:]
        assert kind in (0, 1), "another filter"
        for x in range(3, len(line)) if kind else ():
            line[x] = (line[x] + line[x - 3]) & 255
        found.append(bytes(line))
    return found, width, height


if __name__ == "__main__":
    a, width, height = rows(sys.argv[1])
    b, other_width, other_height = rows(sys.argv[2])
    if (width, height) != (other_width, other_height):
        sys.exit(f"{width}x{height} and {other_width}x{other_height}")
    x, y, w, h = map(int, sys.argv[3:7]) if len(sys.argv) > 3 else (0, 0, width, height)
    for row in range(y, y + h):
        if a[row][3 * x : 3 * (x + w)] != b[row][3 * x : 3 * (x + w)]:
            sys.exit(f"row {row} differs")
