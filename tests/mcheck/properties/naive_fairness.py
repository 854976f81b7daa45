"""A second opinion on the fairness of communications and choices: what a step takes, and what a process offers, read
off the names and positions that people see; strong fairness by trying what is never enabled from some point on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product as all_combinations

from lfc.actions.model.machine import Machine, PointClause
from lfc.codegen.program import generate
from lfc.mcheck.ltl.automaton import Automaton
from lfc.run.events import all_events
from lfc.run.names import LiveProcess, live_processes, source_text
from lfc.run.native import host_target
from lfc.run.running import HostRun
from lfc.run.wait_for_graph import is_closed
from lfc.semantics.model import typed
from lfc.trace.items import Item
from tests.mcheck.properties.naive_product import Edge, State, has_violation, holds, steps_of

ENABLED, TAKEN = 1, 2


@dataclass(frozen=True, slots=True)
class Asked:
    """Communications of the process in a slot, as `port!message` or `port?message`."""

    slot: int
    what: str
    strong: bool
    live: bool


@dataclass(frozen=True, slots=True)
class AskedBranch:
    """A branch of the CHOICE in a line, by the process in a slot. `answers`: it comes there only while it answers an
    access, and to no other CHOICE."""

    slot: int
    line: int
    branch: int
    strong: bool
    answers: bool


def text_of(clause: PointClause) -> str:
    event = clause.event
    if not isinstance(event, typed.Send | typed.Receive):
        return ""
    sign = "!" if isinstance(event, typed.Send) else "?"
    return "".join(source_text(event.port.span).split()) + sign + event.message.name


def process_in(machine: Machine, block: bytes, slot: int) -> LiveProcess | None:
    return next((p for p in live_processes(machine, block) if p.slot == slot), None)


def offers(machine: Machine, block: bytes, asked: Asked) -> bool:
    p = process_in(machine, block, asked.slot)
    if p is None or p.position.ready or p.position.point is None:
        return False
    return any(text_of(c) == asked.what and not is_closed(block, p, c) for c in p.position.point.clauses)


def picks(machine: Machine, block: bytes, items: list[Item], asked: AskedBranch) -> bool:
    """Whether a step from the block does. Who acts and stands at a CHOICE picks first, who answers later."""
    acts = items[0].operands[0]
    p = process_in(machine, block, asked.slot)
    if not asked.answers:
        if p is None or acts != asked.slot or p.position.kind != "choice" or p.position.span.line != asked.line:
            return False
        return next(i.operands[0] for i in items if i.name == "choice") == asked.branch
    answering = None
    for item in items[1:]:
        if item.name == "meet" and item.operands[1] is not None:
            answering = item.operands[1]
        elif item.name == "choice" and (answering, item.operands[0]) == (asked.slot, asked.branch):
            return True
    return False


def marks_of_branch(machine: Machine, run: HostRun, block: bytes, asked: AskedBranch) -> list[int]:
    steps = [picks(machine, block, e.items, asked) for e in all_events(run, block) if e.fault is None]
    return [ENABLED * any(steps) + TAKEN * mine for mine in steps or [False]]


def marks_of(machine: Machine, run: HostRun, block: bytes, asked: Asked | AskedBranch) -> list[int]:
    """For each step from the block, in the order of `steps_of`: bits ENABLED (in the block) and TAKEN."""
    if isinstance(asked, AskedBranch):
        return marks_of_branch(machine, run, block, asked)
    taken: list[bool] = []
    enabled = asked.live and offers(machine, block, asked)
    for event in all_events(run, block):
        if event.fault is not None:
            continue
        mine = False
        runs = event.items[0].operands[0] if event.items[0].name != "interrupt" else None
        for item in event.items:
            if item.name != "meet" or item.operands[1] is None:
                continue
            after = process_in(machine, event.block, runs) if runs == asked.slot else None
            if after is not None and after.position.point is not None:
                mine |= text_of(after.position.point.clauses[after.position.clause or 0]) == asked.what
            if item.operands[1] == asked.slot:
                partner = process_in(machine, block, asked.slot)
                assert partner is not None and partner.position.point is not None
                mine |= text_of(partner.position.point.clauses[item.operands[2] or 0]) == asked.what
        taken.append(mine)
        enabled |= mine or (asked.live and runs == asked.slot and offers(machine, event.block, asked))
    return [ENABLED * enabled + TAKEN * t for t in taken or [False]]


@dataclass(slots=True)
class Product:
    edges: dict[State, list[Edge]]  # marks: the automaton's sets, then one for each of `weak`, then each of `strong`
    enabled: dict[bytes, list[bool]]  # of each block: which of `strong`
    weak: int
    strong: int
    sets: int


def build(machine: Machine, automaton: Automaton, asked: Sequence[Asked | AskedBranch], most: int) -> Product | None:
    """None: more states than `most`."""
    run = HostRun(generate(machine, host_target()), 1)
    weak = [a for a in asked if not a.strong]
    strong = [a for a in asked if a.strong]
    found = Product({}, {}, len(weak), len(strong), automaton.acceptance_sets)
    stack = [(run.block, automaton.initial)]
    known: dict[bytes, list[tuple[bytes, int, int]]] = {}  # target, letter, marks of fairness
    while stack:
        state = stack.pop()
        if state in found.edges:
            continue
        if len(found.edges) >= most:
            return None
        block, q = state
        if block not in known:
            bits = [marks_of(machine, run, block, a) for a in (*weak, *strong)]
            found.enabled[block] = [bool(b[0] & ENABLED) for b in bits[len(weak) :]]
            known[block] = []
            for i, s in enumerate(steps_of(machine, run, block)):
                letter = sum(holds(machine, a, s) << n for n, a in enumerate(automaton.atoms))
                marks = 0
                for n, b in enumerate(bits):
                    fair = b[i] & TAKEN or (n < len(weak) and not b[i] & ENABLED)
                    marks |= bool(fair) << n
                known[block].append((s.target, letter, marks))
        out = found.edges[state] = []
        for target, letter, marks in known[block]:
            for t in automaton.transitions:
                if t.source == q and any(letter & p == p and not letter & n for p, n in t.cubes):
                    out.append(Edge((target, t.target), t.acceptance | marks << found.sets))
                    stack.append((target, t.target))
    return found


def violated(p: Product) -> bool:
    """Each strong assumption is taken again and again, or from some point on it is never enabled: all choices."""
    needed = p.sets + p.weak
    for choice in all_combinations([False, True], repeat=p.strong):
        edges = {
            s: [
                Edge(e.target, e.marks & (1 << needed) - 1 | renumbered(e.marks >> needed, choice) << needed)
                for e in out
            ]
            for s, out in p.edges.items()
            if not any(on and not taken for on, taken in zip(p.enabled[s[0]], choice, strict=True))
        }
        edges = {s: [e for e in out if e.target in edges] for s, out in edges.items()}
        if has_violation(edges, needed + sum(choice)):
            return True
    return False


def renumbered(marks: int, choice: tuple[bool, ...]) -> int:
    """Only those that are chosen to be taken."""
    kept = [marks >> i & 1 for i, taken in enumerate(choice) if taken]
    return sum(bit << i for i, bit in enumerate(kept))
