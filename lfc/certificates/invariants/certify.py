"""Makes a certificate of an invariant: the boxes of a search over sets of values, widened where they grow."""

from __future__ import annotations

import time
from collections.abc import Iterator

from lfc.actions.as_data import composition_digest
from lfc.actions.model.machine import Machine
from lfc.certificates.certify import NotCertified
from lfc.certificates.invariants.form import STANDS, Invariant, Listed, Never
from lfc.certificates.invariants.progress import LOST, Monitor, NoMonitor, monitor_of
from lfc.certificates.tableau import MeasuresTime
from lfc.certificates.verify import formula_named
from lfc.mcheck.counterexample.doubts import CLOCK_READ
from lfc.mcheck.ltl.automaton import Automaton, Kind, Transition
from lfc.mcheck.ltl.scc import Strength
from lfc.mcheck.request.request import Request
from lfc.mcheck.symbolic.execution.decode import NotDecoded
from lfc.mcheck.symbolic.explore import Exploration, Limits, SymbolicProgram
from lfc.mcheck.symbolic.induction.prove import Proof, proof_of
from lfc.mcheck.symbolic.normal_form import Shape
from lfc.mcheck.symbolic.properties.letters import AtomFaults
from lfc.mcheck.symbolic.properties.product import Product
from lfc.mcheck.symbolic.values.preimages import TooMany
from lfc.mcheck.symbolic.values.terms import SYMBOL
from lfc.semantics.model.visit import reads_clock

SECONDS = 60.0


def certify_invariant(machine: Machine, request: Request) -> Invariant:
    """Of all states, also with what nothing reads any more. Raises NotCertified."""
    begin, allowed = time.monotonic(), request.claims.allow_deadlocks
    limits = Limits(request.limits.seconds or SECONDS, allow_deadlocks=allowed, may_widen=True, may_solve=False)
    limits.goes_on, limits.confirms = True, lambda _: False
    try:
        program = SymbolicProgram(machine, request.world, lambda _: [])
        program.normaliser.forgets = True  # boxes are all that a certificate lists
        found = Exploration(program, limits)
        found.run()
    except (TooMany, NotDecoded) as why:
        raise NotCertified(str(why)) from None
    return written(machine, request, found, time.monotonic() - begin)


def certify_property(machine: Machine, request: Request, name: str) -> Invariant:
    """That no run violates it, of a formula whose violations have prefixes that tell. Raises NotCertified."""
    begin = time.monotonic()
    limits = Limits(request.limits.seconds or SECONDS, allow_deadlocks=True, may_widen=True, may_solve=False)
    limits.goes_on, limits.confirms = True, lambda _: False
    try:
        monitor = monitor_of(formula_named(machine, name))
        if any(map(reads_clock, monitor.atoms)):
            raise NotCertified("it reads the clock")
        program = SymbolicProgram(machine, request.world, lambda _: [], monitor.atoms)
        program.normaliser.forgets = True
        found = Product(program, limits, automaton_of(monitor), monitor.atoms)
        found.run()
    except (TooMany, NotDecoded, NoMonitor) as why:
        raise NotCertified(str(why)) from None
    except MeasuresTime:
        raise NotCertified("it measures time (WITHIN, FOR)") from None
    except AtomFaults:
        raise NotCertified("the formula faults for some values") from None
    made = written(machine, request, found, time.monotonic() - begin)
    if made.k > 1:
        raise NotCertified("the proof takes induction over several steps")
    made.property = name
    return made


def automaton_of(monitor: Monitor) -> Automaton:
    """The last state is that of violations."""
    lost, every = len(monitor.after), monitor.letters - 1
    transitions = []
    for q, row in enumerate(monitor.after):
        for target in sorted(set(row)):
            cubes = tuple((letter, every & ~letter) for letter, to in enumerate(row) if to == target)
            transitions.append(Transition(q, lost if target == LOST else target, 0, cubes))
    atoms = tuple(f"a{i}" for i in range(len(monitor.atoms)))
    strength = (*([Strength.REJECTING] * lost), Strength.TERMINAL)
    components = tuple(range(lost + 1))
    return Automaton(atoms, lost + 1, 0, tuple(transitions), 0, False, components, strength, Kind.OTHER, False)


def written(machine: Machine, request: Request, found: Exploration, seconds: float) -> Invariant:
    """Raises NotCertified."""
    if not found.complete:
        raise NotCertified(f"the boxes were not complete after {seconds:.0f} seconds")
    if found.assumed & CLOCK_READ:
        raise NotCertified(STANDS)
    proof = proof_of(found) if found.possible else None
    if found.possible and proof is None:
        raise NotCertified("with ranges and induction an error is not ruled out")
    shapes = [listed(shape, of.known) for shape, of in found.of_shape.items()]
    allowed = found.limits.allow_deadlocks
    made = Invariant(composition_digest(machine).hex(), list(request.world.assume), allowed, shapes)
    if proof is not None:
        made.k, made.never = proof.k, list(never(proof))
    return made


def never(proof: Proof) -> Iterator[Never]:
    at = {x.number: x.shape for x in proof.system.locations.values()}
    for lemma in proof.lemmas:
        shape = at[lemma.location]
        places = tuple((offset, size) for offset, size, _ in shape.runs)
        yield Never(shape.explicit, places, list(lemma.cube), shape.beside)


def listed(shape: Shape, boxes: list[tuple[tuple[tuple[int, int], ...], ...]]) -> Listed:
    if shape.conditions:
        raise NotCertified("values depend on each other")
    runs = []
    for offset, size, t in shape.runs:
        if t.op != SYMBOL or t.width != 8 * size:
            raise NotCertified("a variable holds a term, and no value of its own")
        number = t.args[0]
        assert isinstance(number, int)
        runs.append((offset, size, number))
    return Listed(shape.explicit, runs, [[list(s) for s in b] for b in boxes], shape.beside)
