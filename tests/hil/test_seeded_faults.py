"""Faults that are put into a board are found by comparing it with the program, and named."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from lfc.actions.model.machine import Machine
from lfc.base.source import Source
from lfc.boards.emulators.line import Flip
from lfc.hil.conform import Conduct, Conformance, conform
from lfc.hil.follow import replay
from lfc.hil.host_side import HostSide
from lfc.image import firmware as image_stage
from lfc.image.firmware import Firmware
from lfc.link.port import runtime_folder
from lfc.toolchain.elf import read_load_segments, read_section_place, read_symbol
from lfc.trace.items import Item
from tests.campaign.boards import seeded_faults
from tests.conftest import ROOT
from tests.differential.stepwise import machine_of, machine_of_source
from tests.hil.boards import session_with, traced

BOARDS = [("uno", "simavr"), ("uno", "qemu"), ("microbit", "qemu")]


def result_of(
    board: str, emulator: str, machine: Machine, firmware: Firmware, elf: bytes, flip: Flip | None = None
) -> Conformance:
    host = HostSide(machine, "rr")
    with session_with(board, emulator, machine, elf, flip=flip) as session:
        return conform(session, host, firmware.generated.sites, Conduct(2000, 30))


@pytest.mark.parametrize(("board", "emulator"), BOARDS)
def test_a_partner_that_does_not_wait(
    board: str, emulator: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The kernel takes any process for one that waits."""
    wrong = tmp_path / "runtime"
    shutil.copytree(runtime_folder(), wrong)
    header = wrong / "kernel" / "lf.h"
    text = header.read_text()
    look = "    if (lf_position_at(at, o->wide) != o->waiting) return;"
    assert text.count(look) == 4
    header.write_text(text.replace(look, "    (void)at;"))
    machine = machine_of(ROOT / "examples" / "pingpong.lf")
    right = traced(board, machine)
    assert result_of(board, emulator, machine, right, right.image.elf).verdict == "agrees"
    monkeypatch.setattr(image_stage, "runtime_folder", lambda: wrong)
    firmware = traced(board, machine)
    assert firmware.digest != right.digest
    result = result_of(board, emulator, machine, firmware, firmware.image.elf)
    assert result.verdict == "differs" and result.difference is not None
    assert result.difference.kind == "step"
    assert "cannot do" in result.difference.message and any("meet" in d for d in result.difference.details)


MARKED = """MODULE Marked;
VAR before, v : UINT8;
BEGIN
  before := 1;
  RESCHEDULE;
  v := 5AH;
  RESCHEDULE;
  before := 2
END Marked.
"""


@pytest.mark.parametrize(("board", "emulator"), BOARDS)
def test_a_changed_instruction(board: str, emulator: str) -> None:
    machine = machine_of_source(Source("Marked.lf", MARKED))
    firmware = traced(board, machine)
    result = result_of(board, emulator, machine, firmware, changed_load(board, firmware.image.elf))
    assert result.verdict == "differs" and result.difference is not None
    d = result.difference
    assert (d.kind, d.step, d.line, d.message) == ("block", 2, 5, "v is 90 on the host, 91 on the board")


class Anything(int):
    """A digest that equals each other one."""

    def __eq__(self, other: object) -> bool:
        return True

    __hash__ = int.__hash__


@pytest.mark.parametrize(("board", "emulator"), [("uno", "simavr"), ("microbit", "qemu")])
def test_the_second_judge_sees_what_digests_would_miss(
    board: str, emulator: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The campaign compares all bytes where no difference was found, and asks the emulator what it has executed. Here
    the last block, which is compared in any case, is as it should be."""
    machine = machine_of_source(Source("Marked.lf", MARKED.replace("before := 2", "before := 2; v := 1")))
    firmware = traced(board, machine)
    right = firmware.image.elf
    wrong = changed_load(board, right)
    monkeypatch.setattr("lfc.hil.host_side.checksum", lambda block: Anything(0))
    good = seeded_faults.look(board, emulator, machine, firmware, right)
    assert (good.verdict, good.steps_that_differ) == ("agrees", [])
    bad = seeded_faults.look(board, emulator, machine, firmware, wrong)
    assert bad.steps_that_differ == [2]
    loaded = {s.load_address + i: byte for s in read_load_segments(wrong) for i, byte in enumerate(s.content)}
    changed = {a for a, byte in seeded_faults.content(right).items() if loaded[a] != byte}
    assert len(changed) == 1 and changed <= bad.executed
    outcome = seeded_faults.Outcome()
    seeded_faults.judge(board, emulator, machine, firmware, wrong, changed, "a load", outcome)
    assert len(outcome.missed) == 1 and not outcome.counted


def changed_load(board: str, elf: bytes) -> bytes:
    """The instruction that loads 5AH loads 5BH."""
    place = read_section_place(elf, ".text")
    assert place is not None
    start, size = place
    if board == "uno":  # LDI: 1110 KKKK dddd KKKK
        found = [i for i in range(start, start + size, 2) if elf[i] & 0xF == 0xA and elf[i + 1] == 0xE5]
    else:  # MOVS: 0010 0ddd KKKK KKKK
        found = [i for i in range(start, start + size, 2) if elf[i] == 0x5A and elf[i + 1] & 0xF8 == 0x20]
    assert len(found) == 1
    return elf[: found[0]] + bytes([elf[found[0]] ^ 1]) + elf[found[0] + 1 :]


def test_a_flipped_bit_of_memory() -> None:
    """Of a variable that no action touches after the first: only a digest over the whole block sees it."""
    machine = machine_of_source(Source("Kept.lf", KEPT))
    firmware = traced("uno", machine)
    flip = flipped(machine, firmware)
    result = result_of("uno", "simavr", machine, firmware, firmware.image.elf, flip)
    assert result.verdict == "differs" and result.difference is not None
    d = result.difference
    assert (d.kind, d.message) == ("block", "kept is 7 on the host, 1031 on the board")
    assert d.step >= 2


def flipped(machine: Machine, firmware: Firmware) -> Flip:
    memory = read_symbol(firmware.image.elf, "lf_memory").target_address + firmware.block_offset
    kept = next(o for v, o in machine.layout.variables.items() if v.name == "kept")
    return Flip(2_000_000, memory + kept + 1, 2)


def test_a_flipped_bit_while_the_board_follows() -> None:
    """A replay names the variable, though the board has asked for its next step before it is asked for its block."""
    machine = machine_of_source(Source("Kept.lf", KEPT))
    firmware = traced("uno", machine)
    steps = [[Item("run", (0,))] for _ in range(401)]
    verdicts = []
    for flip in (None, flipped(machine, firmware)):
        with session_with("uno", "simavr", machine, firmware.image.elf, flip=flip) as session:
            result = replay(session, HostSide(machine, "rr"), firmware.generated.sites, steps)
        verdicts.append((result.verdict, result.reason))
    assert verdicts == [("followed", ""), ("differs", "")]
    d = result.difference
    assert d is not None and (d.kind, d.message) == ("block", "kept is 7 on the host, 1031 on the board")
    assert 2 <= d.step == result.steps < 401


def test_a_flipped_bit_of_a_board_that_is_ahead() -> None:
    """What has changed by right in the steps in between is not taken for the difference."""
    machine = machine_of_source(Source("Kept.lf", KEPT.replace("kept : INTEGER; i", "i : INTEGER; kept")))
    firmware = traced("uno", machine)
    host, flip = HostSide(machine, "rr"), flipped(machine, firmware)
    with session_with("uno", "simavr", machine, firmware.image.elf, flip=flip) as session:
        result = conform(session, host, firmware.generated.sites, Conduct(2000, 30, 7))
    assert result.verdict == "differs" and result.difference is not None
    assert result.difference.message == "kept is 7 on the host, 1031 on the board"


KEPT = """MODULE Kept;
VAR kept : INTEGER; i : INTEGER;
BEGIN
  kept := 7;
  FOR i := 1 TO 400 DO RESCHEDULE END
END Kept.
"""
