"""k-induction: no chain of some steps, from anywhere in the ranges, ends in an error; nor do so many first steps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lfc.mcheck.symbolic.induction.oracle import Oracle
from lfc.mcheck.symbolic.induction.system import Location, System, Transition
from lfc.mcheck.symbolic.values.terms import SYMBOL, Term, rewritten, symbol

APART = 10_000  # between the symbols of one step and the next
MOST_CHAINS = 2_000


class Chains:
    """From the error backwards."""

    def __init__(self, system: System, oracle: Oracle) -> None:
        self.system, self.oracle = system, oracle
        self.count = 0

    def rule_out(self, k: int) -> bool:
        """Raises GivenUp."""
        return not any(self._is_possible([t], k, False) or self._from_start([t], k) for t in self.system.errors)

    def _is_possible(self, chain: list[Transition], k: int, initially: bool) -> bool:
        self.count += 1
        if self.count > MOST_CHAINS or not self.holds(chain, initially):
            return self.count > MOST_CHAINS
        if len(chain) == k:
            return True
        return any(self._is_possible([t, *chain], k, initially) for t in self.before(chain[0].source))

    def _from_start(self, chain: list[Transition], k: int) -> bool:
        """Whether one of fewer than `k` steps, or of `k`, leads from the initial block to the error."""
        if chain[0].source is self.system.initial and self.holds(chain, True):
            return True
        return len(chain) < k and any(self._from_start([t, *chain], k) for t in self.before(chain[0].source))

    def before(self, location: Location) -> Sequence[Transition]:
        return self.system.into.get(location.number, ())

    def holds(self, chain: Sequence[Transition], initially: bool) -> bool:
        oracle, formulas = self.oracle, list[Any]()
        for j, t in enumerate(chain):
            formulas.append(self._later(oracle, t, j))
        question = oracle.asked(formulas)
        assumed = []
        if initially:
            first = zip(chain[0].source.cells, self.system.values, strict=True)
            assumed = [oracle.literal((cell, v)) for cell, v in first]
        return oracle.is_possible(question, assumed)

    def _later(self, oracle: Oracle, t: Transition, j: int) -> Any:
        """What step `j` of a chain says."""
        solver = oracle.solver
        parts = [oracle.literal((later(c, j), answer)) for c, answer in t.known]  # type: ignore[arg-type]
        for n, values in t.box.items():
            parts.append(oracle.among(symbol(n + j * APART, t.widths[n]), values))
        parts += [oracle.among(later(c, j), s) for c, s in zip(t.source.cells, t.source.box, strict=True)]  # type: ignore[arg-type]
        if t.target is not None:
            for cell, v in zip(t.target.cells, t.cells, strict=True):
                new = solver.written(later(cell, j + 1))  # type: ignore[arg-type]
                own = solver.number(v, cell.width) if isinstance(v, int) else solver.written(later(v, j))  # type: ignore[arg-type]
                parts.append(solver.make("EQUAL", new, own))
        return oracle.conjunction(parts)


def later(t: Term, j: int) -> int | Term:
    if not j:
        return t
    return rewritten(t, lambda node: symbol(node.args[0] + j * APART, node.width) if node.op == SYMBOL else None)  # type: ignore[operator]
