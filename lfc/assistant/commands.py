"""Runs `lfc` in a process of its own, which ends with the request: what a program says never reaches the protocol."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from pathlib import Path
from subprocess import PIPE
from typing import Any

EXTRA_SECONDS = 60.0  # to compile, and to end
MOST_CHARACTERS = 200_000  # of an answer


@dataclass(frozen=True, slots=True)
class Done:
    exit_code: int
    out: str
    err: str

    def document(self) -> dict[str, Any]:
        """What `--json` printed, with the exit code; else what was said as text."""
        try:
            found = json.loads(self.out)
        except ValueError:
            return {"exit_code": self.exit_code, "text": cut(self.out), "messages": cut(self.err)}
        if not isinstance(found, dict):
            found = {"items": found}
        return {"exit_code": self.exit_code} | found


async def run_lfc(folder: Path, arguments: list[str], text: str = "", seconds: float = 0.0) -> Done:
    """Killed when the request is cancelled, or takes far longer than it was given."""
    import anyio

    command = [sys.executable, "-P", "-m", "lfc", *arguments]
    with anyio.move_on_after(seconds + EXTRA_SECONDS):
        done = await anyio.run_process(command, input=text.encode(), stdout=PIPE, stderr=PIPE, check=False, cwd=folder)
        return Done(done.returncode, done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace"))
    return Done(6, "", f"stopped after {seconds + EXTRA_SECONDS:.0f} seconds")


def cut(text: str) -> str:
    left = len(text) - MOST_CHARACTERS
    return text if left <= 0 else f"{text[:MOST_CHARACTERS]}\n... and {left} more characters"
