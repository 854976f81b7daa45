"""Every example's image for Cortex-M: what is code and what is not, and the first instructions beside unicorn."""

from __future__ import annotations

import pytest

from lfc.isa.abi import ThumbStop as Stop
from lfc.isa.thumb.code import Does, decode
from lfc.isa.thumb.core import CORES, READ, WRITE, ThumbCore
from lfc.isa.thumb.flow import ThumbCode
from lfc.mcheck.image.thumb_liveness import Reached, code_of, entries_of, thumb_code
from tests.mcheck.image.thumb_images import answers, examples, image_of, run_here, run_in_unicorn
from tests.support.seeds import seed_of_this_run

BOARDS = ("microbit", "stm32vldiscovery", "netduinoplus2")
MOST = 20_000
PADDING = (b"\0\0", b"\xc0\x46", b"\0\xbf", b"\xd4\xd4")
LITERAL, ADDRESS, WIDE_LITERAL = 0x4800, 0xA000, 0xF85F


def constants_of(code: ThumbCode, size: int) -> list[tuple[int, int]]:
    """What is marked as data, and objects."""
    ends = [*code.marked[1:], size]
    found: list[tuple[int, int]] = []
    for (start, kind), end in zip(code.marks, ends, strict=True):
        if kind != "$d" or start >= size:
            continue
        if found and found[-1][1] == start:
            found[-1] = (found[-1][0], min(end, size))
        else:
            found.append((start, min(end, size)))
    return found


def literal_of(flash: bytes, at: int) -> int | None:
    """The address of the constant beside the code that the instruction there loads or points to."""
    first = flash[at] | flash[at + 1] << 8
    if first & 0xF800 in (LITERAL, ADDRESS):
        return (at + 4 & ~3) + 4 * (first & 0xFF)
    if first & 0xFF7F == WIDE_LITERAL & 0xFF7F and at + 4 <= len(flash):
        second = flash[at + 2] | flash[at + 3] << 8
        way = second & 0xFFF
        return (at + 4 & ~3) + (way if first & 0x80 else -way)
    return None


def board_of(number: int) -> str:
    """Each example on one board, by the seed."""
    return BOARDS[(number + seed_of_this_run()) % len(BOARDS)]


SHARE = [(example, board_of(n)) for n, example in enumerate(examples())]


@pytest.mark.parametrize(("example", "board"), SHARE)
def test_all_that_control_can_reach_is_code_of_the_core_and_the_rest_is_data(example: str, board: str) -> None:
    image = image_of(example, board)
    words = code_of(image.flash, image.base, image.elf)
    core = ThumbCore(CORES[image.board.cpu.model], image.base, image.flash, [(0x20000000, 4096)])
    core.allow(0x20000000, 4096, READ | WRITE)
    reached = Reached(thumb_code(image.flash, image.base, image.elf))
    reached.find([*entries_of(image.flash, image.base, image.elf), *words.instructions])
    for at in words.instructions:
        state = core.state
        state.r[:] = [0x20000400] * 15 + [image.base + at]
        state.it = 0xE8 if at in reached.conditional else 0
        said = core.step()
        assert said not in (Stop.ILLEGAL, Stop.OUTSIDE), f"{at:X}H: {state.op:X} {said.name}"
    covered = bytearray(len(image.flash))
    for at, size in words.instructions.items():
        assert not any(covered[at : at + size]), f"{at:X}H is in two instructions"
        covered[at : at + size] = b"\1" * size
    for start, end in constants_of(reached.code, len(image.flash)):
        assert not any(covered[start:end]), f"{start:X}H is code and data"
        covered[start:end] = b"\2" * (end - start)
    for at in range(0, len(image.flash), 2):
        if not covered[at]:
            assert image.flash[at : at + 2] in PADDING, f"{at:X}H is neither code nor data"
    for at in words.instructions:
        literal = literal_of(image.flash, at)
        assert literal is None or covered[literal] == 2, f"{at:X}H loads {literal}"


@pytest.mark.parametrize(("example", "board"), SHARE)
def test_an_image_does_what_it_does_in_unicorn_and_executes_only_its_code(example: str, board: str) -> None:
    image = image_of(example, board)
    here, core = run_here(image, MOST, answers(seed_of_this_run()))
    there = run_in_unicorn(image, here)
    if here.stop is Stop.SLEEPS:
        here.stop = Stop.RUNS
    assert here.stop is there.stop  # an example may write to a register that only an AVR has
    first = next((i for i, (a, b) in enumerate(zip(here.trace, there.trace, strict=False)) if a != b), None)
    assert first is None, f"after {first} instructions: {here.trace[first]:X}H here, {there.trace[first]:X}H in unicorn"
    assert there.accesses == here.accesses and len(here.accesses) > 10
    assert there.registers == here.registers and there.flags == here.flags
    assert there.ram == here.ram
    words = code_of(image.flash, image.base, image.elf)
    assert {at - image.base for at in here.trace} <= set(words.instructions)
    assert all(
        words.instructions.get(2 * n) or not core.executed[n] or is_second(image.flash, n)
        for n in range(len(image.flash) // 2)
    )


def is_second(flash: bytes, half: int) -> bool:
    return half > 0 and decode(flash, 2 * half - 2).size == 4


def test_a_damaged_instruction_is_found_to_be_none() -> None:
    """The same check as above on an image with words that no core has."""
    image = image_of("pingpong.lf", "microbit")
    words = code_of(image.flash, image.base, image.elf)
    at = next(a for a in sorted(words.instructions) if decode(image.flash, a).does is Does.RETURNS)
    damaged = image.flash[:at] + b"\x00\xde" + image.flash[at + 2 :]
    core = ThumbCore(0, image.base, damaged, [])
    core.state.r[15] = image.base + at
    assert core.step() is Stop.ILLEGAL
