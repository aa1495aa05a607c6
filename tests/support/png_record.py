#!/usr/bin/env python3
"""png_record.py PNG [EXPRESSION...]: prints the results record in a screenshot; with expressions,
evaluates each with `record`, `state`, `env`, `results`, `width` and `height` and exits with 1 when
one is false."""
import json
import struct
import sys
import zlib


def make(text=None):
    """Returns a PNG file of 8x8 grey pixels, with a record behind them."""
    chunks = [b"IHDR" + struct.pack(">IIBBBBB", 8, 8, 8, 0, 0, 0, 0),
              b"IDAT" + zlib.compress(bytes(8 * 9))]
    if text is not None:
        chunks.append(b"iTXtspherescope\0\1\0\0\0" + zlib.compress(text.encode()))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(chunk) - 4) + chunk + struct.pack(">I", zlib.crc32(chunk))
        for chunk in [*chunks, b"IEND"])


def replace(data, text):
    """Returns a PNG file with another record."""
    at, out = 8, data[:8]
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at : at + 8])
        chunk = data[at + 4 : at + 8 + length]
        if chunk.startswith(b"iTXtspherescope\0"):
            chunk = kind + b"spherescope\0\0\0\0\0" + text.encode()
        out += struct.pack(">I", len(chunk) - 4) + chunk + struct.pack(">I", zlib.crc32(chunk))
        at += 12 + length
    return out


def read(path):
    data = open(path, "rb").read()
    assert data[:8] == b"\x89PNG\r\n\x1a\n", "not a PNG"
    at, text, size = 8, None, None
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at : at + 8])
        body = data[at + 8 : at + 8 + length]
        if kind == b"IHDR":
            size = struct.unpack(">II", body[:8])
        if kind == b"iTXt" and body.startswith(b"spherescope\0"):
            rest = body[len(b"spherescope\0") :]
            text = rest[2:].split(b"\0", 2)[2]
            text = zlib.decompress(text) if rest[0] else text
        at += 12 + length
    assert text is not None, "no record"
    return json.loads(text), size


if __name__ == "__main__":
    record, (width, height) = read(sys.argv[1])
    names = {
        "record": record,
        "state": record["state"],
        "env": record["environment"],
        "results": record["results"],
        "width": width,
        "height": height,
    }
    if len(sys.argv) == 2:
        print(json.dumps(record))
    for expression in sys.argv[2:]:
        if not eval(expression, {}, names):
            shown = json.dumps({k: v for k, v in names.items() if k not in ("record", "results")})
            sys.exit(f"{sys.argv[1]}: not so: {expression}\n{shown[:2000]}")
