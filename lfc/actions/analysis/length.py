"""How long an action can be: statements and decisions on its longest path, where there is a bound.

A loop counts with the rounds of its FOR. Any other loop that can go round without a scheduling point has no bound:
it may be an action without end.
"""

from __future__ import annotations

from collections.abc import Iterable

from lfc.actions.flow.functions import function_body
from lfc.actions.flow.lower import targets
from lfc.actions.model.machine import Block, Body, Branch, CallWaiting, Finish, Goto, Machine, Switch
from lfc.base.scc import components
from lfc.base.source import Span
from lfc.semantics.model import typed
from lfc.semantics.model.visit import expressions_of, subexpressions


class Lengths:
    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.bodies = machine.all_bodies()
        self.finishing = bodies_that_can_finish(self.bodies)
        self._known: dict[tuple[Body, Block], int | None] = {}
        self._measured: set[tuple[Body, Block]] = set()  # under way
        self._returned_from: set[tuple[Body, Block]] = set()  # likewise
        self._callers: dict[Body, list[tuple[Body, Block]]] = {}
        for body in self.bodies:
            for block in body.blocks:
                if isinstance(block.end, CallWaiting) and block.end.position.entry is not None:
                    self._callers.setdefault(block.end.callee, []).append((body, block.end.position.entry))

    def of_action(self, body: Body, start: Block) -> int | None:
        """From `start` to the end of the action; beyond the end of a called body, wherever it may return to."""
        return self._bound(body, start, returns=True)

    def of_call(self, callee: Body) -> int | None:
        return None if callee.entry is None else self._bound(callee, callee.entry, returns=False)

    def _bound(self, body: Body, start: Block, returns: bool) -> int | None:
        """`returns`: the end of a called body is not the end of the path."""
        key = body, start
        if key not in self._known:
            if key in self._measured:
                return None  # recursion
            self._measured.add(key)
            self._known[key] = self._longest(body, self.blocks_from(body, start))
            self._measured.discard(key)
        own = self._known[key]
        if own is None or not (returns and body.called and body.can_wait and self._meets_end(body, start)):
            return own
        if key in self._returned_from:
            return None  # recursion: it may return any number of times
        self._returned_from.add(key)
        beyond = [self._bound(caller, entry, returns=True) for caller, entry in self._callers.get(body, ())]
        self._returned_from.discard(key)
        known = [length for length in beyond if length is not None]
        return own + max(known, default=0) if len(known) == len(beyond) else None

    def _meets_end(self, body: Body, start: Block) -> bool:
        return any(isinstance(b.end, Finish) for b in self.blocks_from(body, start))

    def followers(self, block: Block) -> list[Block]:
        """Where control goes on in the same action and body."""
        if isinstance(block.end, CallWaiting) and block.end.callee not in self.finishing:
            return []
        return targets(block.end)

    def blocks_from(self, body: Body, start: Block) -> list[Block]:
        found: dict[Block, None] = {}
        stack = [start]
        while stack:
            block = stack.pop()
            if block not in found:
                found[block] = None
                stack.extend(self.followers(block))
        return sorted(found, key=lambda b: b.number)

    def loops_without_bound(self, body: Body) -> dict[Block, Span]:
        """By their heads: the loops that can go round without a scheduling point, nobody knows how often."""
        found: dict[Block, Span] = {}
        for block in body.blocks:
            if isinstance(block.end, Goto) and block.end.backward and block.end.target.rounds is None:
                head = block.end.target
                if head not in found and block in self.blocks_from(body, head):
                    found[head] = block.end.span
        return found

    # --- the longest path --------------------------------------------------------------------------------------

    def _longest(self, body: Body, blocks: list[Block], cut: frozenset[Block] = frozenset()) -> int | None:
        """The greatest weight of a path within `blocks`; backward ways to the heads in `cut` are not taken."""
        inside = set(blocks)

        def onward(block: Block) -> list[Block]:
            backward = isinstance(block.end, Goto) and block.end.backward
            return [b for b in self.followers(block) if b in inside and not (backward and b in cut)]

        best: dict[Block, int] = {}  # from the component of a block on
        unbounded = False
        for component in components(blocks, onward):  # followers' components first
            members = set(component)
            beyond = max((best[b] for m in component for b in onward(m) if b not in members), default=0)
            if len(component) == 1 and component[0] not in onward(component[0]):
                weight = self._weight(body, component[0])
            else:
                heads = {
                    m.end.target
                    for m in component
                    if isinstance(m.end, Goto)
                    and m.end.backward
                    and m.end.target in members
                    and m.end.target not in cut
                }
                if not heads:
                    return None
                head = min(heads, key=lambda b: b.number)  # the outermost comes first in the text
                weight = None
                if head.rounds is not None:
                    inner = self._longest(body, sorted(members, key=lambda b: b.number), cut | {head})
                    weight = None if inner is None else (head.rounds + 1) * inner
            if weight is None:
                unbounded = True
                weight = 0
            for member in component:
                best[member] = weight + beyond
        return None if unbounded else max(best.values(), default=0)

    def _weight(self, body: Body, block: Block) -> int | None:
        weight = len(block.statements) + (0 if isinstance(block.end, Goto) else 1)
        callees = [body.callees[s] for s in block.statements if isinstance(s, typed.CallProcess)]
        if isinstance(block.end, CallWaiting):
            callees.append(block.end.callee)
        expressions = [e for s in block.statements for e in expressions_of(s)] + condition_of(block)
        callees += [function_body(self.machine, e.process) for e in calls_in(expressions)]
        for callee in callees:
            length = self.of_call(callee)
            if length is None:
                return None
            weight += length
        return weight


def condition_of(block: Block) -> list[typed.Expr]:
    match block.end:
        case Branch():
            return [block.end.condition]
        case Switch():
            return [block.end.selector]
    return []


def calls_in(expressions: Iterable[typed.Expr]) -> list[typed.CallFunction]:
    return [e for whole in expressions for e in subexpressions(whole) if isinstance(e, typed.CallFunction)]


def bodies_that_can_finish(bodies: Iterable[Body]) -> set[Body]:
    """A call of which can come back in the action that it was made in."""
    bodies = list(bodies)
    finishing: set[Body] = set()
    changed = True
    while changed:
        changed = False
        for body in bodies:
            if body not in finishing and body.entry is not None and _finishes(body, finishing):
                finishing.add(body)
                changed = True
    return finishing


def _finishes(body: Body, finishing: set[Body]) -> bool:
    assert body.entry is not None
    seen = {body.entry}
    stack = [body.entry]
    while stack:
        block = stack.pop()
        if isinstance(block.end, Finish):
            return True
        if isinstance(block.end, CallWaiting) and block.end.callee not in finishing:
            continue
        for follower in targets(block.end):
            if follower not in seen:
                seen.add(follower)
                stack.append(follower)
    return False
