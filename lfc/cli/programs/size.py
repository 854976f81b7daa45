"""`lfc size`: what a program takes of a board's flash and RAM."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from lfc.cli.common.external import sources_to_link, with_option
from lfc.cli.common.firmware import board_options, chosen_faults, fault_options, firmware_for, required_board
from lfc.cli.common.machine import load_machine
from lfc.cli.common.output import current_output, output_options
from lfc.cli.common.project import file_and_board
from lfc.cli.common.sources import search_option

if TYPE_CHECKING:
    from lfc.actions.model.machine import Machine
    from lfc.boards.descriptions.board import Board
    from lfc.image.firmware import Firmware
    from lfc.image.latency import Latency
    from lfc.image.usage import Usage
    from lfc.toolchain.elf import Sizes


@click.command("size", short_help="Show how much of a board's memory a program uses.")
@click.argument("file", required=False, metavar="[FILE]")
@board_options
@fault_options
@click.option("--scheduler", type=click.Choice(["rr", "edf"]), default="rr", help="Scheduler of the firmware (rr).")
@with_option
@search_option
@output_options
def command(
    file: str | None,
    board: str | None,
    board_file: str | None,
    scheduler: str,
    faults: str,
    on_fault: str,
    safe: tuple[str, ...],
    c_files: tuple[str, ...],
    path: tuple[str, ...],
) -> None:
    """Show flash and RAM used and left: by module, process and message, and the deepest stack.

    Code that belongs to no single statement in the line tables is counted as shared.
    """
    from lfc.image.usage import measure_usage
    from lfc.toolchain.elf import read_sizes

    c_files = sources_to_link(file, c_files)
    program, board = file_and_board(file, board, board_file)
    target = required_board(board, board_file)
    machine = load_machine(program, path, (), with_environment=False, board=target)
    made = firmware_for(target, machine, scheduler, chosen_faults(target, faults, on_fault, safe), c_files)
    sizes = read_sizes(made.image.elf)
    usage = measure_usage(made.image.elf, machine, made.generated.policies)
    if current_output().form == "json":
        data = as_data(target, made, sizes, usage)
        times = times_of(target, made, machine, scheduler)
        data |= {"interrupts": latency(machine, scheduler, times), "cycles": cycles_as_data(times)}
        current_output().document(json.dumps(data, indent=2))
    else:
        print(as_text(target, made, sizes, usage), end="")
        times = times_of(target, made, machine, scheduler)
        print(cycles_as_text(target, times))
        for entry in latency(machine, scheduler, times):
            others, cycles = entry["actions_of_others"], entry["cycles"]
            then = "the scheduler decides when" if others is None else f"after at most {others} actions of others"
            bound = entry["unbounded"] and f"; no bound is known, because {entry['unbounded']}"
            if cycles is not None:
                bound = f", at most {cycles} cycles ({in_time(target, int(cycles))}) after the interrupt"
            print(
                f"interrupt {entry['number']}: delivered when the running action ends; {then} its process runs{bound}"
            )


def times_of(board: Board, made: Firmware, machine: Machine, scheduler: str) -> Latency | None:
    """None: not computed for this processor."""
    from lfc.image.latency import compute_latency

    if board.cpu.architecture != "avr":
        return None
    return compute_latency(board, made.image.elf, machine, made.generated.policies, scheduler, made.c_routines)


def latency(machine: Machine, scheduler: str, times: Latency | None) -> list[dict[str, int | str | None]]:
    """Of each interrupt that the program names: how many actions can come between its delivery and its process's own,
    and the cycles from the interrupt to the end of that action, if a bound is known.

    Round-robin lets every other slot run once. With deadlines there is no such bound.
    """
    others = sum(r.slots for r in machine.layout.records) - 1
    known = {} if times is None else {i.number: i for i in times.interrupts}
    return [
        {
            "number": n,
            "actions_of_others": others if scheduler == "rr" else None,
            "cycles": known[n].to_process if n in known else None,
            "unbounded": known[n].because if n in known else "",
        }
        for n in machine.layout.interrupts
    ]


def cycles_as_data(times: Latency | None) -> dict[str, object] | None:
    if times is None:
        return None
    return {
        "longest_pass": times.longest_pass,
        "line": times.longest_line,
        "masked": times.masked,
        "unbounded": times.loops,
    }


def cycles_as_text(board: Board, times: Latency | None) -> str:
    if times is None:
        return "longest action: not computed for this processor"
    if times.longest_pass is None:
        return f"longest action: no bound is known, because of a loop in {', '.join(times.loops) or 'a routine'}"
    at = "" if times.longest_line is None else f", at line {times.longest_line}"
    masked = "" if times.masked is None else f"; interrupts are off for at most {times.masked} cycles"
    longest = f"{times.longest_pass} cycles ({in_time(board, times.longest_pass)}){at}"
    return f"longest action, with the kernel around it: {longest}{masked}"


def in_time(board: Board, cycles: int) -> str:
    return f"{cycles * 1e6 / board.cpu.clock:.1f} µs"


def as_data(board: Board, made: Firmware, sizes: Sizes, usage: Usage) -> dict[str, object]:
    stack = made.stack
    return {
        "version": 1,
        "board": board.name,
        "flash": {
            "used": sizes.flash,
            "size": made.room,
            "users": dict(usage.flash),
            "modules": usage.modules(usage.flash),
            "messages": dict(usage.messages),
        },
        "ram": {
            "used": sizes.ram,
            "size": board.ram.size,
            "users": dict(usage.ram),
            "modules": usage.modules(usage.ram),
            "state_block": usage.state_block,
            "policy_block": usage.policy_block,
        },
        "stack": {
            "deepest": stack.total,
            "main": stack.main,
            "interrupts": stack.interrupts,
            "chain": stack.chain,
            "indirect_calls": stack.indirect,
            "unbounded": stack.unbounded,
            "unknown": stack.unknown,
        },
    }


def as_text(board: Board, made: Firmware, sizes: Sizes, usage: Usage) -> str:
    stack = made.stack
    deepest = stack.total
    lines = [
        f"flash: {sizes.flash} of {made.room} bytes, {made.room - sizes.flash} left",
        *table(usage.flash),
        *(
            ["", "code of communications, by message (included above)", *table(usage.messages)]
            if usage.messages
            else []
        ),
        "",
        f"RAM: {sizes.ram + deepest} of {board.ram.size} bytes, {board.ram.size - sizes.ram - deepest} left",
        *table({**usage.ram, "deepest stack": deepest}),
        "",
        "by module: flash, RAM",
    ]
    flash, ram = usage.modules(usage.flash), usage.modules(usage.ram)
    for module in sorted({*flash, *ram}):
        lines.append(f"  {flash.get(module, 0):7}  {ram.get(module, 0):6}  {module}")
    lines += ["", f"state block: {usage.state_block} bytes; policy block: {usage.policy_block} bytes"]
    lines.append(f"stack: {stack.main} bytes, plus {stack.interrupts} for interrupts, in {' > '.join(stack.chain)}")
    lines.append(f"calls through pointers: {', '.join(stack.indirect) or 'none'}")
    if stack.unbounded:
        lines.append(f"recursive, counted once: {', '.join(stack.unbounded)}")
    if stack.unknown:
        lines.append(f"stack use unknown: {', '.join(stack.unknown)}")
    return "\n".join(lines) + "\n"


def table(users: dict[str, int]) -> list[str]:
    from lfc.image.fitting import largest

    return [f"  {amount:7}  {name}" for name, amount in largest(users) if amount]
