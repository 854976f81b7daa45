"""A program with properties that hold and that do not, for tests of searches and certificates."""

from __future__ import annotations

from lfc.actions.model.machine import Machine
from lfc.base.source import Source
from tests.differential.stepwise import machine_of_source

TURNS = """MODULE Turns;
TYPE Baton = [turn];
PORT first, second : Baton;
VAR critical : ARRAY 2 OF BOOLEAN; some : BOOLEAN;
PROPERTY exclusion = ALWAYS ~(critical[0] & critical[1]);
PROPERTY progress = ALWAYS EVENTUALLY some;
PROPERTY alternate = ALWAYS (TAKEN(second.turn) IMPLIES NEXT (~TAKEN(second.turn) UNTIL TAKEN(first.turn)));
PROPERTY ready = ALWAYS (TAKEN(second.turn) IMPLIES ~critical[0] & READY(Worker));
PROPERTY handed = ALWAYS EVENTUALLY TAKEN(second.turn);
PROPERTY never = EVENTUALLY ALWAYS ~some;
PROPERTY waits = ALWAYS EVENTUALLY WAITING(Worker);
PROCESS Worker(me : INTEGER; mine, others : Baton);
BEGIN
  LOOP
    mine?turn;
    critical[me] := TRUE; some := TRUE;
    RESCHEDULE;
    critical[me] := FALSE; some := FALSE;
    others!turn
  END
END Worker;
BEGIN
  NEW(first); NEW(second);
  CREATE Worker(0, first, second); CREATE Worker(1, second, first);
  first!turn
END Turns.
"""


def machine(text: str) -> Machine:
    return machine_of_source(Source("Program.lf", text))
