"""Makes a certificate of an invariant: the boxes of a search over sets of values, widened where they grow."""

from __future__ import annotations

import time
from collections.abc import Iterator

from lfc.actions.as_data import composition_digest
from lfc.actions.model.machine import Machine
from lfc.certificates.certify import NotCertified
from lfc.certificates.invariants.form import Invariant, Listed, Never
from lfc.mcheck.request.request import Request
from lfc.mcheck.symbolic.execution.decode import NotDecoded
from lfc.mcheck.symbolic.explore import Exploration, Limits, SymbolicProgram
from lfc.mcheck.symbolic.induction.prove import Proof, proof_of
from lfc.mcheck.symbolic.normal_form import Shape
from lfc.mcheck.symbolic.values.preimages import TooMany
from lfc.mcheck.symbolic.values.terms import SYMBOL

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
    if not found.complete:
        raise NotCertified(f"the boxes were not complete after {time.monotonic() - begin:.0f} seconds")
    proof = proof_of(found) if found.possible else None
    if found.possible and proof is None:
        raise NotCertified("with ranges and induction an error is not ruled out")
    shapes = [listed(shape, of.known) for shape, of in found.of_shape.items()]
    made = Invariant(composition_digest(machine).hex(), list(request.world.assume), allowed, shapes)
    if proof is not None:
        made.k, made.never = proof.k, list(never(proof))
    return made


def never(proof: Proof) -> Iterator[Never]:
    at = {x.number: x.shape for x in proof.system.locations.values()}
    for lemma in proof.lemmas:
        shape = at[lemma.location]
        yield Never(shape.explicit, tuple((offset, size) for offset, size, _ in shape.runs), list(lemma.cube))


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
    return Listed(shape.explicit, runs, [[list(s) for s in b] for b in boxes])
