"""Formulas in normal form, simplified (after Somenzi and Bloem, Etessami and Holzmann, Duret-Lutz).

Every rule stands here once: `OR`, `ALWAYS`, `RELEASE` and `WEAKUNTIL` are made as what their duals are not. A function
`make_...` takes simplified parts and gives a simplified formula that means what its name says.
"""

from __future__ import annotations

from collections.abc import Iterable

from lfc.mcheck.ltl.formula import FALSE, TRUE, Formula, Op, bottom_up, negation, node
from lfc.mcheck.ltl.implication import implies

_DUAL = {
    Op.TRUE: Op.FALSE,
    Op.AND: Op.OR,
    Op.NEXT: Op.NEXT,
    Op.EVENTUALLY: Op.ALWAYS,
    Op.UNTIL: Op.RELEASE,
    Op.STRONGRELEASE: Op.WEAKUNTIL,
}
_DUAL |= {dual: op for op, dual in _DUAL.items()}
_MOST_COMPARED = 40  # parts of a conjunction; past that they are not compared with each other

_negated: dict[Formula, Formula] = {TRUE: FALSE, FALSE: TRUE}
_simplified: dict[Formula, Formula] = {}
_made: dict[tuple[Op, Formula, Formula], Formula] = {}


def simplify(f: Formula) -> Formula:
    """The formula in normal form: never larger than its plain normal form, and often much smaller."""
    for g in bottom_up(f):
        if g not in _simplified:
            _simplified[g] = _make(g.op, [_simplified[p] for p in g.parts], g)
    return _simplified[f]


def _make(op: Op, parts: list[Formula], original: Formula) -> Formula:
    match op:
        case Op.TRUE | Op.FALSE | Op.ATOM:
            return original
        case Op.NOT:
            return negate(parts[0])
        case Op.AND:
            return make_and(parts)
        case Op.OR:
            return make_or(parts)
        case Op.IMPLIES:
            return make_or([negate(parts[0]), parts[1]])
        case Op.IFF:
            a, b = parts
            return make_or([make_and([a, b]), make_and([negate(a), negate(b)])])
        case Op.NEXT:
            return make_next(parts[0])
        case Op.EVENTUALLY:
            return make_eventually(parts[0])
        case Op.ALWAYS:
            return make_always(parts[0])
        case Op.UNTIL:
            return make_until(*parts)
        case Op.STRONGRELEASE:
            return make_strong_release(*parts)
        case Op.RELEASE:
            return negate(make_until(negate(parts[0]), negate(parts[1])))
        case Op.WEAKUNTIL:
            return negate(make_strong_release(negate(parts[0]), negate(parts[1])))


def negate(f: Formula) -> Formula:
    """Of a simplified formula: each operator becomes its dual, so the result is simplified as well."""
    known = _negated.get(f)
    if known is not None:
        return known
    for g in bottom_up(f):
        if g in _negated:
            continue
        if g.op is Op.ATOM:
            other = negation(g)
        elif g.op is Op.NOT:
            other = g.left
        elif g.op in (Op.AND, Op.OR):
            other = node(_DUAL[g.op], *sorted((_negated[p] for p in g.parts), key=_order))
        else:
            other = node(_DUAL[g.op], *(_negated[p] for p in g.parts))
        _negated[g] = other
        _negated.setdefault(other, g)
    return _negated[f]


def _order(f: Formula) -> int:
    return f.number


def make_or(parts: Iterable[Formula]) -> Formula:
    return negate(make_and([negate(p) for p in parts]))


def make_always(f: Formula) -> Formula:
    return negate(make_eventually(negate(f)))


def make_and(parts: Iterable[Formula]) -> Formula:
    flat: dict[Formula, None] = {}
    for p in parts:
        for q in p.parts if p.op is Op.AND else (p,):
            if q is FALSE:
                return FALSE
            if q is not TRUE:
                flat[q] = None
    if len(flat) > _MOST_COMPARED:
        return FALSE if any(negate(p) in flat for p in flat) else node(Op.AND, *sorted(flat, key=_order))
    kept = _without_implied(sorted(flat, key=_order))
    if kept is None:
        return FALSE
    for i, a in enumerate(kept):
        for b in kept[i + 1 :]:
            joined = _joined(a, b) or _joined(b, a)
            if joined is not None:
                return make_and([joined, *(c for c in kept if c is not a and c is not b)])
    if not kept:
        return TRUE
    return kept[0] if len(kept) == 1 else node(Op.AND, *kept)


def _without_implied(parts: list[Formula]) -> list[Formula] | None:
    """The parts of a conjunction that no other part implies; None if two exclude each other."""
    kept: list[Formula] = []
    for i, a in enumerate(parts):
        for j, b in enumerate(parts):
            if i == j:
                continue
            if implies(b, a) and (j < i or not implies(a, b)):
                break
            if j > i and implies(a, negate(b)):
                return None
        else:
            kept.append(a)
    return kept


def _joined(a: Formula, b: Formula) -> Formula | None:
    """One formula for the conjunction of two, if there is one with less operators."""
    match a.op, b.op:
        case Op.ALWAYS, Op.ALWAYS if not (a.eventual or b.eventual):
            return make_always(make_and([a.left, b.left]))
        case Op.NEXT, Op.NEXT:
            return make_next(make_and([a.left, b.left]))
        case Op.EVENTUALLY, Op.EVENTUALLY:
            # FGa & FGb is FG(a & b)
            if a.left.op is Op.ALWAYS and b.left.op is Op.ALWAYS:
                return make_eventually(make_and([a.left, b.left]))
        case (Op.UNTIL, Op.UNTIL) | (Op.UNTIL, Op.WEAKUNTIL) if a.right is b.right:
            return make_until(make_and([a.left, b.left]), a.right)
        case Op.WEAKUNTIL, Op.WEAKUNTIL if a.right is b.right:
            return negate(make_strong_release(make_or([negate(a.left), negate(b.left)]), negate(a.right)))
        case Op.RELEASE, Op.RELEASE if a.left is b.left:
            return negate(make_until(negate(a.left), make_or([negate(a.right), negate(b.right)])))
        case (Op.STRONGRELEASE, Op.STRONGRELEASE) | (Op.STRONGRELEASE, Op.RELEASE) if a.left is b.left:
            return make_strong_release(a.left, make_and([a.right, b.right]))
        case Op.EVENTUALLY, Op.WEAKUNTIL if a.left is b.right:
            return make_until(b.left, b.right)
        case Op.EVENTUALLY, Op.RELEASE if a.left is b.left:
            return make_strong_release(b.left, b.right)
        case Op.ALWAYS, Op.UNTIL if implies(a.left, b.left):
            return make_and([a, make_eventually(b.right)])
    return None


def make_next(f: Formula) -> Formula:
    return f if f.suspendable else node(Op.NEXT, f)


def make_eventually(f: Formula) -> Formula:
    if f.eventual:
        return f
    key = (Op.EVENTUALLY, f, f)
    known = _made.get(key)
    if known is None:
        known = _made[key] = _eventually(f)
    return known


def _eventually(f: Formula) -> Formula:
    match f.op:
        case Op.NEXT:
            return make_next(make_eventually(f.left))
        case Op.UNTIL:
            return make_eventually(f.right)
        case Op.STRONGRELEASE:
            return make_eventually(make_and(f.parts))
        case Op.WEAKUNTIL:
            return make_or([make_eventually(f.right), make_eventually(make_always(f.left))])
        case Op.RELEASE:
            return make_or([make_eventually(make_and(f.parts)), make_eventually(make_always(f.right))])
        case Op.ALWAYS:
            return _finally_always(f)
        case Op.AND:
            outside = [p for p in f.parts if p.suspendable]
            if outside:
                inside = [p for p in f.parts if not p.suspendable]
                return make_and([*outside, make_eventually(make_and(inside))])
        case Op.OR:
            apart = [p for p in f.parts if p.eventual or p.universal or p.op in (Op.UNTIL, Op.NEXT)]
            if apart:
                rest = make_or([p for p in f.parts if p not in apart])
                return make_or([*map(make_eventually, apart), make_eventually(rest)])
    return node(Op.EVENTUALLY, f)


def _finally_always(f: Formula) -> Formula:
    """EVENTUALLY ALWAYS of a part."""
    inner = f.left
    if inner.op is Op.NEXT:
        return make_eventually(make_always(inner.left))
    if inner.op is Op.OR:
        # FG(a OR u) is FGa OR FGu where u is universal, FG(a OR e) is FGa OR GFe where e is eventual
        apart = [p for p in inner.parts if p.universal or p.eventual]
        if apart:
            rest = make_or([p for p in inner.parts if p not in apart])
            endless = [make_eventually(p) if p.universal else make_always(p) for p in apart]
            return make_or([*endless, make_eventually(make_always(rest))])
    if inner.op is Op.AND and any(p.eventual or p.universal or p.op is Op.NEXT for p in inner.parts):
        plain = [p for p in inner.parts if not (p.eventual or p.universal or p.op is Op.NEXT)]
        apart = [p for p in inner.parts if p.eventual or p.universal or p.op is Op.NEXT]
        endless = [make_eventually(make_always(p)) for p in apart]
        return make_and([*endless, make_eventually(make_always(make_and(plain)))])
    return node(Op.EVENTUALLY, f)


def make_until(a: Formula, b: Formula) -> Formula:
    key = (Op.UNTIL, a, b)
    known = _made.get(key)
    if known is None:
        known = _made[key] = _until(a, b)
    return known


def _until(a: Formula, b: Formula) -> Formula:
    if a is FALSE or b.eventual or implies(a, b):
        return b
    if implies(negate(a), b):
        return make_eventually(b)
    if a.op is Op.NEXT and b.op is Op.NEXT:
        return make_next(make_until(a.left, b.left))
    if b.op in (Op.UNTIL, Op.WEAKUNTIL) and implies(a, b.left):
        return b
    if b.op is Op.UNTIL and implies(b.left, a):
        return make_until(a, b.right)
    if a.op is Op.UNTIL and a.right is b:
        return a
    if a.op is Op.OR:
        # Before the first b, what implies b does not hold.
        needed = [p for p in a.parts if not implies(p, b)]
        if len(needed) < len(a.parts):
            return make_until(make_or(needed), b)
    if a.op is Op.AND:
        needed = [p for p in a.parts if not implies(negate(p), b)]
        if len(needed) < len(a.parts):
            return make_until(make_and(needed), b)
    if b.op is Op.OR:
        apart = [p for p in b.parts if p.eventual]
        if apart:
            return make_or([*apart, make_until(a, make_or([p for p in b.parts if not p.eventual]))])
    if b.op is Op.AND:
        # a UNTIL (b & s) is (a UNTIL b) & s
        apart = [p for p in b.parts if p.suspendable]
        if apart:
            return make_and([*apart, make_until(a, make_and([p for p in b.parts if not p.suspendable]))])
    return node(Op.UNTIL, a, b)


def make_strong_release(a: Formula, b: Formula) -> Formula:
    key = (Op.STRONGRELEASE, a, b)
    known = _made.get(key)
    if known is None:
        known = _made[key] = _strong_release(a, b)
    return known


def _strong_release(a: Formula, b: Formula) -> Formula:
    """a and b together at last, and b until then."""
    if b is TRUE:
        return make_eventually(a)
    if a is TRUE or b is FALSE or implies(b, a):
        return b
    if a is FALSE or implies(a, negate(b)):
        return FALSE
    if b.universal:
        return make_and([b, make_eventually(a)])
    if a.eventual:
        return make_and([a, b])
    if a.op is Op.NEXT and b.op is Op.NEXT:
        return make_next(make_strong_release(a.left, b.left))
    if implies(a, b):
        return make_until(b, a)
    if a.op is Op.AND:
        # Together with b, a need not say what b says.
        needed = [p for p in a.parts if not implies(b, p)]
        if len(needed) < len(a.parts):
            return make_strong_release(make_and(needed), b)
    return node(Op.STRONGRELEASE, a, b)
