"""Questions to the solver about steps and locations, where what changes between them is assumed, not asserted."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from lfc.mcheck.symbolic.induction.system import Cube, Literal, Location, Part, System, Transition
from lfc.mcheck.symbolic.values import value_sets as sets
from lfc.mcheck.symbolic.values.solver import Solver
from lfc.mcheck.symbolic.values.terms import SYMBOL, Term, operation, rewritten, symbol
from lfc.mcheck.symbolic.values.value_sets import ValueSet

MILLISECONDS = 1_000
MOST_PARTS, MOST_INTERVALS = 24, 16
MOST_OUTSIDE = 40  # answers that lie in gaps of sets of more intervals


class GivenUp(Exception):
    """The solver does not know, or the time is over."""


class Oracle:
    def __init__(self, system: System, solver: Solver, is_over: Callable[[], bool]) -> None:
        self.system, self.solver, self.is_over = system, solver, is_over
        self.calls = 0
        module = solver.module
        self._sat, self._unsat = module.Result.SAT, module.Result.UNSAT
        self._options = module.Options()
        self._options.set(module.Option.PRODUCE_MODELS, True)
        self._options.set(module.Option.PRODUCE_UNSAT_ASSUMPTIONS, True)
        self._options.set(module.Option.TIME_LIMIT_PER, MILLISECONDS)
        self._steps: dict[int, Any] = {}
        self._backwards: dict[int, Any] = {}
        self._places: dict[int, Any] = {}
        self._moved: dict[tuple[int, Term], int | Term] = {}

    # --- formulas --------------------------------------------------------------------------------------------------

    def literal(self, literal: Literal) -> Any:
        return self.solver.is_value(self.solver.written(literal[0]), literal[1], literal[0].width)

    def conjunction(self, formulas: Iterable[Any]) -> Any:
        parts = list(formulas)
        if not parts:
            return self.solver.terms.mk_true()
        return parts[0] if len(parts) == 1 else self.solver.make("AND", *parts)

    def negation(self, formula: Any) -> Any:
        return self.solver.make("NOT", formula)

    def cube(self, cube: Cube) -> Any:
        return self.conjunction(map(self.literal, cube))

    def behind(self, t: Transition, literal: Literal) -> Any:
        """A literal of the location behind a step, as one of what is before it."""
        key = t.number, literal[0]
        if key not in self._moved:
            self._moved[key] = moved(literal[0], t.cells)
        found = self._moved[key]
        if isinstance(found, int):
            return self.solver.terms.mk_true() if found == literal[1] else self.solver.terms.mk_false()
        return self.literal((found, literal[1]))

    def guard(self, t: Transition) -> Any:
        sets_of = [self.among(symbol(n, t.widths[n]), values) for n, values in t.box.items()]
        return self.conjunction([*sets_of, *map(self.literal, t.known)])

    def among(self, s: Term, values: ValueSet) -> Any:
        """Of sets with very many intervals their hull."""
        if values == sets.full(s.width):
            return self.solver.terms.mk_true()
        hull = ((values[0][0], values[-1][1]),)
        return self.solver.either(s, hull if len(values) > MOST_INTERVALS else values)

    def region(self, location: Location) -> Any:
        """What the search with ranges says of the cells."""
        if len(location.parts) <= MOST_PARTS:
            ways = [self._part(location, p) for p in location.parts]
            return ways[0] if len(ways) == 1 else self.solver.make("OR", *ways)
        return self.conjunction(self.among(s, values) for s, values in zip(location.cells, location.box, strict=True))

    def _part(self, location: Location, part: Part) -> Any:
        cells = location.cells
        inside = [self.among(s, values) for s, values in zip(cells, part.box, strict=True)]
        same = [self.solver.make("EQUAL", *map(self.solver.written, (cells[a], cells[b]))) for a, b in part.copies]
        return self.conjunction([*inside, *same])

    # --- questions -------------------------------------------------------------------------------------------------

    def asked(self, formulas: Iterable[Any]) -> Any:
        question = self.solver.module.Bitwuzla(self.solver.terms, self._options)
        for f in formulas:
            question.assert_formula(f)
        return question

    def of_step(self, t: Transition) -> Any:
        if t.number not in self._steps:
            self._steps[t.number] = self.asked([self.region(t.source), self.guard(t)])
        return self._steps[t.number]

    def of_place(self, location: Location) -> Any:
        if location.number not in self._places:
            self._places[location.number] = self.asked([self.region(location)])
        return self._places[location.number]

    def backwards(self, t: Transition) -> Any:
        if t.number not in self._backwards:
            self._backwards[t.number] = self.asked([self.region(t.source)])
        return self._backwards[t.number]

    def is_possible(self, question: Any, assumed: Sequence[Any]) -> bool:
        """Raises GivenUp."""
        if self.is_over():
            raise GivenUp
        self.calls += 1
        answer = question.check_sat(*assumed)
        if answer == self._sat:
            return True
        if answer == self._unsat:
            return False
        raise GivenUp

    @staticmethod
    def needed(question: Any, assumed: Sequence[Any]) -> list[int]:
        """Of what was assumed, what it takes."""
        return [i for i, f in enumerate(assumed) if question.is_unsat_assumption(f)]

    def model(self, question: Any, widths: dict[int, int]) -> dict[int, int]:
        return {n: int(question.get_value(self.solver.written(symbol(n, w))).value(10)) for n, w in widths.items()}


def moved(t: Term, cells: Sequence[int | Term]) -> int | Term:
    return rewritten(t, lambda node: cells[node.args[0]] if node.op == SYMBOL else None)  # type: ignore[index]


def question_of(op: str, a: int | Term, b: int | Term, width: int) -> Term | None:
    """None: there is nothing to ask."""
    found = operation(op, 1, width, a, b)
    return found if isinstance(found, Term) else None
