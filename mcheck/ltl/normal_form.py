"""Brings simplified formulas into the shape that gives the smallest tableaux.

What holds at all positions or at none can wait:
`EVENTUALLY a OR s` becomes `EVENTUALLY (a OR s)`, and `EVENTUALLY u & s`
becomes `EVENTUALLY (u & s)`, if s is such a formula and u stays true once it is. The automaton then waits in one state,
and chooses all at once, instead of choosing one by one (this is what keeps long lists of fairness assumptions small).
"""

from __future__ import annotations

from lfc.mcheck.ltl.formula import Formula, Op, bottom_up, node


def arrange(f: Formula) -> Formula:
    arranged: dict[Formula, Formula] = {}
    for g in bottom_up(f):
        parts = tuple(arranged[p] for p in g.parts)
        if g.op in (Op.AND, Op.OR):
            arranged[g] = _pulled(g.op, parts)
        else:
            arranged[g] = node(g.op, *parts, name=g.name)
    return arranged[f]


def _pulled(op: Op, parts: tuple[Formula, ...]) -> Formula:
    """The join of the parts, with those that can wait under one EVENTUALLY."""
    eventually = [p for p in parts if p.op is Op.EVENTUALLY and (op is Op.OR or p.left.universal)]
    if not eventually:
        return join(op, parts)
    waiting = [p for p in parts if p not in eventually and p.suspendable]
    rest = [p for p in parts if p not in eventually and p not in waiting]
    inner = join(op, [p.left for p in eventually] + waiting)
    return join(op, [*rest, node(Op.EVENTUALLY, inner)])


def join(op: Op, parts: list[Formula] | tuple[Formula, ...]) -> Formula:
    """A conjunction or disjunction of at least one part: flat, each part once, in the order of their numbers."""
    flat: set[Formula] = set()
    for p in parts:
        flat.update(p.parts if p.op is op else (p,))
    return flat.pop() if len(flat) == 1 else node(op, *sorted(flat, key=lambda p: p.number))
