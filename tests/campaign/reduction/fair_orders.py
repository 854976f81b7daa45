"""The campaign of partial order reduction with fairness and with property processes: the same verdicts as without. The
quota:

    nice python -m tests.campaign.reduction.fair_orders --count 2000 --seed 1

Half of the programs are such of which formulas ask whether something comes at last (`progressing`), half of these
with one more that counts steps; the others are networks of small processes, half of them with a property process, and
programs that create processes as they run. Fairness is assumed of all processes, or of some processes, actions and
communications, each weakly or strongly.
"""

from __future__ import annotations

import itertools
import random
import sys
import traceback
from collections import Counter
from dataclasses import dataclass, field

from lfc.actions.model.machine import Machine, RecordLayout
from lfc.base.source import Source
from lfc.mcheck.check import check
from lfc.mcheck.model.fairness import assumed_fairness, bodies_of
from lfc.mcheck.request.request import Request, request_from
from lfc.mcheck.result.finding import Finding
from lfc.mcheck.result.result import CheckResult
from lfc.run.names import live_processes
from tests.campaign.checking.fairness import random_fairness
from tests.campaign.reduction.reductions import verdicts_of, was_stopped
from tests.differential.stepwise import machine_of_source
from tests.generate.networks import Network
from tests.generate.recipes import RECIPES, text_of
from tests.mcheck.properties.naive_runs import violates
from tests.support.seeds import count_and_seed

MOST_STATES = 20_000
WAYS = (("por",), ("por", "dead"), ("por", "dead", "sym"))
COUNTS = "PROPERTY counts = EVENTUALLY ((flag[0] = 0) & (NEXT (flag[0] = 0)) & (NEXT (NEXT (flag[0] = 1))));"
PROCESSES = [
    "LOOP ACCEPT; RESCHEDULE END",
    "LOOP IF {a} THEN ACCEPT END; RESCHEDULE END",
    "LOOP CHOICE RESCHEDULE | EXIT END END; LOOP IF {a} THEN NOMOVE END; ACCEPT; RESCHEDULE END",
    "LOOP CHOICE RESCHEDULE | IF {a} THEN EXIT ELSE NOMOVE END END END; LOOP IF {b} THEN ACCEPT END; RESCHEDULE END",
    "LOOP IF {a} THEN EXIT END; RESCHEDULE END; LOOP IF {b} THEN ACCEPT END; RESCHEDULE END",
]


@dataclass(slots=True)
class Result:
    programs: int = 0
    compared: int = 0
    too_large: int = 0
    smaller: int = 0  # products
    holds_by_fairness: int = 0
    verdicts: Counter[str] = field(default_factory=Counter)
    assumed: Counter[str] = field(default_factory=Counter)
    not_used: int = 0  # for none of its formulas
    failures: list[str] = field(default_factory=list)

    def text(self) -> str:
        n = max(1, self.compared)
        return (
            f"{self.compared} of {self.programs} compared ({self.too_large} too large); "
            f"{100 * self.smaller / n:.0f} % have smaller products; {self.holds_by_fairness} hold by fairness alone; "
            f"formulas {dict(self.verdicts)}; fairness {dict(self.assumed)}; {self.not_used} count steps"
        )


class Disagreement(Exception):
    """A reduced search says something else."""


def program_of(seed: int) -> str:
    if seed % 2:
        text = text_of("progressing", seed)
        return text.replace("\nBEGIN\n  NEW", f"\n{COUNTS}\nBEGIN\n  NEW") if seed % 4 == 1 else text
    if seed % 3 == 0:
        return text_of("created, properties", seed)
    network = Network(random.Random(seed), RECIPES["networks, properties"].weights)
    text = network.text()
    if seed % 3 == 1:
        body = network.rng.choice(PROCESSES).format(a=network.atom(), b=network.atom())
        at = text.rindex("\nBEGIN\n")
        text = f"{text[:at]}\nPROPERTY watches;\nBEGIN\n  {body}\nEND watches;{text[at:]}"
    return text


def fairness_of_program(r: random.Random, m: Machine) -> tuple[str, tuple[str, ...]]:
    """For all processes, and further words by which it is asked for."""
    match r.randrange(6):
        case 0 | 1:
            return r.choice(["weak", "strong"]), ()
        case 2:
            return r.choice(["weak", "strong"]), communications(r, m)[:1]
        case 3:
            return "", communications(r, m)[:2]
    some = [x for x in m.records if x.body.process is not None and r.random() < 0.6]
    return "", tuple(text for x in some for text in some_of(r, x))


def communications(r: random.Random, m: Machine) -> tuple[str, ...]:
    return tuple(text for _, text in random_fairness(r, m) if "SYSTEM." not in text and "init" not in text)


def some_of(r: random.Random, x: RecordLayout) -> list[str]:
    kind = r.choice(["weak", "strong"])
    index = f"[{r.randrange(x.slots)}]" if r.random() < 0.4 else ""
    lines = sorted({p.span.line for b in bodies_of(x) for p in b.positions if p.ready})
    line = f" {r.choice(lines)}" if r.random() < 0.4 else ""
    return [f"{kind} {x.body.name}{index}{line}"]


def compare(machine: Machine, asked: tuple[str, tuple[str, ...]], result: Result) -> None:
    options = request_from(states=MOST_STATES, keep_going=True, allow_deadlocks=True, threads=1)
    plain = check(machine, options)
    options = options.changed(fairness=asked[0], fair=asked[1])
    full = check(machine, options)
    if was_stopped(full):
        result.too_large += 1
        return
    expected = verdicts_of(full)
    used = False
    options = options.changed(states=0)
    nested = not any(f.strong for f in assumed_fairness(machine, *asked))  # that search knows no strong fairness
    for names, ndfs in itertools.product(WAYS, (False, True)[: 1 + nested]):
        options = options.changed(reductions=names, nested=ndfs)
        reduced = check(machine, options)
        if verdicts_of(reduced) != expected:
            raise Disagreement(f"{asked}, {names}: {verdicts_of(reduced)} instead of {expected}")
        if reduced.reason != full.reason:
            raise Disagreement(f"{asked}, {names}: `{reduced.reason}` instead of `{full.reason}`")
        for finding in reduced.findings:
            judge_run(machine, finding, options)
        por = next(r for r in reduced.reductions if r.name == "por")
        assert not por.why_not
        used |= any(name not in por.not_for for name in expected)
    if not used:
        result.not_used += 1
        return
    result.compared += 1
    result.smaller += size_of(reduced) < size_of(full)
    result.verdicts.update(expected.values())
    result.holds_by_fairness += sum(
        v == "holds" and verdicts_of(plain).get(name) == "property" for name, v in expected.items()
    )
    result.assumed.update({asked[0] or "some": 1})


def judge_run(machine: Machine, finding: Finding, options: Request) -> None:
    """It violates the formula, and nobody who is treated fairly could act on its cycle and never does."""
    run = finding.run
    if run is None:
        return
    name = finding.message.split("`")[1]
    formulas = [p for p in machine.program.main.properties if p.formula is not None]
    if any(p.name == name for p in formulas) and not violates(machine, finding, "dead" in options.reductions):
        raise Disagreement(f"{options.reductions}: the run that is shown does not violate `{name}`")
    fair = {f.slot for f in assumed_fairness(machine, options.claims.fairness, options.claims.fair) if f.of_process}
    passed = {p.slot for b in run.blocks[run.cycle :] for p in live_processes(machine, b) if p.name in run.unfair}
    if not run.lost and fair & passed:
        raise Disagreement(f"{options.reductions}: the run that is shown is not fair to the slots {fair & passed}")


def size_of(found: CheckResult) -> int:
    return sum(int(str(p["states"])) for p in found.properties if p["verdict"] == "holds") or found.states


def try_seed(seed: int, result: Result) -> None:
    result.programs += 1
    try:
        machine = machine_of_source(Source("Program.lf", program_of(seed)))
        asked = fairness_of_program(random.Random(f"fair {seed}"), machine)
        compare(machine, asked, result)
    except Exception:
        result.failures.append(f"{seed}: {traceback.format_exc(limit=-3)}")


def campaign(seed: int, count: int) -> Result:
    result = Result()
    first = seed * 1_000_000
    for number in range(first, first + count):
        try_seed(number, result)
        if (number - first) % 100 == 99:
            print(f"{result.text()}; {len(result.failures)} failures", file=sys.stderr)
    return result


def main() -> None:
    options = count_and_seed(__doc__, 500)
    result = campaign(options.seed, options.count)
    print(result.text())
    for failure in result.failures:
        print(failure)
    sys.exit(1 if result.failures else 0)


if __name__ == "__main__":
    main()
