"""The check of images: good ones agree, and each of its watches fires."""

from __future__ import annotations

from pathlib import Path

import pytest

from lfc.boards.descriptions.board import load_board
from lfc.codegen import dispatch
from lfc.mcheck.engine.abi import ImageErrorKind as Kind
from lfc.mcheck.image.report import Places
from lfc.toolchain.elf import read_symbols
from tests.conftest import ROOT
from tests.mcheck.image.changed import POLL, seen, with_word
from tests.mcheck.image.images import Built, built, flipped

EXAMPLES = ROOT / "examples"
SMALL = ["buffer", "calls", "clockdemo", "hanoi", "mutex", "peterson2", "pingpong", "prodcons", "semaphore", "traffic"]


def board_is_avr(name: str) -> bool:
    return load_board(name).cpu.architecture == "avr"


PRINTING = """MODULE T;
IMPORT Out;
VAR n : UINT8;
PROCESS Tell(c : CHAR);
BEGIN LOOP Out.Char(c); IF n = 3 THEN Out.Ln END; n := (n + 1) MOD 5; RESCHEDULE END END Tell;
BEGIN CREATE Tell('a'); CREATE Tell('b') END T.
"""
BOARDS = ["uno", "mega2560", "microbit", "stm32vldiscovery", "netduinoplus2"]
OF_AN_AVR = {"traffic"}  # it names registers of one


@pytest.mark.parametrize(
    ("name", "board"), [(n, b) for n in SMALL for b in BOARDS if n not in OF_AN_AVR or board_is_avr(b)]
)
def test_an_image_does_what_the_program_does(name: str, board: str) -> None:
    with built(EXAMPLES / f"{name}.lf", board) as b:
        result = b.check()
        assert [m.kind.name for m in result.mismatches] == []
        assert result.states == b.search.statistics.states
        assert not result.stopped and result.executions > 0
        assert board_is_avr(board) <= result.stack <= b.firmware.stack.main


def test_a_wait_for_the_transmitter_ends(tmp_path: Path) -> None:
    """It is answered by how far the path has come, whatever was run before."""
    (tmp_path / "T.lf").write_text(PRINTING)
    with built(tmp_path / "T.lf", "uno") as b:
        assert [m.kind.name for m in b.check().mismatches] == []
    with built(EXAMPLES / "window.lf", "uno") as b:
        assert [m.kind.name for m in b.check().mismatches] == []


@pytest.mark.parametrize("board", ["uno", "microbit", "hifive1"])
def test_where_all_processes_have_ended_an_interrupt_means_nothing(board: str, tmp_path: Path) -> None:
    once = "PROCESS Once; BEGIN SYSTEM.INT[1]?INTERRUPT END Once;"
    (tmp_path / "T.lf").write_text(f"MODULE T;\nIMPORT SYSTEM;\n{once}\nBEGIN CREATE Once END T.\n")
    with built(tmp_path / "T.lf", board) as b:
        assert [m.kind.name for m in b.check().mismatches] == []


def words(b: Built) -> dict[int, int]:
    return {at: int.from_bytes(b.flash[at : at + 2], "little") for at in b.check().code.instructions}


@pytest.fixture(scope="module")
def watched(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("image") / "Watch.lf"
    file.write_text(POLL)
    return file


def test_each_watch_fires(watched: Path) -> None:
    """One instruction of the first action's code is replaced by one that the watch is for."""
    with built(watched, "uno") as b:
        good = b.check()
        assert not good.mismatches
        names = read_symbols(b.firmware.image.elf)
        block = (names["lf_memory"].address & 0xFFFF) + b.firmware.generated.policies.size
        stores = [b"\x80\x93" + at.to_bytes(2, "little") for at in range(block, block + b.machine.block_size)]
        actions = range(names["lf_step"].address, names["lf_main"].address)  # before it, lf_main prepares the block
        step = next(s for s in actions if good.executed[s // 2] and b.flash[s : s + 4] in stores)
        assert good.code.instructions[step] == 4  # STS k, r24: of the block

        def instead(*replacing: int) -> set[Kind]:
            flash = b.flash
            for i, word in enumerate(replacing):
                flash = with_word(flash, step + 2 * i, word)
            return seen(b, flash)

        assert Kind.BAD_LOAD in instead(0x9180, 0x0600)  # LDS r24: of the stack's far end
        assert Kind.BAD_STORE in instead(0x9380, 0x0500)
        assert Kind.ILLEGAL in instead(0x9404, 0x0000)
        assert Kind.OUTSIDE in instead(0x940C, 0x3000)  # JMP into the erased flash
        assert Kind.BAD_JUMP in instead(0x9409, 0x0000)  # IJMP
        assert Kind.ENDLESS in instead(0xCFFF, 0x0000)  # RJMP to itself
        assert Kind.BAD_DEVICE in instead(0x9380, 0x0025)  # to a port
        assert Kind.BAD_BLOCK in instead(0x0000, 0x0000) | instead(0x9508, 0x0000)
        assert instead(0x900F, 0x0000) & {Kind.BAD_REGISTERS, Kind.BAD_JUMP, Kind.BAD_LOAD, Kind.OUTSIDE}  # POP r0
        assert instead(0x2411, 0x9413) & {Kind.BAD_REGISTERS}  # EOR r1, r1; INC r1
        assert Kind.BAD_REGISTERS in instead(0x94F8, 0x0000)  # CLI
        assert Kind.UNDEFINED in instead(0x2022, 0xF001)  # AND r2, r2; BREQ to the next one: nothing depends on it


def test_registers_that_nobody_has_set_are_seen(watched: Path) -> None:
    """Each constant that is loaded into a register becomes nothing."""
    with built(watched, "uno") as b:
        good = b.check()
        entry = min(at for at in good.code.instructions if good.executed[at // 2] and at >= 0x68)
        kinds: set[Kind] = set()
        for at in good.code.instructions:
            word = int.from_bytes(b.flash[at : at + 2], "little")
            if at > entry and good.executed[at // 2] and word & 0xF000 == 0xE000:  # LDI becomes NOP
                kinds |= seen(b, with_word(b.flash, at, 0))
        assert Kind.UNDEFINED in kinds


def kinds_near(b: Built, function: str, wanted: Kind, size: int = 60) -> bool:
    """Whether a flipped bit at the beginning of the function shows this kind."""
    good = b.check()
    start = read_symbols(b.firmware.image.elf)[function].address
    places = [at for at in range(start, start + size, 2) if good.executed[at // 2]]
    return any(wanted in seen(b, flipped(b.flash, at, bit)) for at in places for bit in (0, 4, 8, 10))


def test_the_scheduler_and_the_policy_block_are_looked_at() -> None:
    with built(EXAMPLES / "traffic.lf", "uno") as b:
        assert kinds_near(b, "lf_step", Kind.BAD_PICK, 200)
        assert kinds_near(b, "lf_port_sleepers_add", Kind.BAD_POLICY, 120)


def test_code_that_is_never_executed_is_listed(watched: Path) -> None:
    with built(watched, "uno") as b:
        result = b.check()
        never = result.never_executed()
        names = read_symbols(b.firmware.image.elf)
        fault = names["lf_port_fault_line"].address
        assert any(start <= fault < end for start, end in never)  # no state faults
        step = names["lf_step"].address
        assert not any(start <= step < end for start, end in never)


def test_a_fault_is_executed_to_its_line(tmp_path: Path) -> None:
    file = tmp_path / "Fails.lf"
    file.write_text("MODULE Fails;\nVAR n : INTEGER;\nPROCESS P;\nBEGIN\n  n := 3; RESCHEDULE; ASSERT(n = 4)\nEND P;\n"
                    "BEGIN\n  CREATE P\nEND Fails.\n")  # fmt: skip
    with built(file, "uno") as b:
        result = b.check()
        assert not result.mismatches
        assert result.executed[read_symbols(b.firmware.image.elf)["lf_port_fault_line"].address // 2]


def test_a_program_may_set_the_mask_of_its_interrupt() -> None:
    """It does so itself, with another register between: what it writes there is compared."""
    with built(EXAMPLES / "realtime" / "EmergencyStop.lf", "uno") as b:
        good = b.check()
        assert not good.mismatches
        enabling = Places(b.image(b.flash)).code_of_line(36)
        (at,) = [a for a in enabling if words(b).get(a, 0) & 0xFE0F == 0xBA0D]  # OUT 1DH, which is 3DH
        assert Kind.BAD_DEVICE in {m.kind for m in b.check(flipped(b.flash, at, 4)).mismatches}


TAKERS = """MODULE Takers;
IMPORT SYSTEM;
PROCESS One SERVER;
BEGIN LOOP SYSTEM.INT[1]?INTERRUPT; RESCHEDULE END END One;
PROCESS Two SERVER;
BEGIN LOOP SYSTEM.INT[2]?INTERRUPT END END Two;
PROCESS Busy SERVER;
BEGIN LOOP RESCHEDULE END END Busy;
BEGIN CREATE One; CREATE Two; WORKERS END Takers.
"""


@pytest.mark.parametrize("board", ["uno", "microbit", "hifive1"])
@pytest.mark.parametrize("workers", [1, 6], ids=["few", "many"])
def test_who_takes_an_interrupt_runs_next(board: str, workers: int, tmp_path: Path) -> None:
    file = tmp_path / "Takers.lf"
    file.write_text(TAKERS.replace("WORKERS", "; ".join(["CREATE Busy"] * workers)))
    with built(file, board) as b:
        assert b.firmware.generated.policies.takers == (1, 2)
        assert not b.check().mismatches


@pytest.mark.parametrize(("changed", "to"), [("TURN_OWED", 0xFF), ("NOBODY", 0xFE), ("TURN_OWED", 1)])
def test_a_scheduler_that_forgets_whose_turn_it_is(
    changed: str, to: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """No turn is owed; one is owed for ever; the taker runs on and on."""
    file = tmp_path / "Takers.lf"
    file.write_text(TAKERS.replace("WORKERS", "CREATE Busy"))
    monkeypatch.setattr(dispatch, changed, to)
    with built(file, "uno") as b:
        assert {m.kind for m in b.check().mismatches} & {Kind.BAD_POLICY, Kind.BAD_PICK}
