"""One line for each step of a trace: who did what at which line and column, with whom, and what changed."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from lfc.run.names import Part, parts, place_in, scalar_text, short_name, source_text, values
from lfc.run.port_reads import WIDTHS, PortReads, port_text
from lfc.semantics.model import typed
from lfc.semantics.model.types import CHAR

if TYPE_CHECKING:
    from lfc.actions.model.machine import Machine
    from lfc.base.source import Span
    from lfc.trace.items import Item

MOST_PARTS = 4  # of one variable that are named one by one when they change
FEW = 5  # fewer things that one step does are told as they are, whatever is the same


@dataclass(frozen=True, slots=True)
class StepText:
    """One step in words."""

    who: str  # the process, or `nobody`
    span: Span | None  # where it was; None: nobody was anywhere
    at: str  # the same in words; empty: nowhere
    deed: str  # for programs
    told: str  # the same for people: what it does over and over is told once
    changed: dict[str, str]  # by name, the variables that it changed


@dataclass(slots=True)
class StepPrinter:
    machine: Machine
    block: bytes  # before the step
    number: int = 0
    reads: PortReads | None = None
    known: dict[str, Part] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.known = parts(self.machine, self.block)

    def step(self, items: list[Item], block: bytes) -> str:
        text = self.step_text(items, block)
        return told_line(f"{self.number}", text)

    def step_text(self, items: list[Item], block: bytes) -> StepText:
        before, self.block = self.block, block
        self.number += 1
        event = items[0]
        slot = event.operands[0] if event.name != "interrupt" else event.operands[1]
        who = self.name(slot) if slot is not None else "nobody"
        was = None if slot is None else self.machine.position_at(before, slot)
        deeds = self.deeds(before, items, slot)
        at = "" if was is None or event.name == "interrupt" else self.at(was.span)
        return worded(who, None if was is None else was.span, at, deeds, self.changes(block))

    def changes(self, block: bytes) -> dict[str, str]:
        """By name, the variables that are not as they were, and those that are new and not as they begin."""
        before, self.known = self.known, parts(self.machine, block)
        return differences(self.machine, before, self.known, block)

    def last_step(self, items: list[Item], what: str) -> str:
        text = self.last_step_text(items, what)
        return told_line(f"{self.number}", text)

    def last_step_text(self, items: list[Item], what: str) -> StepText:
        """A step that ends in a fault: there is no block after it."""
        self.number += 1
        slot = items[0].operands[0]
        assert slot is not None
        was = self.machine.position_at(self.block, slot)
        assert was is not None
        deeds = [*self.item_texts(self.block, items), what]
        return worded(self.name(slot), was.span, self.at(was.span), deeds, {})

    def at(self, span: Span) -> str:
        return place_in(self.machine, span)

    def name(self, slot: int) -> str:
        for record in self.machine.records:
            if record.first_slot <= slot < record.first_slot + record.slots:
                return short_name(self.machine, record, slot - record.first_slot)
        return f"slot {slot}"

    def deeds(self, before: bytes, items: list[Item], slot: int | None) -> list[str]:
        """What happened, in order."""
        event = items[0]
        if event.name == "interrupt":
            return [f"interrupt {event.operands[0]}" + ("" if slot is not None else ", no process waits for it")]
        assert slot is not None
        if event.name == "wake":
            return ["wakes"]
        if event.name == "console":
            return [f"reads {scalar_text(CHAR, event.operands[1] or 0)} from the console"]
        deeds = self.item_texts(before, items)
        now = self.machine.position_at(self.block, slot)
        if now is None:
            deeds.append("ends")
        else:
            if not now.ready:
                deeds.append(f"waits at {self.at(now.span)}: {source_text(now.span)}")
            elif not any(item.name in ("meet", "take") for item in items):
                deeds.append(f"reaches {self.at(now.span)}")
            elif now.point is not None and now.clause is not None:
                deeds.append(f"({source_text(now.point.clauses[now.clause].event.span)}, {self.at(now.span)})")
        return deeds

    def item_texts(self, before: bytes, items: list[Item]) -> list[str]:
        """Of each item behind the event; empty: nothing is said of it. What is written in a row is told as one text."""
        if self.reads is None and any(item.name in WIDTHS for item in items):
            self.reads = PortReads(self.machine)
        ports = iter(self.reads.of_step(before, items) if self.reads is not None else ())
        run_on: set[int] = set()
        texts: list[str] = []
        written = ""
        for following, item in enumerate(items[1:], 2):
            if item.name == "write":
                written += chr(item.operands[0] or 0)
                more = following < len(items) and items[following].name == "write"
                texts.append("" if more else f"writes {written!r}")
                written = written if more else ""
            elif item.name in WIDTHS:
                texts.append(f"{port_text(self.machine, WIDTHS[item.name], next(ports))} = {item.operands[0]}")
            else:
                texts.append(self.runs_on(before, item, run_on) or self.item_text(before, item))
        return texts

    def runs_on(self, before: bytes, item: Item, run_on: set[int]) -> str:
        """Of a process of the environment that was ready, what is told first: the others come once it waits."""
        partner = item.operands[1] if item.name == "meet" else None
        if partner is None or partner in run_on:
            return ""
        at = self.machine.position_at(before, partner)
        if at is None or not at.ready:
            return ""
        run_on.add(partner)
        return f"{self.name(partner)} runs on"

    def item_text(self, before: bytes, item: Item) -> str:
        """Of any but a port read."""
        if item.name == "meet":
            partner, clause = item.operands[1], item.operands[2]
            assert partner is not None
            at = self.machine.position_at(before, partner)
            if (
                at is None or at.point is None or at.ready
            ):  # a part of the environment: it runs on, or has come there within this action
                return f"meets {self.name(partner)}"
            event = at.point.clauses[clause or 0].event
            if isinstance(event, typed.Receive) and isinstance(event.port, typed.IoPort):
                return f"{self.name(partner)} answers {event.message.name}"
            what = event.message.name if isinstance(event, typed.Send | typed.Receive) else "?"
            way = "receives" if isinstance(event, typed.Send) else "sends"
            return f"{way} {what} {'from' if way == 'receives' else 'to'} {self.name(partner)}"
        if item.name == "take":
            return "takes a pending interrupt"
        if item.name == "choice":
            return f"chooses branch {(item.operands[0] or 0) + 1}"
        if item.name == "read":
            return f"reads {scalar_text(CHAR, item.operands[0] or 0)} from the console"
        if item.name == "clock":
            return f"{item.name} = {item.operands[0]}"
        if item.name == "out":
            return f"{port_text(self.machine, item.operands[0] or 0, item.operands[1])} := {item.operands[2]}"
        return ""


def worded(who: str, span: Span | None, at: str, deeds: list[str], changed: dict[str, str]) -> StepText:
    if len(deeds) < FEW:
        deed = told = "; ".join(d for d in deeds if d)
    else:
        from lfc.run.repeated import told_briefly, told_once  # a short counterexample does without

        deed, told = "; ".join(told_once(deeds)), "; ".join(told_briefly(deeds))
    return StepText(who, span, at, deed, told, changed)


def differences(machine: Machine, before: dict[str, Part], now: dict[str, Part], block: bytes) -> dict[str, str]:
    """Elements and fields; a variable of which many differ as a whole."""
    changed = {name: p for name, p in now.items() if before.get(name, p).text != p.text}
    changed |= {name: p for name, p in now.items() if name not in before and not p.zero}
    many = {of for of, count in Counter(p.of for p in changed.values()).items() if count > MOST_PARTS}
    whole = values(machine, block) if many else {}
    found: dict[str, str] = {}
    for name, p in changed.items():
        found[p.of if p.of in many else name] = whole[p.of] if p.of in many else p.text
    return found


def told_line(number: str, s: StepText) -> str:
    changed = [f"{name} = {text}" for name, text in s.changed.items()]
    tail = f"   {', '.join(changed)}" if changed else ""
    return f"{number:>6}  {s.who:<18} {s.at:<8} {s.told}{tail}"
