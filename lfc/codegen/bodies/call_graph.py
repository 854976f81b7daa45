"""Who calls whom among the bodies of a machine: cycles of calls, and who can reach a NEW."""

from __future__ import annotations

from lfc.actions.model.machine import Body, CallWaiting
from lfc.semantics.model import typed


def callees(body: Body) -> list[Body]:
    """Bodies that this one calls (creation is no call)."""
    called = [callee for st, callee in body.callees.items() if isinstance(st, typed.CallProcess)]
    return called + [block.end.callee for block in body.blocks if isinstance(block.end, CallWaiting)]


def reachable(body: Body) -> list[Body]:
    """Bodies that a call chain of at least one call leads to."""
    seen: dict[int, Body] = {}
    stack = list(callees(body))
    while stack:
        b = stack.pop()
        if id(b) not in seen:
            seen[id(b)] = b
            stack.extend(callees(b))
    return list(seen.values())


def cycle_of(body: Body) -> list[Body]:
    """The ordinary functions on cycles of calls with this one, itself included; empty if it is not recursive."""
    if body.can_wait:
        return []
    below = reachable(body)
    if body not in below:
        return []
    return sorted((b for b in below if body in reachable(b)), key=lambda b: b.order)


def has_new(body: Body) -> bool:
    return any(isinstance(st, typed.New) for block in body.blocks for st in block.statements)


def reaches_new(body: Body) -> bool:
    """An ordinary function in which a NEW can be executed, by itself or below."""
    return not body.can_wait and (has_new(body) or any(has_new(b) for b in reachable(body)))
