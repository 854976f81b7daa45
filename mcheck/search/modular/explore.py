"""Modular exploration: the modules' local states, and the states in which they meet, instead of their product.

A state of the synchronisation graph says of each module from which part of its local graph on it goes on by itself
(Christensen and Petrucci); its steps are those in which a module meets another one, or begins to wait for one that is
not there. What modules do by themselves is independent of each other, so it is looked at once for each of them.
"""

from __future__ import annotations

import ctypes
import itertools
import math
import mmap
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from lfc.mcheck.engine import abi
from lfc.mcheck.engine.abi import ErrorKind, Stop
from lfc.mcheck.request.bounds import NotModular
from lfc.mcheck.search.modular.local_graph import NOBODY, U32, Actions, Closure, Failure, LocalGraph, LocalStep
from lfc.mcheck.search.modular.partition import Modules, partition, why_not
from lfc.mcheck.search.modular.synchronisation import Meeting, Meetings, Parts
from lfc.mcheck.search.strategies.exploration import Setting
from lfc.mcheck.search.strategies.walk import How, Walk

U64 = ctypes.c_uint64
FAULT, DEADLOCK, STUCK = ErrorKind.FAULT, ErrorKind.DEADLOCK, ErrorKind.STUCK
LOOK = 64  # states of the synchronisation graph between two looks at the clock
MOST_ENDS = 4096  # combinations of ends that are looked at for one state


@dataclass(slots=True)
class State:
    """Of the synchronisation graph: where each module came to last."""

    entries: tuple[int, ...]
    finder: int = -1
    meeting: Meeting | None = None
    depth: int = 0  # meetings


@dataclass(slots=True)
class Told:
    """For the report."""

    modules: list[list[str]]  # names of their processes
    local_states: list[int] = field(default_factory=list)
    states: int = 0
    meetings: int = 0

    def as_data(self) -> dict[str, object]:
        modules = [{"processes": p, "states": n} for p, n in zip(self.modules, self.local_states, strict=True)]
        return {"modular": {"modules": modules, "synchronisation_states": self.states, "meetings": self.meetings}}

    def as_text(self) -> list[str]:
        of = [f"{n} of {', '.join(p)}" for p, n in zip(self.modules, self.local_states, strict=True)]
        return [
            f"{self.states} states in which modules synchronise, {self.meetings} meetings; local states by module:",
            *(f"  {x}" for x in of),
        ]


def resident() -> int:
    """Bytes of this process in memory; 0 where the system does not tell."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
    except (OSError, ValueError, IndexError):
        return 0
    return pages * mmap.PAGESIZE


class Modular(Walk):
    """Does what a walk does; raises NotModular when it begins."""

    how = How.MODULAR

    def __init__(self, setting: Setting) -> None:
        machine, description, request = setting.model.machine, setting.model.description, setting.request
        reason = why_not(machine, request.world, setting.model.watches)
        if reason:
            raise NotModular(reason)
        super().__init__(setting)
        self._d, self._keep_going, self._most = description, request.claims.goes_on, request.limits.states
        self._interrupted = setting.interrupted
        self._most_memory, self._resident = request.limits.memory, resident()
        assert self._walk
        library = self._library
        self._actions = Actions(library, self._walk, len(description.components))
        steps = self._actions.start()
        alive = [
            s for s, c in enumerate(description.slot_component) if self._actions.position(c, self._actions.values[c])
        ]
        if steps != 1 or 0 in alive:
            raise NotModular("the initialisation does not end with its first action")
        block = ctypes.create_string_buffer(setting.model.block_size)
        library.mc_modular_block(self._walk, self._actions.values, block)
        self.modules: Modules = partition(machine, description, block.raw, alive)
        self.start = tuple(self._actions.values)
        stuck = [not a.idle for a in description.actions]
        self.locals = [
            LocalGraph(m, self.modules, description, self._actions, stuck) for m in range(len(self.modules.slots))
        ]
        self._between = Meetings(self.locals, self.modules, description, self._actions)
        self.states: list[State] = []
        self._number: dict[Parts, int] = {}
        self._next = 0
        self._reported: set[tuple[int, int]] = set()
        self.told: Told = Told(
            [[description.components[description.slot_component[s]].name for s in x] for x in self.modules.slots]
        )

    # --- the search --------------------------------------------------------------------------------------------------

    def run(self, seconds: float) -> Stop:
        begin = time.monotonic()
        stop = Stop.COMPLETE
        if not self.states:
            self._add(tuple(g.initial() for g in self.locals), -1, None)
        while self._next < len(self.states) and stop == Stop.COMPLETE:
            self._look_at(self._next)
            self._next += 1
            if self.statistics.errors and not self._keep_going:
                stop = Stop.ERROR
            elif self._next % LOOK == 0:
                stop = self._limit(begin, seconds)
        self._measure()
        s = self.statistics
        s.stop = stop
        s.seconds += time.monotonic() - begin
        return stop

    def _limit(self, begin: float, seconds: float) -> Stop:
        self._measure()
        if self._interrupted():
            return Stop.INTERRUPTED
        if time.monotonic() - begin > seconds:
            return Stop.TIME
        if self._most_memory and self.statistics.table_bytes > self._most_memory:
            return Stop.MEMORY
        return Stop.STATES if self._most and self.statistics.states > self._most else Stop.COMPLETE

    def _measure(self) -> None:
        t, s = self.told, self.statistics
        t.local_states, t.states = [len(g.nodes) for g in self.locals], len(self.states)
        s.states = len(self.states) + sum(t.local_states)
        s.transitions = t.meetings + sum(g.steps for g in self.locals)
        s.expanded = self._next
        s.depth = max(x.depth for x in self.states)
        s.table_bytes = max(0, resident() - self._resident)
        self.counts.visits = self.counts.at_least = s.states

    def _add(self, entries: tuple[int, ...], finder: int, meeting: Meeting | None) -> int:
        parts = tuple(g.nodes[n].part for g, n in zip(self.locals, entries, strict=True))
        number = self._number.get(parts)
        if number is None:
            number = self._number[parts] = len(self.states)
            depth = self.states[finder].depth + 1 if finder >= 0 else 0
            self.states.append(State(entries, finder, meeting, depth))
        return number

    def _parts(self, number: int) -> Parts:
        return tuple(g.nodes[n].part for g, n in zip(self.locals, self.states[number].entries, strict=True))

    def _look_at(self, number: int) -> None:
        parts = self._parts(number)
        closures = [g.closure(p) for g, p in zip(self.locals, parts, strict=True)]
        for m, closure in enumerate(closures):
            for f in closure.failures:
                self._note_fault(number, {m: f.node}, f)
        self._look_for_deadlock(number, closures)
        for meeting, o in self._between.of(parts):
            self.told.meetings += 1
            if o.fault is not None:
                assert meeting.step is not None
                self._note_fault(number, meeting.before, Failure(-1, meeting.step.slot, o.fault))
            else:
                self._after(number, meeting)

    def _look_for_deadlock(self, number: int, closures: list[Closure]) -> None:
        """Where nobody goes on, there is one if somebody waits who should not."""
        for m, closure in enumerate(closures):
            for n in closure.quiet:
                where = next(self._quiet(closures, {m: n}), None) if self.locals[m].waits(n) else None
                if where is not None:
                    self.statistics.deadlocks += 1
                    self._note(number, where, DEADLOCK, None, 0)
                    return
        if all(any(not g.nodes[n].at for n in c.quiet) for g, c in zip(self.locals, closures, strict=True)):
            self.statistics.ends += 1

    def _quiet(self, closures: list[Closure], where: dict[int, int]) -> Iterator[dict[int, int]]:
        """Where nobody can go on by himself, and nobody can meet anybody: with these modules there."""
        m = next((k for k in range(len(closures)) if k not in where), None)
        if m is None:
            yield dict(where)
            return
        for n in closures[m].quiet:
            if not any(
                self._between.can_meet((m, n), (k, b)) or self._between.can_meet((k, b), (m, n))
                for k, b in where.items()
            ):
                yield from self._quiet(closures, {**where, m: n})

    def _after(self, number: int, meeting: Meeting) -> int:
        entries = list(self.states[number].entries)
        for m, n in meeting.after.items():
            entries[m] = n
        return self._add(tuple(entries), number, meeting)

    # --- errors ------------------------------------------------------------------------------------------------------

    def _note_fault(self, number: int, where: dict[int, int], f: Failure) -> None:
        kind, site, first, second = f.fault
        if (kind, site) in self._reported:
            return
        self._reported.add((kind, site))
        self.statistics.faults += 1
        self._note(number, where, FAULT, abi.Fault(kind, site, first, second), f.slot)

    def _note(self, number: int, where: dict[int, int], kind: int, fault: abi.Fault | None, slot: int) -> None:
        if kind == DEADLOCK and (0, 0) in self._reported:
            return
        if kind == DEADLOCK:
            self._reported.add((0, 0))
        steps = self._way_to(number, where)
        if kind != FAULT:
            steps += self._held_waits(number, where)
        ordinals, root = self._follow(steps)
        array = (U32 * max(1, len(ordinals)))(*ordinals)
        self._library.mc_modular_note(
            self._walk, kind, None if fault is None else ctypes.byref(fault), slot, root, array, len(ordinals)
        )

    def _way_to(self, number: int, where: dict[int, int]) -> list[LocalStep]:
        """To a state of the synchronisation graph, and there with these modules to these local states."""
        chain = []
        at = number
        while at >= 0:
            chain.append(at)
            at = self.states[at].finder
        steps: list[LocalStep] = []
        entries: tuple[int, ...] = ()
        for at in reversed(chain):
            meeting = self.states[at].meeting
            if meeting is not None:
                for m, n in meeting.before.items():
                    steps += self.locals[m].way(entries[m], n)
                if meeting.step is not None:
                    steps.append(meeting.step)
            entries = self.states[at].entries
        for m, n in where.items():
            steps += self.locals[m].way(entries[m], n)
        return steps

    def _held_waits(self, number: int, where: dict[int, int]) -> list[LocalStep]:
        """Who comes second waits at last, since nobody has come."""
        found = []
        for m, entry in enumerate(self.states[number].entries):
            node = self.locals[m].nodes[where.get(m, entry)]
            found += list(node.held.values())
        return found

    def _follow(self, steps: list[LocalStep]) -> tuple[list[int], int]:
        root = U64(self._library.mc_modular_initial(self._walk))
        ordinals = []
        initial = [(c, value) for c, value in enumerate(self.start)]
        for step in [LocalStep(0, NOBODY, tuple(initial)), *steps]:
            flat = [x for pair in step.changes for x in pair]
            ordinal = U32()
            changes = (U32 * max(1, len(flat)))(*flat)
            there = self._library.mc_modular_follow(
                self._walk, ctypes.byref(root), step.slot, changes, len(flat) // 2, ctypes.byref(ordinal)
            )
            if not there:
                raise RuntimeError("a step of a module is none of the program")
            ordinals.append(ordinal.value)
        return ordinals, root.value

    # --- who is stuck ------------------------------------------------------------------------------------------------

    def find_stuck(self) -> tuple[int, list[int]] | None:
        """Who is stuck stays so when all modules go on by themselves as far as they can, to parts that none leaves.
        Such ends are looked at too: in one of them somebody is stuck, if it is so anywhere."""
        ends = self._with_ends()
        stuck = None if self.stuck_unknown else self._most_stuck(ends)
        if stuck is None:
            return None
        number, slots = stuck
        self._note(number, {}, STUCK, None, 0)
        found = int(self._library.mc_modular_found(self._walk)) - 1
        self.shorten(found)
        return found, slots

    def _with_ends(self) -> dict[int, list[tuple[int, frozenset[int]]]]:
        """Adds the ends to the states, and what these lead to. Of each its meetings: to which, whom they change."""
        found: dict[int, list[tuple[int, frozenset[int]]]] = {}
        number = 0
        while number < len(self.states) and not self.stuck_unknown:
            parts = self._parts(number)
            choices = [g.closure(p).ends for g, p in zip(self.locals, parts, strict=True)]
            if math.prod(map(len, choices)) > MOST_ENDS or (number % LOOK == 0 and self._interrupted()):
                self.stuck_unknown = True
                break
            for chosen in itertools.product(*choices):
                entries = tuple(g.parts[p][0] for g, p in zip(self.locals, chosen, strict=True))
                self._add(entries, number, Meeting(dict(enumerate(entries)), {}, None))
            found[number] = []
            for meeting, _ in self._between.of(parts):
                assert meeting.step is not None
                changed = frozenset(self._d.components[c].slot for c, _ in meeting.step.changes)
                changed |= {meeting.step.slot, meeting.step.partner}  # it may come to the same point again
                found[number].append((self._after(number, meeting), changed))
            number += 1
        return found

    def _most_stuck(self, meetings: dict[int, list[tuple[int, frozenset[int]]]]) -> tuple[int, list[int]] | None:
        """Of the ends the first in which the most are stuck: all that can come leaves them where they wait."""
        stuck = {n: self._waits(n) for n in meetings}
        changed = True
        while changed:
            changed = False
            for n in reversed(meetings):
                left = stuck[n]
                for to, moved in meetings[n]:
                    left = (left - moved) & stuck[to] if left else left
                changed |= left != stuck[n]
                stuck[n] = left
        ends = [
            n
            for n in meetings
            if all(g.closure(p).ends == [p] for g, p in zip(self.locals, self._parts(n), strict=True))
        ]
        best = max(ends, key=lambda n: (len(stuck[n]), -n))
        return (best, sorted(stuck[best])) if stuck[best] else None

    def _waits(self, number: int) -> frozenset[int]:
        """Who waits for a partner, in one and the same wait, in all that the modules can do by themselves."""
        found: set[int] = set()
        for g, p in zip(self.locals, self._parts(number), strict=True):
            nodes = [g.nodes[n] for n in g.closure(p).nodes]
            for slot in nodes[0].at:
                place = g.place[self._d.slot_component[slot]]
                if g.may_be_stuck(nodes[0], slot) and len({n.values[place] for n in nodes}) == 1:
                    found.add(slot)
        return frozenset(found)
