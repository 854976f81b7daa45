"""Positions whose action is never done by less than all, so that fair runs stay fair in another order of steps.

Who is ready stays so until it acts, so a run is fair to a process, or to actions of it, if the process does not stay
ready for ever. That does not depend on the order of steps that have nothing to do with each other. What could change
it is a step that the run does not have: one of somebody who is not treated fairly and stays ready for ever. Such a
step is put in only where it can let go nobody who is treated fairly. Whether a communication can come depends on more,
so whatever may change that counts as visible.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from lfc.actions.model.machine import Machine, RecordLayout
from lfc.mcheck.model.fairness import Fair, bodies_of
from lfc.mcheck.model.transitions import Step
from lfc.mcheck.reduction.por.visibility import overlap, positions_that_touch


def positions_of_fairness(machine: Machine, steps: dict[int, Step], fair: Sequence[Fair]) -> set[int]:
    of_actions = [f for f in fair if f.resumes is None]
    of_communications = [f for f in fair if f.resumes is not None]
    found = positions_that_may_be_put_in(machine, steps, of_actions)
    return found | positions_that_communications_see(machine, steps, of_communications)


def positions_that_may_be_put_in(machine: Machine, steps: dict[int, Step], fair: Sequence[Fair]) -> set[int]:
    """Of somebody who may stay ready for ever in a fair run, and may let go who may not, or come there itself."""
    treated = [r for r in machine.records if any(is_of(f, r) for f in fair)]
    in_part = [r for r in treated if any(is_of(f, r) and f.begins is not None for f in fair)]
    found = {n for r in treated for n in positions_that_meet(steps, r)}
    found |= {n for r in in_part for n, s in steps.items() if is_hosted(s, r)}
    return {n for n in found if not acts_in_time(machine, steps[n], fair)}


def acts_in_time(machine: Machine, step: Step, fair: Sequence[Fair]) -> bool:
    """In a fair run nobody stays there for ever who can act."""
    records = [r for r in machine.records if is_hosted(step, r)]
    return all(any(covers(f, slot, step.number) for f in fair) for r in records for slot in slots_of(r))


def covers(f: Fair, slot: int, position: int) -> bool:
    return f.slot == slot and (f.begins is None or position in f.begins)


def positions_that_meet(steps: dict[int, Step], record: RecordLayout) -> Iterator[int]:
    """Where somebody may communicate with such a process, now or when it comes there, or creates one."""
    offered = {x.partner for s in steps.values() if is_hosted(s, record) for x in s.speeches}
    for n, s in steps.items():
        if record.body in s.creates or any(x.kind in offered for x in s.speeches):
            yield n


def positions_that_communications_see(machine: Machine, steps: dict[int, Step], fair: Iterable[Fair]) -> set[int]:
    """All steps of those who may take part, of those who may meet these, and whatever changes what these read."""
    found: set[int] = set()
    for f in fair:
        own = next(r for r in machine.records if is_of(f, r))
        with_whom = {
            e.speech.partner
            for s in steps.values()
            if is_hosted(s, own)
            for e in s.edges
            if e.speech is not None and f.resumes is not None and e.to in f.resumes
        }
        partners = {s.position.body for s in steps.values() if any(x.kind in with_whom for x in s.speeches)}
        concerned = [r for r in machine.records if r is own or partners & set(bodies_of(r))]
        read = [p for s in steps.values() if any(is_hosted(s, r) for r in concerned) for p in s.reads]
        found |= {n for r in concerned for n in positions_that_touch(steps, r.body)}
        found |= {n for n, s in steps.items() if any(overlap(w, p) for w in s.writes for p in read)}
    return found


def is_of(f: Fair, record: RecordLayout) -> bool:
    return f.slot in slots_of(record)


def slots_of(record: RecordLayout) -> range:
    return range(record.first_slot, record.first_slot + record.slots)


def is_hosted(step: Step, record: RecordLayout) -> bool:
    return step.position.body in bodies_of(record)
