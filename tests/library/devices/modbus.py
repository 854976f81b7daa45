"""Modbus: the driver's two sides, each against a peer of the library, and faults that are seeded into it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from lfc.boards.descriptions.board import Board, load_board
from tests.cli.lfc import Outcome, lfc
from tests.conftest import ROOT
from tests.library.drivers import LIBRARY, Seed

EXAMPLES = ROOT / "examples" / "modbus"
BENCHES = {"Drive": 522624, "Meter": 14610}  # and the states of each


def look(name: str, folder: Path) -> Outcome:
    """A check of a bench in this folder."""
    return lfc("check", f"{name}Bench.lf", "--time", "ordered", "--no-record", "--path", folder, cwd=EXAMPLES)


SEEDS = (
    Seed(
        "sends the checksum the other way round",
        "UINT8(crc MOD 256));\n  Add(frame, UINT8(crc DIV 256))",
        "UINT8(crc DIV 256));\n  Add(frame, UINT8(crc MOD 256))",
    ),
    Seed("does not look at the checksum", "(frame.count >= 4) & (crc = 0)", "(frame.count >= 4)"),
    Seed("waits too long for the end of a frame", "GAP* = 5;", "GAP* = 25;"),
    Seed("answers what is for others", "(all OR (frame.bytes[0] = address)) &", ""),
    Seed("answers what is for all", "IF ~all THEN Send(frame, out) END", "Send(frame, out)"),
    Seed(
        "reads over the end",
        "ELSIF INTEGER(first) + count > LEN(registers) THEN\n"
        "        Refuse(frame, NO_REGISTER)\n      ELSE\n        ReadAll",
        "ELSIF first >= LEN(registers) THEN\n        Refuse(frame, NO_REGISTER)\n      ELSE\n        ReadAll",
    ),
    Seed("believes the count of bytes", " OR (frame.bytes[6] # UINT8(2 * count))", ""),
    Seed("takes the answer of another slave", "ELSIF frame.bytes[0] # slave THEN", "ELSIF FALSE THEN"),
    Seed("takes a late answer for the next one's", "AwaitQuiet(in, PATIENCE)", "AwaitQuiet(in, GAP)"),
    Seed("waits for an answer for ever", "    WHEN Clock.After(PATIENCE) THEN error := silent\n", ""),
)


def is_found(seed: Seed, folder: Path) -> bool:
    text = next(LIBRARY.rglob("Modbus.lf")).read_text()
    (folder / "Modbus.lf").write_text(seed.put_into(text))
    return any(look(name, folder).has_counterexample for name in ("Meter", "Drive"))


def mega_at(baud: int) -> Board:
    """Its second UART, which has no console's rate."""
    mega = load_board("mega2560")
    return replace(mega, console=replace(mega.console, baud=baud))


def checksum(frame: bytes) -> bytes:
    """Division by x^16 + x^15 + x^2 + 1 of the bits as they go over the line: not bit-reversed as drivers have it."""
    bits = "".join(f"{b:08b}"[::-1] for b in frame) + "0" * 16
    rest = list(map(int, bits))
    for i in range(16):
        rest[i] ^= 1
    for i in range(len(rest) - 16):
        if rest[i]:
            for k in (0, 1, 14, 16):
                rest[i + k] ^= 1
    return int("".join(map(str, rest[-16:]))[::-1], 2).to_bytes(2, "little")
