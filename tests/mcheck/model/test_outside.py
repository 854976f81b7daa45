"""The world around a program: how much comes for each action (--rate), and who uses the channels of a module that is
checked alone."""

from __future__ import annotations

from collections import deque
from pathlib import Path

import pytest

from lfc.actions.build import build_machine
from lfc.actions.model.machine import Machine
from lfc.base.source import Source
from lfc.diagnostics.model import Diagnostics
from lfc.front_end.load import check_source
from lfc.mcheck.check import check
from lfc.mcheck.model.open_module import NotClosed, close
from lfc.mcheck.request.request import request_from
from lfc.mcheck.request.world import World
from lfc.mcheck.result.result import CheckResult
from lfc.mcheck.search.search import Search, Stop
from tests.actions.machines import machine_of_file, machine_of_text
from tests.generate.recipes import sources_of
from tests.naive.decode import bounds_of, encode
from tests.naive.evaluator import step
from tests.naive.explorer import Conventions, Enumerate, events_to_explore, following_script
from tests.naive.state import State


def naive_with_rate(machine: Machine, rate: int, most: int) -> tuple[int, int, set[bytes]] | None:
    """States with their counts of events, transitions, blocks; of programs whose outside are interrupts alone."""
    start = State.initial(machine.program, bounds_of(machine))
    seen = {(start.key(), 0)}
    queue = deque([(start, 0)])
    blocks, transitions = {encode(start, machine)}, 0
    conventions = Conventions()
    while queue:
        state, count = queue.popleft()
        busy = any(a is not None and a.ready for a in state.slots)
        for event in events_to_explore(state, conventions):
            after = {"run": 0, "wake": count}.get(str(event[0]), min(count + 1, rate))
            if event[0] == "interrupt" and busy and count >= rate:
                continue
            script: list[int] | None = []
            while script is not None:
                policy = Enumerate(event, script, conventions)
                follower = state.copy()
                step(follower, policy)
                script = following_script(script, policy.widths)
                transitions += 1
                if follower.fault is None and (follower.key(), after) not in seen:
                    seen.add((follower.key(), after))
                    blocks.add(encode(follower, machine))
                    queue.append((follower, after))
                    if len(seen) > most:
                        return None
    return len(seen), transitions, blocks


@pytest.mark.parametrize("rate", [1, 2])
def test_rates_against_the_naive_evaluator(rate: int) -> None:
    compared = 0
    for seed in range(40):
        generated = sources_of("timed", seed)
        if "INT[1]" not in generated.program or generated.environment or "Clock.Now" in generated.program:
            continue
        machine = machine_of_text(generated.program.replace("INT[1]", "INT[2]", 1))
        expected = naive_with_rate(machine, rate, 1500)
        if expected is None:
            continue
        search = Search(machine, request_from(rate=rate, keep_going=True))
        assert search.run() is Stop.COMPLETE
        s = search.statistics
        assert (s.states, s.transitions, set(search.all_blocks())) == expected, seed
        search.close()
        compared += 1
    assert compared >= 4


MANY = """MODULE Many;
IMPORT SYSTEM;
VAR n : UINT8;
PROCESS Slow SERVER;
BEGIN
  LOOP
    SYSTEM.INT[1]?INTERRUPT;
    RESCHEDULE;
    IF n < 9 THEN INC(n) END;
    RESCHEDULE
  END
END Slow;
BEGIN CREATE Slow END Many.
"""
SOURCE = """ENVIRONMENT MODULE Source;
IMPORT SYSTEM;
VAR sent : UINT8;
PROCESS P; BEGIN LOOP SYSTEM.INT[1]!INTERRUPT; IF sent < 9 THEN INC(sent) END END END P;
BEGIN CREATE P END Source.
"""


def checked(text: str, environment: str | None = None, **world: object) -> CheckResult:
    options = request_from(**world, threads=1)
    return check(machine_of_text(text, environment), options)


DRIVER = """MODULE Driver;
IMPORT SYSTEM;
VAR x : UINT8;
PROCESS Reads SERVER; BEGIN LOOP SYSTEM.INT[1]?INTERRUPT; WORK x := PORTIN(1) END END Reads;
BEGIN CREATE Reads END Driver.
"""
DEVICE = """ENVIRONMENT MODULE Device;
IMPORT SYSTEM;
VAR unread : UINT8;
PROCESS Register SERVER;
BEGIN
  SYSTEM.IOPORT?PORTIN(8, 1); unread := 0; SYSTEM.IOPORT!VALUE(0); (* what came before the driver had begun *)
  LOOP SYSTEM.IOPORT?PORTIN(8, 1); ASSERT(unread <= 1); unread := 0; SYSTEM.IOPORT!VALUE(0) END
END Register;
PROCESS Line; BEGIN LOOP IF unread < 9 THEN INC(unread) END; SYSTEM.INT[1]!INTERRUPT END END Line;
BEGIN CREATE Register; CREATE Line END Device.
"""


@pytest.mark.parametrize(
    ("work", "rate", "verdict"),
    [("", 0, "assertion"), ("", 1, "holds"), ("", 2, "assertion"), ("RESCHEDULE;", 1, "assertion")],
)
def test_an_overrun(work: str, rate: int, verdict: str) -> None:
    assert checked(DRIVER.replace("WORK", work), DEVICE, rate=rate).verdict == verdict


def test_what_an_environment_does_counts_where_the_program_sees_it() -> None:
    free, one = checked(MANY, SOURCE), checked(MANY, SOURCE, rate=1)
    assert free.verdict == one.verdict == "holds"
    said = "while the program is busy, at most 1 event from outside per action (--rate)"
    assert one.assumptions == [said]
    assert checked(MANY, SOURCE, rate=2).assumptions[0].startswith("while the program is busy, at most 2 events")


BUFFER = """MODULE Buffer;
TYPE Colour* = (red, green, blue); Own = (one, two); Level = -3 .. 7;
  Line* = [put(UINT8), paint(Colour, BOOLEAN), level(Level), get(UINT8), text(ARRAY 4 OF CHAR), own(Own), stop];
PORT line* : Line; inner : Line;
VAR n : UINT8; painted : BOOLEAN;
PROCESS Server;
VAR x : UINT8; c : Colour; b : BOOLEAN; l : Level; o : Own; t : ARRAY 4 OF CHAR;
BEGIN
  LOOP
    SELECT
      WHEN line?put(x) & (x < 3) THEN n := x
      WHEN line?paint(c, b) THEN painted := b & (c = blue); ASSERT(PAINT)
      WHEN line?level(l) THEN ASSERT(LEVEL)
      WHEN line?own(o) THEN ASSERT(FALSE)
      WHEN line?text(t) THEN ASSERT(FALSE)
    END;
    line!get(n)
  END
END Server;
BEGIN NEW(line); NEW(inner); CREATE Server END Buffer.
"""


def closed(folder: Path, text: str) -> CheckResult:
    file = folder / "Buffer.lf"
    file.write_text(text)
    machine = machine_of_file(file)
    assert machine is not None
    found = close(machine, str(file))
    assert found is not None
    world = World(outside=found.assumption, open_messages=found.messages)
    return check(found.machine, request_from(world=world, threads=1))


@pytest.mark.parametrize(
    ("paint", "level", "verdict"),
    [
        ("TRUE", "TRUE", "holds"),
        ("~painted", "TRUE", "assertion"),
        ("(c # green) OR b", "TRUE", "assertion"),
        ("TRUE", "(l >= -3) & (l <= 7)", "holds"),
        ("TRUE", "l # -3", "assertion"),
        ("TRUE", "l < 7", "assertion"),
    ],
)
def test_every_value_of_every_message_comes(tmp_path: Path, paint: str, level: str, verdict: str) -> None:
    found = closed(tmp_path, BUFFER.replace("PAINT", paint).replace("LEVEL", level))
    assert found.verdict == verdict
    assert found.assumptions == [
        "the environment sends line.put, line.paint, line.level with every value, at any time; receives line.get; "
        "ignores line.text (it carries an array, a record or a port), line.own (it carries Own, whose type is "
        "not exported) (--no-closing leaves it out)"
    ]


def test_the_program_that_is_closed_is_the_one_that_was_read(tmp_path: Path) -> None:
    """Another file may have the module's name: a copy beside it."""
    (tmp_path / "Buffer.lf").write_text(BUFFER.replace("PAINT", "FALSE").replace("LEVEL", "FALSE"))
    other = tmp_path / "Other.lf"
    other.write_text(BUFFER.replace("PAINT", "TRUE").replace("LEVEL", "TRUE"))
    machine = machine_of_file(other)
    assert machine is not None
    found = close(machine, str(other))
    assert found is not None
    assert [m.source.path for m in found.machine.program.modules if m.name == "Buffer"] == [str(other)]
    world = World(outside=found.assumption, open_messages=found.messages)
    assert check(found.machine, request_from(world=world, threads=1)).verdict == "holds"


TUNED = """MODULE Tuned;
CONST LIMIT = 3;
TYPE Line* = [put(BOOLEAN)];
PORT line* : Line;
VAR b : BOOLEAN; n : UINT8;
PROCESS Taker SERVER;
BEGIN LOOP line?put(b); CHOICE {normal} n := 1 | {faulty} ASSERT(LIMIT = 3) END END END Taker;
BEGIN NEW(line); CREATE Taker END Tuned.
"""


@pytest.mark.parametrize(
    ("definitions", "verdict"),
    [
        ({}, "holds"),
        ({"LIMIT": "4"}, "assertion"),
        ({"Tuned.LIMIT": "4"}, "assertion"),
        ({"LIMIT": "4", "--level": "normal"}, "holds"),
        ({"LIMIT": "4", "--fault-budget": "0"}, "holds"),
    ],
)
def test_a_closed_module_keeps_what_the_command_line_says(definitions: dict[str, str], verdict: str) -> None:
    program = check_source(Source("Tuned.lf", TUNED), diagnostics := Diagnostics(), definitions=definitions)
    assert program is not None
    found = close(build_machine(program, diagnostics), "Tuned.lf")
    assert found is not None
    world = World(outside=found.assumption, open_messages=found.messages)
    assert check(found.machine, request_from(world=world, threads=1)).verdict == verdict


def test_what_cannot_be_closed() -> None:
    with pytest.raises(NotClosed, match="imports itself"):
        close(machine_of_text(TUNED.replace("Tuned", "Closing")), "Closing.lf")
    assert close(machine_of_text(MANY), "Many.lf") is None
    assert close(machine_of_text(MANY, SOURCE), "Many.lf") is None
