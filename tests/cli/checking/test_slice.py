"""`lfc slice` and `lfc check --for`: what stays as text, struck out and as data; what is refused."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.lfc import lfc

MODEL = Path(__file__).parents[3] / "examples" / "models" / "sumproduct.lf"


def test_the_lines_that_stay() -> None:
    done = lfc("slice", str(MODEL), "--for", "sum")
    assert done.exit == 0
    lines = done.out.split("\n")
    assert "   17      sum := sum + i;" in lines
    assert "    7  VAR gotSum,            : INTEGER;" in lines
    assert "product :=" not in done.out
    assert "PROCESS Product" not in done.out
    assert lines[-2] == "8 of 14 statements stay for sum"


def test_a_declaration_of_which_no_name_stays_goes_with_its_type(tmp_path: Path) -> None:
    (tmp_path / "Types.lf").write_text("""MODULE Types;
VAR x : INTEGER; y, z* : ARRAY 2 OF BOOLEAN; a, b : INTEGER;
  r : RECORD k : INTEGER; l : INTEGER END;
  w : INTEGER;

PROPERTY p = ALWAYS (x + b < 5);

PROCESS P;
VAR i : INTEGER;
BEGIN
  LOOP i := 1; y[0] := z[1]; a := i; r.k := a; w := r.k; x := (x + 1) MOD 3; b := x; RESCHEDULE END
END P;

BEGIN CREATE P END Types.
""")
    lines = [line.rstrip() for line in lfc("slice", str(tmp_path / "Types.lf"), "--for", "p").out.split("\n")]
    shown = {line[:5].strip(): " ".join(line[5:].split()) for line in lines}
    assert shown["2"] == "VAR x : INTEGER; , b : INTEGER;"
    assert shown["3"] == ": RECORD k : INTEGER; l : INTEGER END;"  # a semicolon is not the end of it
    assert "4" not in shown
    assert shown["9"] == "VAR"


def test_on_a_terminal_the_rest_is_struck_out() -> None:
    done = lfc("slice", str(MODEL), "--for", "sum", "--color", "always")
    assert "   18      \x1b[9;2mproduct := product * i\x1b[0m" in done.out.split("\n")
    assert "   17      sum := sum + i;" in done.out.split("\n")


def test_as_data() -> None:
    found = json.loads(lfc("slice", str(MODEL), "--for", "sum", "--json").out)
    assert (found["kept"], found["statements"], found["points_stay"]) == (8, 14, "")
    assert found["processes_gone"] == ["SumProduct.Product"]
    assert found["variables_gone"] == ["SumProduct.products", "SumProduct.gotProduct", "Compute.product"]
    (lines,) = found["lines"].values()
    assert 17 in lines
    assert not {15, 18, 21, *range(29, 33), 36, 39} & set(lines)


def test_the_check_of_a_slice() -> None:
    found = json.loads(lfc("check", str(MODEL), "--for", "sum", "--json").out)
    assert (found["verdict"], found["only"], found["states"], found["transitions"]) == ("holds", "sum", 8, 9)
    assert found["reductions"] == [{"name": "slice", "used": True, "reason": "", "statements": 6}]
    told = lfc("check", str(MODEL), "--for", "sum").out
    assert told.startswith("holds: sum; nothing else was checked\n")


def test_a_trace_leads_through_the_whole_program(tmp_path: Path) -> None:
    (tmp_path / "sumproduct.lf").write_text(MODEL.read_text().replace("DIV 2", "DIV 3"))
    done = lfc("check", "sumproduct.lf", "--for", "sum", "--trace", "trace", cwd=tmp_path)
    assert done.exit == 5
    followed = lfc("run", "sumproduct.lf", "--schedule", "trace", cwd=tmp_path)
    assert followed.exit == 0, followed.err


def test_what_there_is_to_claim() -> None:
    done = lfc("slice", str(MODEL), "--for", "magic")
    assert done.exit == 2
    assert "claims are faults, deadlock and the properties sum." in done.err
    assert lfc("check", str(MODEL), "--for", "magic").exit == 2


def test_a_part_is_no_record() -> None:
    done = lfc("check", str(MODEL), "--for", "sum", "-b", "uno")
    assert done.exit == 2
    assert "--for is a partial check" in done.err


def test_what_contradicts_a_claim() -> None:
    for claim, option, said in [
        ("sum", ("--property", "product"), "it excludes --property"),
        ("deadlock", ("--deadlocks", "allow"), "contradicts --deadlocks allow"),
    ]:
        done = lfc("check", str(MODEL), "--for", claim, *option)
        assert done.exit == 2 and said in done.err


PINS = """MODULE Pins;
IMPORT GPIO, Helper;
TYPE Colour = (red, green); Line = [data(INTEGER, Colour)];
PORT line : Line;
VAR now : BOOLEAN; n, m : INTEGER; c : Colour;

PROPERTY small = ALWAYS n < 5;

PROCESS Send;
VAR x : INTEGER; k : Colour;
BEGIN
  x := m; k := green; line!data(x, k); line!data(2, red)
END Send;

BEGIN
  GPIO.Configure(GPIO.LED, GPIO.output);
  NEW(line);
  CREATE Send;
  m := 3; line?data(m, c);
  line?data(n, c);
  Helper.Note(m, n)
END Pins.
"""
HELPER = """MODULE Helper;
VAR last*, other : INTEGER;
PROCESS Note*(a, b : INTEGER);
BEGIN
  last := a; other := b
END Note;
END Helper.
"""
PINS_SLICED = """MODULE Pins;
IMPORT GPIO, Helper;
TYPE Colour = (red, green); Line = [data(INTEGER, Colour)];
PORT line : Line;
VAR n, m : INTEGER; c : Colour;

PROPERTY small = ALWAYS n < 5;

PROCESS Send;
VAR x : INTEGER;
BEGIN
  x := m; line!data(x, red); line!data(2, red)
END Send;

BEGIN
  NEW(line);
  CREATE Send;
  m := 3; line?data(m, c);
  line?data(n, c)
END Pins.
"""


def verdict(*arguments: str | Path) -> tuple[str, int, list[str]]:
    told = json.loads(lfc("check", *arguments, "--reductions", "none", "--json").out)
    return told["verdict"], told["states"], [p["verdict"] for p in told["properties"]]


def test_a_slice_as_a_program(tmp_path: Path) -> None:
    """Names of one declaration, values of variables that have left, processes, other modules."""
    (tmp_path / "Pins.lf").write_text(PINS)
    (tmp_path / "Helper.lf").write_text(HELPER)
    out = tmp_path / "out"
    done = lfc("slice", tmp_path / "Pins.lf", "--for", "small", "-o", out)
    assert done.exit == 0 and f"written: {out / 'Helper.lf'}, {out / 'Pins.lf'}" in done.err
    assert (out / "Pins.lf").read_text() == PINS_SLICED
    assert "PROCESS" not in (out / "Helper.lf").read_text()
    assert verdict(out / "Pins.lf", "--for", "small") == verdict(tmp_path / "Pins.lf", "--for", "small")
    assert lfc("slice", tmp_path / "Pins.lf", "--for", "small", "-b", "uno", "-o", out).exit == 0
    for place, told in ((tmp_path / "x.lf", "has 2 modules of its own"), (tmp_path, "would write over")):
        refused = lfc("slice", tmp_path / "Pins.lf", "--for", "small", "-o", place)
        assert refused.exit == 2 and told in refused.err
    assert (tmp_path / "Pins.lf").read_text() == PINS


def test_a_slice_of_a_model_as_a_program(tmp_path: Path) -> None:
    place = tmp_path / "sum.lf"
    assert lfc("slice", MODEL, "--for", "sum", "-o", place).exit == 0
    assert "product :=" not in place.read_text() and "VAR gotSum : INTEGER;" in place.read_text()
    assert verdict(place) == verdict(MODEL, "--for", "sum")


def test_a_slice_that_cannot_be_written(tmp_path: Path) -> None:
    """The names of a record's fields may have semicolons behind them, so the end of a declaration is not known."""
    file = tmp_path / "Records.lf"
    file.write_text(
        "MODULE Records;\nVAR x : INTEGER; r : RECORD a, b : INTEGER END;\nPROPERTY p = ALWAYS x < 5;\n"
        "BEGIN\n  r.a := 1; x := 2\nEND Records.\n"
    )
    done = lfc("slice", file, "--for", "p", "-o", tmp_path / "x.lf")
    assert done.exit == 2 and "The slice cannot be written: the declaration of `r`" in done.err
    assert not (tmp_path / "x.lf").exists()
