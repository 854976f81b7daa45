"""The search works in a thread of its own: Ctrl-C and the progress line work meanwhile."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

from lfc.base.lazy_dataclass import dataclass
from lfc.mcheck.search.search import Stop

if TYPE_CHECKING:
    from lfc.mcheck.engine.abi import Statistics
    from lfc.mcheck.search.search import Search


@dataclass(slots=True)
class Progress:
    states: int
    transitions: int
    depth: int
    frontier: int
    seconds: float
    memory: int
    limit: int = 0  # of the memory; 0: none
    phase: str = ""  # what is done after the search
    disk: int = 0  # bytes
    notes: tuple[str, ...] = ()  # to be told once
    shapes: int = 0  # of a search over undetermined data, whose states are symbolic


@dataclass(slots=True)
class Shown:
    """The progress, told now and then."""

    search: Search | None
    limit: int
    begin: float
    to: Callable[[Progress], None] | None
    phase: str = ""
    interrupted: bool = False  # by Ctrl-C, in this phase
    was_interrupted: bool = False  # in any
    growth: Callable[[Search], list[str]] | None = None  # what makes the states many; asked once, of a search at rest
    next: float = 0.0  # when the progress of a search over undetermined data is told again
    compiling: float = 0.0  # seconds; no part of the search, and the longer the less was compiled before
    has_answer: Callable[[], bool] = bool  # whether what goes on beside the search has one; asked again and again

    def tell(self, notes: Sequence[str] = ()) -> None:
        if self.to is not None and self.search is not None:
            s = self.search.statistics
            seconds = time.monotonic() - self.begin
            frontier = max(0, s.states - s.expanded)
            memory = memory_of(s)
            self.to(
                Progress(
                    s.states,
                    s.transitions,
                    s.depth,
                    frontier,
                    seconds,
                    memory,
                    self.limit,
                    self.phase,
                    s.disk_bytes,
                    tuple(notes),
                )
            )

    def tell_symbolic(self, states: int, shapes: int, transitions: int, depth: int) -> None:
        """Of a search over undetermined data, not more often than of others."""
        now = time.monotonic()
        self.next = self.next or now + SOON
        if self.to is not None and now >= self.next:
            self.next = now + AGAIN
            self.to(Progress(states, transitions, depth, 0, now - self.begin, 0, phase=self.phase, shapes=shapes))


def memory_of(s: Statistics) -> int:
    return int(s.table_bytes + s.node_bytes + s.log_bytes + s.frontier_bytes + s.memo_bytes + s.value_bytes)


SOON = 1.0  # seconds: what ends by then shows no progress
PATIENCE = 20.0  # seconds, after which what makes the states many is told
FEW = 10_000  # states; of fewer, most of the memory are tables that do not grow with them


def bytes_per_state(memory: int, states: int) -> float | None:
    """None: of so few states it says nothing."""
    return memory / states if states >= FEW else None


def run_with_progress(search: Search, seconds: float, shown: Shown) -> Stop:
    """`seconds`: 0: as many as it takes."""
    begin, patience = time.monotonic(), shown.begin + PATIENCE - time.monotonic()
    if search.can_rest and shown.to and shown.growth and 0 < patience < (seconds or 1e9):
        stop = in_thread(lambda: search.run_until_rest(patience, seconds or 1e9), search, shown)
        if stop is Stop.TIME and not shown.interrupted and not (seconds and time.monotonic() - begin > seconds):
            ask, shown.growth = shown.growth, None
            shown.tell(ask(search))
            stop = in_thread(lambda: search.run(time_left(seconds, begin) or 1e9), search, shown)
    else:
        stop = in_thread(lambda: search.run(seconds or 1e9), search, shown)
    interrupted, shown.interrupted = shown.interrupted, False  # what is said of its states is another matter
    return Stop.INTERRUPTED if interrupted else stop


def time_left(seconds: float, begin: float) -> float:
    """0: as many as it takes."""
    return max(0.001, begin + seconds - time.monotonic()) if seconds else 0.0


@contextmanager
def in_time(search: Search, begin: float, seconds: float) -> Iterator[None]:
    """What begins within is interrupted `seconds` after `begin`, and all that begins later; 0: never."""
    ended = threading.Event()

    def interrupt() -> None:
        wait = max(begin + seconds - time.monotonic(), 0.001)
        while not ended.wait(wait):
            search.interrupt()  # again: it may have come before the engine began
            wait = AGAIN

    clock = threading.Thread(target=interrupt, daemon=True)
    if seconds:
        clock.start()
    try:
        yield
    finally:
        ended.set()
        if seconds:
            clock.join()


@contextmanager
def ctrl_c(shown: Shown) -> Iterator[None]:
    """Ctrl-C stops the search that is at work, or the next one; wherever it comes, nothing is left half done. Other
    threads have no Ctrl-C."""

    def stop(_signal: int, _frame: object) -> None:
        shown.interrupted = shown.was_interrupted = True  # `in_thread` sees it

    before = signal.getsignal(signal.SIGINT)
    takes = threading.current_thread() is threading.main_thread() and before is signal.default_int_handler
    if takes:
        signal.signal(signal.SIGINT, stop)
    try:
        yield
    finally:
        if takes:
            signal.signal(signal.SIGINT, before)


T = TypeVar("T")
AGAIN = 0.2  # seconds


class AnsweredBeside(Exception):
    """The search need not go on."""


def in_thread(work: Callable[[], T], search: Search, shown: Shown) -> T:
    """While a search of the engine runs, the interpreter is free: the main thread shows the progress. Raises
    AnsweredBeside."""
    found: list[T] = []
    failed: list[Exception] = []
    ended = threading.Event()

    def do() -> None:
        try:
            found.append(work())
        except Exception as error:  # it is raised again where somebody can catch it
            failed.append(error)
        finally:
            ended.set()

    threading.Thread(target=do, daemon=True).start()
    answered = False
    while not ended.wait(AGAIN):  # Thread.join would not do: interrupted by Ctrl-C, it takes the thread for ended
        answered = answered or shown.has_answer()
        if shown.interrupted or answered:
            search.interrupt()  # again: it may have come before the engine began
        shown.tell()
    if failed:
        raise failed[0]
    if answered:
        raise AnsweredBeside
    return found[0]
