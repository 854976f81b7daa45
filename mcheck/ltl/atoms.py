"""From a typed formula of a program to a plain one, and what its atoms stand for.

Atoms are small where they can be, so that equal parts of a formula are one atom. But `&`, `OR` and IMPLIES look at
their right side only if they need it: where that side could fault, the whole expression is one atom.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, fields

from lfc.mcheck.ltl.formula import FALSE, TRUE, Formula, Op, atom, negation, node
from lfc.semantics.model import typed
from lfc.semantics.model.types import BOOLEAN, Type
from lfc.semantics.model.visit import deep_stack, operands, subexpressions

_TEMPORAL = {
    "ALWAYS": Op.ALWAYS,
    "EVENTUALLY": Op.EVENTUALLY,
    "NEXT": Op.NEXT,
    "UNTIL": Op.UNTIL,
    "WEAKUNTIL": Op.WEAKUNTIL,
    "RELEASE": Op.RELEASE,
    "IMPLIES": Op.IMPLIES,
    "IFF": Op.IFF,
}
_LOGICAL = {"&": Op.AND, "OR": Op.OR}
_COMMENT = re.compile(r"\(\*(?:(?!\(\*|\*\)).)*\*\)", re.DOTALL)

_Key = tuple[object, ...]


@dataclass(frozen=True, slots=True)
class Timer:
    """Of a bound of time; its names are those of atoms. `holds`: what is looked for is that the operand holds, else
    that it does not. `earliest`: it must come in time, reckoned from the earliest start that is open; else it must
    last, reckoned from the latest."""

    start: str
    expired: str
    operand: str
    holds: bool
    earliest: bool
    milliseconds: int


@dataclass(slots=True)
class ProgramFormula:
    """`atoms[name]` is an ordinary Boolean expression without temporal operators (IMPLIES and IFF included)."""

    formula: Formula
    atoms: dict[str, typed.Expr]
    timers: tuple[Timer, ...] = ()
    shown: Formula = FALSE  # with bounds of time as the text has them


def formula_of(expression: typed.Expr) -> ProgramFormula:
    """Of what stands behind `PROPERTY p =`; there were no errors in it."""
    conversion = _Conversion()
    with deep_stack():
        formula = conversion.formula(expression)
        shown = _Conversion(shows=True).formula(expression) if conversion.timers else formula
    return ProgramFormula(formula, conversion.atoms, tuple(conversion.timers), shown)


def formulas_of(expressions: Sequence[typed.Expr]) -> tuple[list[Formula], dict[str, typed.Expr]]:
    """With the atoms of all of them."""
    conversion = _Conversion()
    with deep_stack():
        return [conversion.formula(e) for e in expressions], conversion.atoms


def is_momentary(e: typed.Expr) -> bool:
    """Of an atom: whether it is false where nothing is done, whatever the state."""
    return isinstance(e, typed.TakenAtom)


def asks_taken(e: typed.Expr) -> bool:
    return any(isinstance(x, typed.TakenAtom) for x in subexpressions(e))


@dataclass(slots=True)
class _Conversion:
    atoms: dict[str, typed.Expr] = field(default_factory=dict)
    names: dict[_Key, str] = field(default_factory=dict)
    timers: list[Timer] = field(default_factory=list)
    shows: bool = False  # a bound of time is part of an atom

    def formula(self, e: typed.Expr, asserted: bool = True) -> Formula:
        """`asserted`: it stands under an even number of negations."""
        match e:
            case typed.Constant():
                return TRUE if e.value else FALSE
            case typed.Unary(op="~"):
                return negation(self.formula(e.operand, not asserted))
            case typed.Temporal(op="WITHIN" | "FOR"):
                return atom(_text(e)) if self.shows else self._timed(e, asserted)
            case typed.Temporal(op="ALWAYS" | "EVENTUALLY" | "NEXT"):
                return node(_TEMPORAL[e.op], self.formula(e.left, asserted))
            case typed.Temporal(right=typed.Expr() as right):
                if e.op == "IMPLIES" and self._one_atom(e, right):
                    return self._atom(e)
                if e.op == "IFF" and not self.shows and _is_timed(e):
                    there, back = self._implies(e.left, right, asserted), self._implies(right, e.left, asserted)
                    return node(Op.AND, there, back)
                if e.op == "IMPLIES":
                    return self._implies(e.left, right, asserted)
                return node(_TEMPORAL[e.op], self.formula(e.left, asserted), self.formula(right, asserted))
            case typed.Logical():
                if self._one_atom(e, e.right):
                    return self._atom(e)
                return node(_LOGICAL[e.op], self.formula(e.left, asserted), self.formula(e.right, asserted))
        return self._atom(e)

    def _implies(self, left: typed.Expr, right: typed.Expr, asserted: bool) -> Formula:
        return node(Op.IMPLIES, self.formula(left, not asserted), self.formula(right, asserted))

    def _timed(self, e: typed.Temporal, asserted: bool) -> Formula:
        """docs/theory/time.md: what stands for it where runs are looked for that violate the whole."""
        f, number = self._atom(e.left), len(self.timers) + 1
        start, expired = atom(f"timer {number} starts"), atom(f"timer {number} has expired")
        for name in (start.name, expired.name):
            self.atoms[name] = typed.TimerAtom(e.span, BOOLEAN, e.milliseconds)
        earliest = (e.op == "FOR") == asserted
        looked_for = negation(f) if asserted else f
        self.timers.append(Timer(start.name, expired.name, f.name, not asserted, earliest, e.milliseconds))
        if earliest:
            on_time = node(Op.AND, looked_for, negation(expired))
            found = node(Op.AND, start, node(Op.UNTIL, negation(expired), on_time))
        else:
            found = node(Op.AND, start, node(Op.WEAKUNTIL, looked_for, expired))
        return negation(found) if asserted else found

    @staticmethod
    def _one_atom(e: typed.Expr, right: typed.Expr) -> bool:
        return may_fault(right) and not any(
            isinstance(x, typed.Temporal) and x.op not in ("IMPLIES", "IFF") for x in subexpressions(e)
        )

    def _atom(self, e: typed.Expr) -> Formula:
        value = _as_value(e)
        key = _key(value)
        name = self.names.get(key)
        if name is None:
            name = _text(e)
            if name in self.atoms:
                name += f" ({len(self.atoms)})"  # the same words, of another meaning
            self.names[key] = name
            self.atoms[name] = value
        return atom(name)


def _is_timed(e: typed.Expr) -> bool:
    return any(isinstance(x, typed.Temporal) and x.op in ("WITHIN", "FOR") for x in subexpressions(e))


def may_fault(e: typed.Expr) -> bool:
    """Whether evaluating it could fault; only what certainly cannot is let through."""
    for x in subexpressions(e):
        match x:
            case typed.IndexRef():
                if not isinstance(x.index, typed.Constant):
                    return True
            case typed.SlotVariable() | typed.StatusAtom():
                if x.slot is not None and not isinstance(x.slot, typed.Constant):
                    return True
            case typed.Convert():
                if x.checked:
                    return True
            case typed.Unary():
                if x.op != "~":
                    return True
            case typed.Constant() | typed.VariableRef() | typed.FieldRef() | typed.Relation() | typed.Membership():
                pass
            case typed.Logical() | typed.TakenAtom() | typed.Temporal():
                pass
            case _:
                return True
    return False


def _as_value(e: typed.Expr) -> typed.Expr:
    """With IMPLIES and IFF said in operators that have a value."""
    match e:
        case typed.Temporal(op="IMPLIES", right=typed.Expr() as right):
            negated = typed.Unary(e.left.span, BOOLEAN, "~", _as_value(e.left))
            return typed.Logical(e.span, BOOLEAN, "OR", negated, _as_value(right))
        case typed.Temporal(op="IFF", right=typed.Expr() as right):
            return typed.Relation(e.span, BOOLEAN, "=", _as_value(e.left), _as_value(right))
        case typed.Logical():
            return typed.Logical(e.span, e.type, e.op, _as_value(e.left), _as_value(e.right))
        case typed.Unary(op="~"):
            return typed.Unary(e.span, e.type, "~", _as_value(e.operand))
    return e


def _key(e: typed.Expr) -> _Key:
    """Equal for expressions that say the same, wherever they stand."""
    found: list[object] = [type(e)]
    parts = operands(e)
    for f in fields(e):
        value = getattr(e, f.name)
        if f.name in ("span", "free") or isinstance(value, typed.Expr | list):
            continue
        # Symbols and types are the same only if they are one object; numbers and words if they are equal.
        plain = isinstance(value, int | str | bytes) or value is None
        found.append((type(value), value) if plain and not isinstance(value, Type) else id(value))
    return (*found, len(parts), *map(_key, parts))


def _text(e: typed.Expr) -> str:
    """As in the source, on one line, without comments."""
    text = e.span.source.text[e.span.start : e.span.end]
    while (shorter := _COMMENT.sub(" ", text)) != text:
        text = shorter
    return " ".join(text.split())
