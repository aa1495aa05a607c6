#!/usr/bin/env python3
"""pages_measure.py: "Measure this device" of the page in Chromium, whose WebGPU SwiftShader draws.

Exit code 77: there is no Chromium, which is a failure where CI is set.
"""
import json
import math
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

TESTS = Path(__file__).resolve().parent.parent
sys.dont_write_bytecode = True
sys.path.insert(0, str(TESTS / "support"))
import png_record  # noqa: E402

HANG_S = 600


def check(right, *words):
    if not right:
        sys.exit(" ".join(["pages_measure.py:", *map(str, words)]))


class Browser:
    """Chromium with one tab, driven by the DevTools protocol over a pair of pipes."""

    def __init__(self, program):
        theirs_in, self.to = os.pipe()
        self.come, theirs_out = os.pipe()
        line = [program, "--headless=new", "--no-sandbox", "--remote-debugging-pipe",
                "--user-data-dir=" + os.getcwd() + "/browser", "--enable-unsafe-webgpu",
                "--use-webgpu-adapter=swiftshader", "--enable-features=Vulkan",
                "--use-vulkan=swiftshader", "about:blank"]
        self.process = subprocess.Popen(
            ["bash", "-c", f'exec "$@" 3<&{theirs_in} 4>&{theirs_out}', "bash", *line],
            pass_fds=(theirs_in, theirs_out), stderr=subprocess.DEVNULL)
        os.close(theirs_in)
        os.close(theirs_out)
        self.number, self.waiting, self.said, self.session = 0, b"", [], {}
        tab = next(one for one in self.call("Target.getTargets")["targetInfos"]
                   if one["type"] == "page")
        self.session = {"sessionId": self.call("Target.attachToTarget", flatten=True,
                                               targetId=tab["targetId"])["sessionId"]}
        for domain in ("Page", "Runtime", "Log"):
            self.call(domain + ".enable")

    def call(self, method, **params):
        self.number += 1
        message = {"id": self.number, "method": method, "params": params} | self.session
        os.write(self.to, json.dumps(message).encode() + b"\0")
        while True:
            while b"\0" not in self.waiting:
                read = os.read(self.come, 1 << 20)
                check(read, "the browser is gone")
                self.waiting += read
            answer, self.waiting = self.waiting.split(b"\0", 1)
            answer = json.loads(answer)
            if answer.get("id") == self.number:
                check("result" in answer, method, answer)
                return answer["result"]
            if answer["method"] in ("Runtime.consoleAPICalled", "Runtime.exceptionThrown",
                                    "Log.entryAdded"):
                self.said.append(answer["params"])

    def ask(self, script):
        """Returns the value of an expression, or of its promise."""
        answer = self.call("Runtime.evaluate", expression=script, awaitPromise=True,
                           returnByValue=True, userGesture=True)
        check("exceptionDetails" not in answer, script, answer)
        return answer["result"].get("value")

    def load(self, page, before=""):
        """Loads a page, in which a script runs before its own, and waits until it is whole."""
        script = self.call("Page.addScriptToEvaluateOnNewDocument", source=before)["identifier"]
        self.call("Page.navigate", url=f"file://{os.getcwd()}/{page}")
        self.wait("document.readyState === 'complete' && location.protocol === 'file:'")
        self.call("Page.removeScriptToEvaluateOnNewDocument", identifier=script)

    def wait(self, for_what):
        until = time.monotonic() + HANG_S
        while not self.ask(for_what):
            check(time.monotonic() < until, "never:", for_what)
            time.sleep(0.1)

    def measure(self, page, before="", plan="{counts: [20], wholeMs: 1e6}"):
        """Loads a page, taps, and returns what it shows and the result behind it."""
        self.load(page, before)
        self.ask(f"Object.assign({BOX}.measured.plan, {plan}), {BOX}.querySelector('button').click()")
        self.wait(f"{BOX}.dataset.state === 'done'")
        return self.ask(f"{BOX}.innerText"), self.ask(f"{BOX}.measured.result")


BOX = "document.querySelector('#measure')"
SPY = "navigator.clipboard.writeText = async text => { window.copied = text; };"


def spheres(browser):
    """The page's own picture has the bytes of the program's: the hash of kernels/core/trace/pixel.h."""
    ended = subprocess.run(
        [os.environ["SPHERESCOPE"], *"--backend cpu --offscreen --frames 1 --seconds 5 --modes "
         "book/global --size 256x256 --window 256x256 --screenshot book.png".split()],
        capture_output=True, timeout=HANG_S, check=False)
    if not os.path.exists("book.png"):
        check(b"SPHERESCOPE_GUI=OFF" in ended.stderr, ended.stderr)
        return
    pixels = browser.ask(f"(({{makeSpheres, render}}) => [...render(makeSpheres(20), 20, 256, 1)])"
                         f"({BOX}.measured)")
    mask, total = (1 << 64) - 1, 0
    for place, rgba in enumerate(pixels):
        x = (place + 1) * 0x9e3779b97f4a7c15 + rgba & mask
        x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9 & mask
        x = (x ^ x >> 27) * 0x94d049bb133111eb & mask
        total += x ^ x >> 31
    record, _ = png_record.read("book.png")
    check(f"{total & mask:016x}" == record["picture"]["hash"], "the spheres are not the program's")


def intervals(browser):
    """The ratios that test_interval.c computes of the same pairs."""
    words = {"faster": "uniform faster", "slower": "storage faster", "same": "the same",
             "open": "not decided"}
    for line in (TESTS / "program/measured_pairs.txt").read_text().split("\n\n"):
        word, tick, low, ratio, high, *ms = line.split()
        pairs = [[float(a), float(b)] for a, b in zip(ms[::2], ms[1::2])]
        found = browser.ask(f"{BOX}.measured.judge({pairs}, {tick})")
        numbers = [(found["low"], low), (found["ratio"], ratio), (found["high"], high)]
        check(all(abs(a - float(b)) < 1e-8 for a, b in numbers) and found["word"] == words[word],
              line, found)


def chart(browser, result, where, title):
    """The chart has a row per kernel, whose dots stand where the axis has their ratios."""
    texts, dots, ends = browser.ask(f"""(svg => [
        [...svg.querySelectorAll("text")].map(one => [one.textContent, +one.getAttribute("x")]),
        [...svg.querySelectorAll(".mine circle")].map(one => +one.getAttribute("cx")),
        svg.querySelector(".mine path + path").getAttribute("d").match(/[\\d.]+/g).map(Number)])(
        document.querySelector("{where}"))""")
    ticks = [(math.log(float(text[:-1])), x) for text, x in texts if re.fullmatch(r"[\d.]+×", text)]
    (a, at_a), (b, at_b) = ticks[0], ticks[-1]
    for one, dot in zip(result["cases"], dots):
        x = at_a + (at_b - at_a) * (math.log(one["ratio"]) - a) / (b - a)
        check(abs(min(max(x, ends[0]), ends[2]) - dot) < 0.5, where, one["ratio"], x, dot, ticks)
    names = [text for text, _ in texts]
    check(len(dots) == len(result["cases"]) == 2 and f"← {title} →" in names and
          {"WebGPU, book's", "WebGPU, plain"} < {*names}, where, dots, names)


def main():
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    if program is None:
        print("pages_measure.py: no chromium")
        sys.exit(1 if os.environ.get("CI") else 77)
    # Two reports, with and without a chart of where constant memory wins.
    for line in ("--play h200 --html h200.html",
                 "--processes 1 --bench raytrace --size 64x64 --frames 4 --html own.html"):
        subprocess.run([os.environ["SPHERESCOPE"], "--backend", "cpu", *line.split()],
                       timeout=HANG_S, check=True, stdout=subprocess.DEVNULL)
    browser = Browser(program)
    try:
        browser.load("h200.html")
        spheres(browser)
        intervals(browser)
        # A tab in the background waits; the rest of the page does not.
        hide = "Object.defineProperty(document, 'hidden', {configurable: true, value: true});"
        browser.load("h200.html", SPY + hide)
        browser.ask(f"Object.assign({BOX}.measured.plan, {{counts: [20], wholeMs: 1e6}}), "
                    f"{BOX}.querySelector('button').click()")
        time.sleep(1)
        check(browser.ask(f"{BOX}.dataset.state ?? null") is None, "it measures in the background")
        browser.ask("delete document.hidden, document.dispatchEvent(new Event('visibilitychange'))")
        browser.wait(f"{BOX}.dataset.state === 'done'")
        text, result = browser.ask(f"{BOX}.innerText"), browser.ask(f"{BOX}.measured.result")
        check(result and result["processor"] and "A processor drew this" in text, text)
        check([one["kernel"] for one in result["cases"]] == ["book's kernel", "plain loop"], text)
        for one in result["cases"]:
            check(one["right"] and one["off"]["differ"] == 0 and one["off"]["of"] >= 4096, one)
            check(len(one["pairs"]) >= 14 and min(map(min, one["pairs"])) >= 20, one)
        browser.ask(f"[...{BOX}.querySelectorAll('button')].at(-1).click()")
        browser.wait("window.copied?.includes('book\\'s kernel, 20 spheres: ')")
        chart(browser, result, "figure:not(#measure figure) svg:has(.mine)", "global | constant faster")
        text, result = browser.measure("own.html")
        check("drawn by a processor" in browser.ask(f"{BOX}.querySelector('pre').textContent"), text)
        chart(browser, result, "#measure svg:has(.mine)", "storage | uniform faster")
        # Scenes that do not fit into a uniform buffer, and those for which there is no time.
        small = """Object.defineProperty(GPUSupportedLimits.prototype,
            "maxUniformBufferBindingSize", {get: () => 1024});"""
        _, result = browser.measure("h200.html", small, "{counts: [20, 100], wholeMs: 1}")
        check([text.split(": ")[1][:22] for text in result["left"]] ==
              ["more than the ten seco"] * 2 + ["they take 3200 bytes, "] * 2, result)
        for broken, words in (
                ("Object.defineProperty(Navigator.prototype, 'gpu', {get: () => undefined});",
                 "This browser has no WebGPU: use"),
                ("Object.defineProperty(window, 'isSecureContext', {value: false});",
                 "WebGPU works in secure pages only"),
                ("GPU.prototype.requestAdapter = async () => null;", "WebGPU finds no GPU here"),
                ("GPUQueue.prototype.submit = () => { throw new Error('out of luck'); };",
                 "The measurement broke off: out of luck.")):
            text, result = browser.measure("own.html", broken)
            check(words in text and result is None, broken, text)
        check(not browser.said, "the console is not silent:", browser.said)
    finally:
        browser.process.terminate()
        browser.process.wait(HANG_S)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as work:
        os.chdir(work)
        os.environ |= {"HOME": work, "XDG_CONFIG_HOME": work + "/.config"}
        try:
            main()
        finally:
            os.chdir("/")
