"""Whether a program fits its board, stack included; who takes most if it does not."""

from __future__ import annotations

from lfc.actions.model.machine import Machine
from lfc.base.source import Span
from lfc.boards.descriptions.board import Board
from lfc.boards.descriptions.chips import CHIPS
from lfc.codegen.module.generated import Generated
from lfc.image.stack import StackUse, compute_stack
from lfc.image.usage import Usage, measure_usage
from lfc.isa.avr.code import SMALL_FLASH
from lfc.semantics.bounds import MOST_IN_A_BYTE, channel_bounds, instance_bounds
from lfc.toolchain.elf import read_sizes
from lfc.toolchain.failure import ImageError

NAMED = 5  # users of a memory
SPINS = "call void @lf_policy_spin("
WRITES, READS = "@lf_policy_console_out(", "@lf_policy_console_in("
LEAST_CLOCK_TO_SPIN = 6_000_000  # Hz


def check_width(board: Board, machine: Machine) -> None:
    """No board has the memory for a wide program, so none has the kernel for it: slots and ports are bytes there."""
    if not machine.wide:
        return
    bounds = {p: b.max_instances for p, b in instance_bounds(machine.program).items()}
    slots = 1 + sum(bounds.values())
    channels = channel_bounds(machine.program)
    found = []
    if slots > MOST_IN_A_BYTE:
        process = max(bounds, key=lambda p: bounds[p])
        where = place(process.span)
        found.append(f"{where}: there can be {slots} processes at once, {bounds[process]} of them `{process.name}`")
    total = sum(c.channels for c in channels)
    if total > MOST_IN_A_BYTE:
        largest = max(channels, key=lambda c: c.channels)
        found.append(
            f"{place(largest.new.span)}: there can be {total} channels at once, {largest.channels} of them here"
        )
    most = f"at most {MOST_IN_A_BYTE} processes and {MOST_IN_A_BYTE} channels"
    raise ImageError(f"a program for the board {board.name} has {most}", "\n".join(found))


def check_spin(board: Board, ir: str) -> None:
    """Of the generated code: whether it waits for microseconds where the port cannot."""
    can = board.cpu.architecture == "avr" and board.cpu.clock >= LEAST_CLOCK_TO_SPIN
    if not can and SPINS in ir:
        only = "only an AVR of 6 MHz or more counts its cycles; Clock.Sleep waits for milliseconds"
        raise ImageError(f"the board {board.name} has no Clock.Spin", only)


def check_console(board: Board, ir: str, trace: bool) -> None:
    """Of the generated code: whether it uses the console of a board that has none."""
    if board.console.is_there:
        return
    calls = [line for line in ir.splitlines() if " call " in line]
    uses = ["writes to it"] if any(WRITES in line for line in calls) else []
    uses += ["reads from it"] if any(READS in line for line in calls) else []
    if trace:
        uses = ["would tell on it what it does, since the image is traced"]
    if uses:
        told = f"the program {' and '.join(uses)}"
        raise ImageError(
            f"the board {board.name} has no console", f"{told}; show it at pins (`GPIO`), or take another board"
        )


def stack_of(board: Board, elf: bytes, machine: Machine) -> StackUse:
    chip = CHIPS[board.cpu.chip]
    if chip.small and read_sizes(elf).flash > SMALL_FLASH:
        return StackUse(0, 0, [])  # unknown: jumps that reach all of the flash reach no further
    bounds = {f"function.{b.name}.{b.order}": b.max_calls for b in machine.bodies if b.recursive}
    return compute_stack(elf, chip.long_returns, bounds)


def check_fit(board: Board, elf: bytes, generated: Generated, stack: StackUse) -> None:
    """Raises the error that says what is missing, and names the largest users."""
    sizes = read_sizes(elf)
    needs = []
    usage: Usage | None = None
    for memory, used, size in (
        ("flash", sizes.flash, board.flash.usable),
        ("RAM", sizes.ram + stack.total, board.ram.size),
    ):
        if used <= size:
            continue
        usage = usage or measure_usage(elf, generated.machine, generated.policies)
        users = dict(usage.flash if memory == "flash" else usage.ram)
        if memory == "RAM":
            users["stack"] = stack.total
        needs.append(f"it needs {used} bytes of {memory}, {used - size} more than the {size} available")
        needs += [f"  {amount:6}  {name}" for name, amount in largest(users)[:NAMED]]
    if needs:
        raise ImageError(f"the program does not fit {board.name}", "\n".join(needs))


def place(span: Span) -> str:
    line, column = span.source.line_and_column(span.start)
    return f"{span.source.path}:{line}:{column}"


def largest(users: dict[str, int]) -> list[tuple[str, int]]:
    return sorted(users.items(), key=lambda user: (-user[1], user[0]))
