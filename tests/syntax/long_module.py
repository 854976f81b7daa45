"""A module of ten thousand lines, to measure how long the front end takes."""

from __future__ import annotations

ONE = """
PROCESS Producer{0}(out : Msg; n : INTEGER);
CONST LIMIT = 10 + {0} MOD 7;
VAR i, j : INTEGER; a : ARRAY 10 OF INTEGER; done : BOOLEAN;
BEGIN
  i := 0; (* start *)
  WHILE i < LIMIT DO
    a[i MOD 10] := a[(i + 1) MOD 10] * 3 - j DIV 2;
    IF (i > 3) & ~done THEN
      out!data(i + a[i MOD 10])
    ELSIF i = 9 THEN done := TRUE
    ELSE
      INC(i, 2); Out.Int(a[j])
    END;
    CASE i OF 1: j := 3 | 2..4: j := i + 4 ELSE j := 0 END;
    SELECT
      WHEN out?data(j) & (j > 3) THEN Out.Int(j)
      WHEN out?end THEN done := FALSE
    END;
    FOR j := 0 TO 9 DO a[j] := a[j] + i * j END;
    INC(i)
  END;
  out!end
END Producer{0};
"""


def ten_thousand_lines() -> str:
    text = "MODULE Big;\nIMPORT Out;\nTYPE Msg = [data(INTEGER), end];\n"
    text += "".join(ONE.format(n) for n in range(10_000 // ONE.count("\n") + 1)) + "END Big.\n"
    assert text.count("\n") > 10_000
    return text
