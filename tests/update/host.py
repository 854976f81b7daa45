"""The boot loader's own C, compiled for this machine with a chip of a test: executed from any content of the flash,
with the power lost at any write."""

from __future__ import annotations

import ctypes
import shutil
import tempfile
from binascii import crc_hqx
from pathlib import Path

from lfc.link.port import runtime_folder
from lfc.toolchain.c_library import C_LIBRARY_ALONE
from lfc.toolchain.run_tools import run_tool
from lfc.update.image import ERASED, Update
from lfc.update.layout import CHUNK, ED25519, SIPHASH, Layout
from lfc.update.loader import key_macros, places
from lfc.update.siphash import siphash

FLASH = 4096
RUNS, POWER_LOST, NOTHING_RUNS = 1, 2, 3
NEVER = 0xFFFFFFFF
SECRET = bytes(range(16))
CAPACITY = 256


def small(scheme: int) -> Layout:
    """A flash as small as it can be, for all its states: two pages for a program."""
    slot = CAPACITY + 2 * CHUNK
    first = CAPACITY + CHUNK
    return Layout(0, CAPACITY, CHUNK, 0, 0, (first, first + slot), scheme, b"test")


class Host:
    def __init__(self, scheme: int = SIPHASH, key: bytes = SECRET, fault: tuple[str, str] | None = None) -> None:
        """`fault`: what stands in the source once, and what is to stand there."""
        self.layout = small(scheme)
        macros = [*places(self.layout), *key_macros(self.layout, key), 'UP_CHIP="host_chip.h"']
        macros = [m if scheme == ED25519 or not m.startswith("UP_KEY=") else f"UP_KEY={listed(key)}" for m in macros]
        with tempfile.TemporaryDirectory(prefix="lfc-") as made_here:
            folder = Path(made_here)
            shutil.copytree(runtime_folder() / "update", folder, dirs_exist_ok=True)
            shutil.copy(Path(__file__).parent / "host_chip.h", folder)
            if fault is not None:
                source = (folder / "loader.c").read_text()
                assert source.count(fault[0]) == 1, fault[0]
                (folder / "loader.c").write_text(source.replace(*fault))
            run_tool(
                "cc",
                ["-std=c11", "-O1", "-shared", "-fPIC", "-Wall", "-Wextra", "-Werror", "-Wno-clobbered"]
                + ["-Wno-unknown-warning-option", *(f"-D{m}" for m in macros), "loader.c", "-o", "loader.so"]
                + ["-fsanitize-trap=undefined", *C_LIBRARY_ALONE],
                folder,
                "the boot loader cannot be compiled",
            )
            self.library = ctypes.CDLL(str(folder / "loader.so"))

    def boot(
        self, flash: bytes, line: bytes = b"", cut: int = NEVER, torn: bool = False, reports: bool = False
    ) -> tuple[int, bytes, int]:
        """How it ended, the flash, and how often that was written."""
        content, count = ctypes.create_string_buffer(flash, FLASH), ctypes.c_uint32()
        how = self.library.test_boot(content, line, len(line), ctypes.c_uint32(cut), torn, reports, ctypes.byref(count))
        return how, content.raw, count.value

    def said(self) -> bytes:
        to = ctypes.create_string_buffer(8192)
        size = self.library.test_said(to)
        return to.raw[:size]

    def is_signed(self, flash: bytes, head: bytes, body: int, length: int) -> bool:
        return bool(self.library.test_signed(ctypes.create_string_buffer(flash, FLASH), head, body, length))


def listed(key: bytes) -> str:
    return ",".join(map(str, key))


def made(layout: Layout, version: int, body: bytes, secret: bytes = SECRET) -> Update:
    told = layout.name[:8] + version.to_bytes(4, "little") + len(body).to_bytes(4, "little")
    return Update((told + siphash(secret, told + body)).ljust(CHUNK, ERASED), body)


def session(update: Update) -> bytes:
    """What the host says, if all goes well."""
    chunks = [update.body[at : at + CHUNK] for at in range(0, len(update.body), CHUNK)]
    frames = [(b"E", bytes(CHUNK), 0), *((b"D", c, n) for n, c in enumerate(chunks)), (b"H", update.head, 0)]
    return b"U" + b"".join(frame(name, chunk, number) for name, chunk, number in frames)


def frame(name: bytes, chunk: bytes, number: int) -> bytes:
    content = chunk + number.to_bytes(2, "little")
    return name + content + crc_hqx(content, 0xFFFF).to_bytes(2, "big")
