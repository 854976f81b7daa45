"""A run that violates a property, made of what the search for cycles found: steps, blocks, and what the atoms say.

May import: `properties`, `replay`, `lfc.actions`, `lfc.trace`.
"""

from __future__ import annotations

from dataclasses import dataclass

from lfc.actions.model import Machine
from lfc.mcheck.cycles import Lasso
from lfc.mcheck.properties import STAYS, ProductSearch, Watched
from lfc.mcheck.replay import Replayer
from lfc.trace.items import Item


@dataclass(slots=True)
class ViolatingRun:
    """`cycle`: the step with which the cycle begins; len(steps): the run ends, and its last state stays for ever."""

    steps: list[list[Item]]
    blocks: list[bytes]
    cycle: int
    atoms: list[list[str]]  # of each step: the atoms that changed (all of them at the first), as text
    unfair: list[str]  # processes that could run somewhere on the cycle and never do
    lost: bool = False  # there is no cycle: whatever comes after these steps, the property is violated


def violating_run(machine: Machine, product: ProductSearch, w: Watched, lasso: Lasso) -> ViolatingRun:
    """Replayed before it is returned."""
    steps = lasso.steps
    ended = next((i for i, (_, _, ordinal) in enumerate(steps) if ordinal == STAYS), len(steps))
    blocks = [product.block(root) for root, _, _ in steps[: ended + 1]]
    if ended == len(steps):
        blocks.append(blocks[lasso.prefix])
    letters = [product.letter(root, ordinal) for root, _, ordinal in steps[:ended]]
    items = Replayer(machine).items_along(blocks, [slot for _, slot in letters])
    cycle = min(lasso.prefix, ended)
    unfair = never_run(machine, items[cycle:], blocks[cycle:])
    lost = lasso.prefix == len(steps)
    return ViolatingRun(items, blocks, cycle, atom_lines(w, [letter for letter, _ in letters]), unfair, lost)


def atom_lines(w: Watched, letters: list[int]) -> list[list[str]]:
    lines = []
    known: int | None = None
    for letter in letters:
        changed = [
            f"{'' if letter >> place & 1 else '~'}{short(name)}"
            for name, place in zip(w.atom_names, w.atoms, strict=True)
            if known is None or (letter ^ known) >> place & 1
        ]
        lines.append(changed)
        known = letter
    return lines


def short(atom: str) -> str:
    return atom if atom.isidentifier() else f"({atom})"


def never_run(machine: Machine, steps: list[list[Item]], blocks: list[bytes]) -> list[str]:
    """Processes that are ready in some state of the cycle, and that none of its steps runs."""
    from lfc.host.names import live_processes

    ran = {s[0].operands[0] for s in steps if s[0].name in ("run", "wake")}
    found: dict[str, None] = {}
    for block in blocks if steps else []:
        for p in live_processes(machine, block):
            if p.position.ready and p.slot not in ran:
                found[p.name] = None
    return list(found)
