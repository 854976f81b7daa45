"""Which formula certainly implies which, seen from their shape (after Somenzi and Bloem).

Both must be in normal form. A `False` says nothing.
"""

from __future__ import annotations

from lfc.mcheck.ltl.formula import FALSE, TRUE, Formula, Op

_known: dict[tuple[Formula, Formula], bool] = {}
_MOST_KNOWN = 1_000_000


def implies(a: Formula, b: Formula) -> bool:
    if a is b or a is FALSE or b is TRUE:
        return True
    if a is TRUE or b is FALSE or (a.is_literal and b.is_literal):
        return False
    key = (a, b)
    found = _known.get(key)
    if found is None:
        if len(_known) > _MOST_KNOWN:
            _known.clear()
        found = _known[key] = _left_joined(a, b) or _by_left(a, b) or _by_right(a, b)
    return found


def _left_joined(a: Formula, b: Formula) -> bool:
    """The joins, in an order in which nothing is lost: first split what must hold for all, then look for one."""
    if a.op is Op.OR:
        return all(implies(x, b) for x in a.parts)
    if b.op is Op.AND:
        return all(implies(a, y) for y in b.parts)
    if a.op is Op.AND and any(implies(x, b) for x in a.parts):
        return True
    return b.op is Op.OR and any(implies(a, y) for y in b.parts)


def _by_left(a: Formula, b: Formula) -> bool:
    """Something weaker than `a` implies `b`."""
    match a.op:
        case Op.ALWAYS:
            return implies(a.left, b)
        case Op.EVENTUALLY | Op.NEXT:
            return b.eventual and implies(a.left, b)
        case Op.UNTIL:
            return (b.eventual and implies(a.right, b)) or (implies(a.left, b) and implies(a.right, b))
        case Op.WEAKUNTIL:
            return implies(a.left, b) and implies(a.right, b)
        case Op.RELEASE:
            return implies(a.right, b)
        case Op.STRONGRELEASE:
            return implies(a.right, b) or (b.eventual and implies(a.left, b))
    return False


def _by_right(a: Formula, b: Formula) -> bool:
    """`a` implies something stronger than `b`, or has its shape with stronger parts."""
    match b.op:
        case Op.EVENTUALLY:
            return implies(a, b.left)
        case Op.ALWAYS | Op.NEXT:
            if a.universal and implies(a, b.left):
                return True
            return a.op is Op.NEXT and b.op is Op.NEXT and implies(a.left, b.left)
        case Op.UNTIL:
            if implies(a, b.right):
                return True
            if a.op is Op.UNTIL:
                return implies(a.left, b.left) and implies(a.right, b)
            if a.op is Op.STRONGRELEASE:
                return implies(a.right, b.left) and (implies(a.left, b.right) or implies(a.right, b.right))
        case Op.WEAKUNTIL:
            if implies(a, b.right) or (a.universal and implies(a, b.left)):
                return True
            if a.op in (Op.UNTIL, Op.WEAKUNTIL):
                return implies(a.left, b.left) and implies(a.right, b)
            if a.op in (Op.RELEASE, Op.STRONGRELEASE):
                return implies(a.right, b.left) and (implies(a.left, b.right) or implies(a.right, b.right))
        case Op.RELEASE:
            if a.universal and implies(a, b.right):
                return True
            return _releases(a, b) or (implies(a, b.left) and implies(a, b.right))
        case Op.STRONGRELEASE:
            if a.op in (Op.UNTIL, Op.STRONGRELEASE) and _releases(a, b):
                return True
            return implies(a, b.left) and implies(a, b.right)
    return False


def _releases(a: Formula, b: Formula) -> bool:
    """Of two formulas with the same strength: `a` gives what `b`, a release, wants until it is released."""
    if a.op in (Op.RELEASE, Op.STRONGRELEASE):
        return implies(a.left, b.left) and implies(a.right, b.right)
    if a.op in (Op.UNTIL, Op.WEAKUNTIL):
        return implies(a.left, b.right) and implies(a.right, b.left) and implies(a.right, b.right)
    return False
