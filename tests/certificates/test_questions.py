"""Questions of certificates: what they say of each operation is what it makes of numbers, as three solvers read it; and
all of them find the questions of a valid certificate unsatisfiable.
"""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from lfc.certificates.files import BadCertificate, digest
from lfc.certificates.invariants.certify import certify_invariant
from lfc.certificates.invariants.form import Invariant, invariant_from
from lfc.certificates.invariants.questions import OPERATIONS, Question, is_refuted
from lfc.certificates.invariants.validate import verify_invariant
from lfc.mcheck.request.request import request_from
from lfc.mcheck.symbolic.values import terms
from lfc.mcheck.symbolic.values.terms import (
    COMPARISONS,
    OVERFLOWS,
    Term,
    byte_of,
    evaluate,
    joined,
    made,
    select,
    symbol,
)
from tests.actions.machines import machine_of_file
from tests.conftest import ROOT

PROGRAMS = ROOT / "tests/mcheck/symbolic/inductive"
REQUEST = request_from(data="symbolic", reductions=("auto",))
SAMPLES = 40


def by_z3(text: str) -> bool:
    import z3  # type: ignore[import-untyped]

    s = z3.Solver()
    s.from_string(text)
    return bool(s.check() == z3.unsat)


def by_cvc5(text: str) -> bool:
    import cvc5

    s = cvc5.Solver()
    parser = cvc5.InputParser(s)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, text, "question")
    answer = ""
    while not (command := parser.nextCommand()).isNull():
        answer = str(command.invoke(s, parser.getSymbolManager())).strip() or answer
    assert answer in ("sat", "unsat")
    return answer == "unsat"


SOLVERS = (is_refuted, by_z3, by_cvc5)


def number_for(r: random.Random, w: int) -> int:
    return r.choice([0, 1, (1 << w) - 1, 1 << w - 1, (1 << w - 1) - 1, r.randrange(1 << w), r.randrange(1 << w)])


def term_of(op: str, number: int) -> Term:
    """Over symbols of its own."""
    w = 16 if op == "bswap" else 8
    a, b, c = (symbol(3 * number + i, w) for i in range(3))
    if op in ("zext", "sext"):
        return made(op, 2 * w, a)
    if op == "trunc":
        return made(op, w // 2, a)
    if op in ("abs", "bswap", "ctpop"):
        return made(op, w, a)
    if op in ("fshl", "fshr"):
        return made(op, w, a, b, c)
    return made(op, 1 if op in COMPARISONS or op in OVERFLOWS else w, a, b)


def questions_of(op: str) -> tuple[str, str]:
    """That an operation has its values, and that it does not have all of them."""
    r = random.Random(op)
    right, wrong = Question("right"), Question("wrong")
    asked = []
    for number in range(SAMPLES):
        t = term_of(op, number)
        values = {n: number_for(r, 16 if op == "bswap" else 8) for n in t.symbols}
        for q in (right, wrong):
            for n, v in values.items():
                q.is_so(symbol(n, 16 if op == "bswap" else 8), v)
        asked.append((t, evaluate(t, values)))
        right.is_so(t, evaluate(t, values))
    wrong.are_not_all(asked)
    return right.text(), wrong.text()


def test_each_operation_is_written() -> None:
    assert OPERATIONS.keys() == terms.OPERATIONS.keys()


@pytest.mark.parametrize("op", sorted(OPERATIONS))
def test_an_operation_means_the_same_to_all(op: str) -> None:
    right, wrong = questions_of(op)
    for refutes in SOLVERS:
        assert not refutes(right) and refutes(wrong)


@pytest.mark.parametrize("op", sorted(OPERATIONS))
def test_a_wrong_text_is_noticed(op: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Wrong where an operand is all ones."""
    as_it_is = OPERATIONS[op]

    def seeded(w: int, to: int, a: str, *others: str) -> str:
        text = as_it_is(w, to, a, *others)
        return f"(ite (= {a} (bvnot (_ bv0 {w}))) (bvnot {text}) {text})"

    monkeypatch.setitem(OPERATIONS, op, seeded)
    right, wrong = questions_of(op)
    assert is_refuted(right) and not is_refuted(wrong)


def test_parts_choices_and_sets() -> None:
    x, y = symbol(0, 8), symbol(1, 16)
    both = joined([x, byte_of(y, 1), 7, byte_of(y, 0)])
    chosen = select(made("ult", 1, x, 10), byte_of(y, 0), made("add", 8, x, 1))
    assert isinstance(chosen, Term)
    for value, expected in ((0x12073456, False), (0x12083456, True)):
        q = Question("parts")
        q.lies_in(x, ((0x50, 0x52), (0x56, 0x56)))
        q.is_so(both, value)
        assert [refutes(q.text()) for refutes in SOLVERS] == [expected] * 3
    for x_is, expected in ((20, True), (8, False)):
        q = Question("choice")
        q.lies_in(x, ((x_is, x_is),))
        q.is_so(chosen, 9)
        assert [refutes(q.text()) for refutes in SOLVERS] == [expected] * 3


@pytest.fixture(scope="module")
def certificate() -> Invariant:
    machine = machine_of_file(PROGRAMS / "energy.lf")
    assert machine is not None
    return certify_invariant(machine, REQUEST)


def test_all_solvers_find_its_questions_unsatisfiable(certificate: Invariant, tmp_path: Path) -> None:
    machine = machine_of_file(PROGRAMS / "energy.lf")
    assert machine is not None
    asked: list[str] = []

    def refutes(text: str) -> bool:
        asked.append(text)
        return all(solver(text) for solver in SOLVERS)

    assert verify_invariant(machine, certificate, refutes) == 7
    assert len(asked) >= 10 and len(certificate.never) == 1
    certificate.write(tmp_path / "c")
    assert invariant_from(changed(certificate, {})).content() == certificate.content()


def changed(certificate: Invariant, change: dict[str, object]) -> dict[str, object]:
    import json

    document = json.loads(json.dumps({**certificate.content(), **change}))
    return {**document, "hash": digest(document)}


def forged(certificate: Invariant, **change: object) -> Invariant:
    return invariant_from(changed(certificate, change))


def test_without_its_lemma_it_is_refused(certificate: Invariant) -> None:
    machine = machine_of_file(PROGRAMS / "energy.lf")
    assert machine is not None
    with pytest.raises(BadCertificate, match="may fault, or fail an assertion"):
        verify_invariant(machine, forged(certificate, never=[]))


def test_a_lemma_that_says_too_much_is_refused(certificate: Invariant) -> None:
    machine = machine_of_file(PROGRAMS / "energy.lf")
    assert machine is not None
    (lemma,) = certificate.never
    ((question, answer),) = lemma.cube
    never = [{**lemma.content(), "cube": [[["ult", 1, *map(as_cell, question.args)], answer]]}]
    with pytest.raises(BadCertificate, match="may be so after a step"):
        verify_invariant(machine, forged(certificate, never=never))


def as_cell(t: object) -> list[object]:
    assert isinstance(t, Term)
    return ["cell", *t.args]


@pytest.mark.parametrize(
    "cube",
    [
        [[["ule", 1, ["cell", 0], 4294967296], 1]],
        [[["ule", 1, ["cell", 9], 0], 1]],
        [[["ule", 32, ["cell", 0], 0], 1]],
        [[["run", 1, ["cell", 0], 0], 1]],
        [[["zext", 8, ["cell", 0]], 1]],
        [[["ule", 1, ["cell", 0], 0], 2]],
        [[["ule", 1, 3, 0], 1]],
    ],
)
def test_a_lemma_that_is_no_question_of_cells_is_refused(certificate: Invariant, cube: object) -> None:
    never = [{**certificate.never[0].content(), "cube": cube}]
    with pytest.raises(BadCertificate, match="does not have the form"):
        forged(certificate, never=never)


@pytest.mark.parametrize("k", [0, 2, 99])
def test_a_number_of_steps_that_does_not_fit_is_refused(certificate: Invariant, k: int) -> None:
    with pytest.raises(BadCertificate, match="no such number of steps"):
        forged(certificate, k=k)
