"""Programs composed with environments, from their texts."""

from __future__ import annotations

from lfc.actions.build import build_machine
from lfc.actions.model.machine import Machine
from lfc.base.source import Source
from lfc.diagnostics.model import Diagnostics
from lfc.front_end.load import check_source


def composed(text: str, environment: str) -> Machine:
    diagnostics = Diagnostics()
    program = check_source(Source("Main.lf", text), diagnostics, environments=[Source("Env.lf", environment)])
    assert program is not None and not diagnostics.has_errors, [(d.code, d.message) for d in diagnostics.items]
    machine = build_machine(program, diagnostics)
    assert not diagnostics.has_errors and machine.environment is not None
    return machine
