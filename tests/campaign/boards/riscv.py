"""Random instructions in random states: the simulator of the RISC-V cores and unicorn must do the same.

    python -m tests.campaign.boards.riscv --places 4000000 --seed 1

prints how many steps were compared, and the first differences.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

import unicorn

from lfc.isa.library import CORES as FOLDER
from tests.conftest import ROOT
from tests.support.seeds import add_seed, parsed

SOURCE = ROOT / "tests" / "mcheck" / "image" / "riscv" / "against_unicorn.c"
STATES = 4


@dataclass(slots=True)
class Outcome:
    steps: int = 0
    faults: int = 0  # of these: accesses to where no memory is
    illegal: int = 0  # for both
    compressed: int = 0  # different ones
    forms: dict[str, int] = field(default_factory=dict)  # of instructions of 32 bits: in how many places
    differences: list[str] = field(default_factory=list)


def build(folder: Path) -> Path:
    made = folder / "against_unicorn"
    package = Path(unicorn.__file__).resolve().parent
    library = next((package / "lib").glob("libunicorn.so*"))
    cores = sorted(str(f) for f in FOLDER.glob("riscv*.c"))
    include = ["-I", str(FOLDER), "-I", str(package / "include")]
    rest = [str(library), f"-Wl,-rpath,{library.parent}", "-o", str(made)]
    subprocess.run(["gcc", "-O2", "-Wall", *include, str(SOURCE), *cores, *rest], check=True)
    return made


def compare(program: Path, seed: int, places: int, states: int) -> Outcome:
    """Every compressed instruction in turn and every form of the others: in so many places, in so many states each."""
    command = [str(program), str(seed), str(places), str(states)]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False)
    outcome = Outcome()
    for line in done.stdout.splitlines():
        name, _, number = line.rpartition(": ")
        if number.isdigit():
            outcome.forms[name] = int(number)
        elif "steps compared" in line:
            numbers = [int(word) for word in line.split() if word.isdigit()]
            outcome.steps, outcome.faults, outcome.illegal, outcome.compressed, differences = numbers
            if differences and not outcome.differences:
                outcome.differences.append(line)
        else:
            outcome.differences.append(line)
    if done.returncode not in (0, 1) or not outcome.steps:
        outcome.differences.append(f"the comparison ended with {done.returncode}")
    return outcome


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--places", type=int, default=1_000_000)
    add_seed(parser)
    options = parsed(parser)
    with tempfile.TemporaryDirectory() as folder:
        outcome = compare(build(Path(folder)), options.seed, options.places, STATES)
    print(
        f"{outcome.steps} steps compared, {outcome.faults} of them faults, {outcome.illegal} illegal, "
        f"{outcome.compressed} compressed; least of a form: {min(outcome.forms.values(), default=0)}"
    )
    for line in outcome.differences:
        print(" ", line)
    return 1 if outcome.differences else 0


if __name__ == "__main__":
    sys.exit(main())
