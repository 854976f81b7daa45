"""The simulator of the AVR core (engine/avr.h) from Python: flash, data space, registers, one step."""

from __future__ import annotations

import ctypes
from collections.abc import Callable

from lfc.boards.descriptions.chips import Chip
from lfc.isa import abi
from lfc.isa.abi import AvrStop as Stop
from lfc.isa.kept_failure import KeptFailure
from lfc.isa.library import library

U8 = ctypes.c_uint8
READ, WRITE, ASK, TELL = abi.AVR_READ, abi.AVR_WRITE, abi.AVR_ASK, abi.AVR_TELL
SPL, SPH, STATUS, RAMPZ, EIND = abi.AVR_SPL, abi.AVR_SPH, abi.AVR_SREG, abi.AVR_RAMPZ, abi.AVR_EIND
PROCESSOR = (*range(32), SPL, SPH, STATUS, RAMPZ, EIND)  # bytes of the data space that are its own


class AvrCore:
    """A core with its memory: registers of devices up to where the RAM begins."""

    def __init__(self, flash: bytes, chip: Chip, ram_start: int, ram_size: int) -> None:
        self.library = library()
        self._flash = (U8 * len(flash)).from_buffer_copy(flash)
        self.state = abi.Avr(flash=self._flash, flash_size=len(flash), lowest_stack=abi.AVR_DATA)
        self.state.wide_pc, self.state.small = int(chip.long_returns), int(chip.small)
        self.failure = KeptFailure(self.state)
        self.allow(32, ram_start - 32, READ | WRITE | ASK | TELL)
        for at in PROCESSOR[
            : -2 if chip.small else None
        ]:  # where the others have RAMPZ and EIND a small one has devices
            self.allow(at, 1, READ | WRITE)
        self.allow(ram_start, ram_size, READ | WRITE)

    def allow(self, start: int, size: int, what: int) -> None:
        self.state.allowed[start : start + size] = [what] * size

    def put(self, at: int, content: bytes) -> None:
        self.state.data[at : at + len(content)] = list(content)

    def get(self, at: int, size: int) -> bytes:
        return bytes(self.state.data[at : at + size])

    def watch(self, ask: Callable[[int], int], tell: Callable[[int, int], None]) -> None:
        """What a read of a device's register gives, and what a write does."""

        def asked(_: object, at: int) -> bool:
            try:
                self.state.data[at] = ask(at)
            except BaseException as error:
                self.failure.keep(error)
            return True

        def told(_: object, at: int, value: int) -> None:
            try:
                tell(at, value)
            except BaseException as error:
                self.failure.keep(error)

        self.state.ask, self.state.tell = abi.AvrAsk(asked), abi.AvrTell(told)

    def run_to(self, stop: int, cycles: int) -> Stop:
        stopped = Stop(self.library.avr_run_to(self.state, stop, cycles))
        self.failure.raise_it()
        return stopped

    def interrupt(self, vector: int) -> Stop:
        return Stop(self.library.avr_interrupt(self.state, vector))
