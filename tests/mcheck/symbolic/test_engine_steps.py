"""The interpreter in the engine does what the one in Python does: all ends and normal forms of all steps are
compared. What it does not know it hands over, it lets itself be interrupted, and mistakes in it are noticed.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from lfc.mcheck.request.request import request_from
from lfc.mcheck.request.world import World
from lfc.mcheck.symbolic import engine_steps
from lfc.mcheck.symbolic.engine_steps import EngineSteps
from lfc.mcheck.symbolic.events import Event
from lfc.mcheck.symbolic.execution import code_words
from lfc.mcheck.symbolic.execution.execute import OutOfTime
from lfc.mcheck.symbolic.explore import Exploration, Limits, SymbolicProgram
from tests.actions.machines import all_programs, machine_of_file, machine_of_text
from tests.campaign.symbolic.agreement import eager, program_of
from tests.conftest import ROOT
from tests.mcheck.symbolic.both_interpreters import Compared, Differs, compare_search
from tests.mcheck.symbolic.engine_faults import FAULTS, with_fault

HERE = Path(__file__).parent
EXAMPLES = ROOT / "examples"
SLOW = "regulator"  # one of them takes ten seconds a step in Python
OURS = [
    *sorted((HERE / "firmware").glob("*.lf")),
    *sorted(f for f in (HERE / "programs").glob("*.lf") if f.stem != SLOW),
]
FEW = {"regulator": 6, "modbus": 12, "gauge": 12}  # states: of these each takes long in Python
RANDOM = 1_000_000


def compared(file: Path, states: int, may_widen: bool) -> Compared:
    machine = machine_of_file(file)
    assert machine is not None
    limits = Limits(states=states, goes_on=True, may_widen=may_widen, confirms=lambda error: False)
    return compare_search(machine, request_from(data="symbolic"), limits)


@pytest.mark.parametrize("may_widen", [False, True], ids=["exact", "ranges"])
@pytest.mark.parametrize("file", OURS, ids=lambda f: f"{f.parent.name}-{f.stem}")
def test_steps_on_sets_are_those_of_the_other_interpreter(file: Path, may_widen: bool) -> None:
    found = compared(file, FEW.get(file.stem, 60), may_widen)
    assert found.ends >= found.by_engine > 0


def test_steps_of_all_programs_are_those_of_the_other_interpreter() -> None:
    found = Compared()
    for _, file, environments in [p for p in all_programs() if not p[0].endswith("_env")][::6]:
        machine = machine_of_file(file, environments)
        if machine is not None:
            one = compare_search(machine, request_from(data="symbolic"), Limits(states=8, goes_on=True))
            found.steps, found.by_engine = found.steps + one.steps, found.by_engine + one.by_engine
    assert found.steps > 100 and found.by_engine > 100


def random_programs(count: int) -> Iterator[Compared]:
    with eager():
        for number in range(RANDOM + 1, RANDOM + 1 + count):
            machine, request = program_of(number)
            for may_widen in (False, True):
                yield compare_search(machine, request, Limits(states=80, goes_on=True, may_widen=may_widen))


def test_steps_of_random_programs_are_those_of_the_other_interpreter() -> None:
    found = list(random_programs(10))
    assert sum(c.by_engine for c in found) > 1000


def noticed() -> bool:
    try:
        for stem in ("firmware/interrupts", "firmware/shell", "programs/kept_sample", "programs/thermostat"):
            compared(HERE / f"{stem}.lf", 60, False)
        compared(EXAMPLES / "mutex.lf", 60, False)
        compared(EXAMPLES / "semaphore.lf", 60, False)
        list(random_programs(4))
    except (Differs, IndexError, KeyError, ValueError):
        return True
    return False


@pytest.mark.slow
@pytest.mark.parametrize("name", FAULTS)
def test_a_mistake_in_it_is_noticed(name: str) -> None:
    with with_fault(name):
        assert noticed()


@pytest.mark.parametrize("op", ["load", "store", "icmp", "add", "select", "getelementptr", "zext"])
def test_what_it_does_not_know_it_hands_over(op: str, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = code_words.Writer._plain
    monkeypatch.setattr(
        code_words.Writer, "_plain", lambda self, i: code_words.UNKNOWN if i.op == op else plain(self, i)
    )
    found = compared(HERE / "firmware" / "shell.lf", 40, False)
    assert found.ends > found.by_engine


def test_its_steps_are_the_same_without_the_engine() -> None:
    """And the whole search is."""
    machine = machine_of_file(HERE / "programs" / "kept_sample.lf")
    assert machine is not None
    found = []
    for in_engine in (True, False):
        program = SymbolicProgram(machine, World(), lambda block: ())
        program.in_engine = in_engine
        search = Exploration(program, Limits())
        search.run()
        assert search.complete
        found.append((search.transitions, search.depth, [s.box for s in search.states], len(search.of_shape)))
    assert found[0] == found[1]


LONG = """
MODULE Long;
VAR x : UINT32;
PROCESS P;
VAR i : INTEGER;
BEGIN
  FOR i := 0 TO 300000 DO x := BXOR(x, UINT32(i)) END
END P;
BEGIN
  CREATE P
END Long.
"""


def test_it_ends_when_it_is_asked_to() -> None:
    """Within an action of hundreds of thousands of instructions."""
    program = SymbolicProgram(machine_of_text(LONG), World(), lambda block: ())
    first = program.initial()
    ((_, (created,)),) = program.steps(first.shape, first.box, Event("run", 0))
    running = next(e for e in program.events(created.shape)[0])
    asked: list[bool] = []

    def is_over() -> bool:
        asked.append(True)
        return len(asked) > 1

    program.interpreter.is_over = is_over
    with pytest.raises(OutOfTime):
        list(program.steps(created.shape, created.box, running))
    assert len(asked) == 2
    program.interpreter.is_over = lambda: False
    ((end, _),) = program.steps(created.shape, created.box, running)
    assert end.fault is None and end.path.steps > 1_000_000


ASKS = """
MODULE Asks;
CONST PIN = 10H;
VAR x* : UINT16; n* : UINT32;
PROCESS P;
VAR i : INTEGER;
BEGIN
  x := PORTIN16(PIN);
  FOR i := 1 TO 200 DO IF x MOD UINT16(300 + i) = 7 THEN INC(n) END END
END P;
BEGIN
  CREATE P
END Asks.
"""


def test_it_ends_between_questions_when_it_is_asked_to(monkeypatch: pytest.MonkeyPatch) -> None:
    """An action of few instructions may ask for a long time; no tick comes then."""
    program = SymbolicProgram(machine_of_text(ASKS), World(), lambda block: ())
    first = program.initial()
    ((_, (created,)),) = program.steps(first.shape, first.box, Event("run", 0))
    answered: list[bool] = []
    answer = EngineSteps._answer

    def counted(steps: EngineSteps) -> None:
        answered.append(True)
        answer(steps)

    monkeypatch.setattr(EngineSteps, "_answer", counted)
    program.interpreter.is_over = lambda: bool(answered)
    with pytest.raises(OutOfTime):
        list(program.steps(created.shape, created.box, next(e for e in program.events(created.shape)[0])))
    assert len(answered) == engine_steps.BETWEEN_LOOKS


def test_without_memory_for_answers_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    from lfc.mcheck.symbolic.values.preimages import TooMany

    machine = machine_of_file(HERE / "programs" / "lamp.lf")
    assert machine is not None
    program = SymbolicProgram(machine, World(), lambda block: ())
    first = program.initial()
    list(program.steps(first.shape, first.box, Event("run", 0)))
    assert program._engine is not None
    monkeypatch.setattr(program._engine.library, "mc_symbolic_go", lambda engine: 5)
    with pytest.raises(TooMany, match=engine_steps.NO_MEMORY):
        list(program.steps(first.shape, first.box, Event("run", 0)))
