"""How an example ends on this machine."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from lfc.codegen.program import generate
from lfc.run.native import host_target
from lfc.run.running import HostRun
from lfc.run.session import Console, End, Session
from tests.differential.stepwise import machine_of
from tests.support.example_runs import SCHEDULERS


@cache
def end_on_this_machine(program: Path, scheduler: str, given: bytes) -> tuple[bytes, bytes]:
    """Output and state block. The text of what is said is compared elsewhere."""
    run = HostRun(generate(machine_of(program), host_target(), scheduler), 2, SCHEDULERS[scheduler])
    run.feed(given)
    said: list[bytes] = []
    assert Session(run, Console(said.append), virtual_clock=True).go() in (End.ENDED, End.BLOCKED)
    return b"".join(said), run.block


# Some on every board; all of them, and earliest deadline first, where there is more time.
QUICK = {"prodcons", "echo", "clockdemo", "calls"}
