"""The library's drivers on emulated boards: pins and voltages in simavr, serial lines there and in QEMU."""

from __future__ import annotations

from dataclasses import replace

import pytest

from lfc.boards.descriptions.board import board_names, load_board
from lfc.boards.emulators.qemu import run_in_qemu
from lfc.boards.emulators.simavr import run_in_simavr
from tests.conftest import ROOT
from tests.library.images import console, image_of

VOLTAGES = """
MODULE T;
IMPORT ADC, Out;
VAR i, j : INTEGER; v : UINT16;
BEGIN
  FOR j := 0 TO 1 DO
    FOR i := 0 TO CHANNELS DO ADC.Read(i, v); Out.Int(INTEGER(v)); Out.Char(' ') END
  END
END T.
"""


@pytest.mark.parametrize(("board", "channels"), [("uno", 6), ("mega2560", 8)])
def test_voltages_are_converted(board: str, channels: int) -> None:
    """Each channel has its own; 5 volts are the supply, and 1024 steps. (simavr converts none of the upper channels of
    the ATmega2560 as its data sheet says: those are in the tables of registers.)"""
    voltages = {c: 300 * c + 100 for c in range(channels)}
    elf = image_of(board, VOLTAGES.replace("CHANNELS", str(channels - 1)))
    said = console(run_in_simavr(load_board(board), elf, seconds=0.2, voltages=voltages))
    read = [int(number) for number in said.split()]
    expected = [mv * 1024 // 5000 for mv in voltages.values()] * 2
    assert len(read) == len(expected) and all(abs(r - e) <= 1 for r, e in zip(read, expected, strict=True)), read


PINS = """
MODULE T;
IMPORT GPIO, Out;
VAR last, now : BOOLEAN; presses : INTEGER;
BEGIN
  GPIO.Configure(GPIO.LED, GPIO.output);
  GPIO.Configure(GPIO.BUTTON, GPIO.pulledUp);
  LOOP
    RESCHEDULE;
    GPIO.Pressed(now);
    IF now & ~last THEN
      GPIO.Toggle(GPIO.LED);
      INC(presses);
      Out.Int(presses)
    END;
    last := now
  END
END T.
"""


@pytest.mark.parametrize(("board", "pin", "led"), [("uno", "D:2", 5), ("mega2560", "E:4", 7)])
def test_a_button_is_read_and_a_light_switched(board: str, pin: str, led: int) -> None:
    """Pressed three times: the light is on in the end. DDRB and PORTB are the registers."""
    elf = image_of(board, PINS)
    done = run_in_simavr(load_board(board), elf, seconds=0.1, signal=f"{pin}:80000:3", registers=(0x24, 2))
    assert (console(done), done.registers) == ("123", bytes([1 << led, 1 << led]))


ECHO = """
MODULE T;
IMPORT UART;
VAR c : CHAR;
BEGIN
  UART.Start(115200);
  REPEAT UART.received?byte(c); UART.Send(c) UNTIL c = '.';
  ASSERT(FALSE)
END T.
"""
SENTENCE = "what comes on the line goes back on the line, also when it is long."


@pytest.mark.parametrize("board", ["lm3s6965evb", "stm32vldiscovery", "netduinoplus2"])
def test_a_serial_line_beside_the_console(board: str) -> None:
    description = load_board(board)
    second = replace(description, emulator=replace(description.emulator, qemu_serial=1))
    done = run_in_qemu(second, image_of(board, ECHO), console_input=SENTENCE.encode(), seconds=10)
    assert (done.end, console(done)) == ("halted", SENTENCE)


def test_a_serial_line_beside_the_console_of_the_mega() -> None:
    """At a rate at which it can send as fast as it receives."""
    mega = load_board("mega2560")
    slow = replace(mega, console=replace(mega.console, baud=19_200))
    elf = image_of("mega2560", ECHO.replace("115200", "19200"))
    done = run_in_simavr(slow, elf, console_input=SENTENCE.encode(), seconds=1, usart=1)
    assert (done.end, console(done)) == ("halted", SENTENCE)


@pytest.mark.parametrize("board", ["uno", "microbit"])
def test_the_line_of_a_chip_with_one_uart_is_the_consoles(board: str) -> None:
    elf, description = image_of(board, ECHO), load_board(board)
    if board == "uno":
        done = run_in_simavr(description, elf, console_input=SENTENCE.encode(), seconds=1)
    else:
        done = run_in_qemu(description, elf, console_input=SENTENCE.encode(), seconds=10)
    assert console(done).startswith(SENTENCE + "\n!fault 00000006")


LATE = """
MODULE T;
IMPORT Clock, Out, UART;
VAR c : CHAR; n : UINT16; taken : INTEGER;
BEGIN
  UART.Start(115200);
  Clock.Sleep(50);
  LOOP
    SELECT
      WHEN UART.received?byte(c) THEN INC(taken)
      WHEN Clock.After(20) THEN EXIT
    END
  END;
  UART.CountLost(n);
  UART.Send(CHR(taken));
  UART.Send(CHR(n));
  ASSERT(FALSE)
END T.
"""


def test_what_has_no_room_in_the_buffer_is_counted() -> None:
    """100 bytes come while nobody takes them: 32 of them wait, 68 are lost, and they are counted."""
    elf = image_of("mega2560", LATE)
    done = run_in_simavr(load_board("mega2560"), elf, console_input=bytes(100), seconds=1, usart=1)
    assert done.console == bytes([32, 68])


@pytest.mark.parametrize("board", board_names())
def test_the_example_is_built_for_every_board(board: str) -> None:
    assert image_of(board, (ROOT / "examples" / "gpio_blink.lf").read_text())


def test_the_example_blinks() -> None:
    """PB5 is on for half a second and off for as long; PB4 changes every 150 ms."""
    elf = image_of("uno", (ROOT / "examples" / "gpio_blink.lf").read_text())
    for milliseconds in (20, 170, 320, 520, 620, 1070):
        done = run_in_simavr(load_board("uno"), elf, seconds=milliseconds / 1000, registers=(0x24, 2))
        on, other = milliseconds // 500 % 2 == 0, milliseconds // 150 % 2 == 1
        assert done.registers == bytes([0x30, on << 5 | other << 4]), milliseconds
