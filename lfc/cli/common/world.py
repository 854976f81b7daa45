"""Options of `lfc check` that say what is assumed of the world: its time and its inputs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from lfc.actions.model.machine import Machine
    from lfc.mcheck.request.world import World

Command = TypeVar("Command", bound=Callable[..., Any])
MODES = ("free", "ordered", "discrete", "board")
META = "lfc.world"
CLOCK_LIMIT = 1 << 32
LONGEST = 1e9  # seconds, thirty years: beyond, clocks of the system overflow


class TimeType(click.ParamType):  # type: ignore[type-arg]  # generic in some versions
    """A number of seconds, or a mode."""

    name = "time"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> object:
        if value in MODES:
            return value
        try:
            seconds = float(str(value))
        except ValueError:
            self.fail(f"{value!r} is neither a number of seconds nor one of {', '.join(MODES)}.", param, ctx)
        if not 0 < seconds < LONGEST:
            self.fail(f"{value} is not in the range 0<x<1e9; without --time there is no limit.", param, ctx)
        return seconds


def take_time(ctx: click.Context, _: click.Parameter, given: tuple[object, ...]) -> float:
    """The seconds; the mode is kept beside."""
    seconds = 0.0
    for x in given:
        if isinstance(x, float):
            seconds = x
        else:
            ctx.meta[META] = ctx.meta.get(META, {}) | {"time": x}
    return seconds


def keep(ctx: click.Context, option: click.Parameter, given: object) -> None:
    if given not in (None, ()):
        ctx.meta[META] = ctx.meta.get(META, {}) | {str(option.name): given}


def time_option(command: Command) -> Command:
    return click.option(
        "--time",
        "seconds",
        type=TimeType(),
        multiple=True,
        callback=take_time,
        metavar="S|MODE",
        help="Stop after S seconds; or the model of time: free (sleepers wake at any time), ordered, discrete, board.",
    )(command)


OPTIONS = (
    click.option(
        "--clock",
        "clock_wrap",
        type=click.IntRange(1, CLOCK_LIMIT),
        metavar="MS",
        help="With --time discrete: the clock wraps at MS milliseconds (60000).",
        expose_value=False,
        callback=keep,
    ),
    click.option(
        "--closing/--no-closing",
        "closes",
        default=True,
        help="Check a module alone with the most general environment on its exported channels (default).",
        expose_value=False,
        callback=keep,
    ),
    click.option(
        "--rate",
        type=click.IntRange(min=1),
        metavar="N",
        help="At most N interrupts and messages from outside per action of the program.",
        expose_value=False,
        callback=keep,
    ),
    click.option(
        "--data",
        type=click.Choice(["auto", "explicit", "symbolic"]),
        help="Give each variable a value (explicit), or leave values undetermined until the program asks (symbolic); "
        "auto: symbolic where many values are not searched soon.",
        expose_value=False,
        callback=keep,
    ),
    click.option(
        "--inputs",
        type=click.Choice(["split", "all"]),
        help="With --data explicit: distinguish only input values that the program tests (split), or try each (all).",
        expose_value=False,
        callback=keep,
    ),
    click.option(
        "--assume",
        multiple=True,
        metavar="'PORT in A..B'",
        help='Assume the range of a device register, or of the port at an address; console in "0-9" of what is typed.',
        expose_value=False,
        callback=keep,
    ),
)


def world_options(command: Command) -> Command:
    for option in reversed(OPTIONS):
        command = option(command)
    return command


def chosen_world() -> World:
    from lfc.mcheck.request.request import request_from

    given = click.get_current_context().meta.get(META, {})
    world = request_from(**{name: x for name, x in given.items() if name != "closes"}).world
    if "inputs" in given:
        if given.get("data", "explicit") != "explicit":
            raise click.UsageError("--inputs needs --data explicit: other data is not tried value by value.")
        world = replace(world, data=type(world.data)("explicit"))
    if "clock_wrap" in given and world.time != "discrete":
        raise click.UsageError("--clock needs --time discrete.")
    return world


def closed_machine(machine: Machine, world: World, file: str, path: tuple[str, ...]) -> tuple[Machine, World]:
    """With partners for the exported channels of a module that is checked alone, and what is assumed of these."""
    from lfc.mcheck.model.open_module import NotClosed, close

    if not click.get_current_context().meta.get(META, {}).get("closes", True):
        return machine, world
    try:
        closed = close(machine, file, path)
    except NotClosed as why:
        why_none = f"the environment does not use the exported channels, because partners cannot be generated ({why})"
        return machine, replace(world, outside=why_none)
    if closed is None:
        return machine, world
    return closed.machine, replace(world, outside=closed.assumption, open_messages=closed.messages)
