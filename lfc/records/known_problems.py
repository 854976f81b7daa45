"""What is known to be wrong or to fall short, with the versions that have it."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

from lfc.records.policy import at_least

FILE = Path(__file__).with_name("known_problems.toml")
AFFECTS = {
    "verdict": "something may be told to hold that does not",
    "answer": "there is no answer, or less of one than there could be",
    "image": "something cannot be built",
    "tools": "a tool does less than it could",
}
BEARS_ON_EVIDENCE = ("verdict",)


@dataclass(frozen=True, slots=True)
class Problem:
    id: str
    title: str
    since: str
    affects: str
    what: str
    instead: str
    until: str = ""  # the first version without it


def known_problems() -> list[Problem]:
    return [Problem(**entry) for entry in tomllib.loads(FILE.read_text(encoding="utf-8"))["problem"]]


def of_version(problems: list[Problem], version: str) -> list[Problem]:
    """Those that it has."""
    return [p for p in problems if at_least(version, p.since) and not (p.until and at_least(version, p.until))]
