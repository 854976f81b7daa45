"""The ATtiny85: no multiplier, no far jumps, no UART. What runs on it takes the steps of this machine."""

from __future__ import annotations

import shlex
from functools import cache
from pathlib import Path

import pytest

from lfc.actions.build import build_machine
from lfc.actions.model.machine import Machine
from lfc.base.source import Source
from lfc.boards.descriptions.board import BoardError, load_board, load_board_file
from lfc.boards.emulators.builtin import Simulation
from lfc.boards.emulators.builtin import Source as Input
from lfc.boards.emulators.chips.avr import Avr
from lfc.boards.emulators.chips.console import NEVER, Happened
from lfc.boards.emulators.emulate import emulate
from lfc.boards.emulators.quiet import MEMORY
from lfc.boards.emulators.simavr import run_in_simavr
from lfc.boards.flash.programmer import command_for
from lfc.codegen.program import generate
from lfc.diagnostics.model import Diagnostics
from lfc.front_end.chip_modules import chip_modules
from lfc.image.firmware import Firmware, build_firmware
from lfc.isa.avr.code import decode
from lfc.link.link import NEAR, code_size
from lfc.run.native import host_target
from lfc.run.running import HostRun, Status
from lfc.semantics.analyse import analyse
from lfc.toolchain.elf import flash_content, read_symbols
from lfc.toolchain.failure import ImageError
from tests.conftest import ROOT
from tests.mcheck.image.images import built
from tests.support.example_runs import SCHEDULERS

TINY = load_board("attiny85")
WITHOUT_CONSOLE = ("mutex", "peterson2", "peterson3", "peterson4", "philosophers")
STEPS = 400
both = pytest.mark.parametrize("emulator", ["simavr", "builtin"])


@cache
def machine_for_tiny(text: str) -> Machine:
    diagnostics = Diagnostics()
    program = analyse(Source("T.lf", text), diagnostics, chip=chip_modules(TINY))
    assert program is not None and not diagnostics.has_errors, [d.message for d in diagnostics.items]
    return build_machine(program, diagnostics)


@cache
def firmware_for_tiny(text: str) -> tuple[Machine, Firmware]:
    machine = machine_for_tiny(text)
    return machine, build_firmware(TINY, machine)


def last_block(machine: Machine) -> bytes:
    """Of this machine."""
    run = HostRun(generate(machine, host_target(), "rr"), 2, SCHEDULERS["rr"])
    while run.step() is Status.RAN:
        pass
    return run.block


def blocks_on_board(firmware: Firmware) -> list[bytes]:
    """Before each pass of the kernel's loop, without repetitions."""
    simulation = Simulation(TINY, firmware.image.elf, lambda _: None, Input())
    chip = simulation.processor
    assert isinstance(chip, Avr)
    chip.stop_at(read_symbols(firmware.image.elf)["lf_step"])
    found: list[bytes] = []
    while len(found) < STEPS:
        simulation._come_due()
        happened = chip.run(max(1, min(chip.next_due(), chip.cycles + 100_000) - chip.cycles))
        if happened is Happened.HALTED:
            block = simulation.memory(MEMORY)[firmware.block_offset :]
            found += [block] * (found[-1:] != [block])
            chip.core.library.avr_step_once(chip.core.state)
        elif happened is Happened.SLEPT:
            if chip.next_due() == NEVER:
                break
            chip.skip_to(chip.next_due())
        else:
            assert happened is Happened.RAN
    return found


def blocks_on_host(machine: Machine, scheduler: str) -> list[bytes]:
    run = HostRun(generate(machine, host_target(), scheduler), 2, SCHEDULERS[scheduler])
    found = [run.block]
    while len(found) < STEPS and run.step() is Status.RAN:
        found += [run.block] * (found[-1] != run.block)
    return found


@pytest.mark.parametrize("scheduler", SCHEDULERS)
@pytest.mark.parametrize("name", WITHOUT_CONSOLE)
def test_the_steps_of_this_machine(name: str, scheduler: str) -> None:
    machine = machine_for_tiny((ROOT / "examples" / f"{name}.lf").read_text())
    here, there = blocks_on_host(machine, scheduler), blocks_on_board(build_firmware(TINY, machine, scheduler))
    assert len(here) > 20 and there == here


@pytest.mark.parametrize("name", ["mutex", "gpio_blink"])
def test_images_agree(name: str) -> None:
    with built(ROOT / "examples" / f"{name}.lf", "attiny85") as b:
        result = b.check()
        assert not result.mismatches and not result.stopped
        assert result.stack <= b.firmware.stack.main


# Products and quotients of every width, of numbers that follow each other by a product themselves.
NUMBERS = """MODULE T;
VAR a : UINT8; b : UINT16; c, seed : UINT32; x, y, z : INTEGER; n : UINT16;
PROCESS Next;
BEGIN
  seed := seed * 1664525 + 1013904223;
  a := a * UINT8(seed DIV 65536 MOD 256) + 7;
  b := b * UINT16(seed DIV 256 MOD 65536) + UINT16(a);
  c := c * seed + UINT32(b) * UINT32(a) + seed DIV (UINT32(b) + 1);
  x := INTEGER(seed DIV 65536) - 32768;
  y := INTEGER(b) - 32768;
  z := z MOD 1000 + x * y DIV 17 - x MOD 3
END Next;
BEGIN
  seed := 42;
  FOR n := 1 TO 500 DO Next END;
  x := FIRST; y := SECOND;
  z := x * y;
  a := 1
END T.
"""


@both
@pytest.mark.parametrize(
    ("first", "second"),
    [(46341, 46341), (46340, -46341), (-65536, 32768), (-65536, -32768), (65537, -65537), (-1, -2147483648)],
)
def test_products_without_a_multiplier(first: int, second: int, emulator: str) -> None:
    """As on this machine, the products that overflow included: those stop the board as a fault stops it here."""
    machine, firmware = firmware_for_tiny(NUMBERS.replace("FIRST", str(first)).replace("SECOND", str(second)))
    outcome = emulate(TINY, firmware.image.elf, emulator, seconds=2, symbols=[MEMORY])
    assert outcome.memory[MEMORY][firmware.block_offset :] == last_block(machine)
    assert (outcome.end == "halted") == (not -(2**31) <= first * second < 2**31)


FAR = """MODULE T;
VAR x, y : UINT32;
BEGIN
  x := 1;
{statements}
END T.
"""


@both
def test_a_program_of_more_than_4_kb_goes_round_the_end_of_the_flash(emulator: str) -> None:
    statements = "".join(f"  x := x * {i + 3} + y DIV {i + 5}; y := y + x * {7 * i + 9};\n" for i in range(70))
    machine, firmware = firmware_for_tiny(FAR.format(statements=statements))
    flash = flash_content(firmware.image.elf, 0)
    jumps = [at for at in range(0, len(flash) - 1, 2) if _is_relative(flash, at)]
    far = [at for at in jumps if abs(decode(flash, at).target - at) > NEAR]
    assert code_size(firmware.image.elf) > NEAR and far
    outcome = emulate(TINY, firmware.image.elf, emulator, seconds=1, symbols=[MEMORY])
    assert outcome.memory[MEMORY][firmware.block_offset :] == last_block(machine)


def _is_relative(flash: bytes, at: int) -> bool:
    return flash[at + 1] >> 5 == 0b110  # RJMP, RCALL


EDGES = """MODULE T;
IMPORT Clock, Edge, GPIO{imports};
VAR ups, downs : INTEGER; high : BOOLEAN;
PORT line : Edge.Line;
BEGIN
  {first}NEW(line);
  GPIO.Configure(GPIO.BUTTON, GPIO.input);
  CREATE Edge.Watch(GPIO.BUTTON, Edge.both, line);
  LOOP line?edge(high); IF high THEN INC(ups) ELSE INC(downs) END END
END T.
"""


@pytest.mark.parametrize(("imports", "first"), [("", ""), (", Power", "Power.Deep(TRUE);\n  ")])
def test_pins_interrupt(imports: str, first: str) -> None:
    """Asleep with its clock on, and deeply."""
    machine = machine_for_tiny(EDGES.format(imports=imports, first=first))
    firmware = build_firmware(TINY, machine)
    outcome = run_in_simavr(TINY, firmware.image.elf, seconds=2, symbols=[MEMORY], signal="B:2:800000:3")
    assert variables(machine, firmware, outcome.memory[MEMORY], "ups", "downs") == [3, 3]


def variables(machine: Machine, firmware: Firmware, memory: bytes, *names: str) -> list[int]:
    at = {v.name: firmware.block_offset + o for v, o in machine.layout.variables.items()}
    return [int.from_bytes(memory[at[n] : at[n] + 4], "little") for n in names]


VOLTAGES = """MODULE T;
IMPORT ADC;
VAR a, b, c : INTEGER; v : UINT16;
BEGIN
  ADC.Read(1, v); a := INTEGER(v);
  ADC.Read(2, v); b := INTEGER(v);
  ADC.Read(3, v); c := INTEGER(v)
END T.
"""


def test_voltages_are_converted() -> None:
    machine = machine_for_tiny(VOLTAGES)
    firmware = build_firmware(TINY, machine)
    voltages = {1: 0, 2: 2500, 3: 4000}
    outcome = run_in_simavr(TINY, firmware.image.elf, seconds=0.2, symbols=[MEMORY], voltages=voltages)
    read = variables(machine, firmware, outcome.memory[MEMORY], "a", "b", "c")
    assert all(abs(r - mv * 1024 // 5000) <= 1 for r, mv in zip(read, voltages.values(), strict=True)), read


def test_time_passes_alike() -> None:
    """A light that is switched each 500 ms, and one each 150 ms: in both simulators as often as it should."""
    text = (ROOT / "examples" / "gpio_blink.lf").read_text()
    firmware = build_firmware(TINY, machine_for_tiny(text))
    seen: list[tuple[int, bool]] = []

    def told(_: int, pin: int, level: bool | None) -> None:
        seen.append((pin, bool(level)))

    simulation = Simulation(TINY, firmware.image.elf, lambda _: None, Input(), told)
    simulation.run(int(1.31 * TINY.cpu.clock), None, False)
    high = {pin: [on for p, on in seen if p == pin][1:] for pin in (16, 17)}
    assert high == {17: [True, False, True], 16: [True, False] * 4}
    outcome = run_in_simavr(TINY, firmware.image.elf, seconds=1.31, registers=(0x37, 2))
    assert outcome.registers == bytes([0b11, 0b10])  # DDRB, PORTB


WORKER = """PROCESS P{0};
VAR x : INTEGER;
BEGIN
  LOOP x := x * {1} + a DIV (x MOD 7 + {2}); RESCHEDULE; a := x END
END P{0};
"""


def test_of_a_program_that_is_too_long_no_stack_is_told() -> None:
    """Its jumps do not reach where they lead: a stack read off them was 262,152 bytes."""
    workers = "".join(WORKER.format(i, i + 3, i + 2) for i in range(25))
    created = "".join(f"  CREATE P{i};\n" for i in range(25))
    with pytest.raises(ImageError) as why:
        firmware_for_tiny(f"MODULE T;\nVAR a : INTEGER;\n{workers}BEGIN\n{created}  a := 1\nEND T.\n")
    assert why.value.message == "the program does not fit attiny85"
    assert " more than the 8192 available" in why.value.detail and "RAM" not in why.value.detail


@pytest.mark.parametrize(
    ("text", "trace", "told"),
    [
        ("IMPORT Out; BEGIN Out.Ln", False, "the program writes to it"),
        ("IMPORT In; VAR c : CHAR; BEGIN In.Char(c)", False, "the program reads from it"),
        ("VAR x : UINT8; BEGIN x := 1", True, "the program would tell on it what it does, since the image is traced"),
    ],
)
def test_it_has_no_console(text: str, trace: bool, told: str) -> None:
    with pytest.raises(ImageError, match="the board attiny85 has no console") as caught:
        build_firmware(TINY, machine_for_tiny(f"MODULE T; {text} END T."), trace=trace)
    assert caught.value.detail.startswith(told)


def test_it_has_no_uart() -> None:
    diagnostics = Diagnostics()
    source = Source("T.lf", "MODULE T; IMPORT UART; BEGIN UART.Start(9600) END T.")
    analyse(source, diagnostics, chip=chip_modules(TINY))
    why = "`UART` knows no serial line of the board attiny85"
    assert [d.message for d in diagnostics.items] == [f"there is no module `ChipSerial`: {why}"]


def test_it_is_flashed_by_avrdude(tmp_path: Path) -> None:
    command = ["avrdude", "-p", "attiny85", "-c", "usbasp", "-U", "flash:w:a b.hex:i"]
    assert shlex.split(command_for(TINY, "a b.elf")) == command
    for wrong in ("-Uflash", "usb asp", ""):
        (tmp_path / "own.toml").write_text(f'inherits = "attiny85"\nflash.programmer = "{wrong}"\n')
        with pytest.raises(BoardError, match="flash.programmer.*must be a name of avrdude's"):
            load_board_file(tmp_path / "own.toml")
