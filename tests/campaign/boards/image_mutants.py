"""The campaign of images that are wrong: flipped bits, and faults of the compiler. The full quota:

    python -m tests.campaign.boards.image_mutants --flips 300 --faults 30 --seed 1 [--cortexm | --riscv]

A bit is flipped in an instruction that is executed. Each image is checked in every state (`lfc check --image`). Of one
that is not caught, every state, with every cursor and order of arrival, is executed one by one on the core without
watches and without memory of executions: it must do there what the right image does, to both blocks and to devices. A
fault of the compiler is a change of the program's intermediate code, of which the image is made, while the right
program is checked.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass, field, replace
from pathlib import Path
from unittest import mock

from lfc.boards.descriptions.board import load_board
from lfc.codegen.module.generated import Generated
from lfc.codegen.program import generate
from lfc.image.firmware import build_firmware
from lfc.mcheck.image.check_image import CheckedImage, ImageCheck, flash_of
from lfc.toolchain.failure import ImageError
from tests.conftest import ROOT
from tests.mcheck.image.images import MOST_CYCLES, Built, built, flipped
from tests.mcheck.image.passes import (
    all_memories,
    compile_riscv_runner,
    compile_runner,
    compile_thumb_runner,
    run_passes,
)
from tests.support.seeds import add_seed, parsed

PROGRAMS = [("mutex", "uno"), ("semaphore", "uno"), ("buffer", "mega2560"), ("peterson2", "mega2560"), ("calls", "uno")]
CORTEXM = [
    ("mutex", "microbit"),
    ("semaphore", "netduinoplus2"),
    ("buffer", "microbit"),
    ("peterson2", "netduinoplus2"),
    ("calls", "microbit"),
]
RISCV = [(name, "hifive1") for name in ("mutex", "semaphore", "buffer", "peterson2", "calls")]
SWAPPED = {
    "slt": "sle",
    "sle": "slt",
    "sgt": "sge",
    "sge": "sgt",
    "ult": "ule",
    "ule": "ult",
    "ugt": "uge",
    "eq": "ne",
    "ne": "eq",
}
FAULTS: list[tuple[str, re.Pattern[str]]] = [
    ("wrong predicate", re.compile(r"icmp (slt|sle|sgt|sge|ult|ule|ugt|eq|ne) ")),
    ("off-by-one offset", re.compile(r"getelementptr (?:inbounds )?i8, ptr [^,\n]+, i(?:16|32) (\d+)")),
    ("wrong constant", re.compile(r"store i(?:8|16|32) (\d+),")),
    ("wrong operation", re.compile(r"= (add|sub|and|or) i(?:8|16|32) ")),
    ("wrong width", re.compile(r"(zext|sext) i(?:8|16) ")),
]


@dataclass(slots=True)
class Outcome:
    caught: Counter[str] = field(default_factory=Counter)
    same: list[str] = field(default_factory=list)  # not caught, and nothing else is done
    missed: list[str] = field(default_factory=list)  # not caught, and something else is done


def does_the_same(runner: Path, b: Built, flash: bytes) -> bool:
    memories = list(all_memories(b))
    right = run_passes(runner, "core", b, b.flash, memories)
    changed = run_passes(runner, "core", b, flash, memories)
    pairs = zip(right, changed, strict=True)
    return all((x.cycles is None, x.memory, x.devices) == (y.cycles is None, y.memory, y.devices) for x, y in pairs)


def flip_bits(b: Built, count: int, rng: random.Random, runner: Path, outcome: Outcome) -> None:
    good = b.check()
    assert not good.mismatches
    places = [at for at in good.code.instructions if good.executed[at // 2]]
    for _ in range(count):
        at, bit = rng.choice(places), rng.randrange(16)
        flash = flipped(b.flash, at, bit)
        result = b.check(flash)
        if result.mismatches:
            outcome.caught[result.mismatches[0].kind.name] += 1
            continue
        assert b.first is not None
        text_of, start = b.first.processor.text, b.board.flash.start
        before, after = text_of(b.flash, at + start), text_of(flash, at + start)
        text = f"{b.machine.program.main.name} {at:04X}H bit {bit}: {before} -> {after}"
        (outcome.same if does_the_same(runner, b, flash) else outcome.missed).append(text)


def with_fault(ir: str, rng: random.Random) -> tuple[str, str]:
    """The intermediate code with one fault, and which."""
    while True:
        kind, pattern = rng.choice(FAULTS)
        sites = list(pattern.finditer(ir))
        if not sites:
            continue
        site = rng.choice(sites)
        old = site[1]
        if kind == "wrong predicate":
            new = SWAPPED[old]
        elif kind == "wrong operation":
            new = {"add": "sub", "sub": "add", "and": "or", "or": "and"}[old]
        elif kind == "wrong width":
            new = {"zext": "sext", "sext": "zext"}[old]
        else:
            new = str(int(old) + 1)
        line = ir[ir.rindex("\n", 0, site.start()) + 1 : ir.index("\n", site.end())].strip()
        return ir[: site.start(1)] + new + ir[site.end(1) :], f"{kind}: {line} ({old} -> {new})"


def seed_faults(b: Built, count: int, rng: random.Random, outcome: Outcome) -> None:
    for _ in range(count):
        told = ""

        def faulty(*arguments: object, **options: object) -> Generated:
            nonlocal told
            made = generate(*arguments, **options)  # type: ignore[arg-type]
            ir, told = with_fault(made.ir, rng)
            return replace(made, ir=ir)

        try:
            with mock.patch("lfc.image.firmware.generate", faulty):
                firmware = build_firmware(b.board, b.machine)
        except (ImageError, RuntimeError):
            outcome.caught["(not built)"] += 1
            continue
        flash = flash_of(dict(firmware.image.flash), b.board.flash)
        if flash == b.flash:
            outcome.same.append(f"{told}: the same bytes")
            continue
        check = ImageCheck(b.search, CheckedImage(b.board, firmware, flash, ""), None, MOST_CYCLES)
        try:
            check.run()
            result = check.result()
            other = replace_image(b, firmware, flash, check)
            if result.mismatches:
                outcome.caught[result.mismatches[0].kind.name] += 1
            elif same_blocks(b, other):
                outcome.same.append(told)
            else:
                outcome.missed.append(told)
        finally:
            check.close()


def replace_image(b: Built, firmware: object, flash: bytes, check: ImageCheck) -> Built:
    return Built(b.board, b.machine, firmware, b.search, flash, check)  # type: ignore[arg-type]


def runner_for(board: str, folder: Path) -> Path:
    runners = {"avr": compile_runner, "cortexm": compile_thumb_runner, "riscv": compile_riscv_runner}
    return runners[load_board(board).cpu.architecture](folder)


def same_blocks(b: Built, other: Built) -> bool:
    with tempfile.TemporaryDirectory() as folder:
        runner = runner_for(b.board.name, Path(folder))
        right = run_passes(runner, "core", b, b.flash, list(all_memories(b)))
        changed = run_passes(runner, "core", other, other.flash, list(all_memories(other)))
    return all((x.memory, x.devices) == (y.memory, y.devices) for x, y in zip(right, changed, strict=True))


def campaign(flips: int, faults: int, seed: int, programs: list[tuple[str, str]] = PROGRAMS) -> Outcome:
    rng = random.Random(seed)
    outcome = Outcome()
    with tempfile.TemporaryDirectory() as folder:
        runners = {board: runner_for(board, Path(folder)) for board in {board for _, board in programs}}
        for i, (name, board) in enumerate(programs):
            runner, n = runners[board], len(programs)
            with built(ROOT / "examples" / f"{name}.lf", board) as b:
                flip_bits(b, flips // n + (i < flips % n), rng, runner, outcome)
                seed_faults(b, faults // n + (i < faults % n), rng, outcome)
    return outcome


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--flips", type=int, default=300)
    parser.add_argument("--faults", type=int, default=30)
    add_seed(parser)
    parser.add_argument("--cortexm", action="store_true", help="Programs for Cortex-M, not for AVR.")
    parser.add_argument("--riscv", action="store_true", help="Programs for RISC-V.")
    options = parsed(parser)
    programs = CORTEXM if options.cortexm else RISCV if options.riscv else PROGRAMS
    outcome = campaign(options.flips, options.faults, options.seed, programs)
    print(f"caught {outcome.caught.total()}: {dict(outcome.caught)}")
    print(f"not caught, and shown to do the same in every state: {len(outcome.same)}", *outcome.same, sep="\n  ")
    print(f"missed: {len(outcome.missed)}", *outcome.missed, sep="\n  ")
    return bool(outcome.missed)


if __name__ == "__main__":
    sys.exit(main())
