"""Paths of an action, and what expressions are worth on them: terms over the state in which the action began."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from lfc.actions.model.machine import Body, Machine, RecordLayout
from lfc.mcheck.exports.terms import FALSE, TRUE, Const, Term, Var, both, choose, either, no, op
from lfc.semantics.model import typed
from lfc.semantics.model import types as ty


class NotExported(Exception):
    """Says what the program has that the export does not know."""


@dataclass(slots=True)
class Path:
    guard: Term
    env: dict[str, Term]  # what has changed


@dataclass(slots=True)
class Slot:
    record: RecordLayout
    number: int

    @property
    def body(self) -> Body:
        return self.record.body

    @property
    def pc(self) -> str:
        return f"pc_{self.number}"

    def name(self, v: typed.Variable) -> str:
        return f"{plain(v.name)}__{self.number}_{id_of(self.body, v)}"

    def wait(self, what: str, clause: int, i: int = 0) -> str:
        return f"{what}_{self.number}_{clause}_{i}"


def plain(name: str) -> str:
    return "".join(c if c.isalnum() else "_" for c in name)


def id_of(body: Body, v: typed.Variable) -> int:
    return [*body.formals, *body.locals].index(v)


class Expressions:
    machine: Machine

    def module_name(self, v: typed.Variable) -> str:
        owner = v.owner.name if isinstance(v.owner, typed.Module) else "m"
        return f"{plain(owner)}_{plain(v.name)}"

    def name(self, slot: Slot, v: typed.Variable) -> str:
        if v in self.machine.layout.variables:
            return self.module_name(v)
        if v in slot.body.formals or v in slot.body.locals:
            return slot.name(v)
        raise NotExported(f"`{v.name}` is a device register, or a variable of a process around another")

    def must(self, path: Path, holds: Term) -> Iterator[Path]:
        if path.env.get("fault") == TRUE:
            yield path
            return
        good, bad = where(path, holds), where(path, no(holds))
        if bad.guard != FALSE:
            yield faulted(bad)
        if good.guard != FALSE:
            yield good

    def value(self, slot: Slot, e: typed.Expr, path: Path) -> Iterator[tuple[Path, Term]]:
        """Paths on which it has a value, and those on which it is a fault."""
        if path.env.get("fault") == TRUE:
            yield path, FALSE
            return
        match e:
            case typed.Constant(value=int(number)):
                yield path, Const(number)
            case typed.VariableRef():
                name = self.name(slot, e.variable)
                yield path, path.env.get(name, Var(name))
            case typed.IndexRef(base=typed.VariableRef()):
                yield from self.element(slot, e, path)
            case typed.Logical():
                yield from self.logical(slot, e, path)
            case typed.Unary(op="~"):
                for p, t in self.value(slot, e.operand, path):
                    yield p, no(t)
            case typed.Unary(op="-"):
                for p, t in self.value(slot, e.operand, path):
                    yield from self.fitted(op("-", FALSE, t), e.type, p, "-", FALSE, t)
            case typed.Relation():
                if not isinstance(e.left.type, SCALARS):
                    raise NotExported("arrays, texts or sets are compared")
                for p, a in self.value(slot, e.left, path):
                    for q, b in self.value(slot, e.right, p):
                        yield q, op(e.op, a, b)
            case typed.Binary():
                for p, a in self.value(slot, e.left, path):
                    for q, b in self.value(slot, e.right, p):
                        yield from self.computed(e, a, b, q)
            case typed.Convert():
                for p, t in self.value(slot, e.operand, path):
                    low, high = ty.scalar_range(e.type)
                    if e.checked:
                        for q in self.must(p, both(op(">=", t, Const(low)), op("<=", t, Const(high)))):
                            yield q, t
                    else:
                        yield p, t
            case _:
                raise NotExported(f"{slot.body.name} computes with what is not known, line {e.span.line}")

    def element(self, slot: Slot, e: typed.IndexRef, path: Path) -> Iterator[tuple[Path, Term]]:
        assert isinstance(e.base, typed.VariableRef)
        if not isinstance(e.base.type, ty.ArrayType) or isinstance(e.type, ty.ArrayType):
            raise NotExported("arrays of arrays are read")
        base = self.name(slot, e.base.variable)
        for p, i in self.index(slot, e, path):
            found: Term = FALSE
            for n in reversed(range(e.base.type.length)):
                name = f"{base}_{n}"
                here = p.env.get(name, Var(name))
                found = here if n == e.base.type.length - 1 else choose(op("=", i, Const(n)), here, found)
            yield p, found

    def index(self, slot: Slot, e: typed.IndexRef, path: Path) -> Iterator[tuple[Path, Term]]:
        assert isinstance(e.base.type, ty.ArrayType)
        for p, i in self.value(slot, e.index, path):
            for q in self.must(p, both(op(">=", i, FALSE), op("<", i, Const(e.base.type.length)))):
                yield q, i

    def logical(self, slot: Slot, e: typed.Logical, path: Path) -> Iterator[tuple[Path, Term]]:
        """The right side only where it is needed; apart only if it may be a fault there."""
        stops = e.op == "OR"
        for p, a in self.value(slot, e.left, path):
            if p.env.get("fault") == TRUE:
                yield p, FALSE
                continue
            on = where(p, no(a) if stops else a)
            right = list(self.value(slot, e.right, on)) if on.guard != FALSE else []
            if len(right) == 1 and right[0][0].guard == on.guard:
                b = right[0][1]
                yield p, either(a, b) if stops else both(a, b)
                continue
            done = where(p, a if stops else no(a))
            if done.guard != FALSE:
                yield done, TRUE if stops else FALSE
            yield from right

    def computed(self, e: typed.Binary, a: Term, b: Term, path: Path) -> Iterator[tuple[Path, Term]]:
        if path.env.get("fault") == TRUE:
            yield path, FALSE
        elif e.op in ("+", "-"):
            yield from self.fitted(op(e.op, a, b), e.type, path, e.op, a, b)
        elif e.op == "*" and isinstance(e.type, ty.IntegerType) and e.type.size < 4:
            yield from self.fitted(op("*", a, b), e.type, path, "*", a, b)
        elif e.op in ("DIV", "MOD") and isinstance(b, Const) and b.value > 0:
            yield path, op(e.op, a, b)
        elif isinstance(a, Const) and isinstance(b, Const) and e.op == "*":
            yield from self.fitted(op("*", a, b), e.type, path, "*", a, b)
        else:
            raise NotExported(f"`{e.op}` of variables of 4 bytes, or division by a variable, line {e.span.line}")

    def fitted(self, t: Term, to: ty.Type, path: Path, operator: str, a: Term, b: Term) -> Iterator[tuple[Path, Term]]:
        """A result in its type: unsigned numbers wrap, all others fault beyond their bounds."""
        if path.env.get("fault") == TRUE:
            yield path, t
            return
        low, high = ty.scalar_range(to)
        if isinstance(to, ty.IntegerType) and not to.signed:
            yield path, op("MOD", t, Const(high + 1))
            return
        if high - low < 1 << 31:
            fits = both(op(">=", t, Const(low)), op("<=", t, Const(high)))
        else:  # 32 bits: before it is computed
            up = b if operator == "+" else op("-", FALSE, b)
            if not isinstance(up, Const):
                fits = fits_in_32(operator, a, b)
            elif up.value >= 0:
                fits = op("<=", a, Const(high - up.value))
            else:
                fits = op(">=", a, Const(low - up.value))
        for q in self.must(path, fits):
            yield q, t


SCALARS = (ty.IntegerType, ty.BooleanType, ty.CharType, ty.SubrangeType, ty.EnumerationType, ty.ChannelType)


def where(path: Path, t: Term) -> Path:
    return replace(path, guard=both(path.guard, t))


def faulted(path: Path) -> Path:
    return Path(path.guard, {**path.env, "fault": TRUE})


def fits_in_32(operator: str, a: Term, b: Term) -> Term:
    low, high = Const(-(1 << 31)), Const((1 << 31) - 1)
    if operator == "+":
        over = both(op(">", b, FALSE), op(">", a, op("-", high, b)))
        under = both(op("<", b, FALSE), op("<", a, op("-", low, b)))
    else:
        over = both(op("<", b, FALSE), op(">", a, op("+", high, b)))
        under = both(op(">", b, FALSE), op("<", a, op("+", low, b)))
    return no(either(over, under))


def scalars_of(name: str, t: ty.Type) -> Iterator[tuple[str, ty.Type]]:
    if isinstance(t, ty.ArrayType):
        for i in range(t.length):
            yield from scalars_of(f"{name}_{i}", t.element)
    else:
        yield name, t


def parts_of(name: str, t: ty.Type) -> list[str]:
    return [n for n, _ in scalars_of(name, t)]
