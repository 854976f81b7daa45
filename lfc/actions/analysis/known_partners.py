"""Which slot can wait on which channel: of processes that the initialisation makes with arguments that are known.

A process waits on the channel that its event names. If that is a formal that nothing ever changes, a module's port, or
an element of an array of ports whose index is made of such formals and constants, each slot waits on one channel for
ever. Who seeks a partner on a channel then need not look at the slots of others (lfc/codegen/bodies/attempts.py), and
nobody shares a queue who is alone on its channel (lfc/codegen/bodies/offers.py). A formal that has one value in all
slots is that constant, with which checks and shifts fall away (lfc/codegen/expressions/designators.py).
"""

from __future__ import annotations

from collections.abc import Mapping

from lfc.actions.analysis.known_channels import index_in
from lfc.actions.model.machine import Body, Machine, PointClause, RecordLayout
from lfc.semantics.model import typed
from lfc.semantics.model.typed import Variable
from lfc.semantics.model.types import FixedType, is_port

Channels = tuple[int | None, ...]  # by slot of a record's process; None: nobody is ever in this slot


def channels_by_slot(machine: Machine, record: RecordLayout, body: Body, clause: PointClause) -> Channels | None:
    """None: some slot's channel is not known."""
    event, process = clause.event, body.process
    if not isinstance(event, typed.Send | typed.Receive) or process is None:
        return None
    slots = machine.known_processes.get(process)
    if slots is None or record.body is not body or body.called or body.domain != "program":
        return None
    if len(slots) > record.slots:
        return None  # it faults
    found = []
    for known in slots:
        channel = _channel(machine, event.port, known)
        if channel is None:
            return None
        found.append(channel)
    return (*found, *[None] * (record.slots - len(found)))


def _channel(machine: Machine, port: typed.Expr, known: Mapping[Variable, int]) -> int | None:
    match port:
        case typed.VariableRef(variable=v) if is_port(v.type):
            return known.get(v, machine.constant_ports.get(v))
        case typed.IndexRef(base=typed.VariableRef(variable=v), index=index):
            i = index_in(index, known)
            return None if i is None else machine.known_elements.get((v, i))
    return None


def known_formal(machine: Machine, body: Body, variable: Variable) -> int | None:
    """The value of a formal in every process that runs this body: the same in all of them, and nothing changes it."""
    slots = machine.known_processes.get(body.process, ()) if body.process is not None else ()
    if body.called or not body.created or body.domain != "program" or isinstance(variable.type, FixedType):
        return None
    values = {slot.get(variable) for slot in slots}
    return values.pop() if len(values) == 1 else None


def channel_of_element(machine: Machine, port: typed.Expr) -> int | None:
    """Of an array of ports, by a constant index: its channel, once it has one."""
    return _channel(machine, port, {}) if isinstance(port, typed.IndexRef) else None
