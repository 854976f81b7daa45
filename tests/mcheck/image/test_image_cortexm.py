"""The check of images for Cortex-M: each of its watches fires."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from lfc.mcheck.engine.abi import ImageErrorKind as Kind
from lfc.toolchain.elf import read_symbols
from tests.conftest import ROOT
from tests.mcheck.image.changed import POLL, seen, with_word
from tests.mcheck.image.images import Built, built

NOP = 0x46C0
RETURN = 0x4770  # BX LR
TO_BLOCK = (0x2001, 0x0740)  # MOVS r0, 1; LSLS r0, 29: the beginning of the RAM
TO_NOWHERE = (0x2001, 0x0600)  # 1000000H
TO_DEVICE = (0x2001, 0x0780)  # 40000000H


@pytest.fixture(scope="module", params=["microbit", "stm32vldiscovery", "netduinoplus2"])
def watched(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Built]:
    file = tmp_path_factory.mktemp("image") / "Watch.lf"
    file.write_text(POLL)
    with built(file, request.param) as b:
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
        ((*TO_NOWHERE, 0x6000), Kind.BAD_STORE),  # STR r0, [r0]
        ((*TO_NOWHERE, 0x6800), Kind.BAD_LOAD),
        ((*TO_BLOCK, 0x2280, 0x5480, RETURN), Kind.BAD_STORE),  # STRB r0, [r0, r2]: behind all variables
        ((0x2000, 0x6000), Kind.BAD_STORE),  # to the flash
        ((0xB082, 0x9800), Kind.BAD_LOAD),  # SUB sp, 8; LDR r0, [sp]: nothing was stored there
        ((0xB401, 0xB001, 0x9801), Kind.BAD_LOAD),  # above the stack
        ((0xB401, 0xB001, 0xB081, 0x9800), Kind.BAD_LOAD),  # PUSH {r0}; ADD sp, 4; SUB sp, 4: what was there is gone
        ((0x4668, 0x3804, 0x6000), Kind.BAD_STORE),  # below the stack pointer
        ((0x2001, 0x4700), Kind.BAD_JUMP),  # BX: to where no function is
        ((0x2000, 0x4700), Kind.BAD_JUMP),  # to the other instruction set
        ((0x2009, 0x4686, RETURN), Kind.BAD_JUMP),  # MOV lr, r0; BX LR: to where no call comes back
        ((0xF100, 0xF800), Kind.OUTSIDE),  # BL: far away
        ((0xDE00,), Kind.ILLEGAL),
        ((0xBE00,), Kind.ILLEGAL),  # BKPT
        ((*TO_BLOCK, 0x3001, 0xC802), Kind.UNALIGNED),  # LDMIA r0!, {r1}
        ((0xE7FE,), Kind.ENDLESS),
        ((0x4680, RETURN), Kind.BAD_REGISTERS),  # MOV r8, r0
        ((0xB081, RETURN), Kind.BAD_REGISTERS),  # SUB sp, 4
        ((0xB672, RETURN), Kind.BAD_REGISTERS),  # CPSID i
        ((0xBF30, RETURN), Kind.BAD_PICK),  # WFI, without a look for work
        ((RETURN, NOP), Kind.BAD_PICK),
    ],
)
def test_each_watch_fires(watched: Built, halves: tuple[int, ...], kind: Kind) -> None:
    assert kind in instead(watched, *halves)


def test_what_a_register_held_before_is_the_other_way_round_once(watched: Built) -> None:
    """STRB r2, [r0, ...], to the first byte of the block."""
    memory = read_symbols(watched.firmware.image.elf)["lf_memory"].address
    block = memory - watched.board.ram.start + watched.firmware.block_offset
    assert block < 32
    assert Kind.HIDDEN in instead(watched, *TO_BLOCK, 0x7002 | block << 6, RETURN)


def test_what_no_action_does_to_a_device_is_seen(watched: Built) -> None:
    """After a look at the cursor, LDRB r1, [r0, ...], STR r0, [r0, 4]."""
    memory = read_symbols(watched.firmware.image.elf)["lf_memory"].address
    cursor = memory - watched.board.ram.start + watched.firmware.generated.policies.cursor_at
    assert cursor < 32
    assert Kind.BAD_DEVICE in instead(watched, *TO_BLOCK, 0x7801 | cursor << 6, *TO_DEVICE, 0x6040, RETURN)


def test_what_a_small_processor_has_not_is_illegal(watched: Built) -> None:
    """A division, and a word at an odd address: the M0 has neither."""
    small = watched.board.cpu.model == "cortex-m0"
    assert (Kind.ILLEGAL in instead(watched, 0x2001, 0xFBB0, 0xF0F0, RETURN)) == small
    assert (Kind.UNALIGNED in instead(watched, *TO_BLOCK, 0x3001, 0x6801, RETURN)) == small


def test_what_a_pass_may_not_rely_on_is_the_other_way_round_once(watched: Built) -> None:
    """Each MOVS of a constant becomes nothing: the register holds what it held before."""
    good = watched.check()
    kinds: set[Kind] = set()
    for at in good.code.instructions:
        if good.executed[at // 2] and watched.flash[at + 1] & 0xF8 == 0x20:
            kinds |= seen(watched, with_word(watched.flash, at, NOP))
    assert kinds & {Kind.HIDDEN, Kind.BAD_BLOCK}


@pytest.mark.parametrize(("name", "board"), [("traffic", "microbit"), ("echo", "stm32vldiscovery")])
def test_another_program_is_no_program_of_this_image(name: str, board: str) -> None:
    with built(ROOT / "examples" / "mutex.lf", board) as b, built(ROOT / "examples" / f"{name}.lf", board) as other:
        assert b.check(other.flash[: len(b.flash)].ljust(len(b.flash), b"\xff")).mismatches


@pytest.mark.parametrize("board", ["microbit", "netduinoplus2", "lm3s6965evb"])
def test_registers_of_devices_are_read_and_written_as_wide_as_they_are(board: str) -> None:
    with built(ROOT / "examples" / "gpio_blink.lf", board) as b:
        result = b.check()
        assert not result.mismatches and not result.stopped and result.sampled


def test_who_polls_a_device_for_ever_is_not_followed_for_ever() -> None:
    with built(ROOT / "examples" / "gpio_blink.lf", "pico") as b:
        result = b.check()
        assert not result.mismatches and "polls a device without end" in result.stopped
