"""A request to check a program: one frozen value, composed by topic, from the command line to the engine."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, fields, replace
from enum import StrEnum
from functools import cache
from typing import TYPE_CHECKING, Any

from lfc.base.lazy_dataclass import dataclass
from lfc.mcheck.request.bounds import SearchBounds
from lfc.mcheck.request.world import Data, Inputs, Time, World

if TYPE_CHECKING:
    from lfc.mcheck.image.check_image import CheckedImage

AUTO = "auto"  # in the place of names of reductions: they are chosen after a short search


class Strategy(StrEnum):
    BREADTH = "breadth"
    DEPTH = "depth"
    BEST = "best"  # what seems nearest to an error first
    ASTAR = "astar"  # likewise, and what is found first is a shortest counterexample
    CONTEXTS = "contexts"  # few switches between processes first
    MODULAR = "modular"  # module by module
    RANDOM = "random"  # random walks
    SWARM = "swarm"  # of small depth-first searches

    @property
    def by_chance(self) -> bool:
        return self in (Strategy.RANDOM, Strategy.SWARM)


class Store(StrEnum):
    EXACT = "exact"
    HASH = "hash"  # 64 bits of a state
    BITSTATE = "bitstate"  # three bits of a state

    @property
    def lossy(self) -> bool:
        """States may be taken for others."""
        return self is not Store.EXACT


class Towards(StrEnum):
    """What a directed search looks for."""

    ANY = "any"
    DEADLOCK = "deadlock"
    ASSERTION = "assertion"
    FAULT = "fault"


@dataclass(frozen=True, slots=True)
class Limits:
    """What the search may use. 0: no limit."""

    seconds: float = 0.0
    states: int = 0
    memory: int = 0
    threads: int = 1
    compact: bool = False  # less memory, more time
    spill: str = ""  # folder for what a breadth-first search has no room for in memory; empty: it stops


@dataclass(frozen=True, slots=True)
class SearchOptions:
    """In which order states are searched, and what is kept of them."""

    strategy: Strategy = Strategy.BREADTH
    store: Store = Store.EXACT
    towards: Towards = Towards.ANY
    bounds: SearchBounds = field(default_factory=SearchBounds)
    distributed: bool = False  # by several processes, each with a share of the states

    @property
    def breadth_first(self) -> bool:
        """Exact, too: the store of all levels."""
        return self.strategy is Strategy.BREADTH and not self.store.lossy

    @property
    def name(self) -> str:
        return self.store if self.store.lossy else self.strategy


@dataclass(frozen=True, slots=True)
class Claims:
    """What is to hold."""

    properties: tuple[str, ...] = ()  # names; none: all
    only: tuple[str, ...] = ()  # what is looked for in a slice, and nothing else
    fairness: str = ""  # none, weak, strong for all processes; empty: as the source marks them
    fair: tuple[str, ...] = ()  # further: of communications and actions, as `fairness` reads them
    allow_deadlocks: bool = False  # processes may wait forever; a run that ends so is a run
    find_stuck: bool = True  # look for partial deadlocks
    keep_going: bool = False  # after a violation
    past_errors: bool = False  # properties whose violations are finite are looked for although something else fails
    nested: bool = False  # search for cycles by nested depth-first search

    @property
    def goes_on(self) -> bool:
        """After a violation, or what would be one."""
        return self.keep_going or self.allow_deadlocks

    @property
    def partial_deadlocks(self) -> bool:
        return self.find_stuck and not self.allow_deadlocks


@dataclass(frozen=True, slots=True)
class Checkpoint:
    file: str = ""  # in which the search is saved
    every: float = 60.0  # seconds
    resume: str = ""  # file of an earlier search to go on with
    unauthenticated: bool = False  # also if nobody vouches for that file

    @property
    def wanted(self) -> bool:
        return bool(self.file or self.resume)


@dataclass(frozen=True, slots=True)
class Details:
    """What is gathered beside the verdict."""

    report: bool = False  # all there is: every state is looked at again
    count_values: bool = False  # at least how far bounds were used, and the values of variables


@dataclass(frozen=True, slots=True)
class Tuning:
    """What nobody asks for but a test or a measurement."""

    remember: bool = True  # what an action did
    rounds: int = 1_000_000
    least_shared: int = 1024  # smaller levels are one thread's: little is gained, and their order is always the same
    stored: int = 0  # states that a depth-first search keeps (bits, if lossy: 16 each); 0: as memory has room for
    scratch: int = 0  # megabytes for what one action does; 0: a thousand
    spill_at: int = 0  # states after which it spills, with very little memory
    as_many: bool = False  # one process goes about it as each of several does
    improve_after: float = 0.5  # seconds of executions, of code that was made soon: then better code is made


@dataclass(frozen=True, slots=True)
class Request:
    limits: Limits = Limits()
    search: SearchOptions = SearchOptions()
    claims: Claims = Claims()
    world: World = World()
    reductions: tuple[str, ...] = ()  # names, or AUTO
    checkpoint: Checkpoint = Checkpoint()
    details: Details = Details()
    tuning: Tuning = Tuning()
    image: CheckedImage | None = None  # to be executed in every state

    def changed(self, **options: Any) -> Request:
        """With other options: parts of it, or fields of its parts by their names alone."""
        own = {name: x for name, x in options.items() if name in own_fields()}
        of_parts: dict[str, dict[str, Any]] = {}
        for name, x in options.items():
            if name not in own:
                if name not in part_of():
                    raise TypeError(f"a request has no option `{name}`")
                of_parts.setdefault(part_of()[name], {})[name] = CHOICES[name](x) if name in CHOICES else x
        parts = {part: replace(own.get(part, getattr(self, part)), **of) for part, of in of_parts.items()}
        return replace(self, **(own | parts))

    @property
    def goes_by_states_alone(self) -> bool:
        """What is left out of a state's steps must not depend on what else has been found: others do not know that."""
        return self.search.distributed or self.tuning.as_many

    @property
    def needs_all_states(self) -> bool:
        """Then reductions are not chosen by themselves: they have to be asked for."""
        other = not self.search.breadth_first or self.search.bounds.depth is not None
        return other or self.image is not None or self.details.report or self.checkpoint.wanted

    @property
    def may_leave_data(self) -> bool:
        """What is undetermined is the checker's choice."""
        return self.world.data is Data.AUTO and self.reductions == (AUTO,)


CHOICES: Mapping[str, type[StrEnum]] = {
    "strategy": Strategy,
    "store": Store,
    "towards": Towards,
    "time": Time,
    "inputs": Inputs,
    "data": Data,
}


def request_from(**options: Any) -> Request:
    """Of options by their names: fields of a request, or of its parts. What is not named is as usual."""
    return Request().changed(**options)


@cache
def own_fields() -> frozenset[str]:
    return frozenset(f.name for f in fields(Request))


@cache
def part_of() -> dict[str, str]:
    parts = {
        "limits": Limits,
        "search": SearchOptions,
        "claims": Claims,
        "world": World,
        "details": Details,
        "tuning": Tuning,
    }
    parts["checkpoint"] = Checkpoint
    return {f.name: part for part, of in parts.items() for f in fields(of)}
