"""The properties of a program, after a search that found nothing wrong.

It is only imported where there are properties.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import chain
from typing import TYPE_CHECKING

from lfc.actions.model.machine import Machine
from lfc.codegen.expressions.atoms import MOST_ATOMS
from lfc.mcheck.counterexample.doubts import doubt_about
from lfc.mcheck.ltl.atoms import formula_of
from lfc.mcheck.properties.emptiness import Found, How, Lasso, Verdict
from lfc.mcheck.properties.in_parallel import searched
from lfc.mcheck.properties.lasso import violating_run
from lfc.mcheck.properties.product import ProductSearch
from lfc.mcheck.properties.unwind_lasso import TooLong
from lfc.mcheck.properties.vacuity import remarks_on
from lfc.mcheck.reduction.common.reduction import Question
from lfc.mcheck.request.property import Watched
from lfc.mcheck.result import reasons
from lfc.mcheck.result.finding import Finding
from lfc.mcheck.result.finding import Verdict as Answer
from lfc.mcheck.result.result import Told
from lfc.mcheck.search.search import Search, Stop
from lfc.run import report
from lfc.run.names import source_text, values
from lfc.semantics.model import typed
from lfc.semantics.model.visit import subexpressions

if TYPE_CHECKING:
    from lfc.mcheck.engine.abi import Error
    from lfc.mcheck.properties.beside import Beside
    from lfc.mcheck.properties.invariants import Invariants


class PropertyChecks:
    """The check of all of them. Those for which `search` leaves out too much are looked for in other searches, one for
    each set of reductions that must not be used; their states are not looked at before."""

    def __init__(
        self,
        question: Question,
        search: Search,
        apart: Mapping[str, frozenset[str]],
        make_other: Callable[[frozenset[str], Iterable[Search]], Search],
        invariants: Invariants | None = None,
    ) -> None:
        """`apart`: by name, the reductions without which a property is looked for; `make_other` makes a search without
        some, beside others that take up memory, too. `invariants`: what `search` has watched, to its end."""
        self.machine, self.request, self.watched = question.machine, question.request, question.watched
        self.search, self.apart, self.make_other, self.fair = search, apart, make_other, question.fair
        self.how = How.NESTED if self.request.claims.nested else How.COMPONENTS
        limits = question.request.limits
        self.most = limits.memory // PRODUCT_STATE_BYTES or limits.states
        self.findings: list[Finding] = []
        self.told = Told()
        self.holding: list[Watched] = []  # in one product
        self.others: dict[frozenset[str], ProductSearch] = {}
        self.decided = {} if invariants is None else invariants.decided(Stop.COMPLETE)  # by name, what is known of it
        self.violated = () if invariants is None else invariants.violated()  # names

    def check(self) -> tuple[list[Finding], Told]:
        told = self.told
        if self.fair:
            told.assumptions.append("fairness: " + ", ".join(f"{f.name} {f.kind}" for f in self.fair))
        groups: dict[frozenset[str], list[Watched]] = {ALL_USED: []}
        for w in self.watched.properties:
            if w.of.name in self.violated:
                continue
            groups.setdefault(self.apart.get(w.of.name, ALL_USED), []).append(w)
        try:
            for without, properties in groups.items():
                # If there was an interruption meanwhile, it is said of these that they are left open.
                if properties and not self.look_for(self.product_without(without), properties):
                    break
                self.close(without)
        finally:
            for without in tuple(self.others):
                self.close(without)
        order = [w.of.name for w in self.watched.properties]
        told.properties.sort(key=lambda entry: order.index(str(entry["name"])))
        return self.findings, told

    def product_without(self, without: frozenset[str]) -> ProductSearch:
        if without == ALL_USED:
            return ProductSearch(self.machine, self.search, self.watched, self.fair)
        if without not in self.others:
            search = self.make_other(without, self.search.siblings)
            self.search.siblings.append(search)
            if self.search.interrupted:
                search.interrupt()
            self.others[without] = ProductSearch(self.machine, search, self.watched, self.fair)
        return self.others[without]

    def close(self, without: frozenset[str]) -> None:
        if without in self.others:
            search = self.others.pop(without).search
            self.search.siblings.remove(search)
            search.close()

    def look_for(self, product: ProductSearch, properties: list[Watched]) -> bool:
        """False: what comes after is not looked for."""
        told, holding = self.told, list[Watched]()
        goes_on = self.search_in(product, properties, holding)
        if any(f.live for f in self.fair) and holding and not told.reason:
            verdict = product.has_fair_run().verdict
            if verdict is Verdict.NONE:
                told.reason = "no run is fair, so the properties hold vacuously"
            elif verdict is not Verdict.FOUND:
                told.reason = f"the search for a fair run {REASONS_OF_CYCLES[verdict]}"
        if not told.reason:
            told.remarks |= remarks_on(product, holding, self.request.details.report)
        return goes_on

    def search_in(self, product: ProductSearch, properties: list[Watched], holding: list[Watched]) -> bool:
        goes_on, threads = self.request.claims.keep_going, self.request.limits.threads
        known = [(w, self.decided[w.of.name]) for w in properties if w.of.name in self.decided]
        unknown = [w for w in properties if w.of.name not in self.decided]
        for w, found in chain(known, searched(product, unknown, self.how, self.most, threads, goes_on)):
            entry: dict[str, object] = {"name": w.of.name, "verdict": VERDICTS[found.verdict]}
            entry |= {"states": found.states, "transitions": found.edges}
            self.told.properties.append(entry)
            if found.lasso is not None:
                finding = self.tell(product, w, found.lasso, entry)
                if finding is None:
                    continue
                self.findings.append(finding)
                if doubt_about(finding, self.search.statistics.assumed):
                    entry["verdict"] = Answer.INCONCLUSIVE
                elif not goes_on:
                    return False
            elif found.verdict is not Verdict.NONE:
                why = REASONS_OF_CYCLES.get(found.verdict) or fault_met(self.machine, product, w, found.faulted)
                self.leave_open(w, entry, why)
                if found.verdict is not Verdict.FAULTED:
                    return False
            else:
                holding.append(w)
        return True

    def tell(self, product: ProductSearch, w: Watched, lasso: Lasso, entry: dict[str, object]) -> Finding | None:
        """None: it cannot be shown."""
        try:
            return tell_property(self.machine, product, w, lasso)
        except TooLong as too_long:
            exchanging = {c.name for c, a in self.search.attached.items() if a.exchanges}
            other = self.product_without(self.apart.get(w.of.name, ALL_USED) | exchanging)
            found = other.run(w, self.how, self.most)
            if found.lasso is not None:
                return tell_property(self.machine, other, w, found.lasso)
            entry["verdict"] = Answer.INCONCLUSIVE
            self.leave_open(w, entry, NOT_SHOWN.format(too_long))
            return None

    def leave_open(self, w: Watched, entry: dict[str, object], why: str) -> None:
        entry["reason"] = f"the search for violations of `{w.of.name}` {why}"
        self.told.reason = self.told.reason or str(entry["reason"])


def told_on_the_fly(invariants: Invariants, error: Error, told: Told) -> Finding:
    """Of a violation that the search of the states has met."""
    s, (w, lasso) = invariants.search.statistics, invariants.lasso(error)
    return told_early(invariants.product, w, Found(Verdict.FOUND, lasso, s.states, s.transitions, 0, 0), told)


def told_beside(beside: Beside, told: Told) -> list[Finding]:
    """Of those that were found beside the search of the states."""
    told_ones = []
    for w, found in beside.found:
        try:
            told_ones.append(told_early(beside.product, w, found, told))
        except TooLong as too_long:
            told.properties[-1]["verdict"] = Answer.INCONCLUSIVE
            told.reason = f"the search for violations of `{w.of.name}` {NOT_SHOWN.format(too_long)}"
    return told_ones


def told_early(product: ProductSearch, w: Watched, found: Found, told: Told) -> Finding:
    assert found.lasso is not None
    entry: dict[str, object] = {"name": w.of.name, "verdict": Answer.PROPERTY}
    told.properties.append(entry | {"states": found.states, "transitions": found.edges})
    finding = tell_property(product.search.machine, product, w, found.lasso)
    if doubt_about(finding, product.search.statistics.assumed):
        told.properties[-1]["verdict"] = Answer.INCONCLUSIVE
    return finding


def leave_open_all(properties: Iterable[Watched], stop: Stop) -> Told:
    """Of properties whose own search did not come to its end."""
    told, why = Told(), reasons.STOPPED.get(stop, "it did not come to its end")
    for w in properties:
        said = f"the states for `{w.of.name}` were not all searched: {why}"
        told.properties.append(
            {"name": w.of.name, "verdict": Answer.INCONCLUSIVE, "states": 0, "transitions": 0, "reason": said}
        )
        told.reason = told.reason or said
    return told


def leave_too_wide(properties: Iterable[typed.Property], told: Told) -> None:
    for p in properties:
        assert p.formula is not None
        atoms = len(formula_of(p.formula).atoms)
        why = f"`{p.name}` has {atoms} atoms; a formula of more than {MOST_ATOMS} cannot be checked: split it"
        told.properties.append(
            {"name": p.name, "verdict": Answer.INCONCLUSIVE, "states": 0, "transitions": 0, "reason": why}
        )
        told.reason = told.reason or why


ALL_USED: frozenset[str] = frozenset()
PRODUCT_STATE_BYTES = 64  # about: the table, orders, groups, and its edges while it is on the way
VERDICTS = {
    Verdict.NONE: Answer.HOLDS,
    Verdict.FOUND: Answer.PROPERTY,
    Verdict.STOPPED: Answer.INCONCLUSIVE,
    Verdict.NO_MEMORY: Answer.INCONCLUSIVE,
    Verdict.FAULTED: Answer.INCONCLUSIVE,
}
NOT_SHOWN = "found a violation that cannot be reconstructed: {}"
REASONS_OF_CYCLES = {
    Verdict.STOPPED: "was stopped",
    Verdict.NO_MEMORY: "ran out of memory",
}


def tell_property(machine: Machine, product: ProductSearch, w: Watched, lasso: Lasso) -> Finding:
    run = violating_run(machine, product, w, lasso)
    return Finding(Answer.PROPERTY, f"`{w.of.name}` does not hold", w.of.span, run.steps, run.blocks, run=run)


def fault_met(machine: Machine, product: ProductSearch, w: Watched, faulted: tuple[int, int]) -> str:
    """In which of its expressions, and what the variables were that it reads."""
    root, what = faulted
    if w.automaton is None:
        span, read = product.search.generated.sites[what & 0xFFFF].span, set[str]()
    else:
        atom = product.watched.atoms[next(n for n in w.atoms if what >> n & 1)]
        span, read = atom.span, {x.variable.name for x in subexpressions(atom) if isinstance(x, typed.VariableRef)}
    known = values(machine, product.block(root))
    where = ", ".join(f"{name} = {text}" for name, text in known.items() if name.rpartition(".")[2] in read)
    return f"met a fault in `{source_text(span)}` ({report.place(span)})" + (f", where {where}" if where else "")
