"""What an auditor asks: which requirement is shown by which property, with which verdict, under which assumptions, for
which image. One value, as JSON and as one page of HTML."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from lfc.base.version import __version__
from lfc.diagnostics.visible import visible
from lfc.records.gate import contradictions
from lfc.records.known_problems import BEARS_ON_EVIDENCE, known_problems, of_version
from lfc.records.record import CheckRecord
from lfc.records.signing import signed_with
from lfc.records.store import Stored

NOT_CHECKED = "not checked"
PROVED, OPEN, VIOLATED = "proved", "open", "violated"
PROPERTY, ASSERTION, MODULE = "property", "assertion", "module"


@dataclass(frozen=True, slots=True)
class Requirement:
    """`title`, `statement`: from a document of requirements; empty: only the program names it."""

    uid: str
    title: str = ""
    statement: str = ""


@dataclass(frozen=True, slots=True)
class Claim:
    """A property of the program, an assertion, or a module."""

    name: str
    text: str
    file: str
    line: int
    requirements: tuple[str, ...]
    kind: str = PROPERTY  # or an assertion, or a module with all that can fail in it


@dataclass(slots=True)
class Evidence:
    program: str
    image: str
    board: str
    requirements: list[dict[str, Any]] = field(default_factory=list)
    properties: list[dict[str, Any]] = field(default_factory=list)
    records: list[dict[str, Any]] = field(default_factory=list)
    without_property: list[str] = field(default_factory=list)  # requirements
    without_requirement: list[str] = field(default_factory=list)  # properties
    not_listed: list[str] = field(default_factory=list)  # requirements that the program names and no document
    tests: list[dict[str, Any]] = field(default_factory=list)  # runs of suites on a board
    known_problems: list[dict[str, str]] = field(default_factory=list)  # of this version, which bear on verdicts


def evidence_of(
    found: Evidence, claims: Sequence[Claim], listed: Sequence[Requirement], there: Sequence[Stored]
) -> Evidence:
    """Fills it. `there`: records, of which those of the image count."""
    of_it = [s for s in there if s.record.is_of(found.image) and s.record.board == found.board]
    found.records = [record_as_data(s, of_it) for s in of_it]
    verdicts = {c.name: verdict_on(c.name, of_it) if c.kind == PROPERTY else verdict_of_text(c, of_it) for c in claims}
    found.properties = [asdict(c) | verdicts[c.name] for c in claims]
    named = {uid: Requirement(uid) for c in claims for uid in c.requirements}
    known = {r.uid: r for r in listed}
    for uid, requirement in (known | {u: r for u, r in named.items() if u not in known}).items():
        shown_by = [c.name for c in claims if uid in c.requirements]
        states = {verdicts[name]["state"] for name in shown_by}
        state = VIOLATED if VIOLATED in states else PROVED if states == {PROVED} else OPEN
        found.requirements.append(asdict(requirement) | {"state": state, "properties": shown_by})
    found.without_property = [r["uid"] for r in found.requirements if not r["properties"]]
    found.without_requirement = [c.name for c in claims if not c.requirements and c.kind == PROPERTY]
    found.not_listed = sorted(set(named) - set(known)) if listed else []
    problems = of_version(known_problems(), __version__)
    found.known_problems = [
        {"id": p.id, "title": p.title, "what": p.what, "instead": p.instead}
        for p in problems
        if p.affects in BEARS_ON_EVIDENCE
    ]
    return found


def verdict_on(name: str, of_it: Sequence[Stored]) -> dict[str, Any]:
    """The best that a record says of it which opens the gate; a violation goes before all."""
    wrong = [s for s in of_it if s.record.properties.get(name) not in (None, "holds", "inconclusive")]
    if wrong:
        return {"state": VIOLATED, "verdict": "violated", "record": wrong[0].path.name, "assumptions": []}
    for s in of_it:
        if s.record.properties.get(name) == "holds" and not objections(s, of_it):
            return {
                "state": PROVED,
                "verdict": "holds",
                "record": s.path.name,
                "assumptions": assumed(s.record),
            }
    said = next((s for s in of_it if name in s.record.properties), None)
    verdict = NOT_CHECKED if said is None else "inconclusive"
    return {"state": OPEN, "verdict": verdict, "record": said.path.name if said else None, "assumptions": []}


def verdict_of_text(claim: Claim, of_it: Sequence[Stored]) -> dict[str, Any]:
    """Of an assertion or a module: proved by a record that opens the gate, since nothing fails then; violated if
    a record tells of an error there."""
    for s in of_it:
        if any(is_in(claim, error) for error in s.record.errors) and s.record.counterexamples:
            return {"state": VIOLATED, "verdict": "violated", "record": s.path.name, "assumptions": []}
    for s in of_it:
        if not s.record.unproved and not objections(s, of_it):
            return {"state": PROVED, "verdict": "holds", "record": s.path.name, "assumptions": assumed(s.record)}
    named = of_it[0].path.name if of_it else None
    return {"state": OPEN, "verdict": "inconclusive" if of_it else NOT_CHECKED, "record": named, "assumptions": []}


def is_in(claim: Claim, error: str) -> bool:
    """`error`: as a record tells it, with the place behind it."""
    place = f"({claim.file}:{claim.line})" if claim.kind == ASSERTION else f"({claim.file}:"
    return place in error.rpartition(" ")[2]


def objections(stored: Stored, of_it: Sequence[Stored]) -> list[str]:
    wrong = [s for s in of_it if s.record.counterexamples]
    return stored.record.objections() or contradictions(stored, wrong)


def assumed(record: CheckRecord) -> list[str]:
    return [*record.assumptions, *(f"the world is as {name} models it" for name in record.scope.environment)]


def record_as_data(stored: Stored, of_it: Sequence[Stored]) -> dict[str, Any]:
    r = stored.record
    return {
        "file": stored.path.name,
        "verdict": r.verdict,
        "reason": r.reason,
        "states": r.states,
        "checked_at": r.checked_at,
        "signed": stored.is_signed,
        "signed_with": signed_with(stored),
        "opens_the_gate": not objections(stored, of_it),
        "objections": objections(stored, of_it),
        "assumptions": assumed(r),
        "left_out": list(r.scope.left_out),
        "toolchain": r.toolchain,
        "files": r.files,
        "image_checked": r.image_checked,
    }


# --- documents of requirements --------------------------------------------------------------------------------------

SDOC_FIELD = re.compile(r"^([A-Z_]+):(?: (.*))?$")


class BadRequirements(ValueError):
    """The document is none; the message says why."""


def read_strictdoc(text: str) -> list[Requirement]:
    """What StrictDoc lists as `[REQUIREMENT]`, with UID. Raises BadRequirements."""
    found: dict[str, Requirement] = {}
    fields: dict[str, str] | None = None
    lines = iter([*text.splitlines(), "["])
    for line in lines:
        if line.startswith("["):
            add_requirement(found, fields)
            fields = {} if line.strip() in ("[REQUIREMENT]", "[[REQUIREMENT]]") else None
        elif fields is not None and (match := SDOC_FIELD.match(line)):
            value = match[2] or ""
            if value.strip() == ">>>":
                inside: list[str] = []
                for more in lines:
                    if more.strip() == "<<<":
                        break
                    inside.append(more)
                else:
                    raise BadRequirements("a text that begins with >>> does not end with <<<")
                value = "\n".join(inside)
            fields[match[1]] = value
    if not found:
        raise BadRequirements("it has no [REQUIREMENT] with a UID")
    return list(found.values())


def add_requirement(found: dict[str, Requirement], fields: dict[str, str] | None) -> None:
    if fields is None or "UID" not in fields:
        return
    uid = fields["UID"].strip()
    if uid in found:
        raise BadRequirements(f"the requirement {uid} is there twice")
    found[uid] = Requirement(uid, fields.get("TITLE", ""), fields.get("STATEMENT", ""))


def as_strictdoc(evidence: Evidence) -> str:
    """Each requirement with what is known of it, to be read there."""
    lines = ["[DOCUMENT]", f"TITLE: Verification of {evidence.program}", ""]
    for r in evidence.requirements:
        shown = ", ".join(r["properties"]) or "no property"
        lines += ["[REQUIREMENT]", f"UID: {r['uid']}", f"STATUS: {r['state']}"]
        lines += [f"TITLE: {visible(r['title'])}"] if r["title"] else []
        lines += ["STATEMENT: >>>", r["statement"], "<<<"] if r["statement"] else []
        lines += ["COMMENT: >>>", f"Shown by {shown}; image {evidence.image}.", "<<<", ""]
    return "\n".join(lines)
