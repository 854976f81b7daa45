"""The states that symmetry keeps are, as the program goes to them, one of each kind that the full search finds.

    nice python -m tests.campaign.reduction.kept_states --count 500 --seed 1

Programs of the recipe `named`. Of what kind a state is: what does not change when slots and names are exchanged. Of
variables of modules and of each process where it is and what it holds; of names only which are the same.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from dataclasses import dataclass, field

from lfc.actions.model.machine import Machine, RecordLayout
from lfc.base.source import Source
from lfc.mcheck.reduction.symmetry.scalarset_flow import Place, offsets_in
from lfc.mcheck.reduction.symmetry.scalarsets import names_of
from lfc.mcheck.request.request import request_from
from lfc.mcheck.search.search import Stop
from lfc.semantics.model.typed import Module, Variable, VariableKind
from tests.differential.stepwise import machine_of_source
from tests.generate.recipes import text_of
from tests.mcheck.reduction.seeded import Fault, seeded
from tests.mcheck.searching import search_with
from tests.support.seeds import count_and_seed

MOST_STATES = 2000
Part = tuple[int, int, int | None]  # offset, size, kind of names


class Kinds:
    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.names = names_of(machine, ())
        variables = machine.layout.variables.items()
        self.shared = [p for v, offset in variables if isinstance(v.owner, Module) for p in self.parts(v, offset)]
        self.own = [(r, self.parts_of(r)) for r in machine.layout.records]

    def parts(self, v: Variable, offset: int) -> list[Part]:
        if v.kind is VariableKind.VAR:
            return []
        return [
            (offset + at, size, self.names.kind_of.get(Place(v, fields=way))) for way, at, size in offsets_in(v.type)
        ]

    def parts_of(self, r: RecordLayout) -> list[Part]:
        variables = {} if r.body.frame is None else r.body.frame.variables
        return [p for v, offset in variables.items() for p in self.parts(v, r.offset + r.frame0 + offset)]

    def kind(self, block: bytes) -> object:
        shared: dict[tuple[int, int], int] = {}  # names, as they come
        variables = [self.value(block, p, 0, shared, shared) for p in self.shared]
        processes = []
        for r, parts in self.own:
            for i in range(r.slots):
                position = self.machine.position_at(block, r.first_slot + i)
                if position is not None:
                    mine: dict[tuple[int, int], int] = {}
                    held = [self.value(block, p, i * r.stride, shared, mine) for p in parts]
                    processes.append((position.number, tuple(held)))
        return tuple(variables), tuple(sorted(processes))

    def value(
        self,
        block: bytes,
        part: Part,
        further: int,
        shared: dict[tuple[int, int], int],
        mine: dict[tuple[int, int], int],
    ) -> tuple[str, int]:
        offset, size, kind = part
        number = int.from_bytes(block[offset + further : offset + further + size], "little")
        if kind is None or number not in self.names.exchanged[kind]:
            return "number", number
        if (kind, number) in shared:
            return "shared", shared[kind, number]
        return "own" if mine is not shared else "shared", mine.setdefault((kind, number), len(mine))


@dataclass(slots=True)
class Result:
    compared: int = 0
    too_large: int = 0
    states: int = 0
    kept: int = 0
    failures: list[int] = field(default_factory=list)

    def __str__(self) -> str:
        counts = (
            f"{self.compared} compared ({self.too_large} too large): {self.kept:,} of {self.states:,} states are kept"
        )
        return f"{counts}; {len(self.failures)} failures: {self.failures}"


def kinds_of(machine: Machine, symmetry: bool, fault: Fault | None = None) -> tuple[int, set[object]] | None:
    """And how many states. None: too many."""
    limits = request_from(keep_going=True, states=MOST_STATES, reductions=("sym",) * symmetry)
    with seeded(fault):
        search = search_with(machine, limits)
    kinds = Kinds(machine)
    try:
        if search.run() is not Stop.COMPLETE:
            return None
        count: int = search.statistics.states
        if not symmetry:
            return count, {kinds.kind(block) for block in search.all_blocks()}
        return count, {kinds.kind(search.blocks_to(state)[-1]) for state in range(count)}
    finally:
        search.close()


def is_same(machine: Machine, result: Result, fault: Fault | None = None) -> bool:
    full = kinds_of(machine, False)
    if full is None:
        result.too_large += 1
        return True
    try:
        kept = kinds_of(machine, True, fault)
    except RuntimeError:  # there is no such way in the program
        return False
    result.compared += 1
    result.states += full[0]
    result.kept += 0 if kept is None else kept[0]
    return kept is not None and kept[1] == full[1]


def campaign(seeds: Iterable[int], fault: Fault | None = None) -> Result:
    result = Result()
    for seed in seeds:
        if not is_same(machine_of_source(Source("Program.lf", text_of("named", seed))), result, fault):
            result.failures.append(seed)
    return result


def main() -> None:
    options = count_and_seed(__doc__, 500)
    first = options.seed * 1_000_000
    result = campaign(range(first, first + options.count))
    print(result)
    sys.exit(1 if result.failures or result.kept * 10 > 9 * result.states else 0)


if __name__ == "__main__":
    main()
