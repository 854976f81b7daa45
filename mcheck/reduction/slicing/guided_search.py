"""A way through the whole program to an error that a slice has: best first, by how much of what the counterexample of
the slice does to shared data has been done (Edelkamp, Lluch Lafuente and Leue, Directed explicit-state model checking,
STTT 2004)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush

from lfc.run.events import Event
from lfc.trace.items import Item


@dataclass(slots=True)
class Way:
    """`at`: of each block the number of the state of the slice that it is like. Of an error in a step the last of
    `steps` has no block."""

    blocks: list[bytes]
    steps: list[list[Item]]
    at: list[int]


class Guide:
    def __init__(self, wanted: Sequence[bytes], strict: bool) -> None:
        """`wanted`: what shared data is, state by state. `strict`: nothing else is, and the end is the error; else the
        error is where it comes."""
        self.firsts = [n for n, x in enumerate(wanted) if n == 0 or x != wanted[n - 1]]
        self.wanted = [wanted[n] for n in self.firsts]
        self.strict = strict

    def search(
        self,
        first: bytes,
        shared_of: Callable[[bytes], bytes],
        events: Callable[[bytes], Iterator[Event]],
        end: Callable[[bytes], list[list[Item]] | None],
    ) -> Way | None:
        """`end`: the step that fails there, if one does."""
        if shared_of(first) != self.wanted[0]:
            return None
        came: dict[tuple[bytes, int], tuple[tuple[bytes, int], list[Item]] | None] = {(first, 0): None}
        todo: list[tuple[int, int, tuple[bytes, int]]] = [(0, 0, (first, 0))]
        while todo:
            _, depth, here = heappop(todo)
            block, k = here
            last = end(block) if not self.strict else [] if k == len(self.wanted) - 1 else None
            if last is not None:
                return self.way_to(here, came, last)
            for event in events(block):
                if event.fault is not None:
                    continue
                n = self.next(k, shared_of(event.block))
                there = (event.block, k if n is None else n)
                if (n is None and self.strict) or there in came:
                    continue
                came[there] = (here, event.items)
                heappush(todo, (-there[1], depth + 1, there))
        return None

    def next(self, k: int, shared: bytes) -> int | None:
        """How far it is with this; None: it is something else."""
        if k + 1 < len(self.wanted) and shared == self.wanted[k + 1]:
            return k + 1
        return k if shared == self.wanted[k] else None

    def way_to(
        self,
        here: tuple[bytes, int],
        came: dict[tuple[bytes, int], tuple[tuple[bytes, int], list[Item]] | None],
        last: list[list[Item]],
    ) -> Way:
        blocks, steps, at = [here[0]], list[list[Item]](), [self.firsts[here[1]]]
        while (before := came[here]) is not None:
            here, items = before
            blocks.append(here[0])
            steps.append(items)
            at.append(self.firsts[here[1]])
        return Way(blocks[::-1], [*steps[::-1], *last], at[::-1])
