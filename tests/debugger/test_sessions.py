"""Sessions of the protocol over stdio: what an editor asks, and what it is told."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.lfc import ROOT, lfc
from tests.debugger.client import Client, Failed
from tests.debugger.programs import COUNTING, PHILOSOPHERS, PRODCONS

CALLS = ROOT / "examples" / "calls.lf"


@pytest.fixture
def counting(tmp_path: Path) -> Path:
    file = tmp_path / "Counting.lf"
    file.write_text(COUNTING)
    return file


def test_processes_positions_and_calls() -> None:
    with Client() as c:
        c.launch(CALLS)
        assert [b["line"] for b in c.breakpoints(CALLS, 20)] == [20]
        assert c.start() == "breakpoint: line 20 (step 3)"
        assert c.threads() == ["Memory", "Main"]
        assert c.frames() == ["Calls.Fetch 20", "Calls.Fill 27", "Calls.Main 64"]
        assert c.variables(1)["Variables"] == {"i": "0", "a": "array of 4"}
        assert c.variables(2)["Variables"] == {"row": "[0, 0, 0, 0]", "total": "0"}
        assert c.go("stepOut") == "breakpoint: line 20 (step 7)"
        assert c.variables(2)["Variables"]["row"] == "[1, 0, 0, 0]"
        c.breakpoints(CALLS)
        assert c.go("continue") == "pause: the program has ended: only servers still wait (step 19)"
        assert c.printed == lfc("run", CALLS).out


def test_a_program_that_ends_is_over_when_it_is_continued_again() -> None:
    with Client() as c:
        c.launch(CALLS)
        c.start()
        c.ask("continue", threadId=c.thread)
        assert c.wait("exited") == {"exitCode": 0}
        c.wait("terminated")


def test_back_to_where_it_was(counting: Path) -> None:
    """Values, what has changed, and no output twice."""
    with Client() as c:
        c.launch(counting, stopOnEntry=True)
        assert c.start() == "entry: entry (step 0)"
        seen = [c.variables()]
        for n in range(1, 5):
            assert c.go("stepIn") == f"step: step (step {n})"
            seen.append(c.variables())
        assert seen[3]["Changed by this step"] == {"n": "3   (was 2)", "last": "7   (was 0)"}
        assert seen[4]["Modules"] == {"n": "4   (was 3)", "last": "7"}
        for n in reversed(range(4)):
            c.go("stepBack")
            assert c.variables() == seen[n]
        assert c.go("stepBack") == "entry: the start of the program (step 0)"


def test_an_assertion_and_the_change_that_is_to_blame_found_backwards(counting: Path) -> None:
    with Client() as c:
        c.launch(counting)
        assert c.start() == "exception: the assertion failed (step 5)"
        assert c.ask("exceptionInfo", threadId=c.thread)["exceptionId"] == "assertion"
        assert c.frames()[0] == "assertion here 9"
        assert c.errors.startswith("the assertion failed\n") and "ASSERT(last = 8)" in c.errors
        c.data_breakpoint("last")
        assert c.go("reverseContinue") == "data breakpoint: the next step: last: 0 to 7 (step 2)"
        assert c.type("last") == "0"
        assert c.go("reverseContinue") == "entry: the start of the program (step 0)"
        assert c.go("continue") == "data breakpoint: last: 0 to 7 (step 3)"
        c.data_breakpoint("n", "n > 3")
        assert c.go("continue") == "data breakpoint: n: 3 to 4 (step 4)"
        (answer,) = c.ask("setDataBreakpoints", breakpoints=[{"dataId": "lost"}])["breakpoints"]
        assert not answer["verified"] and answer["message"] == "there is no variable `lost` in this program"
        c.ask("setDataBreakpoints", breakpoints=[])
        assert c.go("continue") == "exception: the assertion failed (step 5)"
        c.ask("continue", threadId=c.thread)
        assert c.wait("exited") == {"exitCode": 4}


def test_lines_and_conditions_there_and_back() -> None:
    with Client() as c:
        c.launch(PRODCONS)
        lines = [
            b["line"]
            for b in c.ask("breakpointLocations", source={"path": str(PRODCONS)}, line=1, endLine=99)["breakpoints"]
        ]
        (found,) = c.breakpoints(PRODCONS, (lines[0], "i >= 2"))
        assert found["verified"]
        text = PRODCONS.read_text().splitlines()
        send = next(n for n, line in enumerate(text, 1) if "!" in line and "(i)" in line)
        (found,) = c.breakpoints(PRODCONS, (send, "i >= 2"))
        assert found["line"] == send
        stops = [c.start(), c.go("continue"), c.go("continue")]
        assert all(s.startswith(f"breakpoint: line {send}") for s in stops)
        assert [c.go("reverseContinue"), c.go("reverseContinue")] == [stops[1], stops[0]]
        (found,) = c.breakpoints(PRODCONS, (send, "i plus 2"))
        assert not found["verified"] and "is not a condition" in found["message"]
        (found,) = c.breakpoints(PRODCONS, 5000)
        assert found["message"] == "no process ever stands behind this line"
        (found,) = c.breakpoints(ROOT / "README.md", 5)
        assert found["message"] == "this file is no part of the program"


PARTS = """\
MODULE Parts;
TYPE Pair = RECORD one, two : INTEGER END;
VAR pairs : ARRAY 2 OF Pair;

PROCESS Set(VAR p : Pair; n : INTEGER);
BEGIN
  RESCHEDULE; p.two := n; RESCHEDULE
END Set;

BEGIN
  Set(pairs[1], 5)
END Parts.
"""


def test_parts_of_variables(tmp_path: Path) -> None:
    file = tmp_path / "Parts.lf"
    file.write_text(PARTS)
    with Client() as c:
        c.launch(file, stopOnEntry=True)
        c.start()
        c.go("stepIn")
        c.go("stepIn")
        frame = c.ask("stackTrace", threadId=c.thread)["stackFrames"][0]["id"]
        scopes = {s["name"]: s["variablesReference"] for s in c.ask("scopes", frameId=frame)["scopes"]}
        shown = c.ask("variables", variablesReference=scopes["Variables"])["variables"]
        p = next(v for v in shown if v["name"] == "p")
        pairs = c.ask("variables", variablesReference=scopes["Modules"])["variables"][0]
        elements = c.ask("variables", variablesReference=pairs["variablesReference"])["variables"]
        assert [(e["name"], e["value"]) for e in elements] == [
            ("[0]", "(one: 0, two: 0)"),
            ("[1]", "(one: 0, two: 5)   (was (one: 0, two: 0))"),
        ]
        for whole in (p, elements[1]):
            fields = c.ask("variables", variablesReference=whole["variablesReference"])["variables"]
            assert [(f["name"], f["value"]) for f in fields] == [("one", "0"), ("two", "5   (was 0)")]
        info = c.ask("dataBreakpointInfo", name="[1]", variablesReference=pairs["variablesReference"])
        assert info["dataId"] is None and "`pairs[1]` is a part" in info["description"]


def test_a_message_that_passes() -> None:
    with Client() as c:
        c.launch(PHILOSOPHERS, stopOnEntry=True)
        c.start()
        asked = [{"name": "get"}, {"name": "nothing"}]
        found = c.ask("setFunctionBreakpoints", breakpoints=asked)["breakpoints"]
        assert [b["verified"] for b in found] == [True, False]
        assert found[1]["message"] == "`nothing` is no message of this program; there are: get, put"
        stop = c.go("continue")
        assert stop.startswith("function breakpoint: message get (step ")
        assert "get" in c.type("way").splitlines()[-1]


def deadlock(folder: Path) -> Path:
    """A trace to it, of the checker."""
    assert lfc("check", PHILOSOPHERS, "--trace", "dead.trace", cwd=folder).exit == 3
    return folder / "dead.trace"


def test_a_trace_is_played_both_ways_and_left(tmp_path: Path) -> None:
    with Client() as c:
        c.launch(PHILOSOPHERS, trace=str(deadlock(tmp_path)))
        assert c.start() == "entry: entry (step 0)"
        stop = c.go("continue")
        assert stop.startswith("pause: the trace ends here, in a deadlock: every process waits for another")
        stop = c.go("continue")
        assert stop.startswith("exception: deadlock: every process waits for another")
        assert c.ask("exceptionInfo", threadId=c.thread)["details"]["stackTrace"].count("waits at") == 10
        assert c.go("stepBack").startswith("step: step (step ")
        c.ask("evaluate", expression="go 12", context="repl")
        assert c.stop() == "goto: goto (step 12)"
        frame = c.ask("stackTrace", threadId=c.thread)["stackFrames"][0]["id"]
        targets = c.ask("stepInTargets", frameId=frame)["targets"]
        listed = [line.split(None, 1) for line in c.type("choices").splitlines()]
        assert sorted([str(t["id"]), t["label"]] for t in targets) == sorted(listed) and len(targets) > 1
        assert c.told == ""
        assert c.go("stepIn", targetId=targets[-1]["id"]) == "step: step (step 13)"
        assert c.told == "the trace is left at step 12: from here on it is yours\n"
        assert c.type("way all").splitlines()[-1].split(None, 1)[1] == targets[-1]["label"]
        assert c.type(f"trace {tmp_path / 'own.json'}").startswith("13 steps are in")
    assert lfc("run", "--schedule", "own.json", PHILOSOPHERS, cwd=tmp_path).exit == 0
    assert len(json.loads((tmp_path / "own.json").read_text())["steps"]) == 13


def test_choices_are_those_of_explore(tmp_path: Path) -> None:
    with Client() as c:
        c.launch(PRODCONS, stopOnEntry=True)
        c.start()
        c.go("stepIn")
        listed = [line.split(None, 1)[1] for line in c.type("choices").splitlines()]
        c.ask("evaluate", expression="take 2", context="repl")
        assert c.stop() == "step: step (step 2)"
    explored = lfc("explore", PRODCONS, cwd=tmp_path, stdin=b"1\nq\n").out
    shown = explored.split("step 1, ")[1].splitlines()[1:]
    assert listed == [line.split(None, 1)[1] for line in shown]


def test_input_is_given_and_read_again_after_going_back(tmp_path: Path) -> None:
    echo = ROOT / "examples" / "echo.lf"
    with Client() as c:
        c.launch(echo)
        assert c.start().startswith("pause: the program waits for input")
        c.type("input ab")
        c.go("continue")
        first = c.printed
        assert "AB" in first
        c.type("go 0")
        c.stop()
        c.type("leave")
        c.go("continue")
        assert c.printed == first + first


def test_a_program_that_never_ends_is_paused(tmp_path: Path) -> None:
    file = tmp_path / "Spin.lf"
    file.write_text("MODULE Spin;\nVAR b : UINT8;\nBEGIN\n  LOOP b := 1 - b; RESCHEDULE END\nEND Spin.\n")
    with Client() as c:
        c.launch(file)
        c.ask("configurationDone")
        assert c.threads() == ["initialisation"]
        with pytest.raises(Failed, match="the program is running: pause it first"):
            c.ask("scopes", frameId=1)
        c.ask("pause", threadId=1)
        assert c.stop().startswith("pause: pause (step ")
        c.ask("continue", threadId=1)
    # and the end of the session ends it too


def test_what_cannot_be_done_is_said(tmp_path: Path) -> None:
    wrong = tmp_path / "Wrong.lf"
    wrong.write_text("MODULE Wrong;\nVAR x : INTEGR;\nEND Wrong.\n")
    with Client() as c:
        c.ask("initialize")
        for arguments, said in (
            ({}, "`program` is missing"),
            ({"program": 5}, "`program` is not a text"),
            ({"program": str(tmp_path / "None.lf")}, "LF0901"),
            ({"program": str(wrong)}, "Wrong.lf:2:9: error LF"),
            ({"program": str(PRODCONS), "scheduler": "best"}, "`scheduler` is 'best'"),
            ({"program": str(PRODCONS), "trace": str(wrong)}, "is not a trace"),
            ({"program": str(PRODCONS), "trace": str(deadlock(tmp_path))}, "was recorded from another program"),
            ({"program": str(PRODCONS), "board": "abacus"}, "abacus"),
        ):
            with pytest.raises(Failed, match=said):
                c.ask("launch", **arguments)
        for command in ("continue", "configurationDone", "threads", "scopes"):
            with pytest.raises(Failed, match="no program is launched"):
                c.ask(command, threadId=1, frameId=1)
        with pytest.raises(Failed, match="`frobnicate` is not supported"):
            c.ask("frobnicate")
        c.send(b"{ no JSON")
        c.ask("launch", program=str(PRODCONS), stopOnEntry=True)
        c.ask("configurationDone")
        c.stop()
        with pytest.raises(Failed, match="the program has started already"):
            c.ask("configurationDone")
        for command in ("take 99", "take x", "go 5", "nobody", "trace"):
            with pytest.raises(Failed):
                c.type(command)
        with pytest.raises(Failed, match="wrong arguments"):
            c.ask("next")
        assert "take N" in c.type("help")


def test_what_was_read_at_once_is_not_read_again(tmp_path: Path) -> None:
    """A process that finds input when it asks for it takes it without waiting."""
    with Client() as c:
        c.launch(ROOT / "examples" / "echo.lf", input="abc")
        assert c.start().startswith("pause: the program waits for input")
        assert c.printed == "ABC"
        c.go("stepBack")
        c.go("stepIn")
        c.type("input x.")
        c.go("continue")
        assert c.printed == "ABCX\n"


def test_a_process_without_variables_is_a_frame_too() -> None:
    """Its frame takes no room: that of the call lies at the same place."""
    with Client() as c:
        c.launch(ROOT / "examples" / "hanoi.lf")
        c.breakpoints(ROOT / "examples" / "hanoi.lf", 28)
        assert c.start() == "breakpoint: line 28 (step 1)"
        assert c.frames()[-2:] == ["Hanoi.Tower 26", "init 34"]
