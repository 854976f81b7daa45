"""Which port is a board's: over plain data, without any hardware."""

from __future__ import annotations

import os
import pty
from dataclasses import replace
from pathlib import Path

import pytest

from lfc.boards.descriptions.board import Board, load_board
from lfc.boards.serial.failure import FlashError
from lfc.boards.serial.open_port import open_port
from lfc.boards.serial.ports import PortInfo, choose_port, line_of, matching_boards, user_of
from tests.cli.lfc import lfc

UNO = PortInfo("/dev/ttyACM0", (0x2341, 0x0043), "85736323838351F0E1E1", "Arduino Uno")
CLONE = PortInfo("/dev/ttyUSB0", (0x1A86, 0x7523), "", "USB Serial")
MODEM = PortInfo("/dev/ttyUSB7", (0x12D1, 0x1001), "M1", "Modem")
BUILT_IN = PortInfo("/dev/ttyS0")


def refused(board: Board, wanted: str | None, *ports: PortInfo) -> FlashError:
    with pytest.raises(FlashError) as caught:
        choose_port(board, wanted, ports)
    assert caught.value.stage == "open"
    return caught.value


def test_the_only_one_that_matches_is_taken(uno: Board) -> None:
    assert choose_port(uno, None, [BUILT_IN, MODEM, UNO]) == UNO.name
    assert choose_port(uno, None, [CLONE, BUILT_IN]) == CLONE.name


def test_several_that_match_are_listed(uno: Board) -> None:
    error = refused(uno, None, MODEM, UNO, CLONE)
    assert line_of(UNO) in error.message and line_of(CLONE) in error.message and MODEM.name not in error.message
    assert "-p id:" in error.remedy


def test_none_matches(uno: Board) -> None:
    error = refused(uno, None, MODEM, BUILT_IN)
    assert MODEM.name in error.message and "/dev/ttyS0  not USB" in error.message and "2341:0043" in error.message
    assert "-p PORT" in error.remedy
    assert "there are no serial ports" in refused(uno, None).message
    assert "no USB ids are known" in refused(replace(uno, usb_ids=()), None, UNO).message


def test_by_serial_number(uno: Board) -> None:
    second = replace(UNO, name="/dev/ttyACM1", serial_number="A55")
    assert choose_port(uno, "id:a55", [UNO, second]) == second.name
    assert "no port has the serial number `7`" in refused(uno, "id:7", UNO).message
    assert UNO.name in refused(uno, "id:7", UNO).message
    assert "2 ports have" in refused(uno, "id:A55", second, replace(second, name="/dev/ttyACM2")).message
    assert "no port has" in refused(uno, "id:", CLONE).message  # which has none


def test_a_named_port_need_not_match(uno: Board) -> None:
    assert choose_port(uno, MODEM.name, [UNO, MODEM]) == MODEM.name
    assert choose_port(uno, "/dev/pts/3", [UNO]) == "/dev/pts/3"


@pytest.mark.parametrize("wanted", [None, UNO.name, f"id:{UNO.serial_number}"])
def test_one_that_cannot_be_used(uno: Board, wanted: str | None) -> None:
    error = refused(uno, wanted, replace(UNO, permitted=False, group="uucp"))
    assert "no permission" in error.message and "usermod -aG uucp" in error.remedy and "udev" in error.remedy
    error = refused(uno, wanted, replace(UNO, user="screen (process 7)"))
    assert "busy, used by screen (process 7)" in error.message and "close" in error.remedy


def test_boards_that_share_their_converter() -> None:
    boards = [load_board(name) for name in ("uno", "mega2560", "pico")]
    assert matching_boards(CLONE, boards) == ["uno", "mega2560"]
    assert matching_boards(UNO, boards) == ["uno"]
    assert matching_boards(BUILT_IN, boards) == []


def test_who_uses_a_port(tmp_path: Path) -> None:
    for number, program, target in ((12, "cat", "/dev/null"), (34, "minicom", "/dev/ttyACM0")):
        (tmp_path / str(number) / "fd").mkdir(parents=True)
        (tmp_path / str(number) / "fd" / "3").symlink_to(target)
        (tmp_path / str(number) / "comm").write_text(f"{program}\n")
    (tmp_path / "self").mkdir()
    assert user_of("/dev/ttyACM0", tmp_path) == "minicom (process 34)"
    assert user_of("/dev/ttyACM1", tmp_path) == ""
    assert user_of("/dev/ttyACM0", tmp_path / "nothing") == ""


def test_a_port_without_permission(monkeypatch: pytest.MonkeyPatch) -> None:
    """The tests may run as root, who may do everything: so the refusal is the system's own error, made here."""
    import serial

    def refuse(*_: object, **__: object) -> None:
        raise serial.SerialException(13, "Permission denied")

    monkeypatch.setattr(serial, "Serial", refuse)
    master, slave = pty.openpty()
    with pytest.raises(FlashError, match="no permission to use .*usermod -aG"):
        open_port(os.ttyname(slave), 9600)
    os.close(master)
    os.close(slave)


def test_the_command() -> None:
    """Whatever ports this machine has."""
    import json

    done = lfc("ports", "--json")
    assert done.exit == 0
    for port in json.loads(done.out)["ports"]:
        assert port["port"] and isinstance(port["boards"], list)
    done = lfc("ports", "-b", "lm3s6965evb", "--json")
    found = [p for p in json.loads(done.out)["ports"] if "lm3s6965evb" in p["boards"]]
    assert (done.exit == 0) == (len(found) == 1 and found[0]["permitted"] and not found[0]["used_by"])
    assert done.exit in (0, 9)
