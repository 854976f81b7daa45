"""`lfc layout`: the state block of a program, byte for byte. May import: click, the stages when called."""

from __future__ import annotations

import click

from lfc.cli.machine import load_machine
from lfc.cli.output import current_output, output_options
from lfc.cli.sources import source_options


@click.command("layout", short_help="Show the state block of a program.")
@click.argument("file", metavar="FILE")
@click.option("--policy", is_flag=True, help="The policy block of a board instead.")
@click.option("--scheduler", type=click.Choice(["rr", "edf"]), default="rr", help="Whose policy block (rr).")
@source_options
@output_options
def command(file: str, policy: bool, scheduler: str, path: tuple[str, ...], env: tuple[str, ...]) -> None:
    """Show every field of the state block: offset, size, owner, name and type. It is the same on every target."""
    machine = load_machine(file, path, env)
    if current_output().form == "json":
        from lfc.actions.as_data import as_json, layout_as_data, policy_as_data

        print(as_json(policy_as_data(machine, scheduler) if policy else layout_as_data(machine)))
        return
    from lfc.actions.show import layout_text, policy_text

    print(policy_text(machine, scheduler) if policy else layout_text(machine), end="")
