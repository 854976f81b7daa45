"""How many instances, calls and channels there is room for, counted from the text.

The rules: a CREATE or NEW outside of loops and recursion, or in FORs with constant bounds, counts once for each run of
its body: for each instance and each call of its process; of branches the one with most counts. MAX overrides.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from lfc.semantics.model import typed
from lfc.semantics.model.visit import bodies, root_variable, statements

UNCOUNTABLE = 8  # room for what nobody can count

Owner = typed.Process | None  # None: the initialisation


@dataclass(slots=True, repr=False)
class Bounds:
    instances: dict[typed.Process, int]  # slots of each process
    calls: dict[typed.Process, int]  # of the recursive ones: how many calls may be under way in one process
    channels: int
    all_channels: int = 0  # with those that follow, for the environment

    def __repr__(self) -> str:
        instances = {p.qualified_name: n for p, n in self.instances.items()}
        return (
            f"<{instances}, calls { ({p.qualified_name: n for p, n in self.calls.items()}) }, channels {self.channels}>"
        )

    @staticmethod
    def derived(program: typed.Program) -> Bounds:
        count = _Count(program)
        reached, created = count.reached()
        instances = {p: count.instances(p) if p in created else 0 for p in count.processes}
        calls = {
            p: UNCOUNTABLE if p.max_stated is None else p.max_stated
            for p in count.processes
            if p in reached and count.reaches((p, False), (p, False), by_calls_only=True)
        }
        return Bounds(instances, calls, count.channels())


class _Count:
    """Numbers are floats: infinity is what cannot be counted."""

    def __init__(self, program: typed.Program) -> None:
        modules = [m for m in program.modules if m.monitor] + modules_of(program)
        self.processes = [p for p in program.all_processes() if p.module in modules]
        self.bodies: dict[Owner, list[typed.Statement]] = {None: [s for m in modules for s in m.body]}
        for p in self.processes:
            self.bodies[p] = p.body
        self.known_users: dict[tuple[typed.Process, bool], list[Owner]] = {}
        self.known_totals: dict[tuple[typed.Process, bool], float] = {}

    def users(self, process: typed.Process, created: bool) -> list[Owner]:
        """Whose text creates or calls it."""
        if (process, created) not in self.known_users:
            self.known_users[process, created] = self._users(process, created)
        return self.known_users[process, created]

    def _users(self, process: typed.Process, created: bool) -> list[Owner]:
        kind = typed.CreateProcess if created else typed.CallProcess
        return [
            o
            for o, b in self.bodies.items()
            if any(isinstance(s, kind) and s.process is process for s in statements(b))
        ]

    def reaches(self, node: tuple[typed.Process, bool], goal: tuple[typed.Process, bool], by_calls_only: bool) -> bool:
        """Whether the count of `node` (a process, created or called) needs that of `goal`."""
        seen = set()
        stack = [node]
        while stack:
            process, created = stack.pop()
            if created and process.max_stated is not None and not by_calls_only:
                continue
            for user in self.users(process, created):
                for as_created in (False,) if by_calls_only else (True, False):
                    if user is None:
                        continue
                    if (user, as_created) == goal:
                        return True
                    if (user, as_created) not in seen:
                        seen.add((user, as_created))
                        stack.append((user, as_created))
        return False

    def reached(self) -> tuple[set[typed.Process], set[typed.Process]]:
        """What the initialisation can lead to, and what of it is created. The rest has no slots, whatever its text."""
        found: set[typed.Process] = set()
        created: set[typed.Process] = set()
        stack = [self.bodies[None]]
        while stack:
            for s in statements(stack.pop()):
                if isinstance(s, typed.CreateProcess):
                    created.add(s.process)
                if isinstance(s, typed.CallProcess | typed.CreateProcess) and s.process not in found:
                    found.add(s.process)
                    stack.append(s.process.body)
        return found, created

    def total(self, process: typed.Process, created: bool) -> float:
        if (process, created) not in self.known_totals:
            self.known_totals[process, created] = self._total(process, created)
        return self.known_totals[process, created]

    def _total(self, process: typed.Process, created: bool) -> float:
        if self.reaches((process, created), (process, created), by_calls_only=False):
            return math.inf
        return sum(
            times(most(self.bodies[user], process, created), self.runs(user)) for user in self.users(process, created)
        )

    def instances(self, process: typed.Process) -> int:
        if process.max_stated is not None and self.users(process, created=True):
            return process.max_stated
        total = self.total(process, created=True)
        return UNCOUNTABLE if math.isinf(total) else int(total)

    def runs(self, owner: Owner) -> float:
        return 1 if owner is None else self.instances(owner) + self.total(owner, created=False)

    def channels(self) -> int:
        total = 0
        declared: set[object] = set()
        for owner, body in self.bodies.items():
            for new, n in sites(body, 1):
                variable = root_variable(new.port)
                if variable is not None and variable.max_channels is not None:
                    declaration = variable.declaration or variable
                    if declaration not in declared:
                        declared.add(declaration)
                        total += variable.max_channels
                    continue
                runs = self.runs(owner)
                total += UNCOUNTABLE if math.isinf(n) or math.isinf(runs) else int(n * runs)
        return total


def modules_of(program: typed.Program) -> list[typed.Module]:
    """The main module and all that it imports, in the order of initialisation; no environments."""
    found = {program.main}
    stack = [program.main]
    while stack:
        for m in stack.pop().imports:
            if m not in found:
                found.add(m)
                stack.append(m)
    return [m for m in program.modules if m in found]


def times(a: float, b: float) -> float:
    return 0 if a == 0 or b == 0 else a * b


def most(body: Sequence[typed.Statement], process: typed.Process, created: bool) -> float:
    """How often one run of the body creates or calls the process at most."""
    total: float = 0
    for s in body:
        if isinstance(s, typed.CreateProcess if created else typed.CallProcess) and s.process is process:
            total += 1
        inner = max([most(branch, process, created) for branch in bodies(s)], default=0)
        total += times(inner, factor(s))
    return total


def sites(body: Sequence[typed.Statement], n: float) -> Iterator[tuple[typed.New, float]]:
    """Every NEW with how often one run of the body does it at most."""
    for s in body:
        if isinstance(s, typed.New):
            yield s, n
        for inner in bodies(s):
            yield from sites(inner, times(n, factor(s)))


def factor(s: typed.Statement) -> float:
    """How often the statement runs what lies inside."""
    if isinstance(s, typed.While | typed.Repeat | typed.Loop):
        return math.inf
    return rounds(s) if isinstance(s, typed.For) else 1


def rounds(loop: typed.For) -> float:
    """Of a FOR with constant bounds whose body leaves the variable alone; infinity of any other."""
    low, high = loop.low, loop.high
    if not (isinstance(low, typed.Constant) and isinstance(high, typed.Constant)):
        return math.inf
    assert isinstance(low.value, int) and isinstance(high.value, int)
    if any(root_variable(t) is loop.variable for s in statements(loop.body) for t in written(s)):
        return math.inf
    return max(0, (high.value - low.value) // loop.by + 1)


def written(s: typed.Statement) -> Iterator[typed.Expr]:
    """The designators that a statement may assign to by itself."""
    match s:
        case typed.Assign() | typed.Step() | typed.ConsoleRead():
            yield s.target
        case typed.Receive():
            yield from (t.designator for t in s.targets if t.designator is not None)
        case typed.CallProcess() | typed.CreateProcess():
            yield from (a.value for a in s.arguments if a.formal.kind is typed.VariableKind.VAR)
        case typed.For():
            yield typed.VariableRef(s.span, s.variable.type, s.variable)
        case typed.Select():
            for clause in s.clauses:
                yield from written(clause.event)
