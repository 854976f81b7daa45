"""How soon the language server answers: diagnostics after a keystroke, and the end of a check that is cancelled.

python -m bench.editor [--lines 1000] [--keys 300] [--cancels 20]
"""

from __future__ import annotations

import argparse
import os
import random
import tempfile
import time
from pathlib import Path

from tests.editor.long_program import long_program
from tests.editor.programs import ENDLESS
from tests.editor.wire import Wire

TYPED = ("x := y + 1;", "IF a THEN", "out!", "(* note *)", "END;")
BETWEEN_KEYS = 0.08  # seconds: twelve keys in a second


def share(figures: list[float], percent: int) -> float:
    return sorted(figures)[min(len(figures) - 1, len(figures) * percent // 100)]


def keystrokes(wire: Wire, folder: Path, lines: int, count: int) -> tuple[list[float], list[float]]:
    """Milliseconds from each key to the diagnostics of the text with it, and of the processor: at many places something
    is typed, which is wrong until it is whole and often then, and taken back."""
    text, uri, version = long_program(lines), (folder / "Long.lf").as_uri(), 1
    document = {"uri": uri, "languageId": "lf", "version": version, "text": text}
    wire.notify("textDocument/didOpen", {"textDocument": document})
    wire.diagnostics(uri, version)
    chance, found, computed, keys = random.Random(1), list[float](), list[float](), list[str]()
    whole = text
    for _ in range(count):
        if not keys:
            at, typed = chance.randrange(len(whole)), chance.choice(TYPED)
            forth = [whole[:at] + typed[:n] + whole[at:] for n in range(1, len(typed) + 1)]
            keys = [*forth, *reversed(forth[:-1]), whole]
        text = keys.pop(0)
        version += 1
        begin, before = time.perf_counter(), processor(wire.process.pid)
        change = {"textDocument": {"uri": uri, "version": version}, "contentChanges": [{"text": text}]}
        wire.notify("textDocument/didChange", change)
        message = wire.diagnostics(uri, version)
        found.append((message.at - begin) * 1e3)
        computed.append(processor(wire.process.pid) - before)
        time.sleep(BETWEEN_KEYS)
    return found, computed


def processor(pid: int) -> float:
    """Milliseconds that its threads have run."""
    threads = Path(f"/proc/{pid}/task").iterdir()
    return sum(int((t / "schedstat").read_text().split()[0]) for t in threads) / 1e6


def cancels(wire: Wire, folder: Path, count: int) -> list[float]:
    """Milliseconds from the command to the end of the process that checked."""
    uri = (folder / "Endless.lf").as_uri()
    document = {"uri": uri, "languageId": "lf", "version": 1, "text": ENDLESS}
    wire.notify("textDocument/didOpen", {"textDocument": document})
    found = []
    for _ in range(count):
        before = children(wire.process.pid)
        wire.number += 1
        command = {"command": "lf.check", "arguments": [uri]}
        wire.send({"id": wire.number, "method": "workspace/executeCommand", "params": command})
        working = None
        while working is None:  # the one that takes processor time
            working = next(
                (p for p in children(wire.process.pid) if p in before and ticks(p) > ticks_of_start(p)), None
            )
            time.sleep(0.05)
        time.sleep(1.0)
        begin = time.perf_counter()
        wire.number += 1
        cancel = {"command": "lf.cancel", "arguments": [uri]}
        wire.send({"id": wire.number, "method": "workspace/executeCommand", "params": cancel})
        while state_of(working) not in ("", "Z"):
            time.sleep(0.001)
        found.append((time.perf_counter() - begin) * 1e3)
        wire.request("textDocument/codeLens", {"textDocument": {"uri": uri}})
        time.sleep(2.0)  # another one warms up
    return found


def children(pid: int) -> list[int]:
    listed = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [int(p) for p in listed]


FIRST: dict[int, int] = {}


def ticks_of_start(pid: int) -> int:
    """What it had used when it was seen first, with some for the end of its start."""
    return FIRST.setdefault(pid, ticks(pid)) + 20


def ticks(pid: int) -> int:
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0
    return int(fields[11]) + int(fields[12])


def state_of(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return ""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lines", type=int, default=1000)
    parser.add_argument("--keys", type=int, default=300)
    parser.add_argument("--cancels", type=int, default=20)
    options = parser.parse_args()
    load = os.getloadavg()[0]
    with tempfile.TemporaryDirectory() as name, Wire(Path(name)) as wire:
        told, computed = keystrokes(wire, Path(name), options.lines, options.keys)
        print(f"load {load:.1f}, {os.cpu_count()} processors")
        for what, figures in (("diagnostics after a key", told), ("processor time for a key", computed)):
            print(
                f"{what}, {options.lines} lines, {len(figures)} keys: median {share(figures, 50):.1f} ms, "
                f"95 % within {share(figures, 95):.1f} ms, all within {max(figures):.1f} ms"
            )
        ended = cancels(wire, Path(name), options.cancels)
        print(
            f"end of a check that is cancelled, {len(ended)} times: median {share(ended, 50):.1f} ms, "
            f"95 % within {share(ended, 95):.1f} ms, all within {max(ended):.1f} ms"
        )


if __name__ == "__main__":
    main()
