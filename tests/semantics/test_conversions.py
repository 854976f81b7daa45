"""What goes where, and by which conversion."""

from __future__ import annotations

import pytest

from lfc.semantics.analyse import analyse_text
from tests.semantics.show import assigned, statement_codes

INTEGERS = {
    "i8": (-(2**7), 2**7 - 1),
    "u8": (0, 2**8 - 1),
    "i16": (-(2**15), 2**15 - 1),
    "u16": (0, 2**16 - 1),
    "i": (-(2**31), 2**31 - 1),
    "u32": (0, 2**32 - 1),
}
NAMES = {"i8": "INT8", "u8": "UINT8", "i16": "INT16", "u16": "UINT16", "i": "INTEGER", "u32": "UINT32"}
COMMON = {
    ("i8", "u8"): "INT16",
    ("i8", "i16"): "INT16",
    ("i8", "u16"): "INTEGER",
    ("i8", "i"): "INTEGER",
    ("u8", "i16"): "INT16",
    ("u8", "u16"): "UINT16",
    ("u8", "i"): "INTEGER",
    ("u8", "u32"): "UINT32",
    ("i16", "u16"): "INTEGER",
    ("i16", "i"): "INTEGER",
    ("u16", "i"): "INTEGER",
    ("u16", "u32"): "UINT32",
    ("i8", "u32"): None,
    ("i16", "u32"): None,
    ("i", "u32"): None,
}


@pytest.mark.parametrize("target", INTEGERS)
@pytest.mark.parametrize("source", INTEGERS)
def test_integers_widen_and_never_narrow(target: str, source: str) -> None:
    inside = INTEGERS[target][0] <= INTEGERS[source][0] and INTEGERS[source][1] <= INTEGERS[target][1]
    if target == source:
        assert assigned(f"{target} := {source}") == source
    elif inside:
        assert assigned(f"{target} := {source}") == f"{NAMES[target]}({source})"
    else:
        assert statement_codes(f"{target} := {source}") == ["LF0402"]


@pytest.mark.parametrize(("pair", "common"), COMMON.items())
def test_operands_take_the_smallest_type_that_holds_both(pair: tuple[str, str], common: str | None) -> None:
    for left, right in (pair, pair[::-1]):
        if common is None:
            assert statement_codes(f"b := {left} < {right}") == ["LF0404"]
            continue
        shown = [name if NAMES[name] == common else f"{common}({name})" for name in (left, right)]
        assert assigned(f"b := {left} < {right}") == f"(< {common} {shown[0]} {shown[1]})"


@pytest.mark.parametrize("name", INTEGERS)
def test_an_integer_constant_fits_or_is_an_error(name: str) -> None:
    low, high = INTEGERS[name]
    for value in (low, high):
        assert assigned(f"{name} := {value}") == f"{value}:{NAMES[name]}"
    for value in (low - 1, high + 1):
        if -(2**31) <= value < 2**32:
            assert statement_codes(f"{name} := {value}") == ["LF0502"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # a constant operand takes the other's type if it fits, else the smallest that holds both
        ("u8 := u8 + 1", "(+ UINT8 u8 1:UINT8)"),
        ("i := u8 + 300", "INTEGER((+ INT16 INT16(u8) 300:INT16))"),
        ("i := u8 + 40000", "INTEGER((+ UINT16 UINT16(u8) 40000:UINT16))"),
        ("i := u8 - (-1)", "INTEGER((- INT16 INT16(u8) -1:INT16))"),
        ("i16 := i8 + 200", "(+ INT16 INT16(i8) 200:INT16)"),
        ("u32 := u32 + 4294967295", "(+ UINT32 u32 4294967295:UINT32)"),
        ("i := i8 + small", "INTEGER((+ INT16 INT16(i8) 5:INT16))"),
        ("i8 := i8 + five", "(+ INT8 i8 5:INT8)"),
        ("i8 := small", "5:INT8"),
        # the result has the operands' type, then it is widened
        ("i := u8 * u8", "INTEGER((* UINT8 u8 u8))"),
        ("i := i8 + i16 * u8", "INTEGER((+ INT16 INT16(i8) (* INT16 i16 INT16(u8))))"),
        # subranges compute as INTEGER, CHAR or the enumeration
        ("i := d + 1", "(+ INTEGER INTEGER(d) 1:INTEGER)"),
        ("i := d", "INTEGER(d)"),
        ("i8 := d", "INT8(d)"),
        ("u32 := d", "UINT32(d)"),
        ("d := i", "0 .. 9!(i)".replace("0 .. 9", "Digit")),
        ("d := u32", "Digit!(u32)"),
        ("d := d", "d"),
        ("d := d + d", "Digit!((+ INTEGER INTEGER(d) INTEGER(d)))"),
        ("d := 9", "9:Digit"),
        ("ch := l", "CHAR(l)"),
        ("l := ch", "Letter!(ch)"),
        ("l := 'q'", "'q':Letter"),
        ('l := "q"', "'q':Letter"),
        ("c := w", "Color(w)"),
        ("w := c", "Warm!(c)"),
        ("w := green", "green:Warm"),
        ("b := w = green", "(= Color Color(w) green:Color)"),
        ("b := d < i8", "(< INTEGER INTEGER(d) INTEGER(i8))"),
        # characters and strings
        ('ch := "x"', "'x':CHAR"),
        ("name := 'x'", '"x":Name'),
        ('name := "1234567"', '"1234567":Name'),
        ("name := greeting", '"hello":Name'),
        ('b := name = "abc"', '(= Name name "abc":ARRAY 4 OF CHAR)'),
        ("b := name < 'x'", '(< Name name "x":ARRAY 2 OF CHAR)'),
        ('b := ch = "x"', "(= CHAR ch 'x':CHAR)"),
        ('b := "x" = ch', "(= CHAR 'x':CHAR ch)"),
        ("b := name # name2", "(# Name name name2)"),
        # arrays, records
        ("row := rows[1]", "rows[1:INTEGER]"),
        ("i := rows[1, j]", "rows[1:INTEGER][j]"),
        ("i := row[u8]", "row[u8]"),
        ("i := row[d]", "row[INTEGER(d)]"),
        ("i := p.x", "p.x"),
        ("p := p", "p"),
    ],
)
def test_values(text: str, expected: str) -> None:
    assert assigned(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("s := {}", "0:SET"),
        ("s8 := {0, 3..5}", "57:SET8"),
        ("s8 := mask", "6:SET8"),
        ("s8 := -{1}", "253:SET8"),
        ("s8 := s8 * (-{1})", "(* SET8 s8 253:SET8)"),
        ("s8 := (-{1}) * s8", "(* SET8 253:SET8 s8)"),
        ("s16 := s16 + {i}", "(+ SET16 s16 SET16{i})"),
        ("s16 := {i} + s16", "(+ SET16 SET16{i} s16)"),
        ("s16 := {i, 1..j}", "SET16{i, 1:INTEGER..j}"),
        ("b := s8 = {i}", "(= SET8 s8 SET8{i})"),
        ("b := {i} = s8", "(= SET8 SET8{i} s8)"),
        ("b := {1} <= s8", "(<= SET8 2:SET8 s8)"),
        ("b := i IN {1, 3}", "(IN SET i 10:SET)"),
        ("b := u8 IN s8", "(IN SET8 u8 s8)"),
        ("b := 40 IN s8", "(IN SET8 40:INTEGER s8)"),
        ("b := 40 IN {1}", "FALSE:BOOLEAN"),
        ("s := s / t - s", "(- SET (/ SET s t) s)"),
        ("s := -s", "(- SET s)"),
        ("s8 := {1} + mask", "6:SET8"),
        ("s8 := s8 + mask", "(+ SET8 s8 6:SET8)"),
        ("s8 := mask + s8", "(+ SET8 6:SET8 s8)"),
    ],
)
def test_sets(text: str, expected: str) -> None:
    assert assigned(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("i8 := INT8(i)", "INT8!(i)"),
        ("i := INTEGER(i8)", "INTEGER(i8)"),
        ("i := INTEGER(i)", "i"),
        ("u32 := UINT32(i)", "UINT32!(i)"),
        ("c := Color(i)", "Color!(i)"),
        ("c := Color(2)", "blue:Color"),
        ("ch := CHR(i)", "CHAR!(i)"),
        ("ch := CHR(u8)", "CHAR(u8)"),
        ("ch := CHR(65)", "'A':CHAR"),
        ("b := BOOLEAN(u8)", "BOOLEAN!(u8)"),
        ("i := ORD(c)", "INTEGER(c)"),
        ("i := ORD(b)", "INTEGER(b)"),
        ("u8 := ORD('A')", "65:UINT8"),
        ('i := ORD("A")', "65:INTEGER"),
        ("i := ORD(s8)", "INTEGER(s8)"),
        ("u32 := ORD(s)", "UINT32(s)"),
        ("u8 := UINT8(s8)", "UINT8(s8)"),
        ("s8 := SET8(i)", "SET8!(i)"),
        ("s8 := SET8(s)", "SET8!(s)"),
        ("d := Digit(u8)", "Digit!(u8)"),
        ("u8 := SYSTEM.VAL(UINT8, i)", "VAL(UINT8, i)"),
        ("u8 := SYSTEM.VAL(UINT8, 300)", "44:UINT8"),
        ("i8 := SYSTEM.VAL(INT8, 200)", "-56:INT8"),
        ("i := SYSTEM.VAL(INTEGER, 0FFFFFFFFH)", "-1:INTEGER"),
        ("u32 := SYSTEM.VAL(UINT32, i8)", "VAL(UINT32, i8)"),
        ("s8 := SYSTEM.VAL(SET8, u8)", "VAL(SET8, u8)"),
        ("u32 := Clock.Now", "Clock.Now:UINT32()"),
        ("u32 := Clock.Now()", "Clock.Now:UINT32()"),
        ("u8 := PORTIN(i)", "PORTIN:UINT8(UINT32!(i))"),
        ("u16 := PORTIN16(25H)", "PORTIN16:UINT16(37:UINT32)"),
        ("i := ABS(i8)", "INTEGER(ABS:INT8(i8))"),
        ("b := ODD(d)", "ODD:BOOLEAN(INTEGER(d))"),
        ("u8 := LSL(1, i)", "LSL:UINT8(1:UINT8, i)"),
        ("u8 := ASR(u8, 4)", "ASR:UINT8(u8, 4:INTEGER)"),
        ("u32 := ROR(u32, u8)", "ROR:UINT32(u32, INTEGER(u8))"),
        ("i := MIN(i8, u8)", "INTEGER(MIN:INT16(INT16(i8), INT16(u8)))"),
        ("i := MAX(i, 3)", "MAX:INTEGER(i, 3:INTEGER)"),
        ("i := MAX(Digit)", "9:INTEGER"),
        ("c := MAX(Color)", "blue:Color"),
        ("u8 := MAX(SET8)", "7:UINT8"),
        ("i := LEN(rows)", "3:INTEGER"),
        ("i := LEN(rows[0])", "4:INTEGER"),
        ("i := SIZE(Point)", "16:INTEGER"),
        ("i := SIZE(Line)", "1:INTEGER"),
        ("b := q = q2", "(= Line q q2)"),
        ("b := matrix[1, 2] # q", "(# Line matrix[1:INTEGER][2:INTEGER] q)"),
        ("b := b & (i > 0) OR ~b2", "(OR BOOLEAN (& BOOLEAN b (> INTEGER i 0:INTEGER)) (~ BOOLEAN b2))"),
        ("ch := greeting[1]", "'e':CHAR"),
        ("ch := greeting[i]", '"hello":ARRAY 6 OF CHAR[i]'),
    ],
)
def test_predeclared(text: str, expected: str) -> None:
    assert assigned(text) == expected


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("i := b", "LF0401"),
        ("i := ch", "LF0401"),
        ("c := 1", "LF0401"),
        ("s8 := s", "LF0401"),
        ("row := name", "LF0401"),
        ("b := ch = i", "LF0401"),
        ("b := c = d", "LF0401"),
        ("ch := greeting", "LF0401"),
        ("i := row", "LF0401"),
        ("row := a", "LF0401"),
        ("b := s = s8", "LF0401"),
        ("b := p = p", "LF0403"),
        ("b := row = row", "LF0403"),
        ("b := b < b2", "LF0403"),
        ("b := q < q2", "LF0403"),
        ("b := s < t", "LF0403"),
        ("i := i + b", "LF0403"),
        ("i := i / j", "LF0403"),
        ("s := s DIV t", "LF0403"),
        ("i := -b", "LF0403"),
        ("b := ~i", "LF0403"),
        ("s := s + s8", "LF0404"),
        ("u32 := i + u32", "LF0404"),
        ("b := u32 < -1", "LF0404"),
        ("c := Color(ch)", "LF0415"),
        ("row := Row(i)", "LF0415"),
        ('name := "12345678"', "LF0502"),
        ("s8 := {8}", "LF0506"),
        ("s8 := {1} + mask + {9}", "LF0506"),
        ("s16 := s16 * {17}", "LF0506"),
        ("u32 := -1", "LF0502"),
        ("u32 := 100000 * 100000", "LF0501"),
        ("i := 80000000H", "LF0502"),
        ("i := ORD(i)", "LF0421"),
        ("i := LEN(i)", "LF0421"),
        ("i := MAX(i)", "LF0421"),
        ("i := row[b]", "LF0421"),
        ("i := i[0]", "LF0409"),
        ("i := row[0, 0]", "LF0409"),
        ("i := i.x", "LF0409"),
        ("i := p.z", "LF0410"),
        ("i := ABS(i, j)", "LF0412"),
    ],
)
def test_refused(text: str, code: str) -> None:
    assert statement_codes(text) == [code]


@pytest.mark.parametrize("condition", ["i = 1 & b", "b & i = 1", "i < 1 OR b"])
def test_missing_parentheses_around_a_relation_are_spoken_of(condition: str) -> None:
    _, diagnostics = analyse_text(f"MODULE M; VAR i : INTEGER; b : BOOLEAN; BEGIN b := {condition} END M.")
    [error] = [d for d in diagnostics.items if d.code == "LF0401"]
    operator = "OR" if "OR" in condition else "&"
    assert [n.message for n in error.notes] == [
        f"`{operator}` binds more strongly than relations: write `(a = b) {operator} (c = d)`"
    ]


def test_parentheses_are_not_asked_for_where_they_are() -> None:
    _, diagnostics = analyse_text("MODULE M; VAR i : INTEGER; b : BOOLEAN; BEGIN b := (i & b) = b END M.")
    [error] = [d for d in diagnostics.items if d.code == "LF0401"]
    assert error.notes == []


def test_not_is_no_function() -> None:
    _, diagnostics = analyse_text("MODULE M; VAR b : BOOLEAN; BEGIN b := NOT (b) END M.")
    [error] = [d for d in diagnostics.items if d.code == "LF0301"]
    assert error.message == "`NOT` is written `~`"
    assert error.fix is not None and error.fix.replacement == "~"
