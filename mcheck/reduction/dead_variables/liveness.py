"""Liveness: of each position, the bytes of a body's variables that may be read before they are overwritten.

Of a called body also the bytes that its VAR parameters stand for: whether it overwrites them before anybody reads
them again, and what it does with them in all.
"""

from __future__ import annotations

from collections.abc import Set

from lfc.actions.analysis.places import Passed
from lfc.actions.analysis.statement_effects import holds_port
from lfc.actions.flow.lower import targets
from lfc.actions.model.machine import Attempt, Block, Body, CallWaiting, Finish, Goto, Machine, Point, Position, Suspend
from lfc.mcheck.reduction.dead_variables.array_initialisation import filled_by_loops
from lfc.mcheck.reduction.dead_variables.use_and_kill import NO_EFFECT, Bits, BodyBytes, Effect, Summary
from lfc.semantics.model.typed import Variable


def may_be_reset(v: Variable) -> bool:
    """The number of a channel stays in use where nobody will read it."""
    return not v.outside and not holds_port(v.type)


class Liveness:
    """At the begin of each block of one body. `at_end`: what its caller may read afterwards."""

    def __init__(self, found: BodyBytes, at_end: Bits) -> None:
        self.bytes = found
        self.at_end = at_end
        body = found.body
        self.filled = filled_by_loops(found)
        self.returns = {id(b.end.position): b.end for b in body.blocks if isinstance(b.end, CallWaiting)}
        self._effects = {b: [found.statement(s) for s in reversed(b.statements)] for b in body.blocks}
        self.live: dict[Block, Bits] = dict.fromkeys(body.blocks, 0)
        changed = True
        while changed:
            changed = False
            for block in reversed(body.blocks):
                now = self._before(block)
                if now != self.live[block]:
                    self.live[block] = now
                    changed = True

    def at(self, position: Position) -> Bits:
        """At that of a return: while the call lasts."""
        if position.entry is None:
            assert position.point is not None
            return self._while_waiting(position.point)
        call = self.returns.get(id(position))
        return self.live[position.entry] | (self.bytes.lent(call.call) if call is not None else 0)

    def _before(self, block: Block) -> Bits:
        live = self._after(block)
        for effect in self._effects[block]:
            live = effect.before(live)
        return live

    def _after(self, block: Block) -> Bits:
        end = block.end
        match end:
            case Attempt():
                live = self._while_waiting(end.point) | self._of(end.point.otherwise)
                for clause in end.point.clauses:
                    live |= self.bytes.used_attempting(clause)
                return live
            case Suspend():
                return self._of(end.position)
            case CallWaiting():
                return self.bytes.call(end.call).before(self._of(end.position))
            case Finish():
                return self.at_end
            case Goto() if end.target in self.filled and not end.backward:
                return self.live[end.target] & ~self.filled[end.target]
        live = self.bytes.condition(block)
        for b in targets(end):
            live |= self.live[b]
        return live

    def _of(self, position: Position | None) -> Bits:
        return 0 if position is None or position.entry is None else self.live[position.entry]

    def _while_waiting(self, point: Point) -> Bits:
        """Guards, ports that are not kept and the places of what is received are looked at when a partner comes."""
        live = 0
        for clause in point.clauses:
            live |= self._of(clause.resume) & ~self.bytes.received(clause) | self.bytes.used_waiting(clause)
        return live


class Livenesses:
    """Of all bodies of a program."""

    def __init__(self, machine: Machine, kept: Set[Variable] = frozenset()) -> None:
        """`kept`: variables that are not to be reset under another name."""
        self.passed = Passed(machine.all_bodies())
        self.kept = kept
        self._bytes: dict[Body, BodyBytes] = {}
        self._known: dict[Body, Liveness] = {}
        self._summaries: dict[Body, Summary | None] = {}

    def bytes_of(self, body: Body) -> BodyBytes:
        if body not in self._bytes:
            self._bytes[body] = BodyBytes(body, self.passed, self.summary_of)
        return self._bytes[body]

    def of(self, body: Body) -> Liveness:
        """Whatever its VAR parameters stand for is read after its end."""
        if body not in self._known:
            found = self.bytes_of(body)
            self._known[body] = Liveness(found, found.all_referred)
        return self._known[body]

    def summary_of(self, body: Body) -> Summary | None:
        """None: what it does is not in the program, or the question came up while it was being answered."""
        if body not in self._summaries:
            self._summaries[body] = None
            self._summaries[body] = self._summary(body)
        return self._summaries[body]

    def _summary(self, body: Body) -> Summary | None:
        if body.entry is None or body.process is None or body.process.external:
            return None
        found = self.bytes_of(body)
        if not found.referred:
            return {}
        killed = found.all_referred & ~self.of(body).live[body.entry]
        if body.can_wait:
            killed &= sum(found.whole(v) for v in self.reset_by(body))
            used = found.all_referred & ~killed
        else:
            used = Liveness(found, 0).live[body.entry]
        return {v: self._effect(found, v, used, killed) for v in found.referred}

    def reset_by(self, body: Body) -> list[Variable]:
        """The VAR parameters of which what they stand for can be reset at a position of the body."""
        if body.frame is None:
            return []
        referred = self.bytes_of(body).referred
        return [v for v in referred if may_be_reset(v) and not self.passed.variables.get(v, set()) & self.kept]

    def _effect(self, found: BodyBytes, v: Variable, used: Bits, killed: Bits) -> Effect:
        begin, _ = found.place[v]
        whole = found.whole(v)
        return Effect((used & whole) >> begin, (killed & whole) >> begin) if whole else NO_EFFECT
