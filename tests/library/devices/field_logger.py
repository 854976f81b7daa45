"""Faults that are seeded into the records of a logger that survives a loss of power, and the check that finds them."""

from __future__ import annotations

from pathlib import Path

from tests.cli.lfc import Outcome, lfc
from tests.conftest import ROOT
from tests.library.drivers import Seed

EXAMPLES = ROOT / "examples" / "fieldlog"
SHORT = ["-DRecords.LAST=7"]  # numbers begin again soon
SEEDS = (
    Seed("leaves the old kind", "  Put(s, KIND, FREE, kept);\n", ""),
    Seed("has a kind first", "Put(s, KIND, FREE, kept)", "Put(s, KIND, slot[KIND], kept)"),
    Seed("does not look at the checksum", " & (Word(bytes, SUM) = Sum(bytes))", ""),
    Seed("leaves the kind out of the checksum", "FOR i := 0 TO SUM - 1 DO crc", "FOR i := 1 TO SUM - 1 DO crc"),
    Seed("overwrites the newest", "THEN s := Behind(newest) END;\n  record", "THEN s := newest END;\n  record"),
    Seed("gives the same number again", "record.number := After(number)", "record.number := MAX(number, 1)"),
    Seed("finds the oldest", "(Word(slot, NUMBER) # After(previous))", "(Word(slot, NUMBER) = After(previous))"),
    Seed("never finds the last slot", "(newest = NOWHERE) & (previous # 0)", "(newest # NOWHERE) & (previous # 0)"),
    Seed("goes on after a byte that was not kept", "IF kept THEN EEPROM", "IF TRUE THEN EEPROM"),
    Seed("counts the one that is overwritten", "  IF count = SLOTS THEN DEC(count) END;\n", ""),
    Seed("forgets the upper half of the time", "  PutWord(TIME + 2, UINT16(record.time DIV 10000H));\n", ""),
)


def check(folder: Path, *options: str) -> Outcome:
    test = EXAMPLES / "played" / "RecordsTest.lf"
    return lfc("check", test, "--path", folder, *SHORT, "--no-record", *options)


def is_found(seed: Seed, folder: Path) -> bool:
    (folder / "Records.lf").write_text(seed.put_into((EXAMPLES / "Records.lf").read_text()))
    return check(folder).has_counterexample
