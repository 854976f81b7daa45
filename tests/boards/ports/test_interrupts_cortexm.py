"""Interrupts that a program names, on boards with a Cortex-M: lines of the interrupt controller come as messages."""

from __future__ import annotations

import pytest

from lfc.base.source import Source
from lfc.boards.emulators.outcome import Outcome
from lfc.boards.emulators.qemu import run_in_qemu
from lfc.boards.emulators.quiet import positions_of
from lfc.image.firmware import build_firmware
from lfc.toolchain.failure import ImageError
from tests.boards.cortexm import emulated
from tests.differential.stepwise import machine_of_source


def run(name: str, text: str) -> Outcome:
    board, machine = emulated(name), machine_of_source(Source("Interrupts.lf", text))
    firmware = build_firmware(board, machine)
    return run_in_qemu(board, firmware.image.elf, seconds=4, quiet=positions_of(machine, firmware.block_offset))


# A register of the interrupt controller sets lines pending; nobody has opened line 20 but the port.
BY_PROGRAM = """MODULE Interrupts;
IMPORT Clock, Out, SYSTEM;
VAR pend AT 0E000E200H : UINT32;

PROCESS Waiter;
VAR i : UINT8;
BEGIN
  FOR i := 1 TO 3 DO
    SYSTEM.INT[20]?INTERRUPT;
    Out.Int(i)
  END;
  SELECT
    WHEN SYSTEM.INT[20]?INTERRUPT THEN Out.String(" again")
    WHEN Clock.After(100) THEN Out.String(" enough")
  END;
  CREATE Late
END Waiter;

PROCESS Late;
BEGIN
  pend := 100000H;
  Clock.Sleep(20); (* it is kept until somebody asks for it *)
  Out.String(", late:");
  SYSTEM.INT[20]?INTERRUPT;
  Out.String(" came"); Out.Ln
END Late;

PROCESS Cause;
VAR i : UINT8;
BEGIN
  FOR i := 1 TO 3 DO
    Clock.Sleep(20);
    pend := 100000H
  END
END Cause;

BEGIN
  CREATE Waiter;
  CREATE Cause
END Interrupts.
"""


@pytest.mark.parametrize("name", ["microbit", "lm3s6965evb"])
def test_interrupts_are_messages(name: str) -> None:
    outcome = run(name, BY_PROGRAM)
    assert (outcome.end, outcome.console) == ("quiet", b"123 enough, late: came\n")


# A timer of the chip keeps its line up until its cause is taken back, long after the routine is over. A message without
# a cause would say `-`.
BY_DEVICE = """MODULE Interrupts;
IMPORT Clock, Out, SYSTEM;
CONST LINE = %(line)s;
VAR
%(registers)s

PROCESS Waiter;
VAR i : UINT8;
BEGIN
%(begin)s
  FOR i := 1 TO 4 DO
    SYSTEM.INT[LINE]?INTERRUPT;
    Clock.Sleep(1);
    Out.Int(i);
    IF ODD(state) THEN Out.Char("+") ELSE Out.Char("-") END;
    cause := %(seen)s
  END;
  Out.Ln
END Waiter;

BEGIN
  CREATE Waiter
END Interrupts.
"""
DEVICES = {
    "microbit": {  # TIMER0, at 1 MHz
        "line": "8",
        "registers": """  run AT 40008000H : UINT32;
  cause AT 40008140H : UINT32;
  state AT 40008140H : UINT32;
  shortcuts AT 40008200H : UINT32;
  enable AT 40008304H : UINT32;
  width AT 40008508H : UINT32;
  prescaler AT 40008510H : UINT32;
  compare AT 40008540H : UINT32;""",
        "begin": """  width := 3;
  prescaler := 4;
  compare := 10000;
  shortcuts := 1;
  enable := 10000H;
  run := 1;""",
        "seen": "0",
    },
    "lm3s6965evb": {  # timer 0, at 50 MHz
        "line": "19",
        "registers": """  clocks AT 400FE104H : UINT32;
  control AT 4003000CH : UINT32;
  mode AT 40030004H : UINT32;
  enable AT 40030018H : UINT32;
  state AT 4003001CH : UINT32;
  cause AT 40030024H : UINT32;
  interval AT 40030028H : UINT32;""",
        "begin": """  clocks := 10001H; (* the UART's stays on *)
  mode := 2;
  interval := 500000;
  enable := 1;
  control := 1;""",
        "seen": "1",
    },
}


@pytest.mark.parametrize("name", DEVICES)
def test_a_cause_that_stays_is_told_once(name: str) -> None:
    outcome = run(name, BY_DEVICE % DEVICES[name])
    assert (outcome.end, outcome.console) == ("quiet", b"1+2+3+4+\n")


def test_a_line_that_the_port_itself_needs_is_refused() -> None:
    """Line 2 of the nRF51 is the UART's, which interrupts if the program reads the console."""
    reads = (
        BY_PROGRAM.replace("INT[20]", "INT[2]")
        .replace("VAR i : UINT8;", "VAR i : UINT8; c : CHAR;")
        .replace("CREATE Late\n", "SYSTEM.READ(c); CREATE Late\n")
    )
    with pytest.raises(ImageError, match="interrupt 2 belongs to the port's part `receive`"):
        run("microbit", reads)


def test_a_line_that_the_chip_does_not_have() -> None:
    with pytest.raises(ImageError, match="the board microbit has no interrupt 40"):
        run("microbit", BY_PROGRAM.replace("INT[20]", "INT[40]"))
