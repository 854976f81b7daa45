"""Reports what the machine has no room for."""

from __future__ import annotations

from collections.abc import Sequence

from lfc.actions.layout.frames import MOST_CLOSABLE, place_of_variable
from lfc.actions.model.machine import Body, Choose, Machine, RecordLayout
from lfc.actions.model.reach import Reach, is_point
from lfc.base.source import Span
from lfc.diagnostics.model import Diagnostics, Note
from lfc.semantics.model import typed
from lfc.semantics.model.typed import Module
from lfc.semantics.model.types import ArrayType
from lfc.semantics.model.visit import statements

MOST_BYTES = 65_536
MOST_CLAUSES = 255  # the record of decisions names a clause by one byte; FF stands for none
MOST_BRANCHES = 255  # of a CHOICE: how many there are is told in one byte
MOST_ELEMENTS = 32_767  # of an array passed as open array: the top bit of its length says where it lies


def check_limits(machine: Machine, diagnostics: Diagnostics) -> None:
    _check_size(machine, diagnostics)
    for body in machine.all_bodies():
        for point in body.points:
            count = len(point.clauses)
            if point.closed_size and count > MOST_CLOSABLE:
                diagnostics.report(
                    "LF0652",
                    point.span,
                    f"this SELECT has {count} clauses; there may be {MOST_CLOSABLE} where a clause that sends or waits "
                    "for time has a guard",
                )
            elif count > MOST_CLAUSES:
                diagnostics.report(
                    "LF0652", point.span, f"this SELECT has {count} clauses; there may be {MOST_CLAUSES}"
                )
        for block in body.blocks:
            if isinstance(block.end, Choose) and len(block.end.branches) > MOST_BRANCHES:
                diagnostics.report(
                    "LF0652",
                    block.end.span,
                    f"this CHOICE has {len(block.end.branches)} branches; there may be {MOST_BRANCHES}",
                )
        _check_open_arrays(body, diagnostics)


def _check_size(machine: Machine, diagnostics: Diagnostics) -> None:
    parts = [machine.layout] + ([] if machine.environment is None else [machine.environment.layout])
    size = parts[-1].size
    pool = max(len(p.constant_pool) for p in parts)
    span = machine.program.main.span or Span(machine.program.main.source, 0, 0)
    if size > MOST_BYTES:
        notes = [Note(f"{what} take {bytes_:,} bytes", where) for bytes_, what, where in _largest(machine)[:3]]
        diagnostics.report(
            "LF0651", span, f"the program's state takes {size:,} bytes; there is room for {MOST_BYTES:,}", *notes
        )
    elif pool > MOST_BYTES:
        diagnostics.report(
            "LF0651", span, f"the program's constants take {pool:,} bytes; there is room for {MOST_BYTES:,}"
        )


def _largest(machine: Machine) -> list[tuple[int, str, Span | None]]:
    found: list[tuple[int, str, Span | None]] = []
    for layout in [machine.layout] + ([] if machine.environment is None else [machine.environment.layout]):
        found += [_of_record(r) for r in layout.records]
        found += [(place_of_variable(v)[0], f"the variable {v.name} would", v.span) for v in layout.variables]
    return sorted(found, key=lambda item: -item[0])


def _of_record(r: RecordLayout) -> tuple[int, str, Span | None]:
    span = None if r.body.process is None else r.body.process.span
    return r.slots * r.stride, f"{r.slots} of {r.body.name} would", span


def _check_open_arrays(body: Body, diagnostics: Diagnostics) -> None:
    for call in body.callees:
        assert isinstance(call, typed.CallProcess | typed.CreateProcess)
        for argument in call.arguments:
            t = argument.value.type
            if argument.formal.type is not t and isinstance(t, ArrayType) and t.length > MOST_ELEMENTS:
                diagnostics.report(
                    "LF0653",
                    argument.value.span,
                    f"an array of {t.length:,} elements cannot be passed as an open array; it may have "
                    f"{MOST_ELEMENTS:,}",
                )


def check_initialisation_of_environment(modules: Sequence[Module], reach: Reach, diagnostics: Diagnostics) -> bool:
    """The program's part of the block must not depend on what the environment's initialisation waits with.
    False after a report."""
    fine = True
    for module in modules:
        for s in statements(module.body):
            if is_point(s) or (isinstance(s, typed.CallProcess) and s.process in reach.can_wait):
                diagnostics.report(
                    "LF0650",
                    s.span,
                    f"the initialisation of {module.name}, part of the environment, reaches a scheduling point",
                    Note("put it into a process and CREATE that"),
                )
                fine = False
    return fine
