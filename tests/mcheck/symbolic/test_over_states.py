"""What the states of a search say of a property, where that takes long."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from types import SimpleNamespace
from typing import Any

import pytest

from lfc.actions.model.machine import Machine
from lfc.mcheck.ltl.automaton import Automaton, Kind, Transition
from lfc.mcheck.ltl.scc import Strength
from lfc.mcheck.properties.product import watch
from lfc.mcheck.reduction.dead_variables.dead_variables import Reset
from lfc.mcheck.request.request import request_from
from lfc.mcheck.result.finding import Verdict
from lfc.mcheck.symbolic.execution import code
from lfc.mcheck.symbolic.explore import Exploration, Limits, SymbolicProgram
from lfc.mcheck.symbolic.properties.check_property import Budget, told_by_states
from lfc.mcheck.symbolic.properties.over_states import NotTold, OverStates
from lfc.semantics.model import typed
from tests.actions.machines import machine_of_text


class One:
    wide = False


def test_time_is_looked_at_however_many_states_a_step_adds() -> None:
    """Two by each: so there are an odd number of them at each look."""
    looks, steps = count(), count()

    def following(_: object) -> list[One]:
        return [One(), One()] if next(steps) < 300 else []

    loop = Transition(0, 0, 0, ((0, 0),))
    automaton = Automaton((), 1, 0, (loop,), 0, False, (0,), (Strength.REJECTING,), Kind.OTHER, False)
    over: Any = SimpleNamespace(found=SimpleNamespace(states=[One()]), _next=following)
    with pytest.raises(NotTold):
        OverStates._counted(over, automaton, lambda _: [0], lambda: next(looks) == 2)
    assert next(steps) == 3 * 64 - 1


def test_no_property_is_compiled_when_time_is_up(monkeypatch: pytest.MonkeyPatch) -> None:
    text = """MODULE Main;
VAR v : UINT8;
PROPERTY few = ALWAYS (v < 9);
PROPERTY fewer = ALWAYS (v < 8);
PROCESS P;
BEGIN v := PORTIN(78H) MOD 8 END P;
BEGIN CREATE P END Main.
"""
    machine = machine_of_text(text)
    watched = watch(machine, machine.program.main.properties)
    request = request_from(data="symbolic")
    found = Exploration(SymbolicProgram(machine, request.world, Reset(machine).places), Limits())
    found.run()
    compiled, decoded_program = count(), code.decoded_program

    def counted(machine: Machine, atoms: Sequence[typed.Expr] = ()) -> object:
        next(compiled)
        return decoded_program(machine, atoms)

    monkeypatch.setattr(code, "decoded_program", counted)
    assert told_by_states(found, [watched], Budget(0.0, lambda: True)) == {}
    assert next(compiled) == 0
    told = told_by_states(found, [watched], Budget(0.0, lambda: False))
    assert {name: a.verdict for name, a in told.items()} == {"few": Verdict.HOLDS, "fewer": Verdict.HOLDS}
    assert next(compiled) == 3
