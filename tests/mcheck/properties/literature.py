"""Published models with what holds of them under which fairness."""

from __future__ import annotations

from lfc.actions.model.machine import Machine
from lfc.base.source import Source
from tests.differential.stepwise import machine_of_source

COLLEGE = """MODULE College;
CONST N = {n};
TYPE Hand = [get, put];
PORT fork : ARRAY N OF Hand;
VAR i : INTEGER;
PROPERTY somebody = ALWAYS EVENTUALLY ({puts});
PROCESS Fork(hand : Hand) SERVER;
BEGIN
  LOOP hand?get; hand?put END
END Fork;
PROCESS Philosopher(left, right : Hand);
BEGIN
  LOOP right!get; left!get; right!put; left!put END
END Philosopher;
BEGIN
  FOR i := 0 TO N - 1 DO NEW(fork[i]); CREATE Fork(fork[i]) END;
  FOR i := 0 TO N - 1 DO CREATE Philosopher(fork[i], fork[(i + 1) MOD N]) END
END College.
"""
OF_THE_LITERATURE = ("weak-live Philosopher right!get", "weak-live Fork hand?put")


def machine(text: str) -> Machine:
    return machine_of_source(Source("Program.lf", text))
