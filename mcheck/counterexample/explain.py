"""Of an error that a search has found: the way to it, gone again, and what is said of it.

A program in which nothing is wrong does without it.
"""

from __future__ import annotations

from lfc.actions.model.machine import Machine
from lfc.mcheck.counterexample.callers import called_from, model_to_add
from lfc.mcheck.counterexample.replay import Replayer
from lfc.mcheck.engine.abi import Error
from lfc.mcheck.result.finding import ASSERT, DEADLOCK, Finding, Verdict
from lfc.mcheck.search.search import Search
from lfc.run import report
from lfc.run.running import Fault
from lfc.run.wait_for_graph import waiting_circle
from lfc.trace.items import Item


def tell_error(machine: Machine, search: Search, error: Error) -> Finding:
    blocks = search.blocks_to(error.state)
    slot = search.real_slot(error.slot)
    replayer = Replayer(machine, search)
    clocks = search.clocks_to(error.state)
    steps = replayer.items_along(blocks, clocks=clocks)
    if error.kind == DEADLOCK:
        return tell_deadlock(machine, steps, blocks)
    items, fault = replayer.faulting_step(blocks, slot, error.fault_kind, error.fault_site, clocks)
    site = search.generated.sites[error.fault_site]
    kind = Verdict.ASSERTION if error.fault_kind == ASSERT else Verdict.FAULT
    message = report.fault_message(site, Fault(fault.kind, fault.site, fault.first, fault.second), machine)
    message += called_from(machine, site.span, slot)
    if error.fault_kind == report.ENVIRONMENT:
        message += model_to_add(machine, site.span, slot)
    return Finding(kind, message, site.span, [*steps, items], blocks, fault_kind=error.fault_kind)


def tell_deadlock(machine: Machine, steps: list[list[Item]], blocks: list[bytes]) -> Finding:
    waiting = report.who_waits(machine, blocks[-1])
    stuck = [p for p in waiting.processes if not report.may_wait(p)]
    names = ", ".join(p.name for p in stuck[:4]) + (" and others" if len(stuck) > 4 else "")
    verb = "waits" if len(stuck) == 1 else "wait"
    message = f"no process is ready; {names} {verb} forever"
    slots = [p.slot for p in stuck]
    circle = waiting_circle(machine, blocks[-1], slots)
    return Finding(Verdict.DEADLOCK, message, stuck[0].position.span, steps, blocks, slots, circle)


def tell_stuck(machine: Machine, search: Search, state: int, slots: list[int]) -> Finding:
    blocks = search.blocks_to(state)
    slots = [search.real_slot(s) for s in slots]
    steps = Replayer(machine, search).items_along(blocks, clocks=search.clocks_to(state))
    live = [p for p in report.who_waits(machine, blocks[-1]).processes if p.slot in slots]
    names = ", ".join(p.name for p in live)
    message = f"{names} {'waits' if len(live) == 1 else 'wait'} forever while other processes continue"
    circle = waiting_circle(machine, blocks[-1], slots)
    return Finding(Verdict.PARTIAL_DEADLOCK, message, live[0].position.span, steps, blocks, slots, circle)
