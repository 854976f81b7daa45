"""The result of a check, as data. Text is made of it elsewhere."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING

from lfc.base.lazy_dataclass import dataclass
from lfc.mcheck.result.finding import Verdict

if TYPE_CHECKING:
    from lfc.mcheck.image.check_image import ImageResult
    from lfc.mcheck.properties.vacuity import Remarks
    from lfc.mcheck.reduction.common.reduction import Choice
    from lfc.mcheck.result.finding import Finding
    from lfc.mcheck.search.distributed.distributed import Rank
    from lfc.mcheck.statistics.details import Beside
    from lfc.mcheck.statistics.incomplete_search import Walked


@dataclass(slots=True)
class Disk:
    """Bytes that were there at most, and written in all; how often something had to go there."""

    bytes: int
    written: int
    times: int


@dataclass(slots=True)
class Told:
    """What the check of properties says beside its findings."""

    properties: list[dict[str, object]] = field(default_factory=list)
    assumptions: list[str] = field(default_factory=list)
    reason: str = ""
    remarks: dict[str, Remarks] = field(default_factory=dict)

    def take_over(self, other: Told) -> None:
        """What is said of more properties of the same program."""
        self.properties += other.properties
        self.assumptions += [a for a in other.assumptions if a not in self.assumptions]
        self.reason = self.reason or other.reason
        self.remarks |= other.remarks

    def leave_open(self, why: str) -> None:
        """What no state has violated, of a search that has missed some."""
        leave_open(self.properties, why)
        self.remarks = {}


def leave_open(properties: list[dict[str, object]], why: str) -> None:
    """Those that would be said to hold."""
    for entry in properties:
        if entry["verdict"] == Verdict.HOLDS:
            entry.pop("by_induction", None)
            entry |= {"verdict": Verdict.INCONCLUSIVE, "reason": why}


@dataclass(slots=True)
class ValueClasses:
    """Into which classes the values of a variable fell that was not determined, each as intervals."""

    name: str
    classes: list[list[tuple[int, int]]]
    is_boolean: bool = False


@dataclass(slots=True)
class Symbolic:
    """Of a search over undetermined data. `concrete`: how many states its states are together; None: not known."""

    states: int
    shapes: int
    concrete: int | None
    classes: list[ValueClasses]
    wide: int = 0  # states that may hold more than what can be reached
    explicit_states: int = 0  # that a search value by value had visited before
    invariant: list[str] = field(default_factory=list)  # the ranges that prove it, where states are wider


@dataclass(slots=True)
class Growth:
    """Why a search did not end. `causes`: what has many values, the most first; `changes`: what to do."""

    causes: list[str] = field(default_factory=list)
    changes: list[str] = field(default_factory=list)

    def lines(self) -> list[str]:
        if not self.causes:
            return []
        found = [f"many states, because of {'; '.join(self.causes)}"]
        return found + [f"  try: {change}" for change in self.changes]


@dataclass(slots=True)
class CheckResult:
    verdict: Verdict
    states: int
    transitions: int
    depth: int
    seconds: float
    memory_bytes: int
    bytes_per_state: float | None  # None: of so few states it says nothing
    executions: int
    findings: list[Finding]
    counted: dict[str, int]
    assumptions: list[str]
    reason: str  # why the verdict is inconclusive
    properties: list[dict[str, object]]  # of each its verdict, and the size of the product
    beside: Beside
    walked: Walked | None  # of a search that is not breadth-first
    compile_seconds: float = 0.0  # before the search began; hardly any if all was in the cache
    disk: Disk | None = None  # what did not stay in memory
    image: ImageResult | None = None  # what the image did, if one was asked for
    ended_at_error: bool = False  # so not every state was visited
    other_bytes: str = ""  # the file that was named is not the image of this program
    resumed: str = ""  # from a checkpoint: authenticated, unauthenticated; empty: from the start
    not_saved: str = ""  # why the last checkpoint could not be written
    deadlocks_allowed: bool = False
    reductions: list[Choice] = field(default_factory=list)
    sampled: int = 0  # states of a search in full, after which reductions were chosen
    interrupted: bool = False  # by Ctrl-C
    only: str = ""  # what was looked for, if nothing else was
    symbolic: Symbolic | None = None  # data was left undetermined; `states` are symbolic then
    growth: Growth = field(default_factory=Growth)  # of a search that did not end
    ranks: list[Rank] = field(default_factory=list)  # of a distributed search
    undecided: list[str] = field(default_factory=list)  # properties: the search ended at an error of something else
    not_looked_for: list[str] = field(default_factory=list)  # properties for which the search did not come far enough
