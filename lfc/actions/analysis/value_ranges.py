"""Which expressions and statements cannot fault where they stand: intervals of variables along the text of each process
(Cousot and Cousot, *Abstract Interpretation*, POPL 1977).

An action is not interrupted. So between two scheduling points what the text has assigned or asked is true of variables
of modules, too; at a scheduling point, and behind a call, they may have any value of their type. docs/theory/slicing.md
has the argument.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass

from lfc.actions.analysis.may_fault import Interval, Ranges, first_of, range_of_type
from lfc.semantics.checks.accesses import WRITES, Kind, accesses
from lfc.semantics.checks.flow import is_scheduling_point
from lfc.semantics.model import typed
from lfc.semantics.model.typed import Process, Variable, VariableKind
from lfc.semantics.model.types import ArrayType, ExactType, FixedType, IntegerType, Type, size_and_signedness
from lfc.semantics.model.visit import bodies, deep_stack, expressions_of, statements

Owner = typed.Module | Process
Known = dict[Variable, Interval]
Passed = Mapping[Variable, frozenset[int]]
MOST_VALUES = 32  # of a parameter that are told apart
COMPUTED: dict[str, Callable[[int, int], int]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "DIV": operator.floordiv,
    "MOD": operator.mod,
}
SIMPLE = (typed.Assign, typed.Include, typed.Assert, typed.PortOut, typed.ConsoleWrite, typed.Spin)
NEGATED = {"=": "#", "#": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
TURNED = {"=": "=", "#": "#", "<": ">", ">": "<", "<=": ">=", ">=": "<="}
MOST_ELEMENTS = 4096  # of a table that is read for its least and greatest


def harmless(program: typed.Program, owners: Sequence[Owner], within_types: bool) -> set[int]:
    """Identities of expressions and statements that cannot fault where they stand."""
    functions = program.all_functions()
    shared = Shared([*owners, *functions])
    known = Surroundings(shared, arguments(owners), within_types)
    safe: set[Process] = set()
    found, may = set[int](), set[int]()
    with deep_stack():
        growing = True
        while growing:  # one that calls others is safe only once these are
            more = {f for f in functions if f not in safe and is_safe(f, Walk.through(f, known, safe))}
            growing = bool(more)
            safe |= more
        for owner in [*owners, *functions]:
            if not (isinstance(owner, Process) and owner.external):
                walk = Walk.through(owner, known, safe)
                found |= walk.harmless
                may |= walk.may_fault_here
    return found - may


def is_safe(function: Process, walk: Walk) -> bool:
    """Whatever it is called with: no fault, an end, and no assertion."""
    asserts = any(isinstance(s, typed.Assert) for s in statements(function.body))
    return not walk.may_fault_here and function.may_not_end is None and not asserts


class Shared:
    """Of which variables only one body has the say, and which may be written under another name."""

    def __init__(self, owners: Sequence[Owner]) -> None:
        self.aliased: set[Variable] = set()
        self.of: dict[Variable, Owner | None] = {}  # the only body that names it; None: several do
        for owner in owners:
            for s in statements(owner.body):
                for a in accesses(s):
                    if a.kind is Kind.ARGUMENT:
                        self.aliased.add(a.variable)
                    if self.of.setdefault(a.variable, owner) is not owner:
                        self.of[a.variable] = None

    def is_tracked(self, v: Variable) -> bool:
        kinds = (VariableKind.MODULE, VariableKind.LOCAL, VariableKind.VALUE)
        return v.kind in kinds and not v.outside and v.writing is None and v not in self.aliased and is_number(v.type)

    def is_own(self, v: Variable, owner: Owner) -> bool:
        """Nobody else writes it, whoever acts in between."""
        return (
            v.kind in (VariableKind.LOCAL, VariableKind.VALUE) and v.owner is owner and self.of.get(v, owner) is owner
        )


def is_number(t: Type) -> bool:
    return range_of_type(t) is not None and not isinstance(t, FixedType | ExactType)


class KnownRanges(Ranges):
    """With what is known of variables at one place."""

    def __init__(self, within_types: bool, safe: Set[Process], passed: Passed) -> None:
        super().__init__(within_types)
        self.safe, self.passed = safe, passed
        self.known: Known = {}

    def interval(self, e: typed.Expr) -> Interval | None:
        values = values_of(e, self.passed)
        if values:
            return min(values), max(values)
        match e:
            case typed.VariableRef() if e.variable in self.known:
                return self.known[e.variable]
            case typed.IndexRef(base=typed.Constant()):
                return of_table(e.base) or super().interval(e)
        return super().interval(e)

    def may_fault(self, e: typed.Expr) -> bool:
        if not isinstance(e, typed.Logical):
            return super().may_fault(e)
        if self.may_fault(e.left):
            return True
        before = self.known
        self.known = self.where(before, e.left, e.op == "&")
        found = self.may_fault(e.right)
        self.known = before
        return found

    def where(self, known: Known, condition: typed.Expr, is_so: bool) -> Known:
        """What is known in addition where a condition holds, or does not."""
        match condition:
            case typed.Unary(op="~"):
                return self.where(known, condition.operand, not is_so)
            case typed.Logical() if (condition.op == "&") is is_so:
                return self.where(self.where(known, condition.left, is_so), condition.right, is_so)
            case typed.Relation():
                op = condition.op if is_so else NEGATED[condition.op]
                first = self.compared(known, condition.left, op, condition.right)
                return self.compared(first, condition.right, TURNED[op], condition.left)
        return known

    def compared(self, known: Known, e: typed.Expr, op: str, other: typed.Expr) -> Known:
        while isinstance(e, typed.Convert) and is_number(e.type) and is_number(e.operand.type):
            e = e.operand  # the number stays what it is
        if not isinstance(e, typed.VariableRef) or e.variable not in known or not is_number(other.type):
            return known
        before, self.known = self.known, known
        bound = self.interval(other)
        self.known = before
        if bound is None:
            return known
        found = narrowed(known[e.variable], op, bound)
        return {**known, e.variable: found} if found[0] <= found[1] else known

    def faults_itself(self, e: typed.Expr) -> bool:
        return e.process not in self.safe if isinstance(e, typed.CallFunction) else super().faults_itself(e)


def arguments(owners: Sequence[Owner]) -> Passed:
    """Of value parameters that nobody assigns: the few values that they have in all calls."""
    calls = [s for o in owners for s in statements(o.body) if isinstance(s, typed.CallProcess | typed.CreateProcess)]
    changed = {v for o in owners for v in written(o.body)}
    passed = [a for s in calls for a in s.arguments]
    known = {a.formal for a in passed if a.formal.kind is VariableKind.VALUE and is_number(a.formal.type)} - changed
    found = {formal: frozenset[int]() for formal in known}
    growing = True
    while growing:
        growing = False
        for a in passed:
            if a.formal not in found:
                continue
            values, before = values_of(a.value, found), found[a.formal]
            if values is None or len(before | values) > MOST_VALUES:
                del found[a.formal]
            elif values <= before:
                continue
            else:
                found[a.formal] = before | values
            growing = True
    return found


def values_of(e: typed.Expr, passed: Passed) -> frozenset[int] | None:
    """All that it can be, if these are few. None: more, or it is not known."""
    match e:
        case typed.Constant() if isinstance(e.value, int):
            return frozenset({e.value})
        case typed.VariableRef():
            return passed.get(e.variable)
        case typed.Convert() if is_number(e.type) and is_number(e.operand.type):
            return fitting(values_of(e.operand, passed), e.type)
        case typed.Binary() if e.op in COMPUTED and is_number(e.type):
            left, right = values_of(e.left, passed), values_of(e.right, passed)
            if left is None or right is None or (e.op in ("DIV", "MOD") and any(x <= 0 for x in right)):
                return None
            return fitting(frozenset(COMPUTED[e.op](x, y) for x in left for y in right), e.type)
    return None


def fitting(values: frozenset[int] | None, t: Type) -> frozenset[int] | None:
    room = range_of_type(t)
    fits = values is not None and room is not None and all(room[0] <= x <= room[1] for x in values)
    return values if fits else None


def narrowed(x: Interval, op: str, bound: Interval) -> Interval:
    low, high = x
    if op in ("=", "<", "<="):
        high = min(high, bound[1] - (op == "<"))
    if op in ("=", ">", ">="):
        low = max(low, bound[0] + (op == ">"))
    if op == "#" and bound[0] == bound[1]:
        low, high = low + (low == bound[0]), high - (high == bound[0])
    return low, high


def of_table(table: typed.Expr) -> Interval | None:
    """The least and the greatest element of a constant array."""
    t = table.type
    if not isinstance(table, typed.Constant) or not isinstance(table.value, bytes) or not isinstance(t, ArrayType):
        return None
    if not isinstance(t.element, IntegerType) or not 0 < t.length <= MOST_ELEMENTS:
        return None
    size, signed = size_and_signedness(t.element)
    parts = (table.value[i * size : (i + 1) * size] for i in range(t.length))
    numbers = [int.from_bytes(part, "little", signed=signed) for part in parts]
    return min(numbers), max(numbers)


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What is the same for all bodies."""

    shared: Shared
    passed: Passed
    within_types: bool


class Walk:
    """Through one body. What is known where a sequence ends; None: it does not come there."""

    def __init__(self, owner: Owner, shared: Shared, ranges: KnownRanges) -> None:
        self.owner, self.shared, self.ranges = owner, shared, ranges
        self.harmless: set[int] = set()
        self.may_fault_here: set[int] = set()

    @staticmethod
    def through(owner: Owner, all_know: Surroundings, safe: Set[Process]) -> Walk:
        found = Walk(owner, all_know.shared, KnownRanges(all_know.within_types, safe, all_know.passed))
        found.run()
        return found

    def run(self) -> None:
        known: Known = {}
        for v in self.named():
            if v.owner is self.owner and v.kind is VariableKind.LOCAL and self.shared.is_own(v, self.owner):
                known[v] = (first_of(v.type), first_of(v.type))
            else:
                known[v] = self.any_of(v)
        self.sequence(self.owner.body, known)

    def named(self) -> Iterator[Variable]:
        found = {a.variable: None for s in statements(self.owner.body) for a in accesses(s)}
        return (v for v in found if self.shared.is_tracked(v))

    def any_of(self, v: Variable) -> Interval:
        found = self.ranges.of_type(v.type)
        assert found is not None
        return found

    def sequence(self, body: Sequence[typed.Statement], known: Known | None) -> Known | None:
        for s in body:
            if known is None:
                break  # nothing comes here; what is not looked at is taken to fault
            known = self.statement(s, known)
        return known

    def statement(self, s: typed.Statement, known: Known) -> Known | None:
        if is_scheduling_point(s):  # what it asks it may ask again when a partner has come
            known = self.others_act(forget(known, written([s]), self.any_of))
        self.note(s, known)
        match s:
            case typed.Assign():
                return self.assigned(s.target, self.value(s.value, known), known)
            case typed.Step():
                return self.stepped(s, known)
            case typed.Exit() | typed.Return():
                return None
            case typed.If():
                return self.chosen(s, known)
            case typed.Case():
                return self.case(s, known)
            case typed.While() | typed.Repeat() | typed.Loop() | typed.For():
                return self.loop(s, known)
            case typed.Select() | typed.Choice():
                return joined([self.sequence(body, known) for body in bodies(s)])
            case typed.CallProcess() | typed.CreateProcess():
                return self.others_act(known)
        return forget(known, written([s]), self.any_of)

    def note(self, s: typed.Statement, known: Known) -> None:
        """What of it cannot fault here."""
        self.ranges.known = known
        for e in expressions_of(s):
            self.say(e, self.ranges.may_fault(e))
        if isinstance(s, typed.Step):
            self.say(s, self.step_may_fault(s, known))
        elif isinstance(s, typed.Case):
            self.say(s, s.otherwise is None and not self.has_label(s))
        elif isinstance(s, SIMPLE):
            self.say(s, self.ranges.simple_may_fault(s))

    def say(self, x: typed.Expr | typed.Statement, may: bool) -> None:
        (self.may_fault_here if may else self.harmless).add(id(x))

    def has_label(self, s: typed.Case) -> bool:
        """Whatever the selector is."""
        found = self.ranges.interval(s.selector)
        if found is None or found[1] - found[0] >= MOST_ELEMENTS:
            return False
        labels = [pair for values, _ in s.branches for pair in values]
        return all(any(low <= x <= high for low, high in labels) for x in range(found[0], found[1] + 1))

    def value(self, e: typed.Expr, known: Known) -> Interval | None:
        self.ranges.known = known
        return self.ranges.interval(e)

    def assigned(self, target: typed.Expr, value: Interval | None, known: Known) -> Known:
        if not isinstance(target, typed.VariableRef) or target.variable not in known:
            return known
        limits = self.any_of(target.variable)
        fits = value is not None and limits[0] <= value[0] and value[1] <= limits[1]
        return {**known, target.variable: value if fits and value is not None else limits}

    def step_ends(self, s: typed.Step, known: Known) -> tuple[Interval | None, Interval | None]:
        """What comes of it, and what there is room for."""
        self.ranges.known = known
        before, by = self.ranges.interval(s.target), self.ranges.interval(s.amount)
        if before is None or by is None:
            return None, None
        low, high = (-by[1], -by[0]) if s.down else by
        return (before[0] + low, before[1] + high), range_of_type(s.target.type)

    def step_may_fault(self, s: typed.Step, known: Known) -> bool:
        self.ranges.known = known
        if not self.ranges.simple_may_fault(s):
            return False
        found, room = self.step_ends(s, known)
        if found is None or room is None or isinstance(s.target.type, FixedType):
            return True
        if self.ranges.may_fault(s.target) or self.ranges.may_fault(s.amount):
            return True
        return not (room[0] <= found[0] and found[1] <= room[1])

    def stepped(self, s: typed.Step, known: Known) -> Known:
        if not isinstance(s.target, typed.VariableRef) or s.target.variable not in known:
            return known
        found, room = self.step_ends(s, known)
        if found is None or room is None:
            return {**known, s.target.variable: self.any_of(s.target.variable)}
        wraps = isinstance(s.target.type, IntegerType) and not s.target.type.signed
        if not wraps:  # else it has faulted
            found = max(found[0], room[0]), min(found[1], room[1])
        return self.assigned(s.target, found if found[0] <= found[1] else None, known)

    def chosen(self, s: typed.If, known: Known) -> Known | None:
        ends: list[Known | None] = []
        for condition, body in s.branches:
            ends.append(self.sequence(body, self.ranges.where(known, condition, True)))
            known = self.ranges.where(known, condition, False)
        return joined([*ends, self.sequence(s.otherwise, known)])

    def case(self, s: typed.Case, known: Known) -> Known | None:
        ends = []
        for labels, body in s.branches:
            inside = known
            if isinstance(s.selector, typed.VariableRef) and s.selector.variable in known and labels:
                least, most = min(low for low, _ in labels), max(high for _, high in labels)
                low, high = known[s.selector.variable]
                if max(low, least) <= min(high, most):
                    inside = {**known, s.selector.variable: (max(low, least), min(high, most))}
            ends.append(self.sequence(body, inside))
        if s.otherwise is not None:
            ends.append(self.sequence(s.otherwise, known))
        return joined(ends)

    def loop(self, s: typed.While | typed.Repeat | typed.Loop | typed.For, known: Known) -> Known | None:
        """What its body may change has any value at its head."""
        before = known
        if any(points(s.body)):
            known = self.others_act(known)
        known = forget(known, written(s.body), self.any_of)
        match s:
            case typed.While():
                self.renote(s, known)
                self.sequence(s.body, self.ranges.where(known, s.condition, True))
                return self.ranges.where(known, s.condition, False) if s.label is None else known
            case typed.For():
                inside, known = self.counted(s, before, known)
                self.sequence(s.body, inside)
                return known
        self.renote(s, known)
        self.sequence(s.body, known)
        return known

    def renote(self, s: typed.While | typed.Repeat | typed.Loop, known: Known) -> None:
        """Its condition is asked in each round. Of a REPEAT behind its body, which has changed no more than that."""
        self.ranges.known = known
        for e in expressions_of(s):
            self.say(e, self.ranges.may_fault(e))

    def counted(self, s: typed.For, before: Known, known: Known) -> tuple[Known, Known]:
        """What is known within it, and behind it."""
        if s.variable not in known:
            return known, known
        limits = self.any_of(s.variable)
        self.ranges.known = {**before, s.variable: limits}
        low_end, high_end = self.ranges.interval(s.low), self.ranges.interval(s.high)
        known = {**known, s.variable: limits}
        if low_end is None or high_end is None or s.variable in written(s.body):
            return known, known
        first, last = (low_end, high_end) if s.by > 0 else (high_end, low_end)
        low, high = max(first[0], limits[0]), min(last[1], limits[1])
        own = self.shared.is_own(s.variable, self.owner) or not any(points(s.body))
        return ({**known, s.variable: (low, high)} if low <= high and own else known), known

    def others_act(self, known: Known) -> Known:
        """Somebody else may have acted, or what was called has."""
        return {v: x if self.shared.is_own(v, self.owner) else self.any_of(v) for v, x in known.items()}


def written(body: Sequence[typed.Statement]) -> set[Variable]:
    return {a.variable for s in statements(body) for a in accesses(s) if a.kind in WRITES or a.kind is Kind.ARGUMENT}


def points(body: Sequence[typed.Statement]) -> Iterator[bool]:
    """Places where others may act, or a call may."""
    for s in statements(body):
        yield is_scheduling_point(s) or isinstance(s, typed.CallProcess | typed.CreateProcess)


def forget(known: Known, variables: set[Variable], any_of: Callable[[Variable], Interval]) -> Known:
    return {v: any_of(v) if v in variables else x for v, x in known.items()}


def joined(ends: Sequence[Known | None]) -> Known | None:
    come = [k for k in ends if k is not None]
    if not come:
        return None
    first, *others = come
    found = dict(first)
    for k in others:
        for v, (low, high) in k.items():
            found[v] = min(found[v][0], low), max(found[v][1], high)
    return found
