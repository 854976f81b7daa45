"""Going on, forwards and backwards, until there is a reason to stop."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from lfc.debugger.breakpoints import Breakpoints, actor_of
from lfc.debugger.properties import Properties, properties_of
from lfc.debugger.stops import BoardStops, Interrupted, Stop, stop_of_status
from lfc.run.events import Event
from lfc.run.names import live_processes
from lfc.run.report import is_deadlock, who_waits
from lfc.run.running import Status
from lfc.run.stepper import Stepper

Enough = Callable[[], bool]
TRACE_ENDS = "the trace ends here; from here on the scheduler decides"
TRACE_ENDS_IN_DEADLOCK = "the trace ends here, in a deadlock: every process waits for another"


def never() -> bool:
    return False


def at_once() -> bool:
    return True


@dataclass(slots=True)
class Driver:
    """`write` takes what the program says; `interrupted` is asked after each step; `watches`: the properties."""

    stepper: Stepper
    write: Callable[[bytes], None]
    interrupted: Callable[[], bool] = never
    breakpoints: Breakpoints = field(default_factory=Breakpoints)
    watches: bool = True
    properties: Properties = field(default_factory=Properties)

    def __post_init__(self) -> None:
        self.stepper.interrupted = self.interrupted
        if self.watches:
            self.properties = properties_of(self.stepper.machine)

    def forwards(self, enough: Enough) -> Stop:
        return self._moved(lambda: self._forwards(enough))

    def take(self, event: Event) -> Stop:
        return self._moved(lambda: self.after_step(*self.stepper.take(event)) or Stop("step", slot=self.actor()))

    def backwards(self, enough: Enough) -> Stop:
        return self._moved(lambda: self._backwards(enough))

    def moved(self) -> Stop:
        """By `Stepper.go_to`."""
        return self._moved(lambda: Stop("goto", slot=self.actor()))

    def _moved(self, motion: Callable[[], Stop]) -> Stop:
        """A board beside the host comes along, or says why not."""
        try:
            stop = motion()
            self.stepper.settle()
        except BoardStops as e:
            return Stop("exception", e.text, self.actor(), e.exception, e.details, last=True)
        except Interrupted:
            return Stop("pause", slot=self.actor())
        return stop

    def _forwards(self, enough: Enough) -> Stop:
        s = self.stepper
        while True:
            if s.fault is not None:
                return self.told_fault()
            if (stop := self.after_step(*s.forward())) is not None:
                return stop
            if enough():
                return Stop("step", slot=self.actor())
            if s.at == s.trace_end:
                return self.end_of_trace()
            if self.interrupted():
                return Stop("pause", slot=self.actor())

    def end_of_trace(self) -> Stop:
        machine, block = self.stepper.machine, self.stepper.block
        if not is_deadlock(machine, block):
            return Stop("pause", TRACE_ENDS, self.actor())
        return Stop("pause", TRACE_ENDS_IN_DEADLOCK, self.actor(), details=who_waits(machine, block).lines())

    def after_step(self, status: Status, output: bytes) -> Stop | None:
        if output:
            self.write(output)
        if status is Status.FAULT:
            return self.told_fault()
        if status is Status.RAN:
            return self.violation(self.properties.hit(self.stepper)) or self.breakpoints.hit(self.stepper)
        stop = stop_of_status(self.stepper, status)
        at_end = self.properties.hit_at_end(self.stepper) if stop.last and stop.exception in ("", "deadlock") else None
        if at_end is None or not stop.exception:
            return self.violation(at_end) or stop
        stop.details += [at_end.text, *at_end.details]
        return stop

    def violation(self, stop: Stop | None) -> Stop | None:
        """Of a property, by the process whose step it was."""
        if stop is not None:
            stop.slot = self.actor()
            if self.stepper.at == self.stepper.trace_end:
                stop.details.append(TRACE_ENDS)
        return stop

    def told_fault(self) -> Stop:
        stop = stop_of_status(self.stepper, Status.FAULT)
        stop.slot = actor_of_fault(self.stepper)
        return stop

    def _backwards(self, enough: Enough) -> Stop:
        s = self.stepper
        if s.fault is not None:
            s.back()
            if enough():
                return Stop("step", slot=self.actor())
        while s.at:
            stop = self.breakpoints.hit_backwards(s) or self.violation(self.properties.hit_here(s))
            if stop is not None:
                return stop
            if enough():
                return Stop("step", slot=self.actor())
            if self.interrupted():
                return Stop("pause", slot=self.actor())
        return Stop("entry", "the start of the program", slot=self.actor())

    def actor(self) -> int | None:
        """Whose step led here; where that one lives no more, the first that does."""
        s = self.stepper
        live = [p.slot for p in live_processes(s.machine, s.block)]
        slot = actor_of(s.items_at(s.at - 1)) if s.at else None
        return slot if slot in live else live[0] if live else None

    def has_acted(self, slot: int) -> Enough:
        """Its process has done something, or is no more."""
        s = self.stepper

        def enough() -> bool:
            if s.machine.position_at(s.block, slot) is None:
                return True
            items = s.items_at(s.at - 1) if s.at else []
            return any(
                i.is_event and actor_of([i]) == slot or i.name == "meet" and i.operands[1] == slot for i in items
            )

        return enough

    def has_returned(self, slot: int) -> Enough:
        """From the call that it is in; without one, it has ended."""
        s = self.stepper
        depth = depth_of(s, slot)
        return lambda: depth_of(s, slot) < depth


def depth_of(stepper: Stepper, slot: int) -> int:
    return next((len(p.frames) for p in live_processes(stepper.machine, stepper.block) if p.slot == slot), 0)


def actor_of_fault(stepper: Stepper) -> int | None:
    """Whose the step is that faults."""
    return actor_of(stepper.faulting) if stepper.faulting else None
