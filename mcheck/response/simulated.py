"""Runs of the image in the built-in simulator, with interrupts at many moments: the claims that such a run breaks.

A lower bound for what the graph of board states bounds from above: the same image, with the timer of the simulator.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

from lfc.boards.emulators.chips.avr import INTERRUPTS_ON, Avr
from lfc.boards.emulators.chips.console import NEVER, Happened
from lfc.isa.abi import AvrStop as Stop
from lfc.isa.avr.core import STATUS
from lfc.mcheck.response.avr_board import AvrBoard
from lfc.mcheck.response.claims import Claim, holds
from lfc.mcheck.response.states import States

SEED = 1
TICKS_BETWEEN = 3  # of two interrupts, at most; every other time less than one pass or so
TICKS_ALONE = 200  # of a run without interrupts, behind those of the longest claim
SOON = 600  # cycles
MOST_TICKS = 20_000
MOST_PASSES = 20_000
WORDS_OF_VECTOR = 2
MOST_TOLD = 10  # interrupts before a state


class Chip(Avr):
    """With the interrupts that the program names, whose flags are set from outside. A run stops at each pass."""

    def __init__(self, board: AvrBoard) -> None:
        self.flags: set[int] = set()
        self.masks = board.interrupts.masks
        super().__init__(board.board, board.elf, board.symbols, board.symbols["lf_step"], lambda _: None)

    def look_for_interrupts(self) -> None:
        super().look_for_interrupts()
        waits = [n for n in self.flags if self.registers.get(self.masks[n][0], 0) & self.masks[n][1]]
        if waits:
            own = self.core.state.waits
            self.core.state.waits = min([*waits, *([own] if own else [])])

    def go_on(self, cycles: int) -> Happened:
        """Behind a pass's begin, at which it stands, or anywhere else."""
        core = self.core
        if core.state.pc != self.halt:
            happened = self.run(cycles)
        elif core.state.waits and core.state.data[STATUS] & INTERRUPTS_ON:
            self.matched &= core.state.waits != self.tick.vector
            core.interrupt(core.state.waits)
            happened = Happened.RAN
        else:
            said = Stop(core.library.avr_step_once(core.state))
            core.state.was_off = False
            happened = Happened.RAN if said is Stop.RUNS else Happened.CRASHED
        self.flags.discard(core.state.pc // WORDS_OF_VECTOR)  # where it is, if it has just been taken
        return happened


@dataclass(slots=True)
class Shown:
    """Of a claim in a run: cycles from where it began, at `since`, to what was claimed or to the end of the run."""

    cycles: int = -1
    since: int = 0
    broken: bool = False  # a claim about one state does not hold at `since`
    raised: tuple[tuple[int, int], ...] = ()  # interrupts meanwhile: the cycle, and which
    open: int | None = None  # since when something is claimed, in the run
    looked: bool = False
    ready: bool = False  # the process was, at the pass before


class Simulated:
    def __init__(self, board: AvrBoard, states: States, claims: list[Claim]) -> None:
        self.board, self.states, self.claims = board, states, claims
        self.shown: dict[tuple[int, int], Shown] = {}
        self._said: dict[bytes, tuple[frozenset[str], frozenset[int], frozenset[int]]] = {}
        for i, claim in enumerate(claims):
            for slot in claim.slots or (0,):
                self.shown[i, slot] = Shown()

    def run(self) -> None:
        """From the reset on: without interrupts, for as long as something is claimed of a time, and with them."""
        period = self.board.period
        longest = max((c.milliseconds or 0 for c in self.claims), default=0)
        self._run((longest + TICKS_ALONE) * period, ())
        if self.board.interrupts.named:
            self._run(MOST_TICKS * period, self.board.interrupts.named)

    def _run(self, most: int, named: tuple[int, ...]) -> None:
        chip, chance = Chip(self.board), random.Random(SEED)
        raised: list[tuple[int, int]] = []
        next_raise = self._later(chip, chance) if named else NEVER
        passes = 0
        while chip.cycles < most and passes < MOST_PASSES:
            chip.run_due()
            if chip.cycles >= next_raise:
                n = chance.choice(named)
                chip.flags.add(n)
                raised.append((chip.cycles, n))
                next_raise = self._later(chip, chance)
            chip.look_for_interrupts()
            soon = min(chip.next_due(), next_raise, most)
            happened = chip.go_on(max(1, soon - chip.cycles))
            if happened is Happened.SLEPT:
                chip.skip_to(soon)
            elif happened is Happened.HALTED:
                passes += 1
                self._look(chip, raised)
            elif happened is Happened.CRASHED or chip.core.state.pc in self.board.halts:
                break
        for shown in self.shown.values():
            if shown.open is not None:
                self._ends(shown, chip.cycles, raised)
            shown.looked = shown.ready = False

    def _later(self, chip: Chip, chance: random.Random) -> int:
        """When the next interrupt comes: soon, some time, or close to a tick."""
        after = [SOON, TICKS_BETWEEN * self.board.period, SOON][kind := chance.randrange(3)]
        near_tick = kind == 2 and chip.match_due < NEVER
        begin = chip.match_due + self.board.period * chance.randrange(TICKS_BETWEEN) if near_tick else chip.cycles
        return max(chip.cycles + 1, begin + chance.randrange(after) - (SOON // 2 if near_tick else 0))

    # --- what is claimed ---

    def _look(self, chip: Chip, raised: list[tuple[int, int]]) -> None:
        state = self.board.state_of(chip.core, {})
        if not self.board.has_begun(state):
            return
        true, released, ready = self._of(state)
        for (i, slot), shown in self.shown.items():
            claim = self.claims[i]
            if claim.slots:
                if shown.open is not None and shown.ready and slot not in ready:
                    self._ends(shown, chip.cycles, raised)
                begins, comes, shown.ready = slot in released, False, slot in ready
            else:
                begins, comes = holds(claim.begins, true), holds(claim.comes, true)
            if claim.milliseconds is None:
                if not comes and not shown.broken:
                    shown.broken, shown.since, shown.raised = True, chip.cycles, tuple(raised[-MOST_TOLD:])
            elif shown.open is not None and comes:
                self._ends(shown, chip.cycles, raised)
            elif shown.open is None and begins and not comes and (claim.always or not shown.looked):
                shown.open = chip.cycles
            shown.looked = True

    def _of(self, state: bytes) -> tuple[frozenset[str], frozenset[int], frozenset[int]]:
        """Which atoms are true, who is released, and who is ready."""
        found = self._said.get(state)
        if found is None:
            block, states = self.board.block(state), self.states
            ready = frozenset(s for s in states.slots if states.is_ready(block, s))
            found = self._said[state] = states.true(block), states.released_in(state), ready
        return found

    def longest(self, claim: int) -> Shown:
        """Of the claim with this number, among all its processes."""
        return max((s for (i, _), s in self.shown.items() if i == claim), key=lambda s: (s.broken, s.cycles))

    def _ends(self, shown: Shown, now: int, raised: list[tuple[int, int]]) -> None:
        assert shown.open is not None
        if now - shown.open > shown.cycles:
            shown.cycles, shown.since = now - shown.open, shown.open
            shown.raised = tuple(r for r in raised if r[0] >= shown.open - SOON)
        shown.open = None
