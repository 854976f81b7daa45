"""A process that has imported `lfc`, and forks for each command that a test or a script gives.

A command still has a process of its own, with its arguments, folder, environment and files; what is spent only once is
the time in which Python starts and imports, which is half of a small check and more. The process that forks has one
thread, and has called nothing of `lfc`. Each connection is a command; `fork_client.py` makes one for a script.
"""

from __future__ import annotations

import atexit
import gc
import json
import os
import pkgutil
import select
import shutil
import signal
import socket
import sys
import traceback
from collections.abc import Mapping, Sequence
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from subprocess import DEVNULL, PIPE, Popen, TimeoutExpired
from tempfile import TemporaryFile, mkdtemp
from typing import IO, NoReturn

from tests.cli.fork_client import ask, read_exactly

FIRST = ("lfc.cli", "lfc.mcheck.check", "lfc.front_end", "lfc.image", "lfc.run", "lfc.records")  # with all below them
FITS = 60_000  # bytes that a pipe holds which nobody reads yet


class ForkServer:
    """The side of the tests."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self.folder = mkdtemp(prefix="lfc-tests-")
        self.address = os.path.join(self.folder, "socket")
        with socket.socket(socket.AF_UNIX) as listening:
            listening.bind(self.address)
            listening.listen(16)
            command = [sys.executable, "-m", "tests.cli.fork_server", str(listening.fileno())]
            self.process = Popen(
                command, env=environment, pass_fds=[listening.fileno()], stdin=PIPE, stdout=DEVNULL, cwd=self.folder
            )
        atexit.register(self.close)

    def run(
        self, arguments: Sequence[str], cwd: str, environment: Mapping[str, str], stdin: bytes, timeout: float
    ) -> tuple[int, bytes, bytes]:
        """Exit code, standard output and standard error."""
        with TemporaryFile() as out, TemporaryFile() as err, input_of(stdin) as given:
            files = [given.fileno(), out.fileno(), err.fileno()]
            with ask(self.address, [*arguments], cwd, dict(environment), files) as connection:
                child = int.from_bytes(read_exactly(connection, 8), "little")
                connection.settimeout(timeout)
                try:
                    code = int.from_bytes(read_exactly(connection, 8), "little", signed=True)
                except TimeoutError:
                    os.kill(child, signal.SIGKILL)
                    raise TimeoutExpired(["lfc", *arguments], timeout) from None
            out.seek(0)
            err.seek(0)
            return code, out.read(), err.read()

    def close(self) -> None:
        """The server ends when its standard input does."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)


def input_of(data: bytes) -> IO[bytes]:
    """A file that ends after these bytes: a pipe, as from a shell, unless they are many."""
    if len(data) > FITS:
        file: IO[bytes] = TemporaryFile()
        file.write(data)
        file.seek(0)
        return file
    read, write = os.pipe()
    os.write(write, data)
    os.close(write)
    return os.fdopen(read, "rb")


def serve(listening: socket.socket) -> None:
    while True:
        ready, _, _ = select.select([listening.fileno(), 0], [], [])
        if 0 in ready:
            return
        connection, _ = listening.accept()
        if os.fork() == 0:
            listening.close()
            os.close(0)
            accompany(connection)
        connection.close()
        with suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG) != (0, 0):
                pass


def accompany(connection: socket.socket) -> NoReturn:
    """One command: its process is a child of this one, which tells its number and its end."""
    header, files, _, _ = socket.recv_fds(connection, 8, 3)
    header += read_exactly(connection, 8 - len(header))
    request = json.loads(read_exactly(connection, int.from_bytes(header, "little")))
    child = os.fork()
    if child == 0:
        connection.close()
        become(request["arguments"], request["cwd"], request["environment"], files)
    with suppress(OSError):  # whoever asked has gone
        connection.sendall(child.to_bytes(8, "little"))
    for descriptor in files:
        os.close(descriptor)
    _, status = os.waitpid(child, 0)
    with suppress(OSError):
        connection.sendall(os.waitstatus_to_exitcode(status).to_bytes(8, "little", signed=True))
    os._exit(0)


def become(arguments: list[str], cwd: str, environment: dict[str, str], files: list[int]) -> NoReturn:
    """The command's own process, from here to its end."""
    high = [os.dup(descriptor) if descriptor < 3 else descriptor for descriptor in files]
    for place, descriptor in enumerate(high):
        os.dup2(descriptor, place)
        os.close(descriptor)
    sys.stdin, sys.stdout, sys.stderr = open(0), open(1, "w"), open(2, "w", buffering=1, errors="backslashreplace")
    os.chdir(cwd)
    os.environ.clear()
    os.environ.update(environment)
    sys.argv = ["lfc", *arguments]
    try:
        import_module("lfc.cli.main").script()  # ends this process itself
    except SystemExit as leave:
        print(leave.code, file=sys.stderr)
    except BaseException:
        traceback.print_exc()
    os._exit(1)


def import_all() -> None:
    for name in FIRST:
        module = import_module(name)
        for found in pkgutil.walk_packages(getattr(module, "__path__", []), f"{name}."):
            if not found.name.endswith("__main__"):
                with suppress(ImportError):  # of an extra that is not here
                    import_module(found.name)
    gc.collect()
    gc.freeze()


def main() -> None:
    here = str(Path.cwd())
    sys.path[:] = [entry for entry in sys.path if entry not in ("", here)]
    import_all()
    serve(socket.socket(fileno=int(sys.argv[1])))


if __name__ == "__main__":
    main()
