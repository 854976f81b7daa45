"""The gate before a board: whether an image may go there, by the records of its checks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from lfc.records.demand import PROOF, Demand
from lfc.records.record import CheckRecord
from lfc.records.signing import SigningError, signer_of
from lfc.records.store import Stored, all_records


@dataclass(frozen=True, slots=True)
class Candidate:
    """What is to be flashed. None: it is not known, as of a HEX file."""

    image: str
    board: str
    program: str | None = None  # digest
    file: str | None = None  # of the main module
    traced: bool = False


@dataclass(slots=True)
class Decision:
    """`opened_by`: the record that vouches for the image. Else `objections` says why there is none; `blocked`: because
    an error is known, so that the image must not pass at any level."""

    opened_by: Stored | None
    signer: str = ""
    objections: list[str] = field(default_factory=list)
    blocked: bool = False


def decide(candidate: Candidate, folders: Sequence[Path], trusted: Path | None, demand: Demand = PROOF) -> Decision:
    """`trusted`: a list of keys, one of which must have signed the record. Raises MissingOnThisMachine.

    Under NONE a record still opens the gate as under NO_ERROR_FOUND: only so it can outweigh a counterexample that was
    found under fewer assumptions.
    """
    there = all_records(folders)
    of_it = [s for s in there if s.record.is_of(candidate.image) and s.record.board == candidate.board]
    wrong = [s for s in of_it if s.record.counterexamples]
    objections: list[str] = []
    for stored in sorted(of_it, key=lambda s: bool(s.record.unproved)):
        found = stored.record.objections(demand)
        if candidate.program is not None and stored.record.program != candidate.program:
            found.append("its record names another program")
        signer = ""
        if not found and trusted is not None:
            try:
                signer = signer_of(stored.content, stored.signature, trusted)
            except SigningError as error:
                found.append(f"its record {stored.path.name}: {error}")
        if not found:
            found = contradictions(stored, wrong)
        if not found:
            return Decision(stored, signer)
        objections += [o for o in found if o not in objections]
    return Decision(None, "", objections or [why_none(candidate, [s.record for s in there])], bool(wrong))


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
