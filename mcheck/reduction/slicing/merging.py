"""Points that pass and at which nobody need stop: what the process has done since it could last stop, only it has seen,
so it may as well do it later (Lipton, Reduction: A method of proving properties of parallel programs, CACM 1975)."""

from __future__ import annotations

from lfc.mcheck.reduction.slicing.dependence import Kept, Merged, is_same_object
from lfc.semantics.checks.accesses import accesses
from lfc.semantics.model import typed
from lfc.semantics.model.typed import Process, Variable, VariableKind
from lfc.semantics.model.types import OpenArrayType
from lfc.semantics.model.visit import COMPUTING, bodies, expressions_of, functions_called, root_variable


def merge(kept: Kept) -> None:
    """What merges leaves `statements` and `passing`."""
    stay = [s for s in kept.all_statements if id(s) in kept.statements]
    called = {s.process for s in stay if isinstance(s, typed.CallProcess)}
    lent = variables_lent(stay)
    for p in kept.reached:
        if p in called or p.external or p.nested:
            continue
        own = {v for v in (*p.locals, *p.formals) if v not in lent and belongs_to(v, p)}
        merge_in(kept, p, own)


def merge_in(kept: Kept, p: Process, own: set[Variable]) -> None:
    """In the statements of its body, not of those inside: `unseen` while what was done since `anchor` is its own."""
    unseen, anchor = True, None
    for s in p.body:
        if id(s) not in kept.statements:
            continue
        if id(s) in kept.passing:
            if unseen:
                kept.merged[id(s)] = Merged(s, p, anchor)
                kept.statements.discard(id(s))
                del kept.passing[id(s)]
            else:
                unseen, anchor = True, s
        elif isinstance(s, typed.Reschedule):
            unseen, anchor = True, s
        elif not is_its_own(s, own, kept):
            unseen = False


def variables_lent(stay: list[typed.Statement]) -> set[Variable | None]:
    """What somebody else may know by another name."""
    given = [a for s in stay if isinstance(s, typed.CallProcess | typed.CreateProcess) for a in s.arguments]
    return {root_variable(a.value) for a in given if is_same_object(a.formal)}


def belongs_to(v: Variable, p: Process) -> bool:
    plain = v.kind in (VariableKind.LOCAL, VariableKind.VALUE, VariableKind.LIMIT)
    return plain and v.owner is p and not v.outside and not isinstance(v.type, OpenArrayType)


def is_its_own(s: typed.Statement, own: set[Variable], kept: Kept) -> bool:
    """With all inside that stays."""
    if not isinstance(s, COMPUTING) or functions_called(expressions_of(s)):
        return False
    if any(a.variable not in own for a in accesses(s)):
        return False
    return all(is_its_own(x, own, kept) for body in bodies(s) for x in body if id(x) in kept.statements)
