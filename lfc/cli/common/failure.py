"""What hindered a command, as JSON or SARIF: who asked for a document gets one."""

from __future__ import annotations

import json
from collections.abc import Sequence

from lfc.base.version import __version__
from lfc.cli.common.exits import MEANING, Exit
from lfc.diagnostics.render_sarif import Report
from lfc.diagnostics.visible import visible


def failure_as_sarif(code: int, said: Sequence[str]) -> str:
    return Report(exit_code=code, failures=[visible(text) for text in messages(code, said)]).as_json()


def failure_as_json(code: int, said: Sequence[str]) -> str:
    """The form is described in docs/reference/command-line.md."""
    failure = {"exit_code": int(code), "meaning": MEANING[Exit(code)], "messages": messages(code, said)}
    return json.dumps({"version": 1, "tool": {"name": "lfc", "version": __version__}, "failure": failure}, indent=2)


def messages(code: int, said: Sequence[str]) -> list[str]:
    return list(said) or [MEANING[Exit(code)]]
