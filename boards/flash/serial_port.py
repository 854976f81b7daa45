"""Opens a serial port and resets the board behind it. May import: `failure`, `lfc.boards.ports`."""

from __future__ import annotations

import errno
import time

import serial

from lfc.boards.flash.failure import FlashError
from lfc.boards.ports import PLUGGED, busy, group_of, no_permission, user_of

DTR_PULSE = 0.05  # seconds; the capacitor between DTR and the reset pin needs some to recharge


def open_port(name: str, baud: int) -> serial.Serial:
    """An open port, for this program alone. Every reason why it cannot be opened has its own remedy."""
    try:
        return serial.Serial(name, baud, timeout=0, write_timeout=2, exclusive=True)
    except serial.SerialException as error:
        raise _why_not(name, error) from None
    except (ValueError, OSError) as error:
        raise FlashError("open", f"{name} is no serial port: {error}") from None


def pulse_dtr(port: serial.Serial) -> None:
    """Resets a board whose reset pin hangs on DTR by a capacitor (all Arduinos with a USB converter)."""
    try:
        port.dtr = port.rts = False
        time.sleep(DTR_PULSE)
        port.dtr = port.rts = True
    except OSError as error:
        # A pseudo-terminal or a network bridge has no such lines; what is behind it must reset by itself when opened.
        if error.errno not in (errno.ENOTTY, errno.EINVAL):
            raise FlashError("reset", f"the port went away: {error.strerror}", remedy="check the cable") from None


def _why_not(name: str, error: serial.SerialException) -> FlashError:
    if error.errno == errno.ENOENT:
        return FlashError("open", f"there is no port {name}", remedy=PLUGGED)
    if error.errno in (errno.EACCES, errno.EPERM):
        return no_permission(name, group_of(name))
    if error.errno in (errno.EBUSY, errno.EAGAIN):
        return busy(name, user_of(name))
    return FlashError("open", f"{name} cannot be opened: {error}")
