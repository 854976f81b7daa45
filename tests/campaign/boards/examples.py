"""Every example that needs no hardware, under both schedulers, in the built-in simulator of boards, and here:

    python -m tests.campaign.boards.examples [--board NAME ...]

What is said and the state block at the end must be the same. It prints how many runs each board had.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from lfc.boards.descriptions.board import board_names, load_board
from lfc.boards.descriptions.simulated import BUILTIN, is_simulated
from lfc.boards.emulators.emulate import emulate
from lfc.boards.emulators.quiet import MEMORY, positions_of
from lfc.image.firmware import build_firmware
from lfc.toolchain.failure import ImageError
from tests.boards.emulators.ends import end_on_this_machine
from tests.differential.stepwise import machine_of
from tests.support.example_runs import EXPECTED, SCHEDULERS, input_of, program_of

SECONDS = 60.0  # of the board's time
TOO_LARGE = "does not fit"


def difference(name: str, expected: Path, scheduler: str) -> str | None:
    """None: there is none."""
    board, program, given = load_board(name), program_of(expected), input_of(expected)
    machine = machine_of(program)
    try:
        firmware = build_firmware(board, machine, scheduler)
    except ImageError as error:
        if TOO_LARGE in error.message:
            return TOO_LARGE
        raise
    quiet = positions_of(machine, firmware.block_offset)
    outcome = emulate(
        board, firmware.image.elf, BUILTIN, console_input=given, seconds=SECONDS, symbols=[MEMORY], quiet=quiet
    )
    found = (outcome.console, outcome.memory[MEMORY][firmware.block_offset :])
    if outcome.end != "quiet" or found != end_on_this_machine(program, scheduler, given):
        return f"{outcome.end}: {outcome.console!r}"
    return None


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    boards = {name: load_board(name) for name in board_names()}
    speak = [name for name, board in boards.items() if is_simulated(board) and board.console.is_there]
    parser.add_argument("--board", action="append", choices=speak)
    wrong = 0
    for name in parser.parse_args().board or speak:
        runs = too_large = 0
        for expected in EXPECTED:
            for scheduler in SCHEDULERS:
                told = difference(name, expected, scheduler)
                runs += told is None
                too_large += told == TOO_LARGE
                if told not in (None, TOO_LARGE):
                    wrong += 1
                    print(f"{name} {scheduler} {expected.stem}: {told}", flush=True)
        print(f"{name}: {runs} runs the same, {too_large} images too large", flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
