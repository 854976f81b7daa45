"""The harness for simavr: compiles without a warning, says what is wrong with its options, reports a crash."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from lfc.boards.descriptions.board import Board
from lfc.boards.emulators.outcome import EmulatorError
from lfc.boards.emulators.simavr import COMPILE, LIBRARIES, SOURCES, SimavrOnTerminal


@pytest.fixture(scope="module")
def harness(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("harness") / "simavr_run"
    sanitizers = ("-Wextra", "-Werror", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")
    subprocess.run([*COMPILE, *sanitizers, *map(str, SOURCES), "-o", str(made), *LIBRARIES], check=True)
    return made


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--chip"], "--chip wants a value"),
        (["--clock", "fast"], "--clock wants a number, not fast"),
        (["--speed", "1"], "there is no option --speed"),
        (["--dump", "data:1"], "--dump wants data:ADDRESS:SIZE"),
        (["--quiet", "256:1"], "--quiet wants ADDRESS:SLOTS:WIDTH:KINDS"),
        (["--quiet", "256:1:3:."], "--quiet wants ADDRESS:SLOTS:WIDTH:KINDS"),
        (["--chip", "atmega328p", "--clock", "1", "--quiet", "2303:2:1:.", "i"], "no memory at 2303 for 2 positions"),
        (["--dump", "partX:1:1"], "partN:ADDRESS:SIZE, not partX:1:1"),
        (["--part", "eeprom"], "--part wants eeprom:ADDRESS"),
        (["--part", "registers:0x50:zz"], "--part wants eeprom:ADDRESS"),
        (["--part", "eeprom:0x80"], "--part wants eeprom:ADDRESS"),
        (["--part", "shift:B:1:2"], "--part wants eeprom:ADDRESS"),
        (["--part", "shift:B:1:2:8"], "--part wants eeprom:ADDRESS"),
        (["--bus-fault", "hangs"], "--bus-fault wants absent:N"),
        ([], "are needed"),
        (["--chip", "z80", "--clock", "1", "image"], "does not know the chip z80"),
        (["--chip", "atmega328p", "--clock", "1", "none"], "cannot read none"),
    ],
)
def test_wrong_options(harness: Path, arguments: list[str], message: str) -> None:
    done = subprocess.run([str(harness), *arguments], capture_output=True, text=True)
    assert done.returncode == 1
    assert message in done.stderr


def test_a_run_is_reported(harness: Path, tmp_path: Path) -> None:
    """ldi r24, 90; sts 0100H, r24; sleep, with interrupts off"""
    flash = tmp_path / "flash"
    flash.write_bytes(bytes.fromhex("8ae5 8093 0001 8895 ffcf"))
    command = [str(harness), "--chip", "atmega328p", "--clock", "16000000", "--report", str(tmp_path / "report")]
    command += ["--dump", "data:0x100:2", "--dump", "flash:2:4", str(flash)]
    subprocess.run(command, check=True, stdin=subprocess.DEVNULL)
    report = json.loads((tmp_path / "report").read_text())
    assert (report["end"], report["dumps"]) == ("halted", ["5a00", "80930001"])
    assert report["cycles"] <= 8


def test_a_flash_that_is_too_large(uno: Board) -> None:
    with pytest.raises(EmulatorError, match="larger than the flash"):
        with SimavrOnTerminal(uno, bytes(uno.flash.size + 1)):
            pass
