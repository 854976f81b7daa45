"""The deepest stack of an image: above what a run takes, and not far above; exact where it is known by hand."""

from __future__ import annotations

import pytest

from lfc.boards.board import Board
from lfc.boards.emulate import emulate
from lfc.image.firmware import build_firmware
from lfc.image.stack import compute_stack
from tests.boards.conftest import BuildC
from tests.conftest import ROOT
from tests.differential.stepwise import machine_of

# What a run does not take: the way to a fault, which writes a line, and an interrupt at the deepest point.
MOST_BETWEEN = 40


@pytest.mark.parametrize("example", ["calls", "mutex", "sieve", "clockdemo", "hanoi"])
def test_a_run_stays_below(uno: Board, example: str) -> None:
    firmware = build_firmware(uno, machine_of(ROOT / "examples" / f"{example}.lf"))
    stack = firmware.stack
    assert stack is not None and not stack.indirect and not stack.unbounded
    taken = emulate(uno, firmware.image.elf, "simavr", seconds=0.5).stack
    assert taken is not None and taken <= stack.total <= taken + MOST_BETWEEN + stack.interrupts


def test_frames_and_calls_are_counted_to_the_byte(uno: Board, build_c: BuildC) -> None:
    """lf_main calls `outer` (2 bytes: the return address), whose array has 40; it calls `inner`, which has 100."""
    image = build_c(
        """
__attribute__((noinline)) void fill(volatile uint8_t *at, uint8_t n) { for (; n; n--) at[n - 1] = n; }
__attribute__((noinline)) void inner(void) { volatile uint8_t a[100]; fill(a, 100); }
__attribute__((noinline)) void outer(void) { volatile uint8_t a[40]; fill(a, 40); inner(); }
void lf_main(void) { outer(); lf_port_halt(); }
""",
        ["outer", "inner", "fill"],
    )
    stack = compute_stack(image.elf, uno.flash.size, {})
    assert emulate(uno, image.elf, "simavr").stack == stack.main
    assert stack.main >= 2 + 40 + 2 + 100 + 2
    assert stack.chain == ["__vectors", "outer", "inner", "fill"]


def test_recursion_counts_as_often_as_it_may(uno: Board, build_c: BuildC) -> None:
    image = build_c(
        """
__attribute__((noinline)) uint8_t down(uint8_t n) { return n ? (uint8_t)(down((uint8_t)(n - 1)) * n + 3) : 1; }
void lf_main(void) { lf_port_out8(0x25, down(lf_port_in8(0x2A) + 5)); lf_port_halt(); }
""",
        ["down"],
    )
    unknown = compute_stack(image.elf, uno.flash.size, {})
    assert unknown.unbounded == ["down"]
    known = compute_stack(image.elf, uno.flash.size, {"down": 6})
    assert known.unbounded == []
    taken = emulate(uno, image.elf, "simavr").stack
    assert taken is not None and unknown.main < taken <= known.main <= taken + 10


def test_calls_by_a_pointer_are_listed(uno: Board, build_c: BuildC) -> None:
    image = build_c(
        "void (*volatile lf_memory)(void); void lf_main(void) { lf_memory(); lf_port_halt(); }", ["lf_memory"]
    )
    assert compute_stack(image.elf, uno.flash.size, {}).indirect == ["__vectors"]


def test_parts_of_a_function_in_assembler_have_its_name(uno: Board) -> None:
    stack = build_firmware(uno, machine_of(ROOT / "examples" / "blink.lf")).stack
    assert stack is not None and stack.chain == ["__vectors", "lf_step", "lf_fault", "lf_port_fault_line"]
