"""The options that say where modules come from; every command that reads programs has them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

F = TypeVar("F", bound=Callable[..., Any])


META = "lfc.definitions"
WRAPS = "--wraps"  # among them
FILE = "lf.toml"


def project_folder() -> Path | None:
    """The working directory, or the nearest folder above it that has an lf.toml."""
    here = Path.cwd()
    return next((folder for folder in (here, *here.parents) if (folder / FILE).is_file()), None)


def _with_packages(_ctx: click.Context, _option: click.Parameter, given: tuple[str, ...]) -> tuple[str, ...]:
    """And the folders of the project's packages."""
    folder = project_folder()
    try:
        told = "" if folder is None else (folder / FILE).read_text(encoding="utf-8", errors="replace")
    except OSError:
        told = ""  # what is wrong with it is said where it is needed
    if folder is None or "dependencies" not in told:
        return given
    from lfc.cli.common.project import module_folders

    return (*given, *module_folders(folder))


_path = click.option(
    "--path",
    callback=_with_packages,
    multiple=True,
    type=click.Path(exists=True, file_okay=False),
    metavar="DIR",
    help="Search imported modules here too, after the file's own folder.",
)


def _keep(ctx: click.Context, _: click.Parameter, given: tuple[str, ...]) -> None:
    found: dict[str, str] = {}
    for one in given:
        name, equal, value = one.partition("=")
        if not equal or not name.strip() or not value.strip():
            raise click.BadParameter(f"`{one}` is not of the form NAME=VALUE.", ctx)
        if name.strip() in found:
            raise click.BadParameter(f"`{name.strip()}` is given two values.", ctx)
        found[name.strip()] = value.strip()
    ctx.meta[META] = ctx.meta.get(META, {}) | found


def _keep_world(ctx: click.Context, option: click.Parameter, given: object) -> None:
    """Beside the constants: another level is another program."""
    if given is not None:
        ctx.meta[META] = ctx.meta.get(META, {}) | {option.opts[0]: str(given)}


def _keep_wraps(ctx: click.Context, option: click.Parameter, given: str | None) -> None:
    if given == "fault":
        _keep_world(ctx, option, given)


def definitions() -> dict[str, str]:
    """Constants that the command line of the command that runs gives other values, by their names."""
    ctx = click.get_current_context(silent=True)
    found: dict[str, str] = {} if ctx is None else ctx.meta.get(META, {})
    return found


_level = click.option(
    "--level",
    "world_level",
    type=click.Choice(["normal", "degraded", "faulty"]),
    expose_value=False,
    callback=_keep_world,
    help="Leave out branches of CHOICE that are marked with a higher level (faulty: none).",
)
_budget = click.option(
    "--fault-budget",
    "world_budget",
    type=click.IntRange(0, 255),
    metavar="N",
    expose_value=False,
    callback=_keep_world,
    help="Take branches of CHOICE that are marked `{faulty}` at most N times in a run.",
)


wraps_option = click.option(
    "--wraps",
    "wraps",
    type=click.Choice(["allow", "fault"]),
    expose_value=False,
    callback=_keep_wraps,
    help="fault: unsigned arithmetic that wraps is a fault, unless it is written as SYSTEM.VAL(T, ...) or MOD n.",
)


def search_option(command: F) -> F:
    """Adds the parameter `path`, and -D, which `definitions` tells."""
    define = click.option(
        "-D",
        "--define",
        multiple=True,
        expose_value=False,
        callback=_keep,
        metavar="NAME=VALUE",
        help="Give a constant of the module another value; Module.NAME: one of a module that it imports.",
    )
    return _path(define(_level(_budget(command))))


def source_options(command: F) -> F:
    """Adds the parameters `path` and `env`."""
    environment = click.option(
        "--env",
        "--monitor",
        "env",
        multiple=True,
        metavar="FILE",
        help="An ENVIRONMENT MODULE that models the hardware, or a MONITOR: a file, or one of the library.",
    )
    return search_option(environment(command))
