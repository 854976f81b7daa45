"""The second opinion on the interpreter: the compiled program. On concrete blocks both must do the same: each end of a
path is replayed, and each thing that the compiled action does is found among the ends.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

from lfc.actions.model.machine import Machine
from lfc.mcheck.request.world import World
from lfc.mcheck.symbolic.concrete import block_of, step_of
from lfc.mcheck.symbolic.events import SLEEP, Event
from lfc.mcheck.symbolic.execution.execute import ActionEnd
from lfc.mcheck.symbolic.explore import SymbolicProgram
from lfc.mcheck.symbolic.values import value_sets as sets
from lfc.run.events import actions_of, other_events, ready_slots
from lfc.run.running import Fault, HostRun, Status
from lfc.trace.items import Item, encode

INPUTS = ("in8", "in16", "in32", "read")
MOST_READ = 6  # values that one action is given


class Differs(Exception):
    pass


class Compared:
    def __init__(self, machine: Machine, seed: int = 1) -> None:
        self.machine = machine
        self.program = SymbolicProgram(machine, World(), lambda block: ())
        self.run = HostRun(self.program.generated_to_run(), 1)
        self.random = random.Random(seed)
        self.ends = self.events = 0

    def walk(self, steps: int) -> None:
        """Along one way, by chance; all that can happen on it is compared. Raises Differs."""
        block = HostRun(self.run.generated, 1).block
        for _ in range(steps):
            following = list(self.compare(block))
            if not following:
                return
            block = self.random.choice(following)

    def compare(self, block: bytes) -> Iterator[bytes]:
        """Gives what may come next."""
        for slot in ready_slots(self.machine, block):
            found = self.ends_of(block, Event("run", slot))
            given = self.given(found)
            for end in found:
                yield from self.replayed(block, Event("run", slot), end)
            for event in actions_of(self.run, block, slot, given):
                self.events += 1
                if self.program.assume.texts:
                    continue  # the machine gives what is assumed not to come
                if not any(
                    self.is_same(end, Event("run", slot), event.items, event.block, event.fault) for end in found
                ):
                    raise Differs(f"slot {slot}: nothing is like {event.items} to {event.block.hex()} {event.fault}")
        for event in other_events(self.run, block):
            head = event.items[0]
            if head.name == "wake":
                who, clause = head.operands
                of = Event("wake", who or 0, SLEEP if clause is None else clause)
            elif head.name == "interrupt":
                of = Event("interrupt", self.machine.layout.interrupts.index(head.operands[0] or 0))
            else:
                continue
            self.events += 1
            if not any(self.is_same(end, of, event.items, event.block, event.fault) for end in self.ends_of(block, of)):
                raise Differs(f"{of}: nothing is like {event.items}")
            yield event.block

    def given(self, found: list[ActionEnd]) -> list[int]:
        """What the action reads: of C and NONATOMIC variables, values of their types."""
        if "@lf_policy_any" in self.program.generated.ir and found:
            boxes = [end.path.box for end in found if end.path.box]
            box = self.random.choice(boxes) if boxes else {}
            return [self.random.choice((v[0][0], v[-1][1])) for _, v in sorted(box.items())]
        return [self.random.choice((0, 1, 127, 128, 255, 1000, 65535)) for _ in range(MOST_READ)]

    def ends_of(self, block: bytes, event: Event) -> list[ActionEnd]:
        name, arguments = self.program.call(event)
        found = self.program.interpreter.ends(name, arguments, block, {}, {})
        self.ends += len(found)
        return found

    def replayed(self, block: bytes, event: Event, end: ActionEnd) -> Iterator[bytes]:
        values = {n: self.random.choice((v[0][0], v[-1][1])) for n, v in end.path.box.items()}
        items = step_of(event, end.path, values, self.machine)
        self.run.block = block
        self.run.follow(encode(items, self.run.wide))
        status = self.run.step()
        if end.fault is not None:
            fault = self.run.fault
            if status is not Status.FAULT or (fault.kind, fault.site) != (end.fault.kind, end.fault.site):
                raise Differs(f"{items}: no fault {end.fault}: {status} {fault}")
            return
        after = block_of(end.block, values)
        if status is not Status.RAN or self.run.block != after:
            raise Differs(f"{items}: {status}, {self.run.block.hex()} in place of {after.hex()}")
        yield after

    def is_same(self, end: ActionEnd, event: Event, items: list[Item], after: bytes, fault: Fault | None) -> bool:
        """Whether the path stands for this, too."""
        if (end.fault is None) != (fault is None):
            return False
        if end.fault is not None and fault is not None and (end.fault.kind, end.fault.site) != (fault.kind, fault.site):
            return False
        own = [i for i in items if not i.is_output]
        read = [i.operands[0] or 0 for i in own if i.name in INPUTS]
        numbers = sorted(end.path.box)
        if len(read) != len(numbers):
            return False
        values = dict(zip(numbers, read, strict=True))
        if any(not sets.contains(end.path.box[n], v) for n, v in values.items()):
            return False
        if step_of(event, end.path, values, self.machine) != own:
            return False
        return end.fault is not None or block_of(end.block, values) == after
