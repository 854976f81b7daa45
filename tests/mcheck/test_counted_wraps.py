"""`--wraps fault` beside the naive explorer, which computes with numbers that have no bound."""

from __future__ import annotations

import random

import pytest

from lfc.actions.build import build_machine
from lfc.actions.flow import counted_wraps
from lfc.actions.model.machine import Machine
from lfc.base.source import Source
from lfc.codegen.expressions import arithmetic
from lfc.diagnostics.model import Diagnostics
from lfc.mcheck.check import check
from lfc.mcheck.request.request import request_from
from lfc.semantics.analyse import analyse
from lfc.semantics.model.typed import FAULT, WRAPS
from tests.differential.stepwise import ROUNDS, machine_of_source
from tests.mcheck.agreement import Disagreement, Expected, difference_of, expectation
from tests.naive.decode import bounds_of
from tests.naive.explorer import Conventions, explore
from tests.naive.expressions import wraps_counted
from tests.naive.state import State

WIDTHS = ("UINT8", "UINT16", "UINT32")
SEEDS = range(12)


def machine_with_wraps_counted(text: str) -> Machine:
    diagnostics = Diagnostics()
    program = analyse(Source("Program.lf", text), diagnostics, definitions={WRAPS: FAULT})
    assert program is not None and not diagnostics.has_errors, diagnostics.items
    return build_machine(program, diagnostics, with_environment=False)


def random_text(seed: int) -> str:
    """Two processes that compute with an unsigned type, wraps on purpose among the rest."""
    draw = random.Random(seed)
    t = WIDTHS[seed % 3]
    bits = int(t[4:])
    near = [0, 1, 2, 5, 1 << bits - 1, (1 << bits) - 6, (1 << bits) - 1, 1 << bits // 2]

    def value(depth: int, varies: bool = True) -> str:
        if depth == 0:
            constants = [] if varies else [str(draw.choice(near[:4])), f"{t}({draw.choice(near)})"]
            return draw.choice(["a", "b", "n", *constants])
        left, right = value(depth - 1), value(depth - 1, varies=False)
        sum_ = f"({left} {draw.choice('+-*')} {right})"
        forms = [sum_, sum_, sum_, f"SYSTEM.VAL({t}, {sum_})", f"({sum_} MOD {1 << draw.choice((0, 1, 4, bits - 1))})"]
        return draw.choice([*forms, f"({sum_} MOD 5)", f"(-{left})", f"({sum_} DIV 2)", f"BAND({sum_}, {left})"])

    def statement() -> str:
        to = draw.choice("abn")
        step = f"{draw.choice(('INC', 'DEC'))}({to}, {value(1)})"
        return draw.choice(
            [f"{to} := {value(2)}", f"{to} := {value(1)}", step, f"IF {value(1)} > b THEN INC({to}) END"]
        )

    bodies = ["; ".join(f"{statement()}; RESCHEDULE" for _ in range(3)) for _ in range(2)]
    first, second = (f"{t}({draw.choice(near)})" for _ in range(2))
    return f"""MODULE Program;
IMPORT SYSTEM;
VAR a, b : {t};
PROCESS P; VAR n : {t}; BEGIN {bodies[0]} END P;
PROCESS Q; VAR n : {t}; BEGIN {bodies[1]} END Q;
BEGIN a := {first}; b := {second}; CREATE P; CREATE Q
END Program.
"""


def expected_of(text: str) -> Expected:
    plain = machine_of_source(Source("Program.lf", text))
    start = State.initial(plain.program, bounds_of(plain))
    with wraps_counted():
        naive = explore(plain.program, Conventions(most_states=3000, rounds=ROUNDS), start)
    assert naive.complete
    return expectation(plain, naive)


def compare(text: str) -> int:
    """How many faults both find."""
    expected = expected_of(text)
    difference = difference_of(machine_with_wraps_counted(text), request_from(keep_going=True, rounds=ROUNDS), expected)
    if difference is not None:
        raise Disagreement(f"{difference}:\n{text}")
    return expected.counts[2]


def test_engine_and_naive_explorer_agree_on_what_wraps() -> None:
    faults = [compare(random_text(seed)) for seed in SEEDS]
    assert faults == [3, 6, 4, 5, 3, 2, 5, 2, 5, 0, 11, 5]


def test_a_bound_that_is_seeded_wrong_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """Differences wrap unseen."""
    honest = arithmetic.without_wrap

    def seeded(s, op, t, left, right, span):  # type: ignore[no-untyped-def]
        return arithmetic.binary(s, op, t, left, right, span) if op == "-" else honest(s, op, t, left, right, span)

    monkeypatch.setattr(arithmetic, "without_wrap", seeded)
    with pytest.raises(Disagreement):
        for seed in SEEDS:
            compare(random_text(seed))


def test_a_wrap_on_purpose_that_is_seeded_as_a_fault_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counted_wraps, "divides", lambda modulus, t: False)
    with pytest.raises(Disagreement):
        for seed in SEEDS:
            compare(random_text(seed))


COUNTED = {
    "n := n + 10": "250 + 10 is 260, which UINT8 cannot hold",
    "n := 5 - n": "5 - 250 is -245, which UINT8 cannot hold",
    "n := n * 2 DIV 4": "250 * 2 is 500, which UINT8 cannot hold",
    "n := -n": "0 - 250 is -250, which UINT8 cannot hold",
    "INC(n, 6)": "250 + 6 is 256, which UINT8 cannot hold",
    "DEC(w, 4)": "3 - 4 is -1, which UINT32 cannot hold",
    "w := SYSTEM.VAL(UINT32, 0 - w) * 2": "4294967293 * 2 is 8589934586, which UINT32 cannot hold",
    "IF n + 10 > 5 THEN n := 0 END": "250 + 10 is 260, which UINT8 cannot hold",
    "n := (n + 10) MOD 5": "250 + 10 is 260, which UINT8 cannot hold",
    "n := SYSTEM.VAL(UINT8, n) + 10": "250 + 10 is 260, which UINT8 cannot hold",
    "w := w - t": "3 - 4 is -1, which UINT32 cannot hold",
    "since := since + 5; w := since * 4294967295": "5 * 4294967295 is 21474836475, which UINT32 cannot hold",
    "since := t * 1073741824 + since": "4 * 1073741824 is 4294967296, which UINT32 cannot hold",
}
MEANT = (
    "n := n + 5; INC(n, 0); DEC(n, 255); ASSERT(n = 0)",
    "n := SYSTEM.VAL(UINT8, n * 2 + 10); ASSERT(n = 254)",
    "n := (n + 10) MOD 16; ASSERT(n = 4)",
    "n := UINT8(n * 5 MOD 256); ASSERT(n = 226)",
    "n := BAND(n + 10, 15); ASSERT(n = 4)",
    "w := Clock.Now - t; ASSERT(w = 0FFFFFFFCH)",
    "since := Clock.Now; since := since - t; ASSERT(since = 0FFFFFFFCH)",
    "since := since + 3 - t; ASSERT(since = 0FFFFFFFFH)",
    "DEC(since, t); INC(since, 6); ASSERT(since = 2)",
    "n := LSL(n, 1); ASSERT(n = 244)",
)


def found_in(statement: str, data: str) -> tuple[list[str], list[str]]:
    """What is wrong, and what is assumed."""
    text = f"""MODULE Program;
IMPORT Clock, SYSTEM;
VAR n : UINT8; w, t, since : UINT32;
BEGIN t := 4; since := Clock.Now; n := 250; w := 3; {statement}
END Program.
"""
    result = check(machine_with_wraps_counted(text), request_from(data=data))
    return [f.message for f in result.findings], result.assumptions


@pytest.mark.parametrize("statement", COUNTED)
def test_what_counts(statement: str) -> None:
    found, assumed = found_in(statement, "explicit")
    assert found == [f"{COUNTED[statement]}: it wraps (--wraps fault)"]
    assert any("--wraps fault" in a for a in assumed)


@pytest.mark.parametrize("statement", MEANT)
def test_what_is_written_as_a_wrap(statement: str) -> None:
    assert found_in(statement, "explicit")[0] == []


def test_undetermined_data() -> None:
    """Of what a port gives."""
    found, assumed = found_in("n := PORTIN(10H); IF n > 249 THEN n := n + 5; INC(n) END", "symbolic")
    wraps = [f"255 + {n} is {255 + n}, which UINT8 cannot hold: it wraps (--wraps fault)" for n in (5, 1)]
    assert found == wraps
    assert any("--wraps fault" in a for a in assumed)
    found, _ = found_in("n := PORTIN(10H); IF n < 250 THEN n := n + 5; INC(n) END", "symbolic")
    assert found == []
