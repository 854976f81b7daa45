"""Images of programs with PROCEDUREs, bits and tables in flash: the machine code does what the program does."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.mcheck.image.images import built

PROCEDURES = """MODULE Procedures;
TYPE Msg = [m(UINT16)];
VAR last, seed : UINT16;
PORT c : Msg;

PROCEDURE Clamp(x, low, high : UINT16) : UINT16;
BEGIN
  IF x < low THEN RETURN low ELSIF x > high THEN RETURN high END;
  RETURN x
END Clamp;

PROCEDURE Next() : UINT16 WRITES seed;
BEGIN
  seed := BAND(seed * 3 + 1, 7);
  IF 2 IN seed THEN RETURN SETBITS(seed, 0, 1, 2) END;
  RETURN seed
END Next;

PROCESS P(out : Msg);
VAR k : UINT16;
BEGIN
  LOOP k := Next(); out!m(Clamp(k, 2, 5)) END
END P;

PROCESS Q(in : Msg);
VAR x : UINT16;
BEGIN
  LOOP
    SELECT
      WHEN in?m(x) & (Clamp(x, 1, 4) = x) THEN last := x
      WHEN in?m(x) & (Clamp(x, 1, 4) # x) THEN last := Clamp(last, 3, 3)
    END
  END
END Q;
BEGIN
  NEW(c); CREATE P(c); CREATE Q(c)
END Procedures.
"""
TABLES = """MODULE Tables;
TYPE
  Row = ARRAY 3 OF UINT16;
  Point = RECORD x : INT16; y : UINT8; name : ARRAY 4 OF CHAR END;
  Msg = [point(Point), row(Row)];
CONST
  Squares : ARRAY 5 OF INTEGER = [0, 1, 4, 9, -16];
  Grid : ARRAY 2 OF Row = [[1, 2, 300], [4, 5, 65535]];
  Points : ARRAY 3 OF Point = [[1, 2, "ab"], [x := -300, name := "xyz"], [0, 255, ""]];
VAR sum, i : INTEGER; copy : ARRAY 5 OF INTEGER := Squares; row : Row; p : Point := Points[1]; q : Point;
PORT c : Msg;

PROCEDURE Sum(a : ARRAY OF INTEGER) : INTEGER;
VAR i, s : INTEGER;
BEGIN
  FOR i := 0 TO LEN(a) - 1 DO s := s + a[i] END;
  RETURN s
END Sum;

PROCEDURE Middle(p : Point) : INTEGER;
BEGIN
  RETURN p.x + ORD(p.name[1]) + Squares[ORD(p.name[0]) MOD 5]
END Middle;

PROCEDURE Last(a : ARRAY OF Point) : INTEGER;
VAR p : Point;
BEGIN
  p := a[LEN(a) - 1];
  RETURN p.y + Middle(a[1])
END Last;

PROCESS Total(a : ARRAY OF Row; r : Row; VAR t : INTEGER);
VAR i, j : INTEGER;
BEGIN
  FOR i := 0 TO LEN(a) - 1 DO FOR j := 0 TO 2 DO t := t + INTEGER(a[i, j]) END END;
  t := t + INTEGER(r[1])
END Total;

PROCESS Send(out : Msg; n : INTEGER);
VAR i : INTEGER := n - 1; r : Row := Grid[0];
BEGIN
  WHILE i >= 0 DO
    out!point(Points[i]);
    r[0] := r[0] + Grid[1, i];
    out!row(Grid[i MOD 2]);
    DEC(i)
  END
END Send;
BEGIN
  NEW(c);
  CREATE Send(c, 3);
  FOR i := 0 TO 2 DO
    c?point(q); c?row(row);
    ASSERT((q.x = Points[2 - i].x) & (q.name = Points[2 - i].name));
    sum := sum + INTEGER(row[2])
  END;
  Total(Grid, Grid[1], sum);
  sum := sum + Sum(Squares) + Sum(copy) + Last(Points) + Middle(p);
  ASSERT(sum = 131880)
END Tables.
"""


@pytest.mark.parametrize("board", ["uno", "microbit", "bluepill"])
@pytest.mark.parametrize("text", [PROCEDURES, TABLES], ids=["procedures", "tables"])
def test_an_image_does_what_the_program_does(text: str, board: str, tmp_path: Path) -> None:
    file = tmp_path / "Program.lf"
    file.write_text(text)
    with built(file, board) as b:
        assert b.search.statistics.states > 15
        result = b.check()
        assert [m.kind.name for m in result.mismatches] == []
        assert result.states == b.search.statistics.states and not result.stopped and result.executions > 0


def test_a_table_takes_no_ram(tmp_path: Path) -> None:
    """Indexed, passed and compared where it lies: RAM is the same whatever its length is."""
    sizes = []
    for length in (4, 200):
        numbers = ", ".join(str(n % 7) for n in range(length))
        file = tmp_path / f"Table{length}.lf"
        file.write_text(f"""MODULE Table{length};
CONST Table : ARRAY {length} OF UINT16 = [{numbers}];
VAR i, sum : INTEGER;

PROCEDURE Sum(a : ARRAY OF UINT16; from : INTEGER) : INTEGER;
VAR i, s : INTEGER;
BEGIN
  FOR i := from TO LEN(a) - 1 DO s := s + INTEGER(a[i]) END;
  RETURN s
END Sum;
BEGIN
  RESCHEDULE;
  i := (i + 3) MOD LEN(Table);
  sum := INTEGER(Table[i]) + Sum(Table, i)
END Table{length}.
""")
        with built(file, "uno") as b:
            assert [m.kind.name for m in b.check().mismatches] == []
            sizes.append((b.machine.layout.size, b.firmware.stack.main))
    (block, stack), (block_of_long, stack_of_long) = sizes
    assert block == block_of_long == 12 and stack_of_long <= stack + 4


@pytest.mark.parametrize("board", ["uno", "microbit"])
def test_a_fault_after_a_loop_has_the_number_that_the_host_gives_it(tmp_path: Path, board: str) -> None:
    """On the host a loop has a check of its own, of its rounds; a board has none, and numbers it all the same."""
    file = tmp_path / "Late.lf"
    file.write_text("""MODULE Late;
VAR i, n : INTEGER; a : ARRAY 5 OF INTEGER;
BEGIN
  FOR i := 0 TO 1 DO RESCHEDULE; n := n + 3 END;
  n := a[n]
END Late.
""")
    with built(file, board) as b:
        result = b.check()
        assert [m.kind.name for m in result.mismatches] == [] and result.executions > 0
