"""Opens a serial port and resets the board behind it."""

from __future__ import annotations

import errno
import termios
import time

import serial

from lfc.boards.serial.failure import FlashError
from lfc.boards.serial.ports import PLUGGED, busy, group_of, no_permission, user_of

DTR_PULSE = 0.05  # seconds; the capacitor between DTR and the reset pin needs some to recharge


def open_port(name: str, baud: int, parity: str = serial.PARITY_NONE) -> serial.Serial:
    """An open port, for this program alone. Every reason why it cannot be opened has its own remedy."""
    try:
        port = serial.Serial(name, baud, parity=parity, timeout=0, write_timeout=2, exclusive=True)
    except serial.SerialException as error:
        raise _why_not(name, error) from None
    except (ValueError, OSError) as error:
        raise FlashError("open", f"{name} is not a serial port: {error}") from None
    except termios.error as error:
        if parity != serial.PARITY_NONE:
            return open_port(name, baud)  # see below
        raise FlashError("open", f"{name} cannot be set up: {error.args[-1]}") from None
    if parity != serial.PARITY_NONE and not termios.tcgetattr(port.fd)[2] & termios.PARENB:
        # A pseudo-terminal has no parity, and what is behind it has none. A real port without it will not synchronise.
        port.parity = serial.PARITY_NONE
    return port


def pulse_dtr(port: serial.Serial) -> None:
    """Resets a board whose reset pin hangs on DTR by a capacitor (all Arduinos with a USB converter)."""
    try:
        port.dtr = port.rts = False
        time.sleep(DTR_PULSE)
        port.dtr = port.rts = True
    except OSError as error:
        # A pseudo-terminal or a network bridge has no such lines; what is behind it must reset by itself when opened.
        if error.errno not in (errno.ENOTTY, errno.EINVAL):
            raise FlashError("reset", f"the port disappeared: {error.strerror}", remedy="check the cable") from None


def enter_rom(port: serial.Serial) -> None:
    """Resets an STM32 whose reset pin hangs on DTR, with BOOT0 high, which hangs on RTS. Both lines are inverted."""
    try:
        port.rts = False
        port.dtr = True
        time.sleep(DTR_PULSE)
        port.dtr = False
        time.sleep(DTR_PULSE)
    except OSError as error:
        if error.errno not in (errno.ENOTTY, errno.EINVAL):
            raise FlashError("reset", f"the port disappeared: {error.strerror}", remedy="check the cable") from None


def _why_not(name: str, error: serial.SerialException) -> FlashError:
    if error.errno == errno.ENOENT:
        return FlashError("open", f"there is no port {name}", remedy=PLUGGED)
    if error.errno in (errno.EACCES, errno.EPERM):
        return no_permission(name, group_of(name))
    if error.errno in (errno.EBUSY, errno.EAGAIN):
        return busy(name, user_of(name))
    if isinstance(error.__context__, termios.error) and error.__context__.args[0] == errno.ENOTTY:
        return FlashError("open", f"{name} is not a serial port", remedy="`lfc ports` lists the ports")
    return FlashError("open", f"{name} cannot be opened: {error}")
