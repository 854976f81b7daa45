"""Work in a process of its own, which may crash or not end. How long it takes is processor time: a loaded machine is no
hang; only what waits for ever is ended by the clock.
"""

from __future__ import annotations

import os
import resource
import select
import signal
from collections.abc import Callable, Iterator

SECONDS = 10
AT_MOST = 300  # seconds by the clock
HARDLY_EVER = 1 << 20  # seconds of the processor, of one process after many pieces of work


def end_of(work: Callable[[], int]) -> int | str:
    """What it returns; or `hang`, or `crash (...)`."""
    return next(ends_of(1, lambda _: work()))


def ends_of(count: int, work: Callable[[int], int]) -> Iterator[int | str]:
    """Of `work(0)`, `work(1)`, and so on: a process does one after another; if it crashes or hangs, another goes on."""
    number = 0
    while number < count:
        said, says = os.pipe()
        child = os.fork()
        if child == 0:
            do_all(range(number, count), work, says)
        os.close(says)
        while number < count and (end := told(said, child)) is not None:
            yield end
            number += 1
        os.close(said)
        _, status = os.waitpid(child, 0)
        if number < count:
            yield end_by_signal(status)
            number += 1


def do_all(numbers: range, work: Callable[[int], int], says: int) -> None:
    """In the child, which ends with it."""
    try:
        for number in numbers:
            used = resource.getrusage(resource.RUSAGE_SELF)
            most = int(used.ru_utime + used.ru_stime) + 1 + SECONDS
            resource.setrlimit(resource.RLIMIT_CPU, (most, HARDLY_EVER))
            os.write(says, bytes([work(number)]))
    finally:
        os._exit(0)


def told(said: int, child: int) -> int | None:
    """None: it will say no more."""
    if not select.select([said], [], [], AT_MOST)[0]:
        os.kill(child, signal.SIGKILL)
    answer = os.read(said, 1)
    return answer[0] if answer else None


def end_by_signal(status: int) -> str:
    if not os.WIFSIGNALED(status):
        return f"end ({os.waitstatus_to_exitcode(status)})"
    by = os.WTERMSIG(status)
    return "hang" if by in (signal.SIGXCPU, signal.SIGKILL) else f"crash ({signal.Signals(by).name})"
