"""The gate before a board: whether an image may go there, by the records of its checks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from lfc.records.demand import PROOF, Demand
from lfc.records.policy import AHEAD, Policy
from lfc.records.record import CheckRecord, time_of
from lfc.records.signing import Keys, SigningError, who_signed
from lfc.records.store import Stored, all_records


@dataclass(frozen=True, slots=True)
class Candidate:
    """What is to be flashed. None: it is not known, as of a HEX file."""

    image: str
    board: str
    program: str | None = None  # digest
    file: str | None = None  # of the main module
    traced: bool = False
    board_digests: frozenset[str] = frozenset()  # of its description, as this toolchain has it; none: not known
    scheduler: str | None = None


@dataclass(frozen=True, slots=True)
class Trust:
    """Whose records count, and when. `own`: folders of this project; `beside`: of others, such as the one that lies
    beside an image. What is signed by a trusted key counts wherever it lies, and what speaks against an image, too; a
    record without a signature only where this project has written it."""

    own: tuple[Path, ...]
    beside: tuple[Path, ...] = ()
    keys: Keys | None = None
    policy: Policy | None = None
    at: datetime | None = None  # None: now
    flashed: tuple[dict[str, Any], ...] = ()  # the log of this project


@dataclass(slots=True)
class Decision:
    """`opened_by`: the record that vouches for the image. Else `objections` says why there is none; `blocked`: because
    an error is known, so that the image must not pass at any level."""

    opened_by: Stored | None
    signer: str = ""
    objections: list[str] = field(default_factory=list)
    blocked: bool = False


def decide(candidate: Candidate, trust: Trust, demand: Demand = PROOF) -> Decision:
    """Raises MissingOnThisMachine.

    Under NONE a record still opens the gate as under NO_ERROR_FOUND: only so it can outweigh a counterexample that was
    found under fewer assumptions.
    """
    own, beside = all_records(trust.own), all_records(trust.beside)
    there = own + [s for s in beside if s not in own]
    of_it = [s for s in there if s.record.is_of(candidate.image) and s.record.board == candidate.board]
    wrong = [s for s in of_it if s.record.counterexamples]
    objections: list[str] = []
    for stored in sorted(of_it, key=lambda s: bool(s.record.unproved)):
        found = stored.record.objections(demand) or mismatches(stored.record, candidate, trust)
        signer = ""
        if not found and trust.keys is not None:
            try:
                signer = who_signed(stored, trust.keys)
            except SigningError as error:
                found.append(f"its record {stored.path.name}: {error}")
        elif not found and stored not in own:
            found.append(f"its record {shown(stored)} is not this project's own, and no key is trusted (--trusted)")
        if not found:
            found = contradictions(stored, wrong)
        if not found:
            return Decision(stored, signer)
        objections += [o for o in found if o not in objections]
    return Decision(None, "", objections or [why_none(candidate, [s.record for s in there])], bool(wrong))


def mismatches(record: CheckRecord, candidate: Candidate, trust: Trust) -> list[str]:
    """What the record says of another thing than is to be flashed, or of another time."""
    at = trust.at or datetime.now(UTC)
    found = []
    if candidate.program is not None and record.program != candidate.program:
        found.append("its record names another program")
    if candidate.board_digests and record.board_digest not in candidate.board_digests:
        found.append(f"it was checked with another description of the board {record.board}; check again")
    if candidate.scheduler is not None and record.build.scheduler != candidate.scheduler:
        found.append(f"its record is of the scheduler {record.build.scheduler}, not {candidate.scheduler}")
    checked = time_of(record.checked_at)
    if checked is not None and checked > at + AHEAD:
        found.append(f"its check is dated in the future, {record.checked_at}; is the clock of this machine right?")
    if not found and trust.policy is not None:
        found += trust.policy.objections(record, at, trust.flashed)
    return found


def shown(stored: Stored) -> str:
    return str(Path(*stored.path.parts[-4:]))


def contradictions(stored: Stored, wrong: Sequence[Stored]) -> list[str]:
    """Errors of this image that what `stored` assumes does not rule out: one of the two records is wrong."""
    against = [w for w in wrong if w.record.differs or not stored.record.assumes_more_than(w.record)]
    name = stored.path.name
    return [
        f"the records {name} and {w.path.name} contradict each other ({w.record.counterexamples[0]}); check again, and "
        "delete the one that is wrong"
        for w in against
    ]


def why_none(candidate: Candidate, there: Sequence[CheckRecord]) -> str:
    """No record is of this image: which is the nearest?"""
    if candidate.traced:
        return "it is a traced image, but a check covers the untraced one"
    same_board = [r for r in there if r.board == candidate.board]
    if any(r.program == candidate.program for r in same_board):
        return "the program was checked as another image (another scheduler, other options or another toolchain)"
    if any(r.file == candidate.file for r in same_board):
        return "the program has changed since it was checked"
    if any(r.program == candidate.program for r in there):
        return "the program was checked for another board"
    return "it was not checked"
