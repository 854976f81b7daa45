"""Random instructions in random states: the simulator of the Cortex-M cores and unicorn must do the same.

    python -m tests.campaign.boards.thumb --places 4000000 --seed 1

prints for each core how many steps were compared, and the first differences.
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

SOURCE = ROOT / "tests" / "mcheck" / "image" / "thumb" / "against_unicorn.c"
CORES = ("m0", "m3", "m4", "m33")
STATES = 4


@dataclass(slots=True)
class Outcome:
    steps: int = 0
    faults: int = 0  # of these: accesses to where no memory is
    illegal: int = 0
    narrow_words: int = 0  # different ones
    forms: dict[str, int] = field(default_factory=dict)  # of wide instructions: in how many places
    differences: list[str] = field(default_factory=list)


def build(folder: Path) -> Path:
    made = folder / "against_unicorn"
    package = Path(unicorn.__file__).resolve().parent
    library = next((package / "lib").glob("libunicorn.so*"))
    cores = sorted(str(f) for f in FOLDER.glob("thumb*.c"))
    include = ["-I", str(FOLDER), "-I", str(package / "include")]
    rest = [str(library), f"-Wl,-rpath,{library.parent}", "-o", str(made)]
    subprocess.run(["gcc", "-O2", "-Wall", *include, str(SOURCE), *cores, *rest], check=True)
    return made


def compare(program: Path, core: str, seed: int, places: int, states: int) -> Outcome:
    """Every narrow word in turn and every form of wide ones: in so many places, in so many states each."""
    command = [str(program), core, str(seed), str(places), str(states)]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False)
    outcome = Outcome()
    for line in done.stdout.splitlines():
        name, _, number = line.rpartition(": ")
        if number.isdigit():
            outcome.forms[name] = int(number)
        elif "steps compared" in line:
            numbers = [int(word) for word in line.split() if word.isdigit()]
            outcome.steps, outcome.faults, outcome.illegal, outcome.narrow_words, differences = numbers
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
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        program = build(Path(folder))
        for core in CORES:
            outcome = compare(program, core, options.seed, options.places, STATES)
            wrong += len(outcome.differences)
            print(
                f"{core}: {outcome.steps} steps compared, {outcome.faults} of them faults, {outcome.illegal} illegal, "
                f"{outcome.narrow_words} narrow words; least of a form: {min(outcome.forms.values(), default=0)}"
            )
            for line in outcome.differences:
                print(" ", line)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
