"""The host's own block beside the board's: it does what the board says it did, and compares."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from lfc.actions.model.machine import Machine
from lfc.boards.emulators.line import LineEnded
from lfc.codegen.module.generated import FaultSite
from lfc.codegen.program import generate
from lfc.hil.difference import FieldDifference, first_difference
from lfc.hil.frames import checksum
from lfc.hil.session import SessionError
from lfc.run.names import position_number, short_name
from lfc.run.native import host_target
from lfc.run.report import fault_message
from lfc.run.running import Fault, HostRun, Mode, Status
from lfc.trace.items import Item, decode, encode

# The board's block, and the steps that it did before it sent it.
Ask = Callable[[], tuple[bytes, list[tuple[Item, ...]]]]


@dataclass(slots=True)
class Difference:
    """The first thing in which board and host differ."""

    kind: str  # step, output, block, fault
    step: int  # counted from 1
    process: str
    line: int | None
    message: str
    details: list[str] = field(default_factory=list)


class HostSide:
    def __init__(self, machine: Machine, scheduler: str, level: int = 1) -> None:
        self.machine = machine
        self.generated = generate(machine, host_target(), scheduler)
        self.run = HostRun(self.generated, level, Mode.FOLLOW)
        self.steps = 0

    @property
    def block(self) -> bytes:
        return self.run.block

    def compare_whole(self, board: bytes, when: str) -> Difference | None:
        """All bytes of the block, between two steps."""
        found = first_difference(self.machine, self.block, board)
        if found is None:
            return None
        return Difference("block", self.steps, when, None, *told(found))

    def take_step(self, items: tuple[Item, ...], digest: int, ask: Ask) -> Difference | None:
        """Does the step that the board did. `ask` fetches the board's block, and says what the board did meanwhile."""
        before, status = self._do(items)
        done = tuple(decode(self.run.items, self.run.wide))
        if status is Status.FAULT:
            return self._difference("fault", before, items, f"the host faults here: {self._own_fault()}")
        if status is not Status.RAN:
            return self._difference(
                "step", before, items, "the host cannot do what the board did", self._both(done, items)
            )
        if done != items:
            message = "the host does something else"
            return self._difference("output", before, items, message, self._both(done, items))
        if checksum(self.block) == digest:
            return None
        return self._difference("block", before, items, *self._named(digest, ask))

    def _named(self, digest: int, ask: Ask) -> tuple[str, list[str]]:
        """What differs, if it can still be found out: that something does is known."""
        digests = (
            f"the digests of the block differ: {checksum(self.block):04X}H on the host, {digest:04X}H on the board"
        )
        try:
            board, later = ask()
        except (SessionError, LineEnded) as error:
            return digests, [f"the board's block could not be read: {error}"]
        for items in later:
            self.run.follow(encode(items, self.run.wide))
            if self.run.step() is not Status.RAN:
                return digests, ["the board has continued to a state that the host cannot reach"]
        found = first_difference(self.machine, self.block, board)
        if found is None:
            return digests, ["the board's block, read afterwards, equals the host's"]
        message, details = told(found)
        if later:
            details.append(f"found {len(later)} step{'s' * (len(later) > 1)} later: the board was ahead")
        return message, details

    def take_fault(self, items: tuple[Item, ...], site: FaultSite | None, fault: Fault) -> Difference | None:
        """The board's step ended in a fault: so must the host's, at the same place."""
        before, status = self._do(items)
        told = "an unknown site" if site is None else f"line {site.span.line}: {fault_message(site, fault)}"
        if status is not Status.FAULT:
            return self._difference("fault", before, items, f"the board faults, the host does not: {told}")
        own, here = self.run.fault, self.generated.sites[self.run.fault.site]
        same_place = site is not None and (site.span, site.kind) == (here.span, here.kind) and fault.kind == own.kind
        if not same_place or (own.first, own.second) != (fault.first, fault.second):
            return self._difference("fault", before, items, f"the board's fault is {told}; here {self._own_fault()}")
        return None

    def _do(self, items: tuple[Item, ...]) -> tuple[bytes, Status]:
        before = self.block
        self.steps += 1
        self.run.follow(encode(items, self.run.wide))
        status = self.run.step()
        self.run.take_output()
        return before, status

    def _own_fault(self) -> str:
        site = self.generated.sites[self.run.fault.site]
        return f"line {site.span.line}: {fault_message(site, self.run.fault)}"

    def _both(self, host: tuple[Item, ...], board: tuple[Item, ...]) -> list[str]:
        return [f"host:  {items_text(host)}", f"board: {items_text(board)}"]

    def _difference(
        self, kind: str, before: bytes, items: tuple[Item, ...], message: str, details: list[str] | None = None
    ) -> Difference:
        who, line = self.who(before, items)
        return Difference(kind, self.steps, who, line, message, details or [])

    def who(self, before: bytes, items: tuple[Item, ...]) -> tuple[str, int | None]:
        """Whose step it is, and the line where it starts."""
        if not items:
            return "nobody", None
        event = items[0]
        if event.name == "interrupt":
            return f"interrupt {event.operands[0]}", None
        slot = event.operands[0]
        for record in self.machine.layout.records:
            if slot is not None and record.first_slot <= slot < record.first_slot + record.slots:
                number = position_number(self.machine, before, slot)
                name = short_name(self.machine, record, slot - record.first_slot)
                return name, self.machine.positions[number - 1].span.line if number else None
        return f"slot {slot}", None


def told(found: FieldDifference) -> tuple[str, list[str]]:
    details = [f"{found.more} more bytes of the block differ"] if found.more else []
    return f"{found.name} is {found.host} on the host, {found.board} on the board", details


def items_text(items: tuple[Item, ...]) -> str:
    """Console bytes as one text."""
    shown: list[str] = []
    text = bytearray()
    for item in (*items, None):
        if item is not None and item.name == "write":
            text.append(item.operands[0] or 0)
            continue
        if text:
            shown.append(f"write {bytes(text)!r}"[:60].replace("b'", "'", 1))
            text.clear()
        if item is not None:
            shown.append(" ".join([item.name, *("-" if o is None else str(o) for o in item.operands)]))
    return ", ".join(shown) or "nothing"


def difference_lines(found: Difference, file: str) -> list[str]:
    where = f"{file}:{found.line}: " if found.line is not None else ""
    return [f"{where}step {found.step}, {found.process}: {found.message}", *(f"  {line}" for line in found.details)]
