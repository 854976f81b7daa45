"""The progress of a search: one line on a terminal that changes, or a line now and then on a pipe."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, TextIO

from lfc.base.notices import draw
from lfc.mcheck.search.worker_thread import bytes_per_state

if TYPE_CHECKING:
    from lfc.mcheck.search.worker_thread import Progress


class ProgressLine:
    def __init__(self, stream: TextIO) -> None:
        self.stream = stream
        self.shown = False

    def show(self, p: Progress) -> None:
        if p.notes:
            self.clear()
            self.stream.write("".join(f"{note}\n" for note in p.notes))
        draw(self.stream, "\r\x1b[K" + progress_text(p))
        self.shown = True

    def clear(self) -> None:
        if self.shown:
            draw(self.stream, "\r\x1b[K")


class ProgressLog:
    """For a pipe or a file: nobody waits in silence, and nothing is overwritten."""

    FIRST, EVERY = 0.8, 10.0  # seconds

    def __init__(self, stream: TextIO, every: float = EVERY) -> None:
        self.stream, self.every = stream, every
        self.due = time.monotonic() + min(every, self.FIRST)

    def show(self, p: Progress) -> None:
        if p.notes:
            self.stream.write("".join(f"{note}\n" for note in p.notes))
            self.stream.flush()
        if time.monotonic() < self.due:
            return
        self.due = time.monotonic() + self.every
        phase = p.phase or "searching"
        self.stream.write(f"{phase}: {states_text(p)}, {p.transitions} transitions, {p.seconds:.0f} s\n")
        self.stream.flush()

    def clear(self) -> None:
        """What was said stays."""


def states_text(p: Progress) -> str:
    if p.shapes:
        return f"{p.states} symbolic state{'s' * (p.states != 1)} of {p.shapes} shape{'s' * (p.shapes != 1)}"
    return f"{p.states} states"


def progress_text(p: Progress) -> str:
    if p.shapes:
        return f"{states_text(p)}, {p.transitions} transitions, depth {p.depth}, {p.seconds:.0f} s: {p.phase}"
    memory = f"{p.memory / 2**20:.0f}" + (f" of {p.limit >> 20}" if p.limit else "") + " MB"
    memory += f", {p.disk / 2**20:.0f} MB on disk" if p.disk else ""
    if p.phase:
        return f"{p.states} states, {memory}, {p.seconds:.0f} s: {p.phase}"
    rate = p.transitions / p.seconds / 1e6 if p.seconds else 0.0
    each = bytes_per_state(p.memory, p.states)
    memory = memory if each is None else f"{each:.1f} bytes per state, {memory}"
    return (
        f"{p.states} states, {p.transitions} transitions, depth {p.depth}, frontier {p.frontier}, "
        f"{rate:.1f} million transitions/s, {memory}"
    )
