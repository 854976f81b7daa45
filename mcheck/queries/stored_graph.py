"""A state graph in a file: states with their variables as data, transitions with their labels. It is read again without
the program.
"""

from __future__ import annotations

import json
import zlib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from lfc.base.read_file import TRACE, json_of, read_file

MAGIC = b"lfgraph1"
FAULT, DEADLOCK, END = "FAULT", "DEADLOCK", "END"  # what is told of states in which nothing happens any more


class NotAGraph(Exception):
    """Says what is wrong with a file."""


@dataclass(slots=True)
class StoredState:
    data: dict[str, Any]  # variables by name
    processes: dict[str, dict[str, Any]]  # by name: line, ready
    mark: str = ""  # FAULT, DEADLOCK, END, or empty


@dataclass(frozen=True, slots=True)
class StoredEdge:
    source: int
    target: int
    label: str


@dataclass(slots=True)
class StoredGraph:
    """State 0 is the first. All faults lead to one state, which has no variables."""

    file: str  # of the program
    program: str  # its digest
    states: list[StoredState] = field(default_factory=list)
    edges: list[StoredEdge] = field(default_factory=list)

    def write(self, name: str) -> None:
        told = {
            "file": self.file,
            "program": self.program,
            "states": [[s.data, s.processes, s.mark] for s in self.states],
            "edges": [[e.source, e.target, e.label] for e in self.edges],
        }
        content = zlib.compress(json.dumps(told, separators=(",", ":")).encode())
        Path(name).write_bytes(MAGIC + content)


def is_state(s: StoredState) -> bool:
    tables = isinstance(s.data, dict) and isinstance(s.processes, dict) and isinstance(s.mark, str)
    return tables and all(map(is_process, s.processes.values())) and all(map(is_value, s.data.values()))


def is_process(told: Any) -> bool:
    return isinstance(told, dict) and type(told.get("line")) is int and isinstance(told.get("ready"), bool)


def is_value(v: Any) -> bool:
    """Of a variable: a number, a truth, a text, or a list or table of these."""
    inner = v if isinstance(v, list) else v.values() if isinstance(v, dict) else None
    return v is None or isinstance(v, bool | int | float | str) if inner is None else all(map(is_value, inner))


def is_edge(e: StoredEdge) -> bool:
    return type(e.source) is int and type(e.target) is int and isinstance(e.label, str)


def read_graph(name: str) -> StoredGraph:
    """Raises OSError, NotAGraph."""
    content = read_file(name, TRACE)
    if not content.startswith(MAGIC):
        raise NotAGraph(f"{name} is not a stored state graph: write one with lfc graph PROGRAM --store FILE")
    try:
        unpacking = zlib.decompressobj()
        text = unpacking.decompress(content[len(MAGIC) :], TRACE)
        if not unpacking.eof:
            raise ValueError("it is cut off, or unpacks to more than any graph has")
        told = json_of(text)
        states = [StoredState(*s) for s in told["states"]]
        edges = [StoredEdge(*e) for e in told["edges"]]
        graph = StoredGraph(told["file"], told["program"], states, edges)
        if not all(map(is_state, states)) or not all(map(is_edge, edges)):
            raise ValueError("a state or an edge of another form")
    except (zlib.error, ValueError, KeyError, TypeError):
        raise NotAGraph(f"{name} is damaged: write it again with lfc graph PROGRAM --store FILE") from None
    if not states or any(not (0 <= e.source < len(states) and 0 <= e.target < len(states)) for e in edges):
        raise NotAGraph(f"{name} is damaged: write it again with lfc graph PROGRAM --store FILE")
    return graph
