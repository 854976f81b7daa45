"""The pins that a board is known by: its light and its button.

A pin is written as on the chip, `PB5`, or as its number where the chip has no ports. As a number it is sixteen times
its port, of A 0 and so on without I, and its bit: the numbers of the library's module `GPIO`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from lfc.boards.descriptions.chips import Chip
from lfc.boards.descriptions.table import BoardError, Table

LETTERS = "ABCDEFGHJKL"
OF_A_PORT = re.compile(r"P([A-Z])(\d{1,2})")
BITS = 16  # numbers of one port
PRINTED = re.compile(r"[A-Za-z][A-Za-z0-9]*")
TAKEN = ("CLOCK", "CONSOLE", "LED", "BUTTON")  # names that the module `ThisBoard` has otherwise


@dataclass(frozen=True, slots=True)
class Pins:
    led: int
    led_low: bool  # it is on when the pin is low
    led_return: int | None  # the other end of a light in a matrix: low
    button: int
    button_low: bool  # the pin is low when it is pressed
    names: tuple[tuple[str, int], ...] = ()  # what is printed on the board beside pins


def read_pins(table: Table, chip: Chip) -> Pins:
    given = table.optional_text("led_return")
    pins = Pins(
        led=_number(table, "led", table.text("led"), chip),
        led_low=table.flag("led_low"),
        led_return=None if given is None else _number(table, "led_return", given, chip),
        button=_number(table, "button", table.text("button"), chip),
        button_low=table.flag("button_low"),
        names=_names(table, chip),
    )
    table.refuse_unknown_keys()
    return pins


def _names(table: Table, chip: Chip) -> tuple[tuple[str, int], ...]:
    """They become constants of a module, so they are names of the language, and none that the module has."""
    printed = table.optional_table("names")
    if printed is None:
        return ()
    found = []
    for name in printed.values:
        if not PRINTED.fullmatch(name) or name in TAKEN:
            wanted = f"a letter, then letters and digits, such as D13; not {', '.join(TAKEN)}"
            raise BoardError(table.file, f"pins.names.{name}", "cannot be the name of a pin", wanted)
        found.append((name, _number(printed, name, printed.text(name), chip)))
    return tuple(found)


def last_pin(chip: Chip) -> int:
    return LETTERS.index(chip.ports[-1]) * BITS + chip.pins - 1 if chip.ports else chip.pins - 1


def _number(table: Table, key: str, text: str, chip: Chip) -> int:
    if chip.ports:
        found = OF_A_PORT.fullmatch(text)
        if found and found[1] in chip.ports and int(found[2]) < chip.pins:
            return LETTERS.index(found[1]) * BITS + int(found[2])
        example = f"such as P{chip.ports[0]}0; ports {chip.ports}, bits 0 to {chip.pins - 1}"
    else:
        if text.isascii() and text.isdigit() and int(text) < chip.pins:
            return int(text)
        example = f'its number, "0" to "{chip.pins - 1}"'
    raise BoardError(table.file, f"{table.path}.{key}", f"`{text}` is not a pin of the chip", example)
