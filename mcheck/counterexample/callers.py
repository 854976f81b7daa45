"""A fault in a module of the library: which calls of the user's own text lead to it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from lfc.actions.model.machine import Machine
from lfc.base.library_folder import LIBRARY
from lfc.base.source import Span
from lfc.run import report
from lfc.run.names import source_text
from lfc.semantics.model import typed
from lfc.semantics.model.visit import statements

MOST_CALLS = 3


def called_from(machine: Machine, span: Span, slot: int) -> str:
    """`; called from Lamp.lf:12:5, `GPIO.Set(pin, TRUE)``; empty for a text that is not the library's."""
    if LIBRARY not in Path(span.source.path).parents:
        return ""
    running = process_of(machine, slot)
    calls = list(calls_to(machine.program, within(machine.program, span), running))
    if not calls:
        return ""
    said = [f"{report.place(c.span)}, `{source_text(c.span)}`" for c in calls[:MOST_CALLS]]
    return f"; called from {' or '.join(said)}"


def model_to_add(machine: Machine, span: Span, slot: int) -> str:
    """Of an access that nobody answers, made by a module of the library: `; --env EnvGPIO models it`, if there is such
    a model and it is not there yet."""
    if LIBRARY not in Path(span.source.path).parents:
        return ""
    running = process_of(machine, slot)
    calls = calls_to(machine.program, within(machine.program, span), running)
    there = {m.name for m in machine.program.modules}
    models = dict.fromkeys(f"Env{c.process.module.name}" for c in calls)
    found = [name for name in models if name not in there and (LIBRARY / "models" / f"{name}.lf").is_file()]
    return f"; --env {found[0]} models it" if found else ""


def process_of(machine: Machine, slot: int) -> typed.Process | None:
    """Whose slot it is, whatever it has called and is in the middle of; None: the initialisation's."""
    return next(r.body.process for r in machine.records if r.first_slot <= slot < r.first_slot + r.slots)


def within(program: typed.Program, span: Span) -> typed.Process | None:
    """The innermost process of whose text it is a part."""
    found = None
    for p in program.all_processes():
        end = p.end_span
        if p.span.source is span.source and end is not None and p.span.start <= span.start < end.end:
            found = p
    return found


def calls_to(
    program: typed.Program, target: typed.Process | None, running: typed.Process | None
) -> Iterator[typed.CallProcess]:
    """Of the user's own text, in what the running process may execute."""
    leads = {target}
    size = 0
    everyone: list[typed.Module | typed.Process] = [*program.modules, *program.all_processes()]
    while size != len(leads):
        size = len(leads)
        for owner in everyone:
            if isinstance(owner, typed.Process) and any(s.process in leads for s in calls_of(owner)):
                leads.add(owner)
    reached = reached_from(running, program)
    for owner in everyone:
        if LIBRARY in Path(source_of(owner)).parents or owner not in reached:
            continue
        yield from (s for s in calls_of(owner) if s.process in leads and is_of_library(s.process))


def reached_from(running: typed.Process | None, program: typed.Program) -> set[typed.Module | typed.Process]:
    """None: the initialisation runs."""
    found: set[typed.Module | typed.Process] = set(program.modules) if running is None else {running}
    work = list(found)
    while work:
        for s in calls_of(work.pop()):
            if s.process not in found:
                found.add(s.process)
                work.append(s.process)
    return found


def calls_of(owner: typed.Module | typed.Process) -> list[typed.CallProcess]:
    return [s for s in statements(owner.body) if isinstance(s, typed.CallProcess)]


def is_of_library(process: typed.Process) -> bool:
    return LIBRARY in Path(process.module.source.path).parents


def source_of(owner: typed.Module | typed.Process) -> str:
    return owner.source.path if isinstance(owner, typed.Module) else owner.module.source.path
