"""Which ports a recorded step has read: items have the values, and the step, done once more, has the addresses."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import TYPE_CHECKING

from lfc.semantics.model.types import size_and_alignment
from lfc.trace.items import encode

if TYPE_CHECKING:
    from lfc.actions.model.machine import Machine
    from lfc.run.running import HostRun
    from lfc.trace.items import Item

NO_PORT = 0xFFFFFFFF  # C, or whoever else changes a NONATOMIC variable, has written
MOST_READS = 1 << 21
WIDTHS = {"in8": 8, "in16": 16, "in32": 32}


class PortReads:
    """Compiles the program when it is first needed."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self._run: HostRun | None = None
        self._addresses = (ctypes.c_uint32 * 0)()

    def of_step(self, before: bytes, items: Sequence[Item]) -> list[int | None]:
        """The address of each port read, in order; None: it cannot be known."""
        count = sum(i.name in WIDTHS for i in items)
        if count == 0:
            return []
        run = self._follower()
        run.block = before
        run.follow(encode((i for i in items if not i.is_output), run.wide))
        run.step()
        run.take_output()
        known: list[int | None] = list(self._addresses[: run.host.addresses_used])
        return known[:count] + [None] * (count - len(known))

    def _follower(self) -> HostRun:
        if self._run is None:
            from lfc.codegen.program import generate
            from lfc.run.native import host_target
            from lfc.run.running import HostRun

            self._run = HostRun(generate(self.machine, host_target()), 0)
            self._addresses = (ctypes.c_uint32 * MOST_READS)()
            self._run.host.addresses, self._run.host.addresses_room = self._addresses, MOST_READS
        return self._run


def port_text(machine: Machine, width: int, address: int | None) -> str:
    """The address, and the name of the device register there, if the program has one."""
    if address is None:
        return "port"
    if address == NO_PORT:
        return "input"
    names = [
        v.name if module is machine.program.main else f"{module.name}.{v.name}"
        for module in machine.program.modules
        for v in module.variables
        if v.address == address and 8 * size_and_alignment(v.type)[0] == width
    ]
    return f"port {address:X}H" + (f" ({names[0]})" if names else "")
