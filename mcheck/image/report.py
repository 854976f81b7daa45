"""What the check of an image found, as data and as text: with disassembly and the line of the program."""

from __future__ import annotations

from bisect import bisect_right

from lfc.actions.layout.fields import block_fields
from lfc.actions.model.machine import Field, Position
from lfc.codegen.module.line_table import file_name
from lfc.mcheck.engine.abi import ImageErrorKind as Kind
from lfc.mcheck.engine.abi import ImageEvent as Event
from lfc.mcheck.image.check_image import CheckedImage, ImageResult, LongestPass, Mismatch, processor_of
from lfc.mcheck.model.description import Numbers
from lfc.run.names import live_processes
from lfc.toolchain.elf import read_symbol_list
from lfc.toolchain.line_rows import read_code_ranges

SAYS = {
    Kind.BAD_START: "the start-up code does not reach the kernel's loop with the right initial blocks",
    Kind.BAD_LOAD: "loads from an address that may not be read",
    Kind.BAD_STORE: "stores to an address that may not be written",
    Kind.ILLEGAL: "is not an instruction of this chip",
    Kind.UNALIGNED: "loads or stores at a misaligned address",
    Kind.OUTSIDE: "is executed, but is not code of the image",
    Kind.BAD_JUMP: "jumps to an address that is neither a function's start nor a return address",
    Kind.ENDLESS: "a pass of the kernel's loop does not terminate",
    Kind.BAD_REGISTERS: "a pass of the kernel's loop does not restore a register or the stack",
    Kind.HIDDEN: "a pass depends on the previous contents of a register",
    Kind.UNDEFINED: "its behaviour depends on an uninitialised register",
    Kind.BAD_PICK: "it takes another event or process than the scheduler's choice",
    Kind.BAD_BLOCK: "the state block differs afterwards",
    Kind.BAD_POLICY: "the policy block differs afterwards",
    Kind.BAD_DEVICE: "device or console accesses differ",
    Kind.BAD_FAULT: "it reports a fault that does not occur, or reports it wrongly",
    Kind.NO_SUCCESSOR: "it takes a step that the checker has not found",
}
SPIN = 9  # IMG_SPIN of oracle.h
AT_END = (Kind.BAD_BLOCK, Kind.BAD_POLICY, Kind.BAD_DEVICE, Kind.BAD_FAULT, Kind.NO_SUCCESSOR)


class Places:
    """Where code and bytes come from."""

    def __init__(self, image: CheckedImage) -> None:
        machine = image.machine
        self.machine, self.image = machine, image
        elf = image.firmware.image.elf
        self.processor = processor_of(image.board, elf)
        self._ranges = read_code_ranges(elf)
        self._starts = [r.start for r in self._ranges]
        self._functions = [s for s in read_symbol_list(elf) if s.kind == "function" and s.size and not s.in_data]
        self._objects = [s for s in read_symbol_list(elf) if (s.in_data or s.kind == "object") and s.size]
        numbers = Numbers(machine)
        self._positions = {numbers.of[id(p)]: p for _, part in machine.parts for p in part}
        self._fields = block_fields(machine.layout)
        source = machine.program.main.source
        self.main = file_name(source, source)

    def line(self, address: int) -> tuple[str, int] | None:
        at = bisect_right(self._starts, address)
        for r in self._ranges[max(0, at - 4) : at]:
            if r.start <= address < r.end and r.line:
                return r.file, r.line
        return None

    def code_of_line(self, line: int) -> list[int]:
        """Addresses of code that comes from a line of the main module."""
        return [at for r in self._ranges if r.file == self.main and r.line == line for at in range(r.start, r.end, 2)]

    def function(self, address: int) -> str:
        return next((s.name for s in self._functions if s.address <= address < s.address + s.size), "")

    def position(self, number: int) -> Position | None:
        return self._positions.get(number)

    def field(self, offset: int) -> Field | None:
        return next((f for f in self._fields if f.offset <= offset < f.offset + f.size), None)

    def data(self, address: int) -> str:
        """What lies at an address of the data space."""
        memory = next((s for s in self._objects if s.name == "lf_memory"), None)
        if memory is not None:
            offset = address - memory.target_address - self.image.firmware.block_offset
            field = self.field(offset) if offset >= 0 else None
            if field is not None:
                return f"`{field.name}` of {field.owner}"
        for s in self._objects:
            if s.target_address <= address < s.target_address + s.size:
                return f"`{s.name}`"
        return f"address {address:04X}H"

    def code(self, address: int) -> str:
        return self.processor.text(self.image.flash, address)


def mismatch_as_data(places: Places, m: Mismatch) -> dict[str, object]:
    line = places.line(m.pc)
    position = places.position(m.position)
    return {
        "kind": m.kind.name.lower().replace("_", "-"),
        "message": message_of(places, m),
        "address": m.pc,
        "instruction": places.code(m.pc),
        "function": places.function(m.pc),
        "file": None if line is None else line[0],
        "line": None if line is None else line[1],
        "where": m.where,
        "expected": m.expected,
        "found": m.found,
        "event": m.event.name.lower(),
        "slot": m.which if m.event in (Event.RUN, Event.WAKE) else None,
        "action": None if position is None else position.span.line,
        "block": m.block.hex(),
        "count": m.count,
    }


def message_of(places: Places, m: Mismatch) -> str:
    what = SAYS.get(m.kind, m.kind.name)
    if m.kind in (Kind.BAD_LOAD, Kind.BAD_STORE):
        return f"{what}: {places.data(m.where)}"
    if m.kind is Kind.BAD_BLOCK:
        field = places.field(m.where)
        name = "padding" if field is None else f"`{field.name}` of {field.owner}"
        return f"{what}: byte {m.where}, {name}, is {m.found} instead of {m.expected}"
    if m.kind is Kind.BAD_POLICY:
        return f"{what}: byte {m.where} is {m.found} instead of {m.expected}"
    if m.kind is Kind.BAD_DEVICE:
        return f"{what}: {deed(m.found, m.where)} instead of {deed(m.expected, m.where)}"
    if m.kind is Kind.BAD_PICK and m.expected != 0xFF:
        return f"{what}: slot {m.found} instead of {m.expected}"
    if m.kind is Kind.BAD_REGISTERS:
        return f"{what}: {places.processor.register(m.where)}"
    if m.kind is Kind.UNDEFINED:
        return f"{what}: {places.processor.register(m.where) if m.where < 32 else 'the flags'}"
    if m.kind is Kind.BAD_JUMP:
        return f"goes to {m.where:04X}H, which is neither a function's start nor a return address"
    return what


def deed(code: int, where: int) -> str:
    kind, value = code >> 32, code & 0xFFFFFFFF
    if not kind:
        return "nothing"
    return {
        1: f"a read of {where:04X}H",
        2: f"{value} to {where:04X}H",
        3: f"the byte {value} of the console",
        4: f"{chr(value)!r} on the console",
        SPIN: f"a wait of {value} microseconds",
        17: "sleep",
        18: "the transmitter's interrupt on",
    }.get(kind, "something")


def as_data(image: CheckedImage, result: ImageResult) -> dict[str, object]:
    places = Places(image)
    never = result.never_executed()
    return {
        "board": image.board.name,
        "file": image.name or None,
        "digest": image.firmware.digest,
        "verdict": verdict_of(result),
        "states": result.states,
        "executions": result.executions,
        "passes": result.passes,
        "instructions": result.instructions,
        "seconds": round(result.seconds, 6),
        "code": {
            "bytes": result.bytes_of_code,
            "executed": result.bytes_of_code - sum(end - start for start, end in never),
            "never": [never_as_data(places, start, end) for start, end in never],
        },
        "stack": {"used": result.stack, "bound": image.firmware.stack.main},
        "sampled": result.sampled,
        "stopped": result.stopped or None,
        "mismatches": [mismatch_as_data(places, m) for m in result.mismatches],
        "cycles": [longest_as_data(places, p) for p in result.longest],
    }


def verdict_of(result: ImageResult) -> str:
    return "differs" if result.mismatches else "inconclusive" if result.stopped else "agrees"


def never_as_data(places: Places, start: int, end: int) -> dict[str, object]:
    line = places.line(start)
    return {
        "start": start,
        "end": end,
        "function": places.function(start),
        "file": None if line is None else line[0],
        "line": None if line is None else line[1],
    }


def longest_as_data(places: Places, p: LongestPass) -> dict[str, object]:
    position = places.position(p.number)
    return {
        "event": event_of(places, p),
        "line": None if position is None else position.span.line,
        "process": None if position is None else position.body.name,
        "slot": None if p.slot == 0xFF else p.slot,
        "cycles": p.cycles,
        "block": p.block.hex(),
    }


def event_of(places: Places, p: LongestPass) -> str:
    position = places.position(p.number)
    if position is not None:
        return "run" if position.ready else "wake"
    interrupts = places.machine.layout.interrupts
    bit = p.number - len(places._positions) - 1
    return f"interrupt {interrupts[bit]}" if 0 <= bit < len(interrupts) else "idle"


def agrees_where(result: ImageResult) -> str:
    return "agrees with the program in every state" + " that its environment leads to" * result.with_model


def as_text(image: CheckedImage, result: ImageResult) -> list[str]:
    places = Places(image)
    of = f" in {image.name}" if image.name else ""
    lines = []
    for m in result.mismatches:
        lines += mismatch_lines(places, m)
    head = {
        "agrees": f"the image for {image.board.name}{of} {agrees_where(result)}",
        "differs": f"the image for {image.board.name}{of} does not behave as the program that was checked",
        "inconclusive": f"the image for {image.board.name}{of} was not executed in every state: {result.stopped}",
    }[verdict_of(result)]
    lines.append(head)
    never = result.never_executed()
    unused = sum(end - start for start, end in never)
    total = result.bytes_of_code
    lines.append(
        f"{result.states} states, {result.executions} executions of {result.instructions} instructions; "
        f"{total - unused} of {total} bytes of code executed; "
        f"stack at most {result.stack} bytes; {result.seconds:.2f} s"
    )
    if result.sampled:
        lines.append("assumed: three values are enough for the third and later input bytes of one action")
    return lines


def mismatch_lines(places: Places, m: Mismatch) -> list[str]:
    line = places.line(m.pc)
    position = places.position(m.position)
    at = "" if line is None else f"{line[0]}:{line[1]}: "
    if m.kind in AT_END and position is not None:
        at = f"{places.main}:{position.span.line}: "
    lines = [f"{at}the image: {message_of(places, m)}"]
    if m.kind not in AT_END:
        inside = places.function(m.pc)
        lines.append(f"  {m.pc:04X}H{f' in {inside}' if inside else ''}: {places.code(m.pc)}")
    who = [p for p in live_processes(places.machine, m.block)]
    name = next((p.name for p in who if p.slot == m.which), None)
    if m.event is Event.RUN and name is not None:
        lines.append(f"  when {name} runs, in the state")
    elif m.event is Event.WAKE and name is not None:
        lines.append(f"  when {name} stops waiting, in the state")
    else:
        lines.append("  in the state")
    lines += [f"    {p.name} {'ready at' if p.position.ready else 'waits at'} line {p.position.span.line}" for p in who]
    lines.append(f"    block {m.block.hex()}")
    return lines


def never_lines(places: Places, result: ImageResult) -> list[str]:
    """Code that control could reach, but no reachable state does."""
    lines = []
    for start, end in result.never_executed():
        line = places.line(start)
        where = f"{line[0]}:{line[1]}" if line is not None else places.function(start)
        lines.append(f"  {start:04X}H to {end - 1:04X}H  {where}")
    return lines
