"""What a picture of many processes shows: those that matter to the run; of each kind the others are one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

MANY = 14  # processes that are shown without folding
AT_ENDS = (4, 2)  # of a circle of waiting: so many at its start and its end


def folds(kinds: Mapping[str, str], circle: Sequence[str], actors: Sequence[str]) -> dict[str, list[str]]:
    """Label -> the processes behind it. `kinds`: of each process; `actors`: who has acted, the last one first."""
    if len(kinds) <= MANY:
        return {}
    kept = kept_of(kinds, circle, actors)
    rest: dict[str, list[str]] = {}
    for name, kind in kinds.items():
        if name not in kept:
            rest.setdefault(kind, []).append(name)
    return {f"{len(names)} more {kind}": names for kind, names in rest.items() if len(names) > 1}


def kept_of(kinds: Mapping[str, str], circle: Sequence[str], actors: Sequence[str]) -> set[str]:
    first, last = AT_ENDS
    wanted = [*circle[:first], *circle[-last:]] if len(circle) > MANY else list(circle)
    kept = {name for name in wanted if name in kinds}
    for name in [*actors, *kinds]:
        enough = len(kept) >= MANY // 2
        is_new = kinds.get(name) not in {kinds[k] for k in kept}
        if name in kinds and (not enough or is_new):
            kept.add(name)
    return kept


def contracted(neighbours: Mapping[str, set[str]], folded: Mapping[str, Sequence[str]]) -> dict[str, set[str]]:
    """The graph in which each fold is one node."""
    label = {name: fold for fold, names in folded.items() for name in names}
    found: dict[str, set[str]] = {}
    for name, others in neighbours.items():
        here = label.get(name, name)
        found.setdefault(here, set()).update(label.get(o, o) for o in others)
    return {name: others - {name} for name, others in found.items()}
