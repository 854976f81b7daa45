"""The checker that is proved: small, and without a gap. The campaign runs it (`tests.campaign.checking.proved`)."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from lfc.certificates import tableau
from lfc.certificates.certify import certify
from tests.campaign.checking.proved import FOLDER, System, asked, built, dual, sets_of, words_of
from tests.support.turns import TURNS, machine

CHECKER = (FOLDER / "Checker.v").read_text(encoding="utf-8")


def test_it_is_small_and_nothing_in_it_is_left_out() -> None:
    assert len(CHECKER.splitlines()) <= 500
    text = re.sub(r"\(\*.*?\*\)", "", CHECKER, flags=re.DOTALL)
    assert re.findall(r"\b(Admitted|admit|Axiom|Parameter|Conjecture|Abort|Unset)\b", text) == []
    assert text.count("Theorem") == 1 and "Theorem sound" in text


def test_formulas_as_it_reads_them() -> None:
    a, b = ("atom", 0, True), ("atom", 1, False)
    f = ("or", ("until", a, ("next", b)), ("release", tableau.FALSE, ("and", a, tableau.TRUE)))
    assert words_of(f) == "| U + 0 X - 1 R f & + 0 t"
    assert words_of(dual(f)) == "& R - 0 X + 1 U t | - 0 f"
    assert len(sets_of(f)) == len(tableau.automaton(f).transitions)


def test_a_problem_has_what_the_certificate_has(tmp_path: Path) -> None:
    """And is accepted, where Coq and OCaml are there."""
    m = machine(TURNS)
    certificate = certify(m, "progress", [])
    system = System(m, "progress", [])
    problem = system.problem(certificate)
    assert problem is not None
    head, *rows = problem.splitlines()
    assert head == f"problem 0 R f U t + 0 {len(system.numbers)}"
    states = len(system.numbers)
    assert len(rows) == 2 * states + 1
    assert sum(int(row.split()[0]) for row in rows[states:-1]) == len(certificate.entries)
    certificate.entries[0] = (certificate.entries[0][0], 99, 0)
    assert system.problem(certificate) is None
    if shutil.which("coqc") and shutil.which("ocamlopt"):
        last = rows[-1].replace("promise", "none promise", 1)  # a rank more
        wrong = "\n".join([head, *rows[:-1], f"{int(last.split()[0]) + 1} {last.split(' ', 1)[1]}", ""])
        assert asked(built(tmp_path), [problem, wrong, None]) == [True, False, False]
