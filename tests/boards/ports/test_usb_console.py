"""The console over USB: what the device answers (with a controller that is played), a Pico with it in rp2040js
and in the built-in simulator, and a Zero there, whose hosts find the serial line by its descriptors."""

from __future__ import annotations

import shutil
import struct
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from lfc.boards.descriptions.board import BoardError, load_board, load_board_file
from lfc.boards.descriptions.simulated import emulators_of
from lfc.boards.emulators.emulate import emulate
from lfc.boards.emulators.quiet import MEMORY, positions_of
from lfc.image.firmware import build_firmware
from lfc.link.port import board_defines, runtime_folder
from tests.boards.emulators.ends import end_on_this_machine
from tests.cli.lfc import lfc
from tests.conftest import ROOT
from tests.differential.stepwise import machine_of

FOLDER = Path(__file__).parent
GET_DEVICE, GET_CONFIGURATION = "S800600010000{:02x}00", "S800600020000{:02x}00"
SET_ADDRESS_5, CONFIGURE, SET_CODING, GET_CODING = (
    *("S0005050000000000", "S0009010000000000"),
    *("S2120000000000700", "Sa121000000000700"),
)
Play = Callable[..., list[str]]


@pytest.fixture(scope="module")
def play(tmp_path_factory: pytest.TempPathFactory) -> Play:
    """What the device did, line by line, without when."""
    program = tmp_path_factory.mktemp("usb") / "host"
    warnings = ["-Wall", "-Wextra", "-Werror", "-fsanitize=undefined"]
    subprocess.run(["cc", *warnings, FOLDER / "usb_host.c", "-o", program], check=True)

    def played(*lines: str) -> list[str]:
        done = subprocess.run([program], input="\n".join(lines), capture_output=True, text=True, check=True)
        return [line.rstrip() for line in done.stdout.splitlines() if not line.startswith("done at")]

    return played


def sent(lines: list[str], endpoint: int = 0) -> bytes:
    return b"".join(
        bytes.fromhex(line.removeprefix(f"send {endpoint}")) for line in lines if f"send {endpoint}" in line
    )


def test_descriptors(play: Play) -> None:
    """As USB 2.0 and the class's documents have them: each is as long as it says, and they belong together."""
    device = sent(play(GET_DEVICE.format(18), "A"))
    assert struct.unpack("<BBHBBBBHHHBBBB", device) == (18, 1, 0x200, 2, 0, 0, 64, 0x1209, 1, 0x100, 0, 0, 0, 1)
    whole = sent(play(GET_CONFIGURATION.format(255), "A"))
    parts, rest = [], whole
    while rest:
        parts.append(rest[: rest[0]])
        rest = rest[rest[0] :]
    assert [len(p) for p in parts] == [p[0] for p in parts] == [9, 9, 5, 5, 4, 5, 7, 9, 7, 7]
    assert struct.unpack("<BBHBBBBB", parts[0]) == (9, 2, len(whole), 2, 1, 0, 0x80, 50)
    interfaces = [p for p in parts if p[1] == 4]
    assert [(p[2], p[4], p[5], p[6]) for p in interfaces] == [(0, 1, 2, 2), (1, 2, 10, 0)]
    assert [(p[2], p[3], p[4]) for p in parts if p[1] == 5] == [(0x81, 3, 8), (2, 2, 16), (0x83, 2, 64)]
    assert parts[5][:5] == bytes([5, 0x24, 6, 0, 1])  # the union of both interfaces


def test_a_part_of_a_descriptor_in_one_packet_and_no_empty_one_behind_it(play: Play) -> None:
    assert play(GET_CONFIGURATION.format(9), "A") == ["attached", "send 0 090243000201008032"]
    assert [len(x) for x in play(GET_CONFIGURATION.format(64), "A")] == [8, 7 + 128]


def test_an_address_is_taken_when_the_answer_has_gone(play: Play) -> None:
    assert play(SET_ADDRESS_5) == ["attached", "send 0"]
    assert play(SET_ADDRESS_5, "A") == ["attached", "send 0", "address 5"]
    assert play(SET_ADDRESS_5, GET_DEVICE.format(8), "A")[-1] == "send 0 1201000202000040"  # it was broken off


def test_requests(play: Play) -> None:
    asked = {
        "S8000000000000200": "send 0 0000",  # status
        "S8008000000000100": "send 0 00",  # configuration, before there is one
        "S0203000002000000": "refuse",  # a feature
        "S0201000083000000": "send 0",  # an endpoint that was halted, before there are any
        "S810a000001000100": "send 0 00",  # the alternative of an interface
        "S010b000001000000": "send 0",
        "S010b010001000000": "refuse",  # there is no other
        "S0009020000000000": "refuse",  # no such configuration
        "S8006000309040002": "refuse",  # strings
        "S8006000600000a00": "refuse",  # no other speed
        "S2123000000000000": "send 0",  # a break
        "S2177000000000000": "refuse",
        "Sc001000000000000": "refuse",  # a vendor's
    }
    assert {request: play(request)[1] for request in asked} == asked
    halted = play(CONFIGURE, "A", "S0201000083000000")
    assert halted == ["attached", "configure", "await", "send 0", "restart 3", "send 0"]


def test_the_line_coding_is_kept_and_1200_with_nobody_ready_is_for_the_boot_loader(play: Play) -> None:
    assert play(GET_CODING)[1] == "send 0 00c20100000008"  # 115,200 bits a second, 8 bits
    assert play(SET_CODING, "O80250000000008", "A", GET_CODING)[1:] == ["send 0", "send 0 80250000000008"]
    leave, stay = "S2122000000000000", "S2122030000000000"
    slow = ("O" + struct.pack("<IBBB", 1200, 0, 0, 8).hex(), "A")
    assert "boot loader" in play(SET_CODING, *slow, leave)
    assert "boot loader" not in play(SET_CODING, *slow, stay)
    assert "boot loader" not in play(SET_CODING, "O" + struct.pack("<IBBB", 1200 + (1 << 16), 0, 0, 8).hex(), leave)


def test_what_is_written_goes_in_packets_and_in_order(play: Play) -> None:
    wanted = bytes(ord("a") + i % 26 for i in range(100, 0, -1))
    done = play(CONFIGURE, "A", "W100", "G", "G", "G")
    assert [len(line.removeprefix("send 3 ")) // 2 for line in done if line.startswith("send 3")] == [1, 64, 35]
    assert sent(done, 3) == wanted
    assert sent(play("W100", CONFIGURE, "G", "G", "G"), 3) == wanted  # it waits in the buffer for a host


def test_a_host_that_takes_is_waited_for_and_one_that_does_not_for_three_seconds(play: Play) -> None:
    wanted = bytes(ord("a") + i % 26 for i in range(1000, 0, -1))
    assert sent(play(CONFIGURE, "T1", "W1000", *["G"] * 4), 3) == wanted
    lost = play(CONFIGURE, "W1000", *["G"] * 4)
    assert sent(lost, 3) == wanted[:129]  # one on its way, and the buffer
    again = play(CONFIGURE, "W200", *["G"] * 4, "W50", *["G"] * 3)
    assert sent(again, 3)[129:] == bytes(ord("a") + i % 26 for i in range(50, 0, -1))


def test_the_line_of_a_fault_takes_the_place_of_what_nobody_took(play: Play) -> None:
    done = play("W128", "P!fault 1 2 3", CONFIGURE, "G", "G", "G")
    wanted = bytes(ord("a") + i % 26 for i in range(128, 0, -1)) + b"!fault 1 2 3"
    assert sent(done, 3) == wanted[-128:]


def test_a_packet_waits_for_its_room(play: Play) -> None:
    packet = "B" + bytes(range(16)).hex()
    done = play("L1", CONFIGURE, packet, packet, packet, "R15", "R1", "R40")
    assert done.count("await") == 4  # when it was configured, and for each packet
    read = [int(line.removeprefix("read ")) for line in done if line.startswith("read")]
    assert read == [*range(16), *range(16), *range(16), *[-1] * 8]
    before = play("L1", CONFIGURE, packet, packet, packet)
    assert before.count("await") == 3  # the third packet is not taken
    assert play("L1", CONFIGURE, packet, packet, packet, "R15").count("await") == 3
    assert play("L1", CONFIGURE, packet, packet, packet, "R16").count("await") == 4


def test_what_comes_for_a_program_that_does_not_read_is_taken_and_forgotten(play: Play) -> None:
    packet = "B" + bytes(range(16)).hex()
    assert play(CONFIGURE, *[packet] * 9, "R1")[-1] == "read -1"
    assert play(CONFIGURE, *[packet] * 9).count("await") == 10


def test_a_reset_of_the_bus_forgets_what_was_on_its_way(play: Play) -> None:
    assert play(CONFIGURE, "W3", "Z", "W3", CONFIGURE, "G", "G")[4:] == [
        *("send 3 64", "configure", "await", "send 0"),
        "send 3 6362646362",
    ]


# --- in emulators, with their hosts ---

LONG = """
MODULE Long;
IMPORT Out;
VAR i : INTEGER;
BEGIN
  FOR i := 1 TO 150 DO Out.Int(i); Out.Ln END
END Long.
"""
FAULT = """
MODULE Wrong;
IMPORT Out;
VAR a : ARRAY 3 OF INTEGER; i : INTEGER;
BEGIN
  i := 2; Out.String("before");
  WHILE i < 9 DO INC(i); a[i] := 1 END
END Wrong.
"""


PLACES = [("pico_usb", "rp2040js"), ("pico_usb", "builtin"), ("xiao", "builtin")]
places = pytest.mark.parametrize(("name", "emulator"), PLACES)


def run(name: str, emulator: str, program: Path, given: bytes = b"") -> tuple[str, bytes, bytes]:
    board, machine = load_board(name), machine_of(program)
    firmware = build_firmware(board, machine)
    quiet = positions_of(machine, firmware.block_offset)
    image = firmware.image.elf
    done = emulate(board, image, emulator, console_input=given, seconds=2, symbols=[MEMORY], quiet=quiet)
    return done.end, done.console, done.memory[MEMORY][firmware.block_offset :]


@places
def test_a_board_says_over_usb_what_this_machine_says(name: str, emulator: str, tmp_path: Path) -> None:
    """More than its buffer holds, from before the host has seen it."""
    (tmp_path / "Long.lf").write_text(LONG)
    end, said, block = run(name, emulator, tmp_path / "Long.lf")
    assert (end, said) == ("quiet", "".join(f"{i}\n" for i in range(1, 151)).encode())
    assert (said, block) == end_on_this_machine(tmp_path / "Long.lf", "rr", b"")


@places
def test_a_board_reads_over_usb(name: str, emulator: str, tmp_path: Path) -> None:
    text = b"the quick brown fox jumps over the lazy dog, and " * 4 + b"."
    program = tmp_path / "echo.lf"
    shutil.copy(ROOT / "examples" / "echo.lf", program)
    end, said, block = run(name, emulator, program, text)
    assert (end, said, block) == ("quiet", *end_on_this_machine(program, "rr", text))
    assert len(said) > 190


@places
def test_a_fault_is_told_over_usb(name: str, emulator: str, tmp_path: Path) -> None:
    (tmp_path / "Wrong.lf").write_text(FAULT)
    end, said, _ = run(name, emulator, tmp_path / "Wrong.lf")
    assert end == "halted" and said.startswith(b"before\n!fault 0000000")


# --- descriptions ---


@pytest.mark.parametrize(
    ("text", "key", "reason"),
    [
        ('console.uart = "USB"\nconsole.receive_buffer = 128\n', "console.usb_id", "is missing"),
        ('console.usb_id = ["1:2"]\n', "console.usb_id", "is not a pair vendor:product"),
        ('console.usb_id = ["1209:0001", "1209:0002"]\n', "console.usb_id", "must be one"),
        (
            'console.uart = "USB"\nconsole.usb_id = ["1209:0001"]\nconsole.receive_buffer = 8\n',
            *("console.receive_buffer", "must be 16 or more"),
        ),
    ],
)
def test_descriptions_that_are_wrong(text: str, key: str, reason: str, tmp_path: Path) -> None:
    (tmp_path / "own.toml").write_text(f'inherits = "pico"\n{text}')
    with pytest.raises(BoardError) as found:
        load_board_file(tmp_path / "own.toml")
    assert found.value.key == key and reason in str(found.value)


@places
def test_their_boards(name: str, emulator: str) -> None:
    board = load_board(name)
    assert board.console.usb_id in board.usb_ids and board.console.pins is None
    assert emulator in emulators_of(board)


def test_its_image_is_not_executed_by_the_checker(tmp_path: Path) -> None:
    (tmp_path / "Silent.lf").write_text("MODULE Silent; END Silent.")
    done = lfc("check", tmp_path / "Silent.lf", "-b", "pico_usb", "--image")
    assert done.exit == 2 and "its console is over USB" in done.err


# --- registers: RP2040 data sheet 4.1.4, SAM D21 data sheet 32.8; the chips' SVD files say the same of each ---

REGISTERS = {
    "pico_usb": {
        "USB": 0x50110000,
        "DEVICE_ADDRESS": 0x50110000,
        "MAIN_CONTROL": 0x50110040,
        "LINE_CONTROL": 0x5011004C,
        "LINE_STATUS": 0x50110050,
        "BUFFERS_DONE": 0x50110058,
        "STALL_CONTROL": 0x50110068,
        "MUXING": 0x50110074,
        "POWER": 0x50110078,
        "ENABLE_INTERRUPTS": 0x50110090,
        "FORCE_INTERRUPTS": 0x50110094,
        "BUS_RESET": 0x80000,
        "REQUEST": 0x20000,
        "PULLED_UP": 0x10000,
        "TELL_OF_CONTROL": 0x20000000,
        "ON_BUFFER_RESET_AND_REQUEST": 0x10 | 0x1000 | 0x10000,
        "POWER_IS_THERE": 4 | 8,
        "TO_PINS_AND_CONNECTED": 1 | 8,
        "USB_CLOCK": 0x40008054,
        "USB_CLOCK_ON": 0x800,
        "USB_PLL": 0x4002C000,
        "RESET_USB_PLL": 0x2000,
        "RESET_USB": 0x1000000,
        "LF_USB_LINE": 5,
    },
    "xiao": {
        "CONTROL_OF_USB": 0x41005000,
        "LINE_AND_ADDRESS": 0x41005008,
        "ENABLE_USB_INTERRUPTS": 0x41005018,
        "USB_FLAGS": 0x4100501C,
        "TABLE_AT": 0x41005024,
        "CALIBRATION": 0x41005028,
        "KIND_OF(0)": 0x41005100,
        "STATE_OF(0)": 0x41005104,
        "ENABLE_FOR(0)": 0x41005108,
        "USB_RESET": 1,
        "USB_ON": 2,
        "BUS_RESET": 8,
        "ADDRESS_IS_ON": 0x80 << 16,
        "HAS_RECEIVED": 1 << 24,
        "HAS_SENT": 2 << 24,
        "HAS_REQUEST": 0x10 << 24,
        "TO_RECEIVE": 0x40,
        "TO_SEND": 0x80 << 8,
        "STALL_BOTH": 0x10 | 0x20,
        "FIRST_IS_DATA0(1)": 1,
        "FIRST_IS_DATA0(0)": 2,
        "USB_TO_BUS": 0x40000414,
        "USB_TO_REGISTERS": 0x4000041C,
        "LF_USB_LINE": 7,
    },
}


@pytest.mark.parametrize("name", REGISTERS)
def test_registers(name: str, tmp_path: Path) -> None:
    asserted = "".join(f'_Static_assert({key} == {value}u, "{key}");\n' for key, value in REGISTERS[name].items())
    (tmp_path / "registers.c").write_text(f'#include "chip.h"\n#include "../usb/console.h"\n{asserted}')
    defines = [f"-D{d}" for d in (*board_defines(load_board(name)), "LF_REGISTERS_ARE_LOGGED")]
    folder = runtime_folder() / "ports" / "cortexm"
    done = subprocess.run(
        ["cc", "-fsyntax-only", "-w", *defines, "-I", folder, tmp_path / "registers.c"], capture_output=True, text=True
    )
    assert (done.returncode, done.stderr) == (0, "")
