"""Images beside models of their devices: executed in the states that these lead to, with what they answer."""

from __future__ import annotations

import ctypes
import json
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from lfc.actions.build import build_machine
from lfc.actions.model.machine import Machine
from lfc.boards.descriptions.board import load_board
from lfc.boards.emulators.builtin import Simulation, Source
from lfc.boards.emulators.chips.avr import Avr
from lfc.diagnostics.model import Diagnostics
from lfc.front_end.chip_modules import chip_modules
from lfc.front_end.load import load_program
from lfc.image.firmware import build_firmware
from lfc.mcheck.engine.abi import ImageErrorKind as Kind
from lfc.mcheck.image.check_image import CheckedImage, ImageCheck, ImageResult, flash_of
from lfc.mcheck.image.report import Places, agrees_where
from lfc.mcheck.request.request import request_from
from lfc.mcheck.search.search import Search
from tests.cli.lfc import ROOT, lfc
from tests.mcheck.image.images import flipped
from tests.support.polling import DEVICE, PROGRAM

UNO = load_board("uno")
POLLED = """MODULE Polled;
IMPORT SYSTEM;
VAR sum* : UINT8; i : INTEGER;
BEGIN
  FOR i := 0 TO 2 DO
    WHILE 7 IN SET8(PORTIN(0C0H)) DO
      sum := sum + PORTIN(0C6H)
    END;
    RESCHEDULE
  END
END Polled.
"""
MODEL = """ENVIRONMENT MODULE Model;
IMPORT SYSTEM, Polled;
VAR count : 0 .. 2; left : 0 .. 3;
PROCESS Registers SERVER;
BEGIN
  LOOP
    SELECT
      WHEN SYSTEM.IOPORT?PORTIN(8, 0C0H) THEN SYSTEM.IOPORT!VALUE(LSL(UINT32(ORD(count > 0)), 7))
      WHEN SYSTEM.IOPORT?PORTIN(8, 0C6H) THEN SYSTEM.IOPORT!VALUE(UINT32(5 + count)); DEC(count)
    END
  END
END Registers;
PROCESS Line SERVER;
BEGIN
  LOOP
    RESCHEDULE;
    IF (count < 2) & (left > 0) THEN INC(count); DEC(left) END
  END
END Line;
BEGIN
  left := 3; CREATE Registers; CREATE Line
END Model.
"""


CHOOSING = PROGRAM.format(name="Polled", status="0C7H", data="0C8H")
CHOOSES = DEVICE.format(name="Model", program="Polled")


TWO_ANSWER = """ENVIRONMENT MODULE Model;
IMPORT Polled, SYSTEM;
VAR value : UINT32;
PROCESS Registers(status : UINT32) SERVER;
BEGIN
  LOOP
    SELECT
      WHEN SYSTEM.IOPORT?PORTIN(8, Polled.STATUS) THEN SYSTEM.IOPORT!VALUE(status)
      WHEN SYSTEM.IOPORT?PORTOUT(8, Polled.DATA, value) THEN
    END
  END
END Registers;
BEGIN
  CREATE Registers(0); CREATE Registers(1)
END Model.
"""


def machine_of(file: Path, *models: Path) -> Machine:
    diagnostics = Diagnostics()
    program = load_program(str(file), diagnostics, environments=[*models], chip=chip_modules(UNO))
    assert program is not None and not diagnostics.has_errors, [d.message for d in diagnostics.items]
    return build_machine(program, diagnostics)


@dataclass
class Beside:
    """The image of a program that polls, the search with its model, at its end, and one without, not begun."""

    image: CheckedImage
    program: Search
    model: Search

    def result(self, flash: bytes) -> ImageResult:
        image = CheckedImage(UNO, self.image.firmware, flash, "")
        check = ImageCheck(self.program, image, most_cycles=200_000, model=self.model)
        try:
            check.run()
            return check.result()
        finally:
            check.close()


@contextmanager
def searched(folder: Path, program_text: str, model_text: str) -> Iterator[Beside]:
    for name, text in (("Polled", program_text), ("Model", model_text)):
        (folder / f"{name}.lf").write_text(text)
    alone = machine_of(folder / "Polled.lf")
    with (
        closing(Search(machine_of(folder / "Polled.lf", folder / "Model.lf"), request_from(threads=1))) as model,
        closing(Search(alone, request_from(threads=1))) as program,
    ):
        model.run()
        firmware = build_firmware(UNO, alone)
        flash = flash_of(dict(firmware.image.flash), UNO.flash)
        yield Beside(CheckedImage(UNO, firmware, flash, ""), program, model)


@pytest.fixture(scope="module")
def beside(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Beside]:
    with searched(tmp_path_factory.mktemp("polled"), POLLED, MODEL) as found:
        yield found


def test_a_program_that_polls_without_bound(beside: Beside) -> None:
    """No state is left out, and no more values are tried than the model answers."""
    result = beside.result(beside.image.flash)
    assert (result.mismatches, result.stopped, result.sampled, result.with_model) == ([], "", False, True)
    size, composed = beside.program.machine.block_size, beside.model.all_blocks()
    assert len({b[:size] for b in composed}) <= result.states <= len(composed)
    places = Places(beside.image)
    of_loop = [at for line in (6, 7) for at in places.code_of_line(line) if at in result.code.instructions]
    assert of_loop and all(result.executed[at // 2] for at in of_loop)


@pytest.mark.parametrize(
    ("line", "bit", "kinds"),
    [
        (6, 7, {Kind.BAD_DEVICE, Kind.BAD_LOAD}),  # another register is asked
        (7, 1, {Kind.BAD_DEVICE, Kind.BAD_LOAD}),  # another one is read
        (7, 0, {Kind.BAD_DEVICE, Kind.BAD_LOAD}),
    ],
)
def test_a_changed_register_is_found(beside: Beside, line: int, bit: int, kinds: set[Kind]) -> None:
    """The second word of the load of a line."""
    flash, places = beside.image.flash, Places(beside.image)
    loads = [at for at in places.code_of_line(line) if "00C" in places.code(at)]
    assert loads
    found = beside.result(flipped(flash, loads[0] + 2, bit))
    assert {m.kind for m in found.mismatches} & kinds, [m.kind for m in found.mismatches]


@pytest.mark.parametrize("model", [CHOOSES, TWO_ANSWER], ids=["choice", "two answer"])
def test_each_answer_that_a_model_may_give_is_read(tmp_path: Path, model: str) -> None:
    """Also the second branch of a CHOICE: else what is done behind it could be anything."""
    with searched(tmp_path, CHOOSING, model) as choosing:
        flash = choosing.image.flash
        result = choosing.result(flash)
        assert (result.mismatches, result.stopped, result.sampled) == ([], "", False)
        assert agrees_where(result).endswith("in every state that its environment leads to")
        places = Places(choosing.image)
        writes = 1 + CHOOSING.splitlines().index("  PORTOUT(DATA, 99)")
        behind = [at for at in places.code_of_line(writes) if at in result.code.instructions]
        assert behind and all(result.executed[at // 2] for at in behind)
        stores = [at for at in behind if "00C8" in places.code(at)]
        found = choosing.result(flipped(flash, stores[0], 4))  # another register is written
        assert {m.kind for m in found.mismatches} == {Kind.BAD_DEVICE}


def test_states_without_values_have_no_answers(tmp_path: Path) -> None:
    for name, text in (("Polled", CHOOSING), ("Model", CHOOSES)):
        (tmp_path / f"{name}.lf").write_text(text)
    given = ("Polled.lf", "--env", "Model.lf", "-b", "uno", "--image", "--data", "symbolic")
    done = lfc("check", *given, cwd=tmp_path)
    assert done.exit == 2 and "what models answer to an image is known of states with values" in done.err, done.err


def test_every_byte_of_the_uart_driver_is_accounted_for(tmp_path: Path) -> None:
    """Each byte is executed, in a state of the model or, a routine of an interrupt, in a run; or it has a reason. What
    the simulator executes while the line does what the model may do is none of those that no state executes."""
    folder = ROOT / "examples" / "uart"
    given = ("UartReader.lf", "--path", "uno", "-b", "uno")
    beside = ("--env", "uno/UartModel.lf", "--image", "--coverage", tmp_path / "c.json")
    done = lfc("check", *given, *beside, "--json", "--threads", "1", "--no-record", cwd=folder)
    assert done.exit == 0, done.err
    told, c = json.loads(done.out), json.loads((tmp_path / "c.json").read_text())
    assert (told["verdict"], told["image_check"]["verdict"]) == ("holds", "agrees")
    assert lfc("build", *given, "-o", tmp_path / "u.elf", cwd=folder).exit == 0
    sent = bytes(n % 8 for n in range(100))
    simulation = Simulation(UNO, (tmp_path / "u.elf").read_bytes(), lambda _: None, Source(sent))
    assert isinstance(simulation.processor, Avr) and len(simulation.processor.flash) == c["bytes"]
    ran = (ctypes.c_uint8 * (c["bytes"] // 2 + 1))()
    simulation.processor.core.state.executed = ctypes.cast(ran, ctypes.POINTER(ctypes.c_uint8))
    simulation.run(UNO.cpu.clock // 10, None, False)
    kinds = {at: r["kind"] for r in c["runs"] for at in range(r["start"], r["end"])}
    assert sorted(kinds) == list(range(c["bytes"]))
    assert set(kinds.values()) <= {
        *("executed", "executed in a run", "never executed", "fault path", "start", "vector", "data", "filling")
    }
    by_run = {kinds[2 * word] for word in range(c["bytes"] // 2) if ran[word]}
    assert by_run == {"executed", "executed in a run", "start", "vector"}
    routines = {r["where"] for r in c["runs"] if r["kind"] == "executed in a run"}
    assert routines == {"__vector_18", "__vector_19", "send"}
    never = {r["where"] for r in c["runs"] if r["kind"] == "never executed"}
    assert never == {"function.Out.Int.3", "lf_step", "lf_port_idle"}


def test_what_only_other_bytes_lead_to_is_of_no_interrupt(tmp_path: Path) -> None:
    """Multiplication by software, in an action that no byte of the model leads to, but one of the run does."""
    polled = POLLED.replace("sum* : UINT8;", "sum* : UINT8; big : UINT32;")
    polled = polled.replace(
        "sum := sum + PORTIN(0C6H)", "sum := PORTIN(0C6H); IF sum > 100 THEN big := big * 77 * UINT32(sum) END"
    )
    polled = polled.replace("FOR i := 0 TO 2 DO", "PORTOUT(0C1H, 18H);\n  LOOP")
    model = MODEL.replace(
        "    END\n  END\nEND Registers",
        "      WHEN SYSTEM.IOPORT?PORTOUT(8, 0C1H, c) THEN\n    END\n  END\nEND Registers",
    )
    for name, text in (("Polled", polled), ("Model", model.replace("VAR ", "VAR c : UINT32; "))):
        (tmp_path / f"{name}.lf").write_text(text)
    given = ("Polled.lf", "--env", "Model.lf", "-b", "uno", "--image", "--coverage", "c.json")
    done = lfc("check", *given, cwd=tmp_path)
    assert done.exit == 0, done.err
    kinds = {r["where"]: r["kind"] for r in json.loads((tmp_path / "c.json").read_text())["runs"]}
    assert kinds["__mulsi3"] == "never executed"


def test_the_console_s_registers_are_the_program_s_where_it_reads_them(tmp_path: Path) -> None:
    (tmp_path / "Own.lf").write_text(
        "MODULE Own;\nIMPORT Out;\nVAR a : UINT8;\nBEGIN\n  a := PORTIN(0C0H);\n  RESCHEDULE;\n"
        "  IF a > 3 THEN Out.Char('x') END;\n  a := PORTIN(0C6H)\nEND Own.\n"
    )
    done = lfc("check", "Own.lf", "-b", "uno", "--image", cwd=tmp_path)
    assert done.exit == 0 and "agrees with the program in every state\n" in done.out, done.out
