"""The two families of formulas with many fairness assumptions."""

from __future__ import annotations

from functools import reduce

from lfc.mcheck.ltl.formula import Formula, Op, atom, node


def infinitely_often(f: Formula) -> Formula:
    return node(Op.ALWAYS, node(Op.EVENTUALLY, f))


def _all(parts: list[Formula]) -> Formula:
    return reduce(lambda a, b: node(Op.AND, a, b), parts)


def weak_family(n: int) -> Formula:
    """(/\\ []<>p_i) -> []<>q"""
    assumptions = [infinitely_often(atom(f"p{i}")) for i in range(n)]
    return node(Op.IMPLIES, _all(assumptions), infinitely_often(atom("q")))


def strong_family(n: int) -> Formula:
    """/\\([]<>p_i -> []<>q_i) -> []<>s"""
    pairs = [(infinitely_often(atom(f"p{i}")), infinitely_often(atom(f"q{i}"))) for i in range(n)]
    return node(Op.IMPLIES, _all([node(Op.IMPLIES, p, q) for p, q in pairs]), infinitely_often(atom("s")))
