"""Claims judged over the graph of board states (docs/theory/response-times.md, Claims)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from lfc.actions.model.machine import Machine
from lfc.mcheck.response.claims import Claim, Claims, holds
from lfc.mcheck.response.graph import Graph, Kind, Move
from lfc.mcheck.response.longest import Beginning, Longest, LongestPath, Span, Step
from lfc.mcheck.response.states import States
from lfc.mcheck.response.timed import Timed

MILLION = 1_000_000
MILLISECONDS = 1000


@dataclass(slots=True)
class Judged:
    """`longest.cycles` is -1 where it never begins; of a claim about one state `broken_at` is one that breaks it."""

    claim: Claim
    limit: int | None  # cycles
    longest: Longest
    broken_at: int | None = None

    @property
    def within(self) -> bool:
        if self.limit is None:
            return self.broken_at is None
        return self.longest.cycles is not None and self.longest.cycles <= self.limit


class Judge:
    """`drift` in millionths."""

    def __init__(self, machine: Machine, graph: Graph, claims: Claims, drift: float = 0.0) -> None:
        self.graph, self.claims, self.drift = graph, claims, drift
        self.states = States(machine, graph, claims)

    def all(self) -> list[Judged]:
        return [self.judge(c) for c in self.claims.found]

    def limit(self, milliseconds: int) -> int:
        """Cycles of the slowest clock in so many milliseconds."""
        clock = self.graph.board.board.cpu.clock
        return int(milliseconds * clock * (MILLION - self.drift) / (MILLISECONDS * MILLION))

    def judge(self, claim: Claim) -> Judged:
        if claim.milliseconds is None:
            broken = next((n for n in self._seen() if not self._holds(n, claim)), None)
            return Judged(claim, None, Longest(-1), broken)
        limit = self.limit(claim.milliseconds)
        if not claim.slots:
            path = LongestPath(self.graph, lambda _, m: self._comes(claim, m))
            return Judged(claim, limit, path.from_any(self._beginnings(claim)))
        longest = Longest(-1)
        for slot in claim.slots:
            path = LongestPath(self.graph, lambda _, m, s=slot: self._rests(m, s))  # type: ignore[misc]
            found = path.from_any(self._releases(path, slot))
            if found.cycles is None:
                return Judged(claim, limit, found)
            if found.cycles > (longest.cycles or -1):
                longest = found
        return Judged(claim, limit, longest)

    # --- properties ---

    def _seen(self) -> Iterator[int]:
        """Board states whose block a property sees."""
        board = self.graph.board
        return (n for n in self.graph.intervals if board.has_begun(self.graph.nodes[n][0]))

    def _holds(self, node: int, claim: Claim) -> bool:
        return holds(claim.comes, self.states.true(self.states.block(node)))

    def _comes(self, claim: Claim, move: Move) -> Span | None:
        return Span(move.cycles, 0) if not move.halts and self._holds(move.to, claim) else None

    def _beginnings(self, claim: Claim) -> Iterator[Beginning]:
        nodes = self._seen() if claim.always else self._first()
        for node in list(nodes):
            true = self.states.true(self.states.block(node))
            if holds(claim.begins, true) and not holds(claim.comes, true):
                yield from (([], at) for at in self.graph.intervals[node])

    def _first(self) -> Iterator[int]:
        """The board states behind the initialisation's first action."""
        board = self.graph.board
        for node in self.graph.intervals:
            if not board.has_begun(self.graph.nodes[node][0]):
                moves = (m for m in self.graph.moves_of(node) if m.kind is Kind.PASS and not m.halts)
                yield from (m.to for m in moves if board.has_begun(self.graph.nodes[m.to][0]))

    # --- deadlines ---

    def _rests(self, move: Move, slot: int) -> Span | None:
        """It was ready, and is not any more. No move of another process does that."""
        runs = move.kind is Kind.PASS and move.slot == slot and not move.halts
        return Span(move.cycles, 0) if runs and not self.states.is_ready(self.states.block(move.to), slot) else None

    def _releases(self, path: LongestPath, slot: int) -> Iterator[Beginning]:
        for node, intervals in list(self.graph.intervals.items()):
            was = slot in self.states.released(node)
            for move in self.graph.moves_of(node):
                if move.halts or slot not in self.states.released(move.to):
                    continue
                if was and self._rests(move, slot) is None:
                    continue
                for at in intervals:
                    to = path.clock.after(at, move)
                    counted = None if to is None else since_release(self.graph, at, move)
                    if to is not None and counted is not None:
                        yield counted, to
        for n in path.named:
            for steps, at in path.raised(n):
                boundary = steps[-1].node if len(steps) > 1 else steps[0].node
                if slot in self.states.released(at.node) and slot not in self.states.released(boundary):
                    yield steps, at


def since_release(graph: Graph, at: Timed, move: Move) -> list[Step] | None:
    """What has passed since the release; None: an interrupt's routine releases it."""
    tick = graph.board.interrupts.tick
    match move.kind:
        case Kind.PASS:
            return [Step(at.node, move, move.cycles)] if move.ticks else []
        case Kind.TICK:
            return [Step(at.node, move, move.cycles + max(0, -at.least))]
        case Kind.SLEEP if tick and move.interrupt == tick:
            return [Step(at.node, move, move.cycles - move.asleep_at)]
        case _:
            return None
