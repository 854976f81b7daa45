"""`lfc layout`: the state block of a program, byte for byte."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from lfc.cli.common.firmware import board_options, chosen_board
from lfc.cli.common.machine import load_machine
from lfc.cli.common.output import current_output, output_options
from lfc.cli.common.sources import source_options

if TYPE_CHECKING:
    from lfc.actions.model.machine import Machine


@click.command("layout", short_help="Show the state block of a program.")
@click.argument("file", metavar="FILE")
@click.option("--policy", is_flag=True, help="Show the policy block of a board instead.")
@click.option(
    "--scheduler", type=click.Choice(["rr", "edf"]), default="rr", help="Scheduler whose policy block is shown (rr)."
)
@board_options
@source_options
@output_options
def command(
    file: str,
    policy: bool,
    scheduler: str,
    board: str | None,
    board_file: str | None,
    path: tuple[str, ...],
    env: tuple[str, ...],
) -> None:
    """Show every field of the state block: offset, size, owner, name and type. It is the same on every target."""
    machine = load_machine(file, path, env, board=chosen_board(board, board_file))
    as_data = current_output().form == "json"
    if policy:
        _show_policy_block(machine, scheduler, as_data)
    elif as_data:
        from lfc.actions.as_data import as_json, layout_as_data

        current_output().document(as_json(layout_as_data(machine)))
    else:
        from lfc.actions.show import layout_text

        print(layout_text(machine), end="")


def _show_policy_block(machine: Machine, scheduler: str, as_data: bool) -> None:
    """That of a board: the host's also counts the rounds of the running action."""
    from dataclasses import replace

    from lfc.actions.as_data import as_json, policy_as_data
    from lfc.actions.model.machine import Field
    from lfc.actions.show import policy_text
    from lfc.codegen.module.target import HOST
    from lfc.codegen.program import generate

    p = generate(machine, replace(HOST, bounded_actions=False), scheduler).policies
    slots = sum(r.slots for r in machine.layout.records)
    rows = [
        (p.clock_at, min(4, p.deadlines_at), "clock", "UINT32"),
        (p.deadlines_at, 4 * slots if p.has_deadlines else 0, "deadlines", "UINT32 of each slot"),
        (p.deadlines_at + 4 * slots, 4 * slots if p.has_deadlines else 0, "relative", "UINT32 of each slot"),
        (p.sleepers_at, p.sleepers_size, "sleepers", "count; slot, clause, when"),
        (p.cursor_at, p.slot_size, "cursor", "slot"),
        (p.arrivals_at, p.arrivals_size, "arrivals", "count; slots"),
        (p.taker_at, 1 if p.takers else 0, "taker", "slot"),
        (p.taker_at + 1, 1 if p.turn_at is not None else 0, "turn", "interrupt"),
    ]
    fields = [Field(offset, size, "policy", name, kind) for offset, size, name, kind in rows if size]
    if as_data:
        current_output().document(as_json(policy_as_data(fields, p.size, scheduler)))
    else:
        print(policy_text(fields, p.size, scheduler), end="")
