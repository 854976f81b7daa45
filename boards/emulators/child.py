"""Emulators as child processes, which end when we do, however that happens."""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from typing import Any

DEATH_SIGNAL = 1  # PR_SET_PDEATHSIG


def started(command: Sequence[str], **how: Any) -> subprocess.Popen[bytes]:
    """As `subprocess.Popen`, which it is elsewhere than on Linux."""
    return subprocess.Popen(list(command), **how, preexec_fn=dies_with(os.getpid()))


def ran(command: Sequence[str]) -> subprocess.CompletedProcess[bytes]:
    """To its end, with what it has printed."""
    return subprocess.run(list(command), capture_output=True, check=False, preexec_fn=dies_with(os.getpid()))


def dies_with(parent: int) -> Callable[[], None] | None:
    """What the child does before it becomes the emulator. (The kernel kills it when the thread ends that has started
    it; those that do are around for as long as they need it.)"""
    if sys.platform != "linux":
        return None
    control = ctypes.CDLL(None, use_errno=True).prctl  # looked up before there is a child

    def ask() -> None:
        control(DEATH_SIGNAL, signal.SIGKILL, 0, 0, 0)
        if os.getppid() != parent:  # it has ended meanwhile
            os._exit(1)

    return ask
