"""The table of `lfc timing`: interrupts, times that are over, pins and the processor's load under one scheduler."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial

from lfc.actions.model.machine import Machine
from lfc.boards.descriptions.outputs import OUTPUTS
from lfc.boards.descriptions.pins import BITS, LETTERS
from lfc.mcheck.response.awake import awake
from lfc.mcheck.response.between import Between, EventToEvent
from lfc.mcheck.response.events import taken
from lfc.mcheck.response.graph import Graph, Kind, Move
from lfc.mcheck.response.judge import since_release
from lfc.mcheck.response.longest import Beginning, Longest, LongestPath, Span, Step
from lfc.mcheck.response.recurring import recurring
from lfc.mcheck.response.report import NAMES, duration, name_of

NO_BOUND = "no bound"
MOST_STATES = 200_000


@dataclass(slots=True)
class Pin:
    number: int
    name: str
    between: Between


@dataclass(slots=True)
class Table:
    """`interrupts`: with the bound once a process waits for it; `times`: by process."""

    graph: Graph
    scheduler: str
    interrupts: dict[int, tuple[Longest, int | None]] = field(default_factory=dict)
    times: dict[str, Longest] = field(default_factory=dict)
    pins: list[Pin] = field(default_factory=list)
    periodic: Fraction | None = None
    loaded: Fraction | None = None  # when interrupts come as often as they can
    longest: Step | None = None  # pass


def table_of(machine: Machine, graph: Graph, scheduler: str) -> Table:
    """Over a graph that is followed completely. Raises NoTime and TooMany."""
    found = Table(graph, scheduler)
    for n in machine.layout.interrupts:
        paths = LongestPath(graph, taken(n, machine).happens)
        longest = paths.from_interrupt(n)
        awaited = None if longest.cycles is None else paths.from_interrupt(n, awaited=True).cycles
        found.interrupts[n] = longest, awaited
    for slot, name in who_sleeps(machine, graph).items():
        longest = from_time(graph, slot)
        found.times[name] = longer(found.times.get(name), longest)
    again = recurring(graph, MOST_STATES)
    for pin in rising_pins(graph):
        between = EventToEvent(graph, again.states, partial(rises, graph, pin)).between()
        found.pins.append(Pin(pin, pin_name(graph, pin), between))
    if graph.board.interrupts.tick:
        found.periodic = awake(again, False, graph.goes_on)
        found.loaded = awake(again, True, graph.goes_on)
    found.longest = max(passes(graph), key=lambda s: s.cycles, default=None)
    return found


def longer(one: Longest | None, other: Longest) -> Longest:
    if one is None or other.cycles is None:
        return other
    return one if one.cycles is None or one.cycles >= other.cycles else other


def passes(graph: Graph) -> Iterator[Step]:
    for node in graph.intervals:
        yield from (Step(node, m, m.cycles) for m in graph.moves_of(node) if m.kind is Kind.PASS and not m.repeated)


# --- times that are over ---


def who_sleeps(machine: Machine, graph: Graph) -> dict[int, str]:
    """The slots of processes whose time is over in some board state."""
    slots: dict[int, str] = {}
    for node in graph.intervals:
        state = graph.nodes[node][0]
        for slot in graph.board.due(state) - slots.keys():
            position = machine.position_at(graph.board.block(state), slot)
            slots[slot] = position.body.name if position is not None else f"slot {slot}"
    return dict(sorted(slots.items()))


def from_time(graph: Graph, slot: int) -> Longest:
    """From the tick with which its time is over to the end of the action that it does next."""

    def runs(_: Graph, m: Move) -> Span | None:
        return Span(m.cycles, 0) if m.kind is Kind.PASS and m.slot == slot and m.runs else None

    path = LongestPath(graph, runs)
    return path.from_any(_times_over(graph, path, slot))


def _times_over(graph: Graph, path: LongestPath, slot: int) -> Iterator[Beginning]:
    board = graph.board
    for node, intervals in list(graph.intervals.items()):
        was = slot in board.due(graph.nodes[node][0])
        for move in graph.moves_of(node):
            if was or move.halts or slot not in board.due(graph.nodes[move.to][0]):
                continue
            for at in intervals:
                to = path.clock.after(at, move)
                counted = None if to is None else since_release(graph, at, move)
                if to is not None and counted is not None:
                    yield counted, to


# --- pins ---


def rising_pins(graph: Graph) -> list[int]:
    found: set[int] = set()
    ports = {p.latch: p.first for p in OUTPUTS[graph.board.board.cpu.chip]}
    for node in graph.intervals:
        for w in (w for m in graph.moves_of(node) if m.kind is Kind.PASS for w in m.writes if w.address in ports):
            found.update(ports[w.address] + bit for bit in range(BITS) if (w.value & ~w.before) >> bit & 1)
    return sorted(found)


def rises(graph: Graph, pin: int, move: Move) -> list[int]:
    port = next(p for p in OUTPUTS[graph.board.board.cpu.chip] if p.first <= pin < p.first + p.pins)
    bit = pin - port.first
    return [w.at for w in move.writes if w.address == port.latch and (w.value & ~w.before) >> bit & 1]


def pin_name(graph: Graph, pin: int) -> str:
    """As printed on the board, or of the port."""
    printed = {number: name for name, number in reversed(graph.board.board.pins.names)}
    return printed.get(pin, f"P{LETTERS[pin // BITS]}{pin % BITS}")


# --- text and data ---


def as_text(machine: Machine, tables: list[Table]) -> list[str]:
    graph = tables[0].graph
    rows = [("at most", [NAMES[t.scheduler] for t in tables])]
    for n in machine.layout.interrupts:
        rows.append(
            (
                f"SYSTEM.INT[{n}] to the end of the action that takes it",
                [_bound(graph, t.interrupts[n][0]) for t in tables],
            )
        )
        rows.append(("  once a process waits for it", [_cycles(graph, t.interrupts[n][1]) for t in tables]))
    for name in dict.fromkeys(name for t in tables for name in t.times):
        bounds = [_bound(graph, t.times[name]) if name in t.times else "-" for t in tables]
        rows.append((f"{name}, from its time to the end of its action", bounds))
    rows.append(("longest pass", [_pass(machine, t) for t in tables]))
    for name in dict.fromkeys(p.name for t in tables for p in t.pins):
        pins = [next((p.between for p in t.pins if p.name == name), Between()) for t in tables]
        rows.append((f"pin {name}, from rise to rise", [_period(graph, b) for b in pins]))
        rows.append(("  jitter", [_jitter(graph, b) for b in pins]))
    rows.append(("processor awake, without interrupts", [_share(t.periodic) for t in tables]))
    if machine.layout.interrupts:
        rows.append(("  with as many as can come", [_share(t.loaded) for t in tables]))
    wide = max(len(label) for label, _ in rows)
    columns = [max(len(cells[i]) for _, cells in rows) for i in range(len(tables))]
    lines = [
        label.ljust(wide) + "".join(f"  {c.ljust(w)}" for c, w in zip(cells, columns, strict=True))
        for label, cells in rows
    ]
    return [line.rstrip() for line in lines]


def _bound(graph: Graph, longest: Longest) -> str:
    return NO_BOUND if longest.cycles is None else _cycles(graph, longest.cycles)


def _cycles(graph: Graph, cycles: int | None) -> str:
    if cycles is None or cycles < 0:
        return "-"
    return f"{cycles} cycles ({duration(cycles, graph.board.board.cpu.clock)})"


def _pass(machine: Machine, t: Table) -> str:
    if t.longest is None:
        return "-"
    return f"{_cycles(t.graph, t.longest.cycles)}: {name_of(machine, t.graph, t.longest)}"


def _period(graph: Graph, b: Between) -> str:
    if b.most is None:
        return NO_BOUND
    clock = graph.board.board.cpu.clock
    return "-" if b.least is None else f"{b.least} to {b.most} cycles ({duration(b.most, clock)})"


def _jitter(graph: Graph, b: Between) -> str:
    return "-" if b.most is None or b.least is None else _cycles(graph, b.most - b.least)


def _share(share: Fraction | None) -> str:
    return "-" if share is None else f"{100 * float(share):.2f} %"


def as_data(t: Table) -> dict[str, object]:
    return {
        "interrupts": [
            {
                "interrupt": n,
                "cycles": longest.cycles,
                "cycles_awaited": None if awaited is None or awaited < 0 else awaited,
            }
            for n, (longest, awaited) in t.interrupts.items()
        ],
        "times": [{"process": name, "cycles": longest.cycles} for name, longest in t.times.items()],
        "pins": [
            {
                "pin": p.name,
                "least": p.between.least,
                "most": p.between.most,
                "why": p.between.why or None,
            }
            for p in t.pins
        ],
        "awake": {
            "without_interrupts": None if t.periodic is None else float(t.periodic),
            "with_interrupts": None if t.loaded is None else float(t.loaded),
        },
        "longest_pass": None if t.longest is None else t.longest.cycles,
    }
