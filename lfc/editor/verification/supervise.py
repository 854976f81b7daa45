"""Starts processes that check, one for each program at a time, and kills them when nobody waits for them any more."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from dataclasses import dataclass, field

from lfc.editor.verification.job import Answer, Job

WORKER = (sys.executable, "-m", "lfc.editor.verification.worker")
GRACE = 3.0  # times the budget: compiling is no search, and ends later
LONGEST_LINE = 1 << 28  # bytes of an answer


@dataclass(slots=True)
class Running:
    job: Job
    key: str
    process: asyncio.subprocess.Process | None = None  # None: it waits for one
    cancelled: bool = False


@dataclass(slots=True)
class Supervisor:
    """One process waits with everything imported, so that a check begins at once."""

    running: dict[str, Running] = field(default_factory=dict)  # by path of the main module, or `beside` it
    spare: asyncio.Task[asyncio.subprocess.Process] | None = None

    def warm_up(self) -> None:
        if self.spare is None:
            self.spare = asyncio.get_running_loop().create_task(start())

    async def check(self, job: Job, beside: str = "") -> Answer | None:
        """None: it was cancelled, by `cancel` or by a later check of the same program. `beside`: what is asked does not
        stop other checks of the program."""
        key = beside + job.path
        self.cancel(key)
        run = self.running[key] = Running(job, key)
        self.warm_up()
        assert self.spare is not None
        spare, self.spare = self.spare, None
        process = await spare
        if run.cancelled:
            self.give_back(spare)
            return None
        run.process = process
        self.warm_up()
        try:
            return await self.answer(run, process)
        finally:
            kill(process)
            if self.running.get(key) is run:
                del self.running[key]
            await process.wait()

    def give_back(self, spare: asyncio.Task[asyncio.subprocess.Process]) -> None:
        if self.spare is None:
            self.spare = spare
        else:
            kill(spare.result())

    async def answer(self, run: Running, process: asyncio.subprocess.Process) -> Answer | None:
        job = run.job
        assert process.stdin is not None and process.stdout is not None
        limit = job.seconds * GRACE or None
        try:
            process.stdin.write(job.to_line().encode())
            await process.stdin.drain()
            line = await asyncio.wait_for(process.stdout.readline(), limit)
        except TimeoutError:
            return Answer(error=f"no verdict within {job.seconds:g} s")
        except (BrokenPipeError, ConnectionResetError):
            line = b""
        if run.cancelled:
            return None
        return Answer.of_line(line.decode()) if line.endswith(b"\n") else Answer(error="the check ended unexpectedly")

    def cancel(self, key: str) -> bool:
        """Whether there was something to cancel."""
        run = self.running.pop(key, None)
        if run is None:
            return False
        run.cancelled = True
        if run.process is not None:
            kill(run.process)
        return True

    def close(self) -> None:
        for key in list(self.running):
            self.cancel(key)
        if self.spare is not None:
            if self.spare.done() and not self.spare.cancelled() and self.spare.exception() is None:
                kill(self.spare.result())
            self.spare.cancel()
            self.spare = None


async def start() -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        *WORKER,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        limit=LONGEST_LINE,
        start_new_session=True,
    )


def kill(process: asyncio.subprocess.Process) -> None:
    """With all that it has started."""
    if process.returncode is None:
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            pass
