"""The campaign of properties over undetermined data: random programs with narrow inputs, random formulas and fairness.
What the search over sets of values says of a property, and what its states alone say, the engine's product says value
by value. The full quota:

    python -m tests.campaign.symbolic.properties --count 500 --seed 1
"""

from __future__ import annotations

import argparse
import random
import sys
import time
import traceback
from collections import Counter
from dataclasses import dataclass, field

from lfc.actions.model.machine import Machine
from lfc.mcheck.model.fairness import assumed_fairness
from lfc.mcheck.properties.emptiness import Verdict as Cyclic
from lfc.mcheck.properties.product import ProductSearch, watch
from lfc.mcheck.reduction.common.reduction import Question
from lfc.mcheck.reduction.dead_variables.dead_variables import Reset
from lfc.mcheck.request.request import Request, request_from
from lfc.mcheck.request.world import Inputs
from lfc.mcheck.result.finding import Verdict
from lfc.mcheck.search.search import Stop
from lfc.mcheck.symbolic.execution.decode import NotDecoded
from lfc.mcheck.symbolic.explore import Exploration, Limits, SymbolicProgram
from lfc.mcheck.symbolic.properties.check_property import Budget, answers, told_by_states
from lfc.mcheck.symbolic.values.preimages import TooMany
from tests.actions.machines import machine_of_text
from tests.campaign.symbolic.agreement import eager
from tests.campaign.symbolic.sampling import RANGES, Sampling
from tests.mcheck.searching import search_with
from tests.support.seeds import add_seed, parsed

MOST_STATES = 6_000
SECONDS = 6.0

FORMULAS = (
    "ALWAYS ({a})",
    "ALWAYS ({a} IMPLIES {b})",
    "ALWAYS ({a} IMPLIES ALWAYS {b})",
    "({a}) WEAKUNTIL ({b})",
    "ALWAYS ({a} IMPLIES NEXT {b})",
    "EVENTUALLY ({a})",
    "ALWAYS EVENTUALLY ({a})",
    "EVENTUALLY ALWAYS ({a})",
    "ALWAYS ({a} IMPLIES EVENTUALLY {b})",
    "(ALWAYS EVENTUALLY ({a})) IMPLIES (ALWAYS EVENTUALLY ({b}))",
    "({a}) UNTIL ({b})",
)
PROCESS = (
    "PROPERTY asked;\nBEGIN LOOP CHOICE RESCHEDULE | EXIT END END;"
    " LOOP IF {a} THEN NOMOVE END; ACCEPT; RESCHEDULE END END asked;"
)


def with_property(text: str, number: int) -> str:
    """Its atoms ask about module variables, processes, their variables and meetings."""
    r = random.Random(f"property {number}")
    atoms = [f"g {s} {n}" for s in ("<", "=", ">") for n in (1, 3, 7)]
    atoms += ["flag", "mode = low", "cell[0] < 4", "w > 9", "t < 0", "p.low = p.high", "g = cell[2]", "~flag"]
    for name in ("Worker0", "Worker1", "Receiver", "Counter"):
        if f"PROCESS {name}" in text:
            atoms += [f"READY({name})", f"WAITING({name})", f"ENDED({name})"]
            atoms += [f"{name}.a < 4", f"{name}.b = 2"] if name != "Counter" else [f"{name}.n > 2"]
    if "PORT ch" in text:
        atoms += ["TAKEN(ch.value)", "TAKEN(ch.none)"] * 2
    shape = PROCESS if r.random() < 0.1 else f"PROPERTY asked = {r.choice(FORMULAS)};"
    return text.replace("PROCESS ", shape.format(a=f"({r.choice(atoms)})", b=f"({r.choice(atoms)})") + "\nPROCESS ", 1)


def fairness_of(text: str, number: int) -> tuple[str, tuple[str, ...]]:
    r = random.Random(f"fairness {number}")
    kind = r.choice(["", "", "weak", "strong"])
    asked: list[str] = []
    for who, what in (("Worker0", "ch!value"), ("Receiver", "ch?none"), ("Receiver", "ch?value"), ("Worker0", "")):
        if f"PROCESS {who}" in text and what in text.split(f"PROCESS {who}")[1] and r.random() < 0.3:
            asked.append(f"{r.choice(['weak', 'strong'])} {who} {what}".strip())
    return kind, tuple(asked)


@dataclass(slots=True)
class Result:
    compared: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)


def compare(machine: Machine, request: Request, exactly: float, result: Result) -> str:
    """In what the verdicts differ; empty: in nothing."""
    watched = watch(machine, [p for m in machine.program.modules for p in m.properties])
    fair = assumed_fairness(machine, request.claims.fairness, request.claims.fair)
    explicit = violated(machine, request, Question(machine, request, watched, fair))
    if explicit is None:
        result.kinds["too large, or with errors"] += 1
        return ""
    question = Question(machine, request, watched, fair)
    if by_states(question, exactly, result) and explicit:
        return "the states alone say that it holds, and value by value it is violated"
    ((_, answer),) = answers(question, watched, Budget(time.monotonic() + SECONDS, lambda: False, exactly), False)
    result.compared += 1
    result.kinds["violated"] += explicit
    result.kinds["fair"] += bool(fair)
    if answer.verdict is Verdict.INCONCLUSIVE:
        result.kinds["inconclusive"] += 1
        result.refused[answer.reason] += 1
        return ""
    result.kinds["decided"] += 1
    result.kinds["with a cycle"] += bool(answer.finding and answer.finding.run and not answer.finding.run.lost)
    result.kinds["wide"] += bool(answer.wide)
    if (answer.verdict is Verdict.PROPERTY) != explicit:
        return f"{answer.verdict}, and value by value it is {'violated' if explicit else 'not'}"
    return ""


def by_states(question: Question, exactly: float, result: Result) -> bool:
    """Whether the states of a search and what leads from each to which say that the property holds."""
    program = SymbolicProgram(question.machine, question.request.world, Reset(question.machine).places)
    limits = Limits(SECONDS, MOST_STATES, allow_deadlocks=True, may_widen=not exactly, confirms=lambda _: False)
    found = Exploration(program, limits)
    try:
        found.run()
    except (TooMany, NotDecoded):
        return False
    if not found.complete or found.errors or found.possible:
        return False
    told = told_by_states(found, (question.watched,), Budget(time.monotonic() + SECONDS, lambda: False))
    result.kinds["by states"] += bool(told)
    return bool(told)


def violated(machine: Machine, request: Request, question: Question) -> bool | None:
    """Value by value. None: there are too many states, or errors of other kinds."""
    search = search_with(machine, request, atoms=question.watched.atoms, watchers=question.watched.watchers)
    try:
        if search.run() is not Stop.COMPLETE or any(e.kind == 1 for e in search.errors()):
            return None
        product = ProductSearch(machine, search, question.watched, question.fair)
        found = product.run(question.watched.properties[0]).verdict
        return None if found not in (Cyclic.NONE, Cyclic.FOUND) else found is Cyclic.FOUND
    finally:
        search.close()


def program_of(number: int) -> tuple[Machine, Request]:
    text = with_property(Sampling(number).text(), number)
    kind, asked = fairness_of(text, number)
    request = request_from(states=MOST_STATES, keep_going=True, inputs=Inputs.ALL, assume=RANGES, allow_deadlocks=True)
    return machine_of_text(text), request.changed(fairness=kind, fair=asked)


def campaign(seed: int, count: int, exactly: float = SECONDS) -> Result:
    """`exactly`: seconds for an exact search; 0: only ranges."""
    result = Result()
    number = seed * 1_000_000
    while result.compared + len(result.failures) < count:
        number += 1
        try:
            machine, request = program_of(number)
            differing = compare(machine, request, exactly, result)
        except Exception:
            differing = traceback.format_exc(limit=-3)
        if differing:
            result.failures.append(f"{number}: {differing}")
    return result


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--ranges", action="store_true", help="no exact search; ranges come into it soon, and often")
    add_seed(parser)
    options = parsed(parser)
    if options.ranges:
        with eager():
            result = campaign(options.seed, options.count, 0)
    else:
        result = campaign(options.seed, options.count)
    print(f"{result.compared} compared; {dict(result.kinds)}")
    print(dict(result.refused))
    for failure in result.failures:
        print(failure)
    sys.exit(1 if result.failures else 0)


if __name__ == "__main__":
    main()
