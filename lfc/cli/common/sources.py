"""The options that say where modules come from; every command that reads programs has them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

F = TypeVar("F", bound=Callable[..., Any])


search_option = click.option(
    "--path",
    multiple=True,
    type=click.Path(exists=True, file_okay=False),
    metavar="DIR",
    help="Search imported modules here too, after the file's own folder.",
)


def source_options(command: F) -> F:
    """Adds the parameters `path` and `env`."""
    environment = click.option(
        "--env",
        multiple=True,
        metavar="FILE",
        help="An ENVIRONMENT MODULE that models the hardware: a file, or a model of the library.",
    )
    return search_option(environment(command))
