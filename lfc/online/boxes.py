"""What is tested: a board at a serial port, or a program of this machine at a pseudo-terminal."""

from __future__ import annotations

import errno
import os
import pty
import select
import subprocess
import time
import tty
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress

from lfc.boards.emulators.line import LineEnded, PortLine
from lfc.boards.serial.open_port import open_port, pulse_dtr
from lfc.online.driver import BoxEnded

READ = 4096
MOST_KEPT = 1 << 20  # bytes that have come while a program was written to
PATIENCE = 5.0  # seconds for a program to end when it is told to, or to read what it is sent


class ProgramBox:
    """The other end of a program's terminal."""

    def __init__(self, terminal: int, patience: float = PATIENCE) -> None:
        self.terminal, self.patience = terminal, patience
        self.come = b""  # while it was written to
        os.set_blocking(terminal, False)

    def read(self, seconds: float) -> bytes:
        if self.come:
            come, self.come = self.come, b""
            return come
        if not select.select([self.terminal], [], [], seconds)[0]:
            return b""
        try:
            data = os.read(self.terminal, READ)
        except OSError as error:
            if error.errno != errno.EIO:
                raise
            data = b""
        if not data:
            raise BoxEnded("the program has ended")
        return data

    def write(self, data: bytes) -> None:
        """What comes in the meantime is kept: a program may read only when somebody listens."""
        until = time.monotonic() + self.patience
        while data:
            left = until - time.monotonic()
            if left <= 0:
                raise BoxEnded(f"the program has read nothing of what was sent for {self.patience:g} seconds")
            listens = [self.terminal] if len(self.come) < MOST_KEPT else []
            come, room, _ = select.select(listens, [self.terminal], [], left)
            try:
                if room:
                    data = data[os.write(self.terminal, data) :]
                elif come:
                    self.come += os.read(self.terminal, READ)
            except BlockingIOError:
                continue
            except OSError as error:
                raise BoxEnded(f"the program has ended: {error.strerror}") from None


@contextmanager
def program_box(command: Sequence[str]) -> Iterator[ProgramBox]:
    """Started anew, at a terminal that passes on every byte as it is. Raises OSError if it cannot be started."""
    ours, theirs = pty.openpty()
    tty.setraw(theirs)
    try:
        running = subprocess.Popen(command, stdin=theirs, stdout=theirs, close_fds=True)
    except OSError:
        os.close(ours)
        raise
    finally:
        os.close(theirs)
    try:
        yield ProgramBox(ours)
    finally:
        os.close(ours)
        running.terminate()
        with suppress(subprocess.TimeoutExpired):
            running.wait(PATIENCE)
        running.kill()
        running.wait()


class PortBox:
    def __init__(self, line: PortLine) -> None:
        self.line = line

    def read(self, seconds: float) -> bytes:
        try:
            return self.line.read(seconds)
        except LineEnded as why:
            raise BoxEnded(str(why)) from None

    def write(self, data: bytes) -> None:
        try:
            self.line.write(data)
        except LineEnded as why:
            raise BoxEnded(str(why)) from None


@contextmanager
def port_box(name: str, baud: int) -> Iterator[PortBox]:
    """Reset by DTR, where there is that. Raises FlashError."""
    port = open_port(name, baud)
    try:
        pulse_dtr(port)
        yield PortBox(PortLine(port))
    finally:
        port.close()
