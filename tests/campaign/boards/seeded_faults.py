"""The campaign of faults that are put into boards. The full quota:

    python -m tests.campaign.boards.seeded_faults --count 200 --seed 1

Flipped bits of RAM (in simavr): any bit of the state block of a running program, at any time. Each must be found,
except where an action overwrites the byte before anybody looks: then every state was right, and the flip changed
nothing. Changed instructions: a bit of an instruction of the program's own code is another one. Faults of the compiler:
the image is made of intermediate code with one fault, the host does the right program. Of those two, each must be found
that was executed and changed what any step came to. So one that is not found has its board run once more: the emulator
says what it executes, and after every step all bytes of the block are compared, not their digest alone.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass, field, replace
from pathlib import Path
from unittest import mock

from lfc.actions.model.machine import Machine
from lfc.base.source import Source
from lfc.boards.emulators.line import Flip
from lfc.codegen.module.generated import Generated
from lfc.codegen.program import generate
from lfc.hil.conform import Conduct, Conformance, conform
from lfc.hil.host_side import HostSide
from lfc.image.firmware import Firmware
from lfc.toolchain.elf import read_load_segments, read_symbol
from lfc.toolchain.failure import ImageError
from lfc.toolchain.line_rows import read_code_ranges
from tests.campaign.boards.image_mutants import with_fault
from tests.differential.stepwise import machine_of_source
from tests.hil.boards import session_with, traced
from tests.hil.executed import executed_bytes
from tests.support.seeds import add_seed, parsed

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


FOUND, NOT_EXECUTED, SAME = "found", "never executed", "executed, and every byte of every state as it should be"


@dataclass(slots=True)
class Outcome:
    counted: Counter[str] = field(default_factory=Counter)
    missed: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Looked:
    """A run in which all bytes of the block are compared after every step."""

    verdict: str
    steps_that_differ: list[int]
    executed: set[int]  # addresses of the bytes of instructions


def look(board: str, emulator: str, of: Machine, firmware: Firmware, elf: bytes) -> Looked:
    host, wrong = HostSide(of, "rr"), list[int]()
    with tempfile.TemporaryDirectory() as folder:
        told = Path(folder) / "executed"
        with session_with(board, emulator, of, elf, executed=told) as session:

            def compare(_items: object, block: bytes) -> None:
                if session.read_block(len(block)) != block:
                    wrong.append(host.steps)

            result = conform(session, host, firmware.generated.sites, Conduct(STEPS, 120, on_step=compare))
        return Looked(result.verdict, wrong, executed_bytes(emulator, told, elf))


def judge(
    board: str, emulator: str, of: Machine, firmware: Firmware, elf: bytes, changed: set[int], told: str, to: Outcome
) -> None:
    """`changed`: at these addresses the image is another one than it should be."""
    try:
        if run(board, emulator, of, firmware, elf, None).verdict != "agrees":
            to.counted[FOUND] += 1
            return
    except Exception:  # such as an emulator that gives up: that is noticed as well
        to.counted[FOUND] += 1
        return
    looked = look(board, emulator, of, firmware, elf)
    if looked.verdict != "agrees" or looked.steps_that_differ:
        to.missed.append(f"{board}: {told}: {looked.verdict}, steps {looked.steps_that_differ[:5]}")
    else:
        to.counted[SAME if changed & looked.executed else NOT_EXECUTED] += 1


def changed_instructions(board: str, emulator: str, count: int, seed: int) -> Outcome:
    rng, of, outcome = random.Random(seed), machine(), Outcome()
    firmware = traced(board, of)
    elf = firmware.image.elf
    undisturbed = look(board, emulator, of, firmware, elf)
    assert (undisturbed.verdict, undisturbed.steps_that_differ) == ("agrees", [])
    own = own_code(elf)
    for _ in range(count):
        address, bit = rng.choice(own), rng.randrange(8)
        at = file_place(elf, address)
        changed = elf[:at] + bytes([elf[at] ^ 1 << bit]) + elf[at + 1 :]
        judge(board, emulator, of, firmware, changed, {address}, f"bit {bit} of {address:04X}H", outcome)
    return outcome


def compiler_faults(board: str, emulator: str, count: int, seed: int) -> Outcome:
    """A wrong predicate, offset, constant, operation or width, in the code of actions and of what they call."""
    rng, of, outcome = random.Random(seed), machine(), Outcome()
    right = content(traced(board, of).image.elf)
    for _ in range(count):
        told = ""

        def faulty(*arguments: object, **options: object) -> Generated:
            nonlocal told
            made = generate(*arguments, **options)  # type: ignore[arg-type]
            ir, told = with_fault(made.ir, rng)
            return replace(made, ir=ir)

        try:
            with mock.patch("lfc.image.firmware.generate", faulty):
                firmware = traced(board, of)
        except (ImageError, RuntimeError):
            outcome.counted["not built"] += 1
            continue
        elf = firmware.image.elf
        wrong = content(elf)
        changed = {a for a in right.keys() | wrong.keys() if right.get(a) != wrong.get(a)}
        if changed:
            judge(board, emulator, of, firmware, elf, changed, told, outcome)
        else:
            outcome.counted["the same image"] += 1
    return outcome


def content(elf: bytes) -> dict[int, int]:
    """Of what is loaded, by address."""
    return {s.load_address + i: byte for s in read_load_segments(elf) for i, byte in enumerate(s.content)}


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
    add_seed(parser)
    options = parsed(parser)
    missed = []
    for board in ("uno", "mega2560"):
        found, silent = flips(board, options.count, options.seed)
        missed += [f"{board}: {s}" for s in silent]
        print(f"flipped bits on {board}: {dict(found)}, {len(silent)} not seen", flush=True)
    for board, emulator in (("uno", "simavr"), ("microbit", "qemu")):
        for what, seeded in (
            ("changed instructions", changed_instructions),
            ("faults of the compiler", compiler_faults),
        ):
            outcome = seeded(board, emulator, options.count, options.seed)
            missed += outcome.missed
            told = f"{dict(outcome.counted)}, {len(outcome.missed)} missed"
            print(f"{what} on {board} in {emulator}: {told}", flush=True)
    print(*missed, sep="\n")
    sys.exit(1 if missed else 0)


if __name__ == "__main__":
    main()
