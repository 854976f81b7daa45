"""Which slots' steps are enough is decided by the same text in three forms: for much and for little that is shared,
and for many processes. Of random footprints each decides the same."""

from __future__ import annotations

import ctypes
import random
from typing import Any

from lfc.mcheck.engine import abi, library
from lfc.mcheck.model.footprints import Footprint
from lfc.mcheck.reduction.por.partial_order import filled, words

FIRST, WAKES = 2, 1 << 15  # the number of the first footprint; time may end its wait
READY, INTERRUPTIBLE = 2, 4
WORDS_OF_SLOTS = 4
DECISIONS = 400


class Decision(ctypes.Structure):
    _fields_ = [
        ("alone", ctypes.c_uint64 * WORDS_OF_SLOTS),
        ("first", ctypes.c_uint64 * WORDS_OF_SLOTS),
        ("count", ctypes.c_uint32),
        ("set", ctypes.c_uint64 * (6 * WORDS_OF_SLOTS)),
    ]


def some(chance: random.Random, count: int, share: float) -> int:
    return sum(1 << i for i in range(count) if chance.random() < share)


def footprint(chance: random.Random, variables: int, speeches: int, share: float) -> Footprint:
    f = Footprint()
    f.later_writes = some(chance, variables, share / 4)
    f.later_reads = some(chance, variables, share / 4)
    f.later_sends, f.later_receives = some(chance, speeches, share), some(chance, speeches, share)
    spoken = f.later_sends | f.later_receives
    f.next_writes = f.later_writes & some(chance, variables, 0.5)
    f.next_reads = f.later_reads & some(chance, variables, 0.5)
    f.next_sends = f.later_sends & some(chance, speeches, 0.4)
    f.next_receives = f.later_receives & some(chance, speeches, 0.4)
    f.next_speaks = f.next_sends | f.next_receives
    f.later_selects, f.later_entangled = spoken & some(chance, speeches, 0.2), spoken & some(chance, speeches, 0.1)
    f.later_beside, f.later_shares = spoken & some(chance, speeches, 0.2), spoken
    f.attempts, f.only_attempts = chance.random() < 0.5, chance.random() < 0.3
    f.needs = {b: some(chance, speeches, share) for b in range(speeches) if spoken >> b & 1 and chance.random() < 0.6}
    return f


def made(chance: random.Random, variables: int, speeches: int) -> abi.Footprint:
    f = footprint(chance, variables, speeches, chance.choice([0.03, 0.1, 0.3]))
    ready = chance.random() < 0.5
    if not ready:
        f.offers_send, f.offers_receive = f.next_sends, f.next_receives
    to = filled(f, chance.random() < 0.05)
    to.flags |= READY if ready else INTERRUPTIBLE * (chance.random() < 0.1)
    needs = [(i, to.need[i]) for i in range(to.needs) if any(to.need[i].of)]
    to.lacking = sum(1 << i for i, _ in needs)
    of = [sum(word << 64 * k for k, word in enumerate(need.of)) for _, need in needs]
    to.lacks_at_first[:] = words(sum_of_bits(of))
    to.unmet_at_first[:] = words(sum_of_bits([1 << need.bit for _, need in needs]))
    return to


def sum_of_bits(numbers: list[int]) -> int:
    found = 0
    for n in numbers:
        found |= n
    return found


def decided(form: str, arguments: tuple[Any, ...]) -> tuple[list[int], ...]:
    find = getattr(library.library(), f"mc_find_enough{form}")
    find.restype = ctypes.c_bool
    to = Decision()
    if not find(*arguments, ctypes.byref(to)):
        return ()
    return list(to.alone), list(to.first), list(to.set)[: WORDS_OF_SLOTS * to.count]


def test_all_forms_decide_the_same() -> None:
    chance = random.Random(11)
    found: set[str] = set()
    for _ in range(DECISIONS):
        small = chance.random() < 0.7
        variables, speeches = chance.randrange(1, 129), chance.randrange(1, 129 if small else 257)
        if chance.random() < 0.5:
            speeches = chance.randrange(1, 12)
        count = chance.randrange(2, 7)  # of many, who is enough alone is looked for until there are six
        footprints = (abi.Footprint * (FIRST + count))()
        for i in range(count):
            footprints[FIRST + i] = made(chance, variables, speeches)
        options = abi.ReductionOptions(-(-variables // 64), -(-speeches // 64))
        options.harmless[:] = words(some(chance, speeches, chance.choice([0.0, 0.5, 1.0])))
        options.interrupts[:] = words(some(chance, variables, 0.05))
        stand = (ctypes.c_uint16 * 9)()
        for i in range(count):
            stand[chance.randrange(9)] = FIRST + i | WAKES * (chance.random() < 0.1)
        interrupts = ctypes.c_bool(chance.random() < 0.2)
        arguments = ctypes.byref(options), footprints, stand, ctypes.c_uint32(9), interrupts
        forms = ["", "_of_few", "_of_many", *(["_of_small"] if speeches <= 128 else [])]
        decisions = [decided(form, arguments) for form in forms]
        assert all(d == decisions[0] for d in decisions), (variables, speeches, count)
        alone, first, sets = decisions[0] or ([], [], [])
        found |= {what for what, there in (("alone", any(alone)), ("first", any(first)), ("sets", any(sets))) if there}
        found |= {"nobody"} if not decisions[0] else set()
    assert found == {"alone", "first", "sets", "nobody"}
