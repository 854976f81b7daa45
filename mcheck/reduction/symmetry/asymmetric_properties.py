"""Which properties tell instances or channels apart that symmetry exchanges, so that they need a search without it."""

from __future__ import annotations

from collections.abc import Sequence

from lfc.actions.model.machine import Machine, RecordLayout
from lfc.mcheck.model.fairness import Fair
from lfc.mcheck.request.property import Watch
from lfc.semantics.model import typed
from lfc.semantics.model.types import is_port
from lfc.semantics.model.visit import subexpressions


def telling_apart(machine: Machine, watched: Watch, fair: Sequence[Fair]) -> dict[str, str]:
    """By name of the property, why it does. What the others ask is the same in states that can be exchanged."""
    unfair = why_fairness_tells(machine, fair)
    found = {}
    for w in watched.properties:
        why = unfair
        if w.automaton is None:
            why = "is a monitor process, which may observe any instance"
        for n in w.atoms:
            why = why or why_atom_tells(machine, watched.atoms[n])
        if why:
            found[w.of.name] = why
    return found


def why_fairness_tells(machine: Machine, fair: Sequence[Fair]) -> str:
    """Whoever is the only one of its kind keeps its slot."""
    for r in machine.records:
        if r.slots > 1 and any(r.first_slot <= f.slot < r.first_slot + r.slots for f in fair):
            return f"assumes fairness for each `{name_of(r)}`"
    return ""


def why_atom_tells(machine: Machine, atom: typed.Expr) -> str:
    ports_of_taken = {id(x.port) for x in subexpressions(atom) if isinstance(x, typed.TakenAtom)}
    for x in subexpressions(atom):
        if id(x) in ports_of_taken:
            if not (isinstance(x, typed.VariableRef) and x.variable in machine.constant_ports):
                return "refers to a channel that is not fixed"
        elif is_port(x.type):
            return "refers to ports"
        elif isinstance(x, typed.SlotVariable | typed.StatusAtom) and not is_of_all(x):
            r = machine.record_of(x.process)
            if r is not None and r.slots > 1:
                return f"refers to one of several `{name_of(r)}`"
    return ""


def is_of_all(e: typed.SlotVariable | typed.StatusAtom) -> bool:
    return isinstance(e, typed.StatusAtom) and e.status == "ENDED"


def name_of(r: RecordLayout) -> str:
    return r.body.name if r.body.process is None else r.body.process.name
