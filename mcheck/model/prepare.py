"""Makes what the engine must know of a program: generates its text, describes its block and actions, adds time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from lfc.actions.model.machine import Machine, PropertyMachine
from lfc.codegen.module.passed_blocks import fair_choices, numbered_blocks
from lfc.codegen.program import generate
from lfc.mcheck.model.ages import find_ages
from lfc.mcheck.model.clocks import add_time, is_outside
from lfc.mcheck.model.description import Component
from lfc.mcheck.model.kept_model import Prepared
from lfc.mcheck.model.state_vector import describe, wait_for_ever
from lfc.mcheck.request.world import Inputs, World
from lfc.run.native import host_target
from lfc.semantics.model import typed


def prepare(
    machine: Machine, world: World, atoms: Sequence[typed.Expr], watchers: Sequence[PropertyMachine]
) -> Prepared:
    tells = not atoms and not watchers  # what looks at states that are not executed must tell nobody
    target = replace(host_target(), explores=True, notes_blocks=True, tells_accesses=tells)
    target = replace(target, splits_inputs=world.inputs == Inputs.SPLIT and machine.environment is None)
    generated = generate(machine, target, atoms=atoms, watchers=watchers)
    d = describe(machine, tells)
    if world.open_messages:
        wait_for_ever(machine, d, world.open_messages)
    reads = generated.properties_read_clock
    measured = max((a.milliseconds for a in atoms if isinstance(a, typed.TimerAtom)), default=None)
    timing = add_time(
        machine, d, world.time, world.clock_wrap, reads, lambda: find_ages(machine, d, atoms, watchers), measured
    )
    if world.rate:
        d.components.append(Component([], "rate", -1, "rate", apart=4))
    outside = is_outside(machine, d, timing.outside)
    picks = sum(len(c.branches) * machine.slots for c in fair_choices(machine))
    blocks = len(numbered_blocks(machine)) + picks
    return Prepared(generated, d, timing, blocks, machine.block_size, outside, picks)
