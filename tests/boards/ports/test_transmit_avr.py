"""What an AVR sends by interrupt: nobody waits for the line, nothing is lost, and the order stays."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from bench.boards import compiled
from lfc.boards.descriptions.board import Board, load_board, without_transmit_buffer
from lfc.boards.emulators.builtin import run_builtin
from lfc.boards.emulators.emulate import emulate
from lfc.boards.emulators.simavr import run_in_simavr
from lfc.image.firmware import build_firmware
from lfc.image.latency import compute_latency
from lfc.link.fault_options import FaultOptions
from lfc.mcheck.engine.abi import ImageErrorKind as Kind
from lfc.mcheck.image.report import Places, message_of
from lfc.toolchain.elf import read_sizes, read_symbols
from tests.boards.conftest import BuildC
from tests.boards.ports.c_programs import both
from tests.mcheck.image.changed import with_word
from tests.mcheck.image.images import built

LETTERS = "".join(chr(65 + n % 26) for n in range(200))
BYTE = 1360  # cycles of one on the line, at the rate that the USART makes of 115,200

PRINTS = """MODULE Prints;
IMPORT Clock, Out;
{more}
PROCESS P;
VAR i : UINT8;
BEGIN
  LOOP {loop}; Clock.Sleep(100) END
END P;
BEGIN CREATE P END Prints.
"""
BY_CHARACTER = PRINTS.format(more="", loop="FOR i := 1 TO 40 DO Out.Char('x'); RESCHEDULE END")
AT_ONCE = PRINTS.format(more="", loop='Out.String("0123456789012345678901234567890123456789")')
SILENT = PRINTS.format(more="", loop="INC(i)").replace(", Out", "")


def longest_pass(board: Board, text: str) -> int:
    firmware = build_firmware(board, compiled(text))
    taken = run_in_simavr(board, firmware.image.elf, seconds=0.5, passes_at="lf_step").longest_pass
    assert taken
    return taken


def test_nobody_waits_for_the_line(uno: Board) -> None:
    """The figures of docs/reference/boards.md: with the tick, whose routine may fall into a pass."""
    assert longest_pass(uno, BY_CHARACTER) <= 200
    assert longest_pass(without_transmit_buffer(uno), BY_CHARACTER) > BYTE
    assert longest_pass(uno, AT_ONCE) <= 40 * 65
    assert longest_pass(without_transmit_buffer(uno), AT_ONCE) > 38 * BYTE


def test_who_prints_nothing_pays_nothing(uno: Board) -> None:
    with_buffer, without = (
        build_firmware(b, compiled(SILENT)).image.flash for b in (uno, without_transmit_buffer(uno))
    )
    assert with_buffer == without


def test_what_it_costs_who_prints(uno: Board) -> None:
    sizes = [
        read_sizes(build_firmware(b, compiled(BY_CHARACTER)).image.elf) for b in (uno, without_transmit_buffer(uno))
    ]
    assert sizes[0].flash - sizes[1].flash <= 170
    assert sizes[0].ram - sizes[1].ram == 66  # 64 bytes, and two places in them


@pytest.mark.parametrize("size", [0, 2, 16, 128])
def test_more_than_the_buffer_holds_comes_in_order(uno: Board, build_c_for: BuildC, size: int) -> None:
    board = replace(uno, console=replace(uno.console, transmit_buffer=size))
    image = build_c_for(board, f'void lf_main(void) {{ write_text("{LETTERS}"); lf_port_halt(); }}')
    for run in (run_in_simavr, run_builtin):
        outcome = run(board, image.elf, seconds=1)
        assert (outcome.end, outcome.console) == ("halted", LETTERS.encode())


@both
def test_what_is_in_the_buffer_is_sent_before_a_stop(uno: Board, build_c: BuildC, emulator: str) -> None:
    image = build_c(f'void lf_main(void) {{ write_text("{LETTERS[:50]}"); lf_port_halt(); }}')
    outcome = emulate(uno, image.elf, emulator, seconds=2)
    assert (outcome.end, outcome.console) == ("halted", LETTERS[:50].encode())


@pytest.mark.parametrize("texts", [False, True])
def test_a_fault_is_told_behind_it(uno: Board, texts: bool) -> None:
    machine = compiled('MODULE M;\nIMPORT Out;\nVAR n : UINT8;\nBEGIN\n  Out.String("before"); ASSERT(n = 1)\nEND M.\n')
    told = b"before\n!fault 00000006 00000001 00000000 00000000\n" + (b"Bench.lf:5:25: assertion failed\n" * texts)
    image = build_firmware(uno, machine, faults=FaultOptions(texts=texts)).image
    for run in (run_in_simavr, run_builtin):
        outcome = run(uno, image.elf, seconds=1)
        assert (outcome.end, outcome.console) == ("halted", told)


def test_after_a_reset_by_a_fault_all_of_it_came(uno: Board) -> None:
    machine = compiled('MODULE M;\nIMPORT Out;\nVAR n : UINT8;\nBEGIN\n  Out.String("before"); ASSERT(n = 1)\nEND M.\n')
    image = build_firmware(uno, machine, faults=FaultOptions(resets=True)).image
    told = run_in_simavr(uno, image.elf, seconds=0.1).console
    again = b"before\n!fault 00000006 00000001 00000000 00000000\n"
    assert told.startswith(2 * again)


@pytest.mark.parametrize("name", ["uno", "mega2560"])
def test_no_pass_takes_longer_than_is_told(name: str) -> None:
    board, machine = load_board(name), compiled(BY_CHARACTER)
    firmware = build_firmware(board, machine)
    latency = compute_latency(board, firmware.image.elf, machine, firmware.generated.policies, "rr")
    assert latency.longest_pass is not None and not latency.loops
    assert longest_pass(board, BY_CHARACTER) <= latency.longest_pass <= 2 * BYTE


def test_a_traced_image_waits_for_each_byte(uno: Board) -> None:
    firmware = build_firmware(uno, compiled(BY_CHARACTER), trace=True)
    assert "lf_console_out" not in read_symbols(firmware.image.elf)


WITHOUT = (  # of lf_port_console_queue: an instruction that becomes NOP, and what the check then finds
    (0x8380, Kind.HIDDEN, "a pass depends on"),  # ST Z, r24: where the byte does not go depends on the count before
    (0x9593, Kind.ENDLESS, "does not terminate"),  # INC r25: the buffer is always full
    (0x6280, Kind.BAD_DEVICE, "nothing instead of the transmitter's interrupt on"),  # ORI r24, 20H
)


@pytest.mark.parametrize(("word", "kind", "told"), WITHOUT)
def test_the_image_check_sees_what_is_wrong_with_a_byte(tmp_path: Path, word: int, kind: Kind, told: str) -> None:
    file = tmp_path / "Prints.lf"
    file.write_text(BY_CHARACTER)
    with built(file, "uno") as b:
        assert not b.check().mismatches
        queue = read_symbols(b.firmware.image.elf)["lf_port_console_queue"]
        places = range(queue.address, queue.address + queue.size, 2)
        (at,) = (p for p in places if int.from_bytes(b.flash[p : p + 2], "little") == word)
        found = b.check(with_word(b.flash, at, 0)).mismatches
        assert {m.kind for m in found} == {kind}
        assert told in message_of(Places(b.image(b.flash)), found[0])
