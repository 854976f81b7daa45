"""What is known of several symbols at once, at the end of a path: conditions that stay with a state, or that say
nothing more of it. docs/theory/data.md has the rules.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import prod

from lfc.mcheck.symbolic.execution.paths import Path
from lfc.mcheck.symbolic.values import value_sets as sets
from lfc.mcheck.symbolic.values.linear import Canonical
from lfc.mcheck.symbolic.values.preimages import TURNED, TooMany, bounds, image, preimage
from lfc.mcheck.symbolic.values.ranges import FLIPPED, Impossible, signed_bounds
from lfc.mcheck.symbolic.values.terms import (
    COMPARISONS,
    SYMBOL,
    Term,
    compiled,
    evaluate,
    nodes,
    operation,
    rewritten,
    symbol,
)
from lfc.mcheck.symbolic.values.value_sets import ValueSet

Condition = tuple[Term, int]  # and its answer


def conditions_of(path: Path) -> list[Condition]:
    """Of what is known, that which its box cannot say; the box is narrowed by the rest. Raises Impossible."""
    left = list(path.known.items())
    while True:
        values = {n: v for n, s in path.box.items() if (v := sets.only_value(s)) is not None}
        simple = Canonical(path.box)
        found: dict[Term, int] = {}
        narrowed = False
        for t, answer in left:
            condition = plain(simple.of(with_values(t, values)), answer)
            if condition is None:
                continue
            if len(condition[0].symbols) == 1 and absorbed(path, condition):
                narrowed = True
            else:
                found[condition[0]] = condition[1]
        left = list(found.items())
        if not narrowed:
            return left


def plain(t: int | Term, answer: int) -> Condition | None:
    """Without a negation; None: it is so. Raises Impossible."""
    while isinstance(t, Term) and t.op == "xor" and t.args[1] == 1:
        t, answer = t.args[0], 1 - answer
    if isinstance(t, Term):
        return t, answer
    if t != answer:
        raise Impossible
    return None


def absorbed(path: Path, condition: Condition) -> bool:
    t, answer = condition
    (n,) = t.symbols
    try:
        values = sets.intersection(path.box[n], preimage(t, sets.single(answer), path.box))
    except TooMany:
        return False
    if not values:
        raise Impossible
    path.box[n] = values
    return True


def with_values(t: int | Term, values: dict[int, int]) -> int | Term:
    if isinstance(t, int) or not t.symbols & values.keys():
        return t
    if t.symbols <= values.keys():
        return evaluate(t, values)
    return rewritten(t, lambda node: values.get(node.args[0]) if node.op == SYMBOL else None)  # type: ignore[arg-type]


# --- symbols that no variable has any more ---------------------------------------------------------------------------


def without_others(path: Path, conditions: Sequence[Condition], kept: frozenset[int]) -> list[Condition]:
    """Without symbols of which only conditions speak, as far as that is exact; and without conditions that have nothing
    to do with those that are kept."""
    left = list(conditions)
    work = True
    while work:
        work = False
        left = tied_to(kept, left)
        for n in sorted({n for t, _ in left for n in t.symbols} - kept):
            of = [c for c in left if n in c[0].symbols]
            if len(of) != 1:
                continue
            rest = projected(path, of[0], n)
            if rest is None:
                continue
            left.remove(of[0])
            for t, answer in rest:
                condition = plain(t, answer)
                if condition is not None and not (len(condition[0].symbols) == 1 and absorbed(path, condition)):
                    left.append(condition)
            work = True
            break
    return left


def tied_to(kept: frozenset[int], conditions: Iterable[Condition]) -> list[Condition]:
    """Those that share symbols with these, also by way of others."""
    reached, left, found = set(kept), list(conditions), list[Condition]()
    while True:
        tied = [c for c in left if c[0].symbols & reached]
        if not tied:
            return [c for c in conditions if c in found]
        found += tied
        left = [c for c in left if c not in tied]
        reached.update(*(t.symbols for t, _ in tied))


def projected(path: Path, condition: Condition, n: int) -> list[tuple[int | Term, int]] | None:
    """That there is a value of this symbol with which it holds, as conditions of the others; None: nobody knows."""
    t, answer = condition
    if t.op not in COMPARISONS:
        return None
    op = t.op if answer else FLIPPED[t.op]
    a, b = t.args
    if isinstance(b, Term) and n in b.symbols:
        a, b, op = b, a, TURNED[op]
    if not isinstance(a, Term) or isinstance(b, Term) and n in b.symbols or not is_the_symbol(a):
        return None
    w, own = a.width, path.box[n]
    if op == "ne":
        return [] if sets.size(own) > 1 else None
    if op == "eq":
        if isinstance(b, int) or len(own) != 1:
            return None
        low, high = own[0]
        least, most = bounds(b, path.box)
        if low <= least and most <= high:
            return []
        return [(operation("ule", 1, w, operation("sub", w, w, b, low), high - low), 1)]
    low, high = signed_bounds(own, w) if op[0] == "s" else (own[0][0], own[-1][1])
    best = (low if op[1] == "l" else high) & (1 << w) - 1
    return [(operation(op, 1, w, best, b), 1)]


def is_the_symbol(t: Term) -> bool:
    return t.op == SYMBOL or t.op == "zext" and isinstance(t.args[0], Term) and t.args[0].op == SYMBOL


# --- symbols that occur in one way only ------------------------------------------------------------------------------


def parts_of_one_symbol(terms: Iterable[Term]) -> dict[int, set[Term]]:
    """By symbol: the largest parts with no other."""
    found: dict[int, set[Term]] = {}
    seen: set[Term] = set()
    stack = list(terms)
    while stack:
        t = stack.pop()
        if t in seen:
            continue
        seen.add(t)
        if len(t.symbols) == 1:
            (n,) = t.symbols
            found.setdefault(n, set()).add(t)
        else:
            stack += [a for a in t.args if isinstance(a, Term)]
    return found


def new_roots(terms: Iterable[Term], box: dict[int, ValueSet]) -> dict[Term, ValueSet]:
    """Parts that are to be symbols themselves, with their sets."""
    found: dict[Term, ValueSet] = {}
    for parts in parts_of_one_symbol(terms).values():
        (first, *others) = parts
        if others or first.op == SYMBOL:
            continue
        try:
            found[first] = image(first, box)
        except TooMany:
            continue
    return found


def image_of(t: Term, conditions: Sequence[Condition], box: dict[int, ValueSet], most: int) -> ValueSet | None:
    """The values that it has where the conditions hold, by trying all. None: they are too many."""
    roots = new_roots([t, *(c for c, _ in conditions)], box)
    own = dict(box)
    names: dict[Term, Term] = {}
    for u, values in roots.items():
        names[u] = symbol(1 + max(own), u.width)
        own[1 + max(own)] = values
    t, *rest = (renamed(x, names) for x in (t, *(c for c, _ in conditions)))
    numbers = sorted(set().union(t.symbols, *(c.symbols for c in rest)))
    if prod(sets.size(own[n]) for n in numbers) > most:
        return None
    value = compiled([t, *rest], numbers)
    answers = [answer for _, answer in conditions]
    return sets.of_values(
        first for first, *got in value(*(list(sets.values(own[n])) for n in numbers)) if got == answers
    )


def renamed(t: Term, names: dict[Term, Term]) -> Term:
    found = rewritten(t, names.get)
    assert isinstance(found, Term)
    return found


def size_of(terms: Iterable[Term]) -> int:
    """Nodes, each once."""
    return len({node for t in terms for node in nodes(t)})
