"""The campaign of faults that are put into boards. The full quota:

    python -m tests.campaign.seeded_faults --count 200 --seed 1

Flipped bits of RAM (in simavr): any bit of the state block of a running program, at any time. Each must be found,
except where an action overwrites the byte before anybody looks: then every state was right, and the flip changed
nothing. Miscompiled actions: a bit of an instruction of the program's own code is another one. Not each of these means
something (an instruction may do the same, or stand where only a fault leads), so they are counted: found, or nothing
was different. None may be found in an image that is right.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter

from lfc.actions.model import Machine
from lfc.boards.line import Flip
from lfc.hil.conform import Conduct, Conformance, conform
from lfc.hil.host_side import HostSide
from lfc.image.elf import read_load_segments, read_symbol
from lfc.image.firmware import Firmware
from lfc.image.line_rows import read_code_ranges
from lfc.source import Source
from tests.differential.stepwise import machine_of_source
from tests.hil.boards import session_with, traced

STEPS = 400
WORK = """MODULE Work;
TYPE Link = [put(INTEGER)];
PORT link : Link MAX 1;
VAR kept : ARRAY 6 OF INTEGER; on : BOOLEAN; mask : SET;

PROCESS Giver(c : Link);
VAR i : INTEGER; s : ARRAY 4 OF UINT8;
BEGIN
  LOOP
    FOR i := 0 TO 90 DO
      c!put(i * 3 - 7);
      s[i MOD 4] := s[(i + 1) MOD 4]
    END
  END
END Giver;

PROCESS Taker(c : Link);
VAR v, sum : INTEGER;
BEGIN
  LOOP
    c?put(v);
    sum := (sum + v) MOD 1000;
    IF sum > 500 THEN on := ~on ELSE mask := mask / {sum MOD 32} END;
    kept[0] := sum
  END
END Taker;

BEGIN
  NEW(link);
  CREATE Giver(link);
  CREATE Taker(link)
END Work.
"""


def machine() -> Machine:
    return machine_of_source(Source("Work.lf", WORK))


def run(board: str, emulator: str, of: Machine, firmware: Firmware, elf: bytes, flip: Flip | None) -> Conformance:
    with session_with(board, emulator, of, elf, flip=flip) as session:
        return conform(session, HostSide(of, "rr"), firmware.generated.sites, Conduct(STEPS, 60))


def flips(board: str, count: int, seed: int) -> tuple[Counter[str], list[str]]:
    """Of all that the block holds, padding and free slots included."""
    rng, of = random.Random(seed), machine()
    firmware = traced(board, of)
    start = read_symbol(firmware.image.elf, "lf_memory").target_address + firmware.block_offset
    found, silent = Counter[str](), list[str]()
    undisturbed = run(board, "simavr", of, firmware, firmware.image.elf, None)
    assert (undisturbed.verdict, undisturbed.end) == ("agrees", "limit"), undisturbed.reason
    for _ in range(count):
        at, bit = rng.randrange(of.layout.size), rng.randrange(8)
        flip = Flip(rng.randrange(100_000, 4_000_000), start + at, bit)
        result = run(board, "simavr", of, firmware, firmware.image.elf, flip)
        if result.verdict != "agrees":
            found[result.verdict] += 1
        elif is_kept(of, at):
            silent.append(f"byte {at} bit {bit} after {flip.cycles} cycles: nobody saw it")
        else:
            found["overwritten"] += 1
    return found, silent


def is_kept(of: Machine, at: int) -> bool:
    """Whether no action writes there while the program runs: the elements of `kept` but the first."""
    kept = next(o for v, o in of.layout.variables.items() if v.name == "kept")
    return kept + 4 <= at < kept + 24


def changed_instructions(board: str, emulator: str, count: int, seed: int) -> Counter[str]:
    rng, of = random.Random(seed), machine()
    firmware = traced(board, of)
    elf = firmware.image.elf
    undisturbed = run(board, emulator, of, firmware, elf, None)
    assert (undisturbed.verdict, undisturbed.end) == ("agrees", "limit"), undisturbed.reason
    own = own_code(elf)
    found = Counter[str]()
    for _ in range(count):
        at = file_place(elf, rng.choice(own))
        changed = elf[:at] + bytes([elf[at] ^ 1 << rng.randrange(8)]) + elf[at + 1 :]
        try:
            found[run(board, emulator, of, firmware, changed, None).verdict] += 1
        except Exception as error:  # such as an emulator that gives up: that is noticed as well
            found[type(error).__name__] += 1
    return found


def own_code(elf: bytes) -> list[int]:
    """The addresses of what was compiled from the program's own lines."""
    ranges = [r for r in read_code_ranges(elf) if r.file.endswith("Work.lf") and r.line]
    return [a for r in ranges for a in range(r.start, r.end)]


def file_place(elf: bytes, address: int) -> int:
    """Where in the file the content of an address of the flash is."""
    for segment in read_load_segments(elf):
        if segment.load_address <= address < segment.load_address + len(segment.content):
            return elf.index(segment.content) + address - segment.load_address
    raise AssertionError(f"nothing is loaded at {address:#x}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    missed = []
    for board in ("uno", "mega2560"):
        found, silent = flips(board, options.count, options.seed)
        missed += [f"{board}: {s}" for s in silent]
        print(f"flipped bits on {board}: {dict(found)}, {len(silent)} not seen", flush=True)
    for board, emulator in (("uno", "simavr"), ("microbit", "qemu")):
        found = changed_instructions(board, emulator, options.count, options.seed)
        print(f"changed instructions on {board} in {emulator}: {dict(found)}", flush=True)
    print(*missed, sep="\n")
    sys.exit(1 if missed else 0)


if __name__ == "__main__":
    main()
