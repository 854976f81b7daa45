"""A board that runs freely, beside the host: each step is done here too, compared, and judged by the properties."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from lfc.boards.emulators.line import LineEnded
from lfc.boards.emulators.quiet import positions_of
from lfc.codegen.module.generated import FaultSite
from lfc.hil.host_side import Difference, HostSide
from lfc.hil.session import BoardStep, Faulted, Idle, SessionError
from lfc.observe.judge import Judge, Outlook
from lfc.observe.listen import Began, Event, Found, Listener, Lost
from lfc.observe.properties import Watched
from lfc.run.report import who_waits
from lfc.run.running import Fault
from lfc.run.steps import StepPrinter
from lfc.trace.items import Item

LOOK = 0.25  # seconds between two looks at the limits while nothing comes


@dataclass(slots=True)
class Conduct:
    """How long, and who is told what. `on_begin`: a run begins, or what was before is not known (False)."""

    most_steps: int | None = None
    seconds: float | None = None
    led_there: int = 20  # steps that are told of a violation
    on_output: Callable[[bytes], None] | None = None
    on_begin: Callable[[bool], None] | None = None
    on_step: Callable[[list[Item]], None] | None = None
    tell: Callable[[str], None] | None = None  # what is lost, and what comes back


@dataclass(slots=True)
class Observation:
    """`verdict`: nothing seen, violated, fault, differs, deadlock, ended, lost, silent."""

    verdict: str
    steps: int  # that were seen, since the beginning or since the board was found
    begins: int  # how often the program has begun
    gaps: int  # how often some of it was lost
    whole: bool  # the run was seen from its beginning
    violated: list[Judge] = field(default_factory=list)
    met: list[Judge] = field(default_factory=list)
    led_there: list[str] = field(default_factory=list)
    difference: Difference | None = None
    fault: Fault | None = None
    reason: str = ""


class Watch:
    def __init__(self, host: HostSide, sites: Sequence[FaultSite], watched: Watched, conduct: Conduct) -> None:
        self.host, self.sites, self.watched, self.conduct = host, sites, watched, conduct
        self.first = host.block
        self.positions = positions_of(host.machine, 0)
        self.lines: deque[str] = deque(maxlen=conduct.led_there)
        self.printer = StepPrinter(host.machine, self.first)
        self.all_steps = self.begins = self.gaps = 0
        self.whole = False
        self.heard = False
        self.met: list[Judge] = []

    def go(self, listener: Listener) -> Observation:
        """Until something is violated, the run or the time has ended. KeyboardInterrupt ends it too."""
        start = time.monotonic()
        try:
            while True:
                if self.conduct.most_steps is not None and self.all_steps >= self.conduct.most_steps:
                    return self.result("nothing seen")
                if self.conduct.seconds is not None and time.monotonic() - start > self.conduct.seconds:
                    return self.result("nothing seen" if self.heard else "silent")
                event = listener.next(LOOK)
                found = None if event is None else self.take(event)
                if found is not None:
                    return found
        except KeyboardInterrupt:
            return self.result("nothing seen" if self.heard else "silent")
        except (SessionError, LineEnded) as error:
            return self.result("lost", reason=str(error))

    def take(self, event: Event) -> Observation | None:
        match event:
            case Began():
                return self.begin()
            case Lost():
                self.gaps += 1
                self.tell(f"{event.why}: asking for the board's state")
            case Found():
                self.find(event.block)
            case BoardStep():
                return self.step(event)
            case Faulted():
                return self.fault(event)
            case Idle():
                return self.idle()
        return None

    def begin(self) -> Observation | None:
        if self.begins or self.heard:
            self.tell(f"the board has begun anew, after {self.printer.number} steps")
        self.begins += 1
        self.start_with(self.first, True)
        return self.decided(self.watched.begin())

    def find(self, block: bytes) -> None:
        self.tell("found the board's state; what was before is not known")
        self.start_with(block, False)
        self.watched.be_anywhere()

    def start_with(self, block: bytes, whole: bool) -> None:
        self.heard, self.whole = True, whole
        self.host.run.block = block
        self.host.steps = 0
        self.printer = StepPrinter(self.host.machine, block)
        self.lines.clear()
        if self.conduct.on_begin is not None:
            self.conduct.on_begin(whole)

    def step(self, event: BoardStep) -> Observation | None:
        before = self.host.block
        self.all_steps += 1
        self.output(event.items)
        difference = self.host.take_step(event.items, event.digest, not_read)
        if difference is not None:
            return self.result("differs", difference=difference)
        after = self.host.block
        if self.conduct.on_step is not None:
            self.conduct.on_step([*event.items, Item("digest", (event.digest,))])
        self.lines.append(self.printer.step(list(event.items), after))
        return self.decided(self.watched.step(before, event.items, after))

    def decided(self, judges: list[Judge]) -> Observation | None:
        self.met += [j for j in judges if j.outlook is Outlook.MET]
        violated = [j for j in judges if j.outlook is Outlook.VIOLATED]
        return self.result("violated", violated=violated) if violated else None

    def fault(self, event: Faulted) -> Observation:
        self.output(event.items)
        site = self.sites[event.site] if event.site < len(self.sites) else None
        told = Fault(event.kind, event.site, event.first, event.second)
        difference = self.host.take_fault(event.items, site, told)
        if difference is not None:
            return self.result("differs", difference=difference)
        self.lines.append(self.printer.last_step(list(event.items), "faults"))
        if self.conduct.on_step is not None:
            own = self.host.run.fault
            self.conduct.on_step([*event.items, Item("fault", (own.kind, own.site, own.first, own.second))])
        return self.result("fault", fault=self.host.run.fault)

    def idle(self) -> Observation | None:
        """Whether that is for ever. Who waits for the console may still be typed to."""
        if not self.positions.is_quiet(self.host.block, False):
            return None
        found = self.decided(self.watched.end(self.host.block))
        if found is not None:
            return found
        waiting = who_waits(self.host.machine, self.host.block)
        return self.result("deadlock" if waiting.processes and not waiting.only_servers else "ended")

    def output(self, items: tuple[Item, ...]) -> None:
        text = bytes(item.operands[0] or 0 for item in items if item.name == "write")
        if text and self.conduct.on_output is not None:
            self.conduct.on_output(text)

    def tell(self, text: str) -> None:
        if self.conduct.tell is not None:
            self.conduct.tell(text)

    def result(
        self,
        verdict: str,
        violated: list[Judge] | None = None,
        difference: Difference | None = None,
        fault: Fault | None = None,
        reason: str = "",
    ) -> Observation:
        led = list(self.lines) if verdict in ("violated", "fault", "deadlock", "differs") else []
        if led and self.printer.number > len(led):
            led.insert(0, f"   ...  {self.printer.number - len(led)} steps before")
        counts = self.all_steps, self.begins, self.gaps, self.whole
        return Observation(verdict, *counts, violated or [], self.met, led, difference, fault, reason)


def not_read() -> tuple[bytes, list[tuple[Item, ...]]]:
    raise SessionError("lost", "it runs on")
