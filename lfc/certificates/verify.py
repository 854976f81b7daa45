"""Validates a certificate against a program: every reachable state of the product is listed, and no run goes on for
ever with all marks. Trusts neither the search nor its automaton.
"""

from __future__ import annotations

from lfc.actions.as_data import composition_digest
from lfc.actions.model.machine import Machine
from lfc.certificates.files import BadCertificate, Certificate
from lfc.certificates.product import Faults, NotAllTried, Product, TooManyAtoms
from lfc.certificates.tableau import MeasuresTime, TooLarge
from lfc.semantics.model import typed

State = tuple[bytes, int]
NOT_ALL = "has an input of many values (of 32 bits, the clock, what C writes)"


def formula_named(machine: Machine, name: str) -> typed.Expr:
    for module in machine.program.modules:
        for p in module.properties:
            if p.name == name and p.formula is not None:
                return p.formula
    raise BadCertificate(f"the program has no formula `{name}`")


def verify(machine: Machine, certificate: Certificate) -> int:
    """How many states of the product were validated. Raises BadCertificate.

    Along an infinite run the rank never grows, so from some point on it stays; the mark that is missing at that rank is
    never passed again. So no run is accepted by the automaton of what violates the formula: the formula holds.
    """
    if certificate.program != composition_digest(machine).hex():
        raise BadCertificate("it belongs to another program")
    formula = formula_named(machine, certificate.property)
    slots = sum(r.slots for r in machine.records)
    if sorted(set(certificate.fair)) != certificate.fair or not all(0 <= s < slots for s in certificate.fair):
        raise BadCertificate("its list of fair processes is not sorted")
    try:
        product = Product(machine, formula, certificate.fair)
    except MeasuresTime:
        raise BadCertificate("its formula measures time (WITHIN, FOR), which the validator does not") from None
    except (TooManyAtoms, TooLarge):
        raise BadCertificate("its formula is too large for the validator") from None
    ranks = ranks_of(certificate, len(product.initial), len(product.automaton.transitions))
    if (product.initial, 0) not in ranks:
        raise BadCertificate("the initial state is not listed")
    stays: set[int] = set()
    seen = {(product.initial, 0)}  # only what is reached is run: a listed block may be anything
    stack = list(seen)
    try:
        while stack:
            state = stack.pop()
            rank = ranks[state]
            for edge in product.edges(*state):
                there = ranks.get(edge.target)
                if there is None:
                    raise BadCertificate("a successor of a listed state is not listed")
                if there > rank:
                    raise BadCertificate("a step leads to a higher rank")
                if there == rank:
                    stays.add(rank)
                    missing = certificate.missing[rank]
                    if not 0 <= missing < product.marks or edge.marks >> missing & 1:
                        raise BadCertificate(f"a step inside rank {rank} carries the mark that must be missing there")
                if edge.target not in seen:
                    seen.add(edge.target)
                    stack.append(edge.target)
    except Faults:
        raise BadCertificate("a step of the program faults; the certificate says nothing about that") from None
    except NotAllTried:
        raise BadCertificate(f"the program {NOT_ALL}, so not all of its values are tried") from None
    if len(seen) != len(ranks):
        raise BadCertificate("a state is listed that cannot be reached")
    for rank, missing in enumerate(certificate.missing):
        if (missing == -1) == (rank in stays):
            raise BadCertificate(f"rank {rank} names a mark although no step stays there, or names none")
    return len(ranks)


def ranks_of(certificate: Certificate, size: int, automaton_states: int) -> dict[State, int]:
    try:
        blocks = [bytes.fromhex(s) for s in certificate.states]
    except ValueError:
        raise BadCertificate("a state is not hexadecimal") from None
    if any(len(b) != size for b in blocks) or len(set(blocks)) != len(blocks):
        raise BadCertificate("a state does not have the size of the block, or is listed twice")
    ranks: dict[State, int] = {}
    for number, q, rank in certificate.entries:
        if not 0 <= number < len(blocks) or not 0 <= q < automaton_states or not 0 <= rank < len(certificate.missing):
            raise BadCertificate("an entry names a state or rank that does not exist")
        if (blocks[number], q) in ranks:
            raise BadCertificate("a state of the product is listed twice")
        ranks[blocks[number], q] = rank
    used = {n for n, _, _ in certificate.entries}
    if set(ranks.values()) != set(range(len(certificate.missing))) or len(used) != len(blocks):
        raise BadCertificate("a rank or a state is listed that no entry uses")
    return ranks
