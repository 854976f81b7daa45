"""What the engine must know of a program, and the names of its code: made of the machine, or taken from behind it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

from lfc.actions.kept_machine import keep_behind, taken_behind
from lfc.base.lazy_dataclass import dataclass
from lfc.codegen.module.generated import FaultSite, Generated, PolicyLayout

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
    picks: int  # of the blocks, the last ones: bytes that say which branch is picked
    plain: Generated | None = None  # the program alone, for this machine; None: not known yet


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
            text, plain, description, timing, blocks, room, outside, picks = parts
            generated = with_machine(text, machine)
            return Prepared(generated, description, timing, blocks, room, outside, picks, with_machine(plain, machine))
    from lfc.mcheck.model.prepare import prepare

    made = prepare(machine, world, atoms, watchers)
    if not asked and machine.kept is not None and machine.kept.stage == model_stage(world):
        made.plain = plain_text(made.generated)
        texts = as_kept(made.generated), as_kept(made.plain)
        keep_behind(machine, (*texts, made.description, made.timing, made.blocks, made.room, made.outside, made.picks))
    return made


def plain_text(generated: Generated) -> Generated:
    """Without what only the checker asks for."""
    from lfc.codegen.program import without_instruments
    from lfc.run.native import host_target

    return without_instruments(generated, host_target())


Texts = tuple[str, list[FaultSite], PolicyLayout, bool]


def as_kept(generated: Generated) -> Texts:
    return generated.ir, generated.sites, generated.policies, generated.properties_read_clock


def with_machine(kept: Texts, machine: Machine) -> Generated:
    text, sites, policies, reads_clock = kept
    return Generated(text, sites, policies, machine, reads_clock, None)
