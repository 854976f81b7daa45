"""Certificates of formulas, judged by a checker that is proved in Coq as well. The full quota:

    python -m tests.campaign.checking.proved

It is extracted from `tests/certificates/proved/Checker.v` and compiled (Debian: coq, ocaml). It accepts the
certificates of the examples' formulas and of a program that takes turns; of these and their mutants it says what the
validator says.
"""

from __future__ import annotations

import argparse
import random
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest.mock import patch

from lfc.actions.as_data import composition_digest
from lfc.actions.model.machine import Machine
from lfc.certificates import tableau
from lfc.certificates import verify as validator
from lfc.certificates.certify import NotCertified, certify
from lfc.certificates.files import BadCertificate, Certificate, from_document
from lfc.certificates.product import Faults, Product, TooManyAtoms
from lfc.certificates.verify import formula_named
from lfc.semantics.model import typed
from tests.campaign.checking.certificates import NAMES, mutants
from tests.conftest import ROOT
from tests.differential.stepwise import Rejected, machine_of
from tests.support.seeds import add_seed, parsed
from tests.support.turns import TURNS, machine

FOLDER = ROOT / "tests" / "certificates" / "proved"
TURNS_MACHINE = machine(TURNS)
MOST_STATES = 1_000  # of the product of an example: states, one by one in Python


def built(folder: Path) -> Path:
    """The checker, proved and compiled anew."""
    for name in ("Checker.v", "main.ml"):
        shutil.copy(FOLDER / name, folder)
    told = subprocess.run(["coqc", "Checker.v"], cwd=folder, check=True, capture_output=True, text=True).stdout
    if told.split() != ["Axioms:", "classic", ":", "forall", "P", ":", "Prop,", "P", "\\/", "~", "P"]:
        raise SystemExit(f"the proof rests on more than classical logic: {told}")
    command = ["ocamlopt", "checker.mli", "checker.ml", "main.ml", "-o", "proved"]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    return folder / "proved"


def words_of(f: tableau.Formula) -> str:
    """In prefix notation."""
    match f:
        case ("true",):
            return "t"
        case ("false",):
            return "f"
        case ("atom", int(i), positive):
            return f"{'+' if positive else '-'} {i}"
    sign = {"and": "&", "or": "|", "next": "X", "until": "U", "release": "R"}[str(f[0])]
    return " ".join([sign, *(words_of(g) for g in f[1:] if isinstance(g, tuple))])


def dual(f: tableau.Formula) -> tableau.Formula:
    """Its negation."""
    match f:
        case ("true",):
            return tableau.FALSE
        case ("false",):
            return tableau.TRUE
        case ("atom", i, positive):
            return ("atom", i, not positive)
    names = {"and": "or", "or": "and", "next": "next", "until": "release", "release": "until"}
    return (names[str(f[0])], *(dual(g) for g in f[1:] if isinstance(g, tuple)))


def sets_of(f: tableau.Formula) -> list[frozenset[tableau.Formula]]:
    """The states of its automaton, in their order."""
    order = [frozenset({f})]
    known = set(order)
    for state in order:
        for move in tableau.moves(state):
            if move.then not in known:
                known.add(move.then)
                order.append(move.then)
    return order


class System:
    """A program and one formula, as the proved checker reads them."""

    def __init__(self, m: Machine, name: str, fair: list[int]) -> None:
        formula = formula_named(m, name)
        atoms = tableau.Atoms()
        self.negation = atoms.formula(formula, positive=False)
        self.product = Product(m, formula, fair)
        self.fair = fair
        self.sets = sets_of(self.negation)
        parts = tableau.parts(self.negation)
        self.promises = sorted({g for g in parts if g[0] == "until"}, key=repr)
        self.numbers = {self.product.initial: 0}
        order, rows = [self.product.initial], list[str]()
        for block in order:
            steps = self.product.steps(block)
            can = {s.slot for s in steps}
            row = [str(len(steps))]
            for s in steps:
                if s.target not in self.numbers:
                    self.numbers[s.target] = len(order)
                    order.append(s.target)
                letter = "".join(str(s.letter >> i & 1) for i in range(len(atoms.expressions)))
                carries = "".join(str(int(s.slot == slot or slot not in can)) for slot in fair)
                row += [str(self.numbers[s.target]), f"b{letter}", f"b{carries}"]
            rows.append(" ".join(row))
        head = f"problem {len(fair)} {words_of(dual(self.negation))} {len(order)}"
        self.head = "\n".join([head, *rows])

    def problem(self, c: Certificate) -> str | None:
        """None: the certificate names a block, a state or a mark that is not there."""
        rows: list[list[str]] = [[] for _ in self.numbers]
        try:
            numbers = [self.numbers[bytes.fromhex(s)] for s in c.states]
        except (KeyError, ValueError):
            return None
        if len(set(numbers)) < len(numbers) or {n for n, _, _ in c.entries} != set(range(len(numbers))):
            return None
        for number, q, rank in c.entries:
            if not 0 <= q < len(self.sets) or not 0 <= rank:
                return None
            forms = [words_of(f) for f in self.sets[q]]
            rows[numbers[number]].append(" ".join([str(rank), str(len(forms)), *forms]))
        marks = []
        for mark in c.missing:
            if not -1 <= mark < len(self.promises) + len(self.fair):
                return None
            if mark == -1:
                marks.append("none")
            elif mark < len(self.promises):
                marks.append(f"promise {' '.join(words_of(g) for g in self.promises[mark][1:])}")  # type: ignore[arg-type]
            else:
                marks.append(f"fair {mark - len(self.promises)}")
        entries = [" ".join([str(len(row)), *row]) for row in rows]
        return "\n".join([self.head, *entries, " ".join([str(len(marks)), *marks]), ""])


def asked(checker: Path, problems: list[str | None]) -> list[bool]:
    there = [p for p in problems if p is not None]
    done = subprocess.run([checker], input="".join(there), capture_output=True, text=True, check=True)
    said = iter(done.stdout.split())
    found = [p is not None and next(said) == "accepted" for p in problems]
    assert next(said, None) is None
    return found


def by_validator(m: Machine, c: Certificate) -> bool:
    """Products are kept: to make one anew for each mutant would take hours."""
    try:
        with patch.object(validator, "Product", kept_product):
            validator.verify(m, c)
    except BadCertificate:
        return False
    return True


PRODUCTS: dict[tuple[int, int, tuple[int, ...]], Product] = {}


def kept_product(m: Machine, formula: typed.Expr, fair: list[int]) -> Product:
    """Of a machine that lives as long as this process."""
    key = id(m), id(formula), tuple(fair)
    if key not in PRODUCTS:
        PRODUCTS[key] = Product(m, formula, fair)
    return PRODUCTS[key]


def compare_mutants(checker: Path, name: str, most: int, seed: int) -> tuple[Counter[str], list[str]]:
    """How they were judged by both, and where they differ."""
    m = TURNS_MACHINE
    c = certify(m, name, [])
    digest = composition_digest(m).hex()
    systems: dict[str, System | None] = {}
    product = Product(m, formula_named(m, name), [])
    ends, differ = Counter[str](), list[str]()
    for kind, share in mutants(c, product.marks, len(product.automaton.transitions)).items():
        chosen = share
        if most and len(share) > most:
            chosen = random.Random(f"{name} {kind} {seed}").sample(share, most)
        problems = [problem_of(m, content, digest, systems) for content in chosen]
        for content, accepted in zip(chosen, asked(checker, problems), strict=True):
            valid = by_validator(m, from_document(content))
            ends[f"{'valid' if valid else 'not valid'}, {'accepted' if accepted else 'refused'}"] += 1
            if valid != accepted:
                differ.append(f"{name}, {kind}: valid is {valid}, accepted is {accepted}")
    return ends, differ


def problem_of(m: Machine, content: dict[str, Any], digest: str, systems: dict[str, System | None]) -> str | None:
    """None: it is of another program, or no certificate of it can have this form."""
    c = from_document(content)
    key = f"{c.property} {c.fair}"
    if c.program != digest or sorted(set(c.fair)) != c.fair:
        return None
    if key not in systems:
        try:
            slots = sum(r.slots for r in m.records)
            systems[key] = System(m, c.property, c.fair) if all(0 <= s < slots for s in c.fair) else None
        except BadCertificate:
            systems[key] = None
    system = systems[key]
    return None if system is None else system.problem(c)


def examples() -> Iterator[tuple[str, Machine, str]]:
    for file in sorted((ROOT / "examples").rglob("*.lf")):
        try:
            m = machine_of(file)
        except (Rejected, OSError):
            continue
        for module in m.program.modules:
            for p in module.properties:
                if p.formula is not None:
                    yield file.name, m, p.name


def accepts_what_is_certified(checker: Path, m: Machine, name: str) -> bool | None:
    """None: there is no certificate. Under weak fairness of all processes where there is none without."""
    for fair in ([], list(range(sum(r.slots for r in m.records)))):
        try:
            c = certify(m, name, fair, MOST_STATES)
            return asked(checker, [System(m, name, fair).problem(c)]) == [True]
        except (NotCertified, Faults, TooManyAtoms, tableau.TooLarge, tableau.MeasuresTime):
            continue
    return None


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--most", type=int, default=0, help="mutants of a kind (0: all)")
    add_seed(parser)
    options = parsed(parser)
    wrong: list[str] = []
    with tempfile.TemporaryDirectory(prefix="lfc-") as folder:
        checker = built(Path(folder))
        for name in NAMES:
            ends, differ = compare_mutants(checker, name, options.most, options.seed)
            wrong += differ
            print(f"{name}: {dict(ends)}", flush=True)
        counts = Counter[str]()
        for file, m, name in examples():
            accepted = accepts_what_is_certified(checker, m, name)
            counts["none" if accepted is None else "accepted" if accepted else "refused"] += 1
            wrong += [f"{file}, {name}: refused"] if accepted is False else []
            print(f"{file}, {name}: {accepted}", flush=True)
        print(f"formulas of examples: {dict(counts)}")
    print("\n".join(wrong[:40]) or "no difference")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
