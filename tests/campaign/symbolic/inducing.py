"""The campaign of induction: what it proves of random programs, the search value by value does not refute, and the
validator accepts. Their variables are counted, copied and compared with each other; ranges alone leave their assertions
open, often. The full quota:

    python -m tests.campaign.symbolic.inducing --count 1000 --seed 1
"""

from __future__ import annotations

import argparse
import random
import sys
import traceback

from lfc.certificates.certify import NotCertified
from lfc.certificates.invariants.certify import certify_invariant
from lfc.certificates.invariants.validate import verify_invariant
from lfc.mcheck.reduction.dead_variables.dead_variables import Reset
from lfc.mcheck.request.request import Request, request_from
from lfc.mcheck.request.world import Inputs
from lfc.mcheck.symbolic.execution.decode import NotDecoded
from lfc.mcheck.symbolic.explore import Exploration, Limits, SymbolicProgram
from lfc.mcheck.symbolic.induction.prove import proof_of
from lfc.mcheck.symbolic.values.preimages import TooMany
from tests.actions.machines import machine_of_text
from tests.campaign.symbolic.agreement import Result, eager, explicit
from tests.support.seeds import add_seed, parsed

MOST_STATES, MOST_SYMBOLIC = 200_000, 400
SECONDS, FOR_PROOF = 10.0, 3.0
NAMES = ("a", "b", "c")
ASSUME = ("10H in 0..3",)


class Inducing:
    """Programs of one or two processes over three counters, which assert how these are ordered, or what they are
    together. Most of their statements keep that."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(f"inducing {seed}")
        self.limit = self.rng.choice([9, 14, 20])
        self.about = self.rng.choice(["order", "order", "sum", "copies"])
        self.names = self.rng.sample(NAMES, 3)
        self.careless = self.rng.choice([0.0, 0.5, 0.7])

    def text(self) -> str:
        two = self.rng.random() < 0.5
        processes = [self.process(n) for n in range(1 + two)]
        create = "; ".join(f"CREATE P{n}" for n in range(1 + two))
        x, y, _ = self.names
        first = (
            f"{y} := {self.limit}; "
            if self.about == "sum"
            else f"{x} := 1; {y} := 1; "
            if self.rng.random() < 0.4
            else ""
        )
        body = "\n".join(processes)
        return f"MODULE Inducing;\nVAR a, b, c : UINT8;\n{body}\nBEGIN {first}{create} END Inducing.\n"

    def process(self, n: int) -> str:
        r = self.rng
        body = [self.statement() for _ in range(r.randint(1, 4))]
        if n == 0 or r.random() < 0.4:
            body.insert(r.randint(0, len(body)), f"ASSERT({self.claim()})")
        body.insert(r.randint(0, len(body)), "RESCHEDULE")
        return f"PROCESS P{n} SERVER;\nVAR v : UINT8;\nBEGIN\n  LOOP {'; '.join(body)}; RESCHEDULE END\nEND P{n};"

    def claim(self) -> str:
        x, y, _ = self.names
        of = {"order": f"{x} <= {y}", "sum": f"{x} + {y} = {self.limit}", "copies": f"{x} = {y}"}
        return of[self.about]

    def statement(self) -> str:
        r, (x, y, z), most = self.rng, self.names, self.limit
        if r.random() < self.careless:
            return self.any_statement()
        beside = [f"IF {z} < {most} THEN INC({z}) END", f"{z} := {x}", f"{z} := {y}", f"IF {z} > 0 THEN DEC({z}) END"]
        keeping = {
            "order": [
                f"IF {x} < {y} THEN INC({x}) END",
                f"IF {y} < {most} THEN INC({y}) END",
                f"IF {x} > 0 THEN DEC({x}) END",
                f"IF {x} < {y} THEN DEC({y}) END",
                f"{x} := {y}",
                f"IF {z} < {x} THEN {x} := {z} END",
                f"IF {z} > {y} THEN {y} := {z} END",
                f"v := PORTIN(10H); IF {y} + v <= {most} THEN {y} := {y} + v END",
                f"v := PORTIN(10H); IF ({x} + v <= {y}) THEN {x} := {x} + v END",
            ],
            "sum": [
                f"IF {x} > 0 THEN DEC({x}); INC({y}) END",
                f"IF {y} > 0 THEN DEC({y}); INC({x}) END",
                f"v := PORTIN(10H); IF v <= {x} THEN {x} := {x} - v; {y} := {y} + v END",
                f"v := PORTIN(10H); IF v <= {y} THEN {y} := {y} - v; {x} := {x} + v END",
                f"{x} := 0; {y} := {most}",
            ],
            "copies": [
                f"IF {x} < {most} THEN INC({x}); INC({y}) END",
                f"IF {y} > 0 THEN DEC({y}); DEC({x}) END",
                f"{x} := {z}; {y} := {z}",
                f"{x} := PORTIN(10H); {y} := {x}",
            ],
        }
        return r.choice([*keeping[self.about] * 2, *beside])

    def any_statement(self) -> str:
        r = self.rng
        x, y, z = r.sample(NAMES, 3)
        return r.choice(
            [
                f"IF {x} < {self.limit} THEN INC({x}) END",
                f"IF {x} > 0 THEN DEC({x}) END",
                f"IF {x} <= {y} THEN {z} := {x} ELSE {z} := {y} END",
                f"{x} := {y}",
                f"IF {x} <= {y} THEN INC({x}) END",
            ]
        )


def compare(text: str, request: Request, result: Result) -> str:
    """In what they differ; empty: in nothing."""
    machine = machine_of_text(text)
    program = SymbolicProgram(machine, request.world, Reset(machine).places)
    found = Exploration(
        program, Limits(SECONDS, states=MOST_SYMBOLIC, may_widen=True, confirms=lambda _: False, goes_on=True)
    )
    try:
        found.run()
    except (TooMany, NotDecoded) as why:
        result.refused[f"{type(why).__name__}: {why}"] += 1
        return ""
    if not found.complete or not found.possible:
        result.kinds["ranges are enough" if found.complete else "not complete"] += 1
        return ""
    one_by_one = explicit(machine, request)
    if one_by_one is None:
        result.too_large += 1
        return ""
    proof = proof_of(found, FOR_PROOF)
    wrong = bool(one_by_one.errors) or one_by_one.deadlock
    result.compared += 1
    result.kinds["with errors"] += wrong
    result.kinds["proved"] += proof is not None
    result.kinds["left open"] += proof is None and not wrong
    if proof is None:
        return ""
    result.kinds[f"over {proof.k} steps" if proof.k > 1 else "with lemmas" if proof.lemmas else "by the solver"] += 1
    if wrong:
        return "something is proved that is not so"
    try:
        verify_invariant(machine, certify_invariant(machine, request))
        result.kinds["validated"] += 1
    except NotCertified:
        result.kinds["not certified"] += 1
    return ""


def campaign(seed: int, count: int) -> Result:
    result = Result()
    request = request_from(states=MOST_STATES, keep_going=True, inputs=Inputs.ALL, assume=ASSUME)
    number = seed * 1_000_000
    with eager():
        while result.compared + len(result.failures) < count:
            number += 1
            try:
                differing = compare(Inducing(number).text(), request, result)
            except Exception:
                differing = traceback.format_exc(limit=-3)
            if differing:
                result.failures.append(f"{number}: {differing}")
    return result


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=100)
    add_seed(parser)
    options = parsed(parser)
    result = campaign(options.seed, options.count)
    print(f"{result.compared} compared, {result.too_large} too large; {dict(result.kinds)}")
    print(dict(result.refused))
    for failure in result.failures:
        print(failure)
    sys.exit(1 if result.failures else 0)


if __name__ == "__main__":
    main()
