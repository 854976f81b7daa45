"""Gives a command to the process that forks for it, with our own folder, environment and files: `lfc` in a script.

    python -ISE fork_client.py SOCKET [ARGUMENT ...]

Imports only what starts at once.
"""

from __future__ import annotations

import json
import os
import socket
import sys


def ask(address: str, arguments: list[str], cwd: str, environment: dict[str, str], files: list[int]) -> socket.socket:
    """The connection, from which the number of the process and then its exit code come: 8 bytes each."""
    request = json.dumps({"arguments": arguments, "cwd": cwd, "environment": environment}).encode()
    connection = socket.socket(socket.AF_UNIX)
    connection.connect(address)
    socket.send_fds(connection, [len(request).to_bytes(8, "little")], files)
    connection.sendall(request)
    return connection


def read_exactly(connection: socket.socket, count: int) -> bytes:
    data = b""
    while len(data) < count:
        more = connection.recv(count - len(data))
        if not more:
            raise EOFError("the process that forks has ended")
        data += more
    return data


def main() -> None:
    with ask(sys.argv[1], sys.argv[2:], os.getcwd(), dict(os.environ), [0, 1, 2]) as connection:
        os.close(1)  # whoever reads our output waits for the command alone
        code = int.from_bytes(read_exactly(connection, 16)[8:], "little", signed=True)
    os._exit(code if code >= 0 else 128 - code)


if __name__ == "__main__":
    main()
