"""The campaign of damaged lines: the real boot loaders in simavr, flashed over lines that lose, repeat and change
bytes, fall silent and close. The full quota:

    python -m tests.campaign.boards.flash_damage --count 300 --seed 1

Each time it is an error that names its stage, or the image is in the flash.
"""

from __future__ import annotations

import argparse
import random
import sys
import traceback
from collections import Counter

from lfc.base.source import Source
from lfc.boards.descriptions.board import load_board
from lfc.boards.flash.pages import Target
from lfc.image.firmware import build_firmware
from tests.boards.flash.damage import KINDS, LOADERS, flash_damaged, lengths
from tests.differential.stepwise import machine_of_source
from tests.support.seeds import add_seed, parsed

SAYS = 'MODULE Says;\nIMPORT Out;\nBEGIN\n  Out.String("up")\nEND Says.\n'


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=300)
    add_seed(parser)
    options = parsed(parser)
    failures = []
    for name in LOADERS:
        board, chance = load_board(name), random.Random(options.seed * 31 + len(name))
        image = build_firmware(board, machine_of_source(Source("Says.lf", SAYS))).image
        target = Target(board.flashing.signature, board.flash.page, board.flash.usable)
        bytes_of, ends = lengths(board, image, target), Counter[str]()
        for _ in range(options.count):
            kind, to_board = chance.choice(KINDS), chance.random() < 0.6
            damage = (kind, chance.randrange(bytes_of[to_board]), to_board, chance.randrange(8))
            try:
                ends[flash_damaged(board, image, target, damage)] += 1
            except AssertionError:
                failures.append(f"{name} {damage}:\n{traceback.format_exc(limit=-2)}")
        print(f"{name}: {options.count} damaged lines end with {dict(ends)}", flush=True)
    print(f"{len(failures)} failures", *failures, sep="\n")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
