"""Commands about a system of several boards."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from lfc.cli.common.exits import Exit
from lfc.cli.common.output import current_output

if TYPE_CHECKING:
    from lfc.systems.boards import Image

SUFFIX = ".toml"


def is_system(file: str) -> bool:
    """Whether the whole of one is meant."""
    if not file.endswith(SUFFIX):
        return False
    from lfc.systems.boards import is_whole

    return is_whole(file)


def required_images(file: str) -> Sequence[Image]:
    """Those of all boards; what is wrong with the file ends the command."""
    from lfc.diagnostics.model import Diagnostics
    from lfc.systems.boards import images_of

    diagnostics = Diagnostics()
    found = images_of(file, diagnostics)
    if found is None:
        current_output().show(diagnostics)
        raise click.exceptions.Exit(Exit.SOURCE_ERROR)
    return found


def refuse_timed_links(file: str) -> None:
    """What a buffer gives on at once takes its time on a line."""
    if not is_system(file):
        return
    from lfc.systems.boards import has_buffers

    if has_buffers(file):
        raise click.UsageError(
            'Links take no time in this model, as they do on a line: for --time say `model = "protocol"` under [line].'
        )
