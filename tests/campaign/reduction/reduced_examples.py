"""The campaign of all examples and of their mutants under reductions: each alone and all together say what the full
search says. The quota:

    nice python -m tests.campaign.reduction.reduced_examples --count 2000 --seed 1

An example is checked as it is, with its environment if it has one; a mutant is one with a small wrong change, of which
many violate something. Compared are which assertions and faults fail where, whether there is a deadlock or a partial
one, and which properties hold. Every way that is found is replayed.
"""

from __future__ import annotations

import random
import sys
import tempfile
import traceback
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from lfc.actions.build import build_machine
from lfc.actions.model.machine import Machine
from lfc.base.source import Source
from lfc.diagnostics.model import Diagnostics
from lfc.front_end.load import load_program
from lfc.hil.mutants import mutants_of
from lfc.mcheck.check import check
from lfc.mcheck.reduction.registry import REDUCTIONS
from lfc.mcheck.request.request import request_from
from lfc.mcheck.result.result import CheckResult
from tests.campaign.reduction.reductions import was_stopped
from tests.conftest import ROOT
from tests.support.seeds import count_and_seed

FOLDER = ROOT / "examples"
ENVIRONMENTS = {"traffic": ("traffic_env.lf",)}
NO_PROGRAM = {"traffic_env"}
MOST_STATES = 20_000  # of a mutant
WAYS: tuple[tuple[str, ...], ...] = (*((name,) for name in REDUCTIONS), ("por", "dead"), REDUCTIONS)


@dataclass(slots=True)
class Result:
    programs: int = 0
    compared: int = 0
    too_large: int = 0
    unlike: int = 0  # mutants that are no programs
    violating: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    smaller: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)

    def text(self) -> str:
        n = max(1, self.compared)
        smaller = ", ".join(f"{name} {100 * count / n:.0f} %" for name, count in self.smaller.items())
        kinds = ", ".join(f"{name} {100 * count / n:.0f} %" for name, count in self.kinds.items())
        return (
            f"{self.compared} of {self.programs} compared ({self.too_large} too large, {self.unlike} wrong programs); "
            f"{100 * self.violating / n:.0f} % violate something: {kinds}; smaller by {smaller}"
        )


class Disagreement(Exception):
    """A reduced search says something else."""


def programs() -> list[Path]:
    files = [*FOLDER.glob("*.lf"), *(FOLDER / "models").glob("*.lf")]
    return sorted(f for f in files if f.stem not in NO_PROGRAM)


def machine_at(file: Path, environments: tuple[Path, ...]) -> Machine | None:
    """None: it is no program."""
    diagnostics = Diagnostics()
    program = load_program(file, diagnostics, environments=environments)
    return None if program is None or diagnostics.has_errors else build_machine(program, diagnostics)


def example(file: Path) -> Machine:
    machine = machine_at(file, tuple(FOLDER / name for name in ENVIRONMENTS.get(file.stem, ())))
    assert machine is not None
    return machine


def said(result: CheckResult) -> tuple[object, ...]:
    """Whatever the order of the search. Who is stuck is looked for where nothing fails, properties where nobody is."""
    places = {(f.kind, f.span.line) for f in result.findings if f.kind in ("assertion", "fault")}
    kinds = {f.kind for f in result.findings} - {"assertion", "fault", "property"}
    verdicts = {str(p["name"]): str(p["verdict"]) for p in result.properties}
    return result.verdict, frozenset(places), frozenset(kinds), tuple(sorted(verdicts.items()))


def compare(machine: Machine, result: Result, most: int) -> None:
    options = request_from(states=most, keep_going=True, threads=1)
    full = check(machine, options)
    if was_stopped(full):
        result.too_large += 1
        return
    for names in WAYS:
        options = request_from(keep_going=True, threads=1, reductions=names)
        reduced = check(machine, options)
        if said(reduced) != said(full):
            raise Disagreement(f"{names}: {said(reduced)} instead of {said(full)} ({reduced.states} of {full.states})")
        result.smaller[",".join(names) if len(names) < len(REDUCTIONS) else "all"] += reduced.states < full.states
    result.compared += 1
    result.violating += full.verdict not in ("holds", "inconclusive")
    result.kinds.update({f.kind for f in full.findings})


def try_example(file: Path, result: Result) -> None:
    result.programs += 1
    try:
        compare(example(file), result, 0)
    except Exception:
        result.failures.append(f"{file.stem}: {traceback.format_exc(limit=-3)}")


def chosen_mutants(seed: int) -> Iterator[tuple[Path, str, str]]:
    """By chance: the example, what was changed, and the text. First with one change, each once, then with two."""
    found = []
    for file in programs():
        for m in mutants_of(Source(file.name, file.read_text(encoding="utf-8"))):
            found.append((file, f"line {m.line}: {m.told}", m.text))
    r = random.Random(seed)
    yield from r.sample(found, len(found))
    while True:
        file, told, text = r.choice(found)
        second = r.choice(mutants_of(Source(file.name, text)))
        yield file, f"{told}; line {second.line}: {second.told}", second.text


def try_mutant(file: Path, told: str, text: str, result: Result) -> None:
    result.programs += 1
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / file.name
        place.write_text(text, encoding="utf-8")
        try:
            machine = machine_at(place, tuple(FOLDER / name for name in ENVIRONMENTS.get(file.stem, ())))
            if machine is None:
                result.unlike += 1
            else:
                compare(machine, result, MOST_STATES)
        except Exception:
            result.failures.append(f"{file.stem}, {told}: {traceback.format_exc(limit=-3)}")


def campaign(seed: int, count: int) -> Result:
    """`count` mutants."""
    result = Result()
    for number, (file, told, text) in enumerate(chosen_mutants(seed)):
        if number == count:
            break
        try_mutant(file, told, text, result)
        if number % 100 == 99:
            print(f"{result.text()}; {len(result.failures)} failures", file=sys.stderr)
    return result


def main() -> None:
    options = count_and_seed(__doc__, 500)
    examples = Result()
    for file in programs():
        try_example(file, examples)
    mutants = campaign(options.seed, options.count)
    print(f"examples: {examples.text()}\nmutants: {mutants.text()}")
    failures = [*examples.failures, *mutants.failures]
    print(*failures, sep="\n")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
