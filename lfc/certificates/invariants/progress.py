"""What is left of a formula after a letter (Bacchus and Kabanza, Annals of Mathematics and AI, 1998): a deterministic
monitor of safety.

Of formulas without `until` (in negation normal form) each violation has a prefix after which nothing can be left: `f
release g` is violated at the first place where g is, if f has not been so before, and what violates g and f has such
prefixes, by induction.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from lfc.certificates.tableau import FALSE, TRUE, Atoms, Formula
from lfc.semantics.model import typed

LOST = -1
MOST_ATOMS, MOST_STATES = 6, 64


class NoMonitor(Exception):
    """Says why."""


@dataclass(slots=True)
class Monitor:
    """State 0 is the first; `after`: by state and letter the next one, or LOST."""

    atoms: list[typed.Expr]
    after: list[list[int]] = field(default_factory=list)

    @property
    def letters(self) -> int:
        return 1 << len(self.atoms)


def monitor_of(formula: typed.Expr) -> Monitor:
    """Raises NoMonitor, MeasuresTime."""
    atoms = Atoms()
    start = atoms.formula(formula, positive=True)
    if not is_safe(start):
        raise NoMonitor("it is no safety property as it is written (EVENTUALLY, UNTIL)")
    if len(atoms.expressions) > MOST_ATOMS:
        raise NoMonitor(f"it has more than {MOST_ATOMS} atoms")
    return built(start, atoms.expressions)


def built(start: Formula, atoms: list[typed.Expr]) -> Monitor:
    """Of a formula that is safe. Raises NoMonitor."""
    found, start = Monitor(atoms), rest(start)
    numbers, states = {start: 0}, [start]
    for f in states:
        row = []
        for letter in range(found.letters):
            then = progressed(f, letter)
            if then == FALSE:
                row.append(LOST)
                continue
            if then not in numbers:
                numbers[then] = len(states)
                states.append(then)
            row.append(numbers[then])
        found.after.append(row)
        if len(states) > MOST_STATES:
            raise NoMonitor(f"its monitor has more than {MOST_STATES} states")
    return found


def is_safe(f: Formula) -> bool:
    return f[0] != "until" and all(is_safe(part) for part in f[1:] if isinstance(part, tuple))


def progressed(f: Formula, letter: int) -> Formula:
    """What must hold from the next letter on, if `f` holds from this one on."""
    match f:
        case ("atom", int(i), positive):
            return TRUE if bool(letter >> i & 1) == positive else FALSE
        case ("and" | "or", *parts):
            return joined(str(f[0]), (progressed(p, letter) for p in parts))  # type: ignore[arg-type]
        case ("next", tuple(g)):
            return rest(g)
        case ("release", tuple(g), tuple(h)):
            goes_on = joined("or", [progressed(g, letter), f])
            return joined("and", [progressed(h, letter), goes_on])
    return f


def rest(f: Formula) -> Formula:
    """As it is compared with others."""
    return joined(str(f[0]), map(rest, f[1:])) if f[0] in ("and", "or") else f  # type: ignore[arg-type]


def joined(op: str, formulas: Iterable[Formula]) -> Formula:
    """Without brackets, doubles and constants, in one order."""
    neutral, ends = (TRUE, FALSE) if op == "and" else (FALSE, TRUE)
    parts: set[Formula] = set()
    for f in formulas:
        parts |= {*f[1:]} if f[0] == op else {f}  # type: ignore[arg-type]
    parts.discard(neutral)
    if ends in parts:
        return ends
    if len(parts) < 2:
        return parts.pop() if parts else neutral
    return (op, *sorted(parts, key=repr))
