"""The engine's tables for partial order reduction."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import TYPE_CHECKING

from lfc.actions.model.machine import Machine, RecordLayout
from lfc.mcheck.engine import abi
from lfc.mcheck.engine.abi import FOOT_WORDS, MOST_CONSTANT_BYTES, FootFlag, Rounds
from lfc.mcheck.model.description import Description
from lfc.mcheck.model.transitions import Step, steps_of
from lfc.semantics.model import typed
from lfc.semantics.model.typed import Variable
from lfc.semantics.model.types import IntegerType, SubrangeType, size_and_alignment

if TYPE_CHECKING:  # most programs are small, and nothing is reduced
    from lfc.mcheck.model.fairness import Fair
    from lfc.mcheck.model.footprints import Footprint

U32, U64 = ctypes.c_uint32, ctypes.c_uint64
IN_WORDS = (
    *("next_reads", "next_writes", "next_speaks", "later_uses", "later_writes"),
    *(
        "later_sends",
        "later_receives",
        "later_selects",
        "later_shares",
        "next_sends",
        "next_receives",
        "later_entangled",
        "later_beside",
        "offers_send",
        "offers_receive",
    ),
)


class PartialOrder:
    """Partial order reduction of a program's searches."""

    def __init__(
        self,
        machine: Machine,
        description: Description,
        atoms: Sequence[typed.Expr] = (),
        gives_up_after: int = 0,
        fair: Sequence[Fair] = (),
        ranked: bool = True,
    ) -> None:
        """`atoms`: what the properties ask that are to be checked; whatever may change one is visible. `fair`: who is
        treated fairly by the runs in which they are looked for. `gives_up_after`: so many states of which none has
        been expanded with fewer than all processes; 0: never. `ranked`: which steps go back depends on which values
        have been found before."""
        from lfc.mcheck.model.footprints import Footprints
        from lfc.mcheck.reduction.por.cycle_proviso import cycle_breakers
        from lfc.mcheck.reduction.por.visibility import visible_positions

        steps, _ = steps_of(machine)
        self.bound = visible_positions(machine, steps, atoms)
        if fair:
            from lfc.mcheck.reduction.por.fairness import positions_of_fairness

            self.bound |= positions_of_fairness(machine, steps, fair)
        self.footprints = Footprints(machine, steps, self.bound)
        self.breakers = cycle_breakers(machine, steps)
        self.record_of = [r for r in machine.records for _ in range(r.slots)]
        self.constants: dict[int, list[Variable]] = {}  # by record
        self.failed = ""
        self._found: dict[tuple[int, ...], abi.Footprint] = {}  # each slot of a record asks, and each search
        bits = self.footprints.bits
        options = abi.ReductionOptions(-(-bits.variables // 64), -(-bits.speeches // 64))
        options.harmless[:] = words(self.footprints.harmless())
        options.interrupts[:] = words(self.footprints.interrupts())
        self._make = abi.ReductionOptionsMake(self._footprint)
        options.make = self._make
        options.gives_up_after = gives_up_after
        options.unranked = not ranked
        first, constants = self._constants(description)
        rounds, breaks = self._rounds(machine, steps, description)
        self._kept = first, constants, rounds, breaks
        options.first_constant, options.constants, options.rounds, options.breaks = self._kept
        self.options = options

    def begin(self, engine: int, library: ctypes.CDLL) -> None:
        if not library.mc_reduce(engine, ctypes.byref(self.options)):
            raise MemoryError("the checker cannot reserve its tables")

    def _constants(self, d: Description) -> tuple[ctypes.Array[ctypes.c_uint32], ctypes.Array[abi.Constant]]:
        """Which bytes of a slot's component tell more than its position does, by class."""
        first: list[int] = []
        found: list[tuple[int, int]] = []
        for record in records_by_class(d):
            first.append(len(found))
            if record is not None:
                found += self._constants_of(record)
        first.append(len(found))
        return (U32 * len(first))(*first), (abi.Constant * max(1, len(found)))(*(abi.Constant(*f) for f in found))

    def _rounds(
        self, machine: Machine, steps: dict[int, Step], d: Description
    ) -> tuple[ctypes.Array[ctypes.c_uint8], ctypes.Array[ctypes.c_uint8]]:
        """By class of components, whether such processes break cycles of states, and which variables count; by
        position, whether it does."""
        from lfc.mcheck.reduction.por.counters import Counters
        from lfc.mcheck.reduction.por.cycle_proviso import created_anew, who_breaks

        who = who_breaks(machine, steps, self.breakers)
        anew, counting = created_anew(machine, steps), Counters(machine, steps).of(self.breakers)

        def rounds_of(key: object) -> Rounds:
            if isinstance(key, RecordLayout):
                lives = Rounds.LIVES_ANEW if key.body in anew else Rounds.LIVES_ONCE
                return lives if key.body in who else Rounds.NEVER_ALONE
            variable = key[0] if isinstance(key, tuple) else key
            return Rounds.COUNTS if variable in counting else Rounds.NEVER_ALONE

        classes = [rounds_of(key) for key in classes_of(d)]
        positions = [int(n in self.breakers) for n in range(len(d.actions))]
        return (ctypes.c_uint8 * len(classes))(*classes), (ctypes.c_uint8 * len(positions))(*positions)

    def _constants_of(self, r: RecordLayout) -> list[tuple[int, int]]:
        assert r.body.frame is not None
        self.constants[id(r)] = []
        found: list[tuple[int, int]] = []
        told = self.footprints.constants[r.body] + self.footprints.ports[r.body] + self.footprints.local.flags[r.body]
        for v in told:
            size = size_of(v)
            if sum(s for _, s in found) + size <= MOST_CONSTANT_BYTES:
                found.append((r.position_size + r.frame0 + r.body.frame.variables[v], size))
                self.constants[id(r)].append(v)
        return found

    def _footprint(self, slot: int, position: int, constants: int, to: int) -> int:
        try:
            record = self.record_of[slot]
            known = self._values(record, ctypes.string_at(constants, MOST_CONSTANT_BYTES))
            key = id(record), position, *known.values()
            if key not in self._found:
                self._found[key] = filled(self.footprints.footprint(record, position, known), position in self.bound)
            ctypes.memmove(to, ctypes.byref(self._found[key]), ctypes.sizeof(abi.Footprint))
            return 1
        except Exception as error:  # nothing may be thrown through the engine: such a process is never left out
            self.failed = self.failed or f"{type(error).__name__}: {error}"
            return 0

    def _values(self, record: RecordLayout, content: bytes) -> dict[Variable, int]:
        found: dict[Variable, int] = {}
        at = 0
        for v in self.constants[id(record)]:
            size = size_of(v)
            found[v] = int.from_bytes(content[at : at + size], "little", signed=is_signed(v))
            at += size
        return found


def classes_of(d: Description) -> list[object]:
    """As `Search` numbers the classes."""
    return list({id(c.class_key): c.class_key for c in d.components}.values())


def records_by_class(d: Description) -> list[RecordLayout | None]:
    """Of what is no slot None."""
    slots = {id(c.class_key) for c in d.components if c.slot >= 0}
    return [k if isinstance(k, RecordLayout) and id(k) in slots else None for k in classes_of(d)]


def size_of(v: Variable) -> int:
    return size_and_alignment(v.type)[0]


def is_signed(v: Variable) -> bool:
    return (isinstance(v.type, IntegerType) and v.type.signed) or (isinstance(v.type, SubrangeType) and v.type.low < 0)


def filled(f: Footprint, bound: bool) -> abi.Footprint:
    to = abi.Footprint()
    later_uses = f.later_reads | f.later_writes
    for name in IN_WORDS:
        getattr(to, name)[:] = words(later_uses if name == "later_uses" else getattr(f, name))
    for i, (bit, of) in enumerate(sorted(f.needs.items())[: len(to.need)]):
        to.need[i].bit = bit
        to.need[i].of[:] = words(of)
        to.needs = i + 1
    attempts = FootFlag.ATTEMPTS * f.attempts + FootFlag.ONLY_ATTEMPTS * f.only_attempts
    to.flags = FootFlag.BOUND * bound + attempts
    return to


def words(bits: int) -> list[int]:
    return [bits >> 64 * i & 0xFFFFFFFFFFFFFFFF for i in range(FOOT_WORDS)]
