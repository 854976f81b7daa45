"""A client as plain as can be: JSON over the pipes of a server, with the times at which answers come."""

from __future__ import annotations

import json
import queue
import subprocess
import sys
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any

from tests.support.framed import read_framed, write_framed

PATIENCE = 120.0  # seconds, on a machine with much else to do


class ServerGone(AssertionError):
    """With what it said last."""


@dataclass(slots=True)
class Message:
    at: float
    data: dict[str, Any]


@dataclass
class Wire:
    folder: Path
    process: subprocess.Popen[bytes] = field(init=False)
    came: queue.Queue[Message | None] = field(default_factory=queue.Queue)
    number: int = 0
    published: dict[str, Message] = field(default_factory=dict)  # by uri

    def __enter__(self) -> Wire:
        command = [sys.executable, "-m", "lfc.cli.main", "lsp"]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        threading.Thread(target=self.read, daemon=True).start()
        folders = [{"uri": self.folder.as_uri(), "name": "work"}]
        self.request(
            "initialize", {"capabilities": {}, "processId": None, "rootUri": None, "workspaceFolders": folders}
        )
        self.notify("initialized", {})
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None:
            self.request("shutdown", None)
            self.notify("exit", None)
            assert self.process.wait(PATIENCE) == 0
        self.process.kill()
        self.process.wait()

    def read(self) -> None:
        out = self.process.stdout
        assert out is not None
        while (content := read_framed(out)) is not None:
            self.came.put(Message(time.perf_counter(), json.loads(content)))
        self.came.put(None)

    def send(self, data: dict[str, Any]) -> None:
        content = json.dumps({"jsonrpc": "2.0"} | data).encode()
        assert self.process.stdin is not None
        write_framed(self.process.stdin, content)

    def notify(self, method: str, params: object) -> None:
        self.send({"method": method, "params": params})

    def next(self) -> Message:
        message = self.came.get(timeout=PATIENCE)
        if message is None:
            raise ServerGone(f"the server ended with {self.process.wait(PATIENCE)}")
        data = message.data
        if data.get("method") == "textDocument/publishDiagnostics":
            self.published[data["params"]["uri"]] = message
        elif "method" in data and "id" in data:
            self.send({"id": data["id"], "result": None})
        return message

    def request(self, method: str, params: object) -> Any:
        """The result; an error of the server is a failure, unless it says why a request cannot be done."""
        self.number += 1
        self.send({"id": self.number, "method": method, "params": params})
        while True:
            data = self.next().data
            if data.get("id") == self.number and "method" not in data:
                error = data.get("error")
                assert error is None or error["code"] == -32803, (method, params, error)
                return data.get("result")

    def diagnostics(self, uri: str, version: int) -> Message:
        """Of this version, or a later one."""
        while uri not in self.published or self.published[uri].data["params"].get("version", -1) < version:
            self.next()
        return self.published[uri]
