"""Proofs beyond ranges: relations of variables, over one step and several; what is wrong with a proof is noticed."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest

from lfc.actions.model.machine import Machine
from lfc.certificates.certify import NotCertified
from lfc.certificates.files import BadCertificate
from lfc.certificates.invariants.certify import certify_invariant
from lfc.certificates.invariants.validate import verify_invariant
from lfc.mcheck.check import check
from lfc.mcheck.reduction.dead_variables.dead_variables import Reset
from lfc.mcheck.request.request import request_from
from lfc.mcheck.result.result import CheckResult
from lfc.mcheck.symbolic.explore import Exploration, Limits, SymbolicProgram
from lfc.mcheck.symbolic.induction import chains, lemmas, prove
from lfc.mcheck.symbolic.induction.oracle import Oracle
from lfc.mcheck.symbolic.induction.prove import Wrong, by_chains, proof_of
from lfc.mcheck.symbolic.induction.system import Cube, Literal, Location, System, Transition, system_of
from lfc.mcheck.symbolic.values.solver import Solver, solver
from tests.actions.machines import machine_of_file, machine_of_text

PROGRAMS = Path(__file__).parent / "inductive"
REQUEST = request_from(data="symbolic", reductions=("auto",))


def program(name: str) -> Machine:
    machine = machine_of_file(PROGRAMS / f"{name}.lf")
    assert machine is not None
    return machine


def with_ranges(machine: Machine) -> Exploration:
    """Complete, with errors that they do not rule out."""
    program = SymbolicProgram(machine, REQUEST.world, Reset(machine).places)
    found = Exploration(program, Limits(may_widen=True, confirms=lambda _: False, goes_on=True))
    found.run()
    assert found.complete and found.possible
    return found


def lemmas_of(result: CheckResult) -> list[str]:
    assert result.verdict == "holds" and result.symbolic is not None and result.symbolic.wide
    return [line for line in result.symbolic.invariant if " in " not in line.partition(" where ")[0]]


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("pair", "Pair.a <= Pair.b where P is at line 7 or P is at line 9"),
        ("queue", "Queue.got <= Queue.put where Producer is at line 7, Consumer is at line 15"),
        ("energy", "Energy.shown <= Energy.total where Meter is at line 10, Display is at line 18"),
        ("elements", "Meter.t[1] <= Meter.t[0] where Sampler is at line 8, Display is at line 13"),
        ("charge", "(Gauge.drawn + Gauge.charge) = 1000000 where Meter is at line 12"),
    ],
)
def test_a_relation_of_two_variables_is_proved_and_told(name: str, line: str) -> None:
    assert lemmas_of(check(program(name), REQUEST)) == [line]


def test_words_that_are_counted_together_need_no_lemma() -> None:
    """2^32 rounds of one word for each of the other: ranges say enough."""
    assert lemmas_of(check(program("two_words"), REQUEST)) == []


def test_a_latch_that_depends_on_a_relation_is_proved() -> None:
    result = check(program("latch"), REQUEST)
    assert result.verdict == "holds"
    assert {p["name"]: p["verdict"] for p in result.properties} == {"latched": "holds", "ordered": "holds"}


def test_a_deadlock_that_a_relation_rules_out() -> None:
    """The sender waits for ever only where more was seen than sent."""
    result = check(program("handshake"), REQUEST)
    assert "Handshake.seen <= Handshake.sent" in "\n".join(lemmas_of(result))


@pytest.mark.parametrize(("name", "least"), [("pair", 3), ("energy", 4), ("charge", 2), ("twice", 2)])
def test_chains_of_steps(name: str, least: int) -> None:
    """A claim that is inductive over so many steps, and not over fewer; that of two processes over none, since either
    may go as often as it likes."""
    system, with_solver = system_of(with_ranges(program(name))), solver()
    assert with_solver is not None
    proved = [k for k in (1, 2, 3) if by_chains(system, with_solver, k, lambda: False) is not None]
    assert proved == [k for k in (1, 2, 3) if k >= least]


def broken(name: str, old: str, new: str) -> Machine:
    text = (PROGRAMS / f"{name}.lf").read_text()
    assert old in text
    return machine_of_text(text.replace(old, new))


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("pair", "IF a < b THEN", "IF a <= b THEN"),
        ("queue", "IF got < put THEN", "IF got <= put THEN"),
        ("charge", "IF i <= charge THEN", "IF i < charge THEN INC(drawn); INC(drawn, 0) END; IF i <= charge THEN"),
        ("twice", "INC(twice, 2)", "INC(twice, 3)"),
    ],
)
def test_what_is_not_so_is_not_proved(name: str, old: str, new: str) -> None:
    found = with_ranges(broken(name, old, new))
    assert proof_of(found, 2.0) is None


def test_without_a_solver_nothing_is_proved(monkeypatch: pytest.MonkeyPatch) -> None:
    found = with_ranges(program("pair"))
    monkeypatch.setattr(prove, "solver", lambda: None)
    assert proof_of(found) is None


# --- seeded faults: each makes a proof of what is none; it is noticed before it is told, or by the validator ----------


def every_cube_is_kept_out(self: object, location: Location, cube: Cube, level: int) -> bool:
    return True


def nothing_leads_there(self: object, location: Location, cube: Cube, level: int) -> set[int]:
    return set()


@pytest.mark.parametrize(
    ("name", "value"), [("_is_kept_out", every_cube_is_kept_out), ("_needed", nothing_leads_there)]
)
def test_lemmas_that_are_none_are_noticed(name: str, value: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lemmas.Strengthening, name, value)
    monkeypatch.setattr(lemmas.Strengthening, "_before", lambda self, o, level: None)
    monkeypatch.setattr(chains.Chains, "rule_out", lambda self, k: False)
    with pytest.raises(Wrong):
        proof_of(with_ranges(program("pair")))


def test_a_lemma_that_does_not_hold_initially_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lemmas.Strengthening, "_holds_initially", lambda self, location, cube: False)
    monkeypatch.setattr(lemmas.Strengthening, "_assumed", lambda self, location, level: [] if level else None)
    monkeypatch.setattr(chains.Chains, "rule_out", lambda self, k: False)
    found = with_ranges(broken("pair", "IF a < b THEN", "IF a <= b THEN"))
    try:
        assert proof_of(found, 2.0) is None
    except Wrong:
        pass


def no_base(self: chains.Chains, chain: list[Transition], k: int) -> bool:
    return False


def no_guards(self: Oracle, t: Transition) -> object:
    """A step is taken for impossible where it has a condition."""
    return self.solver.terms.mk_false() if t.known else self.solver.terms.mk_true()


def as_before(self: Oracle, t: Transition, literal: Literal) -> object:
    """As if no step changed anything."""
    return self.literal(literal) if t.source is t.target else self.solver.terms.mk_false()


def within_nothing(self: Oracle, location: Location) -> object:
    return self.solver.terms.mk_true() if location is self.system.initial else self.solver.terms.mk_false()


@pytest.mark.parametrize(("name", "value"), [("guard", no_guards), ("behind", as_before), ("region", within_nothing)])
def test_a_wrong_question_is_noticed_by_the_validator(
    name: str, value: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The program has an error; the prover, whose questions are wrong throughout, sees none."""
    machine = broken("pair", "IF a < b THEN", "IF a <= b THEN")
    with monkeypatch.context() as seeded:
        seeded.setattr(Oracle, name, value)
        seeded.setattr(chains.Chains, "rule_out", lambda self, k: False)
        invariant = certify_invariant(machine, REQUEST)
    with pytest.raises(BadCertificate):
        verify_invariant(machine, invariant)


FIRST = """MODULE First;
VAR a : UINT32; b : UINT32;
PROCESS P SERVER;
BEGIN
  LOOP
    ASSERT(a = b);
    a := PORTIN32(78H); b := a;
    RESCHEDULE
  END
END P;
BEGIN a := 7; CREATE P END First.
"""


def test_an_induction_without_its_base_is_noticed_by_the_validator(monkeypatch: pytest.MonkeyPatch) -> None:
    """All is well once the first step has been gone; that one fails."""
    machine = machine_of_text(FIRST)
    with pytest.raises(NotCertified):
        certify_invariant(machine, REQUEST)
    monkeypatch.setattr(chains.Chains, "_from_start", no_base)
    monkeypatch.setattr(prove, "by_lemmas", lambda *_: None)
    monkeypatch.setattr(chains.Chains, "_is_possible", lambda self, chain, k, initially: k < 2)
    invariant = certify_invariant(machine, REQUEST)
    assert invariant.k == 2
    with pytest.raises(BadCertificate, match="may lead to a fault, or a failed assertion"):
        verify_invariant(machine, invariant)


def names_of(system: System) -> Iterable[int]:
    return (x.number for x in system.locations.values())


def test_a_system_has_each_step_once() -> None:
    """Of the pair: the start, the process created, and its two places; each variable counted or not."""
    system = system_of(with_ranges(program("pair")))
    assert sorted(names_of(system)) == [0, 1, 2, 3]
    assert len(system.transitions) == 7 and len(system.errors) == 1
    assert isinstance(solver(), Solver)
