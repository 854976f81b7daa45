"""Positions whose action may change what properties ask."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from lfc.actions.analysis.places import AnyPosition, AnySlot, InBlock, PlacesOf
from lfc.actions.analysis.statement_effects import EffectsOf
from lfc.actions.layout.records import reached_by_calls
from lfc.actions.model.machine import Body, Branch, Machine, PropertyMachine
from lfc.mcheck.model.transitions import Step
from lfc.semantics.model import typed
from lfc.semantics.model.visit import subexpressions


def visible_positions(machine: Machine, steps: dict[int, Step], atoms: Sequence[typed.Expr]) -> set[int]:
    places = PlacesOf(machine, EffectsOf(machine).passed, machine.bodies[0])
    asked = [place for atom in atoms for place in places.reads(atom)]
    variables = [p for p in asked if isinstance(p, InBlock)]
    watched = {p.body for p in asked if isinstance(p, AnySlot | AnyPosition)}
    taken = {id(e.message) for atom in atoms for e in subexpressions(atom) if isinstance(e, typed.TakenAtom)}
    found = {n for n, s in steps.items() if any(overlap(w, v) for w in s.writes for v in variables)}
    found |= {n for n, s in steps.items() if any(id(x.message) in taken for x in s.speeches)}
    return found | {n for body in watched for n in positions_that_touch(steps, body)}


def asked_by_processes(watchers: Iterable[PropertyMachine]) -> list[typed.Expr]:
    """The conditions of property processes that have no variables of their own (see `process_automaton`)."""
    ends = (block.end for watcher in watchers for block in watcher.body.blocks)
    return [end.condition for end in ends if isinstance(end, Branch)]


def overlap(a: InBlock, b: InBlock) -> bool:
    return a.offset < b.offset + b.size and b.offset < a.offset + a.size


def positions_that_touch(steps: dict[int, Step], body: Body) -> Iterable[int]:
    """A process's own; those that may meet it, and those that create it."""
    hosted = {body, *reached_by_calls(body)}
    own = [s for s in steps.values() if s.position.body in hosted]
    offered = {x.partner for s in own for x in s.speeches}
    taken = {signal for s in own for signal in s.takes}
    for n, s in steps.items():
        within = any(b in hosted for a in s.answers for b, _ in a.blocks)
        lets_go = any(x.kind in offered for x in s.speeches) or not taken.isdisjoint(s.gives)
        if s.position.body in hosted or body in s.creates or within or lets_go:
            yield n
