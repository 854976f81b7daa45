"""What a check of one image says, as data and as JSON.

docs/reference/records.md has the format.
"""

from __future__ import annotations

import hashlib
import json
import math
from dataclasses import asdict, dataclass, field, fields
from datetime import UTC, datetime
from typing import Any

from lfc.records.demand import PROOF, Demand, Level

FORMAT, VERSION = "lf-check-record", 4  # 1 did not say whether a search had been resumed, so it vouches for nothing
WITHOUT_SECONDS = 2  # is read too: a time of 0 vouches for no search
WITHOUT_FILES = 3  # is read too: it names no files
DEADLOCKS = "(deadlocks)"  # among what was left out; no property has such a name

FROM_START, AUTHENTICATED = "", "authenticated"  # of `resumed`: what may open the gate

CHOSEN = "(--assume)"  # ends an assumption that the user has chosen
FAIRNESS = "fairness: "  # how an assumption of fairness begins
INCONCLUSIVE = "inconclusive"
VERDICTS = ("holds", "assertion", "fault", "deadlock", "partial-deadlock", "property", INCONCLUSIVE, "image")
DIFFERS_TOLD = "its machine code was executed and does not behave as the program does (--image)"
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
    definitions: dict[str, str] = field(default_factory=dict)  # -D: other values of constants


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
    resumed: str  # the search was resumed from a checkpoint: authenticated, unauthenticated; empty: it did not
    seconds: float = 0.0  # that the search took
    image_checked: dict[str, Any] | None = None  # what a comparison of this very image with the program says
    files: dict[str, str] = field(default_factory=dict)  # form -> SHA-256 of the file that the flash is made into

    @property
    def name(self) -> str:
        """Of its file: the image, and what was looked for under which assumptions."""
        looked_for = json.dumps([asdict(self.scope), self.assumptions], sort_keys=True)
        return f"{self.image[:16]}-{hashlib.sha256(looked_for.encode()).hexdigest()[:8]}.json"

    @property
    def conclusive(self) -> bool:
        return self.verdict != INCONCLUSIVE

    @property
    def authentic(self) -> bool:
        """All that the search has visited, it has visited itself, or somebody with the user's key has."""
        return self.resumed in (FROM_START, AUTHENTICATED)

    @property
    def differs(self) -> bool:
        return self.image_checked is not None and self.image_checked.get("verdict") == DIFFERS

    def is_of(self, image: str) -> bool:
        return image == self.image or image in self.forms.values()

    @property
    def counterexamples(self) -> list[str]:
        """What is known to be wrong, whatever the search has left out."""
        if self.differs:
            return [DIFFERS_TOLD]
        if self.verdict not in ("holds", INCONCLUSIVE):
            return [f"its check found: {e}" for e in self.errors] or [f"its check found: {self.verdict}"]
        wrong = [p for p, v in self.properties.items() if v not in ("holds", INCONCLUSIVE)]
        return [f"its check found: `{p}` has the verdict {self.properties[p]}" for p in wrong]

    def objections(self, demand: Demand = PROOF) -> list[str]:
        """Why it does not open the gate; nothing: it does. (Under NONE no record is needed.)"""
        if self.counterexamples:
            return self.counterexamples
        if wrong := contradictions_of(self):
            return wrong
        if self.errors:
            return [f"its check found what may be an error: {e}" for e in self.errors]
        if not self.authentic:
            return ["its search was resumed from a checkpoint that was not authenticated (--unauthenticated)"]
        found = self._too_little(demand)
        if found and not self.conclusive:
            return found
        if DEADLOCKS in self.scope.left_out:
            found.append("its check did not search for deadlocks (--deadlocks allow)")
        missing = [f"`{p}`" for p in self.scope.left_out if p != DEADLOCKS]
        if missing:
            found.append(f"its check left out the propert{'y' if len(missing) == 1 else 'ies'} {', '.join(missing)}")
        return found

    def _too_little(self, demand: Demand) -> list[str]:
        """How far the search is from what is demanded of it."""
        if not self.unproved:
            return []
        if demand.level is Level.PROOF:
            if not self.conclusive:
                return [f"its check has no verdict: {self.reason}"]
            return [f"`{p}` has the verdict {v}" for p, v in self.properties.items() if v != "holds"]
        if demand.is_met_by(self.states, self.seconds):
            return []
        searched = f"{self.states:,} state{'s' * (self.states != 1)} in {self.seconds:.1f} s"
        return [f"its check found no error in {searched}, but at least {demand} are demanded"]

    @property
    def unproved(self) -> list[str]:
        """What a search without an error has not shown."""
        beyond = [] if self.conclusive else [f"that there is none elsewhere ({self.reason})"]
        return beyond + [f"that `{p}` holds" for p, v in self.properties.items() if v != "holds"]

    def assumes_more_than(self, other: CheckRecord) -> bool:
        """Whether an error that the other one found may be outside of what this one is about. Fairness takes away
        infinite runs only, and so no other error than a property's. What a search has left out by itself counts for
        nothing: another one has found the error."""
        ours, theirs = self._assumed(other.verdict == "property"), other._assumed(True)
        return not ours <= theirs | {f"{t.removesuffix(' strong')} weak" for t in theirs if t.endswith(" strong")}

    def _assumed(self, fairness: bool) -> set[str]:
        found = {f"environment {name} {digest}" for name, digest in self.scope.environment.items()}
        for line in self.assumptions:
            if line.endswith(CHOSEN):
                found.add(line)
            elif fairness and line.startswith(FAIRNESS):
                found.update(line.removeprefix(FAIRNESS).split(", "))
        return found

    def as_data(self) -> dict[str, Any]:
        return {"format": FORMAT, "version": VERSION, **asdict(self)}


def contradictions_of(record: CheckRecord) -> list[str]:
    """What cannot all be true of one check: whoever wrote it, it was no check of ours."""
    r, scope = record, record.scope
    allowed, left_out = scope.deadlocks == "allow", DEADLOCKS in scope.left_out
    both = sorted(set(scope.left_out) & set(r.properties))
    wrong = [
        (r.verdict not in VERDICTS, f"the verdict `{r.verdict}` is unknown"),
        (r.verdict == "holds" and r.reason != "", f"it holds, but for a reason it is not known: {r.reason}"),
        (r.verdict == "holds" and r.states < 1, "it holds, but no state was visited"),
        (r.states < 0 or r.transitions < 0, "a count is below 0"),
        (scope.deadlocks not in ("allow", "report"), f"deadlocks are neither allowed nor reported: {scope.deadlocks}"),
        (allowed != left_out, "it looked for deadlocks, and left them out"),
        (bool(both), f"it left out `{both[0]}`, and has a verdict on it" if both else ""),
        (not set(scope.properties) <= set(r.properties), "a property was named, and has no verdict"),
        (
            not all(map(is_digest, (r.image, r.program, r.board_digest, *r.forms.values(), *r.files.values()))),
            "a digest has not 64 digits",
        ),
        (time_of(r.checked_at) is None, f"`{r.checked_at}` is no time"),
        ("lfc" not in r.toolchain, "it does not say which toolchain has checked"),
    ]
    found = [told for is_wrong, told in wrong if is_wrong] + wrong_in_image_check(r.image_checked or {})
    return [f"its record contradicts itself: {told}" for told in found]


def wrong_in_image_check(told: dict[str, Any]) -> list[str]:
    verdict, stopped = told.get("verdict"), told.get("stopped")
    done, all_bytes = told.get("executed", 0), told.get("bytes", 0)
    found = []
    if verdict not in (None, "agrees", "inconclusive", DIFFERS):
        found.append(f"the image's verdict `{verdict}` is unknown")
    if verdict == "agrees" and stopped:
        found.append(f"the image agrees in every state, but its check was stopped: {stopped}")
    if type(done) is not int or type(all_bytes) is not int or not 0 <= done <= all_bytes:
        found.append("more of the image was executed than there is")
    return found


def is_digest(text: str) -> bool:
    return len(text) == 64 and not set(text) - set("0123456789abcdef")


def time_of(text: str) -> datetime | None:
    try:
        return datetime.strptime(text, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC)
    except ValueError:
        return None


NESTED: dict[str, type[Build] | type[Scope]] = {"build": Build, "scope": Scope}


def record_from(data: object) -> CheckRecord:
    """Of what `as_data` made, or the toolchain before this one. Raises BadRecord."""
    if not isinstance(data, dict) or data.pop("format", None) != FORMAT:
        raise BadRecord("it is not a record of a check")
    version = data.pop("version", None)
    if version == WITHOUT_SECONDS and "seconds" not in data:
        data["seconds"] = 0.0
        version = WITHOUT_FILES
    if version == WITHOUT_FILES and "files" not in data:
        data["files"] = {}
    elif version != VERSION:
        raise BadRecord("it was written by another version of the toolchain")
    if isinstance(data.get("build"), dict):
        data["build"].setdefault("definitions", {})  # older ones were made without
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
    if kind == "float":
        return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < math.inf
    if kind == "tuple[str, ...]":
        return isinstance(value, list) and all(isinstance(v, str) for v in value)
    if kind == "dict[str, str]":
        return isinstance(value, dict) and all(isinstance(v, str) for v in value.values())
    if kind.endswith("None"):
        return value is None or isinstance(value, dict)
    return isinstance(value, Build | Scope)
