"""Random pairs of small programs with the same ports, the second a mutant of the first: one may refine the other.

Half of them are modules whose ports `a` and `b` are for the outside; in the others all meet inside.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import TypeAlias

Tree: TypeAlias = "tuple[str, list[Tree]] | str"
PORTS = ("a", "b", "h")


@dataclass(slots=True)
class Pair:
    first: str
    second: str
    is_open: bool


def pair(seed: int) -> Pair:
    rng = random.Random(seed)
    writer = Writer(rng, is_open=seed % 2 == 0)
    processes = [writer.process() for _ in range(rng.randint(1, 2) if writer.is_open else rng.randint(2, 3))]
    changed = list(processes)
    for _ in range(rng.randint(1, 2)):
        which = rng.randrange(len(changed))
        changed[which] = writer.mutant(changed[which])
    texts = [writer.module(p) for p in (processes, changed)]
    if rng.random() < 0.5:
        texts.reverse()
    return Pair(texts[0], texts[1], writer.is_open)


class Writer:
    def __init__(self, rng: random.Random, is_open: bool) -> None:
        self.rng = rng
        self.is_open = is_open

    def chance(self, p: float) -> bool:
        return self.rng.random() < p

    # --- trees -------------------------------------------------------------------------------------------------

    def process(self) -> Tree:
        kind = "LOOP" if self.chance(0.6) else "ONCE"
        return kind, self.sequence(2)

    def sequence(self, depth: int) -> list[Tree]:
        return [self.statement(depth) for _ in range(self.rng.randint(1, 3))]

    def statement(self, depth: int) -> Tree:
        roll = self.rng.random()
        if depth and roll < 0.2:
            return "CHOICE", [("SEQ", self.sequence(depth - 1)) for _ in range(self.rng.randint(2, 3))]
        if depth and roll < 0.4:
            clauses: list[Tree] = [
                (f"WHEN {self.event()}{self.guard()}", self.sequence(depth - 1)) for _ in range(self.rng.randint(1, 3))
            ]
            return "SELECT", clauses
        if depth and roll < 0.47:
            return "IF", [("SEQ", self.sequence(depth - 1)), ("SEQ", self.sequence(depth - 1))]
        if roll < 0.53:
            return "RESCHEDULE"
        if roll < 0.58:
            return "x := 1 - x"
        if roll < 0.60:
            return "ASSERT(x = 0)"
        return self.event()

    def event(self) -> str:
        port = self.rng.choice("aabbh")
        if self.chance(0.5):
            return f"{port}!{self.rng.choice(['m(0)', 'm(1)', 'm(x)', 'n'])}"
        return f"{port}?{self.rng.choice(['m(x)', 'm(x)', 'm(1)', 'n'])}"

    def guard(self) -> str:
        return f" & (x = {self.rng.randint(0, 1)})" if self.chance(0.2) else ""

    def mutant(self, tree: Tree) -> Tree:
        """One place of it is changed, dropped or doubled."""
        if isinstance(tree, str):
            return self.statement(0)
        kind, inner = tree
        at = self.rng.randrange(len(inner))
        roll = self.rng.random()
        if roll < 0.25 and len(inner) > 1 and kind != "IF":
            return kind, inner[:at] + inner[at + 1 :]
        if roll < 0.3 and kind in ("LOOP", "ONCE", "SEQ"):
            return kind, [*inner[:at], "RESCHEDULE", *inner[at:]]
        if roll < 0.4 and kind == "CHOICE":
            return kind, [*inner, ("SEQ", self.sequence(0))]
        return kind, [*inner[:at], self.mutant(inner[at]), *inner[at + 1 :]]

    # --- texts -------------------------------------------------------------------------------------------------

    def module(self, processes: list[Tree]) -> str:
        star = "*" if self.is_open else ""
        lines = [
            "MODULE Visible;",
            "TYPE Bit* = 0 .. 1; Ch* = [m(Bit), n];",
            f"PORT a{star}, b{star} : Ch; h : Ch;",
        ]
        for number, (kind, inner) in enumerate(p for p in processes if not isinstance(p, str)):
            body = "; ".join(self.text(s) for s in inner)
            body = f"LOOP {body} END" if kind == "LOOP" else body
            lines += [f"PROCESS P{number};", "VAR x : Bit;", "BEGIN", f"  {body}", f"END P{number};"]
        creates = "; ".join(f"CREATE P{n}" for n in range(len(processes)))
        return "\n".join([*lines, f"BEGIN NEW(a); NEW(b); NEW(h); {creates}", "END Visible.\n"])

    def text(self, tree: Tree) -> str:
        if isinstance(tree, str):
            return tree
        kind, inner = tree
        if kind == "CHOICE":
            return f"CHOICE {' | '.join(self.text(b) for b in inner)} END"
        if kind == "SELECT":
            return f"SELECT {' '.join(self.text(c) for c in inner)} END"
        if kind == "IF":
            return f"IF x = 0 THEN {self.text(inner[0])} ELSE {self.text(inner[1])} END"
        body = "; ".join(self.text(s) for s in inner)
        return f"{kind} THEN {body}" if kind.startswith("WHEN") else body
