"""Makes the image of a board from LLVM IR: object, ELF, Intel HEX, map. The same input gives the same bytes."""

from __future__ import annotations

import tempfile
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm

from lfc.boards.descriptions.board import Board
from lfc.boards.descriptions.chips import CHIPS
from lfc.isa.avr.branches import emit_with_right_branches, functions_with_wrong_branches
from lfc.link.boot_block import seal_boot_block
from lfc.link.merge import SHRUNK, Shrunk, merge_modules
from lfc.link.port import Port, build_port
from lfc.toolchain.elf import read_load_segments, read_sections
from lfc.toolchain.failure import ImageError, TooLarge
from lfc.toolchain.formats import hex_text
from lfc.toolchain.run_tools import run_linker

# An AVR program that is small enough calls by RCALL, which is half as long and reaches 4 KB.
NEAR_CALLS = "-jmpcall"
NEAR = 4096
OUT_OF_RANGE = "R_AVR_13_PCREL out of range"  # as lld says it
PAGE_OF_LINKER, SMALL_PAGE = 0x10000, 0x1000
OVERFLOW = "overflowed by"  # as lld says it
ROOM_OF_FLASH, ROOM_OF_RAM = 0x400000, 0xF000  # enough to link anything, within the address spaces of every chip


@dataclass(frozen=True, slots=True)
class Image:
    elf: bytes
    flash: dict[int, bytes]  # address -> what lies there; pieces that do not touch
    map: str  # the linker's

    def hex_text(self) -> str:
        """The flash as Intel HEX."""
        return hex_text(self.flash)


def link_image(board: Board, modules: Iterable[Any], exported: Collection[str] = ()) -> Image:
    """The image of a program. `modules`: LLVM IR as text, or anything of llvmlite's whose `str` is such a text.

    Together they define `lf_main`. Symbols in `exported` are kept and seen in the ELF.
    """
    texts = [str(m) for m in modules]
    images: list[Image] = []
    too_large: list[TooLarge] = []
    for shrunk in SHRUNK if board.optimise == "size" else SHRUNK[:1]:
        try:
            images.append(_made_for(board, texts, exported, shrunk))
        except TooLarge as error:
            too_large.append(error)
    if not images:
        raise min(too_large, key=lambda error: code_size(error.elf))
    return min(images, key=lambda image: sum(len(piece) for piece in image.flash.values()))


def _made_for(board: Board, modules: Sequence[str], exported: Collection[str], shrunk: Shrunk) -> Image:
    machine = target_machine(board)
    port = build_port(board)
    merged = merge_modules(modules, port, exported, machine, shrunk)
    if board.cpu.architecture != "avr":
        return _link(board, emit_object(merged, machine), port, exported)
    if CHIPS[board.cpu.chip].small:
        return _link(board, emit_with_right_branches(merged, machine, small=True), port, exported)
    text = str(merged)  # as it is before the code generator changes it
    near = emit_object(merged, target_machine(board, NEAR_CALLS))
    if code_size(near) <= NEAR and not functions_with_wrong_branches(near):
        try:
            image = _link(board, near, port, exported)
        except ImageError as error:
            if OUT_OF_RANGE not in error.detail:
                raise
        else:
            if code_size(image.elf) <= NEAR:
                return image
    return _link(board, emit_with_right_branches(llvm.parse_assembly(text), machine), port, exported)


def emit_object(module: llvm.ModuleRef, machine: llvm.TargetMachine) -> bytes:
    code: bytes = machine.emit_object(module)
    return code


def code_size(elf: bytes) -> int:
    return sum(s.size for s in read_sections(elf) if s.executable)


def target_machine(board: Board, features: str = "") -> llvm.TargetMachine:
    """`features`: to add to the board's."""
    _initialise()
    target = llvm.Target.from_triple(board.cpu.triple)
    return target.create_target_machine(
        cpu=board.cpu.model,
        features=",".join(filter(None, (board.cpu.features, features))),
        opt=2,
        reloc="static",
        codemodel="small",
        abiname="ilp32e" if "+e" in board.cpu.features.split(",") else "",
    )


@cache
def _initialise() -> None:
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()


def _link(board: Board, program: bytes, port: Port, exported: Collection[str]) -> Image:
    with tempfile.TemporaryDirectory(prefix="lfc-") as made_here:
        folder = Path(made_here)
        (folder / "start.o").write_bytes(port.start)
        (folder / "program.o").write_bytes(program)
        for name, content in port.on_demand.items():
            (folder / f"{name}.o").write_bytes(content)
        try:
            _run_linker(board, port, exported, folder, board.flash.usable, board.ram.size)
        except ImageError as error:
            if OVERFLOW not in error.detail:
                raise
            # Once more with room for all, so that it can be said what takes so much.
            _run_linker(board, port, exported, folder, ROOM_OF_FLASH, ROOM_OF_RAM)
            raise TooLarge(error.message, error.detail, (folder / "image.elf").read_bytes()) from None
        elf = seal_boot_block((folder / "image.elf").read_bytes())
        return Image(elf, _flash_of(board, elf), (folder / "image.map").read_text(encoding="utf-8"))


def headers_elsewhere(board: Board) -> list[str]:
    """A program behind a boot loader may begin within a page of the linker, which puts headers before it."""
    return [] if board.flash.start % PAGE_OF_LINKER == 0 else ["-z", f"max-page-size={SMALL_PAGE}"]


def _run_linker(
    board: Board, port: Port, exported: Collection[str], folder: Path, flash_size: int, ram_size: int
) -> None:
    arguments = [
        "--gc-sections",
        "--orphan-handling=error",
        "--build-id=none",
        f"--defsym=lf_flash_start={board.flash.start}",
        f"--defsym=lf_flash_size={flash_size}",
        f"--defsym=lf_ram_start={board.ram.start}",
        f"--defsym=lf_ram_size={ram_size}",
        *(f"--undefined={name}" for name in sorted(exported)),
        *headers_elsewhere(board),
        "-T",
        str(board.linker_script.resolve()),
        "-Map=image.map",
        "-o",
        "image.elf",
        "start.o",
        "program.o",
        "--start-lib",
        *(f"{name}.o" for name in sorted(port.on_demand)),
        "--end-lib",
    ]
    run_linker(arguments, folder, OUT_OF_RANGE if CHIPS[board.cpu.chip].small else "")


def _flash_of(board: Board, elf: bytes) -> dict[int, bytes]:
    pieces: dict[int, bytes] = {}
    end = board.flash.start
    for segment in read_load_segments(elf):
        if not end <= segment.load_address <= board.flash.start + board.flash.usable - len(segment.content):
            raise ImageError(f"a segment at {segment.load_address:#x} lies outside the flash or overlaps another one")
        end = segment.load_address + len(segment.content)
        pieces[segment.load_address] = segment.content
    return pieces
