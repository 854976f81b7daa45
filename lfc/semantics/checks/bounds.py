"""LF0720 to LF0725: bounds that were assumed, and programs that need more room than there is."""

from __future__ import annotations

from lfc.diagnostics.model import Diagnostics, Note
from lfc.semantics.bounds import (
    ASSUMED,
    MOST_CHANNELS,
    MOST_IN_A_BYTE,
    MOST_SLOTS,
    Origin,
    channel_bounds,
    instance_bounds,
    slot_count,
)
from lfc.semantics.checks.facts import Facts
from lfc.semantics.model import typed


def check_bounds(program: typed.Program, facts: Facts, diagnostics: Diagnostics) -> None:
    bounds = instance_bounds(program)
    for process, bound in bounds.items():
        if bound.instances_origin is Origin.ASSUMED:
            facts.report(
                diagnostics,
                "LF0720",
                process.span,
                f"how many instances of `{process.name}` can live at once cannot be counted; {ASSUMED} are assumed",
                Note("MAX after its parameters states the number"),
            )
        # One MAX answers both questions, so one note is enough.
        elif bound.calls_origin is Origin.ASSUMED:
            facts.report(
                diagnostics,
                "LF0721",
                process.span,
                f"how deep calls of `{process.name}` nest cannot be counted; {ASSUMED} is assumed",
                Note("MAX after its parameters states the depth"),
            )
    slots = slot_count(bounds)
    room, alone = room_of(program, MOST_SLOTS)
    if slots > room:
        most = sorted((b.max_instances, p.name) for p, b in bounds.items())[::-1][:3]
        diagnostics.report(
            "LF0723",
            program.main.span or program.main.body[0].span,
            f"the program can have {slots} processes at once, and there is room for {room}",
            Note(", ".join(f"`{name}`: {count}" for count, name in most if count)),
            Note("one is the initialisation; MAX at a PROCESS states how many instances it can have"),
            *alone,
        )
    _check_channels(program, slots, facts, diagnostics)


def _check_channels(program: typed.Program, slots: int, facts: Facts, diagnostics: Diagnostics) -> None:
    channels = channel_bounds(program)
    for bound in channels:
        if bound.origin is Origin.ASSUMED:
            facts.report(
                diagnostics,
                "LF0722",
                bound.new.span,
                f"how many channels this NEW makes cannot be counted; {ASSUMED} are assumed",
                Note("MAX at the PORT's declaration states the number"),
            )
    total = sum(b.channels for b in channels)
    room, alone = room_of(program, MOST_CHANNELS)
    if total > room:
        largest = max(channels, key=lambda b: b.channels)
        diagnostics.report(
            "LF0724",
            largest.new.span,
            f"the program can have {total} channels at once, and there is room for {room}",
            Note(f"{largest.channels} of them are made here", largest.new.span),
            Note("MAX at a PORT's declaration states how many channels it can have"),
            *alone,
        )
    if max(total, slots) > MOST_IN_A_BYTE:
        _check_sizes_of_ports(program, diagnostics)


def room_of(program: typed.Program, most: int) -> tuple[int, list[Note]]:
    """Where an environment is there, the program's part is the same as without it, and its ports are bytes."""
    if not any(m.environment for m in program.modules):
        return most, []
    return MOST_IN_A_BYTE, [Note("those of the environment count; without one there may be more")]


def _check_sizes_of_ports(program: typed.Program, diagnostics: Diagnostics) -> None:
    for module in program.modules:
        for t in module.channel_types:
            if t.size_asked is not None:
                diagnostics.report(
                    "LF0725",
                    t.size_asked,
                    f"SIZE of a port is 1, but in a program of more than {MOST_IN_A_BYTE} processes or channels a port "
                    "has two bytes",
                )
