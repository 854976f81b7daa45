"""The simulator of the AVR core against simavr, instruction by instruction: every word, in random states."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from lfc.doctor.probe import require_tool
from lfc.isa.library import CORES
from tests.support.seeds import seed_of_this_run

HERE = Path(__file__).resolve().parent / "avr"


@pytest.fixture(scope="module")
def compared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    require_tool("simavr/sim_avr.h")
    made = tmp_path_factory.mktemp("avr") / "against_simavr"
    include = ["-I", str(CORES), "-I", "/usr/include/simavr"]
    sources = [str(HERE / "against_simavr.c"), str(CORES / "avr.c")]
    subprocess.run(["gcc", "-O2", "-Wall", *include, *sources, "-o", str(made), "-lsimavr"], check=True)
    return made


@pytest.mark.parametrize(
    ("chip", "least"), [("atmega328p", 1_000_000), ("atmega2560", 1_000_000), ("attiny85", 900_000)]
)
def test_every_instruction_does_what_simavr_does(chip: str, least: int, compared: Path) -> None:
    """Registers, flags, stack, memory, program counter and cycles. Where the manual leaves a result undefined (LD r26,
    X+), the core says that there is no such instruction."""
    done = subprocess.run(
        [str(compared), chip, str(seed_of_this_run()), "20"], capture_output=True, text=True, timeout=100, check=False
    )
    words = done.stdout.split()
    assert done.returncode == 0, done.stdout
    assert int(words[0]) > least and "0 differences" in done.stdout
