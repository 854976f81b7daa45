"""What makes a property that holds say less than it seems to: conditions that never hold, atoms that never change."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from lfc.mcheck.ltl.formula import Formula, Op, bottom_up, subformulas
from lfc.mcheck.properties.product import ProductSearch
from lfc.mcheck.request.property import Watched


@dataclass(slots=True)
class Remarks:
    """On one property that holds."""

    never: list[tuple[str, str]] = field(default_factory=list)  # a condition that never holds, and its implication
    always_true: list[str] = field(default_factory=list)  # atoms
    always_false: list[str] = field(default_factory=list)
    of_any_program: bool = False  # no run of any program violates it


def remarks_on(product: ProductSearch, holding: Sequence[Watched], thorough: bool) -> dict[str, Remarks]:
    """By name of the property. A search for violations looks at no more runs than it needs; so where it never met a
    condition (`thorough`: in any case), the letters of all steps are collected."""
    letters = product.letters(of_every_state=False) or []
    found = {w.of.name: remarks(w, letters) for w in holding if w.formula is not None}
    if thorough or any(r.never for r in found.values()):
        every = product.letters(of_every_state=True)
        return {} if every is None else {w.of.name: remarks(w, every) for w in holding if w.formula is not None}
    for r in found.values():
        r.always_true, r.always_false = [], []  # not known of all steps
    return found


def remarks(w: Watched, letters: Sequence[int]) -> Remarks:
    assert w.formula is not None and w.automaton is not None
    places = dict(w.shown_atoms)
    found = Remarks(of_any_program=not w.automaton.transitions)
    for name, place in places.items():
        values = {letter >> place & 1 for letter in letters}
        if values == {1}:
            found.always_true.append(name)
        elif values == {0}:
            found.always_false.append(name)
    for f in subformulas(w.formula):
        if f.op is Op.IMPLIES and not any(holds_or_unknown(f.left, places, x) for x in letters):
            found.never.append((str(f.left), str(f)))
    return found


def holds_or_unknown(condition: Formula, places: Mapping[str, int], letter: int) -> bool:
    """Whether a condition without temporal operators is not known to be false at this letter. An atom that does not
    matter to the property is in no letter."""
    value: dict[Formula, bool | None] = {}
    for f in bottom_up(condition):
        parts = [value[p] for p in f.parts]
        value[f] = value_of(f, parts, places, letter)
    return value[condition] is not False


def value_of(f: Formula, parts: list[bool | None], places: Mapping[str, int], letter: int) -> bool | None:
    match f.op:
        case Op.TRUE:
            return True
        case Op.FALSE:
            return False
        case Op.ATOM:
            return bool(letter >> places[f.name] & 1) if f.name in places else None
        case Op.NOT:
            return None if parts[0] is None else not parts[0]
        case Op.AND:
            return False if False in parts else None if None in parts else True
        case Op.OR:
            return True if True in parts else None if None in parts else False
        case Op.IMPLIES:
            left, right = parts
            return True if left is False or right else None if left is None or right is None else False
        case Op.IFF:
            return None if None in parts else parts[0] == parts[1]
    return None  # it depends on what comes
