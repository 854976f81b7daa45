"""Which parts of the module variables an execution accesses, for the checker: each access tells the number of its part.

Told are variables that are only accessed by their names: none that stands behind a formal, a register, or a place
that is kept from one action to another, nor a port that the kernel may look at (all but those whose channel is
known). Parts of an array are one or some of its elements each; other variables are one part, or cut by bytes, and
told as a whole.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from lfc.actions.analysis.places import Passed
from lfc.semantics.model.types import ArrayType, is_port, size_and_alignment
from lfc.semantics.model.visit import root_variable

if TYPE_CHECKING:
    from lfc.actions.model.machine import Machine
    from lfc.semantics.model.typed import Variable

MOST_VARIABLES = 512  # if there are more, none is told
MOST_CUT = 16  # variables; the rest stay whole
MOST_PARTS = 16  # of an array
PIECE = 8  # bytes of a part of what is no array


@dataclass(frozen=True, slots=True)
class ToldVariable:
    """`step` bytes are a part; the first part has number `first`."""

    variable: Variable
    first: int
    parts: int
    step: int

    @property
    def elements(self) -> int:
        """Of each part; 0: it is told as a whole."""
        t = self.variable.type
        return self.step // size_and_alignment(t.element)[0] if isinstance(t, ArrayType) else 0


class Tellings:
    """What a machine's executions tell."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine

    @cached_property
    def variables(self) -> dict[Variable, ToldVariable]:
        machine = self._machine
        all_of_them = list(machine.layout.variables)
        if machine.environment is not None or len(all_of_them) > MOST_VARIABLES:
            return {}
        kept = kept_places(machine)
        ports = {v for v in all_of_them if is_port(v.type) and v not in machine.constant_ports}
        chosen = [v for v in all_of_them if not (v.outside or v in ports or v in kept)]
        cut = set(sorted((v for v in chosen if step_of(v) < size_of(v)), key=lambda v: -size_of(v))[:MOST_CUT])
        found: dict[Variable, ToldVariable] = {}
        first = 0
        for v in chosen:
            step = step_of(v) if v in cut else size_of(v)
            found[v] = ToldVariable(v, first, -(-size_of(v) // step), step)
            first += found[v].parts
        return found


def size_of(v: Variable) -> int:
    return max(1, size_and_alignment(v.type)[0])


def step_of(v: Variable) -> int:
    t = v.type
    if not isinstance(t, ArrayType):
        return PIECE
    element = max(1, size_and_alignment(t.element)[0])
    return element * max(1, -(-t.length // MOST_PARTS))


def kept_places(machine: Machine) -> set[Variable]:
    """Variables of which a place may be kept: behind a formal, or as where a value is received some day."""
    bodies = machine.all_bodies()
    found: set[Variable] = set()
    for formal, standing in Passed(bodies).variables.items():
        if any(b.process is formal.owner and b.has_positions for b in bodies):  # an ordinary function is over at once
            found |= standing
    for body in bodies:
        for point in body.points:
            for clause in point.clauses:
                for target in clause.targets:
                    root = root_variable(target.target.designator) if target.target.designator is not None else None
                    if target.offset is not None and root is not None:
                        found.add(root)
    return found


DECLARATIONS = """\
declare void @lf_policy_tell(ptr, i16 zeroext)
declare void @lf_policy_tell_all(ptr, i16 zeroext, i16 zeroext)
"""
