"""Traces as files, binary (`LFT1`; of wide programs `LFT2`) and JSON."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, field
from pathlib import Path

from lfc.base.read_file import TRACE, json_of, read_file
from lfc.trace.items import BadItems, Item, decode, encode, item_from_json, split_into_steps

MAGIC = {False: b"LFT1", True: b"LFT2"}  # of a wide program, whose slots have two bytes
MAGIC_BYTES = 4
PROGRAM_BYTES = 16
JSON_END, NO_STEPS = b"\n]}\n", b"]}\n"


@dataclass(slots=True)
class Trace:
    """`program`: the first bytes of the program's hash, in hexadecimal; `file`: its main source, for the reader."""

    program: str
    file: str = ""
    steps: list[list[Item]] = field(default_factory=list)
    wide: bool = False

    @property
    def items(self) -> list[Item]:
        return [item for step in self.steps for item in step]

    def to_json(self) -> str:
        head = {"format": "lf-trace", "version": 2 if self.wide else 1, "program": self.program, "file": self.file}
        lines = [json.dumps([item.to_json() for item in step]) for step in self.steps]
        body = ",\n  ".join(lines)
        start = json.dumps(head)[:-1]
        return f'{start}, "steps": [\n  {body}\n]}}\n' if lines else f'{start}, "steps": []}}\n'

    def to_binary(self) -> bytes:
        program = bytes.fromhex(self.program).ljust(PROGRAM_BYTES, b"\0")
        return MAGIC[self.wide] + program + encode(self.items, self.wide)

    def write(self, path: Path) -> None:
        """JSON if the name ends in .json, else binary."""
        if path.suffix == ".json":
            path.write_text(self.to_json(), encoding="utf-8")
        else:
            path.write_bytes(self.to_binary())


class TraceWriter:
    """Writes a trace step by step. The file is whole after each of them: the end of one in JSON is written anew each
    time, in one piece with the step."""

    def __init__(self, path: Path, program: str, file: str, wide: bool) -> None:
        """Raises OSError."""
        self._json, self._wide, self._steps = path.suffix == ".json", wide, 0
        self._trace = Trace(program, file, [], wide)
        self._file = open(path, "wb", buffering=0)
        self._file.write(self._trace.to_json().encode() if self._json else self._trace.to_binary())

    def add(self, step: list[Item]) -> None:
        """Raises OSError."""
        if not self._json:
            self._file.write(encode(step, self._wide))
            return
        line = json.dumps([item.to_json() for item in step])
        before, comma = (NO_STEPS, "") if self._steps == 0 else (JSON_END, ",")
        self._file.seek(-len(before), os.SEEK_END)
        self._file.write(f"{comma}\n  {line}".encode() + JSON_END)
        self._steps += 1

    def close(self) -> None:
        self._file.close()


def read_trace(path: Path) -> Trace:
    """Either form, told by its content. Raises BadItems, OSError."""
    data = read_file(path, TRACE)
    for wide, magic in MAGIC.items():
        if not data.startswith(magic):
            continue
        if len(data) < MAGIC_BYTES + PROGRAM_BYTES:
            raise BadItems("the file is cut short")
        program = data[MAGIC_BYTES : MAGIC_BYTES + PROGRAM_BYTES]
        items = decode(data[MAGIC_BYTES + PROGRAM_BYTES :], wide)
        return Trace(program.hex(), "", split_into_steps(items), wide)
    try:
        document = json_of(data)
    except ValueError as error:  # ValueError: no UTF-8, no JSON, or a number of too many digits
        raise BadItems(f"neither a binary trace nor JSON ({error})") from None
    return from_document(document)


def from_document(document: object) -> Trace:
    if not isinstance(document, dict) or document.get("format") != "lf-trace":
        raise BadItems('a trace in JSON is an object with "format": "lf-trace"')
    if document.get("version") not in (1, 2):
        raise BadItems(f"version {document.get('version')!r} of the format is not supported")
    steps = document.get("steps")
    program, file = document.get("program", ""), document.get("file", "")
    if not isinstance(steps, list) or not isinstance(program, str) or not isinstance(file, str):
        raise BadItems('"steps" is not a list, or "program" or "file" no text')
    wide = document["version"] == 2
    read: list[list[Item]] = []
    for number, step in enumerate(steps):
        if not isinstance(step, list) or not step:
            raise BadItems(f"step {number} is not a list of items")
        try:
            read.append([item_from_json(item, wide) for item in step])
        except BadItems as error:
            raise BadItems(f"step {number}: {error}") from None
    return Trace(program, file, read, wide)
