"""The campaign of compiled programs on emulated boards against this machine. The full quota:

    python -m tests.campaign.boards.on_boards --board microbit --emulator qemu --count 200 --seed 1

Each generated program runs here and on the board, round-robin. Both must say the same, end in the same way (of a fault:
the same one, at the same place), and, if it is no fault, in the same state block. Of programs that go on for ever,
a traced image does the first steps, and the blocks are compared after each. Seeds go on until `--count` programs have
run: those that do not fit the board or have an action without end are counted, and others come in their place.
"""

from __future__ import annotations

import argparse
import sys
import traceback
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from lfc.actions.as_data import program_digest
from lfc.actions.model.machine import Machine
from lfc.base.source import Source
from lfc.boards.descriptions.board import Board, load_board
from lfc.boards.descriptions.simulated import BUILTIN
from lfc.boards.emulators.line import line_of_emulator
from lfc.boards.emulators.live import Terminal, run_live
from lfc.boards.emulators.quiet import MEMORY, positions_of
from lfc.boards.serial.console import ConsoleStream, WireFault
from lfc.codegen.module.generated import Generated
from lfc.codegen.program import generate as compile_machine
from lfc.hil.conform import Conduct, conform
from lfc.hil.host_side import HostSide, difference_lines
from lfc.hil.session import BoardSession
from lfc.image.firmware import build_firmware
from lfc.run.native import host_target
from lfc.run.running import Fault, HostRun, Mode
from lfc.run.session import Console, End, Session
from lfc.toolchain.failure import ImageError
from tests.differential.stepwise import Rejected, machine_of_source
from tests.generate.general.program import Profile, generate
from tests.support.seeds import add_seed, parsed

ALONE = Profile(inputs=False, interrupts=False, time=False)
MOST_STEPS = 20_000
SECONDS = 20.0  # of the board's time in simavr, of this machine's in QEMU
GOES_ON = "goes on"
STEPS_TRACED = 300  # of a program that goes on for ever
NO_LINE = "goes on, and the simulator takes no traced image"
LEFT_OUT = ("rejected", "crash", "endless", "too large", NO_LINE)
ENDLESS = 12  # a fault of this machine only


@dataclass(slots=True)
class Result:
    ends: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)

    @property
    def ran(self) -> int:
        return sum(n for end, n in self.ends.items() if end not in LEFT_OUT)


def try_seeds(board: Board, emulator: str, seeds: Iterable[int], count: int | None = None) -> Result:
    """Until `count` of them have run on the board."""
    result = Result()
    for seed in seeds:
        if count is not None and result.ran >= count:
            break
        text = generate(seed, ALONE).text
        try:
            end, difference = compare(board, emulator, text)
        except Rejected:  # which is for the campaign `differential` to report
            end, difference = "rejected", None
        except Exception:
            end, difference = "crash", traceback.format_exc(limit=-3)
        result.ends[end] += 1
        if difference is not None:
            result.failures.append(f"{seed}: {difference}")
    return result


def compare(board: Board, emulator: str, text: str) -> tuple[str, str | None]:
    """How the program ended here, and what is different on the board."""
    machine = machine_of_source(Source("Program.lf", text))
    here = compile_machine(machine, host_target())
    run = HostRun(here, 2, Mode.ROUND_ROBIN)
    said: list[bytes] = []
    end = Session(run, Console(said.append), virtual_clock=True, most_steps=MOST_STEPS).go()
    if end is End.FAULT:
        if run.fault.kind == ENDLESS:
            return "endless", None
    elif end not in (End.ENDED, End.BLOCKED, End.LIMIT):
        return end.value, None
    try:
        if end is End.LIMIT and emulator == BUILTIN:  # it has no line for a traced image
            return NO_LINE, None
        if end is End.LIMIT:
            return GOES_ON, first_steps(board, emulator, machine)
        firmware = build_firmware(board, machine)
    except ImageError as error:
        if "does not fit" in error.message:
            return "too large", None
        raise
    stream, told = ConsoleStream(), bytearray()
    outcome = run_live(
        board,
        firmware.image.elf,
        emulator,
        Terminal(lambda b: told.extend(stream.feed(b))),
        positions_of(machine, firmware.block_offset),
        real_time=False,
        seconds=SECONDS,
    )
    told.extend(stream.rest())
    wanted: tuple[object, ...] = ("quiet", b"".join(said), None)
    if end is End.FAULT:
        wanted = ("halted", b"".join(said), place_of(here, run.fault))
    found = (outcome.end, bytes(told), stream.fault and place_of(firmware.generated, stream.fault))
    if found != wanted:
        return end.value, f"here {wanted}, there {found}"
    block = outcome.memory[MEMORY][firmware.block_offset :]
    if end is not End.FAULT and block != run.block:
        return end.value, f"block here {run.block.hex()}, there {block.hex()}"
    return end.value, None


def first_steps(board: Board, emulator: str, machine: Machine) -> str | None:
    """What is different in them."""
    firmware, host = build_firmware(board, machine, trace=True), HostSide(machine, "rr")
    with line_of_emulator(board, firmware.image.elf, emulator) as line:
        session = BoardSession(line)
        session.greet(program_digest(machine).hex(), machine.layout.size, "rr")
        conduct = Conduct(STEPS_TRACED, 5 * SECONDS)
        result = conform(session, host, firmware.generated.sites, conduct)
    if (result.verdict, result.end) == ("agrees", "limit"):
        return None
    told = difference_lines(result.difference, "Program.lf") if result.difference else [result.reason]
    return f"{result.verdict} {result.end} after {result.steps} steps: {'; '.join(told)}"


def place_of(generated: Generated, fault: Fault | WireFault) -> tuple[object, ...]:
    """A fault without the number of its site: this machine has sites that a board has not."""
    site = generated.sites[fault.site]
    return site.span, site.text, fault.kind, fault.first, fault.second


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--board", default="microbit")
    parser.add_argument("--emulator", default="qemu")
    parser.add_argument("--count", type=int, default=200)
    add_seed(parser)
    options = parsed(parser)
    first = options.seed * 1_000_000
    board = load_board(options.board)
    result = try_seeds(board, options.emulator, range(first, first + 10 * options.count), options.count)
    print(f"{sum(result.ends.values())} programs, {result.ran} ran; they end: {dict(result.ends.most_common())}")
    print(*result.failures, sep="\n")
    sys.exit(1 if result.failures else 0)


if __name__ == "__main__":
    main()
