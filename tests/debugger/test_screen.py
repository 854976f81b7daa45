"""`lfc debug` as a screen, driven by textual's own pilot: keys in, tables out; the line mode is the second opinion."""

from __future__ import annotations

import asyncio
import json
import os
import pty
import subprocess
import sys
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import Input, RichLog, Static

from lfc.debugger.program import Launch, stepper_of
from lfc.debugger.screen.app import DebugScreen
from tests.cli.lfc import ROOT, lfc
from tests.debugger.programs import COUNTING, PHILOSOPHERS, PRODCONS


class Hand:
    """Presses keys, and waits until what they start is done."""

    def __init__(self, app: DebugScreen, pilot: Pilot[None]) -> None:
        self.app, self.pilot = app, pilot

    async def press(self, *keys: str) -> None:
        for key in keys:
            await self.pilot.press(key)
            await self.app.workers.wait_for_complete()
            await self.pilot.pause()

    async def type(self, line: str) -> None:
        await self.press(":")
        self.app.query_one("#command", Input).value = line
        await self.press("enter")

    @property
    def status(self) -> str:
        return str(self.app.query_one("#status", Static).render()).split("step ", 1)[1]

    @property
    def log(self) -> list[str]:
        return [line.text.rstrip() for line in self.app.query_one("#log", RichLog).lines]

    def rows(self, name: str) -> list[list[str]]:
        table = self.app.table(name)
        return [[str(cell) for cell in table.get_row_at(n)] for n in range(table.row_count)]

    def variable(self, name: str) -> list[str]:
        return next(row for row in self.rows("variables") if row[1] == name)


def on_screen(file: Path, work: Callable[[Hand], Awaitable[None]], trace: str = "") -> None:
    async def run() -> None:
        app = DebugScreen(stepper_of(Launch(str(file), trace)), str(file))
        async with app.run_test(size=(140, 45)) as pilot:
            await work(Hand(app, pilot))

    asyncio.run(run())


@pytest.fixture
def counting(tmp_path: Path) -> Path:
    file = tmp_path / "Counting.lf"
    file.write_text(COUNTING)
    return file


def test_steps_both_ways_with_changes_marked(counting: Path) -> None:
    async def work(hand: Hand) -> None:
        assert hand.status == "0: the start"
        await hand.press("n", "n", "n")
        assert hand.status == "3" and hand.variable("last") == ["*", "last", "7", "0"]
        assert hand.variable("n") == ["*", "n", "3", "2"]
        await hand.press("p")
        assert hand.status == "2" and hand.variable("last") == ["", "last", "0", ""]
        await hand.press("right")
        assert hand.status == "3" and hand.variable("last")[2] == "7"
        await hand.press("r")
        assert hand.status == "5: the assertion failed" and hand.rows("choices") == []
        # the row of the assertion, which is where the process of the fault is
        assert [row[1] for row in hand.rows("text") if ">" in row[0]] == ["9"]
        await hand.press("R")
        assert hand.status == "0: the start of the program"

    on_screen(counting, work)


def test_a_breakpoint_at_the_cursor_and_the_change_of_a_variable(counting: Path) -> None:
    async def work(hand: Hand) -> None:
        for _ in range(7 - 1 - hand.app.table("text").cursor_row):
            await hand.press("down")
        await hand.press("b")
        assert [row[1] for row in hand.rows("text") if "●" in row[0]] == ["7"] and "breakpoint at line 7" in hand.log
        await hand.press("r")
        assert hand.status == "1: line 7"
        await hand.press("b")
        assert [row for row in hand.rows("text") if "●" in row[0]] == []
        await hand.press("r")
        assert hand.status == "5: the assertion failed"
        variables = hand.app.table("variables")
        variables.focus()
        variables.move_cursor(row=[row[1] for row in hand.rows("variables")].index("last"))
        await hand.press("w")
        assert hand.log[-1] == "breakpoint at changes of last"
        await hand.press("R")
        assert hand.status == "2: the next step: last: 0 to 7"

    on_screen(counting, work)


def test_processes_stand_where_the_line_mode_has_them() -> None:
    """What can happen is what the line mode lists, and taking one by ENTER is typing its number."""
    done = lfc("debug", PRODCONS, stdin=b"1\n2\n1\nq\n")
    listed = [line[5:].strip() for line in done.out.splitlines() if line[:5].strip("> ").isdecimal()]

    async def work(hand: Hand) -> None:
        told = [row[2] for row in hand.rows("choices")]
        choices = hand.app.table("choices")
        for number in (1, 2, 1):
            choices.focus()
            choices.move_cursor(row=number - 1)
            await hand.press("enter")
            told += [row[2] for row in hand.rows("choices")]
        assert told == listed and hand.status == "3"
        assert all(row[2].startswith("prodcons.lf:") for row in hand.rows("processes"))
        processes = hand.app.table("processes")
        last = len(hand.rows("processes")) - 1
        processes.focus()
        processes.move_cursor(row=last)
        await hand.press("enter")
        shown = hand.rows("processes")[last]
        assert shown[0] == ">" and hand.rows("variables")[0][1].startswith(f"{shown[1]}.")
        assert shown[1] in next(row[2] for row in hand.rows("text") if ">" in row[0])

    on_screen(PRODCONS, work)


def test_a_trace_is_played_left_by_hand_and_written(tmp_path: Path) -> None:
    assert lfc("check", PHILOSOPHERS, "--trace", "dead.json", cwd=tmp_path).exit == 3
    end = len(json.loads((tmp_path / "dead.json").read_text())["steps"])
    own = tmp_path / "own.json"

    async def work(hand: Hand) -> None:
        assert hand.status == f"0 of {end} of the trace: the start"
        await hand.press("r")
        assert hand.status.startswith(f"{end} of {end} of the trace: the trace ends here")
        await hand.press("n")
        assert hand.status.endswith("deadlock: every process waits for another")
        await hand.type("go 12")
        rows = hand.rows("choices")
        assert [row[0] for row in rows].count(">") == 1 and len(rows) > 1
        other = next(n for n, row in enumerate(rows) if row[0] == "")
        hand.app.table("choices").focus()
        hand.app.table("choices").move_cursor(row=other)
        await hand.press("enter")
        assert hand.status == "13" and "the trace is left at step 12: from here on it is yours" in hand.log
        await hand.type(f"trace {own}")
        await hand.type("frob")
        assert any(line.startswith("`frob` is neither") for line in hand.log)

    on_screen(PHILOSOPHERS, work, str(tmp_path / "dead.json"))
    assert lfc("run", "--schedule", own, PHILOSOPHERS).exit == 0


def test_what_runs_on_is_stopped_by_escape(tmp_path: Path) -> None:
    file = tmp_path / "Endless.lf"
    body = "VAR n : 0 .. 9;\nBEGIN\n  LOOP n := (n + 1) MOD 10; RESCHEDULE END\n"
    file.write_text(f"MODULE Endless;\n{body}END Endless.\n")

    async def work(hand: Hand) -> None:
        await hand.type("run 100000000")  # `press` of ENTER would wait for its end
        assert hand.app.busy is False and 0 < hand.app.session.stepper.at < 100_000_000

    class Impatient(Hand):
        async def press(self, *keys: str) -> None:
            await self.pilot.press(*keys)
            await asyncio.sleep(0.1)
            if self.app.busy:
                await self.pilot.press("escape")
                await self.app.workers.wait_for_complete()
                await self.pilot.pause()

    on_screen(file, lambda hand: work(Impatient(hand.app, hand.pilot)))


def test_on_a_terminal_it_is_a_screen_and_with_lines_it_is_none(counting: Path) -> None:
    """The command itself, on a pseudo-terminal."""
    for options, keys, shown in (((), b"nq", b"Processes"), (("--lines",), b"\n\x04", b"debug> ")):
        here, there = pty.openpty()
        env = {**os.environ, "TERM": "xterm-256color"}
        command = [sys.executable, "-m", "lfc", "debug", *options, str(counting)]
        with subprocess.Popen(command, stdin=there, stdout=there, stderr=there, env=env, cwd=ROOT) as process:
            os.close(there)
            seen = b""
            while shown not in seen:
                seen += os.read(here, 4096)
            os.write(here, keys)
            with suppress(OSError):  # its other end is closed
                while more := os.read(here, 4096):
                    seen += more
            assert process.wait() == 0
        os.close(here)
        assert (b"debug> " in seen) is bool(options)
