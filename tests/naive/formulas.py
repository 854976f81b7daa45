"""Whether a word satisfies a formula, straight from the definitions.

A word is a lasso: the positions 0 to n-1, and after n-1 the position `loop` again. Each operator is the positions
at which it holds; UNTIL is a least fixed point, RELEASE a greatest one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from lfc.mcheck.ltl.formula import Formula, Op

Positions = list[bool]


def satisfies(word: Sequence[frozenset[str]], loop: int, f: Formula) -> bool:
    """`word[i]` holds the names of the atoms that are true at position i."""
    return _where(word, loop, f, {})[0]


def _where(word: Sequence[frozenset[str]], loop: int, f: Formula, known: dict[Formula, Positions]) -> Positions:
    if f in known:
        return known[f]
    a, b = ([_where(word, loop, p, known) for p in f.parts] + [[], []])[:2]
    n = len(word)

    def fixed_point(start: bool, step: Callable[[int, bool], bool]) -> Positions:
        """The solution of h(i) = step(i, h(i+1)), the least one from False, the greatest one from True."""
        holds = [start] * n
        for _ in range(n + 1):
            for i in reversed(range(n)):
                holds[i] = step(i, holds[i + 1 if i + 1 < n else loop])
        return holds

    match f.op:
        case Op.TRUE:
            holds = [True] * n
        case Op.FALSE:
            holds = [False] * n
        case Op.ATOM:
            holds = [f.name in valuation for valuation in word]
        case Op.NOT:
            holds = [not x for x in a]
        case Op.AND:
            holds = [all(_where(word, loop, p, known)[i] for p in f.parts) for i in range(n)]
        case Op.OR:
            holds = [any(_where(word, loop, p, known)[i] for p in f.parts) for i in range(n)]
        case Op.IMPLIES:
            holds = [not x or y for x, y in zip(a, b, strict=True)]
        case Op.IFF:
            holds = [x == y for x, y in zip(a, b, strict=True)]
        case Op.NEXT:
            holds = [a[i + 1 if i + 1 < n else loop] for i in range(n)]
        case Op.EVENTUALLY:
            holds = fixed_point(False, lambda i, later: a[i] or later)
        case Op.ALWAYS:
            holds = fixed_point(True, lambda i, later: a[i] and later)
        case Op.UNTIL:
            holds = fixed_point(False, lambda i, later: b[i] or (a[i] and later))
        case Op.WEAKUNTIL:
            holds = fixed_point(True, lambda i, later: b[i] or (a[i] and later))
        case Op.RELEASE:
            holds = fixed_point(True, lambda i, later: b[i] and (a[i] or later))
        case Op.STRONGRELEASE:
            holds = fixed_point(False, lambda i, later: b[i] and (a[i] or later))
    known[f] = holds
    return holds
