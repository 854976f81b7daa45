"""The campaign of updates in the field: on simulated chips the power is lost at each write of the flash, from the first
byte of an update to the report of its image. The full quota:

    python -m tests.campaign.hostile.updates

After each the board starts the old image or the new one, whole, and takes the update again. `--every N`: at each Nth;
`--all`: at each in all five ways, else in one after another.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter

from lfc.update.send import send_update
from tests.campaign.hostile import apart
from tests.update.boards import made, update, what_runs
from tests.update.chips import LEAVES, Flash, Powered

BOARDS = ("uno_update", "bluepill_update")
ONE, TWO = b"version 1\n", b"version 2\n"
ENDS = ("the old image", "the new image", "wrong")
AGAIN = 16  # how many losses of power to one after which the update is sent again


def with_the_old_one(name: str) -> bytes:
    there = made(name)
    flash = there.flash()
    send_update(Powered(there.board, flash), there.layout, update(name, 1))
    assert what_runs(name, flash) == ONE
    return bytes(flash.content)


def updated(name: str, flash: Flash) -> bytes:
    """Sent, started, reported."""
    there = made(name)
    send_update(Powered(there.board, flash), there.layout, update(name, 2))
    return what_runs(name, flash)


class Unsteady(Flash):
    """Of an update that goes on to its end. At each write another process has what a loss of power there leaves."""

    def __init__(self, name: str, before: Flash, every: int, ways: int) -> None:
        super().__init__(before.start, bytes(before.content))
        self.name, self.every, self.ways = name, every, ways
        self.ends, self.losses = Counter[str](), 0

    def change(self, what: str, address: int, size: int, new: bytes) -> None:
        number = len(self.log)
        if number % self.every == 0:
            first = number // self.every
            for leaves in [LEAVES[(first + way) % len(LEAVES)] for way in range(self.ways)]:
                again = self.losses % AGAIN == 0
                left = self.left_by(address, size, new, leaves)
                end = apart.end_of(lambda left=left, again=again: ENDS.index(end_of(self.name, left, again)))  # type: ignore[misc]
                how = end if isinstance(end, str) else ENDS[end]
                self.losses += 1
                self.ends[how] += 1
                if how not in ENDS[:2]:
                    print(f"{self.name}, write {number} {what} {address:#x}, {leaves}: {how}", flush=True)
        super().change(what, address, size, new)


def end_of(name: str, left: bytes, again: bool) -> str:
    """A start that leaves the flash as it was is the next one, too."""
    flash = made(name).flash(left)
    said = what_runs(name, flash)
    if bytes(flash.content) != left and what_runs(name, flash) != said or said not in (ONE, TWO) or flash.wrong:
        print(f"{said!r} {flash.wrong[:3]}", flush=True)
        return "wrong"
    if again and said == ONE and updated(name, flash) != TWO:
        print("it does not take the update again", flush=True)
        return "wrong"
    return "the old image" if said == ONE else "the new image"


def ends_of_losses(name: str, every: int, ways: int) -> tuple[int, Counter[str]]:
    """How many writes an update has, and how it ends when the power is lost at one."""
    flash = Unsteady(name, made(name).flash(with_the_old_one(name)), every, ways)
    assert updated(name, flash) == TWO and not flash.wrong
    return len(flash.log), flash.ends


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--board", choices=BOARDS, action="append")
    options = parser.parse_args()
    bad = 0
    for name in options.board or BOARDS:
        writes, ends = ends_of_losses(name, options.every, len(LEAVES) if options.all else 1)
        bad += ends.total() - sum(ends[how] for how in ENDS[:2])
        print(f"{name}: {writes} writes, {ends.total()} losses of power: {dict(ends)}", flush=True)
    print(f"{bad} failures")
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
