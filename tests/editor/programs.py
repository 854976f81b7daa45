"""Programs that several tests and measurements of the language server want."""

from __future__ import annotations

from tests.conftest import ROOT

# A slip of the fingers in the name of a message.
SLIP = (ROOT / "examples" / "prodcons.lf").read_text(encoding="utf-8").replace("out!data(i)", "out!dta(i)")
# Every kind of claim, each verdict of its own.
MIXED = """MODULE Mixed;
TYPE Msg = [a, b];
PORT p : Msg;
VAR x, y : INTEGER;
PROPERTY low = ALWAYS (x < 2);
PROPERTY fine = ALWAYS (x < 5);
PROCESS Left;
BEGIN
  x := 1; p!a; x := 2; p!a; x := 3; ASSERT(x = 4)
END Left;
PROCESS Right;
BEGIN
  p?a; y := 1; ASSERT(y = 1); p?a; p?b
END Right;
BEGIN
  NEW(p); CREATE Left; CREATE Right
END Mixed.
"""
# More states than anybody waits for.
ENDLESS = """MODULE Endless;
VAR a, b, c, d : INTEGER;
PROCESS Count(VAR n : INTEGER) MAX 4;
BEGIN
  LOOP INC(n); IF n = 100000 THEN n := 0 END; RESCHEDULE END
END Count;
BEGIN
  CREATE Count(a); CREATE Count(b); CREATE Count(c); CREATE Count(d)
END Endless.
"""
