"""The campaign of damaged checkpoints: words, bytes and pieces of saved searches are changed, the checksum is made
right again, and a check goes on with them knowingly. The full quota:

    python -m tests.campaign.hostile.checkpoints --count 5000 --seed 1

Each is refused, or the check ends with some verdict: no crash, no traceback, nothing longer than ten seconds.
"""

from __future__ import annotations

import ctypes
import os
import random
import sys
import tempfile
import traceback
from collections import Counter
from pathlib import Path
from unittest.mock import patch

from lfc.actions.model.machine import Machine
from lfc.base.source import Source
from lfc.mcheck.check import check
from lfc.mcheck.engine.abi import Statistics
from lfc.mcheck.request.request import Request, request_from
from lfc.mcheck.search import checkpoint
from lfc.mcheck.search.checkpoint import CheckpointError
from tests.campaign.hostile import apart
from tests.differential.stepwise import machine_of_source
from tests.mcheck.search.forging import LEVELS_END, body_of, summed_again
from tests.support.seeds import add_count_and_seed, parsed

STEPS = "MODULE Steps; VAR i : INTEGER;\nBEGIN FOR i := 0 TO 9 DO ASSERT(i < 8); RESCHEDULE END END Steps.\n"
WALKERS = """MODULE Many;
VAR i, n : INTEGER;
PROCESS Walker; VAR x : INTEGER;
BEGIN
  FOR x := 1 TO 4 DO RESCHEDULE END;
  n := n + 1;
  ASSERT(n < 3)
END Walker;
BEGIN FOR i := 1 TO 3 DO CREATE Walker END END Many.
"""
PROGRAMS = {"steps": STEPS, "walkers": WALKERS}
BEGIN = LEVELS_END  # before it is the identity, of which a change would only be refused
TIME = LEVELS_END + 16 + ctypes.sizeof(Statistics) - 8
REFUSED, VERDICT, TRACEBACK = 0, 1, 2


def request_for(**more: object) -> Request:
    return request_from(threads=1, keep_going=True, every=1e9, **more)


def saved(machine: Machine, file: Path, states: int) -> bytes:
    check(machine, request_for(states=states, file=str(file)))
    body = bytearray(body_of(file.read_bytes()))
    body[TIME : TIME + 8] = bytes(8)  # how long it took
    return bytes(body)


def mutant(body: bytes, chance: random.Random) -> bytes:
    changed = bytearray(body)
    for _ in range(chance.choice((1, 1, 1, 2, 4))):
        size = chance.choice((1, 2, 4, 4, 8, 8))
        at = chance.randrange(BEGIN, len(changed) - size)
        if chance.random() < 0.8:
            # most of a checkpoint is an empty table
            filled = [i for i in range(at, min(at + 4000, len(changed) - size)) if changed[i]]
            at = filled[0] // size * size if filled else at
        old = int.from_bytes(changed[at : at + size], "little")
        high = 1 << 8 * size
        new = chance.choice(
            (old + 1, old - 1, old ^ 1 << chance.randrange(8 * size), 0, high - 1, chance.randrange(high))
        )
        changed[at : at + size] = (new % high).to_bytes(size, "little")
    if chance.random() < 0.1:
        at = chance.randrange(BEGIN, len(changed))
        piece = bytes(changed[at : at + chance.randrange(1, 64)])
        changed[at:at] = piece if chance.random() < 0.5 else b""
        if chance.random() < 0.5:
            del changed[at : at + len(piece)]
    return bytes(changed)


def go_on(machine: Machine, file: Path) -> int:
    request = request_for(seconds=apart.SECONDS / 2, resume=str(file), unauthenticated=True, memory=1 << 30)
    try:
        check(machine, request)
    except CheckpointError:
        return REFUSED
    except Exception:
        traceback.print_exc()
        return TRACEBACK
    return VERDICT


def ends_of_mutants(name: str, count: int, seed: int, folder: Path) -> Counter[str]:
    """One process reads one after another. Which engine saved lies before what is changed: no files are read for it."""
    machine = machine_of_source(Source("Program.lf", PROGRAMS[name]))
    chance, file, ends = random.Random(f"{name} {seed}"), folder / "saved", Counter[str]()
    with patch.object(checkpoint, "engine_files", lambda: []):
        bodies = [saved(machine, file, states) for states in (3, 9, 40, 0)]
        assert summed_again(bodies[0]) and len({len(b) for b in bodies}) > 1
        mutants = [summed_again(mutant(chance.choice(bodies), chance)) for _ in range(count)]

        def work(number: int) -> int:
            file.write_bytes(mutants[number])
            return go_on(machine, file)

        for number, end in enumerate(apart.ends_of(count, work)):
            how = end if isinstance(end, str) else {REFUSED: "refused", VERDICT: "a verdict"}.get(end, "traceback")
            ends[how] += 1
            if how not in ("refused", "a verdict"):
                print(f"{name} {seed}, number {number}: {how}", flush=True)
                kept = os.environ.get("LF_KEEP")
                if kept:
                    (Path(kept) / f"{name}-{seed}-{number}").write_bytes(mutants[number])
    return ends


def main() -> None:
    parser = add_count_and_seed(__doc__, 5000)
    parser.add_argument("--program", choices=PROGRAMS, action="append", help="its share alone")
    options, bad = parsed(parser), 0
    with tempfile.TemporaryDirectory(prefix="lfc-") as folder:
        for name in options.program or PROGRAMS:
            ends = ends_of_mutants(name, options.count // len(PROGRAMS), options.seed, Path(folder))
            bad += sum(n for how, n in ends.items() if how not in ("refused", "a verdict"))
            print(f"{name}: {dict(ends)}", flush=True)
    print(f"{bad} failures")
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
