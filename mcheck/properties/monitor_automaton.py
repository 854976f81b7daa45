"""The automaton that a property process is, where it can be read off: states are where its actions end, atoms are the
conditions that it asks.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from lfc.actions.model.machine import (
    Block,
    Branch,
    CannotMove,
    Choose,
    Finish,
    Goto,
    Position,
    PropertyMachine,
    Suspend,
)
from lfc.mcheck.ltl.atoms import asks_taken, formulas_of, is_momentary, may_fault
from lfc.mcheck.ltl.bdd import ALL, NOTHING, Diagrams, TooLarge
from lfc.mcheck.ltl.formula import Formula, Op, bottom_up
from lfc.mcheck.ltl.scc import trim
from lfc.mcheck.ltl.stutter import insensitive_alone
from lfc.mcheck.ltl.tgba import Edge, Graph
from lfc.semantics.model import typed

MOST_WAYS = 2_000  # of all actions together


@dataclass(slots=True)
class ProcessAutomaton:
    graph: Graph
    atoms: dict[str, typed.Expr]  # by name, as in the graph


class NotReadOff(Exception):
    """It has variables of its own, a loop within an action, a CASE, or a condition that could fault."""


def stutters_freely(p: PropertyMachine) -> bool:
    """Whether it is certain that steps which change nothing that the process asks do not matter to it. A `TAKEN` is
    false in such steps."""
    try:
        found = automaton_of_process(p)
    except (NotReadOff, TooLarge):
        return False
    moments = 0
    for i, name in enumerate(found.graph.atoms):
        atom = found.atoms[name]
        if is_momentary(atom):
            moments |= 1 << i
        elif asks_taken(atom):
            return False
    return insensitive_alone(trim(found.graph), moments)


def automaton_of_process(p: PropertyMachine) -> ProcessAutomaton:
    """Raises NotReadOff, TooLarge."""
    if p.body.locals or p.body.formals:
        raise NotReadOff
    branches = [block.end for block in p.body.blocks if isinstance(block.end, Branch)]
    if any(may_fault(b.condition) for b in branches):
        raise NotReadOff
    formulas, atoms = formulas_of([b.condition for b in branches])
    diagrams, names = Diagrams(), list(atoms)
    conditions = {id(b): diagram_of(diagrams, names, f) for b, f in zip(branches, formulas, strict=True)}
    reading = _Reading(diagrams, conditions)
    number: dict[int, int] = {}
    positions: list[Position] = []

    def state(position: Position) -> int:
        if id(position) not in number:
            number[id(position)] = len(positions)
            positions.append(position)
        return number[id(position)]

    state(p.body.start)
    out: list[list[Edge]] = []
    for position in positions:
        assert position.entry is not None
        reading.found = []
        reading.follow(position.entry, ALL, False, [])
        out.append([Edge(label, int(accepts), state(to)) for label, accepts, to in reading.found])
    return ProcessAutomaton(Graph(diagrams, names, 0, out, 1).merged(), atoms)


@dataclass(slots=True)
class _Reading:
    diagrams: Diagrams
    conditions: dict[int, int]  # of branches
    found: list[tuple[int, bool, Position]] = field(default_factory=list)  # of one action
    ways: int = 0

    def follow(self, block: Block, label: int, accepts: bool, before: list[Block]) -> None:
        """All ways from the block to where the action ends, for the valuations of `label`."""
        self.ways += 1
        if block in before or self.ways > MOST_WAYS:
            raise NotReadOff
        for s in block.statements:
            if not isinstance(s, typed.Accept):
                raise NotReadOff
            accepts = True
        here = [*before, block]
        end = block.end
        match end:
            case Goto():
                self.follow(end.target, label, accepts, here)
            case Branch():
                condition = self.conditions[id(end)]
                holds, fails = self.diagrams.both(label, condition), self.diagrams.without(label, condition)
                for inside, to in ((holds, end.then), (fails, end.otherwise)):
                    if inside != NOTHING:
                        self.follow(to, inside, accepts, here)
            case Choose():
                for to in end.branches:
                    self.follow(to, label, accepts, here)
            case Suspend():
                self.found.append((label, accepts, end.position))
            case CannotMove() | Finish():
                pass  # what has ended accepts nothing more
            case _:
                raise NotReadOff


def diagram_of(d: Diagrams, names: list[str], f: Formula) -> int:
    """Of a condition without temporal operators but IMPLIES and IFF."""
    made: dict[Formula, int] = {}
    for g in bottom_up(f):
        parts = [made[p] for p in g.parts]
        match g.op:
            case Op.TRUE | Op.FALSE:
                made[g] = ALL if g.op is Op.TRUE else NOTHING
            case Op.ATOM:
                made[g] = d.is_true(names.index(g.name))
            case Op.NOT:
                made[g] = d.complement(parts[0])
            case Op.AND:
                made[g] = d.both(*parts)
            case Op.OR:
                made[g] = d.either(*parts)
            case Op.IMPLIES:
                made[g] = d.either(d.complement(parts[0]), parts[1])
            case Op.IFF:
                made[g] = d.either(d.both(*parts), d.without(d.complement(parts[0]), parts[1]))
            case _:
                raise NotReadOff
    return made[f]
