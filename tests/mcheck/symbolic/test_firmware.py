"""Ordinary firmware, whose variables hold samples, bytes and counters: each has a proof or a counterexample, and of its
faulty variants a counterexample, here and for boards.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from lfc.cli.common.exits import Exit
from lfc.mcheck.check import check
from lfc.mcheck.request.request import request_from
from lfc.mcheck.result.result import CheckResult
from tests.actions.machines import machine_of_text
from tests.cli.lfc import lfc
from tests.mcheck.symbolic.crc import crc16

PROGRAMS = Path(__file__).parent / "firmware"

# What makes them wrong.
FAULTY = {
    "average": ("0 .. 8191", "0 .. 511"),
    "modbus": ("(frame[1] = WRITE) & (register < REGISTERS)", "frame[1] = WRITE"),
    "frames": ("MIN(data[1], 100)", "data[1]"),
    "shell": ("IF value < 255 THEN INC(value) END", "INC(value)"),
    "regulator": ("MAX(0, MIN(TOP, u))", "u"),
    "interrupts": ("IF ticks = 250", "IF ticks = 251"),
    "debounce": ("pressed & (history = 0)", "pressed & (history = 1)"),
    "quadrature": ("INT16;", "INT8;"),
    "ring": ("(first + used) MOD ROOM", "(first + used) MOD (ROOM - 1)"),
}
KINDS = {"average": "fault", "modbus": "fault", "shell": "fault", "regulator": "fault"}


def checked(name: str, **changes: str) -> CheckResult:
    text = (PROGRAMS / f"{name}.lf").read_text()
    for old, new in changes.items():
        assert old in text
        text = text.replace(old, new)
    return check(machine_of_text(text), request_from(data="symbolic", reductions=("auto",)))


@pytest.mark.parametrize("name", sorted(FAULTY.keys() - {"ring"}))
def test_it_is_proved(name: str) -> None:
    result = checked(name)
    assert result.verdict == "holds", result.reason


@pytest.mark.parametrize("name", sorted(FAULTY.keys() - {"quadrature"}))
def test_what_makes_it_wrong_is_found(name: str) -> None:
    old, new = FAULTY[name]
    result = checked(name, **{old: new})
    assert result.verdict == KINDS.get(name, "assertion"), result.reason
    assert len(result.findings) == 1


def read(result: CheckResult, what: str = "read") -> list[int]:
    return [i.operands[0] or 0 for step in result.findings[0].steps for i in step if i.name == what]


def test_a_frame_with_the_right_crc_writes_a_register_that_there_is_not() -> None:
    old, new = FAULTY["modbus"]
    frame = bytes(read(checked("modbus", **{old: new})))
    assert len(frame) == 8 and frame[:2] == bytes([17, 6])
    assert frame[2] << 8 | frame[3] >= 16
    assert crc16(frame[:6]) == frame[6] | frame[7] << 8


def test_what_fills_the_counter_is_typed() -> None:
    old, new = FAULTY["shell"]
    assert bytes(read(checked("shell", **{old: new}))) == b"SET 255\nINC\n"


def test_a_sum_without_a_limit_runs_over() -> None:
    limited, plain = "MAX(-LIMIT, MIN(LIMIT, sum + error * KI))", "INT16(sum + error * KI)"
    result = checked("regulator", **{limited: plain, "error, sum, u : INTEGER": "error, u : INTEGER; sum : INT16"})
    assert result.verdict == "fault"
    assert read(result, "in16") == [0] * 13


def test_averages_of_more_samples_take_no_longer() -> None:
    result = checked("average", **{"N = 8": "N = 50", "0 .. 8191": "0 .. 65535"})
    assert result.verdict == "holds" and result.symbolic is not None
    assert (result.symbolic.states, result.symbolic.wide) == (101, 0)


def test_bytes_of_two_producers_come_out_in_order() -> None:
    result = checked("ring")
    assert result.verdict == "holds" and result.symbolic is not None
    assert (result.symbolic.states, result.symbolic.concrete) == (3984, 83_834_888_517_534_289_157)


def test_the_frame_is_a_fault_on_an_emulated_board_too(tmp_path: Path) -> None:
    old, new = FAULTY["modbus"]
    (tmp_path / "Modbus.lf").write_text((PROGRAMS / "modbus.lf").read_text().replace(old, new))
    found = lfc("check", "Modbus.lf", "-b", "uno", "--data", "symbolic", "--trace", "way", cwd=tmp_path)
    assert found.exit == Exit.FAULT
    followed = lfc("run", "Modbus.lf", "-b", "uno", "--schedule", "way", cwd=tmp_path)
    assert "is out of bounds: the array has 16 elements" in followed.err + followed.out
