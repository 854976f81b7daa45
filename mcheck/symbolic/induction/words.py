"""Lemmas in the program's names."""

from __future__ import annotations

from collections.abc import Mapping

from lfc.mcheck.symbolic.classes import Place, named_places
from lfc.mcheck.symbolic.explore import Exploration
from lfc.mcheck.symbolic.induction.prove import Proof
from lfc.mcheck.symbolic.induction.system import Cube, Literal, Location
from lfc.mcheck.symbolic.values.ranges import FLIPPED
from lfc.mcheck.symbolic.values.terms import COMPARISONS, OVERFLOWS, SELECT, SYMBOL, Term, signed
from lfc.run.names import live_processes

SIGNS = {"eq": "=", "ne": "#", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}
BETWEEN = {"add": "+", "sub": "-", "mul": "*", "udiv": "DIV", "sdiv": "DIV", "urem": "MOD", "srem": "MOD"}
MOST_LINES = 8


def lines_of(found: Exploration, proof: Proof) -> list[str]:
    """Each once, and where it is so, if not everywhere."""
    lines = [f"errors are ruled out by induction over {proof.k} steps"] if proof.k > 1 else []
    places = dict(named_places(found.program.machine, with_index=True))
    at = {x.number: x for x in proof.system.locations.values()}
    where: dict[str, list[Location]] = {}
    for lemma in proof.lemmas:
        location = at[lemma.location]
        where.setdefault(lemma_text(location, lemma.cube, places), []).append(location)
    for text, locations in where.items():
        lines.append(text if len(locations) == len(at) else f"{text} where {place_text(found, locations)}")
    more = len(lines) - MOST_LINES
    return lines if more <= 0 else [*lines[:MOST_LINES], f"and {more} more"]


def place_text(found: Exploration, locations: list[Location]) -> str:
    texts = []
    for location in locations:
        processes = live_processes(found.program.machine, location.shape.explicit)
        texts.append(", ".join(f"{p.name} is at line {p.position.span.line}" for p in processes) or "all has ended")
    return " or ".join(dict.fromkeys(texts))


def lemma_text(location: Location, cube: Cube, places: Mapping[int, Place]) -> str:
    """That not all of these are so."""
    parts = [literal_text(location, (t, 1 - answer), places) for t, answer in cube]
    return " OR ".join(parts) if len(parts) == 1 else " OR ".join(f"({p})" for p in parts)


def literal_text(location: Location, literal: Literal, places: Mapping[int, Place]) -> str:
    t, answer = literal
    while t.op == "xor" and t.args[1] == 1 and isinstance(t.args[0], Term):
        t, answer = t.args[0], 1 - answer
    if t.op in COMPARISONS:
        op = t.op if answer else FLIPPED[t.op]
        a, b = t.args
        width = a.width if isinstance(a, Term) else b.width  # type: ignore[union-attr]
        sides = [side_text(location, x, width, op[0] == "s", places) for x in (a, b)]
        return f"{sides[0]} {SIGNS[op if op in SIGNS else op[1:]]} {sides[1]}"
    if t.op in OVERFLOWS:
        what = BETWEEN[t.op[1:].split(".")[0]]
        inner = f" {what} ".join(side_text(location, x, 0, False, places) for x in t.args)
        return f"{inner} {'overflows' if answer else 'does not overflow'}"
    text = term_text(location, t, places)
    return text if answer else f"~({text})"


def side_text(location: Location, x: int | Term, width: int, with_sign: bool, places: Mapping[int, Place]) -> str:
    if isinstance(x, Term):
        return term_text(location, x, places)
    return str(signed(x, width) if with_sign else x)


def term_text(location: Location, t: int | Term, places: Mapping[int, Place]) -> str:
    if isinstance(t, int):
        return str(t)
    if t.op == SYMBOL:
        offset, size, _ = location.shape.runs[t.args[0]]  # type: ignore[index]
        return cell_name(offset, places)
    if t.op in ("zext", "sext", "trunc"):
        return term_text(location, t.args[0], places)
    parts = [term_text(location, a, places) for a in t.args]
    if t.op == "add" and isinstance(t.args[1], int) and signed(t.args[1], t.width) < 0:
        return f"{parts[0]} - {-signed(t.args[1], t.width)}"
    if t.op in BETWEEN:
        return f"({parts[0]} {BETWEEN[t.op]} {parts[1]})"
    if t.op == SELECT:
        return f"(IF {parts[0]} THEN {parts[1]} ELSE {parts[2]})"
    return f"{t.op}({', '.join(parts)})"


def cell_name(offset: int, places: Mapping[int, Place]) -> str:
    if offset in places:
        return places[offset][0]
    return "a value that is to be sent"
