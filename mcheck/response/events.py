"""What a response time is measured from and to: interrupts, writes to registers, levels of pins, lines, processes."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from lfc.actions.model.machine import Machine, Position
from lfc.boards.descriptions.board import Board
from lfc.boards.descriptions.outputs import OUTPUTS
from lfc.boards.descriptions.pins import BITS, LETTERS, OF_A_PORT
from lfc.mcheck.image.report import Places
from lfc.mcheck.response.graph import Graph, Kind, Move
from lfc.mcheck.response.longest import Event, Span
from lfc.semantics.model import typed

INTERRUPT = re.compile(r"(?:SYSTEM\.)?INT\[(\w+)\]|(\d+)")
TARGET = re.compile(r"(?P<place>[^=]+?)\s*(?:=\s*(?P<value>\w+))?")
NUMBER = re.compile(r"([0-9][0-9A-F]*)H|(\d+)")
OF_THE_CHIP = re.compile(r"GPIO\.Port([A-Z])")


class NoSuchEvent(Exception):
    """What was named, and what could be."""


@dataclass(slots=True)
class Target:
    """The end of a response; `words`: of the flash, those that are to be looked for."""

    name: str
    happens: Event
    words: tuple[int, ...] = ()


def number_of(text: str) -> int | None:
    found = NUMBER.fullmatch(text)
    if found is None:
        return None
    return int(found[1], 16) if found[1] else int(found[2])


def interrupt_of(text: str, machine: Machine) -> int:
    """`SYSTEM.INT[4]`, or its number."""
    named = machine.layout.interrupts
    what = ", ".join(f"SYSTEM.INT[{n}]" for n in named) or "none"
    found = INTERRUPT.fullmatch(text.strip())
    number = None if found is None else number_of(found[1] or found[2])
    if number is None:
        raise NoSuchEvent(
            f"--from takes an interrupt such as SYSTEM.INT[4], not `{text}`; the program waits for: {what}"
        )
    if number not in named:
        raise NoSuchEvent(f"the program does not wait for interrupt {number}; it waits for: {what}")
    return number


def target_of(text: str, machine: Machine, board: Board, places: Places) -> Target:
    """`25H`, `lamps`, `GPIO.PortB`, each with `=0` if a value matters; `PB5`, `D13`, with a level; or a line."""
    found = TARGET.fullmatch(text.strip())
    value = number_of(found["value"]) if found and found["value"] else None
    if found is None or (found["value"] and value is None):
        raise NoSuchEvent(f"--to takes a register, a pin or a line, with =VALUE if that matters, not `{text}`")
    place = found["place"]
    if place.isdigit() and value is None:
        return _line(int(place), places)
    pin = _pin(place, board)
    if pin is not None:
        return _level(place, pin, value, board)
    address = _address(place, machine, board)
    if address is None:
        raise NoSuchEvent(
            f"--to: `{place}` is no register (25H, or a variable AT one), no pin (PB5, or as printed on the board), "
            "and no line of the program"
        )
    name = f"{place} = {value}" if value is not None else place
    return Target(
        name, lambda _, m: span_of(m, (w.at for w in m.writes if w.address == address and is_it(w.value, value)))
    )


def is_it(found: int, wanted: int | None) -> bool:
    return wanted is None or found == wanted


def span_of(move: Move, times: Iterable[int]) -> Span | None:
    found = list(times)
    return Span(found[0], move.cycles - found[-1]) if found else None


def _line(line: int, places: Places) -> Target:
    words = tuple(sorted({at // 2 for at in places.code_of_line(line)}))
    if not words:
        raise NoSuchEvent(f"--to {line}: no code of the image is of line {line} of {places.main}")

    def happens(_: Graph, m: Move) -> Span | None:
        return Span(m.cycles, 0) if m.kind is Kind.PASS and not m.words.isdisjoint(words) else None

    return Target(f"the end of the action with line {line}", happens, words)


def _pin(place: str, board: Board) -> int | None:
    printed = dict(board.pins.names)
    if place in printed:
        return printed[place]
    found = OF_A_PORT.fullmatch(place)
    if found is None or found[1] not in LETTERS:
        return None
    return LETTERS.index(found[1]) * BITS + int(found[2])


def _level(name: str, pin: int, level: int | None, board: Board) -> Target:
    port = next((p for p in OUTPUTS[board.cpu.chip] if p.first <= pin < p.first + p.pins), None)
    if port is None or level not in (None, 0, 1):
        raise NoSuchEvent(
            f"--to {name}: the pin has no such level" if port else f"--to {name}: the chip has no such pin"
        )
    latch, bit = port.latch, pin - port.first

    def happens(_: Graph, m: Move) -> Span | None:
        writes = [w for w in m.writes if w.address == latch]
        if level is None:
            return span_of(m, (w.at for w in writes if (w.before ^ w.value) >> bit & 1))
        return span_of(m, (w.at for w in writes if w.value >> bit & 1 == level))

    return Target(f"a change of {name}" if level is None else f"{name} = {level}", happens)


def _address(place: str, machine: Machine, board: Board) -> int | None:
    number = number_of(place)
    if number is not None:
        return number
    of_chip = OF_THE_CHIP.fullmatch(place)
    if of_chip:
        ports = {LETTERS[p.first // BITS]: p.latch for p in OUTPUTS[board.cpu.chip]}
        return ports.get(of_chip[1])
    for module in machine.program.modules:
        for v in module.variables:
            names = {f"{module.name}.{v.name}"} | ({v.name} if module is machine.program.main else set())
            if v.address is not None and place in names:
                return v.address
    return None


def taken(n: int, machine: Machine) -> Target:
    """The end of the action that a process does once it has received the interrupt."""
    after = {p.number for p in machine.positions if receives(p, n)}

    def happens(graph: Graph, m: Move) -> Span | None:
        return Span(m.cycles, 0) if m.kind is Kind.PASS and m.runs in after else None

    return Target("the end of the action that takes it", happens)


def receives(p: Position, n: int) -> bool:
    """Does a process that is there go on after having received the interrupt?"""
    if p.point is None or not p.ready:
        return False
    for clause in p.point.clauses:
        event = clause.event
        if clause.resume is p and isinstance(event, typed.Receive) and isinstance(event.port, typed.InterruptPort):
            return event.port.number == n
    return False
