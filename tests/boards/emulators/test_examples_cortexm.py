"""Every example that needs no hardware says on each board with a Cortex-M that QEMU has what it says on this machine,
and ends in the same state block; under both schedulers."""

from __future__ import annotations

from pathlib import Path

import pytest

from lfc.base.source import Source
from lfc.boards.emulators.qemu import run_in_qemu
from lfc.boards.emulators.quiet import positions_of
from lfc.image.firmware import build_firmware
from tests.boards.cortexm import IN_QEMU, emulated
from tests.boards.emulators.ends import QUICK, check_in_qemu
from tests.differential.stepwise import machine_of_source
from tests.support.example_runs import EXPECTED

CASES = [
    pytest.param(expected, scheduler, name, id=f"{expected.stem}-{scheduler}-{name}", marks=marks)
    for expected in EXPECTED
    for scheduler, names in {"rr": IN_QEMU, "edf": ["microbit", "lm3s6965evb"]}.items()
    for name in names
    for marks in [[] if scheduler == "rr" and expected.stem in QUICK else [pytest.mark.slow]]
]


def test_there_are_quick_ones() -> None:
    assert {f.stem for f in EXPECTED} >= QUICK


@pytest.mark.parametrize(("expected", "scheduler", "name"), CASES)
def test_output_and_block(expected: Path, scheduler: str, name: str) -> None:
    check_in_qemu(emulated(name), expected, scheduler)


REGISTERS = """MODULE Registers;
IMPORT Out;
VAR
  word AT 20001000H : UINT32;
  half AT 20001004H : UINT16;
  byte AT 20001006H : UINT8;
  bits AT 20001007H : SET8;
  low AT 20001000H : UINT8;
  odd AT 20001001H : UINT16;
  across AT 20001003H : UINT32;
VAR
  v : UINT8;
BEGIN
  word := 12345678H;
  half := 0ABCDH;
  byte := 77H;
  bits := {0, 7};
  Out.Int(low); Out.Ln;
  Out.Int(odd); Out.Ln;
  IF across = 77ABCD12H THEN Out.String("across"); Out.Ln END;
  v := PORTIN(20001003H);
  Out.Int(v); Out.Ln;
  PORTOUT(20001000H, v);
  IF (7 IN bits) & (word = 12345612H) THEN Out.String("good"); Out.Ln END
END Registers.
"""


@pytest.mark.parametrize("name", ["microbit", "lm3s6965evb"])
def test_device_registers(name: str) -> None:
    """Memory that nothing else uses stands for a device. Cortex-M0 reaches no odd address at once."""
    board, machine = emulated(name), machine_of_source(Source("Registers.lf", REGISTERS))
    firmware = build_firmware(board, machine)
    quiet = positions_of(machine, firmware.block_offset)
    outcome = run_in_qemu(board, firmware.image.elf, seconds=20, quiet=quiet)
    assert (outcome.end, outcome.console) == ("quiet", b"120\n13398\nacross\n18\ngood\n")
