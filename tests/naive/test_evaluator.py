"""What the reference says in its fine print, one small program for each sentence."""

from __future__ import annotations

import pytest

from tests.naive.evaluator import possible_events, step
from tests.naive.explorer import Conventions, explore, successors
from tests.naive.policies import Divergence, Item, TakeFirst
from tests.naive.running import local, output, program_of, run, value
from tests.naive.state import State


def fault_of(state: State) -> tuple[int, tuple[int, ...], str]:
    """Kind, values, and the text of the construct."""
    assert state.fault is not None
    span = state.fault.span
    return state.fault.kind, state.fault.values, span.source.text[span.start : span.end]


def steps(text: str, *recorded: list[Item]) -> State:
    state = State.initial(program_of(text))
    for items in recorded:
        step(state, items)
    return state


# --- expressions and statements --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("expression", "result"),
    [
        ("(-7) DIV k", -4),
        ("(-7) MOD k", 1),
        ("7 DIV (-k)", -4),
        ("7 MOD (-k)", -1),
        ("ABS(-k)", 2),
        ("MIN(k, 5) + MAX(k, 5) * 10", 52),
        ("ASR(-k * 4, 1)", -4),
        ("LSL(k, 30) + k", -2147483646),
        ("ROR(k, 2)", -2147483648),
        ("ASR(-k, 40)", -1),
        ("INTEGER(UINT8(k) - UINT8(k + 1))", 255),
        ("ORD(SET8(k + 3) * {0, k - 2})", 1),
        ("ORD(SET8(0) + {k .. 4} - {3} / {0})", 0b10100),
        ("ORD(-SET8(k))", 253),
        ("SYSTEM.VAL(INT8, k + 254)", 0),
        ("SYSTEM.VAL(INT8, k + 253)", -1),
        ("LEN(s) + ORD(s[0])", 6 + 104),
        ("ORD((s = text) & (s < 'hi') & (s # 'h') & ~(text > s))", 1),
        ("ORD((99 IN SET8(k)) OR (k IN {2}) & ODD(k + 1))", 1),
    ],
)
def test_expressions(expression: str, result: int) -> None:
    text = f"""MODULE T; IMPORT SYSTEM; VAR k, x : INTEGER; s : ARRAY 6 OF CHAR; text : ARRAY 4 OF CHAR;
PROCESS P(k : INTEGER; VAR x : INTEGER; s : ARRAY OF CHAR); BEGIN x := {expression} END P;
BEGIN k := 2; s := "hey"; text := "hey"; P(k, x, s) END T."""
    state = run(text)
    assert state.fault is None
    assert value(state, "x") == result


@pytest.mark.parametrize(
    ("statement", "kind", "values", "where"),
    [
        ("a[k] := 1", 1, (3, 3), "a[k]"),
        ("x := a[-k]", 1, (-3, 3), "a[-k]"),
        ("small := x + k", 2, (3,), "x + k"),
        ("INC(small, k)", 2, (3,), "INC(small, k)"),
        ("DEC(colour)", 2, (-1,), "DEC(colour)"),
        ("byte := INT8(k * 100)", 2, (300,), "INT8(k * 100)"),
        ("c := CHR(k * 100)", 2, (300,), "CHR(k * 100)"),
        ("x := MAX(INTEGER); x := x + k", 3, (2147483647, 3), "x + k"),
        ("byte := byte - 127 - 1; byte := -byte", 3, (0, -128), "-byte"),
        ("byte := byte - 127 - 1; byte := ABS(byte)", 3, (-128, 0), "ABS(byte)"),
        ("byte := byte - 127 - 1; byte := byte DIV INT8(2 - k)", 3, (-128, -1), "byte DIV INT8(2 - k)"),
        ("x := k MOD x", 4, (3,), "k MOD x"),
        ("CASE k OF 1: x := 1 | 4 .. 5: END", 5, (3,), "CASE k OF 1: x := 1 | 4 .. 5: END"),
        ("ASSERT(k = 4)", 6, (), "ASSERT(k = 4)"),
        ("p!m", 7, (), "p"),
        ("SELECT WHEN p!m & (k = 4) THEN ELSE END", 7, (), "p"),
        ("FOR x := 1 TO k DO CREATE Q END", 8, (2,), "CREATE Q"),
        ("FOR x := 1 TO k DO NEW(many[x - 1]) END", 9, (2,), "NEW(many[x - 1])"),
        ("Deep(k + 1)", 10, (3,), "Deep(n - 1)"),
        ("INCL(set, k + 5)", 11, (8, 8), "k + 5"),
        ("set := {k .. 9}", 11, (9, 8), "{k .. 9}"),
        ("set := {9 .. k}", 11, (9, 8), "{9 .. k}"),
        ("x := LSL(k, -k)", 2, (-3,), "-k"),
        ("LOOP INC(x); IF x = 1000 THEN EXIT END END; WHILE TRUE DO END", 12, (2000,), "WHILE TRUE DO END"),
    ],
)
def test_faults(statement: str, kind: int, values: tuple[int, ...], where: str) -> None:
    text = f"""MODULE T; TYPE C = [m];
VAR k, x : INTEGER; a : ARRAY 3 OF INTEGER; small : 0 .. 2; colour : (red, green); byte : INT8; c : CHAR; set : SET8;
PORT p : C; many : ARRAY 4 OF C MAX 2;
PROCESS Q MAX 2; BEGIN RESCHEDULE END Q;
PROCESS Deep(n : INTEGER) MAX 3; BEGIN IF n > 0 THEN Deep(n - 1) END END Deep;
BEGIN k := 3; {statement} END T."""
    text = text.replace(
        "PORT p : C MAX 1; many : ARRAY 4 OF C MAX 1; other : C;", "PORT p : C; many : ARRAY 4 OF C MAX 2;"
    )
    assert fault_of(run(text, rounds=2000)) == (kind, values, where)


def test_limits_of_for() -> None:
    text = """MODULE T; VAR i, j, n, k, rounds : INTEGER; small : 0 .. 3; byte : UINT8;
BEGIN
  n := 3;
  FOR i := 1 TO n DO n := 10; INC(rounds) END;
  FOR small := 0 TO n DO INC(rounds, 10) END;
  FOR byte := 250 TO 255 BY 2 DO INC(rounds, 100) END;
  FOR j := 5 TO 1 BY -2 DO INC(rounds, 1000) END;
  FOR k := 2 TO 1 DO INC(rounds, 10000) END
END T."""
    state = run(text)
    assert [value(state, v) for v in ("i", "small", "byte", "j", "k", "rounds")] == [4, 3, 254, -1, 2, 3343]


def test_the_limit_is_state_while_the_loop_lasts() -> None:
    text = """MODULE T; VAR n, done : INTEGER;
PROCESS P;
VAR i : INTEGER;
BEGIN FOR i := 1 TO n DO RESCHEDULE; IF i = 2 THEN done := 1 END END; RESCHEDULE END P;
BEGIN n := 2; CREATE P END T."""
    state = State.initial(program_of(text))

    def limit() -> list[object]:
        activation = state.slots[1]
        assert activation is not None
        return [x for v, x in activation.frames[0].variables.items() if v.name != "i"]

    seen = []
    for _ in range(4):
        step(state, TakeFirst())
        seen.append(limit())
    assert seen == [[0], [2], [2], [0]]


def test_initialisations_run_in_order_and_a_return_ends_one() -> None:
    state = run("MODULE T; VAR x : INTEGER; BEGIN x := 1; IF x = 1 THEN RETURN END; x := 2 END T.")
    assert (value(state, "x"), state.slots) == (1, [None])


def test_nested_processes_see_the_activation_that_called_them() -> None:
    text = """MODULE T; VAR sum : INTEGER;
PROCESS Outer(n : INTEGER) MAX 4;
VAR own : INTEGER;
  PROCESS Inner; BEGIN RESCHEDULE; own := own + n; sum := sum * 10 + own END Inner;
BEGIN
  own := n * 2;
  IF n > 0 THEN Outer(n - 1) END;
  Inner
END Outer;
BEGIN Outer(2) END T."""
    assert value(run(text), "sum") == 36  # 0, then 3, then 6


def test_output() -> None:
    text = (
        'MODULE T; IMPORT Out; BEGIN Out.String("n = "); Out.Int(-120); Out.Bool(TRUE); Out.Hex(48879); Out.Ln END T.'
    )
    state = State.initial(program_of(text))
    assert output(step(state, TakeFirst())) == "n = -120TRUE0000BEEF\n"


# --- communication ---------------------------------------------------------------------------------------------

TWO = """MODULE T; TYPE C = [m(INTEGER), n(INTEGER, INTEGER), e]; PORT c, d : C;
VAR x, y, z : INTEGER; small : 0 .. 3; a : ARRAY 3 OF INTEGER;
PROCESS S(c : C); BEGIN %s END S;
PROCESS R(c : C); BEGIN %s END R;
BEGIN NEW(c); CREATE S(c); CREATE R(c) END T."""
INIT: list[Item] = [["run", 0]]
S: list[Item] = [["run", 1]]
R: list[Item] = [["run", 2]]
MEETS_R: list[Item] = [["run", 1], ["meet", None, 2, None]]
MEETS_S: list[Item] = [["run", 2], ["meet", None, 1, None]]


def test_who_comes_second_meets() -> None:
    for order in ((S, MEETS_S), (R, MEETS_R)):
        state = steps(TWO % ("c!m(5)", "c?m(x)"), INIT, *order)
        assert value(state, "x") == 5
        assert [a and a.frames[0].at.kind for a in state.slots] == [None, "after", "after"]
        assert all(a is None or a.wait is None for a in state.slots)


def test_values_and_targets_are_evaluated_once_at_the_attempt() -> None:
    text = TWO % ("x := 1; c!m(x); x := 7", "c?m(a[x])")
    state = steps(text, INIT, R, MEETS_R)
    assert value(state, "a") == (1, 0, 0)  # x was 0 when the receiver attempted
    text = TWO % ("c!n(2, 8)", "c?n(x, a[x])")
    assert value(steps(text, INIT, S, MEETS_S), "a") == (8, 0, 0)


def test_a_constant_must_match() -> None:
    state = steps(TWO % ("c!n(4, 8)", "c?n(5, x)"), INIT, S, R)
    assert [a and a.frames[0].at.kind for a in state.slots] == [None, "waiting", "waiting"]
    assert value(steps(TWO % ("c!n(5, 8)", "c?n(5, x)"), INIT, S, MEETS_S), "x") == 8


def test_a_received_value_is_assigned_before_the_guard() -> None:
    text = TWO % ("c!m(4)", "SELECT WHEN c?m(small) & (small = 9) THEN END")
    state = steps(text, INIT, S, [["run", 2], ["meet", 0, 1, None]])
    assert fault_of(state) == (2, (4,), "small")
    state = steps(text, INIT, R, [["run", 1], ["meet", None, 2, 0]])
    assert fault_of(state) == (2, (4,), "small")


def test_guards_see_received_values_and_leave_no_trace() -> None:
    text = TWO % ("c!m(4)", "x := 1; SELECT WHEN c?m(x) & (x = 4) THEN y := x WHEN c?m(x) & (x = 1) THEN END")
    state = steps(text, INIT, S, [["run", 2], ["meet", 0, 1, None]])
    assert value(state, "x") == 4
    text = TWO % ("c!n(1, 4)", "a[1] := 6; SELECT WHEN c?n(x, a[1]) & (a[x] = 5) THEN END")
    state = steps(text, INIT, S, R)
    assert (value(state, "x"), value(state, "a")) == (0, (0, 6, 0))
    state = steps(text, INIT, R, S)
    assert (value(state, "x"), value(state, "a")) == (0, (0, 6, 0))


def test_guards_see_values_through_aliases() -> None:
    text = """MODULE T; TYPE C = [m(INTEGER)]; PORT c : C; VAR x : INTEGER;
PROCESS P(c : C; VAR v : INTEGER); BEGIN SELECT WHEN c?m(v) & (x = 4) THEN v := v + 1 END END P;
PROCESS S(c : C); BEGIN c!m(4) END S;
BEGIN NEW(c); CREATE S(c); CREATE P(c, x) END T."""
    program = program_of(text)
    first = [p.name for p in program.all_processes()].index("S") + 1
    state = State.initial(program)
    for items in (INIT, [["run", first]], [["run", 3 - first], ["meet", 0, first, None]], [["run", 3 - first]]):
        step(state, items)
    assert value(state, "x") == 5


def test_the_guard_of_a_send_is_evaluated_once_before_its_values() -> None:
    closed = TWO % ("SELECT WHEN c!m(a[5 - x]) & (x = 5) THEN WHEN c?e THEN END", "x := 5; c?m(y)")
    state = steps(closed, INIT, S, R)
    assert state.slots[1] is not None and state.slots[1].wait is not None
    assert [w.closed for w in state.slots[1].wait] == [True, False]
    assert [a and a.frames[0].at.kind for a in state.slots] == [None, "waiting", "waiting"]
    opened = TWO % ("x := 5; SELECT WHEN c!m(a[5 - x] + 3) & (x = 5) THEN END", "x := 6; c?m(y)")
    assert value(steps(opened, INIT, S, [["run", 2], ["meet", None, 1, 0]]), "y") == 3


def test_two_selects_never_meet() -> None:
    text = TWO % ("SELECT WHEN c!e THEN END", "SELECT WHEN c?e THEN END")
    state = steps(text, INIT, S, R)
    assert [a and a.frames[0].at.kind for a in state.slots] == [None, "waiting", "waiting"]


def test_a_select_with_else_leaves_the_process_ready_at_it() -> None:
    state = steps(TWO % ("SELECT WHEN c!e THEN ELSE x := 1 END", "c?e"), INIT, S)
    assert state.slots[1] is not None and state.slots[1].frames[0].at.kind == "else"
    assert value(state, "x") == 0
    step(state, S)
    assert value(state, "x") == 1


def test_partners_and_clauses_are_alternatives_of_their_own() -> None:
    text = """MODULE T; TYPE C = [m(INTEGER)]; PORT c : C; VAR x : INTEGER; small : 0 .. 1;
PROCESS A(c : C) MAX 2;
BEGIN SELECT WHEN c?m(x) THEN WHEN c?m(small) & (x = 0) THEN WHEN c?m(x) & (x = 9) THEN END END A;
PROCESS B(c : C); BEGIN c!m(5) END B;
BEGIN NEW(c); CREATE A(c); CREATE A(c); CREATE B(c) END T."""
    state = steps(text, INIT, [["run", 1]], [["run", 2]])
    last = [items for _, items in successors(state, Conventions()) if items[0] == ["run", 3]]
    assert [items[1] for items in last] == [["meet", None, slot, clause] for slot in (1, 2) for clause in (0, 1)]
    faults = [
        follower.fault for follower, items in successors(state, Conventions()) if items[1:] == [["meet", None, 1, 1]]
    ]
    assert [f and (f.kind, f.values) for f in faults] == [(2, (5,))]


def test_only_what_is_possible_is_followed() -> None:
    text = TWO % ("c!m(4)", "c?m(5)")
    state = steps(text, INIT, S)
    with pytest.raises(Divergence):
        step(state.copy(), MEETS_S)
    with pytest.raises(Divergence):
        step(state.copy(), [["run", 1]])
    with pytest.raises(Divergence):
        step(state.copy(), [["run", 2], ["choice", 0]])


# --- processes, channels ---------------------------------------------------------------------------------------


def test_the_lowest_free_slot_and_the_lowest_channel_number() -> None:
    text = """MODULE T; TYPE C = [e]; D = [m(C)]; PORT c, d, e : C MAX 3; to : D; VAR i : INTEGER;
PROCESS P(n : INTEGER) MAX 3; BEGIN IF n = 1 THEN RESCHEDULE END END P;
PROCESS W(to : D; c : C); BEGIN to!m(c) END W;
BEGIN
  FOR i := 0 TO 2 DO CREATE P(i) END; RESCHEDULE;
  CREATE P(1); NEW(c); NEW(d); NEW(c); c := d; NEW(e); NEW(to); CREATE W(to, e); RESCHEDULE; e := d; NEW(e)
END T."""
    run_0: list[Item] = [["run", 0]]
    state = steps(text, run_0, [["run", 1]], [["run", 3]])
    assert [a is not None for a in state.slots] == [True, False, True, False, False]
    step(state, run_0)
    assert [a is not None for a in state.slots] == [True, True, True, False, True]
    assert [value(state, p) for p in "cde"] == [2, 2, 1]
    step(state, [["run", 4]])
    assert state.slots[4] is not None and state.slots[4].wait is not None
    assert (state.slots[4].wait[0].channel, state.slots[4].wait[0].values) == (3, (1,))
    step(state, run_0)
    assert [value(state, p) for p in "cde"] == [2, 2, 4]  # 1 and 3 are held by the waiting process and its message


def test_calls_that_wait_keep_their_frames() -> None:
    text = """MODULE T; TYPE C = [m(INTEGER)]; PORT c : C; VAR x : INTEGER;
PROCESS Get(c : C; VAR v : INTEGER); VAR got : INTEGER; BEGIN c?m(got); v := got + 1 END Get;
PROCESS P(c : C); VAR mine : ARRAY 2 OF INTEGER; BEGIN Get(c, mine[1]); x := mine[1] END P;
BEGIN NEW(c); CREATE P(c); c!m(4) END T."""
    state = steps(text, [["run", 0]], [["run", 1], ["meet", None, 0, None]])
    assert state.slots[1] is not None and len(state.slots[1].frames) == 2
    assert local(state, 1, "got") == 4
    step(state, [["run", 1]])
    assert value(state, "x") == 5
    assert state.slots[1] is None


def test_time_and_the_console() -> None:
    text = """MODULE T; IMPORT Clock, SYSTEM; TYPE C = [m]; PORT c : C; VAR ch : CHAR; x : INTEGER;
BEGIN
  NEW(c); SYSTEM.READ(ch); Clock.Sleep(5);
  SELECT WHEN c?m THEN WHEN Clock.After(3) & (x = 1) THEN WHEN Clock.After(4) THEN x := 2 END;
  SYSTEM.READ(ch)
END T."""
    state = steps(text, [["run", 0]])
    assert possible_events(state) == [["console", 0, None]]
    step(state, [["console", 0, 65]])
    step(state, [["run", 0]])
    assert possible_events(state) == [["wake", 0, None]]
    step(state, [["wake", 0, None]])
    step(state, [["run", 0]])
    assert possible_events(state) == [["wake", 0, 2]]
    step(state, [["wake", 0, 2]])
    step(state, [["run", 0], ["read", 66]])
    assert (value(state, "ch"), value(state, "x")) == (66, 2)


def test_interrupts() -> None:
    text = """MODULE T; IMPORT SYSTEM; VAR x : INTEGER;
PROCESS P; BEGIN SYSTEM.INT[7]?INTERRUPT; INC(x); SELECT WHEN SYSTEM.INT[7]?INTERRUPT & (x = 2) THEN END END P;
BEGIN CREATE P END T."""
    state = steps(text, INIT, [["interrupt", 7, None]])
    assert state.pending == {7}
    step(state, [["run", 1], ["take", None]])
    step(state, [["run", 1]])
    step(state, [["interrupt", 7, None]])  # its guard does not hold: it stays pending
    assert state.pending == {7}
    found = explore(program_of(text))
    assert found.kinds == {"partial-deadlock"}


def test_registers_and_ports() -> None:
    text = """MODULE T; IMPORT SYSTEM; VAR r AT 25H : SET8; w AT 30H : INT16; x : INTEGER;
BEGIN INCL(r, 2); w := -2; x := w; PORTOUT(1, PORTIN(2)); PORTOUT32(4, 5) END T."""
    state = State.initial(program_of(text))
    items = step(state, [["run", 0], ["in8", 9], ["in16", 65535], ["in8", 3]])
    assert items == [
        ["run", 0],
        ["in8", 9],
        ["out", 8, 0x25, 13],
        ["out", 16, 0x30, 0xFFFE],
        ["in16", 0xFFFF],
        ["in8", 3],
        ["out", 8, 1, 3],
        ["out", 32, 4, 5],
    ]
    assert value(state, "x") == -1
