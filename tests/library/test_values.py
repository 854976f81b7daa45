"""Checksums, texts, numbers: on this machine, an AVR and a Cortex-M the same as Python's."""

from __future__ import annotations

import binascii
import random
import zlib
from pathlib import Path

import pytest

from tests.cli.lfc import lfc
from tests.library.images import STOP, WHERE, said


def modbus(data: bytes) -> int:
    """As a division of polynomials, bit by bit, of the reversed bytes."""
    value = 0xFFFF
    for bit in (byte >> i & 1 for byte in data for i in range(8)):
        value = value >> 1 ^ (0xA001 if (value ^ bit) & 1 else 0)
    return value


def dallas(data: bytes) -> int:
    """The rest of a division by x^8 + x^5 + x^4 + 1, of all bits, the first of them highest."""
    number = int("".join(f"{byte:08b}"[::-1] for byte in data) + "0" * 8, 2)
    for place in range(number.bit_length(), 8, -1):
        if number >> place - 1 & 1:
            number ^= 0x131 << place - 9
    return int(f"{number:08b}"[::-1], 2)


CHECKSUMS = """
MODULE T;
IMPORT CRC, Out;
VAR i, n : INTEGER; b, d : UINT8; c, x, m : UINT16; e : UINT32;
BEGIN
  FOR n := 0 TO 40 BY 5 DO
    d := CRC.OF_DALLAS; c := CRC.OF_CCITT; x := CRC.OF_XMODEM; m := CRC.OF_MODBUS; e := CRC.OF_ETHERNET;
    FOR i := 0 TO n - 1 DO
      b := UINT8(i * 37 MOD 256);
      CRC.Dallas(d, b); CRC.CCITT(c, b); CRC.CCITT(x, b); CRC.Modbus(m, b); CRC.Ethernet(e, b)
    END;
    Out.Int(INTEGER(d)); Out.Char(' '); Out.Int(INTEGER(c)); Out.Char(' '); Out.Int(INTEGER(x)); Out.Char(' ');
    Out.Int(INTEGER(m)); Out.Char(' ');
    e := MAX(UINT32) - e;
    Out.Int(INTEGER(e DIV 65536)); Out.Char(' '); Out.Int(INTEGER(e MOD 65536)); Out.Ln
  END;
  ASSERT(FALSE)
END T.
"""


@pytest.mark.parametrize("where", WHERE)
def test_checksums(where: str, tmp_path: Path) -> None:
    expected = []
    for n in range(0, 41, 5):
        data = bytes(i * 37 % 256 for i in range(n))
        whole = zlib.crc32(data)
        sums = [dallas(data), binascii.crc_hqx(data, 0xFFFF), binascii.crc_hqx(data, 0), modbus(data)]
        expected.append(" ".join(map(str, [*sums, whole >> 16, whole & 0xFFFF])))
    assert said(where, CHECKSUMS, tmp_path) == expected


def test_published_checksums() -> None:
    """Of "123456789", as catalogues of checksums have them: the second opinions above are right."""
    data = b"123456789"
    assert (dallas(data), modbus(data), binascii.crc_hqx(data, 0xFFFF)) == (0xA1, 0x4B37, 0x29B1)
    assert zlib.crc32(data) == 0xCBF43926


NUMBERS = [0, 1, -1, 5, -5, 42, 99, 100, 101, -2508, 123456, 2147483647, -2147483647]
FORMATS = [(0, 0), (0, 6), (1, 0), (2, 7), (3, 12), (9, 0)]


def fixed(x: int, places: int, width: int) -> str:
    digits = str(abs(x)).zfill(places + 1)
    text = ("-" if x < 0 else "") + (f"{digits[:-places]}.{digits[-places:]}" if places else digits)
    return text.rjust(width) if max(len(text), width) < 13 else "*" * 12


@pytest.mark.parametrize("where", WHERE)
def test_formats(where: str, tmp_path: Path) -> None:
    calls = [(x, p, w) for x in NUMBERS for p, w in FORMATS]
    lines = [f"Format.Fixed(s, {x}, {p}, {w}); Out.String(s); Out.Ln;" for x, p, w in calls]
    lines += [f"Format.Hex(s, {x}, {w}); Out.String(s); Out.Ln;" for x, w in ((0, 1), (255, 4), (4294967295, 2))]
    lines += ["Format.Unsigned(s, 4294967295, 12, '0'); Out.String(s); Out.Ln;"]
    lines += [
        "Format.Int(small, 1234, 0); Out.String(small); Out.Ln; Format.Int(small, -12, 4); Out.String(small); Out.Ln;"
    ]
    text = "MODULE T; IMPORT Format, Out; VAR s : ARRAY 13 OF CHAR; small : ARRAY 4 OF CHAR; BEGIN\n"
    text += "\n".join(lines) + f"\n{STOP} END T."
    expected = [fixed(*call) for call in calls]
    assert said(where, text, tmp_path) == [*expected, "0", "00FF", "FFFFFFFF", "004294967295", "***", "***"]


TEXTS = """
MODULE T;
IMPORT Out, Strings;
VAR s : ARRAY 8 OF CHAR; fits, good : BOOLEAN; n, at : INTEGER;

PROCESS Show;
BEGIN
  Out.String(s); Out.Char(' '); Out.Bool(fits); Out.Ln
END Show;

PROCESS Number(t : ARRAY OF CHAR; from : INTEGER);
BEGIN
  at := from; n := 77;
  Strings.Number(t, at, n, good);
  Out.Bool(good); Out.Char(' '); Out.Int(n); Out.Char(' '); Out.Int(at); Out.Ln
END Number;

BEGIN
  Strings.Clear(s); Strings.Append(s, "abc", fits); Show;
  Strings.AppendChar(s, 'd', fits); Show;
  Strings.Append(s, "efg", fits); Show;
  Strings.AppendChar(s, 'h', fits); Show;
  Strings.Clear(s); Strings.Append(s, "longer than that", fits); Show;
  Strings.Length(s, n); Out.Int(n); Out.Ln;
  Strings.Find("a needle in hay", "needle", 0, n); Out.Int(n); Out.Ln;
  Strings.Find("a needle in hay", "needle", 3, n); Out.Int(n); Out.Ln;
  Strings.Find("aab", "ab", 0, n); Out.Int(n); Out.Ln;
  Strings.Find("ab", "abc", 0, n); Out.Int(n); Out.Ln;
  Number("x42y", 1); Number("-2147483648", 0); Number("2147483648", 0); Number("+7", 0); Number("-", 0);
  Number("12", 2); Number("12", -1); Number("99999999999", 0);
  ASSERT(FALSE)
END T.
"""
SAID = """abc TRUE
abcd TRUE
abcdefg TRUE
abcdefg FALSE
longer  FALSE
7
2
-1
1
-1
TRUE 42 3
TRUE -2147483648 11
FALSE 77 0
TRUE 7 2
FALSE 77 0
FALSE 77 2
FALSE 77 -1
FALSE 77 0"""


@pytest.mark.parametrize("where", WHERE)
def test_texts(where: str, tmp_path: Path) -> None:
    assert said(where, TEXTS, tmp_path) == SAID.splitlines()


def test_numbers_by_chance(tmp_path: Path) -> None:
    """Marsaglia's generator; and a die shows all its sides."""
    text = "MODULE T; IMPORT Out, Random; VAR i : INTEGER; x : UINT32; BEGIN Random.Seed(2463534242);\n"
    text += "FOR i := 1 TO 100 DO Random.Next(x); Out.Int(INTEGER(x DIV 65536)); Out.Char(' '); "
    text += "Out.Int(INTEGER(x MOD 65536)); Out.Char(' '); Random.Below(6, x); Out.Int(INTEGER(x)); Out.Ln END;\n"
    text += f"{STOP} END T."
    state, expected, sides = 2463534242, [], set()

    def step(x: int) -> int:
        x ^= x << 13 & 0xFFFFFFFF
        x ^= x >> 17
        return x ^ (x << 5 & 0xFFFFFFFF)

    for _ in range(100):
        first = step(state)
        state = step(first)
        sides.add((state - 1) % 6)
        expected.append(f"{first >> 16} {first & 0xFFFF} {(state - 1) % 6}")
    for where in WHERE:
        assert said(where, text, tmp_path) == expected
    assert sides == set(range(6))


def test_arithmetic_that_says_when_it_does_not_fit(tmp_path: Path) -> None:
    least, most = -(2**31), 2**31 - 1
    chance = random.Random(1)
    edges = [0, 1, -1, 2, 46340, 46341, -46341, most, most - 1, least, least + 1]
    pairs = [(a, b) for a in edges for b in edges]
    pairs += [(chance.randint(least, most) >> chance.randint(0, 31), chance.randint(least, most)) for _ in range(50)]

    def number(x: int) -> str:
        return "MIN(INTEGER)" if x == least else str(x)

    text = "MODULE T; IMPORT Checked, Out; VAR fits : BOOLEAN;\n"
    text += "PROCESS Try(a, b : INTEGER); VAR c : INTEGER; BEGIN\n"
    for name in ("Times", "Plus", "Minus"):
        text += f"fits := TRUE; c := 7; Checked.{name}(a, b, c, fits); Out.Bool(fits); Out.Int(c); Out.Char(' ');\n"
    text += (
        "Out.Ln END Try;\nBEGIN\n" + "\n".join(f"Try({number(a)}, {number(b)});" for a, b in pairs) + f"\n{STOP} END T."
    )

    def expected(c: int, bad: bool) -> str:
        return "FALSE7" if bad or not least < c <= most else f"TRUE{c}"

    lines = []
    for a, b in pairs:
        zero = (a == 0 or b == 0) and least not in (a, b)
        results = [expected(0 if zero else a * b, least in (a, b))]
        results += [sum_or_not(a, b, least, most), sum_or_not(a, -b, least, most) if b != least else "FALSE7"]
        lines.append(" ".join(results))
    assert [line.rstrip() for line in said("host", text, tmp_path)] == lines


def sum_or_not(a: int, b: int, least: int, most: int) -> str:
    """MIN(INTEGER) is given where nothing is subtracted from it."""
    fits = least < a + b <= most or (a == least and b == 0)
    return f"TRUE{a + b}" if fits else "FALSE7"


RING = """
MODULE T;
IMPORT Ring;
PORT in, out : Ring.Line;
VAR next, expected : UINT8;

PROCESS Put;
BEGIN
  LOOP in!byte(next); next := (next + 1) MOD 17 END
END Put;

PROCESS Get;
VAR b : UINT8;
BEGIN
  LOOP out?byte(b); ASSERT(b = expected); expected := (b + 1) MOD 17; b := 0 END
END Get;

BEGIN
  NEW(in); NEW(out);
  CREATE Ring.Buffer(in, out); CREATE Put; CREATE Get
END T.
"""


def test_a_ring_keeps_the_order_in_every_run(tmp_path: Path) -> None:
    """17 values, in a ring of 16: each that is lost, or comes twice or too early, is noticed."""
    (tmp_path / "T.lf").write_text(RING)
    done = lfc("check", "T.lf", cwd=tmp_path)
    assert done.exit == 0 and done.out.startswith("holds"), done.out
    broken = (Path(__file__).parents[2] / "lfc" / "library" / "Ring.lf").read_text()
    for old, new in (
        ("count < SIZE", "count <= SIZE"),
        ("(first + 1) MOD SIZE", "first"),
        ("INC(count)", "count := 1"),
    ):
        assert broken.count(old) == 1
        (tmp_path / "Ring.lf").write_text(broken.replace(old, new))
        assert lfc("check", "T.lf", cwd=tmp_path).exit in (3, 4)
