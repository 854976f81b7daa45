"""A reduction: what it asks of a request, what it does in a search, how `auto` tries it, and what is said of it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import field
from enum import Enum
from typing import TYPE_CHECKING, ClassVar

from lfc.base.lazy_dataclass import dataclass
from lfc.mcheck.request.property import Watch
from lfc.mcheck.request.request import Strategy

if TYPE_CHECKING:
    from lfc.actions.model.machine import Machine
    from lfc.mcheck.model.compiled_model import CompiledModel
    from lfc.mcheck.model.fairness import Fair
    from lfc.mcheck.request.request import Request
    from lfc.mcheck.search.search import Attachable, Attached, Search
    from lfc.semantics.model.typed import Property, Variable


@dataclass(frozen=True, slots=True)
class Question:
    """A program, what is asked of it, and what that means there."""

    machine: Machine
    request: Request
    watched: Watch = field(default_factory=Watch)
    fair: Sequence[Fair] = ()
    later: Sequence[Watch] = ()  # properties that have no room beside the others, in groups; each has its own search
    too_wide: Sequence[Property] = ()  # formulas of more atoms than a search can watch

    def property_names(self) -> list[str]:
        """Of all that are to be looked for, in the program's order as far as they are searched together."""
        watched = [w.of.name for group in (self.watched, *self.later) for w in group.properties]
        return watched + [p.name for p in self.too_wide]

    def why_watched(self) -> str:
        """Why nothing is used that reads the program's text: handlers of monitors run at meetings as well."""
        return "a monitor watches the program (--monitor)" if self.machine.monitors else ""

    def why_steps_count(self) -> str:
        """Why nothing is used that leaves out steps, or takes some together; empty: it may be."""
        options = self.request.search
        if options.strategy is Strategy.MODULAR:
            return "modules are searched separately (--search modular)"
        if options.strategy is Strategy.CONTEXTS:
            return "switches between processes are counted (--contexts)"
        return (
            "steps are counted (--depth)" if options.bounds.depth is not None and not options.strategy.by_chance else ""
        )


class Stage(Enum):
    """When `auto` tries it."""

    ALONE = 0
    TOGETHER = 1  # with those that have proved useful alone
    LAST = 2  # with all that are used


@dataclass(frozen=True, slots=True)
class Sampling:
    """The short search with which it is tried."""

    stage: Stage
    most: int = 0  # states; 0: as many as usual
    first: int = 0  # after so many it must promise something, or the short search ends
    # What it promises then; how many states are within each depth of the search without it.
    promises: Callable[[Search, list[int]], bool] | None = None
    nothing: str = ""  # why not, if it does nothing, where that is known before the search runs
    same_depths: bool = False  # states are as far away as without it, so levels tell how many are fewer


class Reduction:
    """One that can be asked for. `why_not` and `not_for` come before `attach`, which may use what these have found."""

    name: ClassVar[str]
    counts: ClassVar[str] = "reduced_states"  # what `Attached.did` counts, in documents
    exchanges: ClassVar[bool] = False  # of states that are like each other one is kept
    sampling: Sampling | None = None  # None: `auto` does not choose it

    def why_not(self, question: Question) -> str:
        """Why it cannot be used for a request; empty: it can."""
        raise NotImplementedError

    def not_for(self, question: Question) -> dict[str, str]:
        """By name, properties that are looked for without it: what each does."""
        return {}

    def holds(self, model: CompiledModel) -> Collection[Variable]:
        """Variables that no other reduction may overwrite under another name."""
        return ()

    def attach(self, search: Search, used: Sequence[Attachable]) -> Attached:
        raise NotImplementedError

    def said(self, choice: Choice, states: str) -> str:
        """What it did, for people."""
        raise NotImplementedError


@dataclass(slots=True)
class Choice:
    """What a request makes of a reduction that was asked for."""

    of: Reduction
    why_not: str = ""  # empty: it is used
    told: int = 0  # how much it did
    text: str = ""  # what is said of it, if it is said elsewhere
    not_for: dict[str, str] = field(default_factory=dict)  # properties that are looked for without it: what each does
    notes: Sequence[str] = ()  # what it leaves as it is, and why

    @property
    def name(self) -> str:
        return self.of.name

    @property
    def apart(self) -> str:
        return "".join(f"; not for `{name}`, which {what}" for name, what in self.not_for.items())

    def as_data(self) -> dict[str, object]:
        found: dict[str, object] = {
            "name": self.name,
            "used": not self.why_not,
            "reason": self.why_not,
            self.of.counts: self.told,
        }
        more = {"not_for": self.not_for, "notes": list(self.notes)}
        return found | {name: said for name, said in more.items() if said}

    def as_text(self, states: str) -> str:
        said = f"not used, {self.why_not}" if self.why_not else self.text or self.of.said(self, states)
        return "\n".join([f"reduction {self.name}: {said}", *(f"  {note}" for note in self.notes if not self.why_not)])


def used(choices: Sequence[Choice]) -> list[Choice]:
    return [c for c in choices if not c.why_not]
