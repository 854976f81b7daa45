"""A word about work that takes long and is done once, such as compiling the checker's engine: nobody waits in silence.
Who does the work says so with `once`; whoever speaks to a user asks with `tell_to` to be told.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TextIO

AFTER = 0.3  # seconds; what is done sooner is not worth a word


class _Told:
    """One for the process, as the cache is of which it speaks."""

    to: Callable[[str], None] | None = None
    seconds: dict[str, float] = {}  # that were spent on it so far, in one part after the other
    already: set[str] = set()


def draw(stream: TextIO, text: str) -> None:
    """A line that changes. Only what is drawn moves the cursor of a terminal: no part of it may be somebody else's."""
    getattr(stream, "draw", stream.write)(text)
    stream.flush()


def tell_to(listener: Callable[[str], None] | None) -> None:
    """From now on, in whatever thread the work is done."""
    _Told.to = listener


def tell(what: str) -> None:
    """At once, and not again."""
    if _Told.to is not None and what not in _Told.already:
        _Told.already.add(what)
        _Told.to(what)


@contextmanager
def once(what: str) -> Iterator[None]:
    """Work, or one part of it. It is told once, when all its parts so far have taken a third of a second."""
    import threading  # hardly ever: what is done once is in a cache

    begin, before = time.monotonic(), _Told.seconds.get(what, 0.0)
    timer = threading.Timer(max(0.0, AFTER - before), tell, [f"{what} (once for this version) ..."])
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        _Told.seconds[what] = before + time.monotonic() - begin
