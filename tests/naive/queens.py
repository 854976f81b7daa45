"""The puzzle of the queens, counted by placing them row by row."""

from __future__ import annotations

from tests.naive.explorer import explore
from tests.naive.running import program_of, value


def queens(n: int) -> str:
    branches = "\n      OR ".join(f"column := {i}" for i in range(n))
    return f"""MODULE Queens;
CONST N = {n};
VAR place : ARRAY N OF 0 .. N - 1; row, column, other : 0 .. N; beaten : BOOLEAN;
BEGIN
  WHILE (row < N) & ~beaten DO
    CHOICE
      {branches}
    END;
    FOR other := 0 TO row - 1 DO
      IF (place[other] = column) OR (ABS(place[other] - column) = row - other) THEN beaten := TRUE END
    END;
    place[row] := column;
    INC(row)
  END
END Queens.
"""


def solutions(n: int) -> int:
    found = explore(program_of(queens(n)))
    assert found.complete
    return sum(value(found.states[e], "beaten") == 0 for e in found.ends)
