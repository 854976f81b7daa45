"""LF0704, LF0705, LF0706, LF0713: messages that no sender and receiver can meet with."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from lfc.base.source import Span
from lfc.diagnostics.model import Diagnostics, Note
from lfc.semantics.checks.facts import Facts
from lfc.semantics.model import typed, types
from lfc.semantics.model.visit import communications


@dataclass(slots=True)
class Use:
    span: Span
    in_select: bool
    reachable: bool


@dataclass(slots=True)
class Uses:
    sends: list[Use] = field(default_factory=list)
    receives: list[Use] = field(default_factory=list)


def check_meetings(facts: Facts, diagnostics: Diagnostics) -> None:
    uses = gather_uses(facts)
    for module in facts.program.modules:
        for channel, exported in channel_types(module):
            used = any(m in uses for m in channel.messages)
            for message in channel.messages:
                found = uses.pop(message, Uses())
                if exported and module is facts.program.main and facts.is_library_like(module):
                    continue
                _check_message(facts, message, found, exported, used, diagnostics)


def gather_uses(facts: Facts) -> dict[types.Message, Uses]:
    """By message, of all channels of the program. The system's own channels are none of it."""
    uses: dict[types.Message, Uses] = {}
    for body in facts.bodies.values():
        reachable = body.owner in facts.reachable
        for statement, clause in communications(body.owner.body):
            if isinstance(statement.port, typed.InterruptPort | typed.IoPort):
                continue
            found = uses.setdefault(statement.message, Uses())
            side = found.sends if isinstance(statement, typed.Send) else found.receives
            side.append(Use(statement.span, clause is not None, reachable))
    return uses


def channel_types(module: typed.Module) -> Iterator[tuple[types.ChannelType, bool]]:
    """Those that a module declares, each once, with whether it is exported."""
    seen: set[types.ChannelType] = set()
    declared = list(module.types)
    waiting = list(module.processes) + [p.process for p in module.properties if p.process is not None]
    while waiting:
        process = waiting.pop()
        declared.extend(process.types)
        waiting.extend(process.nested)
    for named in declared:
        t = named.type
        while isinstance(t, types.ArrayType):
            t = t.element
        # An alias of another module's type is that module's.
        ours = isinstance(t, types.ChannelType) and all(
            m.span is None or m.span.source is module.source for m in t.messages
        )
        if isinstance(t, types.ChannelType) and ours and t not in seen:
            seen.add(t)
            yield t, named.exported


def _check_message(
    facts: Facts, message: types.Message, uses: Uses, exported: bool, channel_is_used: bool, diagnostics: Diagnostics
) -> None:
    sends = [u for u in uses.sends if u.reachable]
    receives = [u for u in uses.receives if u.reachable]
    if sends and not uses.receives:
        facts.report(
            diagnostics,
            "LF0705",
            sends[0].span,
            f"`{message.name}` is sent, but nothing in the program receives it",
            Note("whoever sends it waits for ever"),
        )
    elif receives and not uses.sends:
        note = "whoever waits for it alone waits for ever"
        facts.report(
            diagnostics,
            "LF0706",
            receives[0].span,
            f"`{message.name}` is received, but nothing in the program sends it",
            Note(note),
        )
    elif uses.sends and uses.receives and all(u.in_select for u in uses.sends + uses.receives):
        facts.report(
            diagnostics,
            "LF0704",
            uses.sends[0].span,
            f"only SELECTs send and receive `{message.name}`, and two SELECTs never meet",
            Note("it is received here", uses.receives[0].span),
            Note("make one side a plain send or receive"),
        )
    elif not uses.sends and not uses.receives and not exported and channel_is_used and message.span is not None:
        facts.report(diagnostics, "LF0713", message.span, f"message `{message.name}` is never used")
