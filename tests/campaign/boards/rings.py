"""The campaign of who waits where: programs over arrays of ports, whose images do in every state what the programs do.
An image looks for partners only where the compiler says that some can wait. The full quota:

    python -m tests.campaign.boards.rings --count 500 --seed 1
    python -m tests.campaign.boards.rings --neighbours --count 500 --seed 1

With `--neighbours`: programs in which whoever meets lies at a fixed distance.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tests.generate.neighbours import text_of_neighbours
from tests.generate.recipes import text_of
from tests.mcheck.image.images import built
from tests.support.seeds import add_seed, parsed

BOARDS = ("uno", "microbit")
Text = Callable[[int], str]  # by seed


@dataclass(slots=True)
class Outcome:
    images: int = 0
    known: int = 0  # of programs in which the channels of some process are known
    differences: list[str] | None = None


def text_of_rings(seed: int) -> str:
    return text_of("rings", seed)


def look(seeds: range, text: Text = text_of_rings) -> Outcome:
    found = Outcome(differences=[])
    assert found.differences is not None
    with tempfile.TemporaryDirectory() as folder:
        for seed in seeds:
            file = Path(folder) / "Ring.lf"
            file.write_text(text(seed), encoding="utf-8")
            with built(file, BOARDS[seed % len(BOARDS)]) as b:
                result = b.check()
                found.images += 1
                found.known += any(slots and slots[0] for slots in b.machine.known_processes.values())
                found.differences += [f"{seed} {b.board.name}: {m.kind.name} at {m.pc:X}H" for m in result.mismatches]
                found.differences += [f"{seed} {b.board.name}: {result.stopped}"] if result.stopped else []
    return found


TEXTS: dict[bool, Text] = {False: text_of_rings, True: text_of_neighbours}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--neighbours", action="store_true")
    add_seed(parser)
    options = parsed(parser)
    found = look(range(options.seed, options.seed + options.count), TEXTS[options.neighbours])
    assert found.differences is not None
    print(f"{found.images} images, {found.known} of programs with known channels, {len(found.differences)} differences")
    print(*found.differences, sep="\n")
    return bool(found.differences)


if __name__ == "__main__":
    sys.exit(main())
