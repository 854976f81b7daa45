"""The check of images for RISC-V: each of its watches fires."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from lfc.mcheck.engine.abi import ImageErrorKind as Kind
from lfc.toolchain.elf import read_symbols
from tests.conftest import ROOT
from tests.mcheck.image.changed import POLL, seen, with_word
from tests.mcheck.image.images import Built, built

NOP = 0x0001
RETURN = 0x8082  # c.jr ra
TO_BLOCK = (0x0537, 0x8000)  # lui a0, 80000H: the beginning of the RAM
TO_NOWHERE = (0x0537, 0x6000)
TO_DEVICE = (0x0537, 0x1001)  # lui a0, 10010H


@pytest.fixture(scope="module")
def watched(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Built]:
    file = tmp_path_factory.mktemp("image") / "Watch.lf"
    file.write_text(POLL)
    with built(file, "hifive1") as b:
        yield b


def instead(b: Built, *halves: int) -> set[Kind]:
    """Of a pass that begins with these instructions."""
    start = read_symbols(b.firmware.image.elf)["lf_step"].address - b.board.flash.start
    flash = b.flash
    for i, half in enumerate(halves):
        flash = with_word(flash, start + 2 * i, half)
    return seen(b, flash)


def test_a_good_image_agrees(watched: Built) -> None:
    good = watched.check()
    assert not good.mismatches and good.executions > 0
    assert good.stack <= watched.firmware.stack.main


@pytest.mark.parametrize(
    ("halves", "kind"),
    [
        ((*TO_NOWHERE, 0xC108), Kind.BAD_STORE),  # c.sw a0, 0(a0)
        ((*TO_NOWHERE, 0x4108), Kind.BAD_LOAD),  # c.lw a0, 0(a0)
        ((*TO_BLOCK, 0x0023, 0x40A5, RETURN), Kind.BAD_STORE),  # sb a0, 1024(a0): behind all variables
        ((0x0537, 0x2040, 0xC108), Kind.BAD_STORE),  # to the flash
        ((0x1141, 0x4502), Kind.BAD_LOAD),  # addi sp, sp, -16; lw a0, 0(sp): nothing was stored there
        ((0x1141, 0xC02A, 0x0141, 0x1141, 0x4502), Kind.BAD_LOAD),  # what was there is gone
        ((0x2E23, 0xFEA1), Kind.BAD_STORE),  # sw a0, -4(sp): below the stack pointer
        ((0x4505, 0x8502), Kind.BAD_JUMP),  # li a0, 1; jr a0: to where no function is
        ((0x40A5, RETURN), Kind.BAD_JUMP),  # li ra, 9; ret: to where no call comes back
        ((0xF06F, 0xFFEF), Kind.OUTSIDE),  # j . - 2: where no code is
        ((0x0000,), Kind.ILLEGAL),
        ((0x9002,), Kind.ILLEGAL),  # ebreak
        ((*TO_BLOCK, 0x0505, 0x4108), Kind.UNALIGNED),  # addi a0, a0, 1; lw a0, 0(a0)
        ((0xA001,), Kind.ENDLESS),  # j .
        ((0x4401, RETURN), Kind.BAD_REGISTERS),  # li s0, 0
        ((0x4181, RETURN), Kind.BAD_REGISTERS),  # li gp, 0
        ((0x1141, RETURN), Kind.BAD_REGISTERS),  # addi sp, sp, -16
        ((0x7073, 0x3004, RETURN), Kind.BAD_REGISTERS),  # csrci mstatus, 8
        ((0x1073, 0x3050, RETURN), Kind.BAD_REGISTERS),  # csrw mtvec, zero
        ((0x0073, 0x1050, RETURN), Kind.BAD_PICK),  # wfi, without a look for work
        ((RETURN, NOP), Kind.BAD_PICK),
    ],
)
def test_each_watch_fires(watched: Built, halves: tuple[int, ...], kind: Kind) -> None:
    assert kind in instead(watched, *halves)


def test_what_no_action_does_to_a_device_is_seen(watched: Built) -> None:
    """After a look at the cursor, lbu a1, CURSOR(a0), and a store to a device."""
    memory = read_symbols(watched.firmware.image.elf)["lf_memory"].address
    cursor = memory - watched.board.ram.start + watched.firmware.generated.policies.cursor_at
    lbu = (cursor << 20 | 10 << 15 | 4 << 12 | 11 << 7 | 3).to_bytes(4, "little")
    halves = int.from_bytes(lbu[:2], "little"), int.from_bytes(lbu[2:], "little")
    assert Kind.BAD_DEVICE in instead(watched, *TO_BLOCK, *halves, *TO_DEVICE, 0xC148, RETURN)  # sw a0, 4(a0)


def test_what_a_pass_may_not_rely_on_is_the_other_way_round_once(watched: Built) -> None:
    """Each c.li becomes nothing: the register holds what it held before."""
    good = watched.check()
    kinds: set[Kind] = set()
    for at in good.code.instructions:
        if good.executed[at // 2] and int.from_bytes(watched.flash[at : at + 2], "little") & 0xE003 == 0x4001:
            kinds |= seen(watched, with_word(watched.flash, at, NOP))
    assert kinds & {Kind.HIDDEN, Kind.BAD_BLOCK, Kind.BAD_PICK}


def test_an_enabled_interrupt_must_stay_so() -> None:
    """csrw mie, zero, in an image that needs the tick."""
    with built(ROOT / "examples" / "clockdemo.lf", "hifive1") as b:
        assert not b.check().mismatches
        assert Kind.BAD_REGISTERS in instead(b, 0x1073, 0x3040, RETURN)


def test_no_jump_depends_on_a_register_that_nobody_has_set(watched: Built) -> None:
    """beqz t1, . + 6; and so, with what is computed of t1: andi t1, t1, 1 before it."""
    assert Kind.UNDEFINED in instead(watched, 0x363, 0x0003, RETURN)
    assert Kind.UNDEFINED in instead(watched, 0x7313, 0x0013, 0x0363, 0x0003, RETURN)


def test_another_program_is_no_program_of_this_image() -> None:
    with (
        built(ROOT / "examples" / "mutex.lf", "hifive1") as b,
        built(ROOT / "examples" / "semaphore.lf", "hifive1") as other,
    ):
        assert b.check(other.flash[: len(b.flash)].ljust(len(b.flash), b"\xff")).mismatches


@pytest.mark.parametrize("board", ["hifive1", "ch32v003evt", "esp32c3", "longan_nano"])
@pytest.mark.parametrize("name", ["gpio_blink", "echo", "clockdemo", "buffer", "window"])
def test_images_agree(name: str, board: str) -> None:
    """Registers of devices, the console's two directions, time; jumps by tables; arithmetic of the port."""
    with built(ROOT / "examples" / f"{name}.lf", board) as b:
        result = b.check()
        assert not result.mismatches and not result.stopped
        assert result.stack <= b.firmware.stack.main


INTERRUPTS = """MODULE Interrupts;
IMPORT SYSTEM;
VAR n : UINT8;
PROCESS Waiter;
BEGIN
  LOOP SYSTEM.INT[13]?INTERRUPT; n := (n + 1) MOD 5 END
END Waiter;
BEGIN
  CREATE Waiter
END Interrupts.
"""


@pytest.mark.parametrize(("board", "number"), [("hifive1", 13), ("esp32c3", 13), ("longan_nano", 37)])
def test_an_interrupt_that_the_program_names(tmp_path_factory: pytest.TempPathFactory, board: str, number: int) -> None:
    """Who listens opens its line, in the controller, and where there is one in `mie`."""
    file = tmp_path_factory.mktemp("image") / "Interrupts.lf"
    file.write_text(INTERRUPTS.replace("13", str(number)))
    with built(file, board) as b:
        result = b.check()
        assert not result.mismatches and not result.stopped and result.executions > 10
