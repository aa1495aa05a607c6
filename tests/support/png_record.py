#!/usr/bin/env python3
"""png_record.py PNG [EXPRESSION...]: prints the results record in a screenshot; with expressions,
evaluates each with `record`, `state`, `env`, `results`, `width` and `height` and exits with 1 when
one is false."""
import json
import struct
import sys
import zlib


def chunks(data):
    """Yields kind and body of each chunk; raises ValueError at one that is damaged."""
    at, kind = 8, b""
    while kind != b"IEND":
        length, kind = struct.unpack_from(">I4s", data, at)
        body = data[at + 8 : at + 8 + length]
        if data[at + 8 + length : at + 12 + length] != struct.pack(">I", zlib.crc32(kind + body)):
            raise ValueError(f"a damaged chunk {kind}")
        yield kind, body
        at += 12 + length
    if at != len(data):
        raise ValueError("bytes behind the end")


def join(parts):
    """Returns the PNG file of some chunks."""
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
        for kind, body in parts)


def make(text=None):
    """Returns a PNG file of 8x8 grey pixels, with a record behind them."""
    record = [] if text is None else [
        (b"iTXt", b"spherescope\0\1\0\0\0" + zlib.compress(text.encode()))]
    return join([(b"IHDR", struct.pack(">IIBBBBB", 8, 8, 8, 0, 0, 0, 0)),
                 (b"IDAT", zlib.compress(bytes(8 * 9))), *record, (b"IEND", b"")])


def is_record(kind, body):
    return kind == b"iTXt" and body.startswith(b"spherescope\0")


def replace(data, text):
    """Returns a PNG file with another record."""
    return join((kind, b"spherescope\0\0\0\0\0" + text.encode() if is_record(kind, body) else body)
                for kind, body in chunks(data))


def read(path):
    text, size = None, None
    for kind, body in chunks(open(path, "rb").read()):
        if kind == b"IHDR":
            size = struct.unpack(">II", body[:8])
        if is_record(kind, body):
            rest = body[len(b"spherescope\0") :]
            text = rest[2:].split(b"\0", 2)[2]
            text = zlib.decompress(text) if rest[0] else text
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
