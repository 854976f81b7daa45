"""Builds the boot loader of a board that takes updates, with the key that it believes."""

from __future__ import annotations

import hashlib
import tempfile
from dataclasses import dataclass
from pathlib import Path

import llvmlite.binding as llvm

from lfc.boards.descriptions.board import Board
from lfc.isa.avr.branches import emit_with_right_branches
from lfc.link.link import NEAR_CALLS, emit_object, target_machine
from lfc.link.port import build_port, runtime_folder
from lfc.records.ed25519 import P, decoded
from lfc.toolchain.elf import read_load_segments
from lfc.toolchain.failure import ImageError
from lfc.toolchain.run_tools import assemble, compile_c, run_linker
from lfc.update.layout import ED25519, Layout, layout_of

CHIPS = {"atmega328p": "atmega328p.h", "stm32f100": "stm32f1.h", "stm32f103": "stm32f1.h"}
PLACEHOLDER = hashlib.sha256(b"a secret key").digest()[:16]  # a secret gets into no cache of compiled code


@dataclass(frozen=True, slots=True)
class Loader:
    elf: bytes
    flash: dict[int, bytes]

    @property
    def size(self) -> int:
        return sum(len(piece) for piece in self.flash.values())


def build_loader(board: Board, key: bytes) -> Loader:
    """`key`: 32 bytes, a public key of Ed25519 or the first 16 the secret of SipHash. Raises ImageError."""
    folder, layout = runtime_folder() / "update", layout_of(board)
    headers = sorted(folder.rglob("*.h"))
    chip = f'UP_CHIP="chips/{CHIPS[board.cpu.chip]}"'
    defines = [*places(layout), *key_macros(layout, key), chip, f"UP_BAUD={board.console.baud}ul"]
    is_avr = board.cpu.architecture == "avr"
    machine = target_machine(board, NEAR_CALLS if is_avr else "")  # a boot section is no larger than they reach
    module = llvm.parse_assembly(compile_c(board, folder / "loader.c", headers, defines))
    code = emit_with_right_branches(module, machine) if is_avr else emit_object(module, machine)
    objects = build_port(board).on_demand | {"loader": code}
    with tempfile.TemporaryDirectory(prefix="lfc-") as made_here:
        there = Path(made_here)
        for name, content in objects.items():
            (there / f"{name}.o").write_bytes(content)
        (there / "start.o").write_bytes(assemble(board, folder / f"start_{board.cpu.architecture}.S"))
        run_linker(link_arguments(board, layout, folder, sorted(objects)), there)
        elf = (there / "loader.elf").read_bytes()
    if layout.scheme != ED25519:
        assert elf.count(PLACEHOLDER) == 1
        elf = elf.replace(PLACEHOLDER, key)
    flash = {s.load_address: s.content for s in read_load_segments(elf)}
    return Loader(elf, flash)


def places(layout: Layout) -> list[str]:
    numbers = {
        "UP_RUN": layout.run,
        "UP_CAPACITY": layout.capacity,
        "UP_PAGE": layout.page,
        "UP_SLOT_0": layout.slots[0],
        "UP_SLOT_1": layout.slots[1],
    }
    texts = {"UP_MAGIC": layout.name[:4], "UP_BOARD": layout.name[4:8], "UP_SCHEME": layout.name[8:12]}
    texts["UP_CAPACITY_BYTES"] = layout.name[12:]
    return [
        *(f"{name}={value}ul" for name, value in numbers.items()),
        *(f"{name}={listed(content)}" for name, content in texts.items()),
    ]


def listed(content: bytes) -> str:
    return ",".join(f"{b:#04x}" for b in content)


def key_macros(layout: Layout, key: bytes) -> list[str]:
    if layout.scheme != ED25519:
        return ['UP_SIGNATURES="siphash.h"', f"UP_KEY={listed(PLACEHOLDER)}"]
    point = decoded(key)
    if point is None:
        raise ImageError("the key is none of Ed25519", "its 32 bytes are no point of the curve")
    x, y = P - point[0], point[1]
    return ['UP_SIGNATURES="ed25519.h"', f"UP_KEY={listed(key)}", f"UP_KEY_X={words(x)}", f"UP_KEY_Y={words(y)}"]


def words(number: int) -> str:
    return ",".join(f"{number >> 32 * i & 0xFFFFFFFF:#010x}" for i in range(8))


def link_arguments(board: Board, layout: Layout, folder: Path, objects: list[str]) -> list[str]:
    is_avr = board.cpu.architecture == "avr"
    top = board.ram.start + board.ram.size - (1 if is_avr else 0)
    return [
        *("--gc-sections", "--orphan-handling=error", "--build-id=none", "-z", "max-page-size=4096"),
        f"--defsym=up_loader={layout.loader}",
        f"--defsym=up_loader_size={layout.loader_size}",
        f"--defsym=up_stack_top={top}",
        *("-T", str((folder / f"{board.cpu.architecture}.ld").resolve()), "-o", "loader.elf"),
        *("start.o", "loader.o"),
        *("--start-lib", *(f"{name}.o" for name in objects if name != "loader"), "--end-lib"),
    ]
