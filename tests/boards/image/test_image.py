"""The way from LLVM IR to an image: what is in it, what is not, and what is refused."""

from __future__ import annotations

import re
from dataclasses import replace
from io import StringIO
from pathlib import Path

import pytest
from intelhex import IntelHex
from llvmlite import ir

from lfc.base.source import Source
from lfc.boards.descriptions.board import Board, load_board, load_board_file
from lfc.boards.emulators.simavr import flash_content
from lfc.image.firmware import build_firmware
from lfc.link.link import link_image, target_machine
from lfc.link.merge import merge_modules
from lfc.link.port import build_port
from lfc.toolchain.elf import read_sizes, read_symbol, read_symbols
from lfc.toolchain.failure import ImageError
from lfc.toolchain.run_tools import compile_c
from tests.boards.conftest import BuildC
from tests.boards.ports.c_programs import HALT
from tests.differential.stepwise import machine_of_source

TALK = 'void lf_main(void) { write_text("hello"); lf_port_halt(); }'
LISTEN = "void lf_main(void) { while (lf_port_console_read() < 0) lf_port_idle(); lf_port_halt(); }"


def test_only_what_is_used_is_linked(uno: Board, build_c: BuildC) -> None:
    silent = link_image(uno, [HALT])
    symbols = read_symbols(silent.elf)
    assert not {"lf_port_woken", "__do_clear_bss", "__do_copy_data", "memcpy"} & symbols.keys()
    for routine in ("__vector_11", "__vector_18", "__vector_19"):
        assert symbols[routine].address == symbols["unexpected_interrupt"].address
    sizes = read_sizes(silent.elf)
    assert (sizes.flash, sizes.ram) == (160, 0)  # 104 of them are the vectors
    symbols = read_symbols(build_c(TALK).elf)
    assert {"__do_copy_data", "__do_clear_bss"} <= symbols.keys() and "lf_port_woken" not in symbols
    assert symbols["__vector_18"].address == symbols["unexpected_interrupt"].address
    assert symbols["__vector_19"].address != symbols["unexpected_interrupt"].address  # it sends
    symbols = read_symbols(build_c(LISTEN).elf)
    assert {"lf_port_woken", "__do_clear_bss"} <= symbols.keys() and "__do_copy_data" not in symbols
    assert symbols["__vector_11"].address == symbols["unexpected_interrupt"].address
    assert symbols["__vector_18"].address != symbols["unexpected_interrupt"].address


def test_the_same_input_gives_the_same_bytes(uno: Board, build_c: BuildC) -> None:
    first, second = build_c(TALK), build_c(TALK)
    assert (first.elf, first.hex_text(), first.map) == (second.elf, second.hex_text(), second.map)
    assert not re.search(rb"/\w+/\w+", first.elf)  # no path of this machine


def test_hex_holds_what_the_elf_holds(build_c: BuildC) -> None:
    image = build_c(TALK)
    text = image.hex_text()
    read = IntelHex(StringIO(text))
    assert bytes(read.tobinarray(start=0, size=len(flash_content(image.elf)))) == flash_content(image.elf)
    assert text.endswith(":00000001FF\n")


def test_sizes_and_symbols(build_c: BuildC) -> None:
    image = build_c(
        "uint8_t lf_memory[12] = {7}; static uint8_t cleared[100];"
        "void lf_main(void) { for (uint8_t i = 0; i < 100; i++) { cleared[i] = lf_memory[i % 12]; }"
        " lf_port_out8(0x25, cleared[lf_port_in8(0x23)]); lf_port_halt(); }",
        ["lf_memory"],
    )
    memory = read_symbol(image.elf, "lf_memory")
    assert (memory.size, memory.in_data, memory.target_address) == (12, True, 0x100)
    assert read_sizes(image.elf).ram == 112


def test_functions_of_the_port_are_inlined(build_c: BuildC) -> None:
    image = build_c("void lf_main(void) { lf_port_out8(0x25, 1); lf_port_out16(0x88, 0x1234); lf_port_halt(); }")
    assert "lf_port_out8" not in read_symbols(image.elf)


def test_a_program_behind_a_boot_loader(tmp_path: Path) -> None:
    """Wherever it begins: the linker's headers do not come before it."""
    (tmp_path / "behind.toml").write_text(
        'inherits = "bluepill"\n[memory]\nflash = { start = 0x0800_2000, size = 57_344 }\n'
    )
    board = load_board_file(tmp_path / "behind.toml")
    image = build_firmware(board, machine_of_source(Source("T.lf", "MODULE T; END T."))).image
    assert min(image.flash) == 0x0800_2000


@pytest.mark.parametrize("name", ["uno", "microbit", "stm32vldiscovery", "netduinoplus2", "pico", "lm3s6965evb"])
def test_c_is_inlined_into_what_is_generated(name: str, tmp_path: Path) -> None:
    """What the C compiler says of its own functions on a target does not keep them apart from those of the program."""
    board = load_board(name)
    called = (
        "define void @lf_main() {\n  call void @quick()\n  call void @lf_port_halt()\n  ret void\n}\n"
        "declare void @quick()\ndeclare void @lf_port_halt()\n"
    )
    text = "void quick(void);\nvoid quick(void) { *(volatile char *)64 = 1; }\n"
    source = tmp_path / "quick.c"
    source.write_text(text)
    kernel = compile_c(board, source)
    merged = merge_modules([called, kernel], build_port(board), [], target_machine(board))
    main = merged.get_function("lf_main")
    assert not [i for b in main.blocks for i in b.instructions if i.opcode == "call" and "@quick" in str(i)]


def test_floating_point_in_c_stays_soft() -> None:
    """Also where the processor has a unit for it, which is off."""
    for name in ("netduinoplus2", "microbit", "stm32vldiscovery"):
        board = load_board(name)
        text = (
            "define float @f(float %x) #0 {\n  %y = fadd float %x, %x\n  ret float %y\n}\n"
            'attributes #0 = { nounwind "use-soft-float"="true" }\n'
        )
        machine = target_machine(board)
        merged = merge_modules([HALT, text], build_port(board), ["f"], machine)
        assert "use-soft-float" not in str(merged)
        assembly = machine.emit_assembly(merged)
        assert "__aeabi_fadd" in assembly and "vadd" not in assembly


def test_a_module_from_the_builder_of_llvmlite(uno: Board) -> None:
    module = ir.Module("program")
    nothing = ir.FunctionType(ir.VoidType(), [])
    halt = ir.Function(module, nothing, "lf_port_halt")
    main = ir.Function(module, nothing, "lf_main")
    builder = ir.IRBuilder(main.append_basic_block())
    builder.call(halt, [])
    builder.unreachable()
    assert link_image(uno, [module]).flash == link_image(uno, [HALT.replace("ret void", "unreachable")]).flash


def test_constants_of_the_flash_stay_there(build_c: BuildC) -> None:
    image = build_c(
        "static const __flash uint8_t table[200] = {[0 ... 198] = 77, 78};"
        "void lf_main(void) { lf_port_out8(0x25, table[lf_port_in8(0x23)]); lf_port_halt(); }"
    )
    assert read_sizes(image.elf).ram == 0
    assert bytes([77] * 199 + [78]) in flash_content(image.elf)


@pytest.mark.parametrize(
    ("source", "message", "detail"),
    [
        ('target datalayout = "e-p:32:32"\n' + HALT, "another machine", "its layout is e-p:32:32"),
        ("define void @lf_main() {\n  ret i8 0\n}\n", "LLVM IR is wrong", "value doesn't match function result type"),
        ("define void @other() {\n  ret void\n}\n", "cannot be linked", "undefined symbol: lf_main"),
        (HALT + "define void @lf_port_start() {\n  ret void\n}\n", "do not fit together", "lf_port_start"),
        (HALT.replace("call void @lf_port_halt()", 'call void asm sideeffect "sei", ""()'), "inline assembler", ""),
        ('module asm "nop"\n' + HALT, "inline assembler", ""),
    ],
)
def test_programs_that_are_refused(uno: Board, source: str, message: str, detail: str) -> None:
    with pytest.raises(ImageError) as caught:
        link_image(uno, [source])
    assert message in caught.value.message
    assert detail in caught.value.detail


def test_a_string_that_speaks_of_assembler_is_none(uno: Board) -> None:
    text = 'c"call asm sideeffect \\22sei\\22, \\22\\22()"'
    link_image(uno, [f"@text = constant [31 x i8] {text}\n" + HALT], ["text"])


def test_more_than_fits(uno: Board, build_c: BuildC) -> None:
    with pytest.raises(ImageError) as caught:
        build_c("uint8_t lf_memory[2049]; void lf_main(void) { lf_port_halt(); }", ["lf_memory"])
    assert "region 'ram': overflowed by 1 bytes" in caught.value.detail
    small = replace(uno, flash=replace(uno.flash, size=128, reserved_at_end=0))
    with pytest.raises(ImageError, match="region 'flash'"):
        link_image(small, [HALT])
