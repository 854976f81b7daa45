"""A counterexample of the checker comes about on every emulated board; what a board cannot follow is told."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from lfc.actions.model.machine import Machine
from lfc.base.source import Source
from lfc.hil.follow import Replay, chunks_of, replay
from lfc.hil.host_side import HostSide
from lfc.hil.session import MOST_ITEMS
from lfc.mcheck.check import check
from lfc.mcheck.request.request import request_from
from lfc.run.report import who_waits
from lfc.run.wait_for_graph import cycle_of_waiting
from lfc.trace.items import Item, decode, encode
from tests.cli.lfc import lfc
from tests.conftest import ROOT
from tests.differential.stepwise import machine_of, machine_of_source
from tests.hil.boards import EVERYWHERE, session_with, traced

PHILOSOPHERS = ROOT / "examples" / "philosophers.lf"


@cache
def counterexample() -> list[list[Item]]:
    """By one thread: which of several shortest ways is found depends on the threads."""
    return check(machine_of(PHILOSOPHERS), request_from(threads=1)).findings[0].steps


@cache
def talking() -> tuple[Machine, list[list[Item]]]:
    """Philosophers who say so when they take a fork, and how they come to stand still."""
    text = PHILOSOPHERS.read_text().replace("MODULE Philosophers;", "MODULE Philosophers;\nIMPORT Out;")
    text = text.replace("left!get;", 'left!get; Out.Char("l");').replace("right!get;", 'right!get; Out.Char("r");')
    machine = machine_of_source(Source("Talking.lf", text))
    return machine, check(machine, request_from(threads=1)).findings[0].steps


def replayed(
    board: str,
    emulator: str,
    machine: Machine,
    steps: list[list[Item]],
    on_output: Callable[[bytes], None] | None = None,
) -> tuple[Replay, HostSide]:
    firmware, host = traced(board, machine), HostSide(machine, "rr")
    with session_with(board, emulator, machine, firmware.image.elf) as session:
        return replay(session, host, firmware.generated.sites, steps, on_output=on_output), host


@pytest.mark.parametrize(("board", "emulator"), EVERYWHERE)
def test_the_philosophers_stand_still(board: str, emulator: str) -> None:
    """Each holds the left fork, said so on the console, and waits for the one that the next holds."""
    machine, steps = talking()
    said: list[bytes] = []
    result, host = replayed(board, emulator, machine, steps, said.append)
    assert (result.verdict, result.end, result.reason) == ("followed", "stands still", "")
    assert result.steps == result.of == len(steps)
    assert b"".join(said) == b"lllll"
    names = {p.slot: p.name for p in who_waits(machine, host.block).processes}
    philosophers = [s for s, name in names.items() if name.startswith("Philosopher")]
    cycle = cycle_of_waiting(machine, host.block, philosophers)
    around = [name for i in range(5) for name in (f"Philosopher[{i}]", f"Fork[{(i + 1) % 5}]")]
    assert cycle is not None and [names[s] for s in cycle] == around


@pytest.mark.parametrize(("board", "emulator"), [("uno", "simavr"), ("microbit", "qemu")])
def test_the_first_divergence(board: str, emulator: str) -> None:
    steps = [list(s) for s in counterexample()]
    steps[3] = [Item("run", (1,))]  # which waits by then
    result, _ = replayed(board, emulator, machine_of(PHILOSOPHERS), steps)
    assert (result.verdict, result.steps) == ("diverged", 3)
    assert result.reason.startswith("step 4, Fork[0] at line 11: the board cannot do run 1")


def test_a_decision_too_many() -> None:
    steps = [*counterexample()[:3], [*counterexample()[3], Item("choice", (0,))]]
    result, _ = replayed("uno", "simavr", machine_of(PHILOSOPHERS), steps)
    assert result.verdict in ("diverged", "differs") and result.steps >= 3


INPUTS = """MODULE Inputs;
VAR i, sum : INTEGER; v : UINT8;
BEGIN
  CHOICE sum := 100 | sum := 200 END;
  FOR i := 1 TO 30 DO v := PORTIN(20H); sum := sum + v END;
  ASSERT(sum # 230 + 7)
END Inputs.
"""


@pytest.mark.parametrize(("board", "emulator"), [("uno", "simavr"), ("lm3s6965evb", "qemu")])
def test_inputs_come_from_the_trace(board: str, emulator: str) -> None:
    """More of them than one frame holds; up to the assertion that fails."""
    machine = machine_of_source(Source("Inputs.lf", INPUTS))
    reads = [Item("in8", (2 if i == 9 else 1,)) for i in range(30)]
    last = [Item("run", (0,)), Item("choice", (1,)), *reads]
    result, host = replayed(board, emulator, machine, [[Item("run", (0,))], last])
    assert (result.verdict, result.steps) == ("followed", 2), result.reason
    assert result.end == "stands still"
    total = next(o for v, o in machine.layout.variables.items() if v.name == "sum")
    assert int.from_bytes(host.block[total : total + 4], "little") == 231


def test_items_that_a_faulting_step_does_not_use() -> None:
    """The board faults where the trace says that the step goes on."""
    text = "MODULE Short; VAR v, w : UINT8; BEGIN v := PORTIN(20H); ASSERT(v # 5); w := PORTIN(21H) END Short."
    machine = machine_of_source(Source("Short.lf", text))
    for more, verdict in (([], "followed"), ([Item("in8", (1,))], "differs")):
        result, _ = replayed("uno", "simavr", machine, [[Item("run", (0,)), Item("in8", (5,)), *more]])
        assert (result.verdict, result.end, result.steps) == (verdict, "fault", 1), result.reason
    assert result.difference is not None and "did not use every item" in result.difference.message


def test_outputs_of_the_trace_are_compared() -> None:
    text = "MODULE Says; IMPORT SYSTEM; BEGIN PORTOUT(45H, 4); SYSTEM.WRITE('a') END Says."
    machine = machine_of_source(Source("Says.lf", text))
    start = [Item("run", (0,)), Item("out", (8, 0x45, 4))]
    for told, verdict in ((b"a", "followed"), (b"b", "differs"), (b"", "followed")):
        step = [*start, *(Item("write", (c,)) for c in told)]
        result, _ = replayed("uno", "simavr", machine, [step])
        assert (result.verdict, result.steps) == (verdict, 1), (result.reason, result.difference)


def test_chunks_hold_whole_items() -> None:
    items = [Item("in32", (i,)) for i in range(50)]
    chunks = list(chunks_of(items))
    assert all(len(c) <= MOST_ITEMS for c in chunks)
    assert [i for c in chunks for i in decode(c)] == items and b"".join(chunks) == encode(items)


def test_a_counterexample_with_a_boards_drivers(tmp_path: Path) -> None:
    """The library's modules are a part of the program: with another board's it is another one."""
    file, trace = tmp_path / "Button.lf", tmp_path / "way.json"
    file.write_text(
        "MODULE Button; IMPORT GPIO; VAR on : BOOLEAN; BEGIN GPIO.Get(GPIO.BUTTON, on); ASSERT(~on) END Button.\n"
    )
    assert lfc("check", file, "-b", "uno", "--no-record", "--trace", trace).exit == 4
    done = lfc("hil", "replay", trace, file, "-b", "uno", "--emulated")
    assert done.exit == 4 and "followed: 1 step on" in done.err, done.err
    assert "port 29H = 4; the assertion failed" in lfc("trace", "show", trace, file, "-b", "uno").out
    for other in ([], ["-b", "mega2560"]):
        done = lfc("trace", "show", trace, file, *other)
        assert done.exit == 2 and "another board's library" in done.err


def test_a_trace_with_partners_made_by_the_checker(tmp_path: Path) -> None:
    """This machine has them as well, a board has not."""
    (tmp_path / "Open.lf").write_text(
        "MODULE Open; TYPE R = [put(UINT8)]; PORT p* : R; VAR v : UINT8;\n"
        "PROCESS Server SERVER;\nBEGIN LOOP p?put(v); ASSERT(v # 7) END END Server;\n"
        "BEGIN NEW(p); CREATE Server END Open.\n"
    )
    assert lfc("check", "Open.lf", "--trace", "way.json", cwd=tmp_path).exit == 4
    done = lfc("run", "Open.lf", "--schedule", "way.json", cwd=tmp_path)
    assert done.exit == 4 and "the assertion failed" in done.err
    assert (
        "port FFFF0000H (p_put_0) = 7; sends put to Open.Server"
        in lfc("trace", "show", "way.json", "Open.lf", cwd=tmp_path).out
    )
    done = lfc("hil", "replay", "way.json", "Open.lf", "-b", "uno", "--emulated", cwd=tmp_path)
    assert done.exit == 2 and "`lfc run Open.lf --schedule way.json` replays it on this machine" in done.err
    (tmp_path / "Open.lf").write_text((tmp_path / "Open.lf").read_text().replace("# 7", "# 8"))
    done = lfc("run", "Open.lf", "--schedule", "way.json", cwd=tmp_path)
    assert done.exit == 2 and "was recorded from another program" in done.err


def test_on_the_command_line(tmp_path: Path) -> None:
    trace = tmp_path / "way.json"
    assert lfc("check", "examples/philosophers.lf", "--trace", str(trace)).exit == 3
    record, page = tmp_path / "uno.json", tmp_path / "both.html"
    done = lfc("hil", "replay", str(trace), "-b", "uno", "--emulated", "--record", str(record))
    host = lfc("run", "examples/philosophers.lf", "--schedule", str(trace))
    assert (done.exit, host.exit) == (3, 3), done.err
    beside = lfc("view", "examples/philosophers.lf", "--trace", trace, "--beside", record, "-o", page)
    assert (beside.exit, beside.out.splitlines()[1:]) == (0, ["the traces are equal"])
    asked, said = (json.loads(file.read_text())["steps"] for file in (trace, record))
    assert len(said) == 21 and [[i for i in step if i[0] != "digest"] for step in said] == asked
    assert all(step[-1][0] == "digest" for step in said)
    assert "then it stands still" in done.err and "deadlock: every process waits for another" in done.err
    assert "wait-for cycle: Philosopher[0] waits for Fork[1]" in done.err
    again = lfc("run", "examples/philosophers.lf", "--schedule", str(trace), "-b", "uno")
    assert (again.exit, again.out) == (3, done.out)
    assert again.err == "\n".join(done.err.splitlines()[-len(again.err.splitlines()) :]) + "\n"  # without the steps
    for option in (("--record", "x.json"), ("--clock", "virtual"), ("--seconds", "1")):
        refused = lfc("run", "examples/philosophers.lf", "--schedule", str(trace), "-b", "uno", *option)
        assert refused.exit == 2 and f"{option[0]} excludes --schedule on a board" in refused.err
    done = lfc("hil", "replay", str(trace), "examples/prodcons.lf", "-b", "uno", "--emulated")
    assert done.exit == 2 and "another program" in done.err
    done = lfc("hil", "conform", "examples/prodcons.lf", "-b", "uno", "--emulated", "--checked", "--steps", "50")
    assert done.exit == 0 and "agrees: 50 steps" in done.err and "every state is one of" in done.err
    assert lfc("hil", "conform", "examples/prodcons.lf", "-b", "uno").exit == 9  # no board is there
    done = lfc("hil", "replay", "nosuch.trace", "examples/prodcons.lf", "-b", "uno", "--emulated")
    assert done.exit == 1 and "nosuch.trace cannot be read: No such file" in done.err
