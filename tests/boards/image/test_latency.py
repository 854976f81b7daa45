"""The longest pass of an AVR's kernel, in cycles: no run takes longer, and it is near where that is known."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.boards import PINGPONG, compiled
from lfc.actions.model.machine import Machine
from lfc.boards.descriptions.board import Board, load_board
from lfc.boards.emulators.simavr import run_in_simavr
from lfc.image.firmware import Firmware, build_firmware
from lfc.image.latency import Latency, compute_latency
from lfc.isa.avr.byte_sets import ANY, CARRY, ZERO, members, only, outcomes, set_of, word_outcomes
from tests.conftest import ROOT
from tests.differential.stepwise import machine_of

TICK = 60  # cycles of the routine that counts milliseconds, which may fall into a pass


def computed(board: Board, machine: Machine, scheduler: str = "rr") -> tuple[Firmware, Latency]:
    firmware = build_firmware(board, machine, scheduler)
    return firmware, compute_latency(board, firmware.image.elf, machine, firmware.generated.policies, scheduler)


def measured(board: Board, firmware: Firmware) -> int:
    outcome = run_in_simavr(board, firmware.image.elf, seconds=1, passes_at="lf_step")
    assert outcome.longest_pass
    return outcome.longest_pass


@pytest.mark.parametrize("name", ["uno", "mega2560"])
def test_ping_pong_and_blink_are_near(name: str) -> None:
    board = load_board(name)
    for machine in (compiled(PINGPONG), machine_of(ROOT / "examples" / "blink.lf")):
        firmware, latency = computed(board, machine)
        taken = measured(board, firmware)
        assert latency.longest_pass is not None and not latency.loops
        assert taken - TICK <= latency.longest_pass <= 2 * taken


@pytest.mark.parametrize("example", ["traffic", "gpio_blink"])
def test_no_run_takes_longer(uno: Board, example: str) -> None:
    firmware, latency = computed(uno, machine_of(ROOT / "examples" / f"{example}.lf"))
    assert latency.longest_pass is not None
    assert measured(uno, firmware) <= latency.longest_pass + TICK


LOOP = """MODULE Loop;
PROCESS P;
VAR i, n : UINT8;
BEGIN
  LOOP
    FOR i := 1 TO {rounds} DO n := PORTIN(30) DIV 2 END;
    RESCHEDULE
  END
END P;
BEGIN CREATE P END Loop.
"""


def test_a_loop_with_a_constant_bound_counts_as_often(uno: Board) -> None:
    few, many = (computed(uno, compiled(LOOP.format(rounds=n)))[1].longest_pass for n in (20, 120))
    assert few is not None and many is not None and many - few >= 100 * 5
    firmware, latency = computed(uno, compiled(LOOP.format(rounds=120)))
    assert latency.longest_pass is not None and measured(uno, firmware) <= latency.longest_pass


def test_a_loop_without_a_bound_is_named(uno: Board) -> None:
    text = LOOP.replace("FOR i := 1 TO {rounds} DO", "WHILE PORTIN(31) = 0 DO")
    latency = computed(uno, compiled(text))[1]
    assert latency.longest_pass is None and latency.loops == ["line 6"]


def test_a_loop_that_writes_does_not_pass_for_one_that_waits(uno: Board) -> None:
    text = LOOP.replace("PROCESS P", "IMPORT Out;\nPROCESS P").replace("FOR i := 1 TO {rounds} DO", "WHILE n < 200 DO")
    text = text.replace("n := PORTIN(30) DIV 2", 'n := PORTIN(30); Out.Char("x")')
    latency = computed(uno, compiled(text))[1]
    assert latency.longest_pass is None and latency.loops


def test_interrupt_to_process(uno: Board) -> None:
    """At least the action that runs, the delivery and its own; no bound with deadlines."""
    machine = machine_of(ROOT / "examples" / "traffic.lf")
    _, latency = computed(uno, machine)
    (interrupt,) = latency.interrupts
    assert latency.longest_pass is not None and latency.masked is not None
    assert interrupt.routine is not None and interrupt.to_process is not None
    assert interrupt.to_process > 3 * latency.longest_pass + interrupt.routine
    assert 0 < latency.masked < 30


def with_c(board: Board, folder: Path, machine: Machine, source: str) -> Latency:
    (folder / "more.c").write_text(source)
    firmware = build_firmware(board, machine, c_files=[str(folder / "more.c")])
    made = firmware.generated.policies
    return compute_latency(board, firmware.image.elf, machine, made, "rr", firmware.c_routines)


ROUTINE = """#include <stdint.h>
__attribute__((signal)) void __vector_%d(void);
void __vector_%d(void) { *(volatile uint8_t *)0x3E = 1; }
"""


@pytest.mark.parametrize("more", ["", '__attribute__((alias("__vector_21"))) void __vector_22(void);\n'])
def test_nobody_knows_how_often_a_routine_in_c_runs(uno: Board, tmp_path: Path, more: str) -> None:
    """Not even that of the console's receiver, which the program does not use. Two vectors may lead to one routine."""
    machine = machine_of(ROOT / "examples" / "traffic.lf")
    for number in (21, 18):
        source = ROUTINE.replace("%d", str(number)) + more.replace("21", str(number))
        (interrupt,) = with_c(uno, tmp_path, machine, source).interrupts
        assert interrupt.to_process is None and interrupt.routine is not None
        assert interrupt.because == f"it is unknown how often interrupt {number} occurs, whose routine is in C"
    (interrupt,) = with_c(uno, tmp_path, machine, "int nothing_here;\n").interrupts
    assert interrupt.to_process is not None and interrupt.because == ""


def test_what_is_polled_for_ends_only_if_it_comes_by_itself(uno: Board) -> None:
    """The transmitter is ready again in time; a byte may never be received, and a zero never be sent."""
    for bit, ends in ((5, True), (7, False), (6, False)):
        text = LOOP.replace("FOR i := 1 TO {rounds} DO n := PORTIN(30) DIV 2 END", "WHILE {wait} DO END")
        machine = compiled(
            text.format(wait=f"~({bit} IN SYSTEM.VAL(SET8, PORTIN(0C0H)))").replace("PROCESS", IMPORT, 1)
        )
        latency = computed(uno, machine)[1]
        assert (latency.longest_pass is not None) == ends, bit


IMPORT = "IMPORT SYSTEM;\nPROCESS"
CALLS_C = """MODULE Calls;
IMPORT SYSTEM;
PROCESS Section EXTERNAL;
PROCESS P;
BEGIN
  LOOP SYSTEM.INT[1]?INTERRUPT; Section END
END P;
BEGIN CREATE P END Calls.
"""
SECTION = """#include <stdint.h>
#define STATUS (*(volatile uint8_t *)0x5F)
#define WORK *(volatile uint8_t *)0x3E = 1;
#define WORK_10 WORK WORK WORK WORK WORK WORK WORK WORK WORK WORK
void Calls_Section(void)
{
    uint8_t outer = STATUS;
    STATUS = outer & 0x7F;
    WORK_10
    uint8_t inner = STATUS;
    STATUS = inner & 0x7F;
    WORK_10
    STATUS = inner;
    %s
    STATUS = outer;
}
"""


def test_interrupts_are_off_up_to_the_end_of_the_outer_section(uno: Board, tmp_path: Path) -> None:
    machine = compiled(CALLS_C)
    few, many = (with_c(uno, tmp_path, machine, SECTION % work).masked for work in ("", "WORK_10 WORK_10"))
    assert few is not None and many is not None and few > 20 and many == few + 20


def test_interrupts_that_stay_off(uno: Board, tmp_path: Path) -> None:
    source = SECTION.replace("STATUS = outer;\n", "\n").replace("STATUS = inner;\n", "\n") % ""
    latency = with_c(uno, tmp_path, compiled(CALLS_C), source)
    (interrupt,) = latency.interrupts
    assert latency.masked is None and interrupt.to_process is None
    assert interrupt.because.startswith("interrupts may stay off in ")


def test_arithmetic_of_sets() -> None:
    """Against arithmetic on numbers, with the flags of the data sheet for those that loops end by."""
    made = outcomes("sub", set_of([0, 1, 2]), only(1), 0, 0)
    assert made is not None
    by_flags = {flags & (CARRY | ZERO): (members(a), members(r)) for flags, a, _, r in made}
    assert by_flags == {CARRY: ((0,), (255,)), ZERO: ((1,), (0,)), 0: ((2,), (1,))}
    chained = outcomes("sbc", only(5), only(4), 1, 0)
    assert chained is not None and not chained[0][0] & ZERO and members(chained[0][3]) == (0,)
    assert outcomes("add", ANY, ANY, 0, 0) is None
    word = word_outcomes(only(0xFF), only(0), 1)
    assert word is not None and (members(word[0][2]), members(word[0][3])) == ((0,), (1,))
