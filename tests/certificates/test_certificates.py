"""Certificates: made for what holds, validated, and refused when an entry is changed."""

from __future__ import annotations

import ast
import json
import random
from pathlib import Path
from typing import Any

import pytest

from lfc.actions.as_data import composition_digest
from lfc.certificates.certify import NotCertified, certify
from lfc.certificates.files import BadCertificate, Certificate, read_certificate
from lfc.certificates.product import Product
from lfc.certificates.tableau import Atoms, automaton
from lfc.certificates.verify import formula_named, verify
from tests.campaign.checking.certificates import KINDS, NAMES, campaign
from tests.cli.lfc import ROOT, lfc
from tests.support.seeds import seed_of_this_run
from tests.support.turns import TURNS, machine


def test_two_that_take_turns_are_certified(tmp_path: Path) -> None:
    (tmp_path / "Turns.lf").write_text(TURNS)
    done = lfc("check", "Turns.lf", "--property", "progress", "--certificate", "progress.json", cwd=tmp_path)
    assert done.exit == 0
    done = lfc("verify-certificate", "Turns.lf", "progress.json", cwd=tmp_path)
    assert done.exit == 0 and done.out.startswith("valid: progress holds; ")
    text = (tmp_path / "progress.json").read_text()
    (tmp_path / "progress.json").write_text(text.replace('"progress"', '"handed"'))
    done = lfc("verify-certificate", "Turns.lf", "progress.json", cwd=tmp_path)
    assert done.exit == 6 and "hash" in done.out


def test_what_does_not_hold_has_no_certificate() -> None:
    with pytest.raises(NotCertified):
        certify(machine(TURNS), "never", [])


@pytest.mark.parametrize("name", NAMES)
def test_mutated_certificates_are_refused(name: str) -> None:
    """Of each kind of change so many; the campaign tries them all."""
    counts = campaign(name, 40, seed_of_this_run())
    assert set(counts) == KINDS


def test_a_changed_file_is_refused_by_its_hash(tmp_path: Path) -> None:
    m = machine(TURNS)
    path = tmp_path / "c.json"
    certify(m, "exclusion", []).write(path)
    document = json.loads(path.read_text())
    r = random.Random(4)
    for _ in range(30):
        changed = json.loads(json.dumps(document))
        entry = r.choice(changed["entries"])
        entry[r.randrange(3)] += r.choice([-1, 1])
        path.write_text(json.dumps(changed))
        with pytest.raises(BadCertificate):
            read_certificate(path)


def test_weak_fairness_is_part_of_a_certificate() -> None:
    m = machine(
        "MODULE M; VAR a : BOOLEAN; PROPERTY p = EVENTUALLY a;\n"
        "PROCESS Idle; BEGIN LOOP RESCHEDULE END END Idle; PROCESS Once; BEGIN a := TRUE END Once;\n"
        "BEGIN CREATE Idle; CREATE Once END M.\n"
    )
    with pytest.raises(NotCertified):
        certify(m, "p", [])
    c = certify(m, "p", [0, 1, 2])
    assert verify(m, c) == len(c.entries)
    c.fair = [0, 1]
    with pytest.raises(BadCertificate):
        verify(m, c)


INPUTS = [
    ("x : UINT32", "x := PORTIN32(40H)"),
    ("x : UINT32", "x := Clock.Now()"),
    ("x : UINT16", "Fill"),
    ("x : UINT32", "Fill"),
]


@pytest.mark.parametrize(("variable", "statement"), INPUTS)
def test_what_was_tried_with_one_value_is_not_certified(variable: str, statement: str) -> None:
    """Else `x = 0` would hold always: zero is all that is tried."""
    m = machine(
        f"MODULE M; IMPORT Clock; VAR {variable}; PROPERTY p = ALWAYS (x = 0);\nPROCESS Fill EXTERNAL WRITES x;\n"
        f"BEGIN {statement} END M.\n"
    )
    with pytest.raises(NotCertified, match="many values"):
        certify(m, "p", [])
    initial = Product(m, formula_named(m, "p"), []).initial.hex()
    forged = Certificate(composition_digest(m).hex(), "p", [], [initial], [(0, 0, 0)], [-1])
    with pytest.raises(BadCertificate, match="not all of its values are tried"):
        verify(m, forged)


def test_small_ranges_that_c_writes_are_certified() -> None:
    m = machine(
        "MODULE M; VAR x : 0 .. 5; PROPERTY p = ALWAYS (x < 6); PROPERTY q = ALWAYS (x < 5);\n"
        "PROCESS Fill EXTERNAL WRITES x;\nBEGIN Fill END M.\n"
    )
    assert verify(m, certify(m, "p", [])) > 6
    with pytest.raises(NotCertified, match="violates"):
        certify(m, "q", [])


def test_formulas_that_are_too_large_are_refused() -> None:
    """70 atoms; and one whose automaton has more than thousands of millions of ways."""
    many = " & ".join(f"(ALWAYS (x # {i}))" for i in range(1, 71))
    wide = " & ".join(f"(NEXT ((x = {i}) UNTIL (x = {i + 1})))" for i in range(20))
    for formula in (many, f"~({wide})"):
        m = machine(f"MODULE M; VAR x : UINT8; PROPERTY p = {formula}; BEGIN x := 0 END M.\n")
        with pytest.raises(NotCertified, match="too large"):
            certify(m, "p", [])
        with pytest.raises(BadCertificate, match="too large"):
            verify(m, Certificate(composition_digest(m).hex(), "p", []))


def test_the_validator_imports_nothing_of_the_checker() -> None:
    for file in (ROOT / "lfc" / "certificates").glob("*.py"):
        for node in ast.walk(ast.parse(file.read_text())):
            names = [a.name for a in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            assert not any("mcheck" in n for n in names), file


def test_the_plain_automaton_reads_formulas_as_the_naive_evaluator_does() -> None:
    """On random words, for the formulas of the example and their negations."""
    m = machine(TURNS)
    r = random.Random(9)
    for p in m.program.main.properties:
        assert p.formula is not None
        atoms = Atoms()
        both = [automaton(atoms.formula(p.formula, positive)) for positive in (True, False)]
        for _ in range(40):
            word = [r.randrange(1 << len(atoms.expressions)) for _ in range(r.randrange(1, 6))]
            loop = r.randrange(len(word))
            assert [accepts(a.transitions, a.marks, word, loop) for a in both].count(True) == 1


def accepts(transitions: list[list[Any]], marks: int, word: list[int], loop: int) -> bool:
    """A fair cycle in the product with a lasso, by the greatest fixed point."""
    n = len(word)
    edges: dict[tuple[int, int], list[tuple[tuple[int, int], int]]] = {}
    stack = [(0, 0)]
    while stack:
        state = stack.pop()
        if state in edges:
            continue
        i, q = state
        after = i + 1 if i + 1 < n else loop
        edges[state] = [
            ((after, t.target), t.marks) for t in transitions[q] if word[i] & t.true == t.true and not word[i] & t.false
        ]
        stack += [t for t, _ in edges[state]]
    alive = set(edges)
    while True:
        before = len(alive)
        for bit in [1 << k for k in range(marks)] or [0]:
            good = {s for s in alive if any(t in alive and m & bit == bit for t, m in edges[s])}
            while True:
                more = {s for s in alive - good if any(t in good for t, _ in edges[s])}
                if not more:
                    break
                good |= more
            alive = good
        if len(alive) == before:
            return (0, 0) in edges and bool(alive)
