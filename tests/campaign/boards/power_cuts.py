"""Power is cut at random moments while a board in simavr keeps the field logger's records; what it finds when power is
back is what the model claims.

    python -m tests.campaign.boards.power_cuts --count 2000 --seed 1
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from lfc.boards.descriptions.board import load_board
from lfc.boards.emulators.simavr import flash_content
from tests.cli.lfc import lfc
from tests.conftest import ROOT
from tests.mcheck.response.boards import build_tool
from tests.support.seeds import add_seed

BOARD = "uno"
SLOTS, LAST = 4, 9
LONGEST = 2_500_000  # cycles: three records and a bit
RECORDS = ROOT / "examples" / "fieldlog" / "Records.lf"

# Tells all that it finds, oldest last; then it writes on, and says of each record that it begins and that it was kept.
KEEPER = """MODULE Keeper;
IMPORT Out, Records;
VAR record : Records.Record; there, kept : BOOLEAN; age : UINT16;

PROCEDURE Time(n : UINT16) : UINT32;
BEGIN
  RETURN 0B21BF7DH + UINT32(n) * 9000001
END Time;

PROCESS Tell(what : CHAR; n : UINT16);
BEGIN
  Out.Char(what); Out.Int(INTEGER(n)); Out.Ln
END Tell;

BEGIN
  Records.Open;
  age := 0;
  LOOP
    Records.Get(age, record, there);
    IF ~there THEN EXIT END;
    IF (record.time = Time(record.number)) & (record.value = INT16(record.number) * 100 - 50) &
        (record.battery = UINT8(record.number)) THEN
      Tell('f', record.number)
    ELSE
      Tell('x', record.number)
    END;
    INC(age)
  END;
  Tell('o', Records.number);
  LOOP
    age := Records.After(Records.number);
    Tell('b', age);
    Records.Append(Records.measured, Time(age), INT16(age) * 100 - 50, UINT8(age), kept);
    IF kept THEN Tell('k', age) END
  END
END Keeper.
"""


@dataclass(slots=True)
class Boot:
    found: list[int]  # numbers, the newest first
    wrong: list[int]  # of records that nobody has written
    opened: bool  # it has told all that it found
    kept: list[int]


@dataclass(slots=True)
class Tried:
    cuts: int = 0
    torn: int = 0  # while a byte was being written
    changed: int = 0  # and it is neither the old nor the new one
    opened: int = 0  # power was there for long enough to find all records
    kept: int = 0


def image(folder: Path, records: str) -> Path:
    (folder / "Keeper.lf").write_text(KEEPER)
    (folder / "Records.lf").write_text(records)
    elf = folder / "keeper.elf"
    small = (f"-DRecords.SLOTS={SLOTS}", f"-DRecords.LAST={LAST}")
    done = lfc("build", "-b", BOARD, *small, "-o", elf, "Keeper.lf", cwd=folder)
    assert done.exit == 0, done.err
    (folder / "flash").write_bytes(flash_content(elf.read_bytes()))
    return folder / "flash"


def boots(said: str) -> Iterator[tuple[Boot, list[int]]]:
    """What it says between two cuts, and what the second one did. The last line may be cut off."""
    for part in re.findall(r"(.*?)\n#([-\d ]+)\n", said, re.S):
        lines = [line for line in part[0].replace("\r", "").split("\n")[:-1] if line]
        told = [(line[0], int(line[1:])) for line in lines if re.fullmatch(r"[fxobk]\d+", line)]
        numbers = {what: [n for w, n in told if w == what] for what in "fxobk"}
        yield Boot(numbers["f"], numbers["x"], bool(numbers["o"]), numbers["k"]), [int(n) for n in part[1].split()]


def after(n: int) -> int:
    return 1 if n >= LAST else n + 1


def before(n: int) -> int:
    return LAST if n <= 1 else n - 1


def violation(boot: Boot, newest: int, total: int) -> str | None:
    """`newest`: of the records that were kept for certain, `total` so many; what is claimed of what is found then."""
    if boot.wrong:
        return f"record {boot.wrong[0]} is none that was written"
    first = boot.found[0] if boot.found else 0
    if first not in (newest, after(newest)):
        return f"the newest record is {first}, not {newest} or the one that was begun then"
    expected = first
    for n in boot.found:
        if n != expected:
            return f"behind {after(expected)} comes {n}"
        expected = before(n)
    if len(boot.found) + 1 < min(total, SLOTS):
        return f"only {len(boot.found)} of {min(total, SLOTS)} records are left"
    return None


def try_cuts(tool: Path, flash: Path, count: int, seed: int) -> tuple[Tried, str | None]:
    board = load_board(BOARD)
    command = [tool, board.emulator.simavr, board.cpu.clock, flash, count, LONGEST, seed]
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=True, errors="replace")
    tried, newest, total = Tried(), 0, 0
    for boot, (at, old, new, now) in boots(done.stdout):
        tried.cuts += 1
        tried.torn += at >= 0
        tried.changed += at >= 0 and now not in (old, new)
        if boot.opened or boot.wrong:
            tried.opened += 1
            wrong = violation(boot, newest, total)
            if wrong is not None:
                return tried, f"after {tried.cuts - 1} cuts: {wrong}"
            first = boot.found[0] if boot.found else 0
            while newest != first:  # what was begun has come to be kept
                newest, total = after(newest), total + 1
            if boot.kept:
                total += len(boot.kept)
                newest = boot.kept[-1]
            tried.kept += len(boot.kept)
    return tried, None


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--count", type=int, default=2000)
    add_seed(options)
    asked = options.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        tool = build_tool(Path(__file__).with_suffix(".c"), folder)
        tried, wrong = try_cuts(tool, image(folder, RECORDS.read_text()), asked.count, asked.seed)
    print(f"seed {asked.seed}: {tried}")
    if wrong is not None:
        print(wrong)
    return 1 if wrong is not None else 0


if __name__ == "__main__":
    sys.exit(main())
