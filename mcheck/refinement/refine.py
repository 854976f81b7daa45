"""Whether a program refines a specification: a breadth-first search of the pairs of an implementation's state and the
specification's node (Roscoe 1994). The first that fails is reached on a shortest path.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field

from lfc.mcheck.refinement.behaviour import Behaviour, Transition
from lfc.mcheck.refinement.normal_form import NormalForm
from lfc.trace.items import Item

MODELS = ("traces", "failures", "fd")
EVENT, REFUSAL, DIVERGENCE = "event", "refusal", "divergence"


@dataclass(slots=True)
class Violation:
    kind: str  # event, refusal, divergence
    trace: list[str]  # visible, before
    event: str  # that the specification lacks; empty if the kind is another
    allowed: list[str]  # events of the specification after the trace
    offers: list[str]  # of a refusal: all that the implementation offers
    acceptances: list[list[str]]  # of a refusal: each time, what the specification offers at least
    steps: list[list[Item]]
    blocks: list[bytes]  # before each step, and after the last unless it faults
    cycle: int | None = None  # of a divergence: the step with which it begins
    fault: str = ""  # with which the last step ends


@dataclass(slots=True)
class Refinement:
    model: str
    pairs: int
    violation: Violation | None
    specification_states: int = 0
    specification_nodes: int = 0
    implementation_states: int = 0


Pair = tuple[int, int]  # a state of the implementation, a node of the specification


@dataclass(slots=True)
class Search:
    specification: NormalForm
    implementation: Behaviour
    model: str
    came: dict[Pair, tuple[Pair, Transition] | None] = field(default_factory=dict)

    def run(self) -> Violation | None:
        first = (0, self.specification.first)
        self.came[first] = None
        left = deque([first])
        while left:
            pair = left.popleft()
            if self.specification.nodes[pair[1]].diverges:
                continue  # it may do anything
            violation = self.of_state(pair) or self.of_steps(pair, left)
            if violation is not None:
                return violation
        return None

    def of_state(self, pair: Pair) -> Violation | None:
        state, node = pair
        if self.model == "traces":
            return None
        if self.model == "fd" and self.implementation.diverges(state):
            return self.violation(DIVERGENCE, pair)
        if self.implementation.is_stable(state):
            offers = self.implementation.offers(state)
            if not any(a <= offers for a in self.specification.nodes[node].acceptances):
                return self.violation(REFUSAL, pair)
        return None

    def of_steps(self, pair: Pair, left: deque[Pair]) -> Violation | None:
        state, node = pair
        for step in self.implementation.steps(state):
            after = node if step.label is None else self.specification.after(node, step.label)
            if after is None:
                return self.violation(EVENT, pair, step)
            target = (step.target, after)
            if target not in self.came:
                self.came[target] = (pair, step)
                left.append(target)
        return None

    # --- the counterexample ------------------------------------------------------------------------------------

    def violation(self, kind: str, pair: Pair, last: Transition | None = None) -> Violation:
        path = self.path_to(pair)
        trace = [s.label for _, s in path if s.label is not None]
        node = self.specification.nodes[pair[1]]
        end = pair[0]
        if last is not None:
            path.append((end, last))
            end = last.target
        cycle = None
        if kind == DIVERGENCE:
            way, back = self.round_from(end)
            path += way
            cycle = sum(bool(s.items) for _, s in path)
            path += back
            end = path[-1][1].target
        done = [(state, s) for state, s in path if s.items]
        blocks = [self.implementation.block(state) for state, _ in done]
        fault = self.implementation.faults.get(end, "")
        if not fault:
            blocks.append(self.implementation.block(end))
        offers = sorted(self.implementation.offers(pair[0])) if kind == REFUSAL else []
        event = last.label or "" if last is not None else ""
        acceptances = [sorted(a) for a in node.acceptances] if kind == REFUSAL else []
        steps = [list(s.items) for _, s in done]
        return Violation(kind, trace, event, sorted(node.follows), offers, acceptances, steps, blocks, cycle, fault)

    def path_to(self, pair: Pair) -> list[tuple[int, Transition]]:
        path: list[tuple[int, Transition]] = []
        came = self.came[pair]
        while came is not None:
            before, step = came
            path.append((before[0], step))
            came = self.came[before]
        return path[::-1]

    def round_from(self, start: int) -> tuple[list[tuple[int, Transition]], list[tuple[int, Transition]]]:
        """Invisible steps to a state, and round to it again."""
        way = self.way(start, lambda s: self.way(s, lambda t: t == s, True) is not None)
        assert way is not None
        head = way[-1][1].target if way else start
        back = self.way(head, lambda t: t == head, True)
        assert back is not None
        return way, back

    def way(self, start: int, ends: Callable[[int], bool], moves: bool = False) -> list[tuple[int, Transition]] | None:
        """The shortest of invisible steps. `moves`: of at least one."""
        if not moves and ends(start):
            return []
        came: dict[int, tuple[int, Transition]] = {}
        left = deque([start])
        while left:
            here = left.popleft()
            for step in self.implementation.steps(here):
                if step.label is not None or step.target in came:
                    continue
                came[step.target] = (here, step)
                if ends(step.target):
                    return self.walked(came, start, step.target)
                left.append(step.target)
        return None

    @staticmethod
    def walked(came: dict[int, tuple[int, Transition]], start: int, end: int) -> list[tuple[int, Transition]]:
        path = [came[end]]
        while path[-1][0] != start:
            path.append(came[path[-1][0]])
        return path[::-1]


def refine(specification: Behaviour, implementation: Behaviour, model: str) -> Refinement:
    """Raises `TooManyStates`, `TooManyValues`, `NotVisible`."""
    normal = NormalForm(specification, model == "fd")
    search = Search(normal, implementation, model)
    violation = search.run()
    return Refinement(
        model,
        len(search.came),
        violation,
        len(specification.keys),
        len(normal.nodes),
        len(implementation.keys),
    )
