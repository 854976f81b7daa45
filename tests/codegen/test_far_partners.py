"""Partners at a known distance: in a process with many slots, who has none there is not taken for one that has."""

from __future__ import annotations

import re

import pytest

from lfc.codegen.module.target import AVR
from lfc.codegen.program import generate
from tests.actions.machines import machine_of_text

TEXT = """MODULE Far;
TYPE L = [a];
VAR i : UINT8;
PORT c : ARRAY {n} OF L; none : L;

PROCESS P(out, in : L; sends : BOOLEAN) MAX {n};
BEGIN IF sends THEN out!a ELSE in?a END END P;

BEGIN
  NEW(none);
  FOR i := 0 TO {n} - 1 DO NEW(c[i]) END;
  FOR i := 0 TO {n} - 2 DO CREATE P(none, c[i], TRUE) END;
  CREATE P(c[0], c[{n} - 1], TRUE)
END Far.
"""


@pytest.mark.parametrize(("slots", "width"), [(128, "i8"), (129, "i16"), (150, "i16")])
def test_a_place_that_is_no_slot_does_not_come_round_to_one(slots: int, width: str) -> None:
    """Of 150, the partner of the 29th would be at -120, which is 136 in a byte."""
    machine = machine_of_text(TEXT.format(n=slots))
    text = generate(machine, AVR).ir
    compared = re.findall(rf"= icmp ult i16 %\w+, {slots}$", text, re.MULTILINE)
    assert len(compared) == (4 if width == "i16" else 2)  # two are checks of an index; to seek and to take
    assert text.count("@lf_seek_receiver_at(") == 2  # one declares it
