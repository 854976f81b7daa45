"""Response times as text and as data: the bound, and the run that takes longest, with cycles of the program's lines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import groupby

from lfc.actions.model.machine import Machine
from lfc.mcheck.image.report import Places
from lfc.mcheck.response.events import Target
from lfc.mcheck.response.graph import Graph, Kind
from lfc.mcheck.response.longest import Longest, Step
from lfc.run.names import live_processes

SHOWN_STEPS = 40
NAMES = {"rr": "round robin", "edf": "earliest deadline"}  # of schedulers
ASSUMES = (
    "a bound: no run of the image takes longer, if it agrees with the program (lfc check --image) and nothing else "
    "interrupts; inputs have any value, and other interrupts come whenever they can"
)


@dataclass(slots=True)
class Response:
    interrupt: int
    target: Target
    longest: Longest
    awaited: int | None = None  # cycles at most, if a process waits for it when the pass begins in which it comes


@dataclass(slots=True)
class Told:
    """A step of the longest run."""

    what: str
    cycles: int
    total: int
    lines: list[tuple[int, int]] = field(default_factory=list)  # of the main module, with their cycles

    def as_data(self) -> dict[str, object]:
        lines = [{"line": line, "cycles": cycles} for line, cycles in self.lines]
        return {"what": self.what, "cycles": self.cycles, "total": self.total, "lines": lines}


def told_steps(machine: Machine, places: Places, graph: Graph, longest: Longest) -> Iterator[Told]:
    total = 0
    for step in longest.steps:
        total += step.cycles
        yield Told(what_of(machine, graph, step), step.cycles, total, lines_of(places, graph, step))


def what_of(machine: Machine, graph: Graph, step: Step) -> str:
    ticks = step.move.ticks
    within = f", with {ticks} ticks in it" if ticks > 1 else ", with a tick in it" if ticks else ""
    return name_of(machine, graph, step) + within


def name_of(machine: Machine, graph: Graph, step: Step) -> str:
    board, move = graph.board, step.move
    state = graph.nodes[step.node][0]
    match move.kind:
        case Kind.ROUTINE:
            return f"routine of interrupt {move.interrupt}"
        case Kind.RAISED:
            return f"interrupt {move.interrupt} is raised, and masked"
        case Kind.TICK:
            return "routine of the tick"
        case Kind.SLEEP:
            by = "the tick" if move.interrupt == board.interrupts.tick else f"interrupt {move.interrupt}"
            return f"sleeps until {by}"
        case Kind.PASS:
            event, which = board.next_event(state)
            if event == "interrupt":
                return f"interrupt {board.interrupts.named[which]} is delivered"
            who = {p.slot: p for p in live_processes(machine, board.block(state))}
            if event == "wake":
                return f"time wakes {who[which].name}"
            if move.slot in who and who[move.slot].position.ready:
                return f"{who[move.slot].name} runs, line {who[move.slot].position.span.line}"
            return "finds nothing to do"


def lines_of(places: Places, graph: Graph, step: Step) -> list[tuple[int, int]]:
    """In the order of execution, neighbours together, cycles up to those that count."""
    if step.move.kind not in (Kind.PASS, Kind.SLEEP):
        return []
    way = graph.board.trace(graph.nodes[step.node][0], step.move.inputs, step.move.interrupt, step.cycles)
    found = []
    for at, cycles in way:
        line = places.line(at)
        found.append((line[1] if line is not None and line[0] == places.main else 0, cycles))
    merged = [(line, sum(c for _, c in of)) for line, of in groupby(found, key=lambda x: x[0])]
    return [(line, cycles) for line, cycles in merged if line]


def as_data(machine: Machine, places: Places, graph: Graph, r: Response) -> dict[str, object]:
    longest, clock = r.longest, graph.board.board.cpu.clock
    return {
        "from": f"SYSTEM.INT[{r.interrupt}]",
        "to": r.target.name,
        "cycles": longest.cycles,
        "microseconds": None if longest.cycles is None else longest.cycles * 1e6 / clock,
        "cycles_awaited": r.awaited,
        "why": longest.why or None,
        "repeats": longest.repeats,
        "steps": [t.as_data() for t in told_steps(machine, places, graph, longest)],
    }


def graph_as_data(graph: Graph) -> dict[str, object]:
    return {
        "board_states": len(graph.intervals),
        "moves": graph.move_count,
        "inputs": graph.inputs,
    }


def headline(graph: Graph, r: Response) -> str:
    return begins_of(r) + bound_of(graph, r.longest)


def begins_of(r: Response) -> str:
    return f"from SYSTEM.INT[{r.interrupt}] to {r.target.name}: "


def bound_of(graph: Graph, longest: Longest) -> str:
    cycles = longest.cycles
    if cycles is None:
        return f"no bound, {longest.why}"
    if cycles < 0:
        return "the interrupt never comes"
    return f"at most {cycles} cycles ({duration(cycles, graph.board.board.cpu.clock)})"


def compared(graph: Graph, responses: Mapping[str, Response]) -> str:
    """The same response under several schedulers."""
    bounds = [f"{bound_of(graph, r.longest)} with {scheduler}" for scheduler, r in responses.items()]
    return begins_of(next(iter(responses.values()))) + "; ".join(bounds)


def duration(cycles: int, clock: int) -> str:
    seconds = cycles / clock
    return f"{seconds * 1e3:.3f} ms" if seconds >= 1e-3 else f"{seconds * 1e6:.1f} µs"


def as_text(machine: Machine, places: Places, graph: Graph, r: Response) -> list[str]:
    lines = [headline(graph, r)]
    if r.longest.cycles is not None and r.awaited is not None and r.awaited < r.longest.cycles:
        clock = graph.board.board.cpu.clock
        lines.append(f"once a process waits for it: at most {r.awaited} cycles ({duration(r.awaited, clock)})")
    return [*lines, *run_as_text(machine, places, graph, r.longest, "the interrupt comes in it")]


def run_as_text(machine: Machine, places: Places, graph: Graph, longest: Longest, begins: str) -> list[str]:
    """`begins`: what there is to say of the first step."""
    steps = list(told_steps(machine, places, graph, longest))
    lines = [f"{'cycles':>9} {'in all':>9}"] if steps else []
    for number, t in enumerate(shortened(steps)):
        if t is None:
            lines.append(f"{'...':>9}")
            continue
        begin = f"  ({begins})" if number == 0 and begins else ""
        lines.append(f"{t.cycles:9} {t.total:9}  {t.what}{begin}")
        if t.lines:
            lines.append(f"{'':21}{', '.join(f'line {line}: {cycles}' for line, cycles in t.lines)}")
    if longest.cycles is None and longest.repeats:
        lines.append(f"the last {longest.repeats} steps may repeat for ever")
    return lines


def shortened(steps: list[Told]) -> list[Told | None]:
    if len(steps) <= SHOWN_STEPS:
        return list(steps)
    half = SHOWN_STEPS // 2
    return [*steps[:half], None, *steps[-half:]]


def over(graph: Graph) -> str:
    return f"over {len(graph.intervals)} board states and {graph.move_count} moves; {ASSUMES}"
