"""What is asked of the process that checks, and what it answers: lines of JSON on its standard input and output."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass, field
from typing import Any

HOLDS, VIOLATED, UNKNOWN = "holds", "violated", "unknown"


@dataclass(slots=True)
class Job:
    path: str  # of the main module
    texts: dict[str, str]  # by path: what goes before the files
    environments: list[str]  # paths
    board: str  # empty: this machine
    seconds: float
    claim: str = ""  # an id; empty: all

    def to_line(self) -> str:
        return json.dumps(asdict(self)) + "\n"

    @staticmethod
    def of_line(line: str) -> Job:
        return Job(**json.loads(line))


@dataclass(slots=True)
class Step:
    """One of a counterexample: who did what, where, and which variables have other values then."""

    who: str
    deed: str
    path: str
    start: int  # offsets; -1: nowhere
    end: int
    changed: dict[str, str]


@dataclass(slots=True)
class Verdict:
    claim: str  # id
    status: str
    message: str = ""  # what is wrong, or why nothing is known
    states: int = 0
    path: str = ""  # where it is wrong
    start: int = -1
    end: int = -1
    doubt: str = ""  # why what is wrong may never come
    text: str = ""  # the counterexample in words
    steps: list[Step] = field(default_factory=list)
    cycle: int | None = None  # of an endless run: the step from which it repeats


@dataclass(slots=True)
class Answer:
    verdicts: list[Verdict] = field(default_factory=list)
    digests: dict[str, str] = field(default_factory=dict)  # by path: of every text that was read
    seconds: float = 0.0
    assumptions: list[str] = field(default_factory=list)
    image: str = ""  # of a board, for which a record has this very program
    error: str = ""  # why there are no verdicts
    cycles: dict[str, int] = field(default_factory=dict)  # of the longest pass, by the process's path
    clock: int = 0  # of the board that they are of
    complete: bool = False  # they are of all states

    def to_line(self) -> str:
        return json.dumps(asdict(self)) + "\n"

    @staticmethod
    def of_line(line: str) -> Answer:
        data: dict[str, Any] = json.loads(line)
        verdicts = [Verdict(**{**v, "steps": [Step(**s) for s in v["steps"]]}) for v in data.pop("verdicts")]
        return Answer(verdicts, **data)


def digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
