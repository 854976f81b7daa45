"""A state graph in a file: states with their variables as data, transitions with their labels. It is read again without
the program.
"""

from __future__ import annotations

import json
import zlib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

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


def read_graph(name: str) -> StoredGraph:
    content = Path(name).read_bytes()
    if not content.startswith(MAGIC):
        raise NotAGraph(f"{name} is not a stored state graph: write one with lfc graph PROGRAM --store FILE")
    try:
        told = json.loads(zlib.decompress(content[len(MAGIC) :]))
        states = [StoredState(*s) for s in told["states"]]
        edges = [StoredEdge(*e) for e in told["edges"]]
        graph = StoredGraph(told["file"], told["program"], states, edges)
    except (zlib.error, ValueError, KeyError, TypeError):
        raise NotAGraph(f"{name} is damaged: write it again with lfc graph PROGRAM --store FILE") from None
    if not states or any(not (0 <= e.source < len(states) and 0 <= e.target < len(states)) for e in edges):
        raise NotAGraph(f"{name} is damaged: write it again with lfc graph PROGRAM --store FILE")
    return graph
