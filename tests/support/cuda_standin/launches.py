#!/usr/bin/env python3
"""launches.py SOURCE OUT: rewrites a file of CUDA C as C++ that the host compiler reads.

Two things are not C++: launches, which become calls of standin_launch (device.h), and inline PTX,
which becomes the expression that computes the same. Any other text stays as it is, so that line
numbers agree with the source.
"""
import re
import sys

# Instructions, and the expression with the same result; {0} and {1} are the operands.
PTX = {
    "rsqrt.approx.ftz.f32 %0, %1;": "{0} = standin::inverse_root({1})",
    "rcp.approx.ftz.f32 %0, %1;": "{0} = standin::inverse({1})",
    "mov.u32 %0, %%clock;": "{0} = (unsigned)clock64()",
    "ld.global.ca.u32 %0, [%1];": "{0} = *(const volatile uint32_t *)({1})",
    "ld.global.cg.u32 %0, [%1];": "{0} = *(const volatile uint32_t *)({1})",
}
ASM = re.compile(r'\basm(?: volatile)?\("([^"]*)"([^;]*)\);')
OPERAND = re.compile(r'"=?[a-z]"\(((?:[^()]|\([^()]*\))*)\)')
DYNAMIC = re.compile(r"extern __shared__ (\w+) (\w+)\[\];")


def matching(text, at, opening, closing, step):
    """Returns the place of the bracket that belongs to the one at `at`."""
    depth = 0
    while 0 <= at < len(text):
        if text[at:at + 2] not in (">=", "<="):
            depth += {opening: 1, closing: -1}.get(text[at], 0)
        if depth == 0:
            return at
        at += step
    sys.exit("launches.py: a bracket is not closed")


def launches(text):
    while True:
        at = text.find("<<<")
        if at < 0:
            return text
        end = text.index(">>>", at)
        begin = len(text[:at].rstrip())
        if text[begin - 1] == ">":
            begin = matching(text, begin - 1, ">", "<", -1)
        while re.match(r"[\w:]", text[begin - 1]):
            begin -= 1
        kernel = text[begin:at].rstrip()
        opening = text.index("(", end)
        closing = matching(text, opening, "(", ")", 1)
        arguments = text[opening + 1:closing]
        configuration = text[at + 3:end]
        lines = "\n" * text[len(kernel) + begin:at].count("\n")
        text = (f'{text[:begin]}standin_launch("{" ".join(kernel.split())}", '
                f"[=](auto... given) {{ {kernel}(given...); }}, "
                f"{lines}{configuration}{', ' if arguments.strip() else ''}{arguments})"
                f"{text[closing + 1:]}")


def ptx(found):
    if found.group(1) not in PTX:
        sys.exit(f"launches.py: no expression for {found.group(1)}")
    return PTX[found.group(1)].format(*OPERAND.findall(found.group(2))) + ";"


def main():
    source, out = sys.argv[1:]
    with open(source, encoding="utf-8") as file:
        text = file.read()
    text = ASM.sub(ptx, text)
    text = DYNAMIC.sub(r"\1 *const \2 = (\1 *)standin::dynamic_shared();", text)
    with open(out, "w", encoding="utf-8") as file:
        file.write(f'#line 1 "{source}"\n' + launches(text))


main()
