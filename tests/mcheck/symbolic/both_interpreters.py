"""The interpreter in the engine and its second opinion, the one in Python: all ends and normal forms of each step of a
search are compared, not only how many there are.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from lfc.actions.model.machine import Machine
from lfc.mcheck.reduction.dead_variables.dead_variables import Reset
from lfc.mcheck.request.request import Request
from lfc.mcheck.symbolic.engine_steps import Step
from lfc.mcheck.symbolic.events import Event
from lfc.mcheck.symbolic.execution.decode import NotDecoded
from lfc.mcheck.symbolic.execution.paths import Path
from lfc.mcheck.symbolic.explore import Exploration, Limits, SymbolicProgram
from lfc.mcheck.symbolic.normal_form import Box, Normal, Shape
from lfc.mcheck.symbolic.values.preimages import TooMany

SECONDS = 20.0


class Differs(Exception):
    pass


@dataclass(slots=True)
class Compared:
    steps: int = 0
    ends: int = 0
    by_engine: int = 0  # ends whose normal form is the engine's
    refused: list[str] = field(default_factory=list)


def of_path(path: Path) -> object:
    """What a path has come by."""
    return path.box, path.widths, path.items, path.assumed, path.known, path.wide


def of_normal(n: Normal) -> object:
    return id(n.shape), n.shape.dead, n.box, n.was, of_path(n.path)


def told(steps: Iterable[Step]) -> list[object]:
    """All there is to compare; what ends it, too."""
    found: list[object] = []
    try:
        for end, normals in steps:
            own = [of_normal(n) for n in normals]
            fault = None if end.fault is None else (end.fault.kind, end.fault.site, end.block)
            found.append((fault, of_path(end.path), end.path.steps, own))
    except (TooMany, NotDecoded) as why:
        found.append(f"{type(why).__name__}: {why}")
    return found


class Both(SymbolicProgram):
    """A program whose steps are those of the engine, each compared."""

    compared: Compared

    def steps(self, shape: Shape, box: Box, event: Event) -> Iterable[Step]:
        """The search keeps paths as they are, so each opinion has its own."""
        self.in_engine = False
        expected = told(super().steps(shape, box, event))
        self.in_engine = True
        c = self.compared
        try:
            given = list(super().steps(shape, box, event))
        except (TooMany, NotDecoded) as why:
            if expected[-1:] != [f"{type(why).__name__}: {why}"]:
                raise Differs(f"{event}: {why} in place of {expected}") from None
            raise
        c.steps += 1
        c.ends += len(given)
        c.by_engine += sum(isinstance(normals, tuple) and end.fault is None for end, normals in given)
        kept = [(end, normals if isinstance(normals, tuple) else tuple(normals)) for end, normals in given]
        found = told(kept)
        if found != expected:
            raise Differs(f"{event} in {shape.explicit.hex()} {box}:\n{found}\nin place of\n{expected}")
        return kept


def compare_search(machine: Machine, request: Request, limits: Limits) -> Compared:
    """Raises Differs."""
    program = Both(machine, request.world, Reset(machine).places)
    program.compared = Compared()
    try:
        Exploration(program, limits).run()
    except (TooMany, NotDecoded) as why:
        program.compared.refused.append(f"{type(why).__name__}: {why}")
    return program.compared
