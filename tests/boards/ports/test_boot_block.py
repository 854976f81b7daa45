"""The second stage of the start of an RP2040: its checksum, what it does (its very bytes, run on another chip), and the
files that a Pico is flashed with."""

from __future__ import annotations

import struct
import zlib
from io import StringIO

import pytest
from intelhex import IntelHex

from lfc.boards.descriptions.board import load_board
from lfc.boards.emulators.emulate import emulate
from lfc.link.boot_block import seal_boot_block
from lfc.link.link import Image
from lfc.toolchain.elf import read_section_place
from lfc.toolchain.failure import ImageError
from lfc.toolchain.formats import in_format
from tests.boards.conftest import BuildC
from tests.boards.cortexm import emulated

TALK = 'void lf_main(void) { write_text("hello"); lf_port_halt(); }'
FLASH, SSI, VECTOR_TABLE_REGISTER = 0x1000_0000, 0x1800_0000, 0xE000_ED08


@pytest.fixture
def image(build_c_for: BuildC) -> Image:
    return build_c_for(load_board("pico"), TALK)


def reflected(value: int, bits: int) -> int:
    return int(f"{value:0{bits}b}"[::-1], 2)


def checksum_of_the_rom(content: bytes) -> int:
    """By way of zlib's, which is the same polynomial with all bits the other way round, and turned over at the end."""
    return reflected(zlib.crc32(bytes(reflected(b, 8) for b in content)) ^ 0xFFFFFFFF, 32)


def test_the_checksum_is_the_one_that_the_rom_computes(image: Image) -> None:
    assert checksum_of_the_rom(b"123456789") == 0x0376E6E7  # as listed for this kind of CRC
    block = image.flash[FLASH][:256]
    assert struct.unpack("<I", block[252:]) == (checksum_of_the_rom(block[:252]),)


def test_what_it_writes_to_the_interface_of_the_flash(image: Image, build_c_for: BuildC) -> None:
    """Run on a micro:bit, with memory in the place of the interface; then it starts the program."""
    block = list(struct.unpack("<64I", image.flash[FLASH][:256]))
    interface, program, register = (block.index(a) for a in (SSI, FLASH + 256, VECTOR_TABLE_REGISTER))
    board = emulated("microbit")
    runner = build_c_for(
        board,
        f"""
uint32_t lf_memory[64];
uint32_t reached[2];
static void program(void)
{{
    uint8_t here;
    reached[1] = (uint32_t)&here;
    lf_port_halt();
}}
static uint32_t vectors[2] = {{0x20003000}};
static uint32_t block[64] = {{{", ".join(map(hex, block))}}};
void lf_main(void)
{{
    for (uint32_t i = 0; i < 64; i++)
        lf_memory[i] = 0xEEEEEEEE;
    vectors[1] = (uint32_t)program;
    block[{interface}] = (uint32_t)lf_memory;
    block[{program}] = (uint32_t)vectors;
    block[{register}] = (uint32_t)reached;
    reached[1] = 0;
    volatile uint32_t start = (uint32_t)block | 1;
    ((void (*)(void))start)();
    write_text("it came back");
    lf_port_halt();
}}
""",
        ["lf_memory", "reached"],
    )
    outcome = emulate(board, runner.elf, "qemu", symbols=["lf_memory", "reached"])
    assert (outcome.end, outcome.console) == ("halted", b"")
    table, stack = struct.unpack("<2I", outcome.memory["reached"])
    assert 0x2000_0000 <= table < 0x2000_4000  # the address of the vectors was written to VTOR
    assert 0x2000_2F00 <= stack < 0x2000_3000
    written = {4 * i: w for i, w in enumerate(struct.unpack("<64I", outcome.memory["lf_memory"])) if w != 0xEEEEEEEE}
    assert written == {
        0x00: 31 << 16 | 3 << 8,  # CTRLR0: frames of 32 bits, "EEPROM read"
        0x04: 0,  # CTRLR1: one frame
        0x08: 1,  # SSIENR
        0x14: 4,  # BAUDR: a quarter of the clock
        0xF4: 0x03 << 24 | 2 << 8 | 6 << 2,  # SPI_CTRLR0: read is 03H, commands have 8 bits, addresses 24
    }


def test_it_is_off_when_it_is_changed(image: Image) -> None:
    words = struct.unpack("<64I", image.flash[FLASH][:256])
    start = words.index(VECTOR_TABLE_REGISTER) + 1
    settings = [words[i : i + 2] for i in range(start, start + 12, 2)]
    assert settings[0] == (0x08, 0) and settings[-1] == (0x08, 1)  # SSIENR first 0, last 1


def test_the_files_of_a_pico(image: Image) -> None:
    board = load_board("pico")
    assert board.outputs == ("uf2", "hex", "bin")
    binary = in_format("bin", image.flash, board.flash.start, None)
    assert binary[:256] == image.flash[FLASH][:256]
    read = IntelHex(StringIO(in_format("hex", image.flash, board.flash.start, None).decode()))
    assert bytes(read.tobinarray(start=FLASH, size=len(binary))) == binary
    uf2 = in_format("uf2", image.flash, board.flash.start, board.uf2_family)
    blocks = [uf2[i : i + 512] for i in range(0, len(uf2), 512)]
    assert len(blocks) == -(-len(binary) // 256)
    for number, block in enumerate(blocks):
        head = struct.unpack("<8I", block[:32])
        place = FLASH + 256 * number
        assert head == (0x0A324655, 0x9E5D5157, 0x2000, place, 256, number, len(blocks), 0xE48BFF56)
        assert block[32:288] == binary[256 * number :][:256].ljust(256, b"\xff")
        assert block[508:] == struct.pack("<I", 0x0AB16F30)


def test_other_images_have_none(build_c_for: BuildC, image: Image) -> None:
    elf = build_c_for(load_board("lm3s6965evb"), TALK).elf
    assert read_section_place(elf, ".boot_block") is None
    assert seal_boot_block(elf) == elf
    assert seal_boot_block(image.elf) == image.elf


def test_a_block_of_another_size_is_refused(image: Image) -> None:
    names = {b"\0.boot_block\0": b"\0.else_block\0", b"\0.ARM.attributes\0": b"\0.boot_block\0\0\0\0\0"}
    renamed = image.elf
    for before, after in names.items():
        assert len(before) == len(after)
        renamed = renamed.replace(before, after)
    with pytest.raises(ImageError, match=r"the boot block has \d+ bytes, not 256"):
        seal_boot_block(renamed)
