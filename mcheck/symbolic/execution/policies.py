"""The policies of a search over undetermined data: each decision splits the path, each input is a new symbol with all
values that it may have.
"""

from __future__ import annotations

from collections.abc import Sequence

from lfc.mcheck.model.input_ranges import PortRange
from lfc.mcheck.symbolic.execution.decode import Pointer
from lfc.mcheck.symbolic.execution.execute import Ended, FaultEnd, Interpreter, Policy
from lfc.mcheck.symbolic.execution.paths import Path, Split
from lfc.mcheck.symbolic.values import value_sets as sets
from lfc.mcheck.symbolic.values.terms import Term, operation, symbol
from lfc.mcheck.symbolic.values.value_sets import ValueSet

DECISION = -1  # in a split: which alternative is taken
CLOCK_READ = 1  # as `doubts` has it


def policies(assume: Sequence[PortRange], wide: bool, characters: Sequence[int] | None = None) -> dict[str, Policy]:
    found: dict[str, Policy] = {f"@lf_policy_{name}": nothing for name in IGNORED}
    found |= {
        "@lf_fault": fault,
        "@lf_policy_alternative": alternative,
        "@lf_policy_meet": meet_wide if wide else meet,
        "@lf_policy_choice": choice,
        "@lf_policy_clock": clock,
        "@lf_policy_console_in": console(sets.full(8) if characters is None else sets.of_values(characters)),
    }
    for bits in (8, 16, 32):
        found[f"@lf_policy_in{bits}"] = port(bits, assume)
        found[f"@lf_policy_any{bits}"] = anything(bits)
    return found


IGNORED = (
    "out8 out16 out32 console_out spin waits leaves sleeps created ended channel raises access tell tell_all".split()
)


def nothing(_: Interpreter, path: Path, x: list[object]) -> object:
    return None


def fault(_: Interpreter, path: Path, x: list[object]) -> object:
    raise Ended(FaultEnd(path.number(x[1]), path.number(x[2])))


def decide(path: Path, count: int) -> int:
    if path.decided is None and count > 1:
        raise Split([{DECISION: sets.single(i)} for i in range(count)])
    taken, path.decided = path.decided or 0, None
    return taken


def alternative(_: Interpreter, path: Path, x: list[object]) -> object:
    path.alternatives.append((path.number(x[2]), path.number(x[3]), path.number(x[4])))
    return None


def meet(machine: Interpreter, path: Path, x: list[object]) -> object:
    return taken(machine, path, x[1], (2, 3, 4), 1)


def meet_wide(machine: Interpreter, path: Path, x: list[object]) -> object:
    return taken(machine, path, x[1], (4, 6, 8), 2)


def taken(machine: Interpreter, path: Path, meeting: object, places: tuple[int, int, int], slot_bytes: int) -> int:
    """Which alternative; its parts lie at these places of the meeting."""
    if not path.alternatives:
        return 0
    own, partner, theirs = path.alternatives[decide(path, len(path.alternatives))]
    path.alternatives = []
    assert isinstance(meeting, Pointer) and isinstance(meeting.offset, int)
    for place, v, size in zip(places, (own, partner, theirs), (1, slot_bytes, 1), strict=True):
        machine.store(path, Pointer(meeting.place, meeting.offset + place), v, size)
    nobody = (1 << 8 * slot_bytes) - 1
    path.items.append(("take", own) if partner == nobody else ("meet", own, partner, theirs))
    return 1


def choice(_: Interpreter, path: Path, x: list[object]) -> object:
    i = decide(path, path.number(x[1]))
    path.items.append(("choice", i))
    return i


def new_symbol(path: Path, width: int, values: ValueSet) -> Term:
    number = 1 + max(path.box, default=-1)
    path.box[number], path.widths[number] = values, width
    return symbol(number, width)


def port(bits: int, assume: Sequence[PortRange]) -> Policy:
    def read(_: Interpreter, path: Path, x: list[object]) -> object:
        address = path.number(x[1])
        values = sets.full(bits)
        for r in assume:
            if r.width == bits and r.address == address:
                values = around(r.low, r.high, bits)
        v = new_symbol(path, bits, values)
        path.items.append((f"in{bits}", v))
        return v

    return read


def anything(bits: int) -> Policy:
    def read(_: Interpreter, path: Path, x: list[object]) -> object:
        low, high = path.number(x[2]), path.number(x[3])
        values = around(low, high, bits)
        v = new_symbol(path, bits, values)
        path.items.append((f"in{bits}", v))
        return v

    return read


def clock(_: Interpreter, path: Path, x: list[object]) -> object:
    path.assumed |= CLOCK_READ
    path.items.append(("clock", 0))
    return 0


def console(values: ValueSet) -> Policy:
    def read(_: Interpreter, path: Path, x: list[object]) -> object:
        v = new_symbol(path, 8, values)
        path.items.append(("read", v))
        return operation("zext", 16, 8, v)

    return read


def around(low: int, high: int, bits: int) -> ValueSet:
    """From the one to the other, past the greatest number if they have signs."""
    return sets.interval(low, high) or sets.union(sets.interval(low, (1 << bits) - 1), sets.interval(0, high))
