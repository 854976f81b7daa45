"""Runs by chance on emulated boards, there and back: n steps on and n back is the same block, read from the board's own
memory. The full quota:

    python -m tests.campaign.debugger.on_boards --board uno --count 200 --seed 1
    python -m tests.campaign.debugger.on_boards --board microbit --count 200 --seed 1

In every second run the board decides, in the others this machine does, by chance. Forwards the blocks must be those of
the compiled program alone on this machine. Programs that do not fit the board are left out.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from contextlib import closing
from functools import cache
from itertools import count

from lfc.actions.as_data import program_digest
from lfc.actions.model.machine import Machine
from lfc.base.source import Source
from lfc.boards.descriptions.simulated import emulators_of
from lfc.boards.emulators.line import line_of_emulator
from lfc.codegen.module.generated import Generated
from lfc.codegen.program import generate as code_of
from lfc.debugger.on_board import BoardStepper
from lfc.hil.stepped import SteppedBoard
from lfc.image.firmware import Firmware
from lfc.run.native import host_target
from lfc.run.running import HostRun, Mode, Status
from lfc.toolchain.failure import ImageError
from tests.campaign.boards.on_boards import ALONE
from tests.campaign.debugger.there_and_back import alone
from tests.differential.stepwise import Rejected, machine_of_source
from tests.generate.general.program import generate
from tests.hil.boards import board_named, traced
from tests.support.seeds import add_seed, parsed

RUNS_OF_ONE = 10  # of one program
STEPS = 60
WAYS = 3  # there and back, of each run
MODES = (Mode.ROUND_ROBIN, Mode.RANDOM)


@cache
def program(number: int, board: str) -> tuple[Machine, Generated, Firmware] | None:
    """None: no program, or it does not fit."""
    try:
        machine = machine_of_source(Source("Program.lf", generate(number, ALONE).text))
        return machine, code_of(machine, host_target()), traced(board, machine)
    except Rejected:
        return None
    except ImageError as error:
        if "does not fit" not in error.message:
            raise
        return None


def stepped(board: str, machine: Machine, elf: bytes) -> SteppedBoard:
    here = board_named(board)
    emulator = emulators_of(here)[0]
    hello = (program_digest(machine).hex(), machine.layout.size, "rr")
    return SteppedBoard(lambda: line_of_emulator(here, elf, emulator), hello, False)


def one_run(seed: int, board: str, machine: Machine, generated: Generated, firmware: Firmware) -> str:
    """How it ends; any difference is a failure."""
    mode, chance = MODES[seed % 2], random.Random(seed)
    text = bytes(chance.randrange(32, 127) for _ in range(20))
    expected = alone(HostRun(generated, 1, mode, seed), text)
    run = HostRun(generated, 1, mode, seed)
    with closing(BoardStepper(run, stepped(board, machine, firmware.image.elf), firmware.generated.sites)) as stepper:
        stepper.feed(text)
        blocks, status = [stepper.block], Status.RAN
        while len(blocks) <= STEPS and status is Status.RAN:
            status, _ = stepper.forward()
            if status is Status.RAN:
                blocks.append(stepper.block)
        assert blocks == expected, f"{seed}: another run than on this machine alone"
        stepper.go_to(stepper.at)  # the step that faults is undone by the first step back
        for _ in range(WAYS):
            there_and_back(stepper, blocks, chance)
    return status.name


def there_and_back(stepper: BoardStepper, blocks: list[bytes], chance: random.Random) -> None:
    here, n = stepper.at, chance.randrange(stepper.at + 1)
    for _ in range(n):
        assert stepper.back()
    stepper.settle()
    assert stepper.board.at == here - n and stepper.board.block() == blocks[here - n]
    for k in range(chance.randrange(n + 1)):
        assert stepper.forward()[0] is Status.RAN and stepper.block == blocks[here - n + k + 1]
    assert stepper.board.block() == blocks[stepper.at]


def campaign(board: str, runs: int, seed: int, of_one: int = RUNS_OF_ONE) -> Counter[str]:
    ends: Counter[str] = Counter()
    for number in count(seed * 1_000_003):
        found = program(number, board)
        if found is None:
            continue
        for n in range(min(of_one, runs - ends.total())):
            ends[one_run(number * RUNS_OF_ONE + n, board, *found)] += 1
        if ends.total() == runs:
            return ends
    raise AssertionError


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--board", default="uno")
    parser.add_argument("--count", type=int, default=200)
    add_seed(parser)
    options = parsed(parser)
    for how, times in sorted(campaign(options.board, options.count, options.seed).items()):
        print(f"{times:6}  {how}")


if __name__ == "__main__":
    main()
