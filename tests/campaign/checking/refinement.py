"""Random pairs of programs: what `lfc refine` says of them is what the definitions say over the naive explorer, in all
three models; and each counterexample is a run of the implementation that shows what is said.

    python -m tests.campaign.checking.refinement [--count N] [--seed FIRST]
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

from lfc.actions.model.machine import Machine
from lfc.mcheck.model.open_module import close
from lfc.mcheck.refinement.behaviour import Behaviour
from lfc.mcheck.refinement.refine import MODELS, Violation, refine
from lfc.mcheck.refinement.visible import Labels, choose, ports_of
from tests.generate.visible import pair
from tests.mcheck.refinement.reference import (
    Graph,
    TooLarge,
    after,
    closure,
    divergent,
    failures,
    graph_of,
    refines,
)
from tests.naive.explorer import Conventions
from tests.support.searched import machine_from
from tests.support.seeds import count_and_seed

MOST = 600
CONVENTIONS = Conventions(port_values=(0, 1), rounds=200)


@dataclass(slots=True)
class Result:
    compared: int = 0
    verdicts: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)


def campaign(first: int, count: int) -> Result:
    result = Result()
    seed = first
    while result.compared < count and seed < first + 4 * count + 20:
        one(seed, result)
        seed += 1
    return result


def one(seed: int, result: Result) -> None:
    texts = pair(seed)
    programs = [opened(t, texts.is_open) for t in (texts.first, texts.second)]
    machines = [m for m, _ in programs]
    try:
        graphs = [graph_of(m, ("a", "b"), MOST, CONVENTIONS) for m in machines]
    except TooLarge:
        return
    result.compared += 1
    first, second = (behaviour(*program, ["a", "b"]) for program in programs)
    for model in MODELS:
        expected = refines(graphs[0], graphs[1], model)
        found = refine(first, second, model)
        kind = None if found.violation is None else found.violation.kind
        verdict = f"{model}: {kind or 'refines'}"
        result.verdicts[verdict] += 1
        if (kind is None) != expected:
            result.failures.append(f"seed {seed}, {model}: {kind or 'refines'}\n{texts.first}\n{texts.second}")
        elif found.violation is not None and not is_shown(found.violation, graphs):
            result.failures.append(f"seed {seed}, {model}: a wrong counterexample {found.violation}")


def behaviour(machine: Machine, values: dict[int, range], ports: list[str]) -> Behaviour:
    return Behaviour(machine, Labels(machine, choose(ports_of(machine), ports, "it")), 50_000, values)


def opened(text: str, is_open: bool) -> tuple[Machine, dict[int, range]]:
    """With the values that its outside sends."""
    machine = machine_from(text)
    if not is_open:
        return machine, {}
    with TemporaryDirectory() as folder:
        file = Path(folder) / "Visible.lf"  # which the module that closes it imports
        file.write_text(text)
        closed = close(machine, str(file), ())
    assert closed is not None
    return closed.machine, closed.values


def is_shown(v: Violation, graphs: list[Graph]) -> bool:
    """The trace is one of both, and what follows is one of the implementation alone."""
    there, here = (closure(g, frozenset({0})) for g in graphs)
    for event in v.trace:
        there, here = after(graphs[0], there, event), after(graphs[1], here, event)
    if not (there and here):
        return False
    if v.kind == "event":
        return bool(after(graphs[1], here, v.event)) and not after(graphs[0], there, v.event)
    if v.kind == "refusal":
        offers = frozenset(v.offers)
        return offers in failures(graphs[1], here) and not any(a <= offers for a in failures(graphs[0], there))
    return bool(here & divergent(graphs[1])) and not there & divergent(graphs[0])


def main() -> int:
    options = count_and_seed(__doc__, 1000)
    result = campaign(options.seed, options.count)
    print(f"{result.compared} pairs:", ", ".join(f"{n} {v}" for v, n in sorted(result.verdicts.items())))
    for failure in result.failures[:3]:
        print(failure)
    return 1 if result.failures or result.compared < options.count else 0


if __name__ == "__main__":
    raise SystemExit(main())
