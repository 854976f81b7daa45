"""The real boot loaders that the tests flash through, as the content of a flash, and lines that damage what they carry.

Debian's `optiboot_atmega328.hex` is 20 bytes too long for its place (its compiler made more of the source than the
boot section holds), so that boot loader is compiled from the source beside it, without the blinking at its start.
"""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import serial
from intelhex import IntelHex

from lfc.boards.emulators.simavr import SimavrOnTerminal, flash_content
from lfc.doctor.probe import require_tool
from lfc.doctor.tools import OPTIBOOT, STK500BOOT

UNO_BOOT = 0x7E00
MEGA_BOOT = 0x3E000
AS_ITS_MAKEFILE = "-Os -fno-inline-small-functions -fno-split-wide-types -mshort-calls -Wl,--relax -Wl,--gc-sections"
FOR_THE_UNO = "-mmcu=atmega328p -DF_CPU=16000000L -DBAUD_RATE=115200 -DLED_START_FLASHES=0"
IN_ITS_PLACE = f"-nostartfiles -nostdlib -Wl,--section-start=.text={UNO_BOOT:#x} -Wl,--section-start=.version=0x7ffe"

ANSWERING = """
void lf_main(void)
{
    write_text("up\\n");
    for (;;) {
        int16_t byte = lf_port_console_read();
        if (byte >= 0)
            lf_port_console_write((uint8_t)(byte + 1));
        else
            lf_port_idle();
    }
}
"""


@cache
def optiboot() -> bytes:
    require_tool("avr-gcc")
    require_tool(OPTIBOOT)
    with TemporaryDirectory() as folder:
        elf = Path(folder) / "optiboot.elf"
        flags = f"{AS_ITS_MAKEFILE} {FOR_THE_UNO} {IN_ITS_PLACE}".split()
        subprocess.run(["avr-gcc", *flags, OPTIBOOT, "-o", str(elf)], check=True, capture_output=True)
        return flash_content(elf.read_bytes())


@cache
def stk500boot() -> bytes:
    require_tool(STK500BOOT)
    return bytes(IntelHex(STK500BOOT).tobinarray(start=0, end=0x3FFFF))


class DamagingPort:
    """A line that damages one byte: `at`, counted over both directions together.

    `kind`: drop, repeat, flip (`bit` of it); silent (all from there on); close (the power of the chip is cut).
    """

    def __init__(
        self, port: serial.Serial, chip: SimavrOnTerminal | None, kind: str, at: int, to_board: bool, bit: int = 0
    ) -> None:
        self.port, self.chip = port, chip
        self.kind, self.at, self.to_board, self.bit = kind, at, to_board, bit
        self.timeout: float | None = None
        self.passed = {True: 0, False: 0}
        self.damaged = False
        self.kept = b""

    def write(self, data: bytes, /) -> int | None:
        self.port.write(self._through(data, True))
        return len(data)

    def read(self, size: int = 1, /) -> bytes:
        if not self.kept:
            self.port.timeout = self.timeout
            self.kept = self._through(bytes(self.port.read(size)), False)
        taken, self.kept = self.kept[:size], self.kept[size:]
        return taken

    def _through(self, data: bytes, to_board: bool) -> bytes:
        before = self.passed[to_board]
        self.passed[to_board] += len(data)
        if to_board != self.to_board or self.at >= before + len(data):
            return data
        if self.at < before:
            return b"" if self.kind == "silent" else data
        self.damaged = True
        at = self.at - before
        hit: Callable[[bytes], bytes] = {
            "drop": lambda b: b"",
            "repeat": lambda b: b + b,
            "flip": lambda b: bytes([b[0] ^ 1 << self.bit]),
            "silent": lambda b: b"",
            "close": lambda b: b,
        }[self.kind]
        if self.kind == "close" and self.chip is not None:
            self.chip.stop()
        rest = b"" if self.kind == "silent" else data[at + 1 :]
        return data[:at] + hit(data[at : at + 1]) + rest
