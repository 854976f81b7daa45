"""Sessions that clients of the Debug Adapter Protocol had, message by message: `tests/campaign/debugger/clients.py`
writes them down, and each run of the tests plays them again.
"""

from __future__ import annotations

import json
import os
import queue
import threading
from contextlib import closing
from io import BytesIO
from pathlib import Path
from typing import Any

from lfc.debugger.adapter import Adapter
from lfc.debugger.wire import Wire
from tests.support.framed import write_framed

RECORDED = Path(__file__).parent
FOLDER = "FOLDER"  # stands for that of the programs
CLIENT, DEBUGGER = "client", "debugger"
PATIENCE = 120.0  # seconds, on a machine with much else to do
Message = dict[str, Any]


class Heard(BytesIO):
    """What a debugger writes, as messages."""

    def __init__(self) -> None:
        self.messages: queue.Queue[Message] = queue.Queue()

    def write(self, framed: Any, /) -> int:
        self.messages.put(json.loads(framed.split(b"\r\n\r\n", 1)[1]))
        return len(framed)


def sessions() -> list[str]:
    return sorted(f.stem for f in RECORDED.glob("*.jsonl"))


def messages_of(name: str, folder: Path) -> list[tuple[str, Message]]:
    """Who sent it, and what."""
    text = (RECORDED / f"{name}.jsonl").read_text(encoding="utf-8")
    lines = [json.loads(line) for line in text.replace(FOLDER, str(folder)).splitlines()]
    return [(line["from"], line["message"]) for line in lines]


def play(recorded: list[tuple[str, Message]]) -> list[tuple[str, Message]]:
    """What the client sent, sent again once as much has come as it had heard then; with what comes now."""
    reading, writing = os.pipe()
    heard = Heard()
    found: list[tuple[str, Message]] = []
    with closing(os.fdopen(writing, "wb")) as to_debugger, closing(os.fdopen(reading, "rb")) as source:
        adapter = Adapter(Wire(source, heard))
        serving = threading.Thread(target=adapter.serve, daemon=True)
        serving.start()
        for who, message in recorded:
            if who == CLIENT:
                write_framed(to_debugger, json.dumps(message).encode())
            else:
                message = heard.messages.get(timeout=PATIENCE)
            found.append((who, message))
        to_debugger.close()
        serving.join(PATIENCE)
        assert not serving.is_alive() and heard.messages.empty()
    return found


def told(messages: list[tuple[str, Message]]) -> tuple[dict[int, Message], list[Message]]:
    """By the debugger: its answers, by the request's number, and its events in order. An answer may come before an
    event or behind it, if the client asks while the program runs."""
    said = [{k: v for k, v in m.items() if k != "seq"} for who, m in messages if who == DEBUGGER]
    return (
        {m["request_seq"]: m for m in said if m["type"] == "response"},
        [m for m in said if m["type"] == "event"],
    )
