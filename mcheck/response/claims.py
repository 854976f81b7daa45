"""What a program claims of its time: properties with bounds, and deadlines of processes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from lfc.actions.model.machine import Machine
from lfc.codegen.expressions.atoms import MOST_ATOMS
from lfc.mcheck.image.check_image import NotChecked
from lfc.mcheck.ltl.atoms import asks_taken, formulas_of
from lfc.mcheck.ltl.formula import TRUE, Formula, Op, bottom_up
from lfc.semantics.model import typed
from lfc.semantics.model.visit import constant_of, statements, subexpressions

ONE_STATE = ("IMPLIES", "IFF")  # temporal operators that are none
FORMS = (
    "ALWAYS p, EVENTUALLY q WITHIN n MS, or ALWAYS (p IMPLIES EVENTUALLY q WITHIN n MS), with p and q about one state"
)


@dataclass(slots=True)
class Claim:
    """Of what holds where `begins`: `comes` within so many milliseconds; None: it holds there itself."""

    name: str
    text: str
    begins: Formula = TRUE
    comes: Formula = TRUE
    milliseconds: int | None = None
    always: bool = True  # else in the first state
    slots: tuple[int, ...] = ()  # of a deadline: the processes that it is of


@dataclass(slots=True)
class Claims:
    found: list[Claim] = field(default_factory=list)
    unknown: list[tuple[str, str]] = field(default_factory=list)  # those of another form: name, and why
    atoms: dict[str, typed.Expr] = field(default_factory=dict)


@dataclass(slots=True)
class _Bounded:
    begins: typed.Expr | None
    comes: typed.Expr
    milliseconds: int | None
    always: bool


def claims_of(machine: Machine, names: tuple[str, ...] = ()) -> Claims:
    """Those with these names; all, if there are none."""
    claims = Claims()
    parts: list[tuple[typed.Property, _Bounded]] = []
    for p in (p for m in machine.program.modules for p in m.properties if not names or p.name in names):
        bounded = None if p.formula is None else _bounded(p.formula)
        if bounded is None:
            claims.unknown.append((p.name, "the board's time is for " + FORMS))
        else:
            parts.append((p, bounded))
    asked = [e for _, b in parts for e in (b.begins, b.comes) if e is not None]
    formulas, claims.atoms = formulas_of(asked)
    if len(claims.atoms) > MOST_ATOMS:
        raise NotChecked(f"the properties ask more than {MOST_ATOMS} different questions: name some with --property")
    left = iter(formulas)
    for p, b in parts:
        begins = TRUE if b.begins is None else next(left)
        claims.found.append(Claim(p.name, _text(p), begins, next(left), b.milliseconds, b.always))
    if not names:
        claims.found += _deadlines(machine, claims)
    return claims


def _text(p: typed.Property) -> str:
    assert p.formula is not None
    span = p.formula.span
    return " ".join(span.source.text[span.start : span.end].split())


def _bounded(e: typed.Expr) -> _Bounded | None:
    """None: it is of another form."""
    always = isinstance(e, typed.Temporal) and e.op == "ALWAYS"
    if always:
        assert isinstance(e, typed.Temporal)
        e = e.left
    begins: typed.Expr | None = None
    if isinstance(e, typed.Temporal) and e.op == "IMPLIES" and _is_within(e.right) and always:
        assert e.right is not None
        begins, e = e.left, e.right
    if _is_within(e):
        assert isinstance(e, typed.Temporal)
        found = _Bounded(begins, e.left, e.milliseconds, always)
    elif always:
        found = _Bounded(None, e, None, True)
    else:
        return None
    asked = [x for x in (found.begins, found.comes) if x is not None]
    return found if all(_of_one_state(x) for x in asked) else None


def _is_within(e: typed.Expr | None) -> bool:
    return isinstance(e, typed.Temporal) and e.op == "WITHIN"


def _of_one_state(e: typed.Expr) -> bool:
    temporal = any(isinstance(x, typed.Temporal) and x.op not in ONE_STATE for x in subexpressions(e))
    return not temporal and not asks_taken(e)


def holds(f: Formula, true: frozenset[str]) -> bool:
    """A formula about one state in which these atoms are true."""
    values: dict[Formula, bool] = {}
    for g in bottom_up(f):
        parts = [values[p] for p in g.parts]
        match g.op:
            case Op.TRUE | Op.FALSE:
                values[g] = g.op is Op.TRUE
            case Op.ATOM:
                values[g] = g.name in true
            case Op.NOT:
                values[g] = not parts[0]
            case Op.AND:
                values[g] = all(parts)
            case Op.OR:
                values[g] = any(parts)
            case Op.IMPLIES:
                values[g] = not parts[0] or parts[1]
            case _:
                assert g.op is Op.IFF
                values[g] = parts[0] == parts[1]
    return values[f]


# --- deadlines ---


def _deadlines(machine: Machine, claims: Claims) -> Iterator[Claim]:
    """Of each process that is created with one."""
    stated: dict[typed.Process, set[int | None]] = {}
    for s in _creations(machine):
        stated.setdefault(s.process, set()).add(None if s.deadline is None else constant_of(s.deadline) or 0)
    for process, deadlines in stated.items():
        name = f"DEADLINE of {process.name}"
        if deadlines == {None}:
            continue
        if len(deadlines) > 1 or None in deadlines or 0 in deadlines:
            claims.unknown.append((name, "its instances have different deadlines, or one that is computed"))
            continue
        slots = tuple(_slots(machine, process))
        (milliseconds,) = deadlines
        text = f"it waits again, or ends, {milliseconds} ms after it has been released"
        yield Claim(name, text, milliseconds=milliseconds, slots=slots)


def _creations(machine: Machine) -> Iterator[typed.CreateProcess]:
    for module in machine.program.modules:
        bodies, waiting = [module.body], list(module.processes)
        while waiting:
            process = waiting.pop()
            bodies.append(process.body)
            waiting += process.nested
        for body in bodies:
            yield from (s for s in statements(body) if isinstance(s, typed.CreateProcess))


def _slots(machine: Machine, process: typed.Process) -> Iterator[int]:
    for layout, _ in machine.parts:
        for r in layout.records:
            if r.body.process is process:
                yield from range(r.first_slot, r.first_slot + r.slots)
