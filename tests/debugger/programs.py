"""What several tests debug."""

from __future__ import annotations

from tests.cli.lfc import ROOT

PHILOSOPHERS = ROOT / "examples" / "philosophers.lf"
PRODCONS = ROOT / "examples" / "prodcons.lf"

COUNTING = """\
MODULE Counting;
VAR n, last : INTEGER;
BEGIN
  WHILE n < 5 DO
    n := n + 1;
    IF n = 3 THEN last := 7 END;
    RESCHEDULE
  END;
  ASSERT(last = 8)
END Counting.
"""

CROSSING = """\
MODULE Crossing;
VAR inside, n : INTEGER; open : BOOLEAN;

PROPERTY alone = ALWAYS (inside < 2);
PROPERTY opens = EVENTUALLY open;

PROCESS Walker;
BEGIN
  INC(inside);
  RESCHEDULE;
  INC(n);
  RESCHEDULE;
  DEC(inside)
END Walker;

BEGIN
  CREATE Walker; CREATE Walker
END Crossing.
"""
