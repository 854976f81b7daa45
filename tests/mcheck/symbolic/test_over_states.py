"""What the states of a search say of a property, where that takes long."""

from __future__ import annotations

from itertools import count
from types import SimpleNamespace
from typing import Any

import pytest

from lfc.mcheck.ltl.automaton import Automaton, Kind, Transition
from lfc.mcheck.ltl.scc import Strength
from lfc.mcheck.symbolic.properties.over_states import NotTold, OverStates


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
