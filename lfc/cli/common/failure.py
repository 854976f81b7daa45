"""What hindered a check, as SARIF: who asked for a document gets one."""

from __future__ import annotations

from collections.abc import Sequence

from lfc.cli.common.exits import MEANING, Exit
from lfc.diagnostics.render_sarif import Report
from lfc.diagnostics.visible import visible


def failure_as_sarif(code: int, said: Sequence[str]) -> str:
    return Report(exit_code=code, failures=[visible(text) for text in said] or [MEANING[Exit(code)]]).as_json()
