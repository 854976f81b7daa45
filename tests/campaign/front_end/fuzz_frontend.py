"""The fuzz campaign of the front end. The full quota:

    python -m tests.campaign.front_end.fuzz_frontend --count 200000 --seed 1 --jobs 2

Any exception, hang or death of a worker is a failure; it is minimised and stored in tests/corpus/crashes/.
"""

from __future__ import annotations

import argparse
import hashlib
import multiprocessing
import resource
import signal
import sys
import tempfile
import time
import traceback
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from types import FrameType

from tests.campaign.front_end.drive_frontend import drive, seed_programs, write_modules
from tests.campaign.front_end.minimise import minimise
from tests.campaign.front_end.mutate import make_input
from tests.conftest import ROOT
from tests.support.seeds import add_seed, parsed

CRASHES = ROOT / "tests" / "corpus" / "crashes"
SECONDS = 20.0  # of the processor for an input, since the machine may be busy; a megabyte has more
MEMORY = 6 * 1024**3


class Hang(BaseException):
    """Not an Exception: no stage may catch it."""


@dataclass(slots=True)
class Failure:
    index: int
    signature: str  # what failed and where; equal for equal bugs
    detail: str
    content: bytes


def failure_of(content: bytes, folder: Path, index: int, as_environment: bool) -> Failure | None:
    """Drives one input with a limit of time."""

    def on_alarm(_number: int, _frame: FrameType | None) -> None:
        raise Hang

    signal.signal(signal.SIGPROF, on_alarm)
    signal.setitimer(signal.ITIMER_PROF, SECONDS + 60 * len(content) / 1_000_000)
    try:
        drive(content, folder, as_environment=as_environment)
    except (Exception, Hang) as error:
        frames = [f for f in traceback.extract_tb(error.__traceback__) if str(ROOT) in f.filename]
        last = frames[-1] if frames else None
        where = (
            f"{Path(last.filename).name}:{last.name}" if last and not isinstance(error, Hang | RecursionError) else ""
        )
        said = str(error)[:80] if isinstance(error, AssertionError) else ""
        detail = "".join(traceback.format_exception(error, limit=-12))
        return Failure(index, f"{type(error).__name__} {where} {said}".strip(), detail, content)
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    return None


def is_environment(index: int) -> bool:
    return index % 12 == 5


def work(pipe: Connection, seed: int, first: int, end: int, step: int) -> None:
    """One worker: says which input it takes, then what failed; None is its last word."""
    begun_with = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()  # of who has forked
    resource.setrlimit(resource.RLIMIT_AS, (begun_with + MEMORY, begun_with + MEMORY))
    pool = seed_programs()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_modules(folder)
        for index in range(first, end, step):
            pipe.send(index)
            failure = failure_of(make_input(pool, seed, index), folder, index, is_environment(index))
            if failure is not None:
                pipe.send(failure)
    pipe.send(None)


class Worker:
    """A process that can die, and is then started again behind the input that killed it."""

    def __init__(self, seed: int, first: int, count: int, jobs: int) -> None:
        self.seed, self.count, self.jobs = seed, count, jobs
        self.done = False
        self.start(first)

    def start(self, first: int) -> None:
        self.current = first
        self.pipe, theirs = multiprocessing.Pipe(duplex=False)
        self.process = multiprocessing.get_context("fork").Process(
            target=work, args=(theirs, self.seed, first, self.count, self.jobs), daemon=True
        )
        self.process.start()
        theirs.close()

    def next_failure(self) -> Failure | None:
        """Waits for one message."""
        try:
            message = self.pipe.recv()
        except EOFError:
            return self.died()
        if isinstance(message, Failure):
            return message
        if message is None:
            self.done = True
            self.process.join()
        else:
            self.current = message
        return None

    def died(self) -> Failure:
        self.process.join()
        killer = make_input(seed_programs(), self.seed, self.current)
        signature = f"death exit {self.process.exitcode}"
        failure = Failure(self.current, signature, "the process died", killer)
        if self.current + self.jobs < self.count:
            self.start(self.current + self.jobs)
        else:
            self.done = True
        return failure


def campaign(seed: int, count: int, jobs: int, *, progress: bool = False) -> list[Failure]:
    """Runs `count` inputs; of failures with one signature only the smallest is kept."""
    workers = [Worker(seed, k, count, jobs) for k in range(min(jobs, count))]
    found: dict[str, Failure] = {}
    begun, told = time.monotonic(), 0.0
    while running := [w for w in workers if not w.done]:
        ready = multiprocessing.connection.wait([w.pipe for w in running], timeout=10)
        for worker in running:
            if worker.pipe not in ready:
                continue
            failure = worker.next_failure()
            if failure is None:
                continue
            known = found.get(failure.signature)
            if known is None and progress:
                print(f"input {failure.index}: {failure.signature}", file=sys.stderr, flush=True)
            if known is None or len(failure.content) < len(known.content):
                found[failure.signature] = failure
        elapsed = time.monotonic() - begun
        if progress and elapsed - told > 30:
            told = elapsed
            at = min(w.current for w in workers if not w.done or len(workers) == 1) if running else count
            print(f"{at} of {count} inputs, {elapsed:.0f} s, {len(found)} failures", file=sys.stderr, flush=True)
    return list(found.values())


def store(failure: Failure) -> Path:
    """Minimised, under a name made from the signature: it is replayed by every test run from now on."""
    content = failure.content
    if not failure.signature.startswith("death"):
        with tempfile.TemporaryDirectory() as name:
            write_modules(Path(name))

            def fails_alike(candidate: bytes) -> bool:
                again = failure_of(candidate, Path(name), 0, is_environment(failure.index))
                return again is not None and again.signature == failure.signature

            content = minimise(content, fails_alike)
    CRASHES.mkdir(exist_ok=True)
    kind = failure.signature.split()[0] + ("_environment" if is_environment(failure.index) else "")
    file = CRASHES / f"{kind}_{hashlib.sha256(content).hexdigest()[:8]}.lf"
    file.write_bytes(content)
    return file


def main() -> int:
    parser = argparse.ArgumentParser(description="Fuzz the front end.")
    parser.add_argument("--count", type=int, default=200_000)
    add_seed(parser)
    parser.add_argument("--jobs", type=int, default=2)
    given = parsed(parser)
    print(f"{given.count} inputs, {given.jobs} processes")
    failures = campaign(given.seed, given.count, given.jobs, progress=True)
    for failure in failures:
        print(f"\ninput {failure.index}: {failure.signature}\n{failure.detail}stored as {store(failure)}")
    print(f"{given.count} inputs, {len(failures)} different failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
