"""The campaign of monitors: random programs with random monitors, woven in, against the naive explorer, which runs the
handlers from the typed tree. The full quota:

    python -m tests.campaign.checking.monitors --count 500 --seed 1

The same states as blocks, transitions, errors and stuck processes, in every mode that is exact; with partial-order
reduction and chains the same kinds of errors. A monitor without variables leaves the counts of the program as they are.
"""

from __future__ import annotations

import argparse
import random
import sys
import traceback
from dataclasses import dataclass, field

from lfc.actions.build import build_machine
from lfc.actions.model.machine import Machine
from lfc.base.source import Source
from lfc.diagnostics.model import Diagnostics
from lfc.mcheck.check import check
from lfc.mcheck.request.request import request_from
from lfc.semantics.analyse import analyse
from lfc.semantics.model import typed
from lfc.semantics.model.types import IntegerType
from tests.campaign.checking.checker import MOST_STATES, profile_of
from tests.generate.general.program import generate
from tests.mcheck.agreement import compare_machine
from tests.support.seeds import add_seed, parsed


@dataclass(slots=True)
class Result:
    compared: int = 0
    left_out: int = 0  # too large, or nothing to watch
    violating: int = 0
    failures: list[str] = field(default_factory=list)


def monitored(text: str, monitor: str) -> Machine | None:
    """None after errors: of limits that the program reaches with it."""
    diagnostics = Diagnostics()
    around = [Source("Watch.lf", monitor)] if monitor else []
    program = analyse(Source("Program.lf", text), diagnostics, environments=around)
    assert program is not None and not diagnostics.has_errors, diagnostics.items[-1]
    machine = build_machine(program, diagnostics)
    return None if diagnostics.has_errors else machine


def monitor_for(module: typed.Module, rng: random.Random, counts: bool) -> str:
    """Of a few events; an assertion fails in one of three."""
    lines: list[str] = []

    def note(limit: int = 3) -> str:
        if not counts:
            return "ASSERT(TRUE)"
        asserted = f"; ASSERT(n # {rng.randint(1, limit)})" if rng.random() < 0.15 else ""
        return f"n := (n + {rng.randint(1, limit - 1)}) MOD {limit}{asserted}"

    events = [p.name for p in module.processes if not p.external and not p.is_procedure]
    rng.shuffle(events)
    for name in events[:2]:
        lines.append(f"ON {rng.choice(['', 'RETURN '])}{name} DO {note()}")
    channels = [t for t in module.types if t.name.startswith("Chan")]
    for t in channels[:2]:
        for m in t.type.messages[:2]:  # type: ignore[attr-defined]
            values = ", ".join(f"v{i}" for i in range(len(m.types)))
            extra = ""
            first = getattr(m.types[0], "base", m.types[0]) if m.types else None
            if counts and isinstance(first, IntegerType):
                extra = "; IF v0 = 1 THEN seen := ~seen END"
            lines.append(f"ON {t.name}.{m.name}{f'({values})' if values else ''} DO {note()}{extra}")
    ports = [v for v in module.variables if v.name.startswith("p") and type(v.type).__name__ == "ChannelType"]
    for v in ports[:1]:
        message = v.type.messages[0]  # type: ignore[attr-defined]
        lines.append(f"ON {v.name}.{message.name} DO {note()}")
    if rng.random() < 0.5 and counts:
        lines.append(f"AT END {note()}" if rng.random() < 0.5 else "AT END ASSERT(n < 3)")
    if not lines:
        return ""
    variables = "VAR n : UINT8; seen : BOOLEAN;\n" if counts else ""
    return f"MONITOR Watch OF {module.name};\n{variables}" + "\n".join(lines) + "\nEND Watch.\n"


def try_seed(seed: int, result: Result) -> None:
    rng = random.Random(seed)
    text = generate(seed, profile_of(seed)).text
    plain = monitored(text, "")
    assert plain is not None
    monitor = monitor_for(plain.program.main, rng, counts=seed % 5 != 0)
    machine = monitored(text, monitor) if monitor else None
    kinds = None if machine is None else compare_machine(machine, MOST_STATES)
    if kinds is None or machine is None:
        result.left_out += 1
        return
    result.compared += 1
    full = check(machine, request_from(keep_going=True, reductions="none", threads=1))
    result.violating += bool(kinds)
    if seed % 5 == 0:
        alone = check(plain, request_from(keep_going=True, reductions="none", threads=1))
        assert (full.states, full.transitions) == (alone.states, alone.transitions), "a monitor changes the program"
    less = check(machine, request_from(reductions="por,chains", threads=1))
    assert (str(less.verdict) == "Verdict.HOLDS") == (str(full.verdict) == "Verdict.HOLDS"), (
        f"{less.verdict}, {full.verdict}"
    )


def campaign(seed: int, count: int) -> Result:
    result = Result()
    number = seed * 1_000_000
    while result.compared < count:
        number += 1
        try:
            try_seed(number, result)
        except Exception:
            result.failures.append(f"{number}: {traceback.format_exc(limit=-3)}")
            if len(result.failures) > 10:
                break
    return result


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=200)
    add_seed(parser)
    options = parsed(parser)
    result = campaign(options.seed, options.count)
    print(f"{result.compared} compared, {result.left_out} left out, {result.violating} violate something")
    for failure in result.failures:
        print(failure)
    sys.exit(1 if result.failures else 0)


if __name__ == "__main__":
    main()
