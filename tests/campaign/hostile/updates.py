"""The campaign of updates in the field: on simulated chips the power is lost at each write of the flash, from the first
byte of an update to the report of its image. The full quota:

    python -m tests.campaign.hostile.updates

After each the board starts the old image or the new one, whole, and takes the update again. `--every N`: at each Nth.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter

from lfc.update.send import send_update
from tests.update.boards import made, update, what_runs
from tests.update.chips import LEAVES, Cut, Flash, Powered, PowerLost

BOARDS = ("uno_update", "bluepill_update")
ONE, TWO = b"version 1\n", b"version 2\n"


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


def end_of(name: str, before: bytes, cut: Cut, again: bool) -> str:
    flash = made(name).flash(before, cut)
    try:
        updated(name, flash)
        return "the power was not lost"
    except PowerLost:
        pass
    after = made(name).flash(bytes(flash.content))
    said = [what_runs(name, after), what_runs(name, after)]
    wrong = flash.wrong + after.wrong
    if said not in ([ONE, ONE], [TWO, TWO]) or wrong:
        return f"wrong: {said} {wrong[:3]}"
    if again and said[0] == ONE and updated(name, after) != TWO:
        return "wrong: it does not take the update again"
    return "the old image" if said[0] == ONE else "the new image"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--board", choices=BOARDS, action="append")
    options = parser.parse_args()
    bad = 0
    for name in options.board or BOARDS:
        before = with_the_old_one(name)
        flash = made(name).flash(before)
        assert updated(name, flash) == TWO
        ends, writes = Counter[str](), len(flash.log)
        for at in range(0, writes, options.every):
            leaves = LEAVES[at // options.every % len(LEAVES)]
            how = end_of(name, before, Cut(at, leaves), again=at % 16 == 0)
            ends[how] += 1
            if not how.startswith("the "):
                bad += 1
                print(f"{name}, write {at} {flash.log[at]}, {leaves}: {how}", flush=True)
        print(f"{name}: {writes} writes, {ends.total()} cuts: {dict(ends)}", flush=True)
    print(f"{bad} failures")
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
