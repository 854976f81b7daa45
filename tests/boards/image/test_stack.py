"""The deepest stack of an image: above what a run takes, and not far above; exact where it is known by hand."""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO
from pathlib import Path

import pytest
from elftools.elf.elffile import ELFFile

from lfc.boards.descriptions.board import Board, Ram
from lfc.boards.emulators.emulate import emulate
from lfc.boards.emulators.quiet import positions_of
from lfc.image.firmware import build_firmware
from lfc.image.stack import compute_stack
from lfc.isa.thumb.code import Does, decode
from lfc.isa.thumb.flow import ThumbCode, follow_thumb
from lfc.toolchain.elf import Symbol, read_sizes
from lfc.toolchain.failure import ImageError
from lfc.toolchain.run_tools import assemble
from tests.boards.conftest import BuildC
from tests.boards.cortexm import emulated
from tests.conftest import ROOT
from tests.differential.stepwise import machine_of

# What a run does not take: the way to a fault, which writes a line, and an interrupt at the deepest point.
MOST_BETWEEN, MOST_BETWEEN_CORTEX_M = 40, 64
EMULATED = ["microbit", "stm32vldiscovery", "netduinoplus2", "lm3s6965evb"]


@pytest.mark.parametrize("example", ["calls", "mutex", "sieve", "clockdemo", "hanoi"])
def test_a_run_stays_below(uno: Board, example: str) -> None:
    firmware = build_firmware(uno, machine_of(ROOT / "examples" / f"{example}.lf"))
    stack = firmware.stack
    assert not stack.indirect and not stack.unbounded
    taken = emulate(uno, firmware.image.elf, "simavr", seconds=0.5).stack
    assert taken is not None and taken <= stack.total <= taken + MOST_BETWEEN + stack.interrupts


@pytest.mark.parametrize("name", EMULATED)
@pytest.mark.parametrize("example", ["calls", "sieve", "clockdemo"])
def test_a_run_on_cortex_m_stays_below(name: str, example: str) -> None:
    board, machine = emulated(name), machine_of(ROOT / "examples" / f"{example}.lf")
    firmware = build_firmware(board, machine)
    stack = firmware.stack
    assert not stack.indirect and not stack.unbounded and not stack.unknown
    quiet = positions_of(machine, firmware.block_offset)
    taken = emulate(board, firmware.image.elf, "qemu", seconds=10, quiet=quiet).stack
    assert taken is not None and taken <= stack.total <= taken + MOST_BETWEEN_CORTEX_M + stack.interrupts


FRAMES = """
__attribute__((noinline)) void fill(volatile uint8_t *at, unsigned n) { for (; n; n--) at[n - 1] = (uint8_t)n; }
__attribute__((noinline)) void inner(void) { volatile uint8_t a[1500]; fill(a, 1500); }
__attribute__((noinline)) void outer(void) { volatile uint8_t a[700]; fill(a, 700); inner(); }
void lf_main(void) { outer(); lf_port_halt(); }
"""


@pytest.mark.parametrize("name", ["microbit", "lm3s6965evb"])
def test_large_frames_on_cortex_m_are_counted_to_the_word(name: str, build_c_for: BuildC) -> None:
    """A Cortex-M0 adds a loaded constant to the stack pointer for them, the others subtract one."""
    board = emulated(name)
    image = build_c_for(board, FRAMES, ["outer", "inner", "fill"])
    stack = compute_stack(image.elf, False, {})
    taken = emulate(board, image.elf, "qemu", seconds=10).stack
    assert taken is not None and taken <= stack.main <= taken + 4  # the last word may be there for the alignment only
    assert stack.main >= 2200 and stack.chain[-2:] == ["outer", "inner"] and not stack.unknown


def test_jumps_by_tables_are_followed(build_c_for: BuildC) -> None:
    """Only one of the cases calls what needs the stack."""
    cases = "".join(f"case {n}: lf_port_out8({0x20000800 + n}, n); break;" for n in range(9))
    source = (
        "__attribute__((noinline)) void deep(void) { volatile uint8_t a[400]; for (int i = 0; i < 400; i++) a[i] = 1; }"
        "__attribute__((noinline)) void choose(uint8_t n) { switch (n) {"
        f"{cases} case 9: deep(); break; case 10: lf_port_milliseconds(); break; }} }}"
        "void lf_main(void) { choose(lf_port_in8(0x20000800)); lf_port_halt(); }"
    )
    for name in EMULATED:
        board = emulated(name)
        stack = compute_stack(build_c_for(board, source, ["choose", "deep"]).elf, False, {})
        assert 400 <= stack.main < 450 and not stack.indirect


ASSEMBLER = {  # what is assembled for a Cortex-M4, and what it does
    "push {r0-r3, lr}": (Does.GROWS_STACK, 20),
    "push.w {r4-r11, lr}": (Does.GROWS_STACK, 36),
    "str r8, [sp, #-4]!": (Does.GROWS_STACK, 4),
    "strd r0, r1, [sp, #-16]!": (Does.GROWS_STACK, 16),
    "sub sp, #508": (Does.GROWS_STACK, 508),
    "sub.w sp, sp, #1024": (Does.GROWS_STACK, 1024),
    "sub.w sp, sp, #0x00AB00AB": (Does.GROWS_STACK, 0x00AB00AB),
    "subw sp, sp, #4095": (Does.GROWS_STACK, 4095),
    "vpush {d8-d11}": (Does.GROWS_STACK, 32),
    "pop {r0-r3}": (Does.GROWS_STACK, -16),
    "pop.w {r4-r11}": (Does.GROWS_STACK, -32),
    "ldr r8, [sp], #4": (Does.GROWS_STACK, -4),
    "ldrd r0, r1, [sp], #8": (Does.GROWS_STACK, -8),
    "add sp, #16": (Does.GROWS_STACK, -16),
    "add.w sp, sp, #1024": (Does.GROWS_STACK, -1024),
    "addw sp, sp, #4001": (Does.GROWS_STACK, -4001),
    "vpop {s16-s18}": (Does.GROWS_STACK, -12),
    "sub.w sp, sp, r4": (Does.SETS_STACK, 0),
    "mov sp, r7": (Does.SETS_STACK, 0),
    "add sp, r4": (Does.ADDS_TO_STACK, 0),
    "pop {r4, pc}": (Does.RETURNS, 0),
    "pop.w {r4-r8, pc}": (Does.RETURNS, 0),
    "ldr pc, [sp], #4": (Does.RETURNS, 0),
    "bx lr": (Does.RETURNS, 0),
    "mov pc, lr": (Does.RETURNS, 0),
    "bx r3": (Does.JUMPS_SOMEWHERE, 0),
    "ldr.w pc, [r0, r1, lsl #2]": (Does.JUMPS_SOMEWHERE, 0),
    "ldmia r0!, {r1, pc}": (Does.JUMPS_SOMEWHERE, 0),
    "blx r3": (Does.CALLS_SOMETHING, 0),
    "mov pc, r5": (Does.SETS_COUNTER, 0),
    "tbb [pc, r0]": (Does.JUMPS_BY_BYTES, 0),
    "tbh [pc, r0, lsl #1]": (Does.JUMPS_BY_HALVES, 0),
    "udf #0": (Does.STOPS, 0),
    "udf.w #0": (Does.STOPS, 0),
    "b.n target": (Does.JUMPS, 0),
    "b.w target": (Does.JUMPS, 0),
    "bl target": (Does.CALLS, 0),
    "beq.n target": (Does.MAY_JUMP, 0),
    "beq.w target": (Does.MAY_JUMP, 0),
    "cbz r0, target": (Does.MAY_JUMP, 0),
    "cbnz r7, target": (Does.MAY_JUMP, 0),
    "svc #1": (Does.GOES_ON, 0),
    "dsb": (Does.GOES_ON, 0),
    "msr msp, r0": (Does.GOES_ON, 0),
    "add r0, sp, #8": (Does.GOES_ON, 0),
    "str r0, [sp, #8]": (Does.GOES_ON, 0),
    "strd r0, r1, [sp, #8]": (Does.GOES_ON, 0),
    "cmp sp, r0": (Does.GOES_ON, 0),
}


def test_instructions_of_cortex_m(tmp_path: Path) -> None:
    """Each between two places that it may go to, `target` 24 bytes on; each in a wide place of its own."""
    source = tmp_path / "all.S"
    pieces = "".join(f".balign 64\n.balign 2\n{line.replace('target', f't{n}')}\n.balign 4\n.space 20\nt{n}: nop\n"
                     for n, line in enumerate(ASSEMBLER))  # fmt: skip
    source.write_text(f".syntax unified\n.fpu fpv4-sp-d16\n.text\n.thumb\n{pieces}")
    made = assemble(emulated("netduinoplus2"), source)
    text = ELFFile(BytesIO(made)).get_section_by_name(".text")
    assert text is not None
    section = text.data()
    for n, (line, (does, amount)) in enumerate(ASSEMBLER.items()):
        i = decode(section, 64 * n)
        assert (line, i.does, i.amount) == (line, does, amount)
        if "target" in line:
            assert i.target == 64 * n + 24


def test_what_an_if_then_guards_may_not_happen() -> None:
    """`itt ne; popne {r4, pc}` in the middle of a function: it also goes on."""
    code = bytes.fromhex("10b5002818bf10bd82b002b010bd")  # push; cmp; it ne; popne; sub; add; pop
    function = Symbol("f", 0, len(code), False, "function")
    flow = follow_thumb(ThumbCode(code, 0, [function], 0), 0, lambda _: True)
    assert flow.deepest == 16 and flow.returns


def test_frames_and_calls_are_counted_to_the_byte(uno: Board, build_c: BuildC) -> None:
    """lf_main calls `outer` (2 bytes: the return address), whose array has 40; it calls `inner`, which has 100."""
    image = build_c(
        """
__attribute__((noinline)) void fill(volatile uint8_t *at, uint8_t n) { for (; n; n--) at[n - 1] = n; }
__attribute__((noinline)) void inner(void) { volatile uint8_t a[100]; fill(a, 100); }
__attribute__((noinline)) void outer(void) { volatile uint8_t a[40]; fill(a, 40); inner(); }
void lf_main(void) { outer(); lf_port_halt(); }
""",
        ["outer", "inner", "fill"],
    )
    stack = compute_stack(image.elf, False, {})
    assert emulate(uno, image.elf, "simavr").stack == stack.main
    assert stack.main >= 2 + 40 + 2 + 100 + 2
    assert stack.chain == ["__vectors", "outer", "inner", "fill"]


def test_recursion_counts_as_often_as_it_may(uno: Board, build_c: BuildC) -> None:
    image = build_c(
        """
__attribute__((noinline)) uint8_t down(uint8_t n) { return n ? (uint8_t)(down((uint8_t)(n - 1)) * n + 3) : 1; }
void lf_main(void) { lf_port_out8(0x25, down(lf_port_in8(0x2A) + 5)); lf_port_halt(); }
""",
        ["down"],
    )
    unknown = compute_stack(image.elf, False, {})
    assert unknown.unbounded == ["down"]
    known = compute_stack(image.elf, False, {"down": 6})
    assert known.unbounded == []
    taken = emulate(uno, image.elf, "simavr").stack
    assert taken is not None and unknown.main < taken <= known.main <= taken + 10


def test_calls_by_a_pointer_are_listed(uno: Board, build_c: BuildC) -> None:
    image = build_c(
        "void (*volatile lf_memory)(void); void lf_main(void) { lf_memory(); lf_port_halt(); }", ["lf_memory"]
    )
    assert compute_stack(image.elf, False, {}).indirect == ["__vectors"]


def test_parts_of_a_function_in_assembler_have_its_name(uno: Board, tmp_path: Path) -> None:
    file = tmp_path / "Fails.lf"
    file.write_text("MODULE Fails;\nVAR n : INTEGER;\nBEGIN LOOP INC(n); RESCHEDULE END END Fails.\n")
    stack = build_firmware(uno, machine_of(file)).stack
    assert stack.chain == ["__vectors", "lf_step", "lf_fault", "lf_port_fault_line"]


def test_more_ram_than_there_is_counts_the_stack() -> None:
    """The variables alone fit."""
    board, machine = emulated("microbit"), machine_of(ROOT / "examples" / "sieve.lf")
    firmware = build_firmware(board, machine)
    needed = read_sizes(firmware.image.elf).ram + firmware.stack.total
    build_firmware(replace(board, ram=Ram(board.ram.start, needed)), machine)
    with pytest.raises(ImageError) as refused:
        build_firmware(replace(board, ram=Ram(board.ram.start, needed - 1)), machine)
    assert f"it needs {needed} bytes of RAM, 1 more than" in refused.value.detail
    assert any(line.split()[-1] == "stack" for line in refused.value.detail.splitlines())


def words(*instructions: int) -> bytes:
    return b"".join(w.to_bytes(2, "little") for w in instructions)


def test_an_avr_frame_of_no_fixed_size_is_not_known() -> None:
    """`in r28, SPL; in r29, SPH`, then less a constant, or less what r24 holds; `out SPH, r29; out SPL, r28; ret`."""
    from lfc.isa.avr.flow import follow_avr

    read, write = (0xB7CD, 0xB7DE), (0xBFDE, 0xBFCD, 0x9508)
    fixed = follow_avr(words(*read, 0x2F82, 0x9728, *write), 0, lambda _: True)  # mov r24, r18; sbiw r28, 8
    assert (fixed.deepest, fixed.unknown) == (8, False)
    for changing in ((0x1BC8, 0x0BD9), (0x01EC,), (0xE0C5,)):  # sub, sbc; movw r28, r24; ldi r28, 5
        assert follow_avr(words(*read, *changing, *write), 0, lambda _: True).unknown
    assert not follow_avr(words(0xEFCF, 0xE0D8, *write), 0, lambda _: True).unknown  # start-up sets it
