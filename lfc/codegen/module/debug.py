"""Line tables: which IR comes from which LF line, if they are wanted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lfc.base.source import Span

if TYPE_CHECKING:
    from lfc.actions.model.machine import Body
    from lfc.codegen.module.emit import Function
    from lfc.codegen.module.scope import Scope
    from lfc.codegen.module.unit import Unit


def enter_function(unit: Unit, f: Function, body: Body) -> None:
    """Attaches a subprogram; what comes before the first statement is at the process's name."""
    table = unit.line_table
    if table is None:
        return
    span = home_of(unit, body)
    f.subprogram = table.subprogram(body.name, span)
    f.debug = f" !dbg !{f.subprogram}"
    f.location = f", !dbg !{table.location(f.subprogram, span.source, span)}"


def enter_glue(unit: Unit, f: Function, name: str) -> None:
    """What stands between kernel and bodies comes from no line; without this, bodies inlined here would lose theirs."""
    table = unit.line_table
    if table is not None:
        f.subprogram = table.subprogram(name, home_of(unit, unit.bodies[0]))
        f.debug = f" !dbg !{f.subprogram}"
        f.location = f", !dbg !{table.nowhere(f.subprogram)}"


def home_of(unit: Unit, body: Body) -> Span:
    if body.process is not None:
        return body.process.span
    main = unit.machine.program.main
    return main.span or Span(main.source, 0, 0)


def locate(s: Scope, span: Span) -> None:
    """What is emitted from here on comes from `span`."""
    table = s.unit.line_table
    if table is not None and s.f.subprogram is not None:
        number = table.location(s.f.subprogram, home_of(s.unit, s.body).source, span)
        s.f.location = f", !dbg !{number}"


def module_metadata(unit: Unit) -> list[str]:
    return [] if unit.line_table is None else unit.line_table.metadata()
