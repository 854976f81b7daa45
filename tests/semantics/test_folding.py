"""Constant expressions against Python's integers."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from lfc.semantics.analyse import analyse_text
from lfc.semantics.model import typed
from lfc.semantics.model import types as ty
from tests.semantics.show import codes, program

INTEGER = (-(2**31), 2**31 - 1)
OPERATORS = ["+", "-", "*", "DIV", "MOD"]
SIGNED = {"INT8": ty.INT8, "INT16": ty.INT16, "INTEGER": ty.INTEGER}
UNSIGNED = {"UINT8": ty.UINT8, "UINT16": ty.UINT16, "UINT32": ty.UINT32}

small = st.integers(-300, 300)
words = st.integers(*INTEGER)


def python(op: str, a: int, b: int) -> int | None:
    if op in ("DIV", "MOD"):
        return None if b == 0 else a // b if op == "DIV" else a % b
    return a + b if op == "+" else a - b if op == "-" else a * b


def constant(text: str) -> tuple[typed.NamedConstant | None, list[str]]:
    """The value of a constant expression, and the codes."""
    found, diagnostics = analyse_text(f"MODULE T; CONST c = {text}; END T.")
    assert found is not None
    constants = found.main.constants
    return constants[0] if constants else None, [d.code for d in diagnostics.items]


@given(st.sampled_from(OPERATORS), words | small, words | small)
def test_constants_without_a_type_compute_as_integer(op: str, a: int, b: int) -> None:
    found, reported = constant(f"({a}) {op} ({b})")
    exact = python(op, a, b)
    if exact is None or not INTEGER[0] <= exact <= INTEGER[1]:
        assert found is None and reported == ["LF0501"]
    else:
        assert found is not None and not reported
        assert (found.value, found.type) == (exact, ty.INTEGER)


@given(st.sampled_from(OPERATORS), st.integers(2**31, 2**32 - 1), st.integers(0, 2**32 - 1))
def test_a_large_operand_makes_it_unsigned(op: str, a: int, b: int) -> None:
    found, reported = constant(f"{a} {op} {b}")
    exact = python(op, a, b)
    if exact is None or not -(2**31) <= exact < 2**32:
        assert found is None and reported == ["LF0501"]
    else:
        assert found is not None and not reported
        assert (found.value, found.type) == (exact, ty.INTEGER if exact < 2**31 else ty.UINT32)


@given(st.sampled_from(OPERATORS), st.sampled_from(sorted(SIGNED)), st.data())
def test_signed_types_overflow(op: str, name: str, data: st.DataObject) -> None:
    t = SIGNED[name]
    a, b = (data.draw(st.integers(t.low, t.high)) for _ in range(2))
    found, reported = constant(f"{name}({a}) {op} {name}({b})")
    exact = python(op, a, b)
    if exact is None or not t.low <= exact <= t.high:
        assert found is None and reported == ["LF0501"]
    else:
        assert found is not None and not reported and (found.value, found.type) == (exact, t)


@given(st.sampled_from(OPERATORS), st.sampled_from(sorted(UNSIGNED)), st.data())
def test_unsigned_types_wrap(op: str, name: str, data: st.DataObject) -> None:
    t = UNSIGNED[name]
    a, b = (data.draw(st.integers(t.low, t.high)) for _ in range(2))
    found, reported = constant(f"{name}({a}) {op} {name}({b})")
    exact = python(op, a, b)
    if exact is None:
        assert found is None and reported == ["LF0501"]
    else:
        assert found is not None and not reported and (found.value, found.type) == (exact % (t.high + 1), t)


@given(st.sampled_from(sorted(SIGNED | UNSIGNED)), st.integers(-(2**31), 2**32 - 1))
def test_conversions_are_checked(name: str, value: int) -> None:
    t = (SIGNED | UNSIGNED)[name]
    found, reported = constant(f"{name}({value})")
    if t.low <= value <= t.high:
        assert found is not None and not reported and (found.value, found.type) == (value, t)
    else:
        assert found is None and reported == ["LF0501"]


@given(st.sampled_from(sorted(SIGNED | UNSIGNED)), st.integers(-(2**31), 2**32 - 1))
def test_system_val_takes_the_low_bits(name: str, value: int) -> None:
    t = (SIGNED | UNSIGNED)[name]
    found = program(f"MODULE T; IMPORT SYSTEM; CONST c = SYSTEM.VAL({name}, {value}); END T.").main.constants[0]
    expected = value % (1 << 8 * t.size)
    if t.signed and expected > t.high:
        expected -= 1 << 8 * t.size
    assert (found.value, found.type) == (expected, t)


@given(st.sampled_from(sorted(SIGNED | UNSIGNED)), st.data(), st.integers(0, 40))
def test_shifts_work_on_the_bits_of_the_type(name: str, data: st.DataObject, count: int) -> None:
    t = (SIGNED | UNSIGNED)[name]
    x = data.draw(st.integers(t.low, t.high))
    bits = 8 * t.size
    pattern = x % (1 << bits)
    turned = count % bits

    def value(of: int) -> int:
        of %= 1 << bits
        return of - (1 << bits) if t.signed and of >> (bits - 1) else of

    expected = {
        "LSL": value(pattern << count),
        "ASR": x >> count,
        "ROR": value(pattern >> turned | pattern << (bits - turned)),
    }
    for function, result in expected.items():
        found, reported = constant(f"{function}({name}({x}), {count})")
        assert found is not None and not reported and (found.value, found.type) == (result, t)


@given(st.sampled_from(["=", "#", "<", "<=", ">", ">="]), words | small, words | small)
def test_relations(op: str, a: int, b: int) -> None:
    found, reported = constant(f"({a}) {op} ({b})")
    expected = {"=": a == b, "#": a != b, "<": a < b, "<=": a <= b, ">": a > b, ">=": a >= b}[op]
    assert found is not None and not reported and (found.value, found.type) == (int(expected), ty.BOOLEAN)


@given(st.sampled_from("+-*/"), st.sets(st.integers(0, 31)), st.sets(st.integers(0, 31)))
def test_sets(op: str, a: set[int], b: set[int]) -> None:
    texts = ["{" + ", ".join(map(str, sorted(x))) + "}" for x in (a, b)]
    found, reported = constant(f"{texts[0]} {op} {texts[1]}")
    expected = {"+": a | b, "-": a - b, "*": a & b, "/": a ^ b}[op]
    assert found is not None and not reported
    assert (found.value, found.type) == (sum(1 << e for e in expected), ty.SET)


@given(st.text("abc", max_size=4), st.text("abc", max_size=4))
def test_strings_compare_like_bytes(a: str, b: str) -> None:
    found, reported = constant(f'"{a}" < "{b}"')
    assert found is not None and not reported and found.value == int(a < b)


def test_what_faults_in_a_statement_is_a_warning_and_stays() -> None:
    text = "MODULE T; VAR x : INTEGER; BEGIN x := 2147483647 + 1; x := 1 DIV 0; x := INT8(200) + INT8(127) END T."
    found, diagnostics = analyse_text(text)
    assert found is not None
    assert [d.code for d in diagnostics.items] == ["LF0505", "LF0505", "LF0506"]
    values = [s.value for s in found.main.body if isinstance(s, typed.Assign)]
    assert isinstance(values[0], typed.Binary) and values[0].type is ty.INTEGER
    assert isinstance(values[1], typed.Binary) and values[1].op == "DIV"


def test_the_place_makes_a_constant_unsigned() -> None:
    assert codes("MODULE T; VAR x : UINT32; BEGIN x := 2147483647 + 1; x := x + (2000000000 * 2) END T.") == []
    assert codes("MODULE T; VAR x : UINT32; BEGIN x := 2147483648 * 2 END T.") == [("LF0501", 1)]


def test_negative_shifts_fault() -> None:
    assert codes("MODULE T; CONST c = LSL(1, -1); END T.") == [("LF0501", 1)]
    assert codes("MODULE T; VAR x : INTEGER; BEGIN x := LSL(x, -1) END T.") == [("LF0506", 1)]


def test_len_of_a_variable_is_constant() -> None:
    main = program("MODULE T; VAR a : ARRAY 7 OF CHAR; b : ARRAY LEN(a) OF CHAR; BEGIN b[6] := a[0] END T.").main
    assert main.variables[1].type is main.variables[0].type
