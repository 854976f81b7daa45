"""What the engine must know of a program, and the names of its code: made of the machine, or taken from behind it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

from lfc.actions.kept_machine import keep_behind, taken_behind
from lfc.base.lazy_dataclass import dataclass
from lfc.codegen.module.generated import Generated

if TYPE_CHECKING:
    from lfc.actions.model.machine import Machine, PropertyMachine
    from lfc.mcheck.model.description import Description, Timing
    from lfc.mcheck.request.world import World
    from lfc.semantics.model import typed

STAGE = "checked in "


@dataclass(slots=True)
class Prepared:
    generated: Generated
    description: Description
    timing: Timing
    blocks: int  # of the flow graphs of program and environment
    room: int  # of a state block; the clock lies behind it
    outside: list[bool]  # by component


def model_stage(world: World) -> str:
    return STAGE + repr(sorted((name, repr(x)) for name, x in asdict(world).items()))


def prepared(
    machine: Machine, world: World, atoms: Sequence[typed.Expr] = (), watchers: Sequence[PropertyMachine] = ()
) -> Prepared:
    """Raises ClockNotKept and TooManySleepers."""
    asked = bool(atoms or watchers)
    if not asked:
        parts = taken_behind(machine, model_stage(world))
        if parts is not None:
            text, sites, policies, reads, description, timing, blocks, room, outside = parts
            generated = Generated(text, sites, policies, machine, reads, None)
            return Prepared(generated, description, timing, blocks, room, outside)
    from lfc.mcheck.model.prepare import prepare

    made = prepare(machine, world, atoms, watchers)
    if not asked and machine.kept is not None and machine.kept.stage == model_stage(world):
        g = made.generated
        of_text = g.ir, g.sites, g.policies, g.properties_read_clock
        keep_behind(machine, (*of_text, made.description, made.timing, made.blocks, made.room, made.outside))
    return made
