"""Property processes of random programs: both searches of the engine and the slow product agree on the verdict."""

from __future__ import annotations

import random
import re

from lfc.base.source import Source
from lfc.mcheck.properties.emptiness import How, Verdict
from lfc.mcheck.properties.product import ProductSearch, watch
from lfc.mcheck.request.request import request_from
from lfc.mcheck.search.search import Stop
from tests.differential.stepwise import machine_of_source
from tests.generate.general.program import Profile, generate
from tests.mcheck.reference_product import explore_product
from tests.mcheck.searching import search_with

PROFILE = Profile(size=1, small=True, inputs=False, interrupts=False, time=False)
SHAPES = [
    "LOOP IF {a} THEN ACCEPT END; RESCHEDULE END",
    "LOOP CHOICE RESCHEDULE | EXIT END END; LOOP IF {a} THEN NOMOVE END; ACCEPT; RESCHEDULE END",
    "WHILE ~({a}) DO RESCHEDULE END; LOOP IF {b} THEN ACCEPT END; RESCHEDULE END",
    "LOOP IF {a} THEN k := (k + 1) MOD 3 END; IF (k = 2) & ({b}) THEN ACCEPT END; RESCHEDULE END",
    "LOOP CHOICE IF {a} THEN ACCEPT END | IF ~({b}) THEN NOMOVE END; k := 1 - k END; RESCHEDULE END",
    "REPEAT RESCHEDULE UNTIL {a}; IF {b} THEN ACCEPT END",
]


def with_property(text: str, seed: int) -> str | None:
    """None: the program has nothing to ask about."""
    rng = random.Random(seed)
    outermost = re.findall(r"(?m)^PROCESS (\w+)", text)
    processes = [p for p in re.findall(r"CREATE (\w+)", text) if p in outermost]
    numbers = re.findall(r"^  (g\d+)\*? : U?INT(?:8|16|32|EGER);", text, re.MULTILINE)
    sends = re.findall(r"\b(p\d+)!(\w+)", text)
    atoms = [f"{s}({p})" for p in processes for s in ("READY", "WAITING", "ENDED")]
    atoms += [f"{n} {r} {v}" for n in numbers for r in ("=", "<") for v in (0, 1, 2)]
    atoms += [f"TAKEN({p}.{m})" for p, m in sends if f"{p} : ARRAY" not in text and f"{p}* : ARRAY" not in text] * 3
    for p in processes:
        own = re.search(rf"(?ms)^PROCESS {p}\b.*?^BEGIN", text)
        locals_ = re.findall(r"(?m)^  (\w+) : U?INT(?:8|16|32|EGER);", own.group() if own else "")
        atoms += [f"{p}.{v} {r} {n}" for v in locals_ for r in ("=", "<") for n in (1, 2)]
    if not atoms:
        return None
    body = rng.choice(SHAPES).format(a=rng.choice(atoms), b=rng.choice(atoms))
    property_ = f"PROPERTY watched; VAR k : 0 .. 2; BEGIN {body} END watched;\n"
    return re.sub(r"(?m)^PROCESS ", property_ + "PROCESS ", text, count=1)


def agree(seed: int, most: int = 1500) -> bool | None:
    """Whether some run violates the property; None: not compared."""
    text = with_property(generate(seed, PROFILE).text, seed)
    if text is None or "PROPERTY" not in text:
        return None
    machine = machine_of_source(Source("Program.lf", text))
    product = explore_product(machine, 0, most)
    if not product.complete or product.faults:
        return None
    watched = watch(machine, [p.of for p in machine.properties])
    for dead in (False, True):
        limits = request_from(keep_going=True, reductions=("dead",) * dead)
        search = search_with(machine, limits, atoms=watched.atoms, watchers=watched.watchers)
        assert search.run() is Stop.COMPLETE
        for how in How:
            found = ProductSearch(machine, search, watched, []).run(watched.properties[0], how)
            assert (found.verdict is Verdict.FOUND) == product.violated, (dead, how, found.verdict, text)
        search.close()
    return product.violated


def test_random_properties_of_random_programs() -> None:
    verdicts = [agree(seed, 250) for seed in range(7030, 7060)]
    assert verdicts.count(True) >= 2 and verdicts.count(False) >= 4, verdicts
