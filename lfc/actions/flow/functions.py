"""The flow graphs of PROCEDUREs without an effect: made when asked for, and no part of the machine's bodies."""

from __future__ import annotations

from lfc.actions.flow.lower import Surroundings, lower_process
from lfc.actions.model.machine import Body, Machine
from lfc.semantics.model.typed import Process


def function_body(machine: Machine, process: Process) -> Body:
    found = machine.functions.get(process)
    if found is None:
        name = process.qualified_name
        found = Body(name, process, "function", False, list(process.formals), {}, list(process.locals), called=True)
        found.has_positions = False
        lower_process(found, process, Surroundings({}, {}, {}, set()))
        machine.functions[process] = found
    return found
