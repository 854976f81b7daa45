"""PROCEDUREs without an effect: functions with a value, each made where something calls it.

Where a fault is no end (in a guard, in a property), another one is called that tells its caller of the fault.
"""

from __future__ import annotations

from lfc.actions.flow.functions import function_body
from lfc.base.source import Span
from lfc.codegen.bodies.body import bind_formals, compile_blocks, make_locals
from lfc.codegen.bodies.calls import parameter_types
from lfc.codegen.module.debug import enter_function
from lfc.codegen.module.emit import Function, Value, number, pass_argument
from lfc.codegen.module.scope import FAULTED, Scope, value_type
from lfc.codegen.module.unit import Unit
from lfc.semantics.model.typed import Process

FAULT = Value("ptr", "%fault")


class TriedScope(Scope):
    def fail(
        self,
        kind: int,
        span: Span,
        text: str,
        first: Value | None = None,
        second: Value | None = None,
        unsigned: bool = False,
    ) -> None:
        """The caller is told."""
        site = self.unit.site(kind, span, text, unsigned)
        self.pass_on(number(32, FAULTED | kind << 16 | site))

    @property
    def tries(self) -> bool:
        return True

    def pass_on(self, fault: Value) -> None:
        assert self.body.process is not None and self.body.process.result is not None
        self.f.store(fault, FAULT, 4)
        self.f.end(f"ret {value_type(self.body.process.result.type)} 0")


def add_functions(unit: Unit) -> None:
    """All that have been asked for, and what these ask for."""
    made = len(unit.functions_made)
    while made < len(unit.functions_asked):
        process, tried = list(unit.functions_asked)[made]
        unit.functions_made.append(process)
        made += 1
        _function(unit, process, tried, unit.functions_asked[process, tried])


def _function(unit: Unit, process: Process, tried: bool, symbol: str) -> None:
    body = function_body(unit.machine, process)
    assert process.result is not None and body.entry is not None
    parameters = ["ptr %b"] + [pass_argument(Value(t, f"%p{i}")) for i, t in enumerate(parameter_types(body))]
    result = value_type(process.result.type)
    extension = "zeroext " if result in ("i1", "i8", "i16") else ""
    signature = f"internal {extension}{result} {symbol}({', '.join([*parameters, *([str(FAULT)] if tried else [])])})"
    f = Function(unit.target, signature)
    enter_function(unit, f, body)
    s = TriedScope(unit, f, body) if tried else Scope(unit, f, body)
    bind_formals(s, body)
    make_locals(s, body)
    labels = {id(block): f"b{block.number}" for block in body.blocks}
    f.branch(labels[id(body.entry)])
    compile_blocks(s, labels, {})
    unit.add(f)
