"""Properties of a program's infinite runs: which there are, and whether a run violates one.

A formula's negation becomes an automaton; the engine looks for a fair accepting cycle in its product with the
program.
"""

from __future__ import annotations

import ctypes
from collections.abc import Mapping, Sequence
from ctypes import c_uint32 as U32
from ctypes import c_uint64 as U64
from dataclasses import replace

from lfc.actions.layout.frames import aligned
from lfc.actions.model.machine import Machine, RecordLayout
from lfc.codegen.bodies import offers
from lfc.codegen.expressions.atoms import MOST_ATOMS, message_numbers
from lfc.codegen.module.unit import Unit
from lfc.mcheck.engine import abi
from lfc.mcheck.ltl.atoms import Timer, asks_taken, formula_of, is_momentary
from lfc.mcheck.ltl.automaton import Automaton
from lfc.mcheck.ltl.scc import Strength
from lfc.mcheck.ltl.translate import automaton_of_violations
from lfc.mcheck.model.compiled_model import WATCHING, slot_frames
from lfc.mcheck.model.description import Numbers, clock_beside
from lfc.mcheck.model.fairness import Fair
from lfc.mcheck.properties.emptiness import Found, How, Verdict, take
from lfc.mcheck.properties.monitor_automaton import stutters_freely
from lfc.mcheck.request.property import TooMany, Watch, Watched, WatchedTimer
from lfc.mcheck.search.search import Search, Stop
from lfc.semantics.model import typed
from lfc.semantics.model.types import size_and_alignment
from lfc.semantics.model.visit import subexpressions

MOST_MARKS = 64


def watch(machine: Machine, properties: Sequence[typed.Property]) -> Watch:
    """All of them in one search. Raises TooMany, and TooLarge of the translation."""
    groups, too_wide = watch_in_groups(machine, properties)
    if len(groups) > 1 or too_wide:
        raise TooMany(
            f"the properties have more than {MOST_ATOMS} atoms in all; at most that many can be checked at once"
        )
    return groups[0]


def watch_in_groups(machine: Machine, properties: Sequence[typed.Property]) -> tuple[list[Watch], list[typed.Property]]:
    """At least one group, each of so many that a search can watch; and the formulas that are too wide for any. Raises
    TooLarge of the translation."""
    groups, too_wide = [Watch()], list[typed.Property]()
    for p in properties:
        found = groups[-1]
        if p.formula is None:
            process = next(m for m in machine.properties if m.of is p)
            free = stutters_freely(process)
            found.properties.append(Watched(p, None, [], len(found.watchers), stutter_insensitive=free))
            found.watchers.append(process)
            continue
        formula = formula_of(p.formula)
        if len(formula.atoms) > MOST_ATOMS:
            too_wide.append(p)
            continue
        momentary = {name for name, e in formula.atoms.items() if is_momentary(e)}
        automaton = automaton_of_violations(formula.formula, momentary)
        mixed = any(asks_taken(formula.atoms[name]) and name not in momentary for name in automaton.atoms)
        if len(found.atoms) + len(automaton.atoms) + len(formula.timers) > MOST_ATOMS:
            found = Watch()
            groups.append(found)
        asked = list(dict.fromkeys([*automaton.atoms, *(t.operand for t in formula.timers)]))
        of = {name: len(found.atoms) + n for n, name in enumerate(asked)}
        found.atoms += [formula.atoms[name] for name in asked]
        numbers = [of[name] for name in automaton.atoms]
        free = automaton.stutter_insensitive and not mixed
        timers = [timer_among(t, of) for t in formula.timers]
        found.properties.append(
            Watched(p, automaton, numbers, formula=formula.shown, stutter_insensitive=free, timers=timers)
        )
    return groups, too_wide


def timer_among(t: Timer, numbers: Mapping[str, int]) -> WatchedTimer:
    start, expired = numbers.get(t.start), numbers.get(t.expired)
    return WatchedTimer(start, expired, numbers[t.operand], t.holds, t.earliest, t.milliseconds)


# --- what the engine is given --------------------------------------------------------------------------------


def words(content: Sequence[int]) -> ctypes.Array[U32]:
    return (U32 * max(1, len(content)))(*content)


def masks(content: Sequence[int]) -> ctypes.Array[U64]:
    return (U64 * max(1, len(content)))(*content)


def flags(content: Sequence[bool]) -> ctypes.Array[ctypes.c_uint8]:
    return (ctypes.c_uint8 * max(1, len(content)))(*content)


def spread(mask: int, places: list[int]) -> int:
    """Bit i of the mask becomes bit places[i]."""
    return sum(1 << n for i, n in enumerate(places) if mask >> i & 1)


def strengths(a: Automaton, closed: bool) -> ctypes.Array[ctypes.c_uint8]:
    """Of each state. `closed`: every run can go on fairly, so that it is enough to reach a terminal state."""
    found = [a.strength[c] for c in a.component]
    if not closed:
        found = [Strength.WEAK if s is Strength.TERMINAL else s for s in found]
    return (ctypes.c_uint8 * max(1, len(found)))(*(abi.CycleStrength[s.name] for s in found))


def automaton_for_engine(w: Watched, closed: bool) -> abi.Automaton:
    a = w.automaton
    if a is None:
        return abi.Automaton(0, 0, 1)
    first_cube, positive, negative = a.cube_arrays()
    timers = [
        abi.PropertyTimer(
            bit(t.start), bit(t.expired), bit(t.operand), int(t.holds), int(t.earliest), t.milliseconds, 0
        )
        for t in w.timers
    ]
    return abi.Automaton(
        a.states,
        a.initial,
        a.acceptance_sets,
        len(timers),
        words(a.first_transitions()),
        words([t.target for t in a.transitions]),
        masks([t.acceptance for t in a.transitions]),
        words(first_cube),
        masks([spread(m, w.atoms) for m in positive]),
        masks([spread(m, w.atoms) for m in negative]),
        strengths(a, closed),
        (abi.PropertyTimer * max(1, len(timers)))(*timers),
    )


def bit(number: int | None) -> int:
    return 0 if number is None else 1 << number


def is_lost(a: Automaton, q: int) -> bool:
    """Whatever comes, the property is violated."""
    return a.strength[a.component[q]] is Strength.TERMINAL


def has_lost_states(a: Automaton) -> bool:
    return any(is_lost(a, q) for q in range(a.states))


def told_by_prefix(a: Automaton) -> bool:
    """Each violation has a prefix that tells: only states that are lost are on cycles that accept."""
    return has_lost_states(a) and all(
        s in (Strength.TRANSIENT, Strength.REJECTING, Strength.TERMINAL) for s in a.strength
    )


def fairness_for_engine(f: Fair, positions: int, bytes_noted: int) -> abi.Fair:
    found = abi.Fair(f.slot, int(f.strong), int(f.live))
    if f.picks is not None:
        found.picks = bytes_noted - f.picks  # they lie from the block backwards
    if f.begins is not None:
        found.begins = flags([n in f.begins for n in range(positions)])
    if f.resumes is not None:
        found.resumes = flags([n in f.resumes for n in range(positions)])
    if f.offered is not None:
        offered = (abi.Offered * positions)()
        for n, o in f.offered:
            offered[n] = abi.Offered(o.clauses, o.closed_offset, o.closed_size)
        found.offered = offered
    return found


def clauses_for_engine(machine: Machine) -> tuple[list[int], list[abi.Clause]]:
    """For each position of the program the index of its first clause, and all clauses: what a partner that waits there
    takes part in."""
    from lfc.codegen.module.target import HOST

    unit = Unit(HOST, machine)
    messages = message_numbers(machine)
    first = [0]
    clauses: list[abi.Clause] = []
    number = Numbers(machine).of
    for p in sorted((p for _, positions in machine.parts for p in positions), key=lambda p: number[id(p)]):
        first.append(len(clauses))
        if p.ready or p.point is None:
            continue
        for c in p.point.clauses:
            kind, where = offers.port_of(unit, p.body, c)
            event = c.event
            message = messages[id(event.message)] if isinstance(event, typed.Send | typed.Receive) else 0
            clauses.append(abi.Clause(0 if kind == offers.PORT_NONE else message, kind, where))
    return first, clauses


def components_read(machine: Machine, search: Search, atoms: Sequence[typed.Expr]) -> list[int]:
    """The components of a state on which the atoms depend."""
    places: list[tuple[int, int]] = []
    slots: set[int] = set()
    variables = {**machine.layout.variables}
    if machine.environment is not None:
        variables |= machine.environment.layout.variables
    for e in atoms:
        for x in subexpressions(e):
            if isinstance(x, typed.VariableRef) and x.variable in variables:
                places.append((variables[x.variable], size_and_alignment(x.variable.type)[0]))
            elif isinstance(x, typed.SlotVariable | typed.StatusAtom):
                r = machine.record_of(x.process)
                if r is not None:
                    slots.update(slots_of(r, x))
    found = []
    for i, c in enumerate(search.description.components):
        if c.slot >= 0 and c.slot in slots:
            found.append(i)
        elif i == search.timing.clock_component and search.generated.properties_read_clock:
            found.append(i)
        elif c.slot < 0 and any(o < at + size and at < o + s for o, s in c.pieces for at, size in places):
            found.append(i)
    return found


def slots_of(r: RecordLayout, x: typed.SlotVariable | typed.StatusAtom) -> range:
    every = range(r.first_slot, r.first_slot + r.slots)
    if isinstance(x, typed.StatusAtom) and x.status == "ENDED":
        return every
    if x.slot is None:
        return every[:1]
    if isinstance(x.slot, typed.Constant) and isinstance(x.slot.value, int):
        return every[x.slot.value : x.slot.value + 1]
    return every


# --- the search ----------------------------------------------------------------------------------------------

NOT_SEARCHED = Found(Verdict.STOPPED, None, 0, 0, 0, 0)


class ProductSearch:
    """Looks for runs that violate properties, in a search whose code has the atoms of `watch`."""

    def __init__(self, machine: Machine, search: Search, watched: Watch, fair: Sequence[Fair]) -> None:
        self.machine, self.search, self.watched, self.fair = machine, search, watched, fair
        first, clauses = clauses_for_engine(machine)
        frames = slot_frames(machine)
        reads = components_read(machine, search, watched.atoms)
        asks = any(isinstance(x, typed.TakenAtom) for e in watched.atoms for x in subexpressions(e))
        asks = asks or bool(watched.watchers)
        self._parts = (
            words(reads),
            len(reads),
            int(asks),
            words(first),
            (abi.Clause * max(1, len(clauses)))(*clauses),
            (abi.SlotFrame * max(1, len(frames)))(*frames),
        )
        self._atoms = self.atoms_for_engine(())
        bytes_noted, positions = search.model.blocks, len(first) + 1
        treated = [fairness_for_engine(f, positions, bytes_noted) for f in fair]
        self._fair = (abi.Fair * max(1, len(fair)))(*treated)

    def atoms_for_engine(self, wanted: Sequence[int]) -> abi.Atoms:
        """`wanted`: those whose faults matter."""
        return abi.Atoms(abi.AtomsLetter(self.search.address("lf_atoms")), sum(1 << n for n in wanted), *self._parts)

    def run(self, w: Watched, how: How = How.COMPONENTS, most_states: int = 0, by_prefix: bool | None = None) -> Found:
        """`by_prefix`: what a prefix tells, and nothing else; None: if nothing else violates it. Raises TooMany."""
        if w.sets + len(self.fair) > MOST_MARKS - 1:
            raise TooMany(f"too many fairness assumptions: {len(self.fair)}; at most {MOST_MARKS - 1} are supported")
        if how is How.NESTED and any(f.strong for f in self.fair):
            raise TooMany("the nested search does not support strong fairness")
        closed = not any(f.live for f in self.fair)  # else not every prefix goes on fairly
        if by_prefix is None:
            by_prefix = closed and how is How.COMPONENTS and w.automaton is not None and told_by_prefix(w.automaton)
        watcher = None if w.automaton is not None else self.watcher_for_engine(w.watcher)
        atoms = self.atoms_for_engine(w.atoms)
        return self.ask_engine(
            automaton_for_engine(w, closed), watcher, atoms, abi.REACH if by_prefix else int(how), most_states
        )

    def has_fair_run(self, most_states: int = 0) -> Found:
        """Verdict.FOUND: there is one. Looked for with an automaton that accepts every word."""
        everything = abi.Automaton(
            1, 0, 0, 0, words([0, 1]), words([0]), masks([0]), words([0, 1]), masks([0]), masks([0])
        )
        return self.ask_engine(everything, None, self._atoms, int(How.COMPONENTS), most_states)

    def ask_engine(
        self, automaton: abi.Automaton, watcher: abi.Watcher | None, atoms: abi.Atoms, how: int, most_states: int
    ) -> Found:
        if self.search.interrupted:
            return NOT_SEARCHED
        result, faulted = abi.CycleResult(), abi.Faulted()
        self.search.library.mc_product_search(
            self.search.engine,
            ctypes.byref(automaton),
            None if watcher is None else ctypes.byref(watcher),
            ctypes.byref(atoms),
            self._fair,
            len(self.fair),
            how,
            U64(most_states),
            ctypes.byref(result),
            ctypes.byref(faulted),
        )
        return replace(take(result), faulted=(faulted.root, faulted.what))

    def watcher_for_engine(self, number: int) -> abi.Watcher:
        p = self.watched.watchers[number]
        step, start = (self.search.address(name) for name in WATCHING)
        at = aligned(self.machine.block_size, 4)
        return abi.Watcher(abi.WatcherStep(step), abi.WatcherStart(start), number, at, p.size)

    def block(self, root: int) -> bytes:
        return self.with_clock(root)[: self.machine.block_size]

    def clocks(self, roots: Sequence[int]) -> list[int]:
        """What the clock reads in these states; empty if it is no part of them."""
        if self.search.timing.clock_component is None:
            return []
        return [clock_beside(self.search.timing, self.with_clock(r)) for r in roots]

    def with_clock(self, root: int) -> bytes:
        size = self.search.block_size
        room = ctypes.create_string_buffer(size + 8)
        self.search.library.mc_product_block(self.search.engine, U64(root), room)
        return room.raw[:size]

    def letters(self, of_every_state: bool) -> list[int] | None:
        """Of the steps that the searches so far have come across, or of all. None: stopped, or memory is short."""
        if of_every_state and self.search.interrupted:
            return None
        if of_every_state and not self.search.statistics.states:  # only its products have been searched
            if self.search.run() is not Stop.COMPLETE:
                return None
        function = self.search.library.mc_product_letters
        engine, atoms = self.search.engine, ctypes.byref(self._atoms)
        count = int(function(engine, atoms, U32(of_every_state), None, U64(0)))
        if count == 2**64 - 1:
            return None
        found = (U64 * max(1, count))()
        function(engine, atoms, U32(0), found, U64(count))
        return list(found[:count])

    def letter(self, root: int, ordinal: int) -> tuple[int, int]:
        """Of a step, and the slot that does it."""
        function = self.search.library.mc_product_letter
        engine, atoms, slot = self.search.engine, ctypes.byref(self._atoms), U32()
        found: int = function(engine, atoms, U64(root), U32(ordinal), ctypes.byref(slot))
        return found, slot.value
