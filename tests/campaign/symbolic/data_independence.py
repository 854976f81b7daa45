"""The campaign of data independence: random programs that store, pass on and compare what ports give have the same
errors with the few values that stand for all as with more values, one by one, as sets of all. The full quota:

    python -m tests.campaign.symbolic.data_independence --count 500 --seed 1
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from dataclasses import dataclass, field
from itertools import combinations

from lfc.actions.model.machine import Machine
from lfc.mcheck.reduction.dead_variables.dead_variables import Reset
from lfc.mcheck.reduction.symmetry.data_independence import independent_data
from lfc.mcheck.request.request import request_from
from lfc.mcheck.search.search import Stop
from lfc.mcheck.symbolic.execution.decode import NotDecoded
from lfc.mcheck.symbolic.explore import Exploration, Limits, SymbolicProgram
from lfc.mcheck.symbolic.values.preimages import TooMany
from tests.actions.machines import machine_of_text
from tests.mcheck.searching import search_with
from tests.support.seeds import count_and_seed

MORE = 3  # values, one by one
MOST_STATES = 20_000
MOST_SYMBOLIC, SECONDS = 400, 1.0


class Storing:
    """A program, and whether it asks for places that are all different, which takes as many values as there are."""

    def __init__(self, seed: int) -> None:
        r = self.rng = random.Random(f"storing {seed}")
        self.compares = r.random() < 0.8
        self.shared = [f"g{i}" for i in range(r.choice([0, 1, 1, 2]))]
        self.elements = r.choice([0, 0, 2, 3])
        self.constants = r.sample(range(1, 5), r.choice([0, 0, 1, 1, 2]))
        self.channel = r.random() < 0.5
        self.register = r.random() < 0.3

    def own(self) -> list[str]:
        return ["v", "w"] if self.channel else ["v"]

    def places(self) -> list[str]:
        return [*self.own(), *self.shared, *(f"a[{i}]" for i in range(self.elements))]

    def value(self) -> str:
        """What may be assigned or compared."""
        r = self.rng
        k = r.random()
        if k < 0.3:
            return "register" if self.register and r.random() < 0.5 else "PORTIN(40H)"
        return str(r.choice(self.constants)) if k < 0.4 and self.constants else r.choice(self.places())

    def condition(self) -> str:
        r = self.rng
        if self.compares and r.random() < 0.7:
            return f"{r.choice(self.places())} {r.choice(['=', '#'])} {self.value()}"
        return f"{r.choice(self.places())} {r.choice(['=', '#'])} {r.choice([*self.constants, 0])}"

    def all_different(self) -> str:
        """An assertion that says that some are equal, or a constant."""
        some = self.rng.sample(self.places(), self.rng.randint(1, min(4, len(self.places()))))
        equal = [f"({a} = {b})" for a, b in combinations(some, 2)] if self.compares else []
        known = [f"({v} = {c})" for v in some for c in [0, *self.constants]]
        return f"ASSERT({' OR '.join(equal + known)})"

    def statement(self, depth: int = 2) -> str:
        r = self.rng
        k = r.random()
        if k < 0.55:
            return f"{r.choice(self.places())} := {self.value()}"
        if k < 0.75 and depth:
            other = f" ELSE {self.statement(depth - 1)}" if r.random() < 0.5 else ""
            return f"IF {self.condition()} THEN {self.statement(depth - 1)}{other} END"
        if k < 0.9:
            return self.all_different()
        return f"ASSERT(({self.condition()}) OR ({self.condition()}))" if r.random() < 0.4 else "RESCHEDULE"

    def process(self, name: str, *more: str) -> str:
        return self.looping(name, [self.statement() for _ in range(self.rng.randint(1, 4))] + [*more, "RESCHEDULE"])

    def looping(self, name: str, body: list[str]) -> str:
        own = ", ".join(self.own())
        lines = ";\n    ".join(body)
        return f"PROCESS {name};\nVAR {own} : UINT8;\nBEGIN\n  LOOP\n    {lines}\n  END\nEND {name};\n"

    def text(self) -> str:
        variables = f"VAR {', '.join(self.shared)} : UINT8;\n" if self.shared else ""
        variables += f"VAR a : ARRAY {self.elements} OF UINT8;\n" if self.elements else ""
        variables += "VAR register AT 40H : UINT8;\n" if self.register else ""
        several = self.process("First", "channel!put(v)" if self.channel else "RESCHEDULE")
        makes = "CREATE First"
        if self.channel:
            taken = self.rng.choice(["w", "v", "w", str(self.rng.choice([*self.constants, 0]))])
            several += self.process("Second", f"channel?put({taken})")
            makes = "NEW(channel); CREATE First; CREATE Second"
        types = "TYPE Data = [put(UINT8)];\n" if self.channel else ""
        port = "PORT channel : Data;\n" if self.channel else ""
        return f"MODULE Storing;\n{types}{variables}{port}{several}BEGIN {makes} END Storing.\n"


class Different:
    """Reads into each place there is, and says that some are equal, or a constant: so it needs each value."""

    def __init__(self, seed: int) -> None:
        r = self.rng = random.Random(f"different {seed}")
        self.places = ["v", "w", "g", "a[0]", "a[1]"][: r.randint(1, 4)]
        if r.random() < 0.3:
            self.places = ["v", "a[0]", "a[1]"]
        self.constants = r.choice([[], [1], [2, 1]])

    def text(self) -> str:
        r = self.rng
        reads = [f"{v} := {r.choice(['PORTIN(40H)', 'register'])}" for v in r.sample(self.places, len(self.places))]
        equal = [f"({a} = {b})" for a, b in combinations(self.places, 2)]
        known = [f"({v} = {c})" for v in self.places for c in [0, *self.constants]]
        shared = "VAR register AT 40H : UINT8;\n" + "VAR g : UINT8;\n" * ("g" in self.places)
        shared += "VAR a : ARRAY 2 OF UINT8;\n" * ("a[0]" in self.places)
        own = ", ".join(v for v in self.places if v in "vw")
        body = "; RESCHEDULE;\n    ".join([*reads, f"ASSERT({' OR '.join(equal + known)})"])
        return (
            f"MODULE Different;\n{shared}PROCESS Only;\nVAR {own} : UINT8;\n"
            f"BEGIN\n  LOOP\n    {body}\n  END\nEND Only;\nBEGIN CREATE Only END Different.\n"
        )


Errors = frozenset[tuple[int, object]]


@dataclass(slots=True)
class Result:
    compared: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)


def one_by_one(machine: Machine, count: int) -> Errors | None:
    """With so many values of the port. None: there are too many states."""
    request = request_from(keep_going=True, few=((8, 0x40, count),), reductions=("dead",), states=MOST_STATES)
    search = search_with(machine, request)
    try:
        if search.run() is not Stop.COMPLETE:
            return None
        sites, x = search.generated.sites, search.statistics
        found: set[tuple[int, object]] = {
            (e.fault_kind, sites[e.fault_site].span) for e in search.errors() if e.kind == 1
        }
        found |= {(0, name) for name, there in (("deadlock", x.deadlocks), ("end", x.ends)) if there}
        return frozenset(found)
    finally:
        search.close()


def as_sets(machine: Machine) -> Errors | None:
    """Of all 256 values."""
    program = SymbolicProgram(machine, request_from().world, Reset(machine).places)
    found = Exploration(program, Limits(SECONDS, MOST_SYMBOLIC, goes_on=True))
    try:
        found.run()
    except (TooMany, NotDecoded):
        return None
    if not found.complete:
        return None
    sites = program.generated.sites
    errors: set[tuple[int, object]] = {(k, sites[site].span) for k, site in found.errors if k}
    errors |= {(0, "deadlock")} if (0, 0) in found.errors else set()
    errors |= {(0, "end")} if found.ended else set()
    return frozenset(errors)


def look_at(program: Storing | Different, result: Result) -> str:
    """In what it is wrong; empty: in nothing."""
    machine = machine_of_text(program.text())
    found = independent_data(machine, ())
    if not found.few:
        result.kinds["no port"] += 1
        return ""
    (few,) = found.few
    small = one_by_one(machine, few.count)
    if small is None:
        result.kinds["too large"] += 1
        return ""
    result.compared += 1
    result.kinds["compared" if few.compared else "with constants"] += 1
    result.kinds["with errors"] += bool(small)
    more = one_by_one(machine, few.count + MORE)
    if more is not None and more != small:
        return f"{few.count} values: {small}; {few.count + MORE}: {more}"
    everything = as_sets(machine)
    result.kinds["as sets"] += everything is not None
    if everything is not None and everything != small:
        return f"{few.count} values: {small}; all: {everything}"
    less = one_by_one(machine, few.count - 1) if few.count > 1 else small
    result.kinds["needs each value"] += less != small
    return ""


def campaign(seed: int, count: int) -> Result:
    result = Result()
    for number in range(seed * 1_000_000, seed * 1_000_000 + count):
        wrong = look_at(Different(number) if number % 4 == 0 else Storing(number), result)
        if wrong:
            result.failures.append(f"{number}: {wrong}")
    return result


def main() -> None:
    options = count_and_seed(__doc__, 500)
    result = campaign(options.seed, options.count)
    print(f"{result.compared} compared; {dict(result.kinds)}")
    print(*result.failures, sep="\n")
    sys.exit(1 if result.failures else 0)


if __name__ == "__main__":
    main()
