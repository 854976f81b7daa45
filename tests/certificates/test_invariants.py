"""Certificates of invariants: what ranges prove is validated by one step from each box; what is forged is refused."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from random import Random

import pytest

from lfc.actions.model.machine import Machine
from lfc.base.source import Source, Span
from lfc.certificates import tableau
from lfc.certificates.certify import NotCertified
from lfc.certificates.files import BadCertificate, digest, document_of
from lfc.certificates.invariants.certify import certify_invariant, certify_property
from lfc.certificates.invariants.form import Invariant, invariant_from
from lfc.certificates.invariants.progress import LOST, NoMonitor, built
from lfc.certificates.invariants.validate import verify_invariant
from lfc.mcheck.check import check
from lfc.mcheck.ltl.formula import FALSE, Formula, Op, atom, node
from lfc.mcheck.request.request import request_from
from lfc.mcheck.symbolic import boxes, explore
from lfc.mcheck.symbolic.explore import Exploration
from lfc.mcheck.symbolic.normal_form import Box
from lfc.mcheck.symbolic.values.preimages import image
from lfc.mcheck.symbolic.values.terms import Term
from lfc.mcheck.symbolic.values.value_sets import ValueSet
from lfc.semantics.model import typed, types
from tests.actions.machines import machine_of_file, machine_of_text
from tests.conftest import ROOT
from tests.mcheck.ltl.words import random_word, satisfied

PROGRAMS = ROOT / "tests/mcheck/symbolic/programs"
REQUEST = request_from(data="symbolic", reductions=("auto",))


def program(name: str) -> Machine:
    machine = machine_of_file(PROGRAMS / f"{name}.lf")
    assert machine is not None
    return machine


@pytest.mark.parametrize(("name", "boxes"), [("gauge", 4), ("timer", 9), ("regulator", 8), ("latch", 38), ("lamp", 4)])
def test_what_holds_by_induction_is_validated(name: str, boxes: int, tmp_path: Path) -> None:
    machine = program(name)
    certify_invariant(machine, REQUEST).write(tmp_path / "invariant")
    assert verify_invariant(machine, invariant_from(document_of(tmp_path / "invariant"))) == boxes


def test_the_verdict_says_so_in_the_program_s_names(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lfc.mcheck.symbolic.attempt.FOR_EXACT", 0.3, raising=False)
    result = check(program("timer"), REQUEST)
    assert result.verdict == "holds" and result.symbolic is not None
    assert result.symbolic.invariant[0] == "Timer.ticks in 0..100000"
    assert "Timer.copy in 0..100000" in result.symbolic.invariant


def changed(invariant: Invariant, change: object) -> Invariant:
    """With this change, and a hash that fits."""
    document = json.loads(json.dumps(invariant.content()))
    assert callable(change)
    change(document)
    return invariant_from({**document, "hash": digest(document)})


def shrink(document: dict[str, list[dict[str, list[list[list[list[int]]]]]]]) -> None:
    """The range of the charge loses its greatest value."""
    for s in document["shapes"]:
        for box in s["boxes"]:
            for intervals in box:
                if intervals[-1] == [0, 1_000_000]:
                    intervals[-1] = [0, 999_999]


def drop(document: dict[str, list[object]]) -> None:
    document["shapes"].pop()


def drop_first(document: dict[str, list[object]]) -> None:
    document["shapes"].pop(0)


@pytest.mark.parametrize(
    ("change", "why"), [(shrink, "leads out"), (drop, "leads out"), (drop_first, "the initial state is not listed")]
)
def test_what_is_no_invariant_is_refused(change: object, why: str) -> None:
    machine = program("gauge")
    with pytest.raises(BadCertificate, match=why):
        verify_invariant(machine, changed(certify_invariant(machine, REQUEST), change))


def grow(document: dict[str, list[dict[str, list[list[list[list[int]]]]]]]) -> None:
    """All values of 32 bits: closed under steps, and the assertion may fail."""
    for s in document["shapes"]:
        s["boxes"] = [
            [[[0, 2**32 - 1]] if intervals[-1][1] > 1 else intervals for intervals in box] for box in s["boxes"]
        ]


def test_an_invariant_in_which_an_assertion_may_fail_is_refused() -> None:
    machine = program("gauge")
    with pytest.raises(BadCertificate, match="may fault, or fail an assertion"):
        verify_invariant(machine, changed(certify_invariant(machine, REQUEST), grow))


def test_content_without_its_hash_is_refused() -> None:
    document = json.loads(json.dumps(certify_invariant(program("gauge"), REQUEST).content()))
    with pytest.raises(BadCertificate, match="does not match its hash"):
        invariant_from(document | {"hash": "0"})
    broken = copy.deepcopy(document)
    broken["shapes"][0]["boxes"] = [[[[5, 3]]]]
    with pytest.raises(BadCertificate):
        invariant_from({**broken, "hash": digest(broken)})


def test_a_clock_that_stands_certifies_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    machine = machine_of_text(
        "MODULE Late; IMPORT Clock; VAR late : BOOLEAN; PROPERTY early = ALWAYS ~late;\n"
        "BEGIN Clock.Sleep(200); late := Clock.Now > 100; ASSERT(~late) END Late."
    )
    makes: tuple[Callable[[], Invariant], ...] = (
        lambda: certify_invariant(machine, REQUEST),
        lambda: certify_property(machine, REQUEST, "early"),
    )
    for make in makes:
        with pytest.raises(NotCertified, match="reads the clock"):
            make()
    monkeypatch.setattr("lfc.certificates.invariants.certify.CLOCK_READ", 0)
    for make in makes:
        with pytest.raises(BadCertificate, match="reads the clock"):
            verify_invariant(machine, make())


def test_it_belongs_to_one_program() -> None:
    other = machine_of_text((PROGRAMS / "gauge.lf").read_text().replace("<= 1000000", "<= 1000001"))
    with pytest.raises(BadCertificate, match="another program"):
        verify_invariant(other, certify_invariant(program("gauge"), REQUEST))


# --- seeded faults: what a search that forgets something takes for an invariant is none ------------------------------


def test_a_coverage_that_takes_too_much_for_known_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """A box counts as covered if it meets what is known: whoever decides it, the engine or Python."""

    def meets_known(_: Exploration, known: list[Box]) -> Callable[[Box], Box | None]:
        return lambda box: None if any(boxes.meets(box, k) for k in known) else box

    monkeypatch.setattr(Exploration, "_uncovered", meets_known)
    assert_refused("latch")


def test_a_widening_that_forgets_what_is_new_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(explore, "BEFORE_WIDENING", 0)
    monkeypatch.setattr(explore, "widened", lambda box, known, widths, limits: known[0] if known else box)
    assert_refused("timer")


def test_a_range_that_is_too_small_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """The search's own set of what a sample becomes has lost its greatest value."""

    def smaller(t: Term, box: Mapping[int, ValueSet]) -> ValueSet:
        (*first, (low, high)) = image(t, dict(box))
        return (*first, (low, max(low, high - 1)))

    monkeypatch.setattr("lfc.mcheck.symbolic.normal_form.image", smaller)
    assert_refused("lamp")


def assert_refused(name: str) -> None:
    invariant = certify_invariant(program(name), REQUEST)
    with pytest.raises(BadCertificate):
        verify_invariant(program(name), invariant)


def test_a_deadlock_is_not_within_an_invariant() -> None:
    text = """MODULE Main;
TYPE Msg = [m(UINT8)];
PORT c : Msg;
PROCESS P;
VAR v : UINT8;
BEGIN c?m(v) END P;
BEGIN NEW(c); CREATE P END Main.
"""
    machine = machine_of_text(text)
    allowed = certify_invariant(machine, REQUEST.changed(allow_deadlocks=True))
    verify_invariant(machine, allowed)
    with pytest.raises(BadCertificate, match="a listed state is a deadlock"):
        verify_invariant(machine, changed(allowed, lambda d: d.update(deadlocks_allowed=False)))


# --- properties ------------------------------------------------------------------------------------------------------

METER = """MODULE Meter;
CONST ADC = 78H;
VAR off*, up* : BOOLEAN; total*, shown* : UINT32;
PROPERTY latched = ALWAYS (off IMPLIES ALWAYS off);
PROPERTY bounded = ALWAYS (total <= 1000000);
PROPERTY behind = ALWAYS (shown <= total);
PROPERTY order = (total = 0) WEAKUNTIL up;
PROPERTY wrong = ALWAYS (total <= 999999);
PROPERTY forgets = ALWAYS (up IMPLIES ALWAYS up);
PROPERTY alive = ALWAYS EVENTUALLY up;
PROCESS Sampler SERVER;
VAR i : UINT32;
BEGIN
  LOOP
    i := UINT32(PORTIN16(ADC));
    up := i > 0;
    IF up & (total + i <= 1000000) THEN total := total + i ELSIF up THEN off := TRUE END;
    RESCHEDULE
  END
END Sampler;
PROCESS Display SERVER;
BEGIN LOOP shown := total; RESCHEDULE END END Display;
BEGIN CREATE Sampler; CREATE Display END Meter.
"""


@pytest.mark.parametrize("name", ["latched", "bounded", "behind", "order"])
def test_a_property_is_validated(name: str) -> None:
    machine = machine_of_text(METER)
    made = changed(certify_property(machine, REQUEST, name), lambda d: None)
    assert made.property == name and verify_invariant(machine, made) >= 3


@pytest.mark.parametrize(
    ("name", "why"), [("wrong", "not ruled out"), ("forgets", "not ruled out"), ("alive", "no safety property")]
)
def test_a_property_that_is_not_proved_has_no_certificate(name: str, why: str) -> None:
    with pytest.raises(NotCertified, match=why):
        certify_property(machine_of_text(METER), REQUEST, name)


@pytest.mark.parametrize(
    ("name", "claimed", "why"),
    [
        ("bounded", "wrong", "may violate the property"),
        ("latched", "forgets", "may violate the property|leads out"),
        ("bounded", "alive", "no safety property"),
        ("bounded", "nobody", "has no formula"),
        ("bounded", "", "leads out|not listed|may fault"),
    ],
)
def test_a_certificate_of_another_property_is_refused(name: str, claimed: str, why: str) -> None:
    machine = machine_of_text(METER)
    made = certify_property(machine, REQUEST, name)

    def claim(document: dict[str, object]) -> None:
        document["property"] = claimed
        if not claimed:
            document["shapes"].pop()  # type: ignore[attr-defined]

    with pytest.raises(BadCertificate, match=why):
        verify_invariant(machine, changed(made, claim))


def test_a_state_beside_another_one_of_the_monitor_is_refused() -> None:
    machine = machine_of_text(METER)

    def moved(document: dict[str, list[dict[str, int]]]) -> None:
        for s in document["shapes"]:
            s["beside"] = 0  # where `off` may have been

    with pytest.raises(BadCertificate):
        verify_invariant(machine, changed(certify_property(machine, REQUEST, "latched"), moved))


def test_a_monitor_says_what_the_formula_does() -> None:
    """Of random safe formulas on random words: lost exactly where the naive evaluator says that it is violated."""
    random, violated, compared = Random(7), 0, 0
    for _ in range(400):
        f = random_safe(random, random.randint(2, 7))
        prefix, cycle = random_word(random, 2)
        try:
            monitor = built(f, [TRUE_ATOM] * 2)
        except NoMonitor:  # too many states, because of NEXT within NEXT
            continue
        compared += 1
        q, told = 0, False
        for letter in prefix + cycle * (len(monitor.after) + 1):
            q = monitor.after[q][letter]
            if q == LOST:
                told = True
                break
        violated += told
        assert told != satisfied(as_formula(f), (prefix, cycle), ["a", "b"]), f
    assert compared >= 350 and violated >= 100


TRUE_ATOM = typed.Constant(Span(Source("", ""), 0, 0), types.BOOLEAN, True)


def random_safe(random: Random, size: int) -> tableau.Formula:
    if size <= 1:
        return "atom", random.randrange(2), random.random() < 0.5
    if size == 2 or random.random() < 0.2:
        return "next", random_safe(random, size - 1)
    op = random.choice(["and", "or", "release", "release", "always"])
    if op == "always":
        return "release", tableau.FALSE, random_safe(random, size - 1)
    return op, random_safe(random, size // 2), random_safe(random, size - size // 2)


def as_formula(f: tableau.Formula) -> Formula:
    names = {"and": Op.AND, "or": Op.OR, "next": Op.NEXT, "release": Op.RELEASE}
    if f[0] == "atom":
        found = atom("ab"[int(str(f[1]))])
        return found if f[2] else node(Op.NOT, found)
    if f[0] == "false":
        return FALSE
    return node(names[str(f[0])], *(as_formula(part) for part in f[1:] if isinstance(part, tuple)))
