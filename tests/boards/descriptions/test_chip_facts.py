"""Facts of chips (facts.toml), from their makers' manuals, against the boards' descriptions, the simulator's tables,
the port's headers, and what the chips' SVD files say (svd_facts.toml)."""

from __future__ import annotations

import subprocess
import tomllib
from pathlib import Path

import pytest

from lfc.boards.descriptions.board import Board, load_board
from lfc.boards.descriptions.chips import CHIPS
from lfc.boards.emulators.chips.cortexm_devices import CONSOLE_LINES
from lfc.isa.riscv import memory_map as riscv
from lfc.isa.thumb import memory_map as thumb
from lfc.link.port import board_defines, runtime_folder
from tests.boards.descriptions.facts import EXTRACT, ROWS, TABLE

SAID_BY_SVD = tomllib.loads(EXTRACT.read_text()) if EXTRACT.exists() else {}
ELSEWHERE = {"fe310", "gd32vf103", "esp32c3", "esp32c6"}  # tables of their own
BOARD_KEYS = {
    "flash.start": lambda b: b.flash.start,
    "flash.size": lambda b: b.flash.size,
    "flash.page": lambda b: b.flash.page,
    "ram.start": lambda b: b.ram.start,
    "ram.size": lambda b: b.ram.size,
    "clock": lambda b: b.cpu.clock,
    "crystal": lambda b: b.cpu.crystal,
}


BOARDS = {name: load_board(chip["board"]) for name, chip in TABLE["chips"].items()}


def macros_of(board: Board, names: list[str], folder: Path) -> dict[str, int]:
    """What the port's headers say, by the C compiler of this machine."""
    source = runtime_folder() / "ports" / board.cpu.architecture
    printed = "".join(f'    printf("{name} %llu\\n", (unsigned long long)({name}));\n' for name in names)
    uart = "#ifdef LF_UART\n#include LF_UART\n#endif\n" if board.cpu.architecture != "avr" else ""
    text = f'#include <stdio.h>\n#include "chip.h"\n{uart}int main(void)\n{{\n{printed}}}\n'
    stubs = "void lf_enable_interrupts(uint32_t b) { (void)b; }\nuint32_t lf_architecture(void) { return 0; }\n"
    stubs += "uint32_t lf_read(uint32_t a) { return a; }\nvoid lf_write(uint32_t a, uint32_t v) { (void)a; (void)v; }\n"
    text += "volatile uint32_t lf_port_claimed;\n" + stubs if board.cpu.architecture != "avr" else ""
    (folder / "facts.c").write_text(text)
    defines = [f"-D{d}" for d in (*board_defines(board), "LF_REGISTERS_ARE_LOGGED")]
    command = ["cc", "-w", *defines, "-I", str(source), "facts.c", "-o", "facts"]
    subprocess.run(command, cwd=folder, check=True)
    said = subprocess.run([str(folder / "facts")], capture_output=True, text=True, check=True).stdout
    return {name: int(value) for name, value in (line.split() for line in said.splitlines())}


def stated(what: str, chip: str, macros: dict[str, int]) -> int:
    board, (kind, _, name) = BOARDS[chip], what.partition(" ")
    if what in BOARD_KEYS:
        return int(BOARD_KEYS[what](board))
    if kind == "uart":
        return (riscv.UARTS if chip in riscv.UARTS else thumb.UARTS)[chip][name][0]
    return CONSOLE_LINES[chip][name] if kind == "line" else macros[what]


@pytest.mark.parametrize("chip", ROWS)
def test_facts(chip: str, tmp_path: Path) -> None:
    rows = ROWS[chip]
    assert len(rows) >= 20 and len({row[0] for row in rows}) == len(rows)
    assert all(row[2] for row in rows) and TABLE["chips"][chip]["manual"]
    macros = macros_of(BOARDS[chip], [r[0] for r in rows if " " not in r[0] and r[0] not in BOARD_KEYS], tmp_path)
    wrong = [(row[0], stated(row[0], chip, macros), row[1]) for row in rows if stated(row[0], chip, macros) != row[1]]
    assert wrong == []


def test_every_chip_has_its_facts() -> None:
    assert ROWS.keys() | ELSEWHERE == CHIPS.keys()
    assert all(board.cpu.chip == chip for chip, board in BOARDS.items())


@pytest.mark.parametrize("chip", [name for name, chip in TABLE["chips"].items() if "svd" in chip])
def test_the_same_as_in_svd_files(chip: str) -> None:
    """What they say was read off them by the campaign tests/campaign/boards/svd_facts.py."""
    said = SAID_BY_SVD[chip]
    compared = {row[0]: (row[1], said[row[3]]) for row in ROWS[chip] if len(row) > 3 and row[3] in said}
    assert {what: pair for what, pair in compared.items() if pair[0] != pair[1]} == {}
    assert len(compared) >= 10
