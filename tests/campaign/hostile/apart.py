"""Work in a process of its own, which may crash or not end. How long it takes is processor time: a loaded machine is no
hang; only what waits for ever is ended by the clock.
"""

from __future__ import annotations

import os
import resource
import signal
import time
from collections.abc import Callable

SECONDS = 10
AT_MOST = 300.0  # seconds by the clock


def end_of(work: Callable[[], int]) -> int | str:
    """What it returns; or `hang`, or `crash (...)`."""
    child = os.fork()
    if child == 0:
        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS + 1))
        os._exit(work())
    begin = time.monotonic()
    while not (ended := os.waitpid(child, os.WNOHANG))[0]:
        if time.monotonic() - begin > AT_MOST:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            return "hang"
        time.sleep(0.002)
    if os.WIFSIGNALED(ended[1]):
        by = os.WTERMSIG(ended[1])
        return "hang" if by in (signal.SIGXCPU, signal.SIGKILL) else f"crash ({signal.Signals(by).name})"
    return os.WEXITSTATUS(ended[1])
