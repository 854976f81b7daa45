"""Random formulas of temporal logic over given atoms."""

from __future__ import annotations

import random


def random_formula(r: random.Random, atoms: list[str], depth: int) -> str:
    if depth == 0 or r.random() < 0.15:
        return r.choice(["", "", "~"]) + f"({r.choice(atoms)})"
    one = random_formula(r, atoms, depth - 1)
    kind = r.choice(["[]", "<>", "NEXT", "U", "W", "R", "->", "&", "OR", "[]<>", "<>[]"])
    if kind in ("[]", "<>", "NEXT"):
        return f"({kind} {one})"
    if kind in ("[]<>", "<>[]"):
        return f"({kind[:2]} {kind[2:]} {one})"
    word = {"U": "UNTIL", "W": "WEAKUNTIL", "R": "RELEASE"}.get(kind, kind)
    return f"({one} {word} {random_formula(r, atoms, depth - 1)})"
