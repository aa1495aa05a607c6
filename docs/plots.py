#!/usr/bin/env python3
"""Draws the plots of docs/kernels.md from the recorded runs in assets/runs/.

Usage: docs/plots.py [FOLDER]    writes the SVG files into FOLDER, docs/images/ by default.

The output depends on the recorded runs alone, byte for byte; the test `docs` compares it with the
committed files.
"""
import gzip
import json
import math
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
RUNS = ROOT / "assets" / "runs"

INK, QUIET, GRID, GROUND = "#1b1f24", "#57606a", "#d8dee4", "#ffffff"
BLUE, ORANGE, GREEN, PURPLE = "#0072b2", "#b35900", "#00795a", "#8250a0"
WIDTH, HEIGHT = 760, 420
LEFT, RIGHT, TOP, BOTTOM = 74, 190, 56, 56
FONT = "font-family='DejaVu Sans, Verdana, sans-serif'"


def load(name):
    """Returns the ray tracer's medians of a record in ms, and a caption of where it is from."""
    record = json.loads(gzip.decompress((RUNS / name).read_bytes()))
    environment = record["environment"]
    device = environment["device"]
    caption = (f"{device['name']}, driver {device['driver_version']}, "
               f"{environment['time_utc'][:10]}, assets/runs/{name}")
    rows = [(r["variant"], int((r.get("workload") or r["parameters"])["spheres"]), r["metrics"]["median_ms"])
            for r in record["results"]
            if r["benchmark"] == "raytrace" and r["metrics"].get("n", 0) > 0]
    return rows, caption


def time_text(ms):
    """Writes a time with its unit: 0.05 -> "50 µs"."""
    return f"{ms * 1e3:g} µs" if ms < 1 else f"{ms:g} ms"


class Plot:
    """A plot with two logarithmic axes; collects SVG elements."""

    def __init__(self, title, caption, x_title, x_ticks, y_low, y_high):
        self.x_low, self.x_high = math.log10(x_ticks[0]), math.log10(x_ticks[-1])
        self.y_low, self.y_high = math.log10(y_low), math.log10(y_high)
        self.tags = []
        self.out = [
            f"<svg xmlns='http://www.w3.org/2000/svg' width='{WIDTH}' height='{HEIGHT}' "
            f"viewBox='0 0 {WIDTH} {HEIGHT}' {FONT} font-size='13'>",
            f"<rect width='{WIDTH}' height='{HEIGHT}' fill='{GROUND}'/>",
        ]
        self.text(16, 24, title, INK, weight="bold", size=15)
        self.text(16, 42, caption, QUIET, size=11)
        bottom, right = HEIGHT - BOTTOM, WIDTH - RIGHT
        for decade in range(math.ceil(self.y_low), math.floor(self.y_high) + 1):
            y = self.y(10.0 ** decade)
            self.line(LEFT, y, right, y, GRID)
            self.text(LEFT - 8, y + 4, time_text(10.0 ** decade), QUIET, anchor="end")
        for tick in x_ticks:
            x = self.x(tick)
            self.line(x, TOP, x, bottom, GRID)
            self.text(x, bottom + 18, f"{tick:g}", QUIET, anchor="middle")
        self.text((LEFT + right) / 2, HEIGHT - 14, x_title, INK, anchor="middle")

    def x(self, value):
        span = self.x_high - self.x_low
        return LEFT + (math.log10(value) - self.x_low) / span * (WIDTH - LEFT - RIGHT)

    def y(self, value):
        span = self.y_high - self.y_low
        return HEIGHT - BOTTOM - (math.log10(value) - self.y_low) / span * (HEIGHT - TOP - BOTTOM)

    def text(self, x, y, words, colour, anchor="start", size=13, weight="normal"):
        self.out.append(f"<text x='{x:.1f}' y='{y:.1f}' fill='{colour}' font-size='{size}' "
                        f"font-weight='{weight}' text-anchor='{anchor}'>{words}</text>")

    def line(self, x0, y0, x1, y1, colour, width=1, dash=""):
        dashes = f" stroke-dasharray='{dash}'" if dash else ""
        self.out.append(f"<line x1='{x0:.1f}' y1='{y0:.1f}' x2='{x1:.1f}' y2='{y1:.1f}' "
                        f"stroke='{colour}' stroke-width='{width}'{dashes}/>")

    def curve(self, points, name, colour, dash=""):
        """Draws (x, ms) points, with the name at the right of the last one."""
        path = " ".join(f"{self.x(x):.1f},{self.y(ms):.1f}" for x, ms in points)
        dashes = f" stroke-dasharray='{dash}'" if dash else ""
        self.out.append(f"<polyline points='{path}' fill='none' stroke='{colour}' "
                        f"stroke-width='2.5'{dashes}/>")
        for x, ms in points:
            self.out.append(f"<circle cx='{self.x(x):.1f}' cy='{self.y(ms):.1f}' r='3.5' "
                            f"fill='{colour}'/>")
        self.tags.append([self.y(points[-1][1]) + 4, name, colour])

    def level(self, ms, name, colour, dash):
        """Draws a horizontal line for a mode that has no K."""
        self.line(LEFT, self.y(ms), WIDTH - RIGHT, self.y(ms), colour, 2, dash)
        self.tags.append([self.y(ms) + 4, name, colour])

    def finish(self, path):
        """Places the names so that none lies on another, and writes the file."""
        self.tags.sort(key=lambda tag: tag[0])
        for i in range(1, len(self.tags)):
            self.tags[i][0] = max(self.tags[i][0], self.tags[i - 1][0] + 16)
        for y, name, colour in self.tags:
            self.text(WIDTH - RIGHT + 10, y, name, colour, weight="bold")
        self.out.append("</svg>")
        path.write_text("\n".join(self.out) + "\n", encoding="utf-8", newline="\n")


def by_pixels(folder):
    rows, caption = load("nvidia-h200-raytrace-2339-spheres-4k.json.gz")
    plot = Plot("2339 spheres, 3840x2160: kernel time against pixels per thread", caption,
                "pixels per thread (K)", [1, 2, 4, 8, 16], 0.03, 40)
    medians = {variant: ms for variant, _, ms in rows}
    for storage, colour, dash in (("constant", ORANGE, ""), ("global", BLUE, ""),
                                  ("shared", GREEN, "7 4")):
        points = [(k, medians[f"strip/{storage}" + (f"/{k}" if k > 1 else "")])
                  for k in (1, 2, 4, 8, 16)]
        plot.curve(points, f"strip, {storage}", colour, dash)
    plot.level(medians["book/constant"], "book, constant", ORANGE, "2 4")
    plot.level(medians["book/global"], "book, global", BLUE, "2 4")
    plot.level(medians["binned/global"], "binned", PURPLE, "9 3 2 3")
    plot.finish(folder / "kernels-by-pixels.svg")


def by_spheres(folder):
    rows, caption = load("nvidia-h200-sweep.json.gz")
    plot = Plot("1024x1024: kernel time against the number of spheres", caption,
                "spheres", [10, 100, 1000, 5000], 0.004, 20)
    for variant, name, colour, dash in (
            ("book/constant", "book, constant", ORANGE, "2 4"),
            ("book/global", "book, global", BLUE, "2 4"),
            ("strip/constant", "strip, constant, K = 1", ORANGE, ""),
            ("strip/constant/8", "strip, constant, K = 8", ORANGE, "7 4"),
            ("strip/global/8", "strip, global, K = 8", BLUE, ""),
            ("binned/global", "binned", PURPLE, "9 3 2 3")):
        points = sorted((spheres, ms) for v, spheres, ms in rows if v == variant)
        plot.curve(points, name, colour, dash)
    plot.finish(folder / "kernels-by-spheres.svg")


def main():
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "docs" / "images"
    folder.mkdir(parents=True, exist_ok=True)
    by_pixels(folder)
    by_spheres(folder)


if __name__ == "__main__":
    main()
