"""What programs take of boards: flash, RAM and cycles, beside a program over FreeRTOS that does the same.

    python -m bench.boards

All checks are on, and a fault is told on the wire. Ping-pong: two processes, one-byte messages, no console. Blink is
`examples/blink.lf`: two processes, Clock, two lights. RAM is without the stack, which stands beside it. Cycles of an
AVR are simavr's; those of the others are the built-in simulator's: of the processor alone, without waits for memory.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from lfc.actions.build import build_machine
from lfc.actions.layout.fields import block_fields
from lfc.actions.model.machine import Machine
from lfc.base import source
from lfc.boards.descriptions.board import Board, load_board
from lfc.boards.emulators.builtin import Simulation, Source, run_builtin
from lfc.boards.emulators.chips.cortexm import Cortexm
from lfc.boards.emulators.simavr import run_in_simavr
from lfc.diagnostics.model import Diagnostics
from lfc.front_end.load import check_source
from lfc.image.firmware import Firmware, build_firmware
from lfc.toolchain.elf import read_sizes

BLINK = Path(__file__).resolve().parent.parent / "examples" / "blink.lf"
CORTEX_M3 = "lm3s6965evb"  # whose instructions are counted
BOARDS = ("uno", "mega2560", "microbit", "stm32vldiscovery", "hifive1", "ch32v003evt")
PINGPONG = """MODULE PingPong;
TYPE Ball = [ball(UINT8)];
PORT there, back : Ball;

PROCESS Ping;
VAR n : UINT8;
BEGIN
  LOOP there!ball(n); back?ball(n) END
END Ping;

PROCESS Pong;
VAR n : UINT8;
BEGIN
  LOOP there?ball(n); INC(n); back!ball(n) END
END Pong;

BEGIN
  NEW(there); NEW(back); CREATE Ping; CREATE Pong
END PingPong.
"""
NEWS = "NEW(there); NEW(back)"
FORMS = {  # of ping-pong
    "ping-pong": PINGPONG,
    "NEW behind others": PINGPONG.replace("PORT", "VAR x : UINT8;\nPORT").replace(
        NEWS, "INC(x); IF x = 2 THEN x := 1 END; NEW(there); INC(x); NEW(back)"
    ),
    "an array of ports": PINGPONG.replace("PORT there, back : Ball", "VAR i : UINT8;\nPORT c : ARRAY 2 OF Ball")
    .replace(NEWS, "FOR i := 0 TO 1 DO NEW(c[i]) END")
    .replace("there", "c[0]")
    .replace("back", "c[1]"),
}
RING = """MODULE Ring;
CONST N = {n};
TYPE Ball = [ball(UINT8)];
VAR i, passed : UINT8;
PORT c : ARRAY N OF Ball;

PROCESS Node(in, out : Ball);
VAR n : UINT8;
BEGIN
  LOOP in?ball(n); INC(passed); out!ball(n) END
END Node;

PROCESS Start(out : Ball);
BEGIN
  out!ball(0)
END Start;

BEGIN
  FOR i := 0 TO N - 1 DO NEW(c[i]) END;
  FOR i := 0 TO N - 1 DO CREATE Node(c[i], c[(i + 1) MOD N]) END;
  CREATE Start(c[0])
END Ring.
"""
STAGES = 8
PIPELINE = f"""MODULE Pipeline;
TYPE Item = [item(UINT8)];
VAR i, passed : UINT8;
PORT c : ARRAY {STAGES + 1} OF Item;

PROCESS Source(out : Item);
VAR n : UINT8;
BEGIN
  LOOP out!item(n); INC(n) END
END Source;

PROCESS Stage(in, out : Item);
VAR n : UINT8;
BEGIN
  LOOP in?item(n); out!item(n) END
END Stage;

PROCESS Sink(in : Item);
VAR n : UINT8;
BEGIN
  LOOP in?item(n); INC(passed) END
END Sink;

BEGIN
  FOR i := 0 TO {STAGES} DO NEW(c[i]) END;
  CREATE Source(c[0]);
  FOR i := 0 TO {STAGES - 1} DO CREATE Stage(c[i], c[i + 1]) END;
  CREATE Sink(c[{STAGES}])
END Pipeline.
"""
RINGS = ("mega2560", "pico")
PIPELINES = ("uno", "pico")
SIZES = (2, 8, 32, 128)  # of rings
FREERTOS = "FreeRTOS on the ATmega328P (two tasks, two queues; measured elsewhere)"
FREERTOS_FLASH, FREERTOS_RAM, FREERTOS_CYCLES = 4942, 600, 3013
STARTED = 5_000_000  # cycles: with a clock that never answers
INSTRUCTIONS = 10_000
WARM_UP = 100_000  # cycles
RING_STARTS = 1_000_000  # cycles, in which all of a ring are made
ROUND_TRIPS, COMMUNICATIONS = 30_000, 20_000  # in which fewer than 256 are counted
WINDOWS = 10
PIPELINE_FULL, ITEMS = 200_000, 200_000  # cycles


@dataclass(frozen=True, slots=True)
class Footprint:
    flash: int
    ram: int  # without the stack
    stack: int  # at its deepest, interrupts included


def compiled(text: str) -> Machine:
    found = Diagnostics()
    program = check_source(source.Source("Bench.lf", text), found)
    assert program is not None and not found.has_errors
    return build_machine(program, found, with_environment=False)


def footprint(firmware: Firmware) -> Footprint:
    sizes = read_sizes(firmware.image.elf)
    return Footprint(sizes.flash, sizes.ram, firmware.stack.total)


def cycles_of_a_round_trip(board: Board, machine: Machine, firmware: Firmware) -> float:
    """By the number that Pong counts up in each round."""
    return _cycles_of_one(board, machine, firmware, ("PingPong.Pong[0]", "n"), WARM_UP, ROUND_TRIPS)


def cycles_of_a_communication(board: Board, machine: Machine, firmware: Firmware) -> float:
    """In a ring, while the ball goes round more than once."""
    return _cycles_of_one(board, machine, firmware, ("Ring", "passed"), RING_STARTS, COMMUNICATIONS, WINDOWS)


def cycles_of_an_item(board: Board, machine: Machine, firmware: Firmware) -> float:
    """Through the pipeline, while it is full."""
    return _cycles_of_one(board, machine, firmware, ("Pipeline", "passed"), PIPELINE_FULL, ITEMS)


def _cycles_of_one(
    board: Board,
    machine: Machine,
    firmware: Firmware,
    counter: tuple[str, str],
    begin: int,
    measured: int,
    windows: int = 1,
) -> float:
    at = next(f.offset for f in block_fields(machine.layout) if (f.owner, f.name) == counter)

    def after(cycles: int) -> tuple[int, int]:
        run = run_builtin if board.emulator.simavr is None else run_in_simavr
        outcome = run(board, firmware.image.elf, seconds=cycles / board.cpu.clock, symbols=("lf_memory",))
        assert outcome.cycles is not None
        return outcome.memory["lf_memory"][firmware.block_offset + at], outcome.cycles

    seen = [after(begin + i * measured) for i in range(windows + 1)]
    counted = sum((last - first) % 256 for (first, _), (last, _) in pairwise(seen))
    return (seen[-1][1] - seen[0][1]) / counted


def instructions_of_a_round_trip(board: Board, machine: Machine, firmware: Firmware) -> float:
    """On a Cortex-M."""
    at = next(f.offset for f in block_fields(machine.layout) if (f.owner, f.name) == ("PingPong.Pong[0]", "n"))
    simulation = Simulation(board, firmware.image.elf, lambda _: None, Source())
    simulation.run(STARTED, None, False)
    assert isinstance(simulation.processor, Cortexm)

    def counted() -> int:
        return simulation.memory("lf_memory")[firmware.block_offset + at]

    first = counted()
    for _ in range(INSTRUCTIONS):
        simulation.processor.core.step()
    return INSTRUCTIONS / ((counted() - first) % 256)


def bytes_of_a_process(board: Board) -> int:
    """What one more process takes of the RAM beside its variable."""

    def ram(processes: int) -> int:
        made = "; ".join(["CREATE Worker"] * processes)
        text = "MODULE Many;\nPROCESS Worker;\nVAR n : UINT8;\nBEGIN LOOP INC(n); RESCHEDULE END END Worker;\n"
        return footprint(build_firmware(board, compiled(f"{text}BEGIN {made} END Many.\n"))).ram

    return (ram(24) - ram(8)) // 16 - 1


def report() -> str:
    lines = [f"{'':48}{'flash':>8}{'RAM':>8}{'stack':>8}{'cycles':>8}"]

    def row(name: str, values: tuple[object, ...]) -> None:
        lines.append(f"{name:48}" + "".join(f"{'-' if v is None else v!s:>8}" for v in values))

    forms = {name: compiled(text) for name, text in FORMS.items()}
    blink = compiled(BLINK.read_text(encoding="utf-8"))
    for name in BOARDS:
        board = load_board(name)
        for form, machine in forms.items():
            built = build_firmware(board, machine)
            f = footprint(built)
            cycles = round(cycles_of_a_round_trip(board, machine, built))
            row(f"{form}, {name}", (f.flash, f.ram, f.stack, cycles))
        if board.cpu.architecture == "avr":  # its lights are registers of AVR
            f = footprint(build_firmware(board, blink))
            row(f"blink, {name}", (f.flash, f.ram, f.stack, None))
        lines.append(f"a process, {name}: {bytes_of_a_process(board)} bytes beside its variables")
    board = load_board(CORTEX_M3)
    for form, machine in forms.items():
        built = build_firmware(board, machine)
        f = footprint(built)
        count = round(instructions_of_a_round_trip(board, machine, built))
        row(f"{form}, {CORTEX_M3}, instructions", (f.flash, f.ram, f.stack, count))
    f = footprint(build_firmware(load_board("pico"), forms["ping-pong"]))
    row("ping-pong, pico", (f.flash, f.ram, f.stack, None))
    for name in RINGS:
        board = load_board(name)
        for n in SIZES:
            ring = compiled(RING.format(n=n))
            built = build_firmware(board, ring)
            f = footprint(built)
            cycles = round(cycles_of_a_communication(board, ring, built))
            row(f"a ring of {n}, {name}", (f.flash, f.ram, f.stack, cycles))
    pipeline = compiled(PIPELINE)
    for name in PIPELINES:
        board = load_board(name)
        built = build_firmware(board, pipeline)
        f = footprint(built)
        row(
            f"a pipeline of {STAGES}, {name}",
            (f.flash, f.ram, f.stack, round(cycles_of_an_item(board, pipeline, built))),
        )
    lines.append(f"{FREERTOS}: {FREERTOS_FLASH} bytes of flash, over {FREERTOS_RAM} of RAM, {FREERTOS_CYCLES} cycles")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    print(report(), end="")
