"""The images of a system's boards in the simulator, side by side with the composition: after each pass of a board's
kernel its memory is read, and what its program shows there must be a step of the composition."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from lfc.actions.model.machine import Machine
from lfc.boards.descriptions.board import Board
from lfc.boards.network import Network
from lfc.boards.serial.console import ConsoleStream, WireFault
from lfc.codegen.module.generated import Generated
from lfc.hil.systems.composition import CannotFollow, Composition, place_of
from lfc.hil.systems.views import Seen, View, differences
from lfc.run.running import Fault

INITIAL = 0  # the slot of the initialisation
MOST_SHOWN = 3  # differences


@dataclass(frozen=True, slots=True)
class Followed:
    """A board, its image, and the modules of its program, by the names that they have in the composition."""

    board: Board
    machine: Machine
    generated: Generated
    elf: bytes
    modules: frozenset[str]


@dataclass(slots=True)
class Watched:
    """`actions`: passes that changed its memory. `steps`: those that changed what its program shows."""

    of: Followed
    view: View
    console: ConsoleStream = field(default_factory=ConsoleStream)
    memory: bytes = b""
    cut: bytes = b""
    seen: Seen = ()
    begun: bool = False
    actions: int = 0
    steps: int = 0


@dataclass(slots=True)
class Following:
    """`verdict`: agrees, differs, fault (of the composition as well), lost (it cannot be followed)."""

    verdict: str
    actions: dict[str, int]
    steps: dict[str, int]
    frames: int
    states: int  # of the composition that were needed
    lines: list[str] = field(default_factory=list)
    fault: tuple[str, WireFault] | None = None


class SystemFollower:
    def __init__(
        self,
        whole: Machine,
        boards: Mapping[str, Followed],
        write: Callable[[str, bytes], None],
        most: int,
        network: Callable[[Mapping[str, tuple[Board, bytes]], Callable[[str, bytes], None]], Network] = Network,
    ) -> None:
        """Raises CannotFollow. `most`: states of the composition."""
        self.watched = {name: Watched(b, View(b.machine, b.modules)) for name, b in boards.items()}
        views = {name: View(whole, b.modules) for name, b in boards.items()}
        self.composition = Composition(whole, views, most)
        self.here = self.composition.first
        self.write = write
        self.network = network({name: (b.board, b.elf) for name, b in boards.items()}, self._said)
        self.most_actions: int | None = None
        self.result: Following | None = None

    def run(self, seconds: float | None, actions: int | None = None) -> Following:
        """For so long in the time of the boards, until so many actions were done, or to the first difference."""
        self.most_actions = actions
        try:
            end = self.network.run(seconds, False, lambda: self.result is not None or self._enough(), self._pass)
        except CannotFollow as why:
            return self._told("lost", [str(why)])
        if self.result is None and end in ("crashed", "halted"):
            name = next(n for n, m in self.network.members.items() if m.end == end)
            return self._told("differs", [f"{name}: the processor stopped"])
        return self.result or self._agreed()

    def _agreed(self) -> Following:
        """Of a board that has not begun nothing was compared."""
        late = [
            f"{name}: it has not come to the end of its initialisation"
            for name, w in self.watched.items()
            if not w.begun
        ]
        return self._told("lost" if late else "agrees", late)

    @property
    def actions(self) -> int:
        return sum(w.actions for w in self.watched.values())

    def _enough(self) -> bool:
        return self.most_actions is not None and self.actions >= self.most_actions

    def _said(self, name: str, data: bytes) -> None:
        watched = self.watched[name]
        shown = watched.console.feed(data)
        if shown:
            self.write(name, shown)
        if watched.console.fault is not None and self.result is None:
            self._fault(name, watched, watched.console.fault)

    def _fault(self, name: str, watched: Watched, fault: WireFault) -> None:
        here = Fault(fault.kind, fault.site, fault.first, fault.second)
        agrees = self.composition.may_fault(self.here, place_of(here, watched.of.generated))
        lines = [] if agrees else [f"{name}: the board faults, the composition does not"]
        self.result = self._told("fault" if agrees else "differs", lines)
        self.result.fault = name, fault

    def _pass(self, name: str) -> None:
        """A pass of this board's kernel begins."""
        if self.result is not None:
            return
        watched = self.watched[name]
        memory = self.network.memory(name)
        if memory == watched.memory:
            return
        watched.actions += bool(watched.memory)
        watched.memory = memory
        block = memory[watched.of.generated.policies.size :]
        cut = watched.view.cut(block)
        if cut == watched.cut and watched.begun:
            return
        watched.cut = cut
        seen = watched.view.seen(block)
        if not watched.begun:
            self._begin(name, watched, block, seen)
        elif seen != watched.seen:
            watched.steps += 1
            self._step(name, watched, seen)

    def _begin(self, name: str, watched: Watched, block: bytes, seen: Seen) -> None:
        if watched.of.machine.position_at(block, INITIAL) is not None:
            return  # its initialisation is still to come
        watched.begun, watched.seen = True, seen
        begins = self.composition.shows(self.here, name)
        if begins != seen:
            self._differs(name, begins, seen, [begins])

    def _step(self, name: str, watched: Watched, seen: Seen) -> None:
        before, watched.seen = watched.seen, seen
        there = self.composition.after(self.here, name, seen)
        if there is None:
            self._differs(name, before, seen, self.composition.allowed(self.here, name))
        else:
            self.here = there

    def _differs(self, name: str, before: Seen, seen: Seen, allowed: list[Seen]) -> None:
        watched = self.watched[name]
        lines = [f"{name}, action {watched.actions}: the board does what the composition does not"]
        nearest = min(allowed, key=lambda a: len(differences(seen, a)), default=before)
        told = [
            f"  {name}: {here} on the board, {there} in the composition"
            for name, here, there in differences(seen, nearest)
        ]
        lines += told[:MOST_SHOWN] + [f"  and {len(told) - MOST_SHOWN} more"] * (len(told) > MOST_SHOWN)
        lines += ["  (the composition does nothing there)"] * (not allowed)
        self.result = self._told("differs", lines)

    def _told(self, verdict: str, lines: list[str]) -> Following:
        actions = {name: w.actions for name, w in self.watched.items()}
        steps = {name: w.steps for name, w in self.watched.items()}
        return Following(verdict, actions, steps, self.network.passed, len(self.composition.blocks), lines)
