"""Images of programs that are texts, for boards; and what programs say here and there."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from lfc.actions.build import build_machine
from lfc.base.source import Source
from lfc.boards.descriptions.board import load_board
from lfc.boards.emulators.outcome import Outcome
from lfc.boards.emulators.qemu import run_in_qemu
from lfc.boards.emulators.simavr import run_in_simavr
from lfc.diagnostics.model import Diagnostics
from lfc.front_end.chip_modules import chip_modules
from lfc.image.firmware import build_firmware
from lfc.semantics.analyse import analyse
from tests.cli.lfc import lfc

WHERE = ("host", "uno", "microbit")
STOP = "ASSERT(FALSE)"  # an emulated board stops there

# A pin toggles, and its edges are counted. It says how many of each.
TOGGLED = """MODULE T;
IMPORT Clock, Edge, GPIO, Out;
CONST PIN = GPIO.B + 2;
VAR i, ups, downs : INTEGER;
PORT line : Edge.Line;

PROCESS Hear SERVER;
VAR high : BOOLEAN;
BEGIN
  LOOP line?edge(high); IF high THEN INC(ups) ELSE INC(downs) END END
END Hear;

BEGIN
  GPIO.Configure(PIN, GPIO.output); (* an output that changes interrupts too *)
  NEW(line);
  CREATE Edge.Watch(PIN, Edge.both, line);
  CREATE Hear;
  Clock.Sleep(2);
  FOR i := 1 TO 7 DO GPIO.Toggle(PIN); Clock.Sleep(3) END;
  Out.Int(ups); Out.Char(' '); Out.Int(downs); Out.Ln
END T.
"""


@cache
def image_of(board: str, text: str) -> bytes:
    description, diagnostics = load_board(board), Diagnostics()
    program = analyse(Source("T.lf", text), diagnostics, chip=chip_modules(description))
    assert program is not None and not diagnostics.has_errors, [d.message for d in diagnostics.items]
    return build_firmware(description, build_machine(program, diagnostics)).image.elf


def console(outcome: Outcome) -> str:
    return outcome.console.decode().replace("\r", "")


def said(where: str, text: str, folder: Path) -> list[str]:
    """The lines that a program writes. It ends with STOP."""
    if where == "host":
        (folder / "T.lf").write_text(text.replace(STOP, ""))
        ran = lfc("run", "T.lf", cwd=folder)
        assert ran.exit == 0, ran.err
        return ran.out.splitlines()
    board, elf = load_board(where), image_of(where, text)
    done = run_in_simavr(board, elf, seconds=5) if where == "uno" else run_in_qemu(board, elf, seconds=20)
    return console(done).partition("\n!fault")[0].splitlines()
