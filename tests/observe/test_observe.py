"""`lfc observe` with boards in emulators: violations, faults, ends, and a board that runs already."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from lfc.base.source import Source
from lfc.boards.descriptions.board import load_board
from lfc.boards.emulators.line import Line, line_of_emulator
from lfc.boards.emulators.simavr import SimavrOnTerminal, flash_content
from lfc.hil.host_side import HostSide
from lfc.observe import listen
from lfc.observe.listen import Listener
from lfc.observe.properties import watched_of
from lfc.observe.watch import Conduct, Observation, Watch
from tests.boards.cortexm import emulated
from tests.cli.lfc import lfc
from tests.differential.stepwise import machine_of_source
from tests.hil.boards import traced
from tests.observe.lift import LIFT


def test_the_first_violation_and_what_led_there(tmp_path: Path) -> None:
    (tmp_path / "Lift.lf").write_text(LIFT)
    done = lfc(
        "observe", "Lift.lf", "-b", "uno", "--emulated", "--last", "3", "--record", "l.trace", "--json", cwd=tmp_path
    )
    assert done.exit == 5, done.err
    head, _, document = done.err.partition("{")
    told = json.loads("{" + document)
    assert head == "".join(
        f"{line}\n"
        for line in (
            f"violated: safe, never; 15 steps of uno in simavr (image {told['image'][:16]})",
            "  safe: moving, door",
            "  never: moving, door",
            "what led there:",
            *told["led_there"],
            "met: starts",
            "not violated so far: answers",
            "not watched: late: it measures time",
        )
    )
    assert told["led_there"][0] == "   ...  12 steps before"
    assert told["from_the_beginning"] and told["steps"] == 15
    shown = lfc("trace", "show", "l.trace", "Lift.lf", "-b", "uno", cwd=tmp_path)
    assert [line.strip() for line in shown.out.splitlines()[-3:]] == [line.strip() for line in told["led_there"][1:]]


def observed(text: str, conduct: Conduct) -> Observation:
    """On a micro:bit."""
    machine = machine_of_source(Source("P.lf", text))
    firmware = traced("microbit", machine)
    host, watched = HostSide(machine, "rr"), watched_of(machine, [])
    with line_of_emulator(emulated("microbit"), firmware.image.elf, "qemu") as line:
        listener = Listener(line, firmware.program.hex(), machine.layout.size, False)
        return Watch(host, firmware.generated.sites, watched, conduct).go(listener)


class Deaf:
    """A line that loses some bytes, from the one of this number."""

    def __init__(self, line: Line, lost: int, begin: int) -> None:
        self.line, self.begin, self.end, self.come = line, begin, begin + lost, 0

    def read(self, seconds: float) -> bytes:
        data = self.line.read(seconds)
        first, self.come = self.come, self.come + len(data)
        return bytes(b for i, b in enumerate(data, first) if not self.begin <= i < self.end)

    def write(self, data: bytes) -> None:
        self.line.write(data)


COUNTS = """MODULE Counts;
VAR i : UINT8; odd : BOOLEAN;
PROPERTY small = ALWAYS i < 200;
PROPERTY first = ALWAYS (odd IMPLIES ALWAYS i < 250);
PROPERTY again = ALWAYS EVENTUALLY odd;
BEGIN
  LOOP
    WHILE i < 210 DO i := i + 1; odd := ~odd; RESCHEDULE END;
    i := 0
  END
END Counts.
"""


def test_a_board_that_runs_already(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another has listened before. Its block is asked for; what is violated after any beginning is told."""
    machine = machine_of_source(Source("Counts.lf", COUNTS))
    firmware, watched, said = traced("microbit", machine), watched_of(machine, []), list[str]()
    host = HostSide(machine, "rr")
    with line_of_emulator(emulated("microbit"), firmware.image.elf, "qemu") as line:
        before, conduct = Listener(line, firmware.program.hex(), machine.layout.size, False), Conduct(20, 30)
        assert Watch(host, firmware.generated.sites, watched, conduct).go(before).verdict == "nothing seen"
        monkeypatch.setattr(listen, "HELLO_COMES", 0.0)
        conduct = Conduct(1000, 30, 1, tell=said.append)
        listener = Listener(line, firmware.program.hex(), machine.layout.size, False)
        found = Watch(host, firmware.generated.sites, watched, conduct).go(listener)
    assert (found.verdict, [j.name for j in found.violated]) == ("violated", ["small"]), found.reason
    assert (found.whole, found.begins, said) == (False, 0, ["found the board's state; what was before is not known"])
    last = found.led_there[-1]
    at = int(last.partition("i = ")[2].partition(",")[0])
    assert last.endswith(f"i = {at}, odd = {'TRUE' if at % 2 else 'FALSE'}")
    assert at == 200 or (len(found.led_there) == 1 and 200 < at <= 210)  # there it was when its block was asked for


def test_what_is_lost_is_asked_for() -> None:
    """Bytes are lost in the middle of the run: then the board's block is what it says it is."""
    machine = machine_of_source(Source("Counts.lf", COUNTS))
    firmware = traced("microbit", machine)
    host, watched = HostSide(machine, "rr"), watched_of(machine, ["first", "again"])
    said: list[str] = []
    with line_of_emulator(emulated("microbit"), firmware.image.elf, "qemu") as line:
        listener = Listener(Deaf(line, 5, 600), firmware.program.hex(), machine.layout.size, False)
        watch = Watch(host, firmware.generated.sites, watched, Conduct(most_steps=400, seconds=30, tell=said.append))
        found = watch.go(listener)
    assert (found.verdict, found.steps, found.begins, found.whole) == ("nothing seen", 400, 1, False), found.reason
    assert found.gaps == 1 and len(said) == 2


def test_what_a_run_that_has_ended_decides() -> None:
    text = "MODULE P; VAR i : INTEGER; PROPERTY two = ALWAYS EVENTUALLY i = 2; PROPERTY one = EVENTUALLY ALWAYS i = 1;"
    found = observed(text + " BEGIN RESCHEDULE; i := 1 END P.", Conduct(seconds=30))
    assert (found.verdict, [j.name for j in found.violated]) == ("violated", ["two"])
    assert [j.name for j in found.met] == ["one"]


def test_a_fault_and_a_deadlock() -> None:
    text = "MODULE P; VAR i : INTEGER; BEGIN i := 1; RESCHEDULE; ASSERT(i = 2) END P."
    found = observed(text, Conduct(seconds=30))
    assert (found.verdict, found.steps, len(found.led_there)) == ("fault", 1, 2)
    text = "MODULE P; TYPE C = [m]; PORT c : C; BEGIN NEW(c); c!m END P."
    assert observed(text, Conduct(seconds=30)).verdict == "deadlock"


def test_a_property_that_is_not_there(tmp_path: Path) -> None:
    (tmp_path / "Lift.lf").write_text(LIFT)
    done = lfc("observe", "Lift.lf", "-b", "uno", "--emulated", "--property", "nope", cwd=tmp_path)
    assert done.exit == 2 and "no property `nope`; it has: safe, starts, answers, late, never." in done.err


def test_at_a_serial_line(tmp_path: Path) -> None:
    """A chip behind a pseudo-terminal, which is reset when that is opened."""
    (tmp_path / "Lift.lf").write_text(LIFT)
    firmware = traced("uno", machine_of_source(Source("Lift.lf", LIFT)))
    board = load_board("uno")
    with SimavrOnTerminal(board, flash_content(firmware.image.elf)) as chip:
        done = lfc("observe", "Lift.lf", "-b", "uno", "-p", chip.port, "--last", "3", "--json", cwd=tmp_path)
        assert done.exit == 5, done.err
        head, _, document = done.err.partition("{")
        told = json.loads("{" + document)
    assert head.startswith(f"violated: safe, never; 15 steps of uno at {chip.port} (image {firmware.digest[:16]})\n")
    assert (told["verdict"], told["violated"], told["steps"], told["gaps"]) == ("violated", ["safe", "never"], 15, 0)
    done = lfc("observe", "Lift.lf", "-b", "uno", "-p", "none", cwd=tmp_path)
    assert done.exit == 9 and "lfc: open: there is no port none" in done.err
