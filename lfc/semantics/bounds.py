"""How many instances of each process can live at once, how deep its calls go, how many channels there can be.

Stated with MAX, derived where CREATEs and NEWs are countable (outside of loops and recursion, and in FORs with
constant bounds), else assumed to be 8. What a process creates counts once for each of its own instances and calls.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import TypeVar

from lfc.base.scc import components
from lfc.semantics.model import typed
from lfc.semantics.model.counted_loops import sets_back
from lfc.semantics.model.visit import bodies, deep_stack, root_variable, rounds_of

ASSUMED = 8
MOST_SLOTS = MOST_CHANNELS = 1023  # of slots, slot 0, the initialisation, included
MOST_IN_A_BYTE = 255  # with more of either, and only then, slots and ports have two bytes

Count = int | None  # None: not countable
Owner = typed.Module | typed.Process
Node = TypeVar("Node", bound=Hashable)


class Origin(Enum):
    STATED = "stated with MAX"
    DERIVED = "derived"
    ASSUMED = "assumed"


@dataclass(frozen=True, slots=True)
class Bounds:
    max_instances: int  # created ones that can live at once; 0: never created
    instances_origin: Origin
    max_calls: int  # calls that can be under way at once in one process; 1 unless it is recursive
    calls_origin: Origin
    recursive: bool  # a call of it can be under way when it is called again


@dataclass(frozen=True, slots=True)
class ChannelBound:
    """How many channels one PORT declaration with MAX, or one NEW in the text, can make."""

    new: typed.New
    variable: typed.Variable | None  # of the declaration that states a MAX
    channels: int
    origin: Origin


def instance_bounds(program: typed.Program) -> dict[typed.Process, Bounds]:
    """For every process of the program, property processes excepted."""
    counting = Counting(program)
    recursive = _in_cycles(counting.processes, lambda p: counting.callees[p])
    found = {}
    for process in counting.processes:
        instances, origin = counting.instances(process)
        calls, calls_origin = 1, Origin.DERIVED
        if process in recursive:
            stated = process.max_stated
            calls, calls_origin = (ASSUMED, Origin.ASSUMED) if stated is None else (stated, Origin.STATED)
        found[process] = Bounds(instances, origin, calls, calls_origin, process in recursive)
    return found


def slot_count(bounds: dict[typed.Process, Bounds]) -> int:
    """The initialisation's slot, and one for each instance."""
    return 1 + sum(b.max_instances for b in bounds.values())


def channel_bounds(program: typed.Program) -> list[ChannelBound]:
    """One for each NEW in the text, but only one for all NEWs of ports whose declaration states a MAX."""
    counting = Counting(program)
    found: list[ChannelBound] = []
    stated: set[object] = set()
    for owner in counting.owners:
        for new, count in _sites(owner.body):
            variable = root_variable(new.port)
            if variable is not None and variable.max_channels is not None:
                declaration = variable if variable.declaration is None else variable.declaration
                if declaration not in stated:
                    stated.add(declaration)
                    found.append(ChannelBound(new, variable, variable.max_channels, Origin.STATED))
                continue
            runs = counting.runs(owner)
            if count is None or runs is None:
                found.append(ChannelBound(new, None, ASSUMED, Origin.ASSUMED))
            else:
                found.append(ChannelBound(new, None, count * runs, Origin.DERIVED))
    return found


def channel_bound(program: typed.Program) -> int:
    """The number of channels of the program; more than MOST_CHANNELS has been reported as an error."""
    return sum(b.channels for b in channel_bounds(program))


class Counting:
    """Counts how often each process is created and called, as far as it can be counted."""

    def __init__(self, program: typed.Program) -> None:
        self.processes = program.all_processes()
        self.owners: list[Owner] = [*program.modules, *self.processes]
        self.creates: dict[typed.Process, list[tuple[Owner, Count]]] = {p: [] for p in self.processes}
        self.calls: dict[typed.Process, list[tuple[Owner, Count]]] = {p: [] for p in self.processes}
        self.callees: dict[typed.Process, list[typed.Process]] = {p: [] for p in self.processes}
        for owner in self.owners:
            with deep_stack():
                by_process = _count_by_process(owner.body)
            for (process, created), count in by_process.items():
                if process not in self.creates:
                    continue
                (self.creates if created else self.calls)[process].append((owner, count))
                if not created and isinstance(owner, typed.Process):
                    self.callees[owner].append(process)
        # A count that depends on itself is recursion: nodes are (process, whether created), edges what a count needs.
        nodes: list[tuple[typed.Process, bool]] = [(p, created) for p in self.processes for created in (True, False)]
        self.recursive = _in_cycles(nodes, self._needs)
        self._instances: dict[typed.Process, tuple[int, Origin]] = {}
        self._called: dict[typed.Process, Count] = {}
        self._solve(nodes)

    def _needs(self, node: tuple[typed.Process, bool]) -> list[tuple[typed.Process, bool]]:
        process, created = node
        if created and process.max_stated is not None:
            return []
        sites = (self.creates if created else self.calls)[process]
        return [(owner, c) for owner, _ in sites if isinstance(owner, typed.Process) for c in (True, False)]

    def _solve(self, nodes: list[tuple[typed.Process, bool]]) -> None:
        """What a count needs comes first. Without recursion (see `recursive`) there is such an order."""
        done: set[tuple[typed.Process, bool]] = set()
        for start in nodes:
            stack = [(start, False)]
            while stack:
                node, needs_done = stack.pop()
                if needs_done:
                    self._count(*node)
                    continue
                if node in done:
                    continue
                done.add(node)
                stack.append((node, True))
                if node not in self.recursive:
                    stack.extend((needed, False) for needed in self._needs(node))

    def _count(self, process: typed.Process, created: bool) -> None:
        sites = (self.creates if created else self.calls)[process]
        if created and process.max_stated is not None and sites:
            self._instances[process] = process.max_stated, Origin.STATED  # whoever creates it need not be counted yet
            return
        total: Count = None
        if (process, created) not in self.recursive:
            total = 0
            for owner, count in sites:
                runs = 0 if count == 0 else self.runs(owner)
                if total is None or count is None or runs is None:
                    # Code that never runs creates nothing, however often it would.
                    total = total if runs == 0 else None
                else:
                    total += count * runs
        if not created:
            self._called[process] = total
        elif total is None:
            self._instances[process] = ASSUMED, Origin.ASSUMED
        else:
            self._instances[process] = total, Origin.DERIVED

    def instances(self, process: typed.Process) -> tuple[int, Origin]:
        return self._instances[process]

    def runs(self, owner: Owner) -> Count:
        """How often a body runs: once for a module, for each instance and each call for a process."""
        if isinstance(owner, typed.Module):
            return 1
        called = self._called[owner]
        return None if called is None else self._instances[owner][0] + called


def _count_by_process(body: Sequence[typed.Statement]) -> dict[tuple[typed.Process, bool], Count]:
    """Per created and per called process, how often at most one run of a body does that. Of branches one is taken."""
    total: dict[tuple[typed.Process, bool], Count] = {}
    for s in body:
        if isinstance(s, typed.CreateProcess | typed.CallProcess):
            key = s.process, isinstance(s, typed.CreateProcess)
            _add(total, key, 1)
            continue
        branches = [_count_by_process(inner) for inner in bodies(s) if inner]
        factor: Count = 1
        if isinstance(s, typed.For):
            factor = _rounds(s)
        elif isinstance(s, typed.While | typed.Repeat | typed.Loop):
            factor = None
        for key in {k: None for branch in branches for k in branch}:
            counts = [branch.get(key, 0) for branch in branches]
            known = [c for c in counts if c is not None]
            most = max(known) if len(known) == len(counts) else None
            _add(total, key, _product(most, factor))
    return total


def _add(total: dict[tuple[typed.Process, bool], Count], key: tuple[typed.Process, bool], count: Count) -> None:
    before = total.get(key, 0)
    total[key] = None if before is None or count is None else before + count


def _product(a: Count, b: Count) -> Count:
    if a == 0 or b == 0:
        return 0
    return None if a is None or b is None else a * b


def _sites(body: Sequence[typed.Statement]) -> list[tuple[typed.New, Count]]:
    """Every NEW with how often one run of the body does it at most."""
    found: list[tuple[typed.New, Count]] = []
    stack: list[tuple[Sequence[typed.Statement], Count]] = [(body, 1)]
    while stack:
        sequence, factor = stack.pop()
        for s in sequence:
            if isinstance(s, typed.New):
                found.append((s, factor))
            inner: Count = factor
            if isinstance(s, typed.For):
                inner = _product(factor, _rounds(s))
            elif isinstance(s, typed.While | typed.Repeat | typed.Loop):
                inner = None if factor != 0 else 0
            stack.extend((b, inner) for b in bodies(s) if b)
    found.sort(key=lambda site: site[0].span.start)
    return found


def _rounds(loop: typed.For) -> Count:
    """None if the bounds are not constant, or the body sets the variable back."""
    return None if sets_back(loop) else rounds_of(loop)


def _in_cycles(nodes: Sequence[Node], followers: Callable[[Node], list[Node]]) -> set[Node]:
    """The nodes that can be reached from themselves."""
    return {
        node
        for component in components(nodes, followers)
        if len(component) > 1 or component[0] in followers(component[0])
        for node in component
    }
