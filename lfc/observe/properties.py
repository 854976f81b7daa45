"""The properties of a program as judges of its runs, and what their atoms say of a step."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from lfc.actions.model.machine import Machine
from lfc.certificates.letters import Letters
from lfc.codegen.expressions.atoms import MOST_ATOMS
from lfc.mcheck.ltl.atoms import formula_of
from lfc.mcheck.ltl.automaton import Automaton, Kind, as_automaton
from lfc.mcheck.ltl.bdd import TooLarge
from lfc.mcheck.ltl.scc import trim
from lfc.mcheck.ltl.translate import translate
from lfc.mcheck.properties.lasso import short
from lfc.mcheck.properties.monitor_automaton import NotReadOff, automaton_of_process
from lfc.observe.judge import Followed, Judge, Outlook
from lfc.semantics.model import typed
from lfc.trace.items import Item


@dataclass(slots=True)
class Watched:
    """`left_out`: properties that cannot be watched, with the reason."""

    machine: Machine
    judges: list[Judge] = field(default_factory=list)
    atoms: list[typed.Expr] = field(default_factory=list)
    names: list[str] = field(default_factory=list)  # of the atoms
    left_out: dict[str, str] = field(default_factory=dict)
    letters: Letters | None = None
    known: int | None = None  # the last letter

    def add(self, p: typed.Property) -> None:
        try:
            satisfying, violating, atoms = self.automata(p)
        except NotReadOff:
            self.left_out[p.name] = "it has variables or loops of its own"
        except TooLarge:
            self.left_out[p.name] = "its automaton is too large"
        except MeasuresTime:
            self.left_out[p.name] = "it measures time"
        else:
            new = [(name, e) for name, e in atoms.items() if e not in self.atoms]
            if len(self.atoms) + len(new) > MOST_ATOMS:
                self.left_out[p.name] = f"the properties have more than {MOST_ATOMS} atoms together"
                return
            self.names += [name for name, _ in new]
            self.atoms += [e for _, e in new]
            places = [self.atoms.index(atoms[name]) for name in violating.atoms]
            followed = None if satisfying is None else Followed(satisfying)
            self.judges.append(Judge(p.name, places, Followed(violating), followed))

    def automata(self, p: typed.Property) -> tuple[Automaton | None, Automaton, dict[str, typed.Expr]]:
        """Raises NotReadOff, TooLarge, MeasuresTime."""
        if p.formula is None:
            found = automaton_of_process(next(m for m in self.machine.properties if m.of is p))
            return None, as_automaton(trim(found.graph), Kind.OTHER, False), found.atoms
        of = formula_of(p.formula)
        if of.timers:
            raise MeasuresTime
        both = translate(of.formula)
        return both.automaton(), both.automaton(negated=True), of.atoms

    def compile(self) -> None:
        self.letters = Letters(self.machine, self.atoms)
        if self.letters.generated.properties_read_clock:
            clocked = [j.name for j in self.judges]
            self.left_out |= {name: "the properties read the clock" for name in clocked}
            self.judges = []

    def begin(self) -> list[Judge]:
        """A run begins. Which are decided at once."""
        self.known = None
        for j in self.judges:
            j.begin()
        return [j for j in self.judges if j.outlook is not Outlook.OPEN]

    def be_anywhere(self) -> None:
        self.known = None
        for j in self.judges:
            j.be_anywhere()

    def step(self, before: bytes, items: Sequence[Item], after: bytes) -> list[Judge]:
        """Which are decided by this step. Of a formula with an atom that faults nothing more is said."""
        assert self.letters is not None
        letter, faults = self.letters.letter(after, self.letters.taken(before, items))
        self.leave_faulty(faults)
        return self._decided(letter, lambda j: j.step(letter))

    def end(self, block: bytes) -> list[Judge]:
        """The run has ended in this state, and stays there."""
        assert self.letters is not None
        letter, faults = self.letters.letter(block, 0)
        self.leave_faulty(faults)
        return self._decided(letter, lambda j: j.end(letter))

    def _decided(self, letter: int, what: object) -> list[Judge]:
        assert callable(what)
        open_ones = [j for j in self.judges if j.outlook is Outlook.OPEN]
        for j in open_ones:
            what(j)
        self.known = letter
        return [j for j in open_ones if j.outlook is not Outlook.OPEN]

    def leave_faulty(self, faults: int) -> None:
        for j in list(self.judges):
            if any(faults >> place & 1 for place in j.places):
                self.left_out[j.name] = "evaluating it faults in a state of the board"
                self.judges.remove(j)

    def said(self, j: Judge) -> str:
        """What its atoms say now."""
        known = self.known or 0
        return ", ".join(f"{'' if known >> at & 1 else '~'}{short(self.names[at])}" for at in j.places)


class MeasuresTime(Exception):
    """A record of steps says nothing of time."""


def watched_of(machine: Machine, only: Sequence[str]) -> Watched:
    """The properties of all modules, or those of these names."""
    found = Watched(machine)
    for module in machine.program.modules:
        for p in module.properties:
            if not only or p.name in only:
                found.add(p)
    found.compile()
    return found
