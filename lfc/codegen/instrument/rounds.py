"""The bound on rounds of loops and calls in one action, on the host and in the checker."""

from __future__ import annotations

from lfc.base.source import Span
from lfc.codegen.module.before_block import ROUNDS
from lfc.codegen.module.emit import number
from lfc.codegen.module.scope import ENDLESS, Scope

WITHOUT_END = "action without end"


def spend_round(s: Scope, span: Span) -> None:
    """One round less in the budget that lies directly before the state block. A board has a watchdog instead."""
    f = s.f
    if not s.unit.target.bounded_actions:
        s.reserve(ENDLESS, span, WITHOUT_END)
        return
    at = f.op("ptr", f"getelementptr i8, {s.b}, i32 {ROUNDS}")
    left = f.load("i32", at, 4)
    s.check(f.compare("ne", left, number(32, 0)), ENDLESS, span, WITHOUT_END)
    f.store(f.arithmetic("sub", left, number(32, 1)), at, 4)
