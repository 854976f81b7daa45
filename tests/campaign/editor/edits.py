"""Edits by chance, sent to a language server that an editor might have: it never ends, never fails a request, and every
position that it tells lies in the text.

    python -m tests.campaign.editor.edits --count 10000 --seed 1
"""

from __future__ import annotations

import random
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.campaign.front_end.drive_frontend import seed_programs, write_modules
from tests.editor.wire import Wire
from tests.support.seeds import count_and_seed

EDITS_OF_A_TEXT = 50
PASTED = (
    "😀 𝒳 é \u2028 \x0c \r\n \r \t (* *) (* *) ' \" ; : := . .. [ ] { } ( ) ! ? BEGIN END IF THEN PROCESS PROPERTY "
    "ASSERT(x) VAR x,y:INTEGER; out!data(i) port? Part. IMPORT MODULE WHILE LOOP 0FFH 9999999999 'a' "
    "CREATE ALWAYS TAKEN(p.m) \\ \ufeff \x00"
).split(" ")
AT_A_PLACE = (
    "hover",
    "definition",
    "typeDefinition",
    "documentHighlight",
    "completion",
    "signatureHelp",
    "prepareRename",
)
OF_A_TEXT = ("documentSymbol", "semanticTokens/full", "foldingRange", "formatting")


def edited(text: str, chance: random.Random) -> str:
    at = chance.randrange(len(text) + 1)
    kind = chance.randrange(6)
    if kind == 0:
        return text[:at] + chance.choice(PASTED) + text[at:]
    if kind == 1:
        return text[:at] + text[at + 1 :]
    if kind == 2:
        return text[:at] + text[min(len(text), at + chance.randrange(40)) :]
    if kind == 3:
        return text[:at] + chance.choice("abcxyz ;:=().!?[]\n") + text[at:]
    if kind == 4:
        start = chance.randrange(len(text) + 1)
        return text[:at] + text[start : start + chance.randrange(60)] + text[at:]
    return text.replace("\n", "\r\n") if chance.random() < 0.1 else text[:at] + "\n" + text[at:]


class Typist:
    """Edits one file after the other, and asks in between."""

    def __init__(self, wire: Wire, folder: Path, seed: int) -> None:
        self.wire, self.chance = wire, random.Random(seed)
        self.uri = (folder / "Fuzz.lf").as_uri()
        self.programs = seed_programs()
        self.text, self.version, self.asked = "", 0, 0

    def open(self) -> None:
        if self.version:
            self.wire.notify("textDocument/didClose", {"textDocument": {"uri": self.uri}})
        self.text, self.version = self.chance.choice(self.programs), self.version + 1
        document = {"uri": self.uri, "languageId": "lf", "version": self.version, "text": self.text}
        self.wire.notify("textDocument/didOpen", {"textDocument": document})

    def type(self) -> None:
        self.text = edited(self.text, self.chance)
        self.version += 1
        changed = {"textDocument": {"uri": self.uri, "version": self.version}, "contentChanges": [{"text": self.text}]}
        self.wire.notify("textDocument/didChange", changed)

    def ask(self) -> None:
        document = {"uri": self.uri}
        if self.chance.random() < 0.6:
            method = self.chance.choice(AT_A_PLACE)
            params = {"textDocument": document, "position": self.position()}
        elif self.chance.random() < 0.5:
            method = self.chance.choice(OF_A_TEXT)
            params = {"textDocument": document, "options": {"tabSize": 2, "insertSpaces": True}}
        else:
            method = self.chance.choice(("inlayHint", "codeAction"))
            whole = {"start": {"line": 0, "character": 0}, "end": {"line": 1 << 20, "character": 0}}
            params = {"textDocument": document, "range": whole, "context": {"diagnostics": []}}
        told = self.wire.request(f"textDocument/{method}", params)
        check(told, self.text, self.uri)
        if method == "semanticTokens/full":
            check_tokens(told["data"], lengths(self.text))
        self.asked += 1

    def position(self) -> dict[str, int]:
        """Now and then where there is nothing."""
        return {"line": self.chance.randrange(60), "character": self.chance.randrange(50)}

    def check_diagnostics(self) -> None:
        told = self.wire.diagnostics(self.uri, self.version).data["params"]
        assert told["version"] == self.version
        check(told, self.text, self.uri)


def lengths(text: str) -> list[int]:
    """Of each line, in units of UTF-16."""
    for end in ("\r\n", "\r"):
        text = text.replace(end, "\n")
    return [len(line.encode("utf-16-le", "surrogatepass")) // 2 for line in text.split("\n")]


def check(told: Any, text: str, uri: str) -> None:
    """Every range in the answer that is one of this text lies in it."""
    there = lengths(text)
    for start, end in ranges(told, uri):
        for p in (start, end):
            assert p["line"] < len(there) and p["character"] <= there[p["line"]], (p, told)
        assert (start["line"], start["character"]) <= (end["line"], end["character"]), told


def ranges(told: Any, uri: str) -> Iterator[tuple[dict[str, int], dict[str, int]]]:
    if isinstance(told, list):
        for inner in told:
            yield from ranges(inner, uri)
    elif isinstance(told, dict):
        if told.get("uri", uri) != uri:
            return
        if {"start", "end"} <= told.keys():
            yield told["start"], told["end"]
        if "position" in told:
            yield told["position"], told["position"]
        for key, inner in told.items():
            if key != "changes":
                yield from ranges(inner, uri)
            else:
                yield from ranges(inner.get(uri, []), uri)


def check_tokens(data: list[int], there: list[int]) -> None:
    line = column = end = 0
    for lines, columns, length, _, _ in zip(*[iter(data)] * 5, strict=True):
        line, column, end = line + lines, columns if lines else column + columns, 0 if lines else end
        assert column >= end and length > 0 and column + length <= there[line], (line, column, length)
        end = column + length


def run(count: int, seed: int, folder: Path) -> Typist:
    write_modules(folder)
    with Wire(folder) as wire:
        typist = Typist(wire, folder, seed)
        for number in range(count):
            if number % EDITS_OF_A_TEXT == 0:
                typist.open()
            typist.type()
            typist.ask()
            if number % 10 == 9:
                typist.check_diagnostics()
        return typist


def main() -> None:
    options = count_and_seed(__doc__, 10_000)
    with tempfile.TemporaryDirectory() as folder:
        typist = run(options.count, options.seed, Path(folder))
    print(f"{options.count} edits, {typist.asked} requests: the server lives, every position lies in its text")


if __name__ == "__main__":
    main()
