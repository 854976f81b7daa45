"""What is assumed of inputs: ports and a console of which only some values are looked at."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from lfc.base.library_folder import LIBRARY
from lfc.mcheck.model.description import CLOSING, home_of
from lfc.semantics.model.types import size_and_alignment

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lfc.actions.model.machine import Machine
    from lfc.semantics.model import typed

MOST_INPUTS = 128  # of one action
RANGE = re.compile(r"\s*(?P<port>[\w.]+)\s+in\s+(?P<low>\w+)\s*\.\.\s*(?P<high>\w+)\s*\Z")
ALPHABET = re.compile(r"\s*console\s+in\s+(?P<quote>[\"'])(?P<text>.+)(?P=quote)\s*\Z", re.DOTALL)
WIDTHS = (8, 16, 32)
CONSOLE = "console"
ASKED = "--assume"
DEVICES = {  # of the library's modules for no chip
    "ChipAnalog": "ADC of 8 bits",
    "ChipPins": "each read of a GPIO pin gives either level",
    "ChipSerial": "UART is the console",
}


class NotUnderstood(Exception):
    """Says what is wrong with the text of an assumption."""


@dataclass(frozen=True, slots=True)
class PortRange:
    """`text` is how it was stated."""

    width: int
    address: int
    low: int
    high: int
    text: str


@dataclass(frozen=True, slots=True)
class Assumed:
    """Of one port a single range, which all that is assumed of it allows. `characters`: of the console, when something
    is assumed of it. `texts`: as a verdict names them."""

    ports: tuple[PortRange, ...] = ()
    characters: tuple[int, ...] | None = None
    texts: tuple[str, ...] = ()


def read_number(text: str) -> int | None:
    """As in the source: 42, 2FH."""
    try:
        return int(text[:-1], 16) if text.endswith("H") else int(text)
    except ValueError:
        return None


def read_assumptions(machine: Machine, texts: tuple[str, ...], few: Iterable[tuple[int, int, int]] = ()) -> Assumed:
    """What the program itself assumes, and `texts` of the command line; `few`: as a world has them. Raises
    NotUnderstood."""
    ranges = [PortRange(width, address, 0, count - 1, "") for width, address, count in few]
    alphabets: list[tuple[int, ...]] = []
    said: list[str] = []
    for module in machine.program.modules:
        for a in module.assumptions:
            if a.characters:
                alphabets.append(a.characters)
            elif a.width and machine.environment is None:
                ranges.append(range_of(a))
            if is_assumed(machine, module, a):
                said.append(f"{in_module(machine, module, a.text)} (ASSUME)")
    for text in texts:
        found = ALPHABET.match(text)
        if found is not None and has_keyboard(machine):
            raise NotUnderstood("EnvConsole types what the program reads: nothing can be assumed of the console")
        if found is not None:
            alphabets.append(read_alphabet(found["text"]))
            said.append(f'console in "{found["text"]}" ({ASKED})')
        else:
            more = read_range(machine, text)
            ranges += more
            said.append(f"{more[0].text} ({ASKED})")
    return Assumed(tuple(in_all(ranges)), common(alphabets), tuple(dict.fromkeys(said)))


def is_assumed(machine: Machine, module: typed.Module, a: typed.Assumption) -> bool:
    """Users of channels keep to what is assumed of messages; an environment's registers give what it says, and who
    types there types what it likes."""
    if module.name == CLOSING:
        return False  # it keeps to what the module assumes of its messages
    closed = machine.program.main.name == CLOSING
    if a.characters:
        return not has_keyboard(machine)
    return closed if a.message is not None else machine.environment is None


def has_keyboard(machine: Machine) -> bool:
    """EnvConsole says what is typed: the console itself is not asked."""
    if machine.environment is None:
        return False
    from lfc.actions.flow.keyboard import keyboard_of

    return keyboard_of(machine.program.modules) is not None


def devices_without_board(machine: Machine) -> list[str]:
    """What the library has in place of a board's devices, of those that the program uses."""
    if machine.environment is not None:
        return []
    used = {m.name for m in machine.program.modules if Path(m.source.path).parent == LIBRARY / "chips" / "host"}
    return [said for name, said in DEVICES.items() if name in used]


def in_module(machine: Machine, module: typed.Module, text: str) -> str:
    return text if module in (machine.program.main, home_of(machine)) else f"{module.name}: {text}"


def range_of(a: typed.Assumption) -> PortRange:
    all_ones = (1 << a.width) - 1
    return PortRange(a.width, a.address, a.low & all_ones, a.high & all_ones, a.text)


def read_alphabet(text: str) -> tuple[int, ...]:
    from lfc.semantics.model.alphabet import NoAlphabet, characters_of  # for those who assume something of the console

    try:
        return characters_of(text)
    except NoAlphabet as e:
        raise NotUnderstood(f'`console in "{text}"`: {e}') from e


def in_all(ranges: list[PortRange]) -> list[PortRange]:
    """For each port what all of its ranges have in common."""
    found: dict[tuple[int, int], PortRange] = {}
    for r in ranges:
        before = found.get((r.width, r.address))
        if before is None:
            found[r.width, r.address] = r
            continue
        low, high = max(before.low, r.low), min(before.high, r.high)
        if low > high:
            raise NotUnderstood(f"`{before.text}` and `{r.text}` have no value in common")
        found[r.width, r.address] = PortRange(r.width, r.address, low, high, f"{before.text} and {r.text}")
    return list(found.values())


def common(alphabets: list[tuple[int, ...]]) -> tuple[int, ...] | None:
    if not alphabets:
        return None
    found = set(alphabets[0]).intersection(*alphabets)
    if not found:
        raise NotUnderstood("what is assumed of the console leaves no character")
    return tuple(sorted(found))


def read_range(machine: Machine, text: str) -> list[PortRange]:
    """Of `PORT in a..b`: a device register by its name (or `Module.name`), or the address that PORTIN and its like
    read."""
    found = RANGE.match(text)
    low, high = (None, None) if found is None else (read_number(found["low"]), read_number(found["high"]))
    if found is None or low is None or high is None:
        raise NotUnderstood(f'`{text}` is not of the form PORT in LOW..HIGH or console in "0-9"')
    address = read_number(found["port"])
    places = [(w, address) for w in WIDTHS] if address is not None else registers(machine, found["port"])
    if not places:
        what = f"there is no device register `{found['port']}`"
        raise NotUnderstood(f"{what}; what PORTIN reads is named by its address, as 41H")
    if low > high:
        raise NotUnderstood(f"`{text}` is an empty range")
    fitting = [PortRange(w, a, low, high, f"{found['port']} in {low}..{high}") for w, a in places if high < 1 << w]
    if not fitting or low < 0:
        raise NotUnderstood(f"`{text}` does not fit the register")
    return fitting


def registers(machine: Machine, name: str) -> list[tuple[int, int]]:
    """Width and address of those that bear the name."""
    return [
        (8 * size_and_alignment(v.type)[0], v.address)
        for module in machine.program.modules
        for v in module.variables
        if v.address is not None and name in (v.name, f"{module.name}.{v.name}")
    ]
