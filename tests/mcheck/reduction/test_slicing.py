"""Slices: what stays for which claim, that the verdict is the program's, and that ways lead through the program."""

from __future__ import annotations

from pathlib import Path

import pytest

from lfc.actions.analysis.may_fault import Ranges
from lfc.base.source import Source
from lfc.mcheck.check import check
from lfc.mcheck.reduction.slicing.claims import claims_of
from lfc.mcheck.reduction.slicing.dependence import UnknownClaim
from lfc.mcheck.reduction.slicing.show import marked
from lfc.mcheck.reduction.slicing.sliced_program import variables_in_slice
from lfc.mcheck.report.text import tell
from lfc.mcheck.report.text_details import report_lines
from lfc.mcheck.request.request import request_from
from lfc.mcheck.request.world import Data, World
from lfc.semantics.model.visit import statements
from tests.cli.lfc import lfc
from tests.differential.stepwise import machine_of_source
from tests.mcheck.properties.naive_runs import violates
from tests.mcheck.reduction.slices import checked, kept

MODELS = Path(__file__).parents[3] / "examples" / "models"


def kept_lines(text: str, *only: str) -> list[int]:
    found = kept(text, *only)
    return sorted(s.span.line for s in found.all_statements if id(s) in found.statements)


def test_the_sum_has_nothing_to_do_with_the_product() -> None:
    text = (MODELS / "sumproduct.lf").read_text()
    full = checked(text, reductions=())
    assert (full.verdict, full.states, full.transitions) == ("holds", 21, 35)
    result = checked(text, "sum")
    assert (result.verdict, result.states, result.transitions) == ("holds", 8, 9)
    assert result.only == "sum"
    assert {p.name for p in kept(text, "sum").processes} == {"Compute", "Sum"}


def test_the_way_is_told_of_the_whole_program() -> None:
    text = (MODELS / "sumproduct.lf").read_text().replace("gotSum = 0", "gotSum = 1")
    result = checked(text.replace("ALWAYS", "ALWAYS ALWAYS"), "sum")
    (finding,) = result.findings
    assert (finding.kind, finding.machine) == ("property", None)
    machine = machine_of_source(Source("Program.lf", text))
    assert len(finding.blocks[0]) == machine.block_size


LONG = """MODULE Sl;
VAR n : UINT32; i, k : INTEGER;
PROCEDURE Sum(x : UINT32) : UINT32;
VAR i : INTEGER; s : UINT32;
BEGIN
  FOR i := 1 TO 5000 DO s := s + x END;
  RETURN s
END Sum;
PROCESS Add;
VAR i : INTEGER;
BEGIN
  FOR i := 1 TO 5000 DO n := n + 1 END
END Add;
BEGIN
  {}; RESCHEDULE
END Sl.
"""


@pytest.mark.parametrize(
    ("body", "many"),
    [
        ("FOR i := 1 TO {} DO n := n + 3 END", 1_000_001),
        ("FOR i := 1 TO {} DO Add END", 300),
        ("FOR i := 1 TO {} DO n := Sum(n) END", 300),
        ("WHILE k < {} DO INC(k); Add END", 300),
        ("WHILE k < {} DO INC(k); n := Sum(n) END", 300),
    ],
)
def test_rounds_and_calls_that_left_count_towards_the_bound_of_an_action(body: str, many: int) -> None:
    for times, verdict in ((1, "holds"), (many, "fault")):
        text = LONG.format(body.format(times))
        assert checked(text, reductions=()).verdict == checked(text).verdict == verdict


def test_rounds_that_left_count_where_data_is_undetermined() -> None:
    """In the slice 100 rounds are within its bound, and 300 are not: then the whole program is searched."""
    text = LONG.format("WHILE k < {} DO INC(k); n := Sum(n) END")
    result = checked(text.format(100), data=Data.SYMBOLIC)
    assert (result.verdict, result.reductions[0].told) == ("holds", 1)
    # the whole program has too many instructions
    assert checked(text.format(300), data=Data.SYMBOLIC).verdict == "inconclusive"


def test_what_leaves_and_is_short_is_no_reason_against_a_slice() -> None:
    result = checked(LONG.format("WHILE k < 100 DO INC(k); n := Sum(n) END"))
    assert (result.verdict, result.reductions[0].told) == ("holds", 1)


def test_a_call_stays_whose_argument_may_fault_though_nothing_is_left_of_what_it_calls() -> None:
    text = """MODULE Sl;
VAR a : ARRAY 4 OF UINT8; i : INTEGER;
PROCESS Show(x : UINT8);
BEGIN
  PORTOUT(10H, x)
END Show;
BEGIN
  LOOP
    Show(a[i]);
    i := (i + 1) MOD LAST;
    RESCHEDULE
  END
END Sl.
"""
    assert checked(text.replace("LAST", "4")).verdict == "holds"
    assert checked(text.replace("LAST", "5")).verdict == "fault"


ONE = """MODULE One;
TYPE T = [m(UINT8)];
PORT p, q : T; VAR a, b, c, d : UINT8;
PROCESS P;
VAR x : UINT8;
BEGIN
{body}
END P;
PROCESS Q;
VAR y : UINT8;
BEGIN
{other}
END Q;
PROPERTY safe = ALWAYS (a # 9);
BEGIN NEW(p); NEW(q); CREATE P; CREATE Q END One.
"""
P, Q = 7, 12  # the lines where they begin


def lines_of(body: str, other: str = "RESCHEDULE", only: str = "safe") -> tuple[list[int], list[int]]:
    """Which lines of the two bodies stay, counted from 0."""
    text = ONE.format(body=body, other=other)
    later = body.count("\n")
    found = kept_lines(text, only)
    in_p = sorted({n - P for n in found if P <= n <= P + later})
    in_q = sorted({n - Q - later for n in found if Q + later <= n <= Q + later + other.count("\n")})
    return in_p, in_q


def test_what_is_written_for_what_is_read_stays() -> None:
    assert lines_of("b := 1;\nc := b;\na := c;\nd := a;\nb := 2")[0] == [0, 1, 2, 4]


def test_what_decides_stays() -> None:
    assert lines_of("b := 1;\nIF b = 1 THEN\na := 2 END;\nc := b")[0] == [0, 1, 2]


def test_who_waits_before_it_stays_and_whom_it_waits_for() -> None:
    assert lines_of("p?m(x);\na := 2", "c := 1;\np!m(c);\nq!m(c)") == ([0, 1], [1])


def test_what_a_message_carries_stays_if_it_matters() -> None:
    assert lines_of("p?m(x);\na := x", "c := 1;\np!m(c);\nd := c") == ([0, 1], [0, 1])


def test_what_comes_after_all_that_matters_leaves() -> None:
    assert lines_of("a := 2;\nRESCHEDULE;\nb := 3;\np?m(x)", "p!m(1)") == ([0], [])


def test_a_loop_that_may_not_end_stays_before_what_matters() -> None:
    assert lines_of("WHILE b = 0 DO\nc := 1 END;\na := 2")[0] == [0, 2]
    assert lines_of("FOR b := 0 TO 3 DO\nc := 1 END;\na := 2")[0] == [2]
    assert lines_of("FOR b := 0 TO 3 DO\nb := c END;\na := 2")[0] == [0, 1, 2]


@pytest.mark.parametrize("kept", ["k := 0", "Back(k)", "FOR k := 0 TO 0 DO i := 1 END"])
def test_a_loop_that_sets_its_counter_back_stays_where_faults_are_looked_for(kept: str) -> None:
    text = """MODULE Back;
PROCESS Back(VAR n : UINT8);
BEGIN
  n := 0
END Back;
PROCESS P;
VAR k, i : UINT8;
BEGIN
  FOR k := 0 TO 2 DO {} END
END P;
BEGIN CREATE P END Back.
"""
    assert checked(text.replace("{}", "i := k")).verdict == "holds"
    assert checked(text.replace("{}", kept)).verdict == "fault"


def test_a_loop_that_counts_with_a_variable_of_others_stays_where_faults_are_looked_for() -> None:
    text = """MODULE Back;
VAR k, i : UINT8;
PROCESS Down;
BEGIN
  {} := 0
END Down;
PROCESS P;
BEGIN
  FOR k := 0 TO 1 DO Down END
END P;
BEGIN CREATE P END Back.
"""
    assert checked(text.replace("{}", "i")).verdict == "holds"
    assert checked(text.replace("{}", "k")).verdict == "fault"


def test_for_deadlocks_every_communication_stays() -> None:
    body, other = "b := 1;\np?m(x);\nc := x;\nIF d = 1 THEN\nq!m(1) END", "p!m(7)"
    assert lines_of(body, other, "deadlock") == ([1, 3, 4], [0])
    result = checked(ONE.format(body=body, other=other + "; q?m(y)"), "deadlock")
    assert result.verdict == "deadlock"
    assert result.findings[0].machine is None


def test_for_faults_what_may_fail_stays() -> None:
    body = "b := 8 DIV c;\nd := b;\nx := 1;\nIF x = 1 THEN\nd := 2 END"
    assert lines_of(body, only="faults")[0] == [0]
    assert checked(ONE.format(body=body, other="c := 1"), "faults").verdict == "fault"


def test_all_that_a_check_looks_for() -> None:
    text = ONE.format(body="CHOICE b := 1 | b := 2 END;\nRESCHEDULE;\nd := b;\nASSERT(a = 0)", other="y := 1;\na := 2")
    full, sliced = checked(text, reductions=()), checked(text)
    assert full.verdict == sliced.verdict == "assertion"
    assert sliced.states < full.states
    assert sliced.findings[0].machine is None
    assert [s.why_not for s in sliced.reductions] == [""]
    assert "all scheduling points stay, because faults and deadlocks are checked" in sliced.reductions[0].text


def test_an_assertion_by_its_line() -> None:
    text = ONE.format(body="a := 1;\nASSERT(a = 1);\nb := 1;\nASSERT(b # 1)", other="RESCHEDULE")
    assert checked(text, str(P + 1)).verdict == "holds"
    assert checked(text, str(P + 3)).verdict == "assertion"
    assert checked(text, "assert").verdict == "assertion"


@pytest.mark.parametrize(
    ("formula", "why"),
    [
        ("NEXT (a = 0)", "`safe` counts steps"),
        ("EVENTUALLY (a = 9)", "`safe` concerns infinite runs"),
        ("ALWAYS (a # 9)", ""),
    ],
)
def test_some_properties_need_every_scheduling_point(formula: str, why: str) -> None:
    text = ONE.format(body="RESCHEDULE;\na := 1;\nRESCHEDULE", other="b := 1;\nRESCHEDULE")
    text = text.replace("ALWAYS (a # 9)", formula)
    assert kept(text, "safe").claims.points_stay.startswith(why)
    options = request_from(threads=1, properties=("safe",), allow_deadlocks=True)
    full = check(machine_of_source(Source("Program.lf", text)), options)
    assert checked(text, "safe").verdict == full.verdict


def test_with_fairness_and_with_time_the_points_stay() -> None:
    machine = machine_of_source(Source("Program.lf", ONE.format(body="a := 1", other="RESCHEDULE")))
    fair = claims_of(machine, request_from(only=("safe",), fairness="weak"))
    assert fair.points_stay == "fairness concerns every process"
    timed = claims_of(machine, request_from(only=("safe",), time="ordered"))
    assert timed.points_stay == "a ready process delays time"


def test_what_a_slot_is_asked_for_keeps_its_process() -> None:
    text = ONE.format(body="b := 1;\nRESCHEDULE;\nc := 1;\nRESCHEDULE", other="RESCHEDULE")
    found = kept(text.replace("(a # 9)", "(WAITING(Q) OR ~ENDED(P) OR (a = 0))"), "safe")
    assert {p.name for p in found.processes} == {"P", "Q"}
    assert P + 3 in {s.span.line for s in found.all_statements if id(s) in found.statements}


def test_no_alarm_behind_a_fault_that_left() -> None:
    """The slice has a violation that the program has not: a fault ends it before."""
    text = ONE.format(body="b := 8 DIV c;\na := 9", other="RESCHEDULE")
    result = checked(text, "safe")
    assert (result.verdict, result.findings) == ("holds", [])
    assert checked(text.replace("8 DIV c", "8 DIV (c + 1)"), "safe").verdict == "property"
    line = str(P + 1)
    text = ONE.format(body="b := 8 DIV c; a := 9;\nASSERT(a = 0)", other="RESCHEDULE")
    assert (checked(text, line).verdict, checked(text.replace("8 DIV c", "c"), line).verdict) == ("holds", "assertion")


@pytest.mark.parametrize(("limit", "verdict"), [(11, "holds"), (10, "assertion")])
def test_a_fault_that_nobody_asked_for_is_no_verdict(limit: int, verdict: str) -> None:
    """That P may use a port before it is set says nothing of the assertion, which fails, if it does, in another run."""
    text = f"""MODULE Unset;
TYPE T = [m(UINT8)];
PORT q : T; VAR a : UINT8;
PROCESS P; BEGIN IF a = 0 THEN q!m(1) END;
ASSERT(a < {limit})
END P;
PROCESS Q; BEGIN RESCHEDULE; a := 1; q?m(a) END Q;
PROCESS R; BEGIN RESCHEDULE; a := 1; RESCHEDULE; a := 10; NEW(q) END R;
BEGIN CREATE P; CREATE Q; CREATE R END Unset.
"""
    assert {f.kind for f in checked(text, reductions=(), keep_going=True).findings} >= {"fault"}
    result = checked(text, "5")
    assert (result.verdict, [f.kind for f in result.findings]) == (verdict, ["assertion"] * (limit == 10))
    assert all(f.machine is None for f in result.findings)
    assert checked(text, "faults").verdict == "fault"


def test_a_run_without_end_behind_a_fault_that_left_is_said_to_be_the_slices() -> None:
    text = ONE.format(body="b := 8 DIV c;\na := 9", other="RESCHEDULE")
    text = text.replace("ALWAYS (a # 9)", "EVENTUALLY (a = 7)")
    result = checked(text, "safe")
    assert result.verdict == "property"
    assert [f.machine is not None for f in result.findings] == [True]
    told = tell(machine_of_source(Source("Program.lf", text)), result)
    assert "counterexample in the slice; it could not be replayed" in told
    found = checked(text.replace("8 DIV c", "8 DIV (c + 1)"), "safe")
    assert [f.machine for f in found.findings] == [None]  # searched for in the program


WIDE = """MODULE Wide;
VAR x : UINT32; n, other : INTEGER;
PROPERTY small = ALWAYS (n < 2);
PROCESS Counts;
BEGIN
  LOOP IF other < 20 THEN INC(other) ELSE other := 0 END; RESCHEDULE END
END Counts;
PROCESS P;
BEGIN
  x := PORTIN32(78H);
  RESCHEDULE;
  IF x = 123456 THEN INC(n) END;
  RESCHEDULE;
  IF x * 2 = 246912 THEN INC(n) END;
  RESCHEDULE;
  ASSERT(x # 99)
END P;
BEGIN CREATE Counts; CREATE P END Wide.
"""


def test_a_way_that_reads_a_wide_port_reads_the_same_in_the_program() -> None:
    """Not all its values can be tried there; in the whole program another error would come first."""
    result = checked(WIDE, "small", reductions=("auto",))
    assert result.symbolic is not None
    (finding,) = result.findings
    assert (result.verdict, result.only, finding.kind, finding.machine) == ("property", "small", "property", None)
    assert [i.operands for step in finding.steps for i in step if i.name == "in32"] == [(123456,)]
    (finding,) = checked(WIDE, "assert", reductions=("auto",)).findings
    assert (finding.kind, finding.machine) == ("assertion", None)
    assert [i.operands for step in finding.steps for i in step if i.name == "in32"] == [(99,)]


def test_a_variable_with_other_names_is_one() -> None:
    put = "PROCESS Put(VAR to : UINT8); BEGIN to := 3 END Put;\nPROCESS P;"
    text = ONE.format(body="Put(a);\nPut(b);\nb := 1", other="RESCHEDULE").replace("PROCESS P;", put)
    assert [n - P - 1 for n in kept_lines(text, "safe") if n > P] == [0, 1, 2, 10]


def test_unknown_claims() -> None:
    with pytest.raises(UnknownClaim, match="unknown claim `magic`"):
        kept(ONE.format(body="a := 1", other="b := 1"), "magic")


def test_a_module_that_others_use_has_no_slice() -> None:
    world = World(outside="others use its channels")
    result = checked(ONE.format(body="a := 1", other="RESCHEDULE"), world=world)
    assert result.reductions[0].why_not == "the environment uses the module's channels"


def test_a_run_without_end_is_told_of_the_whole_program() -> None:
    text = ONE.format(body="a := 1;\nLOOP\nRESCHEDULE;\nd := 1 END", other="b := 1").replace("(a # 9)", "(a = 0)")
    text = text.replace("ALWAYS (a", "EVENTUALLY ALWAYS (a")
    result = checked(text)
    assert result.verdict == "property"
    (finding,) = result.findings
    assert (finding.machine, finding.run is not None and not finding.run.lost) == (None, True)
    assert result.reductions[0].why_not.startswith("its counterexample, an infinite run")


def test_where_nothing_leaves_the_program_is_checked() -> None:
    result = checked(ONE.format(body="p!m(1)", other="p?m(b);\nASSERT(b = 1)").replace("a # 9", "b # 9"))
    assert result.verdict == "holds"
    assert result.reductions[0].why_not == "every statement affects what is checked"


STATEMENTS = """MODULE S;
VAR u : UINT8; i : INTEGER; r : 0 .. 3; s : SET8; t : ARRAY 4 OF UINT8; c : CHAR; w : INT16;
BEGIN
  u := u + 1; INC(u); t[r] := 1; s := {r}; i := r * 4; c := CHR(u); w := u; i := r + u; INCL(s, r); t[u MOD 4] := 2;
  i := i + 1; INC(i); t[u] := 1; s := {u}; r := r + 1; c := CHR(i); u := u DIV u; i := -i; INCL(s, u); INC(r)
END S.
"""


def test_which_statements_may_fault() -> None:
    machine = machine_of_source(Source("S.lf", STATEMENTS))
    found = [(s.span.line, Ranges().simple_may_fault(s)) for s in statements(machine.program.main.body)]
    assert found == [*[(4, False)] * 10, *[(5, True)] * 10]


ODD = """MODULE Odd;
IMPORT SYSTEM;
TYPE Color = (red, green, blue); Small = 1 .. 3; Nine = 0 .. 9;
CONST odd = SYSTEM.VAL(Small, 77);
VAR c : Color; s : Small; n : Nine; b : UINT8; t : ARRAY 10 OF UINT8;
PROCESS P; BEGIN RESCHEDULE; {make}; RESCHEDULE; t[{use}] := 1 END P;
BEGIN b := 77; CREATE P END Odd.
"""


@pytest.mark.parametrize("only", [(), ("faults",)])
@pytest.mark.parametrize(
    ("make", "use"),
    [("c := SYSTEM.VAL(Color, b)", "ORD(c)"), ("s := SYSTEM.VAL(Small, b); n := s", "n"), ("s := odd", "s")],
)
def test_what_the_type_does_not_have_may_fault(make: str, use: str, only: tuple[str, ...]) -> None:
    text = ODD.format(make=make, use=use)
    assert checked(text, reductions=()).verdict == "fault"
    assert checked(text, *only).verdict == "fault"


PORTS = """MODULE Ports;
TYPE T = [m(UINT8)]; Gift = [both(ARRAY 2 OF T)];
PORT p : T; a, b : ARRAY 2 OF T; gift : Gift;
PROCESS Send(to : T); BEGIN to!m(1) END Send;
PROCESS Give(to : Gift); PORT c : ARRAY 2 OF T; BEGIN c[1] := p; to!both(c) END Give;
PROCESS Take(from : Gift); PORT c : ARRAY 2 OF T; BEGIN from?both(c); c[1]!m(1) END Take;
PROCESS Receive(from : T); VAR x : UINT8; BEGIN from?m(x); ASSERT(x = 0) END Receive;
BEGIN {start} END Ports.
"""
COPIED = "NEW(a[0]); NEW(a[1]); b := a; CREATE Send(a[0]); CREATE Receive(b[0])"
GIVEN = "NEW(p); NEW(gift); CREATE Give(gift); CREATE Take(gift); CREATE Receive(p)"


@pytest.mark.parametrize("start", [COPIED, GIVEN])
@pytest.mark.parametrize("only", [(), ("assert",)])
def test_ports_flow_in_whole_arrays(start: str, only: tuple[str, ...]) -> None:
    result = checked(PORTS.format(start=start), *only)
    assert result.verdict == "assertion"
    assert result.findings[0].machine is None


def test_a_value_that_does_not_matter_fits_where_it_goes() -> None:
    text = ONE.replace("x : UINT8", "x : 1 .. 3").format(body="p?m(x)", other="p!m(2)")
    assert checked(text, reductions=()).verdict == "holds"
    assert checked(text, "deadlock").verdict == "holds"


@pytest.mark.parametrize("only", [(), ("faults",), ("deadlock",)])
def test_ports_that_only_keep_a_channel_in_use_stay(only: tuple[str, ...]) -> None:
    text = """MODULE Keep;
TYPE T = [m];
PORT keep : T;
PROCESS Make; PORT c : T MAX 1; BEGIN NEW(c); keep := c; RESCHEDULE END Make;
PROCESS P; BEGIN Make; RESCHEDULE; Make END P;
BEGIN CREATE P END Keep.
"""
    assert checked(text, *only).verdict == "fault"


def test_there_are_as_many_channels_as_in_the_program() -> None:
    text = """MODULE Many;
TYPE T = [m];
PORT p : ARRAY 12 OF T; other : T; VAR n, k, g : UINT8;
PROCESS P;
BEGIN
  WHILE n < 12 DO NEW(p[n]); INC(n) END;
  ASSERT(p[0] # p[1])
END P;
PROCESS Q;
BEGIN
  WHILE k < 2 DO NEW(other); INC(k) END;
  g := k
END Q;
BEGIN CREATE P; CREATE Q END Many.
"""
    assert checked(text, reductions=()).verdict == "holds"
    assert checked(text, "assert").verdict == "holds"


def test_what_is_said_beside_is_of_the_slice_or_of_the_program() -> None:
    text = ONE.replace("[m(UINT8)]", "[m(UINT8), k]").format(body="p!m(1); a := 2; p!k", other="p?m(y); b := y; p?k")
    full = checked(text, reductions=(), report=True)
    result = checked(text, "safe", report=True)
    assert full.beside.unreached.messages == result.beside.unreached.messages == []
    assert "reached: everything in the slice" in report_lines(result.beside)
    assert result.beside.bounds is not None and full.beside.bounds is not None
    assert result.beside.bounds.block_bytes == full.beside.bounds.block_bytes


INSTANCES = """MODULE Instances;
TYPE Ch = [m];
PORT c : Ch;
VAR i, unread : UINT8;
PROCESS P;
BEGIN unread := i; RESCHEDULE; c?m END P;
PROCESS Tick; BEGIN LOOP RESCHEDULE END END Tick;
PROPERTY p = ALWAYS ~WAITING(P[2]);
BEGIN
  NEW(c); FOR i := 0 TO 2 DO CREATE P END; CREATE Tick
END Instances.
"""


def test_who_is_which_instance_matters_to_a_property_that_asks_for_one() -> None:
    machine = machine_of_source(Source("Instances.lf", INSTANCES))
    found = check(machine, request_from(threads=1, allow_deadlocks=True, reductions=("slice",)))
    assert found.reductions[0].told and found.findings[0].machine is None
    assert violates(machine, found.findings[0])


@pytest.mark.parametrize("port", ["W.q", "W.qs[1]"])
def test_a_port_of_a_process_names_what_its_variable_may_hold(port: str) -> None:
    text = f"""MODULE Watch;
TYPE T = [m];
PORT p : T; VAR d : UINT8;
PROCESS Send(to : T); BEGIN to!m; d := 1 END Send;
PROCESS Receive(from : T); BEGIN from?m; d := 2 END Receive;
PROCESS W; PORT q : T; qs : ARRAY 2 OF T; BEGIN q := p; qs[1] := q; RESCHEDULE END W;
PROPERTY never = ALWAYS (~TAKEN({port}.m));
BEGIN NEW(p); CREATE W; CREATE Send(p); CREATE Receive(p) END Watch.
"""
    assert checked(text, reductions=()).verdict == "property"
    assert checked(text, "never").verdict == "property"


def test_property_processes_that_are_not_asked_for_are_gone() -> None:
    watch = "PROPERTY {}; VAR k : UINT8;\nBEGIN LOOP IF {} = 1 THEN k := 1 END; RESCHEDULE END END {};\n"
    both = watch.format("one", "a", "one") + watch.format("two", "b", "two")
    text = ONE.format(body="a := 1;\nb := 1", other="RESCHEDULE").replace("PROPERTY safe", both + "PROPERTY safe")
    there = kept(text, "one")
    (file,) = marked(there, variables_in_slice(there))
    left = "\n".join(line for _, line, marks in file.lines() if "-" not in marks)
    assert "END one;" in left and "two" not in left and "safe" not in left


@pytest.mark.parametrize(
    ("formal", "argument", "first"), [("of : ARRAY OF UINT8", "a", "of[1]"), ("VAR of : UINT8", "a[1]", "of")]
)
def test_ways_where_parameters_stand_for_variables(formal: str, argument: str, first: str) -> None:
    """The variables lie elsewhere in the slice, so there these parameters hold something else."""
    text = f"""MODULE Stand;
VAR w : ARRAY 5 OF UINT8; x : UINT8; a : ARRAY 3 OF UINT8;
PROCESS Other;
BEGIN w[0] := 3; RESCHEDULE; w[1] := 2 END Other;
PROCESS Adds({formal});
BEGIN INC(x, {first} + 1); RESCHEDULE; ASSERT(x < 2) END Adds;
BEGIN CREATE Other; CREATE Adds({argument}); CREATE Adds({argument}) END Stand.
"""
    (finding,) = checked(text, "assert").findings
    assert finding.kind == "assertion"
    assert finding.machine is None  # it is one of the program
    assert len(finding.steps) == 4


ASIDE = """MODULE Aside;
TYPE T = [m(UINT8)];
PORT other : T; few : ARRAY 2 OF T;
VAR d, e : UINT8; t : ARRAY 3 OF UINT8; g : UINT8;
PROCESS P(VAR x : UINT8; a : ARRAY OF UINT8); BEGIN RESCHEDULE; x := x + 1; few[1]!m(x + a[1]) END P;
PROCESS D; BEGIN RESCHEDULE; d := 1; RESCHEDULE; e := d END D;
PROCESS Q; VAR y : UINT8; BEGIN few[1]?m(y); ASSERT(y # 1) END Q;
BEGIN NEW(other); NEW(few[0]); NEW(few[1]); CREATE P(g, t); CREATE D; CREATE Q END Aside.
"""


def test_a_way_is_found_whatever_number_or_place_things_have_in_the_slice() -> None:
    """There is one channel less, and the variables that are passed lie elsewhere."""
    result = checked(ASIDE, "assert")
    assert [f.machine for f in result.findings] == [None]
    assert result.verdict == "assertion"


ALIKE = """MODULE Alike;
TYPE Ch = [m, n];
PORT c, e : Ch;
VAR d : UINT8;
PROPERTY never = ALWAYS ~TAKEN(e.m);
PROCESS P(p : Ch); BEGIN d := 1; Meet(p); d := 2; LOOP RESCHEDULE END END P;
PROCESS Meet(p : Ch); BEGIN p!m; RESCHEDULE END Meet;
PROCESS Q(p : Ch) SERVER; BEGIN {body} END Q;
BEGIN NEW(c); NEW(e); CREATE P(c); CREATE P(e); CREATE Q(c); CREATE Q({other}) END Alike.
"""
FIRST, SECOND = 1, 2  # the slots of P


@pytest.mark.parametrize(("only", "other"), [("never", "e"), ("deadlock", "c")])
def test_a_way_is_that_of_the_instance_with_the_channel(only: str, other: str) -> None:
    """Both of `P` do the same to all that matters, but on different channels."""
    text = ALIKE.format(body="LOOP p?m END" if only == "deadlock" else "p?m", other=other)
    machine = machine_of_source(Source("Program.lf", text))
    (finding,) = checked(text, only).findings
    assert finding.machine is None
    first, second = (machine.position_at(finding.blocks[-1], slot) for slot in (FIRST, SECOND))
    assert first is not None and second is not None
    if only == "deadlock":
        assert (finding.kind, finding.waiting) == ("partial-deadlock", [SECOND])
        assert second.kind == "waiting"
    else:
        assert (finding.kind, first.kind, second.kind) == ("property", "start", "after")


# --- communications that pass

PRODUCT = "PROPERTY product = ALWAYS ((gotProduct = 0) OR (gotProduct = 3628800));\n\nPROPERTY sum ="


def sum_and_product(value: int = 3628800) -> str:
    text = (MODELS / "sumproduct.lf").read_text().replace("PROPERTY sum =", PRODUCT)
    return text.replace("gotProduct = 3628800", f"gotProduct = {value}")


def test_the_product_does_not_wait_for_the_sum() -> None:
    text = sum_and_product()
    with_partners, found = kept(text, "product"), kept(text, "product", passes=True)
    assert (len(with_partners.statements), len(found.statements)) == (12, 8)
    assert [(m.statement.span.line, m.anchor) for m in found.merged.values()] == [(22, None)]
    assert checked(text, "product", reductions=()).states == 8  # --for is a slice, whatever the reductions
    result = checked(text, "product")
    assert (result.verdict, result.states, result.transitions) == ("holds", 8, 9)


def test_what_violates_is_gone_in_the_program_with_the_partners() -> None:
    machine = machine_of_source(Source("Program.lf", sum_and_product(3628801)))
    (finding,) = checked(sum_and_product(3628801), "product").findings
    assert (finding.kind, finding.machine, len(finding.steps)) == ("property", None, 5)
    assert finding.run is not None and len(finding.run.blocks) == 6
    assert finding.run.atoms == [["(gotProduct = 0)", "~(gotProduct = 3628801)"], [], [], [], ["~(gotProduct = 0)"]]
    assert violates(machine, finding)


SHARED = """MODULE Shared;
TYPE T = [m, k(UINT8)];
PORT p, q : T; VAR a, b : UINT8;
PROCESS P; BEGIN a := 1; p!m; a := 2; q!k(3); a := 3 END P;
PROCESS Q; BEGIN p?m; q?k(b); ASSERT({first}) END Q;
BEGIN NEW(p); NEW(q); CREATE P; CREATE Q END Shared.
"""


def test_a_process_may_stop_where_others_see_what_it_did() -> None:
    """In the slice, where it does not wait for its partner."""
    text = SHARED.format(first="a # 1")
    line = "5"
    found = kept(text, line, passes=True)
    assert [s.span.line for s in found.passing.values()] == [4, 4]
    assert [m.statement.span.line for m in found.merged.values()] == [5, 5]  # before its first look at what is shared
    assert checked(text, line).verdict == "holds"
    assert checked(SHARED.format(first="a # 2"), line).verdict == "assertion"
    assert checked(SHARED.format(first="a # 3"), line).findings[0].machine is None


def test_what_an_error_needs_comes_back() -> None:
    """In the slice Q need not wait for P."""
    text = SHARED.format(first="a >= 2")
    result = checked(text, "5")
    assert result.verdict == "holds"
    assert "no partner is needed" not in result.reductions[0].text


def test_for_faults_a_port_that_may_not_be_set_keeps_its_communication() -> None:
    text = """MODULE Unset;
TYPE T = [m];
PORT p, q : T; VAR a : UINT8;
PROCESS P; BEGIN p!m; {other}!m; a := 8 DIV a END P;
PROCESS Q; BEGIN p?m; q?m END Q;
BEGIN NEW(p); {new}; CREATE P; CREATE Q END Unset.
"""
    known = kept(text.format(other="q", new="NEW(q)"), "faults", passes=True)
    assert [m.statement.span.line for m in known.merged.values()] == [4, 4, 5, 5]
    unset = kept(text.format(other="q", new="a := 1"), "faults", passes=True)
    assert [m.statement.span.line for m in unset.merged.values()] == [4, 5]
    assert checked(text.format(other="q", new="a := 1"), "faults").verdict == "fault"
    assert checked(text.format(other="q", new="NEW(q)"), "faults").verdict == "fault"


def test_for_faults_a_message_with_a_port_keeps_its_partners() -> None:
    """The receiver alone holds the channel, so the third of two is a fault."""
    text = """MODULE Held;
TYPE Data = [x(UINT8)]; Give = [give(Data)];
PORT link : Give MAX 1; a : Data MAX 2;
PROCESS Holder; PORT q : Data; BEGIN link?give(q); LOOP RESCHEDULE END END Holder;
PROCESS Maker; BEGIN link!give(a); NEW(a); NEW(a) END Maker;
BEGIN NEW(link); NEW(a); CREATE Holder; CREATE Maker END Held.
"""
    assert checked(text, reductions=(), allow_deadlocks=True).verdict == "fault"
    assert checked(text, allow_deadlocks=True).verdict == "fault"
    result = checked(text, "faults")
    assert (result.verdict, result.findings[0].machine) == ("fault", None)


@pytest.mark.parametrize(
    ("only", "formula"),
    [
        ("deadlock", "a # 9"),
        ("safe", "(a # 9) OR WAITING(P)"),
        ("safe", "NEXT (a # 9)"),
    ],
)
def test_where_it_is_seen_who_waits_nothing_passes(only: str, formula: str) -> None:
    text = ONE.format(body="p!m(1);\na := 2", other="p?m(y)").replace("a # 9", formula)
    assert not kept(text, only, passes=True).passing


def test_clauses_that_decide_keep_their_partners() -> None:
    body = "SELECT WHEN p?m(x) THEN a := 1 WHEN q?m(x) THEN b := 1 END;\na := 2"
    text = ONE.format(body=body, other="p!m(1)")
    assert not kept(text, "safe", passes=True).passing
    found = kept(text.replace("a := 1 WHEN", "c := 1 WHEN"), "safe", passes=True)
    assert [type(m.statement).__name__ for m in found.merged.values()] == ["Select"]


def test_a_slice_that_is_written_compiles(tmp_path: Path) -> None:
    path = tmp_path / "Shared.lf"
    path.write_text(SHARED.format(first="a # 1"))
    done = lfc("slice", str(path), "--for", "5", "-o", str(tmp_path / "Out.lf"))
    assert done.exit == 0, done.err
    assert "RESCHEDULE in the place of communications (line 4" in done.out
    assert "RESCHEDULE" in (tmp_path / "Out.lf").read_text() and "!m" not in (tmp_path / "Out.lf").read_text()


def test_auto_takes_a_slice_in_which_communications_pass() -> None:
    """Two processes wait for each other with numbers that nobody needs, and one counts."""
    text = """MODULE Many;
TYPE T = [m(UINT16)];
PORT p : T; VAR a, n : UINT8; c, d : UINT16;
PROCESS P; VAR x : UINT16; BEGIN LOOP p!m(x); INC(x, 7); a := 1 END END P;
PROCESS Q; BEGIN LOOP p?m(c) END END Q;
PROCESS R; BEGIN LOOP n := (n + 1) MOD 10; RESCHEDULE END END R;
PROPERTY safe = ALWAYS ((a < 2) & (n < 10));
BEGIN NEW(p); CREATE P; CREATE Q; CREATE R END Many.
"""
    machine = machine_of_source(Source("Program.lf", text.replace("INC(x, 7)", "x := (x + 7) MOD 60000")))
    result = check(machine, request_from(threads=1, allow_deadlocks=True, reductions=("auto",)))
    assert result.verdict == "holds"
    assert "no partner is needed" in result.reductions[0].text
    assert result.states < 1000 < 200_000 <= result.sampled


RECORDS = """MODULE Records;
TYPE Index = 0 .. 1; Station = RECORD online : BOOLEAN; tries : 0 .. 3; good, bad : UINT16 END;
VAR stations : ARRAY 2 OF Station; all : Station; n : Index;
PROCESS Ask(s : Index);
BEGIN
  CHOICE stations[s].tries := 0; INC(stations[s].good)
  OR
    INC(stations[s].bad);
    IF stations[s].tries < 3 THEN INC(stations[s].tries) END
  END;
  stations[s].online := stations[s].tries < {limit}
END Ask;
PROCESS P SERVER; BEGIN LOOP FOR n := 0 TO 1 DO Ask(n) END END END P;
PROPERTY online = ALWAYS stations[1].online;
BEGIN stations[0].online := TRUE; stations[1].online := TRUE; CREATE P END Records.
"""


def test_a_field_that_nobody_needs_leaves_alone() -> None:
    found = kept(RECORDS.format(limit=4))
    stations = next(v for v in found.variables if v.name == "stations")
    assert found.variables[stations] == {("online",), ("tries",)}
    result = checked(RECORDS.format(limit=4), reductions=("slice",))
    assert (result.verdict, result.states) == ("holds", 34)


def test_what_is_found_with_some_fields_is_told_with_all() -> None:
    result = checked(RECORDS.format(limit=2), reductions=("slice",))
    (finding,) = result.findings
    assert (finding.kind, finding.machine) == ("property", None)
    machine = machine_of_source(Source("Program.lf", RECORDS.format(limit=2)))
    offset = next(o for v, o in machine.layout.variables.items() if v.name == "stations")
    second = finding.blocks[-1][offset + 6 : offset + 12]
    assert second[0] == 0 and int.from_bytes(second[4:6], "little") == 2  # not online, after two bad answers


def test_a_record_that_is_assigned_whole_stays_whole() -> None:
    text = RECORDS.format(limit=4).replace("CREATE P", "all := stations[1]; stations[0] := all; CREATE P")
    found = kept(text)
    assert found.variables[next(v for v in found.variables if v.name == "all")] == {()}
    assert found.variables[next(v for v in found.variables if v.name == "stations")] >= {()}


PRINTED = """MODULE Program;
IMPORT Clock, GPIO, Out;
VAR count : UINT16; {more}
PROCESS P SERVER;
VAR high : BOOLEAN;
BEGIN
  GPIO.Configure(GPIO.LED, GPIO.output);
  LOOP
    GPIO.Pressed(high);
    IF high THEN INC(count) END;
    {what};
    Clock.Sleep(10)
  END
END P;
BEGIN CREATE P END Program.
"""


@pytest.mark.parametrize(
    ("what", "more"),
    [
        ("Out.Int(count)", ""),
        ("Out.Hex(count)", ""),
        ("GPIO.Light(count > 200)", ""),
        ("last[1] := count; Out.Int(last[1])", "last : ARRAY 2 OF UINT16;"),
    ],
)
def test_a_counter_that_is_only_shown_has_no_states(what: str, more: str) -> None:
    result = checked(PRINTED.format(what=what, more=more), reductions=("slice",))
    assert (result.verdict, result.states) == ("holds", 4)


def test_a_counter_that_may_overflow_where_it_is_shown_stays() -> None:
    text = PRINTED.format(what="half := 100 DIV (count - 7)", more="half : INTEGER;")
    result = checked(text.replace("100 DIV (count - 7)", "100 DIV (INTEGER(count) - 7)"), reductions=("slice",))
    assert result.verdict == "fault"
