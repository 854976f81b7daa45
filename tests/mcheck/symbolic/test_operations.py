"""What each operation makes of numbers, compared with what LLVM makes of them on this machine; and an operation that is
wrong is noticed.
"""

from __future__ import annotations

import ctypes
import random
from collections.abc import Callable

import llvmlite.binding as llvm
import pytest

from lfc.mcheck.symbolic.values import terms
from lfc.mcheck.symbolic.values.terms import COMPARISONS, OVERFLOWS, apply
from lfc.run.native import initialise_llvm

WIDTHS = (8, 16, 32)
PLAIN = ("add", "sub", "mul", "udiv", "urem", "sdiv", "srem", "and", "or", "xor", "shl", "lshr", "ashr")
CALLED = {"umin": "umin", "umax": "umax", "smin": "smin", "smax": "smax", "usub.sat": "usub.sat"}
TRIED = 400
Native = Callable[[int, int], int]


def module_text() -> str:
    made = []
    for w in WIDTHS:
        for op in PLAIN:
            made.append(function(op, w, f"%r = {op} i{w} %a, %b", w))
        for op in sorted(COMPARISONS):
            made.append(function(op, w, f"%c = icmp {op} i{w} %a, %b\n  %r = zext i1 %c to i{w}", w))
        for op, name in CALLED.items():
            made.append(f"declare i{w} @llvm.{name}.i{w}(i{w}, i{w})")
            made.append(function(op, w, f"%r = call i{w} @llvm.{name}.i{w}(i{w} %a, i{w} %b)", w))
        for op in sorted(OVERFLOWS):
            name = op.split(".")[0]
            made.append(f"declare {{i{w}, i1}} @llvm.{name}.with.overflow.i{w}(i{w}, i{w})")
            pair = f"%p = call {{i{w}, i1}} @llvm.{name}.with.overflow.i{w}(i{w} %a, i{w} %b)"
            made.append(
                function(op, w, f"{pair}\n  %c = extractvalue {{i{w}, i1}} %p, 1\n  %r = zext i1 %c to i{w}", w)
            )
    return "\n".join(made)


def function(op: str, w: int, body: str, result: int) -> str:
    return f'define i{result} @"{op}.{w}"(i{w} %a, i{w} %b) {{\n  {body}\n  ret i{result} %r\n}}'


NAMES = [(op, w) for w in WIDTHS for op in (*PLAIN, *sorted(COMPARISONS), *CALLED, *sorted(OVERFLOWS))]


@pytest.fixture(scope="module")
def native() -> dict[tuple[str, int], Native]:
    initialise_llvm()
    builder = llvm.JITLibraryBuilder()
    builder.add_ir(module_text())
    for op, w in NAMES:
        builder.export_symbol(f"{op}.{w}")
    compiler = llvm.create_lljit_compiler()
    code = builder.link(compiler, "operations")
    kinds = {8: ctypes.c_uint8, 16: ctypes.c_uint16, 32: ctypes.c_uint32}
    return {(op, w): ctypes.CFUNCTYPE(kinds[w], kinds[w], kinds[w])(code[f"{op}.{w}"]) for op, w in NAMES} | {
        ("kept", 0): lambda a, b: id((compiler, code))
    }


def differing(native: dict[tuple[str, int], Native], op: str, w: int) -> list[tuple[int, int]]:
    r = random.Random(f"{op} {w}")
    half, most = 1 << w - 1, (1 << w) - 1
    likely = [0, 1, 2, 3, 7, half - 1, half, half + 1, most - 1, most]
    found = []
    for _ in range(TRIED):
        a, b = (r.choice(likely) if r.random() < 0.5 else r.randrange(1 << w) for _ in range(2))
        if op in ("udiv", "urem", "sdiv", "srem") and (b == 0 or (a == half and b == most)):
            continue  # the program checks before
        if op in ("shl", "lshr", "ashr"):
            b %= w
        width = 1 if op in COMPARISONS or op in OVERFLOWS else w
        if apply(op, width, w, [a, b]) != native[op, w](a, b):
            found.append((a, b))
    return found


@pytest.mark.parametrize(("op", "w"), NAMES)
def test_an_operation_is_the_machine_s(native: dict[tuple[str, int], Native], op: str, w: int) -> None:
    assert differing(native, op, w) == []


@pytest.mark.parametrize("op", sorted({op for op, _ in NAMES}))
def test_a_wrong_operation_is_noticed(
    native: dict[tuple[str, int], Native], op: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    right = terms.OPERATIONS[op]
    monkeypatch.setitem(terms.OPERATIONS, op, lambda w, a, b: right(w, a, b) ^ (a == b or a & 7 == 3))
    assert differing(native, op, 16)
