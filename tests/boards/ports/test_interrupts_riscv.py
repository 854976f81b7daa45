"""Interrupts that a program names, on a RISC-V: lines of the interrupt controller come as messages."""

from __future__ import annotations

import pytest

from lfc.base.source import Source
from lfc.boards.descriptions.board import load_board
from lfc.boards.emulators.outcome import Outcome
from lfc.boards.emulators.qemu import run_in_qemu
from lfc.boards.emulators.quiet import positions_of
from lfc.image.firmware import build_firmware
from lfc.toolchain.failure import ImageError
from tests.differential.stepwise import machine_of_source

BOARD = load_board("hifive1")


def run(text: str) -> Outcome:
    machine = machine_of_source(Source("Interrupts.lf", text))
    firmware = build_firmware(BOARD, machine)
    return run_in_qemu(BOARD, firmware.image.elf, seconds=20, quiet=positions_of(machine, firmware.block_offset))


# Line 13 is GPIO 5, an output that interrupts when it rises. A message without a cause would say `-`.
PROGRAM = """MODULE Interrupts;
IMPORT Clock, Out, SYSTEM;
CONST PIN = 32;
VAR
  inputs AT 10012004H : UINT32;
  outputs AT 10012008H : UINT32;
  level AT 1001200CH : UINT32;
  enable AT 10012018H : UINT32;
  cause AT 1001201CH : UINT32;
  state AT 1001201CH : UINT32;

PROCESS Waiter;
VAR i : UINT8;
BEGIN
  FOR i := 1 TO 3 DO
    SYSTEM.INT[13]?INTERRUPT;
    Clock.Sleep(5);
    Out.Int(i);
    IF state = PIN THEN Out.Char("+") ELSE Out.Char("-") END;
    cause := PIN;
    level := 0
  END;
  SELECT
    WHEN SYSTEM.INT[13]?INTERRUPT THEN Out.String(" again")
    WHEN Clock.After(100) THEN Out.String(" enough")
  END;
  CREATE Late
END Waiter;

PROCESS Late;
BEGIN
  level := PIN;
  Clock.Sleep(20); (* it is kept until somebody asks for it *)
  Out.String(", late:");
  SYSTEM.INT[13]?INTERRUPT;
  Out.String(" came"); Out.Ln
END Late;

PROCESS Cause;
VAR i : UINT8;
BEGIN
  FOR i := 1 TO 3 DO
    Clock.Sleep(30);
    level := PIN
  END
END Cause;

BEGIN
  inputs := PIN;
  outputs := PIN;
  enable := PIN;
  CREATE Waiter;
  CREATE Cause
END Interrupts.
"""


def test_interrupts_are_messages() -> None:
    outcome = run(PROGRAM)
    assert (outcome.end, outcome.console) == ("quiet", b"1+2+3+ enough, late: came\n")


OF_CONSOLE = """MODULE Interrupts;
IMPORT SYSTEM;
VAR c : CHAR;
BEGIN
  SYSTEM.READ(c);
  SYSTEM.INT[3]?INTERRUPT
END Interrupts.
"""


def test_a_line_that_the_port_itself_needs_is_refused() -> None:
    with pytest.raises(ImageError, match="interrupt 3 belongs to the port's part `receive`"):
        run(OF_CONSOLE)


def test_a_line_that_the_chip_does_not_have() -> None:
    with pytest.raises(ImageError, match="the board hifive1 has no interrupt 53"):
        run(PROGRAM.replace("INT[13]", "INT[53]"))
