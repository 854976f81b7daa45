"""Runs of states that symmetry keeps, as the program goes them: a cycle is gone round until it closes in the program.

In the states that are kept a cycle comes back when all is as before but for who is which instance. Each further
round exchanges them once more, and since there are only so many ways to do so, one comes back to where an earlier
one was.
"""

from __future__ import annotations

import ctypes
from dataclasses import replace

from lfc.mcheck.engine.abi import STAYS
from lfc.mcheck.properties.emptiness import Lasso
from lfc.mcheck.search.search import Search

MOST_STEPS = 20_000


class TooLong(Exception):
    """It does not close within MOST_STEPS."""


def as_the_program_goes(search: Search, lasso: Lasso) -> tuple[Lasso, list[bytes], list[int]]:
    """The lasso with the rounds that it takes; the blocks along it, of a cycle with the first of it once more at the
    end; and the slot whose each step is. Raises TooLong."""
    ordinals = [ordinal for _, _, ordinal in lasso.steps]
    if STAYS in ordinals:
        return lasso, *run_along(search, ordinals[: ordinals.index(STAYS)])
    round_length, rounds = len(ordinals) - lasso.prefix, 1
    while lasso.prefix + rounds * round_length <= MOST_STEPS:
        blocks, slots = run_along(search, ordinals[: lasso.prefix] + ordinals[lasso.prefix :] * rounds)
        earlier: dict[bytes, int] = {}
        for end in range(lasso.prefix, len(blocks), round_length):
            begin = earlier.setdefault(blocks[end], end)
            if begin < end:
                steps = lasso.steps[: lasso.prefix] + lasso.steps[lasso.prefix :] * rounds
                return replace(lasso, prefix=begin, steps=steps[:end]), blocks[: end + 1], slots[:end]
        rounds *= 2
    raise TooLong(f"its cycle does not close within {MOST_STEPS:,} steps")


def run_along(search: Search, ordinals: list[int]) -> tuple[list[bytes], list[int]]:
    """From the initial state, by the numbers of the steps that lead on."""
    library, size, count = search.library, search.block_size, len(ordinals)
    room = ctypes.create_string_buffer((count + 1) * size)
    slots = ((ctypes.c_uint16 if search.machine.wide else ctypes.c_uint8) * max(1, count))()
    numbers = (ctypes.c_uint32 * max(1, count))(*ordinals)
    if not library.mc_symmetric_run(search.engine, numbers, count, room, slots):
        raise RuntimeError("a step that is kept is not there in the program")
    return [room.raw[i * size : (i + 1) * size] for i in range(count + 1)], list(slots[:count])
