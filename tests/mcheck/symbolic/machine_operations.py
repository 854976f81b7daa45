"""The operations of terms as this machine does them: compiled by LLVM, each for some widths."""

from __future__ import annotations

import ctypes
import random
from collections.abc import Callable

import llvmlite.binding as llvm

from lfc.mcheck.symbolic.values.terms import COMPARISONS, OPERATIONS, OVERFLOWS, Term, made
from lfc.run.native import initialise_llvm

WIDTHS = (8, 16, 32)
CONVERSIONS = ("zext", "sext", "trunc")
OF_ONE = ("abs", "bswap", "ctpop")
OF_THREE = ("fshl", "fshr")  # the second operand says by how much, too
PLAIN = ("add", "sub", "mul", "udiv", "urem", "sdiv", "srem", "and", "or", "xor", "shl", "lshr", "ashr")
NAMES = [(op, w) for w in WIDTHS for op in OPERATIONS if (op, w) != ("bswap", 8)]
Native = Callable[[int, int], int]


def result_width(op: str, w: int) -> int:
    if op in COMPARISONS or op in OVERFLOWS:
        return 1
    return {"zext": 64, "sext": 64, "trunc": w // 2}.get(op, w)


def operands(op: str, a: int, b: int) -> list[int]:
    return [a] if op in CONVERSIONS or op in OF_ONE else [a, b, b] if op in OF_THREE else [a, b]


def term_of(op: str, w: int, a: Term, b: int | Term) -> Term:
    """The operation as it stands."""
    others = () if op in CONVERSIONS or op in OF_ONE else (b, b) if op in OF_THREE else (b,)
    return made(op, result_width(op, w), a, *others)


def body(op: str, w: int) -> tuple[str, str]:
    """A declaration, if it needs one, and the code for %x."""
    if op in PLAIN:
        return "", f"%x = {op} i{w} %a, %b"
    if op in COMPARISONS:
        return "", f"%x = icmp {op} i{w} %a, %b"
    if op in CONVERSIONS:
        return "", f"%x = {op} i{w} %a to i{result_width(op, w)}"
    if op in OVERFLOWS:
        name = op.split(".")[0]
        call = f"%p = call {{i{w}, i1}} @llvm.{name}.with.overflow.i{w}(i{w} %a, i{w} %b)"
        return (
            f"declare {{i{w}, i1}} @llvm.{name}.with.overflow.i{w}(i{w}, i{w})",
            f"{call}\n  %x = extractvalue {{i{w}, i1}} %p, 1",
        )
    kinds = [f"i{w}"] * (3 if op in OF_THREE else 1 if op in OF_ONE else 2) + ["i1"] * (op == "abs")
    values = [f"i{w} %{n}" for n in "abb"[: len(kinds) - (op == "abs")]] + ["i1 false"] * (op == "abs")
    return (
        f"declare i{w} @llvm.{op}.i{w}({', '.join(kinds)})",
        f"%x = call i{w} @llvm.{op}.i{w}({', '.join(values)})",
    )


def module_text() -> str:
    parts = []
    for op, w in NAMES:
        declaration, code = body(op, w)
        width = result_width(op, w)
        wide = f"%r = zext i{width} %x to i64" if width < 64 else "%r = or i64 %x, 0"
        parts += [declaration, f'define i64 @"{op}.{w}"(i{w} %a, i{w} %b) {{\n  {code}\n  {wide}\n  ret i64 %r\n}}']
    return "\n".join(parts)


def compiled_operations() -> dict[tuple[str, int], Native]:
    initialise_llvm()
    builder = llvm.JITLibraryBuilder()
    builder.add_ir(module_text())
    for op, w in NAMES:
        builder.export_symbol(f"{op}.{w}")
    compiler = llvm.create_lljit_compiler()
    code = builder.link(compiler, "operations")
    kinds = {8: ctypes.c_uint8, 16: ctypes.c_uint16, 32: ctypes.c_uint32}
    found: dict[tuple[str, int], Native] = {
        (op, w): ctypes.CFUNCTYPE(ctypes.c_uint64, kinds[w], kinds[w])(code[f"{op}.{w}"]) for op, w in NAMES
    }
    found["kept", 0] = lambda a, b: id((compiler, code))
    return found


def random_pair(r: random.Random, op: str, w: int) -> tuple[int, int]:
    """For which the operation is defined: programs check that before."""
    half, most = 1 << w - 1, (1 << w) - 1
    likely = [0, 1, 2, 3, 7, half - 1, half, half + 1, most - 1, most]
    while True:
        a, b = (r.choice(likely) if r.random() < 0.5 else r.randrange(1 << w) for _ in range(2))
        if op in ("udiv", "urem", "sdiv", "srem") and (b == 0 or (a == half and b == most)):
            continue
        return a, b % w if op in ("shl", "lshr", "ashr") else b
