"""Programs with as many states as a test wants."""

from __future__ import annotations

from bench.checker.models import Model


def senders(n: int) -> str:
    return f"""MODULE Senders;
TYPE C = [s];
PORT c : C;
VAR i : INTEGER;
PROCESS Sender; BEGIN LOOP c!s END END Sender;
PROCESS Receiver; BEGIN LOOP c?s END END Receiver;
BEGIN
  NEW(c);
  FOR i := 1 TO {n} DO CREATE Sender END;
  CREATE Receiver
END Senders.
"""


def walkers(k: int, n: int) -> str:
    """k independent processes with n actions each."""
    steps = "; ".join(["RESCHEDULE"] * (n - 1) + ["x := 1"])
    return f"""MODULE Walkers;
VAR i : INTEGER;
PROCESS Walker; VAR x : INTEGER; BEGIN {steps} END Walker;
BEGIN FOR i := 1 TO {k} DO CREATE Walker END END Walkers.
"""


LARGE = """MODULE Large;
VAR a : ARRAY 40000 OF UINT8; x : INTEGER;
BEGIN LOOP INC(x); a[x MOD 40000] := 1; RESCHEDULE END
END Large.
"""

MANY = """MODULE Many;
VAR i, n : INTEGER;
PROCESS Walker; VAR x : INTEGER;
BEGIN
  FOR x := 1 TO 11 DO RESCHEDULE END;
  n := n + 1;
  ASSERT(n < 4)
END Walker;
BEGIN FOR i := 1 TO 4 DO CREATE Walker END END Many.
"""


def milner(n: int) -> str:
    return Model(f"Milner {n}", "milner", {"N": n}).lf()


# The slots of `Idle` and the channels of `all` come first, so that those of the others are past 255.
FEW_STATES = """MODULE Program;
CONST N = {count};
TYPE Line = [data(UINT8), give(Line)];
PORT all : ARRAY N OF Line; p, q : Line;
VAR i : INTEGER; x, y : UINT8;

PROCESS Idle(n : INTEGER) MAX N SERVER;
BEGIN
  all[n]?data(x)
END Idle;

PROCESS Giver(to : Line);
PORT mine : Line; VAR got : UINT8;
BEGIN
  NEW(mine);
  to!give(mine);
  SELECT
    WHEN mine?data(got) & (got > 0) THEN y := y + got
    WHEN to!data(3) THEN
  END
END Giver;

PROCESS Taker(from : Line);
PORT given : Line; VAR v : UINT8;
BEGIN
  from?give(given);
  CHOICE given!data(1) | given!data(0) | from?data(v); ASSERT(y = 0) END
END Taker;

PROCESS Later(a : Line);
BEGIN
  CREATE Giver(a); CREATE Taker(a)
END Later;

BEGIN
  FOR i := 0 TO N - 1 DO NEW(all[i]) END;
  NEW(p);
  CREATE Idle(N - 1);
  CREATE Later(p); CREATE Giver(p)
END Program.
"""


CHAINED = """MODULE Turns;
TYPE T = [m];
PORT p, q : T; VAR i, n : UINT8;
PROCESS Give(me : UINT8); VAR k : UINT8;
BEGIN
  FOR k := 1 TO 3 DO q!m; RESCHEDULE; n := n + me; RESCHEDULE END;
  {last}
END Give;
PROCESS Take; BEGIN LOOP q?m; RESCHEDULE; n := n MOD 5; RESCHEDULE END END Take;
BEGIN NEW(p); NEW(q); CREATE Take; FOR i := 1 TO 2 DO CREATE Give(i) END END Turns.
"""
STUCK = """MODULE Stuck; TYPE C = [m]; PORT p, q : C; VAR i : INTEGER;
PROCESS One; VAR n : INTEGER; BEGIN FOR n := 1 TO 9 DO RESCHEDULE END; p?m; q!m END One;
PROCESS Two; VAR n : INTEGER; BEGIN FOR n := 1 TO 9 DO RESCHEDULE END; q?m; p!m END Two;
PROCESS Tick; VAR n : INTEGER; BEGIN LOOP n := (n + 1) MOD 12; RESCHEDULE END END Tick;
BEGIN NEW(p); NEW(q); CREATE One; CREATE Two; FOR i := 1 TO 3 DO CREATE Tick END END Stuck.
"""
