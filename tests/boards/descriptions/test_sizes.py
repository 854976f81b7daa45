"""Flash, RAM and cycles of ping-pong and blink, to the byte, and the bars that they must stay under."""

from __future__ import annotations

from dataclasses import replace

from bench.boards import (
    BLINK,
    FORMS,
    FREERTOS_CYCLES,
    FREERTOS_FLASH,
    FREERTOS_RAM,
    PINGPONG,
    bytes_of_a_process,
    compiled,
    cycles_of_a_communication,
    cycles_of_a_round_trip,
    footprint,
    instructions_of_a_round_trip,
    report,
)
from bench.boards import (
    RING as BENCH_RING,
)
from lfc.actions.layout.fields import block_fields
from lfc.boards.descriptions.board import Board, load_board
from lfc.boards.emulators.emulate import emulate
from lfc.image.firmware import build_firmware
from tests.conftest import ROOT, Golden


def test_ping_pong(uno: Board) -> None:
    """Wherever NEW stands, and over an array of ports."""
    for form, cycles in (("ping-pong", 180), ("NEW behind others", 180), ("an array of ports", 1.3 * 180)):
        machine = compiled(FORMS[form])
        firmware = build_firmware(uno, machine)
        size = footprint(firmware)
        assert size.flash <= 600 < FREERTOS_FLASH
        assert size.ram <= 14 < FREERTOS_RAM
        assert cycles_of_a_round_trip(uno, machine, firmware) <= cycles < FREERTOS_CYCLES


def test_ping_pong_on_cortex_m() -> None:
    machine = compiled(PINGPONG)
    board = load_board("lm3s6965evb")
    firmware = build_firmware(board, machine)
    assert footprint(firmware).flash <= 1000
    assert instructions_of_a_round_trip(board, machine, firmware) <= 140
    assert footprint(build_firmware(load_board("pico"), machine)).flash <= 1200
    board = load_board("microbit")
    assert cycles_of_a_round_trip(board, machine, build_firmware(board, machine)) < 220


def test_ping_pong_on_an_emulated_pico() -> None:
    board, machine = load_board("pico"), compiled(PINGPONG)
    firmware = build_firmware(board, machine)
    at = next(f.offset for f in block_fields(machine.layout) if (f.owner, f.name) == ("PingPong.Pong[0]", "n"))

    def after(seconds: float) -> tuple[int, int]:
        outcome = emulate(board, firmware.image.elf, "rp2040js", seconds=seconds, symbols=["lf_memory"])
        assert outcome.cycles is not None
        return outcome.memory["lf_memory"][firmware.block_offset + at], outcome.cycles

    (first, from_cycle), (last, to_cycle) = after(0.001), after(0.0012)
    assert (to_cycle - from_cycle) / ((last - first) % 256) <= 200


def test_ping_pong_on_a_small_risc_v() -> None:
    board, machine = load_board("ch32v003evt"), compiled(PINGPONG)
    firmware = build_firmware(board, machine)
    size = footprint(firmware)
    assert size.flash < 600 and size.ram < 64
    assert cycles_of_a_round_trip(board, machine, firmware) < 220


def test_blink(uno: Board) -> None:
    assert footprint(build_firmware(uno, compiled(BLINK.read_text(encoding="utf-8")))).flash < 1000


def test_a_process_costs_little(uno: Board) -> None:
    assert 1 <= bytes_of_a_process(uno) <= 4


def test_all_figures(golden: Golden) -> None:
    """What `python -m bench.boards` prints."""
    golden(ROOT / "tests" / "golden" / "sizes.txt", report())


def test_made_for_size() -> None:
    """Never larger, and what was made does what the program does: the sieve has loops and divisions."""
    sieve = compiled((ROOT / "examples" / "sieve.lf").read_text(encoding="utf-8"))
    for name, bar in (("uno", 4500), ("microbit", 3500)):
        board = load_board(name)
        small = replace(board, optimise="size")
        for machine in (sieve, compiled(PINGPONG), compiled(FORMS["an array of ports"])):
            assert footprint(build_firmware(small, machine)).flash <= footprint(build_firmware(board, machine)).flash
        assert footprint(build_firmware(small, sieve)).flash < bar


RING = """MODULE Ring;
CONST N = {n};
TYPE Ball = [ball(UINT8)];
VAR i : UINT8;
PORT c : ARRAY N OF Ball;

PROCESS Node(in, out : Ball);
VAR n : UINT8; PORT spare : Ball;
BEGIN
  NEW(spare);
  LOOP in?ball(n); IF n = 7 THEN spare!ball(n) END; out!ball(n) END
END Node;

PROCESS Start(out : Ball);
BEGIN
  out!ball(0)
END Start;

BEGIN
  FOR i := 0 TO N - 1 DO NEW(c[i]) END;
  FOR i := 0 TO N - 1 DO CREATE Node(c[i], c[(i + 1) MOD N]) END;
  CREATE Start(c[0])
END Ring.
"""


def test_what_new_looks_through_is_a_loop() -> None:
    """Of each process, with its element of an array of ports, 8 bytes: other displacements, but no code of its own."""
    for name in ("mega2560", "microbit"):
        board = load_board(name)
        few, many = (footprint(build_firmware(board, compiled(RING.format(n=n)))).flash for n in (4, 32))
        assert many - few <= 8 * (32 - 4)


def test_a_communication_takes_as_long_among_many() -> None:
    board = load_board("mega2560")

    def cycles(processes: int) -> float:
        ring = compiled(BENCH_RING.format(n=processes))
        return cycles_of_a_communication(board, ring, build_firmware(board, ring))

    few, many = cycles(8), cycles(100)
    assert many < 250 and many < 1.3 * few
