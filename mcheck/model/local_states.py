"""What a process can do from where it is, as far as its flags tell: local variables of few values.

A position alone says little of a loop that does something once: after `created := TRUE` the branch that creates lies
ahead of every position of the loop, and is never taken again. A flag is a local variable that only the process itself
changes, or a message that it receives. From a position and the values of the flags, control is followed through the
conditions that these decide. An assignment of a constant is known, what else a flag gets is not; that goes both ways.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from lfc.actions.analysis.effects import Table
from lfc.actions.flow.lower import targets
from lfc.actions.model.machine import Block, Body, Branch, CallWaiting, Machine, Switch
from lfc.mcheck.model.environment import Answers
from lfc.mcheck.model.indexed_effects import EffectsByElement, changes_by, is_called_too, statements_of
from lfc.mcheck.model.reachable_channels import Moves, moves_of
from lfc.mcheck.model.transitions import Edge, Speech, Step, describe_blocks
from lfc.semantics.model import typed
from lfc.semantics.model.typed import Variable, VariableKind
from lfc.semantics.model.types import BooleanType, EnumerationType, IntegerType
from lfc.semantics.model.visit import root_variable, subexpressions

MOST_COMBINED = 64  # values of the flags of a body, all together
Values = tuple[int | None, ...]  # of a body's flags, in order; None: not known
LocalState = tuple[int, Values]  # the number of a position
Following = list[tuple[LocalState, Speech | None]]  # and what has taken place on the way


class LocalStates:
    def __init__(self, machine: Machine, steps: Mapping[int, Step], moves: Mapping[int, Moves]) -> None:
        self.machine = machine
        self._steps, self._moves = steps, moves
        self.flags = {r.body: flags_of(machine, r.body) for r in machine.records}
        self._known: dict[LocalState, tuple[Step, Moves, Following]] = {}
        self._effects: tuple[Table, Answers] | None = None

    def values(self, body: Body, known: Mapping[Variable, int]) -> Values:
        return tuple(known.get(v) for v in self.flags.get(body, ()))

    def at_start(self, body: Body) -> Values:
        """Variables begin with zero."""
        return (0,) * len(self.flags.get(body, ()))

    def step(self, at: LocalState) -> Step:
        return self._of(at)[0]

    def moves(self, at: LocalState) -> Moves:
        return self._of(at)[1]

    def before(self, at: LocalState) -> dict[LocalState, frozenset[Speech]]:
        """By local state ahead, the communications that lie on every way there."""
        found: dict[LocalState, frozenset[Speech]] = {at: frozenset()}
        work = [at]
        while work:
            here = work.pop()
            for following, speech in self._of(here)[2]:
                by_this = found[here] if speech is None else found[here] | {speech}
                least = found[following] & by_this if following in found else by_this
                if found.get(following) != least:
                    found[following] = least
                    work.append(following)
        return found

    def ahead(self, at: LocalState) -> set[LocalState]:
        """All that the process can come to, this one included."""
        seen = {at}
        work = [at]
        while work:
            for following, _ in self._of(work.pop())[2]:
                if following not in seen:
                    seen.add(following)
                    work.append(following)
        return seen

    def _of(self, at: LocalState) -> tuple[Step, Moves, Following]:
        if at not in self._known:
            number, values = at
            step = self._steps[number]
            if values and step.position.ready:
                self._known[at] = self._restricted(step, values)
            else:
                self._known[at] = step, self._moves[number], [(self._along(e, values), e.speech) for e in step.edges]
        return self._known[at]

    def _along(self, edge: Edge, values: Values) -> LocalState:
        """What a message brings is not known."""
        if edge.clause is not None and values:
            flags = self.flags[self._steps[edge.to].position.body]
            for t in edge.clause.targets:
                root = None if t.target.designator is None else root_variable(t.target.designator)
                values = assigned(values, flags, root, None)
        return edge.to, values

    def _restricted(self, step: Step, values: Values) -> tuple[Step, Moves, Following]:
        body = step.position.body
        assert step.position.entry is not None
        ends = followed(step.position.entry, values, self.flags[body])
        blocks = {block for block, _ in ends}
        following = [(self._along(e, v), e.speech) for block, v in ends for e in step.edges if e.end is block]
        if len(blocks) == len(step.blocks):
            return step, self._moves[step.number], following
        if self._effects is None:
            table = Table(self.machine, EffectsByElement(self.machine))
            self._effects = table, Answers(self.machine, table)
        found = Step(step.position, step.number, edges=[e for e in step.edges if e.end in blocks], takes=step.takes)
        describe_blocks(found, {(body, b): None for b in (b for _, b in step.blocks) if b in blocks}, *self._effects)
        found = within(found, step)
        moves, of_all = moves_of(self.machine, found), self._moves[step.number]
        moves.assigned = [a for a in moves.assigned if a in of_all.assigned]
        moves.may_free &= of_all.may_free
        return found, moves, following


def within(found: Step, whole: Step) -> Step:
    """A part of an action does nothing that the action does not do."""
    return replace(
        found,
        reads=found.reads & whole.reads,
        writes=found.writes & whole.writes,
        gives=found.gives & whole.gives,
        only_communicates=found.only_communicates or whole.only_communicates,
    )


def flags_of(machine: Machine, body: Body) -> list[Variable]:
    if body.process is None or body.frame is None or body.called or body.domain != "program":
        return []
    if is_called_too(machine, body) or any(isinstance(b.end, CallWaiting) for b in body.blocks):
        return []
    tested = {v for b in body.blocks for e in decided_by(b) for v in variables_in(e)}
    times = values_of_changed(body)
    found, combined = [], 1
    for v in body.frame.variables:
        if v in tested and may_be_flag(v) and v in times and combined * times[v] <= MOST_COMBINED:
            found.append(v)
            combined *= times[v]
    return found


def may_be_flag(v: Variable) -> bool:
    simple = isinstance(v.type, BooleanType | EnumerationType | IntegerType)
    return v.kind is VariableKind.LOCAL and simple and not v.outside


def values_of_changed(body: Body) -> dict[Variable, int]:
    """How many values a variable has that is changed, where that is known to be few."""
    constants: dict[Variable, set[int]] = {}
    others, lent = set(), set()
    for s in statements_of(body):
        for v, _ in changes_by(s):
            if isinstance(s, typed.CreateProcess):
                lent.add(v)  # whoever is created may change it at any time
            elif (number := assigned_number(s)) is None:
                others.add(v)
            else:
                constants.setdefault(v, {0}).add(number)
    found = {v: len(numbers) if v not in others else values_of_type(v) for v, numbers in constants.items()}
    return {v: n for v, n in found.items() if n and v not in lent}


def values_of_type(v: Variable) -> int:
    """0: many."""
    if isinstance(v.type, EnumerationType):
        return len(v.type.values)
    return 2 if isinstance(v.type, BooleanType) else 0


def assigned_number(s: typed.Statement) -> int | None:
    """What is assigned to a variable, if that is a constant."""
    if isinstance(s, typed.Assign) and isinstance(s.target, typed.VariableRef) and isinstance(s.value, typed.Constant):
        return s.value.value if isinstance(s.value.value, int) else None
    return None


def decided_by(block: Block) -> list[typed.Expr]:
    if isinstance(block.end, Branch):
        return [block.end.condition]
    return [block.end.selector] if isinstance(block.end, Switch) else []


def variables_in(e: typed.Expr) -> Iterable[Variable]:
    return (x.variable for x in subexpressions(e) if isinstance(x, typed.VariableRef))


# --- the way of control


def followed(entry: Block, values: Values, flags: list[Variable]) -> set[tuple[Block, Values]]:
    """The blocks that an action may come through, with the values at the end of each."""
    found: set[tuple[Block, Values]] = set()
    seen: set[tuple[Block, Values]] = set()
    work = [(entry, values)]
    while work:
        at = work.pop()
        if at in seen:
            continue
        seen.add(at)
        block, now = at
        after = after_statements(block, now, flags)
        found.add((block, after))
        work += [(follower, after) for follower in possible_targets(block, dict(zip(flags, after, strict=True)))]
    return found


def after_statements(block: Block, values: Values, flags: list[Variable]) -> Values:
    for s in block.statements:
        for v, _ in changes_by(s):
            values = assigned(values, flags, v, assigned_number(s))
    return values


def assigned(values: Values, flags: list[Variable], v: Variable | None, number: int | None) -> Values:
    if v not in flags:
        return values
    at = flags.index(v)
    return (*values[:at], number, *values[at + 1 :])


def possible_targets(block: Block, known: Mapping[Variable, int | None]) -> list[Block]:
    end = block.end
    if isinstance(end, Branch):
        holds = decided(end.condition, known)
        return [end.then, end.otherwise] if holds is None else [end.then if holds else end.otherwise]
    if isinstance(end, Switch):
        number = decided(end.selector, known)
        if number is not None:
            taken = [b for ranges, b in end.cases if any(low <= number <= high for low, high in ranges)]
            return taken or ([] if end.otherwise is None else [end.otherwise])
    return targets(end)


def decided(e: typed.Expr, known: Mapping[Variable, int | None]) -> int | None:
    """The value of an expression, if what is known of the flags decides it."""
    match e:
        case typed.Constant():
            return e.value if isinstance(e.value, int) else None
        case typed.VariableRef():
            return known.get(e.variable)
        case typed.Unary(op="~"):
            operand = decided(e.operand, known)
            return None if operand is None else int(not operand)
        case typed.Logical():
            sides = decided(e.left, known), decided(e.right, known)
            enough = int(e.op == "OR")
            if any(s is not None and bool(s) == bool(enough) for s in sides):
                return enough
            return None if None in sides else 1 - enough
        case typed.Relation():
            left, right = decided(e.left, known), decided(e.right, known)
            return None if left is None or right is None else compared(e.op, left, right)
    return None


def compared(op: str, left: int, right: int) -> int | None:
    match op:
        case "=":
            return int(left == right)
        case "#":
            return int(left != right)
        case "<":
            return int(left < right)
        case "<=":
            return int(left <= right)
        case ">":
            return int(left > right)
        case ">=":
            return int(left >= right)
    return None
