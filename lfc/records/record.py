"""What a check of one image says, as data and as JSON.

docs/reference/records.md has the format.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass, field, fields
from typing import Any

FORMAT, VERSION = "lf-check-record", 2  # 1 did not say whether a search had been resumed, so it vouches for nothing
DEADLOCKS = "(deadlocks)"  # among what was left out; no property has such a name

FROM_START, AUTHENTICATED = "", "authenticated"  # of `resumed`: what may open the gate

DIFFERS = "differs"  # the verdict of `image_checked` that no other check makes up for


class BadRecord(ValueError):
    """A file is no record of a check, or one that is not known here."""


@dataclass(frozen=True, slots=True)
class Build:
    """The options that the image was made with."""

    scheduler: str = "rr"
    faults: str = "numbers"
    on_fault: str = "stop"
    safe: tuple[str, ...] = ()
    c_files: dict[str, str] = field(default_factory=dict)  # name -> SHA-256


@dataclass(frozen=True, slots=True)
class Scope:
    """What was looked for, and under which assumptions of the user's own."""

    properties: tuple[str, ...] = ()  # that were named; none: all
    fairness: str = ""
    fair: tuple[str, ...] = ()
    deadlocks: str = "report"
    environment: dict[str, str] = field(default_factory=dict)  # file -> SHA-256
    left_out: tuple[str, ...] = ()  # properties that were not looked at, and DEADLOCKS


@dataclass(frozen=True, slots=True)
class CheckRecord:
    image: str  # SHA-256 of what lies in the flash
    forms: dict[str, str]  # of the files made for the flash: their own, since some fill what lies between pieces
    program: str  # digest
    file: str  # of the main module, without its folder
    board: str
    board_digest: str  # of its description
    build: Build
    scope: Scope
    verdict: str
    reason: str  # why it is inconclusive
    states: int
    transitions: int
    errors: tuple[str, ...]
    properties: dict[str, str]  # name -> verdict
    assumptions: tuple[str, ...]
    toolchain: dict[str, str]
    checked_at: str  # UTC
    resumed: str  # the checkpoint that the search resumed: authenticated, unauthenticated; empty: none
    image_checked: dict[str, Any] | None = None  # what a comparison of this very image with the program says

    @property
    def name(self) -> str:
        """Of its file: the image, and what was looked for under which assumptions."""
        looked_for = json.dumps([asdict(self.scope), self.assumptions], sort_keys=True)
        return f"{self.image[:16]}-{hashlib.sha256(looked_for.encode()).hexdigest()[:8]}.json"

    @property
    def conclusive(self) -> bool:
        return self.verdict != "inconclusive"

    @property
    def authentic(self) -> bool:
        """All that the search has visited, it has visited itself, or somebody with the user's key has."""
        return self.resumed in (FROM_START, AUTHENTICATED)

    @property
    def differs(self) -> bool:
        return self.image_checked is not None and self.image_checked.get("verdict") == DIFFERS

    def is_of(self, image: str) -> bool:
        return image == self.image or image in self.forms.values()

    def objections(self) -> list[str]:
        """Why it does not open the gate; nothing: it does."""
        if self.differs:
            return ["its machine code was executed and does not behave as the program does (--image)"]
        if not self.authentic:
            return ["its search was resumed from a checkpoint that was not authenticated (--unauthenticated)"]
        if self.verdict == "inconclusive":
            return [f"its check has no verdict: {self.reason}"]
        if self.verdict != "holds":
            return [f"its check found: {error}" for error in self.errors] or [f"its check found: {self.verdict}"]
        found = []
        if DEADLOCKS in self.scope.left_out:
            found.append("its check did not search for deadlocks (--deadlocks allow)")
        missing = [f"`{p}`" for p in self.scope.left_out if p != DEADLOCKS]
        if missing:
            found.append(f"its check left out the propert{'y' if len(missing) == 1 else 'ies'} {', '.join(missing)}")
        found += [f"`{p}` has the verdict {v}" for p, v in self.properties.items() if v != "holds"]
        return found

    def to_json(self) -> bytes:
        data = {"format": FORMAT, "version": VERSION, **asdict(self)}
        return (json.dumps(data, indent=1, sort_keys=True) + "\n").encode()


NESTED: dict[str, type[Build] | type[Scope]] = {"build": Build, "scope": Scope}


def read_record(content: bytes) -> CheckRecord:
    """Raises BadRecord."""
    try:
        data = json.loads(content)
    except ValueError:
        raise BadRecord("it is not JSON") from None
    if not isinstance(data, dict) or data.pop("format", None) != FORMAT:
        raise BadRecord("it is not a record of a check")
    if data.pop("version", None) != VERSION:
        raise BadRecord("it was written by another version of the toolchain")
    for key, of in NESTED.items():
        data[key] = of(**_members(of, data.get(key), f"{key}."))
    return CheckRecord(**_members(CheckRecord, data, ""))


def _members(of: type, data: object, where: str) -> dict[str, Any]:
    """Each member, of its type. Others are refused: what is not understood cannot be vouched for."""
    if not isinstance(data, dict):
        raise BadRecord(f"`{where.rstrip('.')}` is missing")
    names = {f.name: str(f.type) for f in fields(of)}
    for name in data:
        if name not in names:
            raise BadRecord(f"`{where}{name}` is unknown")
    found: dict[str, Any] = {}
    for name, kind in names.items():
        if name not in data:
            raise BadRecord(f"`{where}{name}` is missing")
        value = data[name]
        if not _fits(kind, value):
            raise BadRecord(f"`{where}{name}` is invalid")
        found[name] = tuple(value) if kind.startswith("tuple") else value
    return found


def _fits(kind: str, value: object) -> bool:
    if kind == "str":
        return isinstance(value, str)
    if kind == "int":
        return isinstance(value, int) and not isinstance(value, bool)
    if kind == "tuple[str, ...]":
        return isinstance(value, list) and all(isinstance(v, str) for v in value)
    if kind == "dict[str, str]":
        return isinstance(value, dict) and all(isinstance(v, str) for v in value.values())
    if kind.endswith("None"):
        return value is None or isinstance(value, dict)
    return isinstance(value, Build | Scope)
