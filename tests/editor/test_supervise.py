"""Processes that check: one for each program, ended at once, and none left over."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

import pytest

from lfc.editor.verification.job import Job
from lfc.editor.verification.supervise import Supervisor
from tests.editor.programs import ENDLESS, MIXED

pytestmark = pytest.mark.asyncio


def job(text: str, path: str = "/nowhere/Program.lf") -> Job:
    return Job(path, {path: text}, [], "", 0)


async def close(supervisor: Supervisor) -> None:
    spare = None if supervisor.spare is None else await supervisor.spare
    supervisor.close()
    if spare is not None:
        assert await spare.wait() == -9


def is_there(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


async def test_what_is_cancelled_while_it_waits_for_a_process_is_never_begun() -> None:
    supervisor = Supervisor()
    checking = asyncio.ensure_future(supervisor.check(job(ENDLESS)))
    await asyncio.sleep(0)
    assert supervisor.running["/nowhere/Program.lf"].process is None
    assert supervisor.cancel("/nowhere/Program.lf") and not supervisor.cancel("/nowhere/Program.lf")
    assert await checking is None
    assert supervisor.running == {} and supervisor.spare is not None
    answer = await supervisor.check(job(MIXED))  # by the process that was left
    assert answer is not None and len(answer.verdicts) == 8
    await close(supervisor)


async def test_a_later_check_ends_an_earlier_one_and_its_process() -> None:
    supervisor = Supervisor()
    first = asyncio.ensure_future(supervisor.check(job(ENDLESS)))
    while (process := supervisor.running["/nowhere/Program.lf"].process if supervisor.running else None) is None:
        await asyncio.sleep(0.01)
    assert is_there(process.pid)
    second = await supervisor.check(job(MIXED))
    assert second is not None and second.error == ""
    assert await first is None
    assert not is_there(process.pid) and process.returncode is not None
    await close(supervisor)


async def test_a_process_that_dies_is_an_answer_too() -> None:
    supervisor = Supervisor()
    checking = asyncio.ensure_future(supervisor.check(job(ENDLESS)))
    await asyncio.sleep(0)
    run = supervisor.running["/nowhere/Program.lf"]
    while run.process is None:
        await asyncio.sleep(0.01)
    os.kill(run.process.pid, 9)
    answer = await checking
    assert answer is not None and answer.error == "the check ended unexpectedly"
    await close(supervisor)
