"""What a board does again and again: board states with intervals that lie on cycles, and the steps between them."""

from __future__ import annotations

from dataclasses import dataclass

from lfc.base.scc import components
from lfc.mcheck.response.graph import Graph, Kind, Move, NoTime
from lfc.mcheck.response.timed import Clock, Timed, intervals_apart


@dataclass(frozen=True, slots=True)
class Arc:
    """A move from one of the states to another, by their numbers; cycles awake, and time by the ticks in it."""

    begin: int
    end: int
    awake: int
    time: int
    interrupted: bool  # by an interrupt of the program


@dataclass(slots=True)
class Recurring:
    """`states`: those that are on a cycle."""

    states: list[Timed]
    nodes: int
    arcs: list[Arc]


def recurring(graph: Graph, most: int) -> Recurring:
    """Raises NoTime."""
    clock = Clock(graph)
    intervals = intervals_apart(graph, most)
    number = {at: n for n, at in enumerate(at for of_node in intervals.values() for at in of_node)}
    after: list[list[int]] = [[] for _ in number]
    arcs = []
    for at, begin in number.items():
        if not graph.goes_on():
            raise NoTime
        for move in graph.moves_of(at.node):
            to = None if move.halts else clock.after(at, move)
            if to is None:
                continue
            plain = Timed(to.node, to.least, to.most)
            end = number.get(plain)
            if end is None:
                end = number[next(k for k in intervals[to.node] if k.contains(plain))]
            after[begin].append(end)
            time = ticks_of(move, clock.tick) * clock.period if clock.tick else 0
            arcs.append(Arc(begin, end, move.cycles, time, is_interrupted(move, clock.tick)))
    again: set[int] = set()
    for part in components(range(len(number)), lambda n: after[n]):
        if len(part) > 1 or part[0] in after[part[0]]:
            again.update(part)
    return Recurring([at for at, n in number.items() if n in again], len(number), arcs)


def is_interrupted(move: Move, tick: int) -> bool:
    return move.kind in (Kind.ROUTINE, Kind.RAISED) or (move.kind is Kind.SLEEP and move.interrupt != tick)


def ticks_of(move: Move, tick: int) -> int:
    return 1 if move.kind is Kind.TICK or (move.kind is Kind.SLEEP and move.interrupt == tick) else move.ticks
