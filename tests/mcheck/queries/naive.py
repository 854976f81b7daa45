"""CTL by its definitions: fixed points by iteration from below or above, over sets (Emerson and Clarke 1980)."""

from __future__ import annotations

from collections.abc import Callable

from lfc.mcheck.queries.formula import Formula

States = frozenset[int]


def satisfying(after: list[set[int]], f: Formula, atoms: Callable[[Formula], States]) -> States:
    """`after`: each state has a successor."""
    everything = frozenset(range(len(after)))

    def some(goal: States) -> States:
        return frozenset(s for s in everything if after[s] & goal)

    def all_next(goal: States) -> States:
        return frozenset(s for s in everything if after[s] <= goal)

    def fixed(start: States, step: Callable[[States], States]) -> States:
        found = start
        while (new := step(found)) != found:
            found = new
        return found

    if not f.parts:
        return everything if f.op == "true" else atoms(f)
    inner = [satisfying(after, p, atoms) for p in f.parts]
    p, q = inner[0], inner[-1]
    return {
        "not": lambda: everything - p,
        "and": lambda: p & q,
        "or": lambda: p | q,
        "EX": lambda: some(p),
        "AX": lambda: all_next(p),
        "EF": lambda: fixed(frozenset(), lambda x: p | some(x)),
        "AF": lambda: fixed(frozenset(), lambda x: p | all_next(x)),
        "EG": lambda: fixed(everything, lambda x: p & some(x)),
        "AG": lambda: fixed(everything, lambda x: p & all_next(x)),
        "EU": lambda: fixed(frozenset(), lambda x: q | p & some(x)),
        "AU": lambda: fixed(frozenset(), lambda x: q | p & all_next(x)),
    }[f.op]()
