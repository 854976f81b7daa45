"""The interpreter does what the compiled program does."""

from __future__ import annotations

from pathlib import Path

import pytest

from lfc.mcheck.symbolic.values.preimages import TooMany
from tests.actions.machines import all_programs, machine_of_file
from tests.mcheck.symbolic.native_steps import Compared

PROGRAMS = [p for p in all_programs() if not p[0].endswith("_env")]
STEPS = 25
BEYOND = {"right/expr_wraps"}  # prints a sum of several wide inputs, digit by digit


@pytest.mark.parametrize(("name", "file", "environments"), PROGRAMS, ids=[name for name, _, _ in PROGRAMS])
def test_it_does_what_the_compiled_program_does(name: str, file: Path, environments: list[Path]) -> None:
    machine = machine_of_file(file, environments)
    if machine is None:
        pytest.skip("it is refused")
    compared = Compared(machine)
    if name in BEYOND:
        with pytest.raises(TooMany):
            compared.walk(STEPS)
        return
    compared.walk(STEPS)
    assert compared.ends and compared.events
