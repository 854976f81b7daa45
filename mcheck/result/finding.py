"""What a search has found wrong, as data; `explain` makes it."""

from __future__ import annotations

from dataclasses import field
from enum import StrEnum
from typing import TYPE_CHECKING

from lfc.base.lazy_dataclass import dataclass
from lfc.mcheck.engine.abi import ErrorKind

if TYPE_CHECKING:
    from lfc.actions.model.machine import Machine
    from lfc.base.source import Span
    from lfc.mcheck.engine.abi import Error
    from lfc.mcheck.properties.lasso import ViolatingRun
    from lfc.run.wait_for_graph import Wait
    from lfc.trace.items import Item

FAULT, DEADLOCK, VIOLATION = ErrorKind.FAULT, ErrorKind.DEADLOCK, ErrorKind.VIOLATION
ASSERT = 6
REPORTED = 20  # errors told with a trace when the search goes on after the first


class Verdict(StrEnum):
    """Of a check. A violation is of one of the last five kinds; the first one that was found gives the verdict; where
    the search goes on after one, the first of these kinds."""

    HOLDS = "holds"
    INCONCLUSIVE = "inconclusive"
    IMAGE = "image"  # it does something else than the program
    ASSERTION = "assertion"
    FAULT = "fault"
    DEADLOCK = "deadlock"
    PARTIAL_DEADLOCK = "partial-deadlock"
    PROPERTY = "property"


@dataclass(slots=True)
class Finding:
    """One violation with the shortest way to it. `blocks` are the states on the way, the initial one first; of a fault
    the last step has no block after it."""

    kind: Verdict
    message: str
    span: Span
    steps: list[list[Item]]
    blocks: list[bytes]
    waiting: list[int] = field(default_factory=list)  # slots that are stuck
    circle: list[Wait] = field(default_factory=list)  # who waits for whom
    run: ViolatingRun | None = None  # of a property
    shortest: bool = True  # no other way is shorter
    machine: Machine | None = None  # of the slice that the way is one of; None: it is one of the program
    doubt: str = ""  # why it may not come
    rounds: str = ""  # which steps are gone how often before the last one; they stand here once
    fault_kind: int = 0  # of an assertion or a fault, as `lfc.run.report` numbers them


KINDS = list(Verdict)


def in_order_of_kind(findings: list[Finding]) -> list[Finding]:
    """Where all are found, the verdict does not depend on which of them the search came to first."""
    return sorted(findings, key=lambda f: (KINDS.index(f.kind), f.span.source.path, f.span.start))


def in_order_of_rank(errors: list[Error]) -> list[Error]:
    """What violates a property comes behind all others that are as near, or nearer."""
    found = [e for e in errors if e.kind != VIOLATION]
    for e in (e for e in errors if e.kind == VIOLATION):
        behind = [n for n, other in enumerate(found, 1) if other.kind == VIOLATION or distance(other) <= distance(e)]
        found.insert(max(behind, default=0), e)
    return found


def distance(e: Error) -> int:
    """In steps; those that fail count."""
    return int(e.depth) + (e.kind in (FAULT, VIOLATION))


def first_of_each(errors: list[Error]) -> list[Error]:
    """One of each kind and place, the shortest way first."""
    seen: set[tuple[int, int, int]] = set()
    found: list[Error] = []
    for e in errors:
        key = (e.kind, e.fault_kind, e.fault_site)
        if key not in seen and len(found) < REPORTED:
            seen.add(key)
            found.append(e)
    return found
