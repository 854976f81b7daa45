"""Every `--help` ends with an example, which the command takes."""

from __future__ import annotations

import shlex
from collections.abc import Iterator

import click
import pytest

from lfc.cli.common.examples import EXAMPLES
from lfc.cli.main import COMMANDS, lfc


def all_commands() -> Iterator[tuple[str, click.Command]]:
    context = click.Context(lfc)
    for name in COMMANDS:
        command = lfc.get_command(context, name)
        assert command is not None
        yield name, command
        if isinstance(command, click.Group):
            yield from ((f"{name} {inner}", of) for inner, of in command.commands.items())


def test_there_is_one_for_each_command() -> None:
    assert sorted(name for name, _ in all_commands()) == sorted(EXAMPLES)


@pytest.mark.parametrize(("name", "command"), [*all_commands()], ids=lambda x: x if isinstance(x, str) else "")
def test_help_ends_with_an_example_that_is_understood(name: str, command: click.Command) -> None:
    context = click.Context(command, info_name=f"lfc {name}")
    last = command.get_help(context).rstrip().split("\n\n")[-1]
    example = " ".join(last.split())
    assert example == f"Example: {EXAMPLES[name]}"
    words = shlex.split(example.partition(" > ")[0])
    assert words[1:3] == ["lfc", name.split()[0]]
    rest = words[2 + len(name.split()) :]
    if isinstance(command, click.Group):
        command, rest = command.commands[rest[0]], rest[1:]
    command.make_context(name, rest, obj=None)  # a UsageError is a failure


def test_the_whole_help_has_one_too() -> None:
    told = lfc.get_help(click.Context(lfc, info_name="lfc"))
    assert told.rstrip().endswith("Example: lfc check traffic.lf --env traffic_env.lf")
