"""Pages of flash that are kept without power: registers, emulators, boards without them, room, and the image."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from lfc.boards.descriptions.board import board_names, load_board
from lfc.boards.descriptions.kept_pages import kept_pages
from lfc.boards.emulators.builtin import run_builtin
from lfc.boards.emulators.qemu import run_in_qemu
from lfc.front_end.chip_modules import chip_modules
from tests.cli.lfc import lfc
from tests.library.images import STOP, console, image_of
from tests.library.played_chip import PlayedChip, play
from tests.naive.running import value

# The last word of the last page, before and after it is erased and written.
KEEPS = """MODULE T;
IMPORT Flash, Out;
CONST PAGE = Flash.PAGES - 1; LAST = Flash.WORDS - 1;
VAR kept : BOOLEAN;

PROCESS Tell;
VAR value : UINT32;
BEGIN
  Flash.Read(PAGE, LAST, value);
  Out.Int(ORD(kept)); Out.Char(':');
  Out.Int(INTEGER(value DIV 10000H)); Out.Char(','); Out.Int(INTEGER(value MOD 10000H)); Out.Char(' ')
END Tell;

BEGIN
  Flash.Erase(PAGE, kept); Tell;
  Flash.Write(PAGE, LAST, 12345678H, kept); Tell;
  Flash.Write(PAGE, LAST, 12345678H, kept); Tell;
  Flash.Write(PAGE, LAST, 0, kept); Tell;
  Flash.Erase(PAGE, kept); Tell;
  Out.Int(Flash.WORDS); Out.Ln
END T.
"""
SAID = "1:65535,65535 1:4660,22136 1:4660,22136 0:4660,22136 1:65535,65535 "


@pytest.mark.parametrize(("board", "words"), [("bluepill", 256), ("microbit", 256), ("nrf52840dk", 1024)])
def test_in_the_builtin_simulator(board: str, words: int) -> None:
    done = run_builtin(load_board(board), image_of(board, KEEPS), seconds=2)
    assert console(done) == f"{SAID}{words}\n"


def test_in_qemu() -> None:
    """Which has the controller of the nRF51, written by others."""
    text = KEEPS.replace("Out.Ln\nEND T.", f"Out.Ln; {STOP}\nEND T.")
    done = run_in_qemu(load_board("microbit"), image_of("microbit", text), seconds=20)
    assert done.end == "halted" and console(done).startswith(f"{SAID}256\n\n!fault")


class Awake(PlayedChip):
    events = ("run", "wake")


def test_registers_of_the_stm32f1() -> None:
    """KEYR, SR, CR, AR of the programming manual: PG is bit 0, PER bit 1, STRT bit 6, LOCK bit 7. Word 2 of page 1 of
    the last four of 64 KB lies at 0x0800F408, and is written in halves."""
    base = 0x40022000
    cell = 0x0800F408

    def chip(registers: dict[int, int]) -> None:
        low, high = registers.get(cell, 0xFFFFFFFF) & 0xFFFF, registers.get(cell + 2, 0xFFFF)
        registers[cell] = low | high << 16

    opens = [(base + 4, 0x45670123), (base + 4, 0xCDEF89AB), (base + 0xC, 0x34)]
    half = [(base + 0x10, 0x80), *opens, (base + 0x10, 1)]
    played = Awake({base + 0x10: 0x80, cell: 0xFFFFFFFF}, chip)
    state, _ = play("bluepill", "Flash", "Flash.Write(1, 2, 12345678H, on)", played=played)
    assert value(state, "on") == 1
    assert played.written == [
        *half,
        (cell, 0x5678),
        (base + 0x10, 0x80),
        *half,
        (cell + 2, 0x1234),
        (base + 0x10, 0x80),
    ]


def test_a_page_of_the_stm32f1() -> None:
    base = 0x40022000
    values = {base + 0x10: 0x80} | {0x0800F400 + 4 * n: 0xFFFFFFFF for n in range(256)}
    state, chip = play("bluepill", "Flash", "Flash.Erase(1, on)", played=Awake(values, None))
    assert value(state, "on") == 1
    written = [(base + 0x10, 2), (base + 0x14, 0x0800F400), (base + 0x10, 0x42), (base + 0x10, 0x80)]
    assert [w for w in chip.written if w[0] != base + 4][2:] == written


def test_registers_of_the_nrf51() -> None:
    """READY, CONFIG, ERASEPAGE of the reference manual. Page 1 of the last four of 256 KB lies at 0x3F400."""
    config, ready, cell = 0x4001E504, 0x4001E400, 0x3F408
    values = {ready: 1, cell: 0xFFFFFFFF}
    state, chip = play("microbit", "Flash", "Flash.Write(1, 2, 12345678H, on)", played=Awake(values, None))
    assert value(state, "on") == 1
    assert chip.written == [(config, 0), (config, 1), (cell, 0x12345678), (config, 0)]
    values = {ready: 1} | {0x3F400 + 4 * n: 0xFFFFFFFF for n in range(256)}
    state, chip = play("microbit", "Flash", "Flash.Erase(1, on)", played=Awake(values, None))
    assert value(state, "on") == 1
    assert chip.written == [(config, 0), (config, 2), (0x4001E508, 0x3F400), (config, 0)]


def test_a_controller_that_never_ends_is_given_up() -> None:
    state, chip = play("bluepill", "Flash", "Flash.Erase(1, on)", played=Awake({0x4002200C: 1}, None), steps=400)
    assert value(state, "on") == 0 and chip.written == []


def test_boards_without_them_say_so(tmp_path: Path) -> None:
    (tmp_path / "T.lf").write_text("MODULE T; IMPORT Flash; VAR on : BOOLEAN; BEGIN Flash.Erase(0, on) END T.")
    has = [name for name in board_names() if kept_pages(load_board(name)) is not None]
    assert has == [
        *("bluepill", "feather_nrf52840", "microbit", "microbit2"),
        *("nrf52840dk", "nucleo_f103rb", "stm32vldiscovery"),
    ]
    lacking = [name for name in board_names() if "ChipFlash" in chip_modules(load_board(name)).lacking]
    assert sorted(has + lacking) == sorted(board_names())
    done = lfc("build", "T.lf", "-b", "uno", "-o", "T.elf", cwd=tmp_path)
    assert "`Flash` knows no pages of flash for words that are kept without power of the board uno" in done.err


def test_the_pages_are_not_for_code(tmp_path: Path) -> None:
    """Of 64 KB four pages of 1 KB are not the program's if it uses them, and are if not."""
    (tmp_path / "T.lf").write_text(KEEPS)
    (tmp_path / "U.lf").write_text("MODULE U; IMPORT Out; BEGIN Out.Ln END U.")
    rooms = []
    for name in ("T", "U"):
        found = re.search(r"flash: \d+ of (\d+) bytes", lfc("size", "-b", "bluepill", f"{name}.lf", cwd=tmp_path).out)
        assert found is not None
        rooms.append(int(found[1]))
    assert rooms == [61440, 65536]


@pytest.mark.parametrize("board", ["bluepill", "microbit"])
def test_with_the_registers_of_a_board(board: str) -> None:
    from tests.library.drivers import FLASH

    done = lfc("check", FLASH.program_file, "--env", FLASH.bench_file, "-b", board, "--no-record")
    assert done.exit == 0 and "property survives: holds" in done.out


@pytest.mark.parametrize("board", ["bluepill", "microbit"])
def test_the_image(board: str, tmp_path: Path) -> None:
    """Writes, with any answers of the controller and of the memory."""
    (tmp_path / "T.lf").write_text("""MODULE T;
IMPORT Flash;
VAR kept : BOOLEAN;
BEGIN
  Flash.Write(1, 2, 12345678H, kept)
END T.
""")
    done = lfc("check", "T.lf", "-b", board, "--image", "--no-record", cwd=tmp_path)
    assert f"the image for {board} agrees with the program in every state" in done.out
