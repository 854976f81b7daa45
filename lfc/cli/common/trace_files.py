"""Traces that commands read and write: those of the program at hand, and no others."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from lfc.cli.common.firmware import refuse

if TYPE_CHECKING:
    from lfc.actions.model.machine import Machine
    from lfc.trace.files import Trace
    from lfc.trace.items import Item


def read_trace_file(file: str) -> Trace:
    from lfc.trace.files import read_trace
    from lfc.trace.items import BadItems

    try:
        return read_trace(Path(file))
    except OSError as error:
        refuse(f"{file} cannot be read: {error.strerror}")
    except BadItems as error:
        raise click.UsageError(f"{file} is not a trace: {error}") from None


def read_schedule(file: str, machine: Machine) -> bytes:
    from lfc.actions.as_data import program_digest
    from lfc.trace.items import BadItems, encode

    read = read_trace_file(file)
    if read.program and read.program != program_digest(machine)[:16].hex():
        raise click.UsageError(
            f"{file} was recorded from another program (or another version of it, or with another board's library: -b "
            "BOARD); record it again with --record"
        )
    beside = machine.slots  # of the first process of an environment
    if machine.environment is None and any(slot_of(i) == beside for i in read.items):
        raise click.UsageError(f"{file} was recorded with an environment: give the same --env here")
    try:
        return encode(read.items, machine.wide)
    except BadItems as error:
        raise click.UsageError(f"{file} does not match this program: {error}") from None


def slot_of(item: Item) -> int:
    """The process that an item names; -1: none."""
    from lfc.trace.items import BY_NAME

    at = BY_NAME[item.name].slot
    slot = None if at is None else item.operands[at]
    return -1 if slot is None else slot


def machine_of_trace(trace_file: str, machine: Machine, file: str, path: tuple[str, ...]) -> Machine:
    """Of a trace of `lfc check`: the machine that it checked, if it gave a module partners or counted wraps as faults;
    else the machine itself."""
    from lfc.actions.as_data import program_digest
    from lfc.trace.files import read_trace
    from lfc.trace.items import BadItems

    try:
        recorded = read_trace(Path(trace_file)).program
    except (OSError, BadItems):
        return machine
    if not recorded:
        return machine
    for found in machines_checked(machine, file, path):
        if recorded == program_digest(found)[:16].hex():
            return found
    return machine


def machines_checked(machine: Machine, file: str, path: tuple[str, ...]) -> Iterator[Machine]:
    """What `lfc check` may have made of a machine, itself first."""
    from lfc.actions.as_data import program_digest

    program_digest(machine)  # before its expressions are changed
    yield machine
    yield from closed(machine, file, path)
    counting = with_wraps_counted(machine)
    if counting is not None:
        yield counting
        yield from closed(counting, file, path)


def closed(machine: Machine, file: str, path: tuple[str, ...]) -> Iterator[Machine]:
    from lfc.mcheck.model.open_module import NotClosed, close

    with suppress(OSError, NotClosed):
        found = close(machine, file, path)
        if found is not None:
            yield found.machine


def with_wraps_counted(machine: Machine) -> Machine | None:
    """None: it does so already."""
    from lfc.actions.build import build_machine
    from lfc.diagnostics.model import Diagnostics
    from lfc.semantics.model.typed import FAULT, WRAPS

    program = machine.program
    if program.counts_wraps:
        return None
    changed = replace(program, definitions={**program.definitions, WRAPS: FAULT})
    return build_machine(changed, Diagnostics(), with_environment=machine.environment is not None)


class TraceFile:
    """A trace that is written as its run goes on: whatever ends it, what was done is in the file. Raises
    click.ClickException where it cannot be written."""

    def __init__(self, file: str, source: str, machine: Machine) -> None:
        from lfc.actions.as_data import program_digest
        from lfc.trace.files import TraceWriter

        self._file = file
        with self._failing():
            self._writer = TraceWriter(Path(file), program_digest(machine)[:16].hex(), source, machine.wide)

    def add(self, step: list[Item]) -> None:
        with self._failing():
            self._writer.add(step)

    def close(self) -> None:
        self._writer.close()

    @contextmanager
    def _failing(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise click.ClickException(f"{self._file} cannot be written: {error.strerror}") from None


def write_trace_file(file: str, source: str, machine: Machine, steps: list[list[Item]]) -> None:
    from lfc.actions.as_data import program_digest
    from lfc.trace.files import Trace

    try:
        Trace(program_digest(machine)[:16].hex(), source, steps, machine.wide).write(Path(file))
    except OSError as error:
        raise click.ClickException(f"{file} cannot be written: {error.strerror}") from None


def write_text(file: str, text: str) -> None:
    try:
        Path(file).write_text(text, encoding="utf-8", errors="backslashreplace")
    except OSError as error:
        raise click.ClickException(f"{file} cannot be written: {error.strerror}") from None
