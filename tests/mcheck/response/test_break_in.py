"""Interrupts that break in: every place of every pass, faults that are seeded into an image, and blocks in simavr."""

from __future__ import annotations

from pathlib import Path

import pytest

from lfc.codegen.module.policy_layout import TURN_OWED
from lfc.mcheck.response.break_in import BreakInBoard, Counted, break_in_everywhere
from tests.mcheck.response.boards import Made, compile_tool, made, moments

SLEEPS = """
MODULE Sleeps;
IMPORT Clock, SYSTEM;
VAR n : UINT16;
PROCESS Button SERVER;
BEGIN LOOP SYSTEM.INT[1]?INTERRUPT; n := 257 - n END END Button;
PROCESS Blink SERVER;
BEGIN LOOP Clock.Sleep(2) END END Blink;
BEGIN PORTOUT(3DH, 1); CREATE Button; CREATE Blink END Sleeps.
"""
TICK = 11
NO_TAKER, IF_EQUAL, JUMP = 0x3F9F, 0xF001, 0xC000
CLI, NOTHING, PUSH_R30, POP_R30, OUT_STATUS_R24 = 0x94F8, 0, 0x93EF, 0x91EF, 0xBF8F


@pytest.fixture(scope="module")
def sleeps(tmp_path_factory: pytest.TempPathFactory) -> Made:
    file = tmp_path_factory.mktemp("break_in") / "Sleeps.lf"
    file.write_text(SLEEPS)
    return made(file)


def test_every_place_is_as_a_boundary(sleeps: Made) -> None:
    counted = break_in_everywhere(sleeps.graph, BreakInBoard(sleeps.machine, sleeps.image))
    assert counted.complete and not counted.broken
    assert (counted.passes, counted.places, counted.followed) == (143, 45983, 1518)


class Faulty(BreakInBoard):
    """An image with words of its flash exchanged."""

    def exchange(self, symbol: str, old: int, new: int) -> None:
        s, flash = self.symbols[symbol], self.core.state.flash
        at = next(i for i in range(s.address, s.address + s.size, 2) if flash[i] | flash[i + 1] << 8 == old)
        flash[at], flash[at + 1] = new & 0xFF, new >> 8

    def later(self, symbol: str) -> None:
        """The first instruction, of one word, behind the second one, of two."""
        at, flash = self.symbols[symbol].address, self.core.state.flash
        words = [flash[at + i] for i in range(6)]
        for i, byte in enumerate(words[2:] + words[:2]):
            flash[at + i] = byte

    def sleep_in_any_turn(self) -> None:
        """The question whether there is a turn to be owed comes last in the loop: `cpi r25, 0FFH` and `breq`."""
        step, flash = self.symbols["lf_step"], self.core.state.flash
        code = bytes(flash[step.address + i] for i in range(step.size))
        at = step.address + code.rindex(NO_TAKER.to_bytes(2, "little")) + 2
        word = flash[at] | flash[at + 1] << 8
        assert word & 0xFC07 == IF_EQUAL and not word & 0x200
        word = JUMP | word >> 3 & 0x3F
        flash[at], flash[at + 1] = word & 0xFF, word >> 8


def broken_by(m: Made, fault: str) -> Counted:
    board = Faulty(m.machine, m.image)
    match fault:
        case "forgotten register":
            board.exchange("__vector_11", PUSH_R30, NOTHING)
            board.exchange("__vector_11", POP_R30, NOTHING)
        case "forgotten status":
            board.exchange("__vector_11", OUT_STATUS_R24, NOTHING)
        case "torn count":
            board.exchange("lf_port_milliseconds", CLI, NOTHING)
        case "torn sleep":
            board.exchange("lf_port_sleepers_add", CLI, NOTHING)
        case _:
            board.later("lf_port_idle")
    return break_in_everywhere(m.graph, board, 1)


@pytest.mark.parametrize(
    ("fault", "interrupt", "what"),
    [
        ("forgotten register", TICK, "its routine changes r30"),
        ("forgotten status", TICK, "its routine changes the status"),
        ("torn count", TICK, "the pass ends as if it had come neither before nor behind it"),
        ("torn sleep", TICK, "the pass ends as if it had come neither before nor behind it"),
        ("late lock", 1, "the board falls asleep, though it has come"),
    ],
)
def test_a_seeded_fault_is_found(fault: str, interrupt: int, what: str, sleeps: Made) -> None:
    found = broken_by(sleeps, fault).broken[0]
    assert (found.interrupt, found.what) == (interrupt, what)


BOTH = """
MODULE Both;
IMPORT SYSTEM;
PROCESS One SERVER;
BEGIN LOOP SYSTEM.INT[1]?INTERRUPT; PORTOUT(25H, 1) END END One;
PROCESS Two SERVER;
BEGIN LOOP SYSTEM.INT[2]?INTERRUPT; PORTOUT(28H, 2) END END Two;
BEGIN PORTOUT(69H, 15); PORTOUT(3DH, 3); CREATE One; CREATE Two END Both.
"""


def test_a_board_that_sleeps_in_the_owed_turn_is_found(tmp_path: Path) -> None:
    """Behind who has taken an interrupt nobody looks at interrupts, and nobody is ready: the other one has come."""
    file = tmp_path / "Both.lf"
    file.write_text(BOTH)
    m = made(file)
    right = break_in_everywhere(m.graph, BreakInBoard(m.machine, m.image))
    assert right.complete and not right.broken
    board = Faulty(m.machine, m.image)
    board.sleep_in_any_turn()
    found = break_in_everywhere(m.graph, board, 1).broken[0]
    assert (found.interrupt, found.what) == (1, "the board falls asleep, though it has come")
    assert board.taker(found.state) == TURN_OWED and board.came(found.state)


def test_simavr_shows_no_other_block(sleeps: Made, tmp_path: Path) -> None:
    """Interrupts at random cycles of two seconds, most of them within a pass."""
    graph = sleeps.graph
    blocks = {graph.board.block(graph.nodes[n][0]) for n in graph.intervals}
    seen = {block for _, block in moments(compile_tool(tmp_path, "moments"), sleeps, 32_000_000, 3000)}
    assert len(seen) > 5 and seen <= blocks
