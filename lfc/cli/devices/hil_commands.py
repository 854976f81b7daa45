"""`lfc hil` with all its commands."""

from __future__ import annotations

from lfc.cli.devices.hil import command
from lfc.cli.devices.hil_replay import replay_command
from lfc.cli.devices.hil_test import test_command

command.add_command(replay_command)
command.add_command(test_command)

__all__ = ["command"]
