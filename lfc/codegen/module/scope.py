"""What an expression or statement is compiled in: the function, the body, and how a failed check leaves."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from lfc.codegen.module.emit import Value, number
from lfc.semantics.model.types import BooleanType, SubrangeType, size_and_signedness

if TYPE_CHECKING:
    from lfc.actions.model.machine import Body
    from lfc.base.source import Span
    from lfc.codegen.module.emit import Function
    from lfc.codegen.module.unit import Unit
    from lfc.semantics.model.typed import Variable
    from lfc.semantics.model.types import Type

INDEX, RANGE, OVERFLOW, DIVISION, CASE, ASSERT, PORT, PROCESSES, CHANNELS, CALLS, ELEMENT, ENDLESS, ENVIRONMENT = range(
    1, 14
)
FAULTED = 1 << 31  # in what a function or a step of a property tells: kind and site are below it
EFFECT = 14  # C has written what is not declared


@dataclass(slots=True)
class Scope:
    unit: Unit
    f: Function
    body: Body
    b: Value = field(default_factory=lambda: Value("ptr", "%b"))
    frame: Value = field(default_factory=lambda: Value("ptr", "%frame"))
    places: dict[Variable, Value] = field(default_factory=dict)  # variables on the stack, VAR formals of a function
    parts: dict[Variable, Value] = field(
        default_factory=dict
    )  # of variables that may keep a part of an input; see input_splitting.py
    lengths: dict[Variable, Value] = field(default_factory=dict)  # of open array formals of a function, flag included
    kept: dict[int, int] = field(default_factory=dict)  # received targets that an attempt keeps on the stack, by id
    on_fault: str | None = None  # label to go to instead of a fault: while a guard is tried
    checks: int = 0  # how many checks were compiled
    live: Value | None = None  # chain of ports on the stack, for NEW
    of_property: bool = False  # it reads, and asks no policy

    def fail(
        self,
        kind: int,
        span: Span,
        text: str,
        first: Value | None = None,
        second: Value | None = None,
        unsigned: bool = False,
    ) -> None:
        """Ends the block with a fault."""
        if self.on_fault is not None:
            self.f.branch(self.on_fault)
            return
        site = self.unit.site(kind, span, text, unsigned)
        zero = number(32, 0)
        self.f.call(
            "void",
            "@lf_fault",
            [self.b, number(8, kind), number(16, site), first or zero, second or zero],
            " #1",
        )
        self.f.end("unreachable")

    @property
    def tries(self) -> bool:
        """A fault here is no end of the run."""
        return self.on_fault is not None or self.of_property

    def pass_on(self, fault: Value) -> None:
        """Ends the block with the fault of a function that was tried."""
        assert self.on_fault is not None
        self.f.branch(self.on_fault)

    def reserve(self, kind: int, span: Span, text: str) -> None:
        """A check that only other targets need: the sites after it have the same numbers on all."""
        if self.on_fault is None:
            self.unit.site(kind, span, text)

    def check(
        self,
        good: Value,
        kind: int,
        span: Span,
        text: str,
        first: tuple[Value, bool] | None = None,
        second: tuple[Value, bool] | None = None,
    ) -> None:
        """A fault unless `good`. The values are given with their signedness."""
        if good.ref == "true":
            return
        self.checks += 1
        f = self.f
        ok, bad = f.label_name("ok"), f.label_name("bad")
        if good.ref == "false":
            f.branch(bad)
        else:
            f.end(f"br {good}, label %{ok}, label %{bad}, !prof !0")
        f.label(bad)
        a = f.widen(first[0], 32, first[1]) if first else None
        c = f.widen(second[0], 32, second[1]) if second else None
        self.fail(kind, span, text, a, c, unsigned=first is not None and not first[1])
        f.label(ok)


def stored_bits(t: Type) -> int:
    """Bits of the scalar as it lies in memory."""
    return 8 * size_and_signedness(t)[0]


def value_type(t: Type) -> str:
    """IR type of a scalar in a register."""
    return "i1" if isinstance(t, BooleanType) else f"i{stored_bits(t)}"


def is_signed(t: Type) -> bool:
    return size_and_signedness(t)[1]


def base_type(t: Type) -> Type:
    return t.base if isinstance(t, SubrangeType) else t
