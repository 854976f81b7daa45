"""Inputs in the places of received values are read once, in polls too."""

from __future__ import annotations

import pytest

from tests.differential.stepwise import check_text

PROGRAM = """MODULE Once;
IMPORT SYSTEM;
TYPE C = [m(UINT8), pair(UINT8, UINT8)];
PORT c : C;
VAR a : ARRAY 4 OF UINT8; n : INTEGER;
PROCESS Send;
VAR i : UINT8;
BEGIN
  LOOP INC(i); c!m(i); c!pair(i, i) END
END Send;
PROCESS Receive;
VAR b : ARRAY 4 OF UINT8;
BEGIN
  LOOP
    SELECT
    WHEN c?m(a[PORTIN(30H) MOD 4]) & (a[0] < 200) THEN n := 1
    WHEN c?pair(b[PORTIN(31H) MOD 4], a[PORTIN(32H) MOD 4]) THEN n := 2
    ELSE n := 3
    END
  END
END Receive;
BEGIN
  NEW(c); CREATE Send; CREATE Receive
END Once.
"""


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("otherwise", [True, False])
def test_targets_that_read_ports(seed: int, otherwise: bool) -> None:
    text = PROGRAM if otherwise else PROGRAM.replace("    ELSE n := 3\n", "")
    for outcome in check_text(text, seed):
        assert outcome.difference is None
        assert outcome.steps == 300
