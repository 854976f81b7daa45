"""Interrupts that a program names: delivered between actions, remembered once, masked until somebody listens again."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from lfc.actions.model.machine import Machine
from lfc.base.source import Source
from lfc.boards.descriptions.board import Board
from lfc.boards.descriptions.interrupts import INTERRUPTS
from lfc.boards.emulators.outcome import Outcome
from lfc.boards.emulators.simavr import run_in_simavr
from lfc.image.firmware import build_firmware
from lfc.link.port import runtime_folder
from lfc.toolchain.elf import read_sizes, read_symbols
from lfc.toolchain.failure import ImageError
from tests.differential.stepwise import machine_of_source

HEAD = """MODULE Test;
IMPORT SYSTEM, Clock, Out;
CONST EIMSK = 3DH; EICRA = 69H; TIMSK0 = 6EH; TCCR0B = 45H; TIFR0 = 35H;
VAR n, m : INTEGER;
"""


def run(board: Board, text: str, signal: str | None = None, seconds: float = 1.0) -> tuple[Outcome, dict[str, int]]:
    """The outcome, and the values of the module's variables at the end; everything else of the block must be zero."""
    machine = machine_of_source(Source("Test.lf", HEAD + text))
    firmware = build_firmware(board, machine)
    outcome = run_in_simavr(board, firmware.image.elf, seconds=seconds, symbols=["lf_memory"], signal=signal)
    block = bytearray(outcome.memory["lf_memory"][firmware.block_offset :])
    return outcome, {v.name: take(block, o) for v, o in machine.layout.variables.items()} | rest_of(machine, block)


def take(block: bytearray, offset: int) -> int:
    value = int.from_bytes(block[offset : offset + 4], "little")
    block[offset : offset + 4] = bytes(4)
    return value


def rest_of(machine: Machine, block: bytearray) -> dict[str, int]:
    """Pending bits and positions, if they are not zero."""
    pending = int.from_bytes(block[machine.layout.pending_offset :][: machine.layout.pending_size], "little")
    alive = sum(1 for r in machine.layout.records for i in range(r.slots) if block[r.position_offset + i])
    return {name: value for name, value in (("pending", pending), ("alive", alive)) if value}


def test_edges_at_a_pin(uno: Board) -> None:
    """INT0, the falling edge of PD2: five of them, each received; then the program ends."""
    text = """
PROCESS Counter;
BEGIN
  PORTOUT(EICRA, 2); PORTOUT(EIMSK, 1);
  WHILE n < 5 DO SYSTEM.INT[1]?INTERRUPT; INC(n) END
END Counter;
BEGIN CREATE Counter END Test.
"""
    assert run(uno, text, "D:2:16000:4")[1] == {"n": 4, "m": 0, "alive": 1}
    assert run(uno, text, "D:2:16000:5")[1] == {"n": 5, "m": 0}
    assert run(uno, text, "D:2:16000:9")[1] == {"n": 5, "m": 0}  # masked: nobody listens any more


def test_an_overflow_of_a_timer(uno: Board) -> None:
    """Timer 0 at the processor's clock by 1024: one overflow in 16.384 ms. Idle sleeps in between, and misses none."""
    text = """
PROCESS Counter;
BEGIN
  PORTOUT(TIMSK0, 1); PORTOUT(TCCR0B, 5);
  WHILE n < 20 DO SYSTEM.INT[16]?INTERRUPT; INC(n) END;
  m := INTEGER(Clock.Now)
END Counter;
BEGIN CREATE Counter END Test.
"""
    outcome, found = run(uno, text)
    assert outcome.end == "time" and found == {"n": 20, "m": 20 * 16384 // 1000}


def test_one_that_comes_while_nobody_waits_is_remembered_once(uno: Board) -> None:
    """Three edges in 50 ms. The first is pending and masks its source. (A chip of silicon would remember one more in
    its own flag, which would come when somebody listens again; simavr looks at such flags only when they are set.)"""
    text = """
PROCESS Late;
BEGIN
  PORTOUT(EICRA, 2); PORTOUT(EIMSK, 1);
  Clock.Sleep(50);
  LOOP SYSTEM.INT[1]?INTERRUPT; INC(n) END
END Late;
BEGIN CREATE Late END Test.
"""
    assert run(uno, text, "D:2:64000:3")[1] == {"n": 1, "m": 0, "alive": 1}


def test_one_that_is_not_taken_does_not_come_for_ever(uno: Board) -> None:
    """INT0 by level: as long as the pin is low, it would interrupt again and again, and nothing else would run."""
    text = """
PROCESS Holder;
BEGIN
  PORTOUT(EICRA, 0); PORTOUT(EIMSK, 1);
  SYSTEM.INT[1]?INTERRUPT;
  n := INTEGER(PORTIN(EIMSK));
  Clock.Sleep(200);
  m := 1
END Holder;
BEGIN CREATE Holder END Test.
"""
    assert run(uno, text, "D:2:16000000:1", seconds=1.5)[1] == {"n": 0, "m": 1}


def test_in_a_select_beside_messages_and_time(uno: Board) -> None:
    text = """
TYPE Stop = [stop];
PORT p : Stop;

PROCESS Listener;
VAR go : BOOLEAN;
BEGIN
  PORTOUT(EICRA, 2); PORTOUT(EIMSK, 1);
  go := TRUE;
  WHILE go DO
    SELECT
      WHEN SYSTEM.INT[1]?INTERRUPT THEN INC(n)
      WHEN p?stop THEN go := FALSE
      WHEN Clock.After(15) THEN INC(m)
    END
  END
END Listener;

PROCESS Stopper;
BEGIN Clock.Sleep(100); p!stop END Stopper;
BEGIN NEW(p); CREATE Listener; CREATE Stopper END Test.
"""
    # Edges at 10, 30 and 50 ms (each 10 ms low, 10 ms high): 15 ms after 10 (25), 30 (45), 50 (65), then at 80 and 95.
    found = run(uno, text, "D:2:160000:3")[1]
    assert (found["n"], found["m"], "alive" in found) == (3, 5, False)


def test_polled_with_else(uno: Board) -> None:
    """A poll listens as well: or a second interrupt would never come."""
    text = """
PROCESS Poller;
BEGIN
  PORTOUT(EICRA, 2); PORTOUT(EIMSK, 1);
  WHILE n < 3 DO
    SELECT WHEN SYSTEM.INT[1]?INTERRUPT THEN INC(n) ELSE Clock.Sleep(3) END
  END
END Poller;
BEGIN CREATE Poller END Test.
"""
    assert run(uno, text, "D:2:160000:3")[1] == {"n": 3, "m": 0}


def test_only_what_is_named_costs_flash(uno: Board) -> None:
    without = build_firmware(uno, machine_of_source(Source("Test.lf", HEAD + "BEGIN n := 1 END Test.\n")))
    text = "BEGIN PORTOUT(EIMSK, 1); SYSTEM.INT[1]?INTERRUPT END Test.\n"
    named = build_firmware(uno, machine_of_source(Source("Test.lf", HEAD + text)))
    assert read_sizes(without.image.elf).flash < read_sizes(named.image.elf).flash
    for firmware, expected in ((without, set()), (named, {"__vector_1"})):
        symbols = read_symbols(firmware.image.elf)
        own = {
            s
            for s, v in symbols.items()
            if s.startswith("__vector_") and v.address != symbols["unexpected_interrupt"].address
        }
        assert own == expected


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("BEGIN SYSTEM.INT[26]?INTERRUPT END Test.\n", "the board uno has no interrupt 26"),
        (
            "BEGIN SYSTEM.INT[11]?INTERRUPT; Clock.Sleep(5) END Test.\n",
            "interrupt 11 belongs to the port's part `tick`",
        ),
    ],
)
def test_refused(uno: Board, text: str, message: str) -> None:
    with pytest.raises(ImageError, match=re.escape(message)):
        build_firmware(uno, machine_of_source(Source("Test.lf", HEAD + text)))


MASK = re.compile(r"case (\d+): return \(struct lf_mask\)\{0x([0-9A-F]+), (\d), (?:0|0x[0-9A-F]+)\}; /\* (\w+) \*/")
# What the headers of the C library for AVR call the bits.
BITS = {
    r"INT(\d)": ("EIMSK", r"INT\1"),
    r"PCINT(\d)": ("PCICR", r"PCIE\1"),
    r"WDT": ("WDTCSR", "WDIE"),
    r"TIMER(\d)_COMP([ABC])": (r"TIMSK\1", r"OCIE\1\2"),
    r"TIMER(\d)_OVF": (r"TIMSK\1", r"TOIE\1"),
    r"TIMER(\d)_CAPT": (r"TIMSK\1", r"ICIE\1"),
    r"SPI_STC": ("SPCR", "SPIE"),
    r"USART(\d?)_RX": (r"UCSR\g<1>B", r"RXCIE\1"),
    r"USART(\d?)_UDRE": (r"UCSR\g<1>B", r"UDRIE\1"),
    r"USART(\d?)_TX": (r"UCSR\g<1>B", r"TXCIE\1"),
    r"ADC": ("ADCSRA", "ADIE"),
    r"EE_READY": ("EECR", "EERIE"),
    r"ANALOG_COMP": ("ACSR", "ACIE"),
    r"TWI": ("TWCR", "TWIE"),
    r"SPM_READY": ("SPMCSR", "SPMIE"),
}
BITS_OF_TINY = {
    r"INT0": ("GIMSK", "INT0"),
    r"PCINT0": ("GIMSK", "PCIE"),
    r"TIMER(\d)_COMP([AB])": ("TIMSK", r"OCIE\1\2"),
    r"TIMER(\d)_OVF": ("TIMSK", r"TOIE\1"),
    r"WDT": ("WDTCR", "WDIE"),
    r"ADC": ("ADCSRA", "ADIE"),
    r"EE_RDY": ("EECR", "EERIE"),
    r"ANA_COMP": ("ACSR", "ACIE"),
    r"USI_START": ("USICR", "USISIE"),
    r"USI_OVF": ("USICR", "USIOIE"),
}


@pytest.mark.parametrize("chip", ["atmega328p", "atmega2560", "attiny85"])
def test_masks_are_those_of_the_c_library(chip: str, tmp_path: Path) -> None:
    source = (runtime_folder() / "ports" / "avr" / "masks.h").read_text()
    part = re.split(r"#(?:el)?if defined\(LF_CHIP_\w+\)|#endif\n    \}", source)
    table = MASK.findall(
        next(p for p, name in zip(part[1:], re.findall(r"LF_CHIP_(\w+)\)", source), strict=False) if name == chip)
    )
    assert [int(number) for number, *_ in table] == list(INTERRUPTS[chip])
    bits = BITS_OF_TINY if chip == "attiny85" else BITS
    lines = ["#include <avr/io.h>"]
    for number, address, bit, name in table:
        pattern, (register, flag) = next((p, b) for p, b in bits.items() if re.fullmatch(p, name))
        register, flag = (re.sub(pattern, text, name) for text in (register, flag))
        if name.startswith("USART_"):
            register, flag = register.replace("UCSRB", "UCSR0B"), flag + "0"
        lines.append(f'_Static_assert({name}_vect_num == {number} && {flag} == {bit}, "{name}");')
        lines.append(f"const unsigned {name}_is[] = {{_SFR_ADDR({register}), 0x{address}}};")
    (tmp_path / "masks.c").write_text("\n".join(lines) + "\n")
    command = ["avr-gcc", f"-mmcu={chip}", "-E", "-P", "masks.c"]
    text = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True).stdout
    pairs = re.findall(r"const unsigned (\w+)_is\[\] = \{(.*), (0x\w+)\};", text)
    assert len(pairs) == len(table)
    for name, register_address, ours in pairs:
        digits = re.findall(r"0[xX][0-9A-Fa-f]+", register_address.replace("uint8_t", "").replace("uint16_t", ""))
        assert sum(int(d, 16) for d in digits) == int(ours, 16), name
    subprocess.run(["avr-gcc", f"-mmcu={chip}", "-fsyntax-only", "masks.c"], cwd=tmp_path, check=True)
