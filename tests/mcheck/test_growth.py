"""What is said when a search does not end, and the slice that `auto` tries before it says so."""

from __future__ import annotations

from pathlib import Path

import pytest

from lfc.actions.build import build_machine
from lfc.diagnostics.model import Diagnostics
from lfc.front_end.load import load_program
from lfc.mcheck.check import check
from lfc.mcheck.request.request import request_from
from lfc.mcheck.search import worker_thread
from lfc.mcheck.search.worker_thread import Progress
from tests.actions.machines import machine_of_text
from tests.cli.lfc import lfc

BIG = """MODULE Big;
IMPORT In;
TYPE Line = [cmd(CHAR)];
VAR adc AT 78H : UINT16; level : UINT16; total : UINT32;
ASSUME adc IN 0 .. 99;
PORT line : Line;
PROCESS Sampler;
BEGIN
  LOOP level := adc; total := total + level; RESCHEDULE END
END Sampler;
PROCESS Reader;
VAR ch : CHAR;
BEGIN
  LOOP In.Char(ch); IF (ch = 's') OR (ch = 0AX) THEN line!cmd(ch) END END
END Reader;
PROCESS Server;
VAR c : CHAR;
BEGIN
  LOOP line?cmd(c); ASSERT((c = 's') OR (c = 0AX)); ASSERT(CLAIM) END
END Server;
BEGIN
  NEW(line); CREATE Sampler; CREATE Reader; CREATE Server
END Big.
"""


def test_a_search_that_its_limit_stops_says_why_and_what_to_do() -> None:
    machine = machine_of_text(BIG.replace("CLAIM", "TRUE"))
    found = check(machine, request_from(threads=1, reductions=(), states=5000, seconds=30))
    assert found.verdict == "inconclusive"
    causes = found.growth.causes
    assert causes[0].startswith("`total` (") and causes[0].endswith(", a counter)")
    assert "`level` (100 values, 0 to 99, read from `adc`)" in causes
    file = machine.program.main.source.path
    assert found.growth.changes == [
        f"lfc check {file} --for assert "
        "(without `total`, `level`, which cannot change this; says nothing of deadlocks)",
        f"lfc check {file} --assume 'console in \"\\nsz\"'",
        f"lfc check {file} --contexts 3 (finds most errors of concurrency; no proof)",
    ]


def test_no_alphabet_is_proposed_where_the_program_assumes_one() -> None:
    """The two together would leave only what both have."""
    text = BIG.replace("CLAIM", "TRUE").replace("PORT line", 'ASSUME console IN "s0-9"; PORT line')
    found = check(machine_of_text(text), request_from(threads=1, reductions=(), states=5000, seconds=30))
    assert found.verdict == "inconclusive"
    assert len(found.growth.changes) == 2 and not any("console" in c for c in found.growth.changes)


COUNTING_MODEL = """ENVIRONMENT MODULE Bench;
IMPORT EEPROM24, EnvI2C, EnvMemory24;
BEGIN EnvI2C.Misbehave(EnvI2C.EVERYTHING, 2); EnvMemory24.Connect(EEPROM24.FIRST, 0) END Bench.
"""
USER = """MODULE User;
IMPORT EEPROM24, I2C;
PROCESS Reader SERVER;
VAR data : ARRAY 2 OF UINT8; error : I2C.Error; at : UINT16;
BEGIN LOOP EEPROM24.Read(EEPROM24.FIRST, at, data, 2, error); at := 1 - at END END Reader;
BEGIN I2C.Start(100000); CREATE Reader END User.
"""


def test_what_the_library_declares_is_not_proposed_to_be_changed(tmp_path: Path) -> None:
    (tmp_path / "User.lf").write_text(USER)
    (tmp_path / "Bench.lf").write_text(COUNTING_MODEL)
    diagnostics = Diagnostics()
    program = load_program(tmp_path / "User.lf", diagnostics, environments=[tmp_path / "Bench.lf"])
    assert program is not None and not diagnostics.has_errors, diagnostics.items
    machine = build_machine(program, diagnostics)
    assert machine is not None
    found = check(machine, request_from(threads=1, reductions=("none",), states=3000, seconds=30))
    assert found.verdict == "inconclusive"
    assert not any("in place of its type" in c for c in found.growth.changes), found.growth.changes


def test_a_search_that_ends_says_nothing_of_it() -> None:
    text = BIG.replace("LOOP level := adc; total := total + level; RESCHEDULE END", "RESCHEDULE")
    found = check(machine_of_text(text.replace("CLAIM", "TRUE")), request_from(threads=1, reductions=("auto",)))
    assert (found.verdict, found.growth.lines()) == ("holds", [])


COUNTERS = """MODULE Counters;
VAR a, b : UINT8; n : 0 .. 49;
PROCESS A; BEGIN LOOP INC(a); ASSERT(a < 200); RESCHEDULE END END A;
PROCESS B; BEGIN LOOP b := b + 1; ASSERT(b >= 0); n := (n + 1) MOD 50; RESCHEDULE END END B;
BEGIN
  CREATE A; CREATE B
END Counters.
"""


@pytest.mark.parametrize("threads", [1, 2])
def test_it_is_told_once_while_the_search_runs(monkeypatch: pytest.MonkeyPatch, threads: int) -> None:
    monkeypatch.setattr(worker_thread, "PATIENCE", 0.05)
    text = COUNTERS.replace("ASSERT(a < 200); ", "")
    told: list[str] = []

    def listen(p: Progress) -> None:
        told.extend(p.notes)

    machine = machine_of_text(text)
    request = request_from(threads=threads, reductions=())
    found, alone = check(machine, request, listen), check(machine, request)
    assert (found.verdict, found.states, found.transitions) == (alone.verdict, alone.states, alone.transitions)
    assert len([line for line in told if line.startswith("many states, because of `")]) == 1


LONG_ACTION = """MODULE Long;
VAR a, b : UINT8; w : UINT32; r AT 78H : UINT8; s AT 79H : UINT8;
PROCESS P;
VAR i : UINT16;
BEGIN
  a := r; b := s; i := 0;
  WHILE i < 2000 DO w := (w * 3 + a + b) MOD 65521; i := i + 1 END;
  RESCHEDULE;
  ASSERT(w # 1)
END P;
BEGIN CREATE P END Long.
"""


def test_the_search_does_not_end_when_it_is_told_within_a_long_action(monkeypatch: pytest.MonkeyPatch) -> None:
    """Some hundred milliseconds of one action, of 65,536 outcomes: it was taken for the limit of time."""
    monkeypatch.setattr(worker_thread, "PATIENCE", 0.05)
    told: list[Progress] = []
    request = request_from(threads=1, reductions=(), data="explicit")
    machine = machine_of_text(LONG_ACTION)
    found, alone = check(machine, request, told.append), check(machine, request)
    assert found.verdict == alone.verdict != "inconclusive"
    assert (found.states, found.transitions) == (alone.states, alone.transitions)


def test_auto_tries_a_slice_where_there_are_many_states() -> None:
    machine = machine_of_text(BIG.replace("CLAIM", "TRUE"))
    found = check(machine, request_from(threads=1, reductions=("auto",), seconds=30, data="explicit"))
    assert (found.verdict, found.reductions[0].name, found.reductions[0].why_not) == ("holds", "slice", "")
    assert found.states < 10_000
    assert check(machine, request_from(threads=1, reductions=(), states=300_000, seconds=30)).verdict == "inconclusive"


def test_an_error_that_a_slice_finds_is_told_of_the_program() -> None:
    found = check(
        machine_of_text(BIG.replace("CLAIM", "c # 's'")), request_from(threads=1, reductions=("auto",), seconds=30)
    )
    assert found.verdict == "assertion"
    assert found.findings[0].machine is None  # of the whole program: the full search comes first, or it was lifted


ALONE = """MODULE Alone;
TYPE C* = [v(UINT8)];
PORT in* : C;
VAR x : UINT8;
PROCESS P;
VAR n, a : UINT8;
BEGIN LOOP in?v(n); x := BXOR(x, n); a := n; RESCHEDULE; ASSERT(a # n + 1) END END P;
BEGIN NEW(in); CREATE P END Alone.
"""
PARTS = '[boards.one]\nrun = "Alone.lf"\n[boards.two]\nrun = "Alone.lf"\n'


@pytest.mark.parametrize("name", ["Alone.lf", "two.toml"])
def test_the_commands_name_files_that_there_are(tmp_path: Path, name: str) -> None:
    """Not the module that offers messages in the place of others, nor that of the lines between boards."""
    (tmp_path / "Alone.lf").write_text(ALONE.replace("in?v(n)", "INC(n)") if name == "two.toml" else ALONE)
    (tmp_path / "two.toml").write_text(PARTS)
    done = lfc("check", name, "--states", "20000", "--data", "explicit", cwd=tmp_path)
    assert done.exit == 6 and f"try: lfc check {name} --contexts 3" in done.out + done.err, done.out + done.err
