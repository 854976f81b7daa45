"""The interpreter does what the compiled program does."""

from __future__ import annotations

from pathlib import Path

import pytest

from lfc.mcheck.symbolic.execution.decode import decode
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


def test_a_label_whose_comment_has_quotes() -> None:
    """Labels of inlined functions have quotes, and stand in the comments of others."""
    text = """
define i8 @f(i8 %a) {
entry:
  br label %"x.y@0"

"x.y@0":                                          ; preds = %entry
  br label %next

next:                                             ; preds = %"x.y@0"
  %r = phi i8 [ %a, %"x.y@0" ]
  ret i8 %r
}
"""
    assert len(decode(text).functions["@f"].blocks) == 3
