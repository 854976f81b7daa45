"""Terms of many values at once, by the engine: tables of all values of a symbol, and sets made of them. What terms.py
says of an operation is the definition; where there are few values it is quicker as well.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence

from lfc.mcheck.engine.abi import NODE_NUMBER, TermOp
from lfc.mcheck.engine.library import library
from lfc.mcheck.symbolic.values import terms
from lfc.mcheck.symbolic.values import value_sets as sets
from lfc.mcheck.symbolic.values.terms import CONCAT, SYMBOL, Term, nodes, operand_width
from lfc.mcheck.symbolic.values.value_sets import ValueSet

NUMBERS = {
    op: int(TermOp[op.upper().replace(".", "_")]) for op in (*terms.OPERATIONS, "select", "byte", "concat", "symbol")
}
FEW = 24  # values
SMALL = 12  # nodes: so few are evaluated as quickly here
Words = ctypes.Array[ctypes.c_uint64]


class Encoded:
    """A term as the engine reads it."""

    def __init__(self, t: Term) -> None:
        places: dict[Term, int] = {}
        numbers: list[int] = []
        rows: list[int] = []
        more: list[int] = []
        self.symbols = sorted(t.symbols)
        self.fits = all(node.width <= 64 for node in nodes(t))
        for node in nodes(t) if self.fits else ():
            places[node] = len(places)
            if node.op == SYMBOL:
                rows += [NUMBERS[SYMBOL], node.width, node.width, 1, self.symbols.index(node.args[0]), 0, 0, 0]  # type: ignore[arg-type]
                continue
            of: list[int] = []
            for a in node.args:
                if isinstance(a, Term):
                    of.append(places[a])
                else:
                    of.append(NODE_NUMBER + len(numbers))
                    numbers.append(a)
            width = (
                next((a.width for a in node.args if isinstance(a, Term)), 64)
                if node.op == terms.BYTE
                else operand_width(node)
            )
            if node.op == CONCAT:
                of, more = [len(more)], more + of
            rows += [NUMBERS[node.op], node.width, width, len(node.args), *(*of, 0, 0, 0)[:3], 0]
        self.count = len(places)
        self.rows = (ctypes.c_uint32 * len(rows))(*rows)
        self.more = (ctypes.c_uint32 * max(1, len(more)))(*more)
        self.numbers = (ctypes.c_uint64 * max(1, len(numbers)))(*numbers)

    def values(self, symbols: Words, count: int) -> Words:
        out = (ctypes.c_uint64 * count)()
        if not library().mc_term_column(self.rows, self.count, self.more, self.numbers, symbols, count, out):
            raise MemoryError
        return out


_encoded: dict[Term, Encoded] = {}
MOST_ENCODED = 2_000


def encoded(t: Term) -> Encoded:
    found = _encoded.get(t)
    if found is None:
        if len(_encoded) >= MOST_ENCODED:
            _encoded.clear()
        found = _encoded[t] = Encoded(t)
    return found


def words(values: Sequence[int]) -> Words:
    return (ctypes.c_uint64 * len(values))(*values)


def of_bounds(bounds: Words, count: int) -> ValueSet:
    found = bounds[: 2 * count]
    return tuple(zip(found[::2], found[1::2], strict=True))


def column(t: Term, domain: Sequence[int]) -> list[int]:
    """The value for each value of its only symbol."""
    if len(domain) < FEW or not encoded(t).fits:
        return terms.column(t, domain)
    return encoded(t).values(words(domain), len(domain))[:]


def evaluate(t: int | Term, valuation: dict[int, int]) -> int:
    if isinstance(t, int) or t.weight < SMALL:
        return terms.evaluate(t, valuation)
    of = encoded(t)
    if not of.fits:
        return terms.evaluate(t, valuation)
    return of.values(words([valuation[n] for n in of.symbols]), 1)[0]


def values_of(t: Term, values: ValueSet) -> ValueSet:
    """The image of a set under a term of one symbol."""
    count = sets.size(values)
    if count < FEW or not encoded(t).fits:
        return sets.of_values(terms.column(t, list(sets.values(values))))
    out = encoded(t).values(words(list(sets.values(values))), count)
    bounds = (ctypes.c_uint64 * (2 * count))()
    return of_bounds(bounds, library().mc_values_of(out, count, bounds))


def fitting(t: Term, domain: ValueSet, wanted: ValueSet) -> ValueSet:
    """The values of its only symbol for which it is one of `wanted`."""
    if sets.size(domain) < FEW or not encoded(t).fits:
        places = list(sets.values(domain))
        return sets.of_values(
            x for x, v in zip(places, terms.column(t, places), strict=True) if sets.contains(wanted, v)
        )
    own = words(list(sets.values(domain)))
    out = encoded(t).values(own, len(own))
    bounds = (ctypes.c_uint64 * (2 * len(own)))()
    asked = words([x for interval in wanted for x in interval])
    return of_bounds(bounds, library().mc_values_fitting(own, out, len(own), asked, len(wanted), bounds))
