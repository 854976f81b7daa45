"""The properties of a program, after a search that found nothing wrong.

It is only imported where there are properties. May import: `findings`, `doubts`, `properties`, `property_searches`,
`lassos`, `vacuity`, `lfc.actions`, `lfc.host`, `lfc.semantics`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lfc.actions.model import Machine
from lfc.host import report
from lfc.host.names import source_text, values
from lfc.mcheck.cycles import How, Lasso, Verdict
from lfc.mcheck.doubts import doubt_about
from lfc.mcheck.fairness import assumed_fairness
from lfc.mcheck.findings import Finding, Told
from lfc.mcheck.lassos import violating_run
from lfc.mcheck.properties import ProductSearch
from lfc.mcheck.property_searches import searched
from lfc.mcheck.resources import processors
from lfc.mcheck.search import Search
from lfc.mcheck.vacuity import remarks_on
from lfc.mcheck.watched import Watch, Watched
from lfc.semantics import typed
from lfc.semantics.walk import subexpressions

if TYPE_CHECKING:
    from lfc.mcheck.check import CheckOptions


def check_properties(
    machine: Machine, search: Search, watched: Watch, options: CheckOptions
) -> tuple[list[Finding], Told]:
    fair = assumed_fairness(machine, options.fairness, options.fair)
    told = Told()
    if fair:
        told.assumptions.append("fairness: " + ", ".join(f"{f.name} {f.kind}" for f in fair))
    product = ProductSearch(machine, search, watched, fair)
    findings: list[Finding] = []
    holding: list[Watched] = []
    how = How.NESTED if options.nested else How.COMPONENTS
    most = options.memory // PRODUCT_STATE_BYTES or options.states
    threads = options.threads or processors()
    for w, found in searched(product, watched.properties, how, most, threads, options.keep_going):
        entry: dict[str, object] = {"name": w.of.name, "verdict": VERDICTS[found.verdict]}
        entry |= {"states": found.states, "transitions": found.edges}
        told.properties.append(entry)
        if found.lasso is not None:
            finding = tell_property(machine, product, w, found.lasso)
            findings.append(finding)
            if doubt_about(finding, search.statistics.assumed):
                entry["verdict"] = "inconclusive"
            elif not options.keep_going:
                break
        elif found.verdict is not Verdict.NONE:
            why = REASONS_OF_CYCLES.get(found.verdict) or fault_met(machine, product, w, found.faulted)
            entry["reason"] = f"the search for violations of `{w.of.name}` {why}"
            told.reason = told.reason or str(entry["reason"])
            if found.verdict is not Verdict.FAULTED:
                break
        else:
            holding.append(w)
    if any(f.live for f in fair) and holding and not told.reason:
        if product.has_fair_run().verdict is Verdict.NONE:
            told.reason = "no run at all is fair, so the properties say nothing"
    if not told.reason:
        told.remarks = remarks_on(product, holding, options.report)
    return findings, told


PRODUCT_STATE_BYTES = 64  # about: the table, orders, groups, and its edges while it is on the way
VERDICTS = {
    Verdict.NONE: "holds",
    Verdict.FOUND: "property",
    Verdict.STOPPED: "inconclusive",
    Verdict.NO_MEMORY: "inconclusive",
    Verdict.FAULTED: "inconclusive",
}
REASONS_OF_CYCLES = {
    Verdict.STOPPED: "was stopped",
    Verdict.NO_MEMORY: "has no more memory",
}


def tell_property(machine: Machine, product: ProductSearch, w: Watched, lasso: Lasso) -> Finding:
    run = violating_run(machine, product, w, lasso)
    return Finding("property", f"`{w.of.name}` does not hold", w.of.span, run.steps, run.blocks, run=run)


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
