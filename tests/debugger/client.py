"""A client of the Debug Adapter Protocol as plain as can be, and the session as lines of text."""

from __future__ import annotations

import json
import queue
import subprocess
import sys
import threading
from pathlib import Path
from types import TracebackType
from typing import Any

from tests.support.framed import read_framed, write_framed

PATIENCE = 120.0  # seconds, on a machine with much else to do
Data = dict[str, Any]


class Failed(AssertionError):
    """A request that the debugger refused, with what it said."""


class Client:
    def __init__(self) -> None:
        command = [sys.executable, "-m", "lfc.cli.main", "dap"]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.came: queue.Queue[Data | None] = queue.Queue()
        self.number = 0
        self.events: list[Data] = []  # not yet waited for
        self.printed = ""
        self.errors = ""
        self.told = ""
        threading.Thread(target=self.read, daemon=True).start()

    def __enter__(self) -> Client:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None:
            self.ask("disconnect")
            assert self.process.wait(PATIENCE) == 0
        self.process.kill()
        self.process.wait()

    def read(self) -> None:
        out = self.process.stdout
        assert out is not None
        while (content := read_framed(out)) is not None:
            self.came.put(json.loads(content))
        self.came.put(None)

    def send(self, content: bytes) -> None:
        assert self.process.stdin is not None
        write_framed(self.process.stdin, content)

    def next(self) -> Data:
        message = self.came.get(timeout=PATIENCE)
        assert message is not None, f"the debugger ended with {self.process.wait(PATIENCE)}"
        if message["type"] == "event":
            self.hear(message)
        return message

    def hear(self, event: Data) -> None:
        if event["event"] != "output":
            self.events.append(event)
            return
        body = event["body"]
        if body["category"] == "stdout":
            self.printed += body["output"]
        elif body["category"] == "stderr":
            self.errors += body["output"]
        else:
            self.told += body["output"]

    def ask(self, command: str, **arguments: object) -> Data:
        self.number += 1
        mine = self.number
        message = {"seq": mine, "type": "request", "command": command, "arguments": arguments}
        self.send(json.dumps(message).encode())
        while True:
            found = self.next()
            if found["type"] == "response" and found["request_seq"] == mine:
                if not found["success"]:
                    raise Failed(found["message"])
                body: Data = found.get("body", {})
                return body

    def wait(self, name: str) -> Data:
        """For the next event of this name; the body of what it says."""
        while True:
            for event in self.events:
                if event["event"] == name:
                    self.events.remove(event)
                    body: Data = event["body"]
                    return body
            self.next()

    # --- in the words of a test ------------------------------------------------------------------------------------

    def launch(self, program: Path, **more: object) -> None:
        self.ask("initialize", adapterID="lf")
        self.ask("launch", program=str(program), **more)
        self.wait("initialized")

    def start(self) -> str:
        self.ask("configurationDone")
        return self.stop()

    def stop(self) -> str:
        """Why it stopped."""
        body = self.wait("stopped")
        self.thread = body["threadId"]
        return f"{body['reason']}: {body['description']}"

    def go(self, command: str, **arguments: object) -> str:
        self.ask(command, **{"threadId": self.thread} | arguments)
        return self.stop()

    def breakpoints(self, program: Path, *lines: int | tuple[int, str]) -> list[Data]:
        asked = [{"line": n} if isinstance(n, int) else {"line": n[0], "condition": n[1]} for n in lines]
        found: list[Data] = self.ask("setBreakpoints", source={"path": str(program)}, breakpoints=asked)["breakpoints"]
        return found

    def data_breakpoint(self, name: str, condition: str = "") -> None:
        info = self.ask("dataBreakpointInfo", name=name)
        asked = {"dataId": info["dataId"], "condition": condition}
        assert self.ask("setDataBreakpoints", breakpoints=[asked])["breakpoints"][0]["verified"]

    def frames(self) -> list[str]:
        found = self.ask("stackTrace", threadId=self.thread)["stackFrames"]
        return [f"{f['name']} {f['line']}" for f in found]

    def threads(self) -> list[str]:
        return [t["name"] for t in self.ask("threads")["threads"]]

    def variables(self, depth: int = 0) -> dict[str, dict[str, str]]:
        """By scope, then by name, of a frame of the thread that has stopped."""
        frame = self.ask("stackTrace", threadId=self.thread)["stackFrames"][depth]["id"]
        found = {}
        for scope in self.ask("scopes", frameId=frame)["scopes"]:
            shown = self.ask("variables", variablesReference=scope["variablesReference"])["variables"]
            found[scope["name"]] = {v["name"]: v["value"] for v in shown}
        return found

    def type(self, text: str) -> str:
        """In the debug console."""
        result: str = self.ask("evaluate", expression=text, context="repl")["result"]
        return result
