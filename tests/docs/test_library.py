"""The page on the library: its examples are right, run on this machine, hold in the checker and build for boards."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from lfc.actions.build import build_machine
from lfc.base.source import Source
from lfc.boards.descriptions.board import board_names, load_board
from lfc.boards.descriptions.chips import CHIPS
from lfc.diagnostics.model import Diagnostics
from lfc.front_end.chip_modules import chip_modules
from lfc.front_end.static_checks import run_checks
from lfc.image.firmware import build_firmware
from lfc.semantics.analyse import analyse
from tests.cli.lfc import lfc
from tests.conftest import ROOT

PAGE = (ROOT / "docs" / "reference" / "library.md").read_text()
EXAMPLES = {re.findall(r"MODULE (\w+)", text)[0]: text for text in re.findall(r"```lf\n(.*?)```", PAGE, re.S)}
OF_SOME = (("ChipMicros", "Micros"), ("ChipEdge", "Edge"), ("ChipReset", "Board"), ("ChipSerial", "UART"))
ENDING = ("AfterAll", "Beat")
MODULES = ("GPIO", "Edge", "ADC", "Timer", "Micros", "Board", "UART")


def test_each_module_has_an_example() -> None:
    imported = set(re.findall(r"\w+", " ".join(re.findall(r"IMPORT (.*?);", "".join(EXAMPLES.values())))))
    assert imported >= set(MODULES) and len(EXAMPLES) == len(MODULES)


def test_every_exported_process_is_told() -> None:
    for module in MODULES:
        text = (ROOT / "lfc" / "library" / f"{module}.lf").read_text()
        for name in re.findall(r"^PROCESS (\w+)\*", text, re.M):
            assert f"`{module}.{name}(" in PAGE, name


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_is_right_everywhere(name: str) -> None:
    layouts = {}
    for board in (None, *map(load_board, board_names())):
        if board is not None and "ADC" in EXAMPLES[name] and not CHIPS[board.cpu.chip].channels:
            continue
        lacking = chip_modules(board).lacking
        if any(driver in lacking and module in EXAMPLES[name] for driver, module in OF_SOME):
            continue
        diagnostics = Diagnostics()
        program = analyse(Source(f"{name}.lf", EXAMPLES[name]), diagnostics, chip=chip_modules(board))
        assert program is not None
        run_checks(program, diagnostics)
        machine = build_machine(program, diagnostics)
        assert not diagnostics.items, [d.message for d in diagnostics.items]
        layouts["host" if board is None else board.name] = machine.layout.size, len(machine.positions)
        if board is not None and board.name in ("uno", "pico"):
            build_firmware(board, machine)
    if name not in ("Repeater", "Doorbell"):
        assert len(set(layouts.values())) == 1, layouts


READS_THE_CLOCK = {"Echo"}


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_runs_and_holds(tmp_path: Path, name: str) -> None:
    (tmp_path / f"{name}.lf").write_text(EXAMPLES[name])
    done = lfc("run", "--clock", "virtual", "--max-actions", "100", f"{name}.lf", cwd=tmp_path)
    assert done.exit == 0
    assert done.err == ("" if name in ENDING else "stopped after 100 actions (--max-actions)\n")
    assert done.out.startswith("ready" if name == "Repeater" else "")
    time = ("--time", "discrete") if name in READS_THE_CLOCK else ()  # else the clock stands, which proves nothing
    done = lfc("check", f"{name}.lf", *time, cwd=tmp_path)
    assert done.exit == 0, done.out + done.err
