"""Out and In, run by the naive evaluator."""

from __future__ import annotations

from collections import deque

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.naive.evaluator import possible_events, step
from tests.naive.policies import TakeFirst
from tests.naive.running import output, program_of, value
from tests.naive.state import State


class Typed(TakeFirst):
    """Gives the console's bytes, one for each reading."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.bytes = deque(text.encode())

    def console_in(self) -> int | None:
        return self.bytes.popleft() if self.bytes else None


def played(text: str, typed_in: str = "") -> tuple[str, State]:
    """What a program writes, and its last state."""
    state, policy, written = State.initial(program_of(text)), Typed(typed_in), ""
    for _ in range(500):
        if not [e for e in possible_events(state) if e[0] != "console"]:
            break
        written += output(step(state, policy))
    assert state.fault is None
    return written, state


def wrote(statement: str) -> str:
    return played(f"MODULE T; IMPORT Out; BEGIN {statement} END T.")[0]


@settings(max_examples=50, deadline=None)
@given(st.integers(-(2**31), 2**31 - 1))
def test_int_and_hex(x: int) -> None:
    assert wrote(f"Out.Int({x}); Out.Char(' '); Out.Hex({x})") == f"{x} {x % 2**32:08X}"


@pytest.mark.parametrize("x", [0, 9, 10, -1, -10, 2**31 - 1, -(2**31)])
def test_int_at_the_edges(x: int) -> None:
    assert wrote(f"Out.Int({x})") == str(x)


def test_the_rest_of_out() -> None:
    assert wrote('Out.String("ab"); Out.String(""); Out.Bool(TRUE); Out.Bool(FALSE); Out.Ln; Out.Char(41X)') == (
        "abTRUEFALSE\nA"
    )


def test_string_stops_at_the_end_of_a_full_array() -> None:
    text = "MODULE T; IMPORT Out; VAR s : ARRAY 2 OF CHAR; BEGIN s[0] := 'a'; s[1] := 'b'; Out.String(s) END T."
    assert played(text)[0] == "ab"


def read(typed_in: str) -> tuple[object, object, object]:
    """In.Int, whether it was done, and the character after it."""
    text = "MODULE T; IMPORT In; VAR x, c : INTEGER; ch : CHAR; done : BOOLEAN;"
    text += " BEGIN x := 77; In.Int(x); done := In.Done; In.Char(ch); c := ORD(ch) END T."
    _, state = played(text, typed_in)
    return value(state, "x"), value(state, "done"), value(state, "c")


@pytest.mark.parametrize(
    ("typed_in", "expected"),
    [
        ("42 ", (42, 1, 32)),
        (" \n -17;", (-17, 1, ord(";"))),
        ("+5x", (5, 1, ord("x"))),
        ("2147483647 ", (2147483647, 1, 32)),
        ("-2147483648 ", (-2147483648, 1, 32)),
        ("2147483648 ", (77, 0, 32)),
        ("-2147483649 ", (77, 0, 32)),
        ("99999999999 ", (77, 0, 32)),
        ("x", (77, 0, ord("x"))),
        ("-;", (77, 0, ord(";"))),
    ],
)
def test_in_int(typed_in: str, expected: tuple[int, int, int]) -> None:
    assert read(typed_in) == expected
