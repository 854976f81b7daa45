"""Which states satisfy a formula of CTL, in time linear in the graph (Clarke, Emerson and Sistla 1986). In a state in
which nothing can happen any more, the program stays for ever.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable
from typing import Any

from lfc.mcheck.queries.formula import BadQuery, Comparison, Formula, Operand
from lfc.mcheck.queries.stored_graph import StoredGraph, StoredState

STEP = re.compile(r"\.([A-Za-z_]\w*)|\[(\d+)\]")
MISSING = object()
RELATIONS: dict[str, Callable[[Any, Any], bool]] = {
    "=": lambda a, b: bool(a == b),
    "#": lambda a, b: bool(a != b),
    "<": lambda a, b: bool(a < b),
    "<=": lambda a, b: bool(a <= b),
    ">": lambda a, b: bool(a > b),
    ">=": lambda a, b: bool(a >= b),
}


class Checker:
    def __init__(self, graph: StoredGraph) -> None:
        self.graph = graph
        size = len(graph.states)
        self.after: list[list[int]] = [[] for _ in range(size)]
        self.before: list[list[int]] = [[] for _ in range(size)]
        for e in graph.edges:
            self.after[e.source].append(e.target)
        for source, targets in enumerate(self.after):
            if not targets:
                targets.append(source)
            targets[:] = dict.fromkeys(targets)
            for target in targets:
                self.before[target].append(source)
        self.everything = frozenset(range(size))
        self.known: dict[Formula, frozenset[int]] = {}
        self.names = {name for s in graph.states for name in s.data}
        self.processes = {name for s in graph.states for name in s.processes}

    def satisfying(self, f: Formula) -> frozenset[int]:
        found = self.known.get(f)
        if found is None:
            found = self.known[f] = self.worked_out(f)
        return found

    def worked_out(self, f: Formula) -> frozenset[int]:
        match f.op:
            case "true":
                return self.everything
            case "mark":
                return frozenset(n for n, s in enumerate(self.graph.states) if s.mark == f.word)
            case "status":
                return self.with_status(f.word, f.process)
            case "compare":
                assert f.comparison is not None
                return self.comparing(f.comparison)
        parts = [self.satisfying(p) for p in f.parts]
        match f.op:
            case "not":
                return self.everything - parts[0]
            case "and":
                return parts[0] & parts[1]
            case "or":
                return parts[0] | parts[1]
            case "EX":
                return self.some_next(parts[0])
            case "AX":
                return self.everything - self.some_next(self.everything - parts[0])
            case "EF":
                return self.until(self.everything, parts[0])
            case "EU":
                return self.until(parts[0], parts[1])
            case "EG":
                return self.always(parts[0])
            case "AF":
                return self.everything - self.always(self.everything - parts[0])
            case "AG":
                return self.everything - self.until(self.everything, self.everything - parts[0])
        # A[f U g] fails where g can fail for ever, or until both fail
        assert f.op == "AU", f.op
        never = self.everything - parts[1]
        return self.everything - self.until(never, never - parts[0]) - self.always(never)

    def some_next(self, goal: frozenset[int]) -> frozenset[int]:
        return frozenset(s for t in goal for s in self.before[t])

    def until(self, on_the_way: frozenset[int], goal: frozenset[int]) -> frozenset[int]:
        found = set(goal)
        left = list(goal)
        while left:
            for s in self.before[left.pop()]:
                if s in on_the_way and s not in found:
                    found.add(s)
                    left.append(s)
        return frozenset(found)

    def always(self, inside: frozenset[int]) -> frozenset[int]:
        """From where some path stays inside: states without a successor inside go, until there are none."""
        ways = {s: sum(t in inside for t in self.after[s]) for s in inside}
        found = set(inside)
        left = [s for s, n in ways.items() if n == 0]
        while left:
            gone = left.pop()
            found.discard(gone)
            for s in self.before[gone]:
                if s in ways:
                    ways[s] -= 1
                    if ways[s] == 0:
                        left.append(s)
        return frozenset(found)

    # --- atoms -------------------------------------------------------------------------------------------------

    def with_status(self, word: str, process: str) -> frozenset[int]:
        if process not in self.processes:
            known = ", ".join(sorted(self.processes))
            raise BadQuery(f"no state has a process `{process}`; there are: {known}")
        found = set()
        for n, s in enumerate(self.graph.states):
            p = s.processes.get(process)
            if p is not None and (word == "LIVES" or p["ready"] == (word == "READY")):
                found.add(n)
        return frozenset(found)

    def comparing(self, c: Comparison) -> frozenset[int]:
        left, right = self.reader(c.left), self.reader(c.right)
        compare, found = RELATIONS[c.relation], set()
        for n, s in enumerate(self.graph.states):
            a, b = left(s), right(s)
            if a is MISSING or b is MISSING:
                continue  # of a process that does not live: nothing is said of its variables
            if type(a) is not type(b) or isinstance(a, list | dict):
                shown = " and ".join(x.name or repr(x.constant) for x in (c.left, c.right))
                raise BadQuery(f"{shown} cannot be compared: they are {a!r} and {b!r}")
            if compare(a, b):
                found.add(n)
        return frozenset(found)

    def reader(self, x: Operand) -> Callable[[StoredState], Any]:
        if x.name is None:
            return lambda s: x.constant
        name = x.name
        cut = len(name)
        while cut > 0 and name[:cut] not in self.names:
            cut = max(name.rfind(".", 0, cut), name.rfind("[", 0, cut))
        if cut > 0:
            steps = [field or int(index) for field, index in STEP.findall(name[cut:])]
            return lambda s: part_of(s.data.get(name[:cut], MISSING), steps, name)
        if name in {v for s in self.graph.states for value in s.data.values() for v in texts_in(value)}:
            return lambda s: name  # of an enumeration
        raise BadQuery(f"no state has a variable or a value `{name}`; variables are: {', '.join(sorted(self.names))}")

    # --- paths -------------------------------------------------------------------------------------------------

    def path(self, starts: frozenset[int], goal: frozenset[int]) -> list[int] | None:
        """A shortest one, by states."""
        came: dict[int, int | None] = dict.fromkeys(sorted(starts))
        left = deque(came)
        while left:
            here = left.popleft()
            if here in goal:
                path = [here]
                while (back := came[path[-1]]) is not None:
                    path.append(back)
                return path[::-1]
            for target in self.after[here]:
                if target not in came:
                    came[target] = here
                    left.append(target)
        return None

    def labels(self, path: list[int]) -> list[str]:
        first: dict[tuple[int, int], str] = {}
        for e in self.graph.edges:
            first.setdefault((e.source, e.target), e.label)
        return [first[step] for step in zip(path, path[1:], strict=False)]


def part_of(value: Any, steps: list[str | int], name: str) -> Any:
    for step in steps:
        if value is MISSING:
            return MISSING
        if isinstance(value, list) and isinstance(step, int):
            if step >= len(value):
                raise BadQuery(f"`{name}`: the array has {len(value)} elements")
            value = value[step]
        elif isinstance(value, dict) and step in value:
            value = value[step]
        else:
            raise BadQuery(f"`{name}`: there is no part `{step}`")
    return value


def texts_in(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    inner = value if isinstance(value, list) else list(value.values()) if isinstance(value, dict) else []
    return [t for v in inner for t in texts_in(v)]
