"""The serial ports of this machine, and which of them is the board's.

What is there is plain data (`PortInfo`); which port is meant is decided by functions over it.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from serial.tools import list_ports

from lfc.boards.descriptions.board import Board
from lfc.boards.serial.failure import FlashError

BY_SERIAL_NUMBER = "id:"
PROCESSES = Path("/proc")


@dataclass(frozen=True, slots=True)
class PortInfo:
    name: str  # such as /dev/ttyACM0
    usb: tuple[int, int] | None = None  # vendor, product; None: it is no USB device
    serial_number: str = ""
    description: str = ""
    permitted: bool = True
    group: str = ""  # that owns it, where it is not permitted
    user: str = ""  # the program that has it open, with its number

    @property
    def usb_text(self) -> str:
        return usb_text(self.usb) if self.usb else ""


def ports_of_this_machine() -> list[PortInfo]:
    """No port is opened for it: that would reset the boards."""
    infos = []
    for port in sorted(list_ports.comports(), key=lambda p: str(p.device)):
        usb = (int(port.vid), int(port.pid)) if port.vid is not None and port.pid is not None else None
        description = "" if port.description in (None, "n/a") else str(port.description)
        name = str(port.device)
        permitted = os.name != "posix" or os.access(name, os.R_OK | os.W_OK)
        group = "" if permitted else group_of(name)
        infos.append(PortInfo(name, usb, port.serial_number or "", description, permitted, group, user_of(name)))
    return infos


def choose_port(board: Board, wanted: str | None, ports: Sequence[PortInfo]) -> str:
    """The name of the port that is meant. Raises FlashError, stage `open`, which lists what is there.

    `wanted`: a port's name, or `id:` and a serial number; None: the one that has the board's USB ids.
    """
    if wanted is not None and not wanted.startswith(BY_SERIAL_NUMBER):
        found = [p for p in ports if p.name == wanted] or [PortInfo(wanted)]  # not every port can be listed
    elif wanted is not None:
        found = with_serial_number(wanted.removeprefix(BY_SERIAL_NUMBER), ports)
    else:
        found = [p for p in ports if p.usb in board.usb_ids]
        if not found:
            raise _none_matches(board, ports)
        if len(found) > 1:
            raise FlashError(
                "open",
                f"{len(found)} ports match the board {board.name}:{listed(found)}",
                remedy="name one with -p PORT, or by its serial number with -p id:NUMBER",
            )
    (port,) = found
    if not port.permitted:
        raise no_permission(port.name, port.group)
    if port.user:
        raise busy(port.name, port.user)
    return port.name


def with_serial_number(number: str, ports: Sequence[PortInfo]) -> list[PortInfo]:
    found = [p for p in ports if number and p.serial_number.casefold() == number.casefold()]
    if len(found) == 1:
        return found
    if found:
        raise FlashError("open", f"{len(found)} ports have the serial number {number}:{listed(found)}", remedy=NAME_IT)
    raise FlashError("open", f"no port has the serial number `{number}`{there_is(ports)}", remedy=PLUGGED)


NAME_IT = "name one with -p PORT"
PLUGGED = "is the board plugged in, with a cable that carries data?"


def _none_matches(board: Board, ports: Sequence[PortInfo]) -> FlashError:
    ids = ", ".join(usb_text(pair) for pair in board.usb_ids)
    wanted = f"one with a USB id of {ids}" if ids else "no USB ids are known for it"
    remedy = f"{PLUGGED} Name any other port with -p PORT" if ports else PLUGGED
    return FlashError("open", f"no port matches the board {board.name} ({wanted}){there_is(ports)}", remedy=remedy)


def there_is(ports: Sequence[PortInfo]) -> str:
    return f"; there are:{listed(ports)}" if ports else "; there are no serial ports"


def listed(ports: Sequence[PortInfo]) -> str:
    return "".join(f"\n  {line_of(p)}" for p in ports)


def line_of(port: PortInfo) -> str:
    parts = [port.name, port.usb_text or "not USB", port.description]
    parts += [f"{BY_SERIAL_NUMBER}{port.serial_number}"] if port.serial_number else []
    parts += ["no permission"] if not port.permitted else []
    parts += [f"used by {port.user}"] if port.user else []
    return "  ".join(part for part in parts if part)


def usb_text(pair: tuple[int, int]) -> str:
    return f"{pair[0]:04x}:{pair[1]:04x}"


def matching_boards(port: PortInfo, boards: Sequence[Board]) -> list[str]:
    return [b.name for b in boards if port.usb is not None and port.usb in b.usb_ids]


def no_permission(name: str, group: str) -> FlashError:
    of_group = f"it belongs to the group `{group}`: " if group and group != "root" else ""
    join = f"sudo usermod -aG {group or 'dialout'} $USER, then log in again"
    rule = 'a udev rule such as SUBSYSTEM=="tty", MODE="0660", TAG+="uaccess" in /etc/udev/rules.d'
    return FlashError("open", f"no permission to use {name}", remedy=f"{of_group}{join}; or {rule}")


def busy(name: str, user: str = "") -> FlashError:
    by = f", used by {user}" if user else ", perhaps in another program"
    return FlashError("open", f"{name} is busy{by}", remedy="close the other program that uses it, such as a monitor")


def group_of(name: str) -> str:
    try:
        return Path(name).group()
    except (OSError, KeyError, NotImplementedError):
        return ""


def user_of(name: str, processes: Path = PROCESSES) -> str:
    """The first program found that has the port open. Those of other users cannot be seen."""
    device = os.path.realpath(name)
    try:
        numbers = sorted(int(p.name) for p in processes.iterdir() if p.name.isdigit())
    except OSError:
        return ""
    for number in numbers:
        if number == os.getpid():
            continue
        try:
            links = [os.readlink(link) for link in (processes / str(number) / "fd").iterdir()]
            if device in links:
                program = (processes / str(number) / "comm").read_text(errors="replace").strip()
                return f"{program} (process {number})"
        except OSError:
            continue  # it has ended meanwhile, or is another user's
    return ""
