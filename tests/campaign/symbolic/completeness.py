"""The campaign of copied data: of programs whose undetermined values are only copied and compared with constants each
search ends, with at most (constants + 1) ^ unknowns boxes of each shape, and each unknown falls into at most
constants + 1 classes. The full quota:

    python -m tests.campaign.symbolic.completeness --count 200 --seed 1
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from dataclasses import dataclass, field

from lfc.mcheck.reduction.dead_variables.dead_variables import Reset
from lfc.mcheck.request.request import request_from
from lfc.mcheck.symbolic.classes import atoms
from lfc.mcheck.symbolic.explore import Exploration, Limits, SymbolicProgram
from lfc.mcheck.symbolic.values import value_sets as sets
from tests.actions.machines import machine_of_text
from tests.support.seeds import add_seed, parsed


class Copying:
    """A program and what it asks: either whether a value equals constants, or how it compares with them in order. All
    variables begin with 0, which is a constant too: of the first kind itself, of the second as `v < 1`."""

    def __init__(self, seed: int) -> None:
        r = self.rng = random.Random(f"copying {seed}")
        self.ordered = r.random() < 0.5
        self.bits = r.choice([8, 16, 32])
        self.constants = r.sample(range(2, 200), r.choice([1, 1, 1, 2, 2, 3]))
        self.variables = [f"v{i}" for i in range(r.choice([1, 1, 2, 3]))]
        self.channel = r.random() < 0.6

    @property
    def classes(self) -> int:
        return len(self.constants) + 2  # with that of the initial value

    def condition(self) -> str:
        r = self.rng
        operators = ["<", "<=", ">", ">="] if self.ordered else ["=", "#"]
        op, c = r.choice(operators), r.choice(self.constants)
        return f"{r.choice([*self.variables, 'g'])} {op} {c - (op in ('<=', '>'))}"

    def statement(self, depth: int = 2) -> str:
        r = self.rng
        to = r.choice([*self.variables, "g"])
        k = r.random()
        if k < 0.3:
            return f"{to} := {self.read()}"
        if k < 0.45:
            return f"{to} := {r.choice([*self.variables, 'g'])}"
        if k < 0.55 and not self.ordered:
            return f"{to} := {r.choice(self.constants)}"
        if k < 0.85 and depth:
            other = f" ELSE {self.statement(depth - 1)}" if r.random() < 0.6 else ""
            return f"IF {self.condition()} THEN {self.statement(depth - 1)}{other} END"
        return "RESCHEDULE"

    def read(self) -> str:
        return {8: "PORTIN(40H)", 16: "PORTIN16(40H)", 32: "PORTIN32(40H)"}[self.bits]

    def process(self, name: str, *more: str) -> str:
        body = [self.statement() for _ in range(self.rng.randint(2, 6))] + [*more, "RESCHEDULE"]
        variables = ", ".join(self.variables)
        return (
            f"PROCESS {name};\nVAR {variables} : UINT{self.bits};\nBEGIN\n  LOOP\n    "
            + ";\n    ".join(body)
            + f"\n  END\nEND {name};\n"
        )

    def text(self) -> str:
        first, second = ("channel!put(v0)", "channel?put(v0)") if self.channel else ("RESCHEDULE", "RESCHEDULE")
        return (
            f"MODULE Copying;\nTYPE Data = [put(UINT{self.bits})];\nVAR g : UINT{self.bits};\nPORT channel : Data;\n"
            + self.process("First", first)
            + self.process("Second", second)
            + "BEGIN NEW(channel); CREATE First; CREATE Second END Copying.\n"
        )


@dataclass(slots=True)
class Result:
    compared: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)


def look_at(program: Copying, result: Result) -> str:
    """In what it is wrong; empty: in nothing."""
    machine = machine_of_text(program.text())
    request = request_from()
    found = Exploration(SymbolicProgram(machine, request.world, Reset(machine).places), Limits(60.0, goes_on=True))
    found.run()
    result.compared += 1
    result.kinds["order" if program.ordered else "equality"] += 1
    result.kinds["sets"] += any(sets.only_value(s) is None for state in found.states for s in state.box)
    if not found.complete:
        return "the search does not end"
    for shape, of in found.of_shape.items():
        bound = program.classes ** len(shape.widths)
        parts = [part for state in of.states for part in (state.box, *(edge.of for edge in state.edges))]
        for own in zip(*parts, strict=True):
            classes = atoms({sets.full(program.bits), *own})
            result.kinds["all classes"] += len(classes) == program.classes
            if len(classes) > program.classes:
                return f"values fall into {classes} instead of {program.classes} classes"
        result.kinds["several boxes"] += len(of.states) > 1
        if len(of.states) > bound or len(of.known) > bound:
            return f"{len(of.states)} boxes of a shape with {len(shape.widths)} unknowns and {program.classes} classes"
    return ""


def campaign(seed: int, count: int) -> Result:
    result = Result()
    for number in range(seed * 1_000_000, seed * 1_000_000 + count):
        wrong = look_at(Copying(number), result)
        if wrong:
            result.failures.append(f"{number}: {wrong}")
    return result


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=200)
    add_seed(parser)
    options = parsed(parser)
    result = campaign(options.seed, options.count)
    print(f"{result.compared} compared; {dict(result.kinds)}")
    print(*result.failures, sep="\n")
    sys.exit(1 if result.failures else 0)


if __name__ == "__main__":
    main()
