"""`lfc hil` with all its commands. May import: click, `lfc.cli`."""

from __future__ import annotations

from lfc.cli.hil import command
from lfc.cli.hil_replay import replay_command
from lfc.cli.hil_test import test_command

command.add_command(replay_command)
command.add_command(test_command)

__all__ = ["command"]
