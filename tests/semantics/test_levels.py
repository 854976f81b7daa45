"""Levels and fault budgets: the program is the one with these branches left out, or counted, in its text."""

from __future__ import annotations

import random

import pytest

from lfc.actions.build import build_machine
from lfc.actions.model.machine import Machine
from lfc.base.source import Source
from lfc.diagnostics.model import Diagnostics
from lfc.mcheck.check import check
from lfc.mcheck.request.request import request_from
from lfc.semantics.analyse import analyse
from lfc.semantics.statements.levels import LEVELS

MARKS = ("", "{normal}", "{degraded}", "{faulty}", "{faulty}")


def machine(text: str, definitions: dict[str, str]) -> Machine:
    diagnostics = Diagnostics()
    program = analyse(Source("Program.lf", text), diagnostics, definitions=definitions)
    assert program is not None and not diagnostics.has_errors, (text, diagnostics.items)
    return build_machine(program, diagnostics)


def counts(text: str, definitions: dict[str, str]) -> tuple[object, ...]:
    result = check(machine(text, definitions), request_from(threads=1, keep_going=True, reductions="none"))
    return result.verdict, result.states, result.transitions, sorted({str(f.kind) for f in result.findings})


class Writer:
    """Random programs, whose choices are as `choice` writes them."""

    def __init__(self, seed: int) -> None:
        rng = random.Random(seed)
        self.choices = [
            [("", self.body(rng)), *((rng.choice(MARKS), self.body(rng)) for _ in range(rng.randint(1, 3)))]
            for _ in range(3)
        ]
        for branches in self.choices:
            rng.shuffle(branches)

    @staticmethod
    def body(rng: random.Random) -> str:
        return rng.choice(["x := 1", "x := 2", "x := 3; RESCHEDULE", "q!m", "RESCHEDULE", "ASSERT(x # 3)", "y := x"])

    def text(self, form: str, level: int = 2, budget: int = 0) -> str:
        """`form`: marked, left out (above `level`), counted."""
        first, second, third = (self.choice(branches, form, level, budget) for branches in self.choices)
        return (
            "MODULE Program; TYPE Ch = [m]; PORT q : Ch; VAR x, y : INTEGER; spent : UINT8;\n"
            f"PROCESS P; BEGIN {first}; RESCHEDULE; {second} END P;\n"
            f"PROCESS Q; BEGIN {third}; q?m END Q;\nBEGIN NEW(q); CREATE P; CREATE Q END Program.\n"
        )

    @staticmethod
    def choice(branches: list[tuple[str, str]], form: str, level: int, budget: int) -> str:
        def joined(texts: list[str]) -> str:
            return f"CHOICE {' | '.join(texts)} END"

        if form == "marked":
            return joined([f"{mark} {body}" for mark, body in branches])
        levels = [LEVELS.index(mark.strip("{}") or "normal") for mark, _ in branches]
        if form == "left out":
            return joined([body for (_, body), its in zip(branches, levels, strict=True) if its <= level])
        counted = [f"INC(spent); {body}" if its == 2 else body for (_, body), its in zip(branches, levels, strict=True)]
        others = [body for (_, body), its in zip(branches, levels, strict=True) if its < 2]
        whole = f"IF spent < {budget} THEN {joined(counted)} ELSE {joined(others)} END"
        return whole if 2 in levels else joined(counted)


@pytest.mark.parametrize("seed", range(6))
def test_levels_are_what_is_left_out_by_hand(seed: int) -> None:
    w = Writer(seed)
    found = [counts(w.text("marked"), {"--level": name}) for name in LEVELS]
    assert found == [counts(w.text("left out", level), {}) for level in range(3)]
    assert counts(w.text("marked"), {}) == found[2]


@pytest.mark.parametrize("seed", range(4))
def test_budgets_are_what_is_counted_by_hand(seed: int) -> None:
    w = Writer(seed)
    found = [counts(w.text("marked"), {"--fault-budget": str(n)}) for n in range(3)]
    assert found == [counts(w.text("counted", budget=n), {}) for n in range(3)]


def test_they_make_a_difference() -> None:
    differs = [counts(Writer(s).text("marked"), {"--level": n}) for s in range(3) for n in LEVELS]
    assert len({repr(d) for d in differs}) > 4
