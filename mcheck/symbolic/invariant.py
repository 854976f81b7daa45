"""The invariant that a search with ranges has found, in the program's names: of each variable its range, and where it
is less at some position of a process.
"""

from __future__ import annotations

from collections.abc import Mapping

from lfc.mcheck.symbolic.classes import Place, is_boolean, named_places, signed
from lfc.mcheck.symbolic.explore import Exploration
from lfc.mcheck.symbolic.normal_form import Shape
from lfc.mcheck.symbolic.values import value_sets as sets
from lfc.mcheck.symbolic.values.terms import SYMBOL
from lfc.mcheck.symbolic.values.value_sets import ValueSet
from lfc.run.names import live_processes, short_name

Range = tuple[int, int]
Where = tuple[str, int]  # a process, and the line at which it is
MOST_LINES = 12


def invariant_of(found: Exploration) -> list[str]:
    """Of what was undetermined in states that may be too wide."""
    machine = found.program.machine
    places = dict(named_places(machine))
    ranges: dict[str, dict[Where, Range]] = {}
    several = names_of_many(found, places)
    own_names = {short_name(machine, r, i) for r in machine.records for i in range(r.slots)}
    of_process = {name: p if (p := name.rpartition(".")[0]) in own_names else "" for name, _ in places.values()}
    for shape, of in found.of_shape.items():
        at = [(p.name, p.position.span.line) for p in live_processes(machine, shape.explicit)]
        for name, own in ranges_in(shape, of.known, places).items():
            for where in at if name in several else ():
                if of_process[name] in ("", where[0]):
                    before = ranges.setdefault(name, {}).get(where, own)
                    ranges[name][where] = min(own[0], before[0]), max(own[1], before[1])
    lines = [line for name, own in ranges.items() for line in lines_of(name, own)]
    more = len(lines) - MOST_LINES
    return lines if more <= 0 else [*lines[:MOST_LINES], f"and {more} more"]


def names_of_many(found: Exploration, places: Mapping[int, Place]) -> set[str]:
    """That had a range somewhere. Truth values say nothing."""
    return {
        places[offset][0]
        for state in found.states
        if state.wide
        for offset, _, t in state.shape.runs
        if offset in places and t.op == SYMBOL and not is_boolean(places[offset][1])
        if sets.only_value(state.box[t.args[0]]) is None  # type: ignore[index]
    }


def ranges_in(shape: Shape, boxes: list[tuple[ValueSet, ...]], places: Mapping[int, Place]) -> dict[str, Range]:
    found: dict[str, Range] = {}
    for offset, _, t in shape.runs:
        if offset not in places or t.op != SYMBOL:
            continue
        name, kind = places[offset]
        for box in boxes:
            intervals = signed(box[t.args[0]], kind)  # type: ignore[index]
            low, high = min(a for a, _ in intervals), max(b for _, b in intervals)
            before = found.get(name, (low, high))
            found[name] = min(low, before[0]), max(high, before[1])
    return found


def lines_of(name: str, ranges: Mapping[Where, Range]) -> list[str]:
    whole = min(low for low, _ in ranges.values()), max(high for _, high in ranges.values())
    lines = [f"{name} in {text(whole)}"]
    for process in dict.fromkeys(p for p, _ in ranges):
        own = {line: r for (p, line), r in sorted(ranges.items()) if p == process}
        narrower = {line: r for line, r in own.items() if r != whole}
        if process != "initialisation" and narrower and len(own) > 1:
            lines += [f"{name} in {text(r)} where {process} is at line {line}" for line, r in narrower.items()]
    return lines


def text(r: Range) -> str:
    return str(r[0]) if r[0] == r[1] else f"{r[0]}..{r[1]}"
