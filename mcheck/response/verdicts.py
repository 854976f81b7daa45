"""Verdicts on claims, between what the graph bounds from above and what the simulator shows; as text and as data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from lfc.actions.model.machine import Machine
from lfc.mcheck.image.report import Places
from lfc.mcheck.response.claims import Claims
from lfc.mcheck.response.graph import Graph
from lfc.mcheck.response.judge import Judge, Judged
from lfc.mcheck.response.report import duration, run_as_text, told_steps
from lfc.mcheck.response.simulated import Shown, Simulated
from lfc.run.names import live_processes

HOLDS, VIOLATED, OPEN = "holds", "violated", "inconclusive"


@dataclass(slots=True)
class Verdict:
    judged: Judged
    shown: Shown = field(default_factory=Shown)
    simulated: bool = False

    @property
    def name(self) -> str:
        return self.judged.claim.name

    @property
    def said(self) -> str:
        j = self.judged
        if j.within:
            return HOLDS
        breaks = self.shown.broken if j.limit is None else self.shown.cycles > j.limit
        return VIOLATED if breaks else OPEN


@dataclass(slots=True)
class Verdicts:
    of: list[Verdict]
    unknown: list[tuple[str, str]]

    @property
    def said(self) -> str:
        found = [v.said for v in self.of] + [OPEN] * bool(self.unknown)
        return next((s for s in (VIOLATED, OPEN) if s in found), HOLDS)


def verdicts_on(machine: Machine, graph: Graph, claims: Claims, drift: float) -> Verdicts:
    """The simulator runs only if there is something that the graph does not prove."""
    judge = Judge(machine, graph, claims, drift)
    found = [Verdict(j) for j in judge.all()]
    if not all(v.judged.within for v in found):
        simulated = Simulated(graph.board, judge.states, claims.found)
        simulated.run()
        for number, verdict in enumerate(found):
            verdict.shown, verdict.simulated = simulated.longest(number), True
    return Verdicts(found, claims.unknown)


def as_text(machine: Machine, places: Places, graph: Graph, verdicts: Verdicts) -> list[str]:
    lines = []
    for v in verdicts.of:
        lines.append(f"{v.name}: {_told(graph, v)}")
        if v.said != HOLDS:
            lines += _run(machine, places, graph, v)
    return lines + [f"{name}: not judged: {why}" for name, why in verdicts.unknown]


def _told(graph: Graph, v: Verdict) -> str:
    j, clock = v.judged, graph.board.board.cpu.clock
    if j.limit is None:
        if v.said == HOLDS:
            return "holds in every board state"
        where = (
            f"at cycle {v.shown.since} of a run in the simulator" if v.shown.broken else "a board state may break it"
        )
        return f"{v.said}: {where}"
    if j.longest.cycles == -1:
        return "holds: it never begins"
    of = f"of {j.claim.milliseconds} ms"
    most = "no bound" if j.longest.cycles is None else f"at most {_time(j.longest.cycles, clock)}"
    if v.said == HOLDS:
        return f"holds, {most} {of}"
    least = f"{_time(v.shown.cycles, clock)} in the simulator"
    why = f" ({j.longest.why})" if j.longest.why else ""
    if v.said == VIOLATED:
        return f"violated, {least} {of}, {most}{why}"
    return f"not decided, {most}{why} {of}" + (f", {least}" if v.shown.cycles >= 0 else "")


def _time(cycles: int, clock: int) -> str:
    return f"{cycles} cycles ({duration(cycles, clock)})"


def _run(machine: Machine, places: Places, graph: Graph, v: Verdict) -> list[str]:
    lines = []
    if v.said == VIOLATED:
        came = ", ".join(f"interrupt {n} at {cycle}" for cycle, n in v.shown.raised)
        lines.append(f"  in the simulator from cycle {v.shown.since} on" + (f", with {came}" if came else ""))
    if v.judged.broken_at is not None:
        return lines + [f"  {line}" for line in _where(machine, graph, v.judged.broken_at)]
    return lines + run_as_text(machine, places, graph, v.judged.longest, "")


def _where(machine: Machine, graph: Graph, node: int) -> Sequence[str]:
    found = live_processes(machine, graph.board.block(graph.nodes[node][0]))
    return [f"{p.name} {'is ready' if p.position.ready else 'waits'} at line {p.position.span.line}" for p in found]


def as_data(machine: Machine, places: Places, graph: Graph, verdicts: Verdicts) -> list[dict[str, object]]:
    found: list[dict[str, object]] = []
    for v in verdicts.of:
        j, s = v.judged, v.shown
        steps = [] if v.said == HOLDS else [t.as_data() for t in told_steps(machine, places, graph, j.longest)]
        simulated = {"cycles": s.cycles, "since": s.since, "raised": [list(r) for r in s.raised]}
        found.append(
            {
                "name": v.name,
                "claim": j.claim.text,
                "verdict": v.said,
                "milliseconds": j.claim.milliseconds,
                "limit": j.limit,
                "cycles": j.longest.cycles,
                "why": j.longest.why or None,
                "repeats": j.longest.repeats,
                "simulated": simulated if v.simulated else None,
                "steps": steps,
            }
        )
    for name, why in verdicts.unknown:
        nothing = dict.fromkeys(("milliseconds", "limit", "cycles", "simulated"))
        found.append({"name": name, "claim": "", "verdict": OPEN, **nothing, "why": why, "repeats": 0, "steps": []})
    return found
