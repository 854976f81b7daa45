"""A run of a program on the host from start to end: console, clock, limits, trace.

The session never prints by itself: output goes to what the caller gives it.
"""

from __future__ import annotations

import os
import select
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum

from lfc.run.report import waits_for_console
from lfc.run.running import HostRun, Mode, Status
from lfc.trace.items import Item, decode

CHUNK = 20_000  # steps between two looks at clock and console
READ = 4096


class End(Enum):
    ENDED = "ended"
    BLOCKED = "blocked"
    FAULT = "fault"
    LIMIT = "limit"  # --max-actions
    INPUT_ENDED = "input ended"
    NO_INTERRUPT = "no interrupt"  # only an interrupt could go on, and there are none here
    DIVERGED = "diverged"
    FINISHED = "finished"  # the schedule is used up
    INTERRUPTED = "interrupted"


@dataclass(slots=True)
class Console:
    """Where output goes, and the file descriptor that input comes from (None: there is none)."""

    write: Callable[[bytes], None]
    input: int | None = None
    ended: bool = False


@dataclass(slots=True)
class Session:
    run: HostRun
    console: Console
    virtual_clock: bool = False
    most_steps: int | None = None
    on_step: Callable[[list[Item]], None] | None = None  # after each step, with its items
    steps: int = 0
    started: float = field(default_factory=time.monotonic)

    def go(self) -> End:
        try:
            return self._go()
        except KeyboardInterrupt:
            return End.INTERRUPTED
        finally:
            self.console.write(self.run.take_output())

    def _go(self) -> End:
        while True:
            self._set_clock()
            left = None if self.most_steps is None else self.most_steps - self.steps
            if left is not None and left <= 0:
                return End.LIMIT
            status = self._some_steps(CHUNK if left is None else min(left, CHUNK))
            output = self.run.take_output()
            if output:
                self.console.write(output)
            if status is Status.RAN:
                continue
            if status is Status.WAITING:
                end = self._wait()
                if end is not None:
                    return end
                continue
            return {
                Status.ENDED: End.ENDED,
                Status.BLOCKED: End.BLOCKED,
                Status.FAULT: End.FAULT,
                Status.DIVERGED: End.DIVERGED,
                Status.FINISHED: End.FINISHED,
            }[status]

    def _some_steps(self, most: int) -> Status:
        if self.on_step is None:
            before = self.run.host.steps
            _, status = self.run.run(most)
            self.steps += self.run.host.steps - before
            return status
        status = self.run.step()
        if status in (Status.RAN, Status.FAULT):
            self.steps += 1
            self.on_step(list(decode(self.run.items, self.run.wide)))
        return status

    def _set_clock(self) -> None:
        if not self.virtual_clock and self.run.host.mode != Mode.FOLLOW:
            self.run.host.now = int((time.monotonic() - self.started) * 1000) & 0xFFFFFFFF

    def _wait(self) -> End | None:
        """Nobody is ready: until a sleeper wakes or input comes."""
        reading = waits_for_console(self.run.generated.machine, self.run.block)
        wake = self.run.next_wake()
        if reading and not self.console.ended and self.console.input is not None:
            self._read_input(wake)
            return None
        if wake is not None:
            self._sleep_until(wake)
            return None
        return End.INPUT_ENDED if reading else End.NO_INTERRUPT

    def _remaining(self, wake: int) -> float:
        now: int = self.run.host.now
        return ((wake - now + 0x80000000) % 0x100000000 - 0x80000000) / 1000

    def _sleep_until(self, wake: int) -> None:
        if self.virtual_clock:
            self.run.host.now = wake
        else:
            time.sleep(max(0.0, self._remaining(wake)))

    def _read_input(self, wake: int | None) -> None:
        assert self.console.input is not None
        timeout = None if wake is None else max(0.0, self._remaining(wake))
        if self.virtual_clock and wake is not None:
            timeout = 0.0
        there, _, _ = select.select([self.console.input], [], [], timeout)
        if there:
            data = os.read(self.console.input, READ)
            if data:
                self.run.feed(data)
            else:
                self.console.ended = True
        elif self.virtual_clock and wake is not None:
            self.run.host.now = wake
