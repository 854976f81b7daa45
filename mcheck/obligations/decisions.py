"""Decisions of a program, each split into the ways in which it can be evaluated, a block of the flow graph for each.

A way is what the conditions were, as far as `&` and OR have come to them, and the outcome. The split graph does what
the old one does: the same conditions are evaluated in the same order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from lfc.actions.model.machine import Block, Body, Branch, Goto, Machine, Switch
from lfc.base.source import Span
from lfc.semantics.model import typed
from lfc.semantics.model.visit import statements

MOST_WAYS = 256  # of one decision

Values = tuple[bool | None, ...]  # of the conditions in the order of the text; None: not evaluated


@dataclass(slots=True, eq=False)
class Way:
    """One way to evaluate a decision. Of a CASE `label` is what the selector was."""

    decision: Decision
    values: Values
    outcome: bool
    block: Block
    label: str = ""

    def same_as(self, other: Way) -> bool:
        """Also of another machine of the same program."""
        mine, its = self.decision, other.decision
        place = (mine.body.name, mine.span.source.path, mine.span.start)
        same = place == (its.body.name, its.span.source.path, its.span.start)
        return same and (self.values, self.label) == (other.values, other.label)


@dataclass(slots=True, eq=False)
class Decision:
    body: Body
    span: Span
    conditions: list[typed.Expr]
    ways: list[Way] = field(default_factory=list)


def split_decisions(machine: Machine, wanted: Callable[[Body, Span], bool]) -> list[Decision]:
    """Of IF, ELSIF, WHILE, REPEAT and CASE, in the order of bodies and texts. Changes the machine's flow graphs,
    none of its positions."""
    stated = {key_of(e.span) for part in texts_of(machine.program) for e in conditions_of(part)}
    found: list[Decision] = []
    for body in machine.bodies:
        for block in list(body.blocks):
            end = block.end
            span = (
                end.condition.span
                if isinstance(end, Branch)
                else end.selector.span
                if isinstance(end, Switch)
                else None
            )
            if span is None or key_of(span) not in stated or not wanted(body, span):
                continue
            if isinstance(end, Branch):
                decision = Decision(body, span, atoms_of(end.condition))
                if ways_of(end.condition) > MOST_WAYS:
                    continue
                _split(decision, block, end)
            else:
                assert isinstance(end, Switch)
                decision = Decision(body, span, [end.selector])
                _split_case(decision, end)
            found.append(decision)
        for number, block in enumerate(body.blocks):
            block.number = number
    return sorted(found, key=lambda d: (d.span.source.path, d.span.start))


def key_of(span: Span) -> tuple[int, int, int]:
    return id(span.source), span.start, span.end


def texts_of(program: typed.Program) -> list[list[typed.Statement]]:
    return [m.body for m in program.modules] + [p.body for p in program.all_processes()]


def conditions_of(text: list[typed.Statement]) -> Iterator[typed.Expr]:
    """What the text decides by: not the ends of FORs."""
    for s in statements(text):
        match s:
            case typed.If():
                yield from (c for c, _ in s.branches)
            case typed.While():
                yield s.condition
            case typed.Repeat():
                yield s.until
            case typed.Case():
                yield s.selector


def atoms_of(e: typed.Expr) -> list[typed.Expr]:
    if isinstance(e, typed.Logical):
        return atoms_of(e.left) + atoms_of(e.right)
    if isinstance(e, typed.Unary) and e.op == "~":
        return atoms_of(e.operand)
    return [e]


def ways_of(e: typed.Expr) -> int:
    def count(e: typed.Expr) -> tuple[int, int]:
        """Ways that give true, that give false."""
        if isinstance(e, typed.Logical):
            (a, b), (c, d) = count(e.left), count(e.right)
            return (a * c, b + a * d) if e.op == "&" else (a + b * c, b * d)
        if isinstance(e, typed.Unary) and e.op == "~":
            yes, no = count(e.operand)
            return no, yes
        return 1, 1

    return sum(count(e))


Then = Callable[[bool, dict[int, bool]], Block]


def _split(decision: Decision, block: Block, end: Branch) -> None:
    blocks = decision.body.blocks
    number = {id(e): i for i, e in enumerate(decision.conditions)}

    def leaf(outcome: bool, known: dict[int, bool]) -> Block:
        made = Block(0, [], Goto(end.then if outcome else end.otherwise, end.span))
        blocks.append(made)
        values = tuple(known.get(i) for i in range(len(decision.conditions)))
        decision.ways.append(Way(decision, values, outcome, made))
        return made

    def evaluated(e: typed.Expr, known: dict[int, bool], then: Then) -> Block:
        if isinstance(e, typed.Unary) and e.op == "~":
            return evaluated(e.operand, known, lambda v, k: then(not v, k))
        if isinstance(e, typed.Logical):
            left, right, stops = e.left, e.right, e.op == "OR"
            return evaluated(left, known, lambda v, k: then(v, k) if v is stops else evaluated(right, k, then))
        if isinstance(e, typed.Constant):
            return then(bool(e.value), known)
        at = number[id(e)]
        yes, no = then(True, {**known, at: True}), then(False, {**known, at: False})
        made = Block(0, [], Branch(e, yes, no, e.span))
        blocks.append(made)
        return made

    first = evaluated(end.condition, {}, leaf)
    block.end = Goto(first, end.span)


def _split_case(decision: Decision, end: Switch) -> None:
    def passed(target: Block, label: str) -> Block:
        made = Block(0, [], Goto(target, end.span))
        decision.body.blocks.append(made)
        decision.ways.append(Way(decision, (), True, made, label))
        return made

    end.cases = [(labels, passed(target, told(labels))) for labels, target in end.cases]
    if end.otherwise is not None:
        end.otherwise = passed(end.otherwise, "ELSE")


def told(labels: list[tuple[int, int]]) -> str:
    return ", ".join(str(a) if a == b else f"{a} .. {b}" for a, b in labels)


def pair_for(decision: Decision, condition: int, reached: Callable[[Way], bool]) -> tuple[Way, Way] | None:
    """Two ways that show that the condition alone decides: it differs, so does the outcome, and each other one is the
    same or was evaluated in one of them only."""
    ways = [w for w in decision.ways if w.values and w.values[condition] is not None and reached(w)]
    for yes in ways:
        for no in ways:
            if yes.values[condition] and no.values[condition] is False and yes.outcome is not no.outcome:
                others = (i for i in range(len(yes.values)) if i != condition)
                if all(None in (yes.values[i], no.values[i]) or yes.values[i] is no.values[i] for i in others):
                    return yes, no
    return None
