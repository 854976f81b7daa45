"""The campaign of images: every example on every board, executed in every state. The full quota:

python -m tests.campaign.boards.images [--board microbit]
"""

from __future__ import annotations

import argparse
import sys

from lfc.boards.descriptions.board import load_board
from tests.conftest import ROOT
from tests.mcheck.image.images import built

BOARDS = (
    "uno",
    "mega2560",
    "microbit",
    "stm32vldiscovery",
    "netduinoplus2",
    "hifive1",
    "ch32v003evt",
    "esp32c3",
    "longan_nano",
)
OF_AVR = {"blink", "traffic"}  # they name its registers
NO_PROGRAM = {"traffic_env"}
NAMES = sorted(p.stem for p in (ROOT / "examples").glob("*.lf") if p.stem not in NO_PROGRAM)


def pairs(boards: tuple[str, ...] = BOARDS) -> list[tuple[str, str]]:
    architectures = {board: load_board(board).cpu.architecture for board in boards}
    return [(n, b) for b in boards for n in NAMES if n not in OF_AVR or architectures[b] == "avr"]


def differences(name: str, board: str) -> list[str]:
    with built(ROOT / "examples" / f"{name}.lf", board) as b:
        result = b.check()
        found = [f"{name} {board}: {m.kind.name} at {m.pc:X}H" for m in result.mismatches]
        return found + ([f"{name} {board}: {result.stopped}"] if result.stopped else [])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--board", choices=BOARDS, help="This one alone.")
    options = parser.parse_args()
    chosen = pairs((options.board,) if options.board else BOARDS)
    found = [text for name, board in chosen for text in differences(name, board)]
    print(f"{len(chosen)} images, {len(found)} differences", *found, sep="\n  ")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
