"""Describes a board: reads its TOML file, checks it, and makes data classes of it. Imports nothing of the project."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any

BOARDS_FOLDER = Path(__file__).resolve().parent

ARCHITECTURES = ("avr",)
FLASH_METHODS = ("stk500v1",)
RESETS = ("dtr", "none")
OUTPUTS = ("hex", "bin", "uf2")  # what a board is flashed with, beside the ELF file


class BoardError(Exception):
    """A board that does not exist, or whose description is wrong."""

    def __init__(self, file: str, key: str, message: str, note: str = "") -> None:
        self.file = file
        self.key = key  # such as `memory.flash.size`; empty for the whole file
        self.message = message
        self.note = note
        place = f"{file}: `{key}`" if key else file
        super().__init__(f"{place}: {message}" + (f" ({note})" if note else ""))


@dataclass(frozen=True, slots=True)
class Cpu:
    architecture: str
    triple: str
    c_target: str  # the triple, as the C compiler names it
    model: str
    features: str
    clock: int  # Hz


@dataclass(frozen=True, slots=True)
class Flash:
    start: int
    size: int
    page: int  # bytes that are programmed at once
    reserved_at_end: int  # a boot loader lies there

    @property
    def usable(self) -> int:
        return self.size - self.reserved_at_end


@dataclass(frozen=True, slots=True)
class Ram:
    start: int
    size: int


@dataclass(frozen=True, slots=True)
class Console:
    uart: str
    baud: int
    receive_buffer: int  # bytes, a power of two


@dataclass(frozen=True, slots=True)
class FlashMethod:
    method: str
    baud: int
    reset: str
    signature: bytes


@dataclass(frozen=True, slots=True)
class Emulator:
    simavr: str | None  # simavr's name of the chip
    qemu: tuple[str, ...] | None  # the command, up to the machine


@dataclass(frozen=True, slots=True)
class Board:
    name: str
    title: str
    cpu: Cpu
    flash: Flash
    ram: Ram
    linker_script: Path
    outputs: tuple[str, ...]
    uf2_family: int | None  # of the boot loader that reads UF2
    console: Console
    tick_timer: str
    flashing: FlashMethod
    usb_ids: tuple[tuple[int, int], ...]  # vendor, product
    emulator: Emulator


def board_names() -> list[str]:
    """The boards that come with the toolchain."""
    return sorted(p.stem for p in BOARDS_FOLDER.glob("*.toml"))


def load_board(name: str) -> Board:
    """A board that comes with the toolchain."""
    if name not in board_names():
        close = get_close_matches(name, board_names(), n=1)
        hint = f"did you mean `{close[0]}`?" if close else f"there are: {', '.join(board_names())}"
        raise BoardError(name, "", "there is no such board", hint)
    return load_board_file(BOARDS_FOLDER / f"{name}.toml")


def load_board_file(path: Path) -> Board:
    """A board of the user's own. It may inherit from one beside it, or from one of the toolchain's."""
    tables, script_folder = _read_with_ancestors(path, ())
    return _board(_Table(str(path), "", tables), path.stem, script_folder)


def _read_with_ancestors(path: Path, descendants: tuple[Path, ...]) -> tuple[dict[str, Any], Path]:
    """The merged tables, and the folder of the file that names the linker script."""
    own = _read(path)
    parent = own.pop("inherits", None)
    if parent is None:
        return own, path.parent
    if not isinstance(parent, str):
        raise BoardError(str(path), "inherits", "must be the name of a board")
    found = next((f for f in (path.parent, BOARDS_FOLDER) if (f / f"{parent}.toml").is_file()), None)
    if found is None:
        raise BoardError(
            str(path), "inherits", f"there is no board `{parent}`", f"there are: {', '.join(board_names())}"
        )
    parent_path = (found / f"{parent}.toml").resolve()
    line = (*descendants, path.resolve())
    if parent_path in line:
        raise BoardError(str(path), "inherits", f"`{parent}` inherits from this board itself")
    inherited, script_folder = _read_with_ancestors(parent_path, line)
    names_script = isinstance(own.get("link"), dict) and "script" in own["link"]
    return _merge(inherited, own), path.parent if names_script else script_folder


def _read(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_bytes().decode("utf-8"))
    except OSError as error:
        raise BoardError(str(path), "", f"cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise BoardError(str(path), "", "is not UTF-8 text") from None
    except tomllib.TOMLDecodeError as error:
        raise BoardError(str(path), "", f"is no TOML: {error}") from None


def _merge(inherited: dict[str, Any], own: dict[str, Any]) -> dict[str, Any]:
    """Tables are merged key by key; everything else is replaced."""
    merged = dict(inherited)
    for key, value in own.items():
        before = merged.get(key)
        merged[key] = _merge(before, value) if isinstance(before, dict) and isinstance(value, dict) else value
    return merged


def _board(top: _Table, name: str, script_folder: Path) -> Board:
    cpu = top.table("cpu")
    memory = top.table("memory")
    flash, ram = memory.table("flash"), memory.table("ram")
    link, console, timer = top.table("link"), top.table("console"), top.table("timer")
    method, usb, emulator = top.table("flash"), top.table("usb"), top.table("emulator")
    board = Board(
        name=name,
        title=top.text("title"),
        cpu=Cpu(
            architecture=cpu.one_of("architecture", ARCHITECTURES),
            triple=cpu.text("triple"),
            c_target=cpu.text("c_target"),
            model=cpu.text("model"),
            features=cpu.text("features"),
            clock=cpu.number("clock", 1, 1_000_000_000),
        ),
        flash=Flash(
            start=flash.number("start", 0, 2**32 - 1),
            size=flash.number("size", 1, 2**32 - 1),
            page=flash.number("page", 1, 65536),
            reserved_at_end=flash.number("reserved_at_end", 0, 2**32 - 1),
        ),
        ram=Ram(start=ram.number("start", 0, 2**32 - 1), size=ram.number("size", 1, 2**32 - 1)),
        linker_script=script_folder / link.text("script"),
        outputs=link.optional_list_of("outputs", OUTPUTS) or ("hex",),
        uf2_family=link.optional_number("uf2_family", 0, 2**32 - 1),
        console=Console(
            uart=console.text("uart"),
            baud=console.number("baud", 300, 4_000_000),
            receive_buffer=console.number("receive_buffer", 2, 128),
        ),
        tick_timer=timer.text("tick"),
        flashing=FlashMethod(
            method=method.one_of("method", FLASH_METHODS),
            baud=method.number("baud", 300, 4_000_000),
            reset=method.one_of("reset", RESETS),
            signature=method.byte_list("signature"),
        ),
        usb_ids=usb.usb_ids("ids"),
        emulator=Emulator(simavr=emulator.optional_text("simavr"), qemu=emulator.optional_text_list("qemu")),
    )
    for table in (flash, ram, memory, cpu, link, console, timer, method, usb, emulator, top):
        table.refuse_unknown_keys()
    _check_sense(board, top.file)
    return board


def _check_sense(board: Board, file: str) -> None:
    """What no single key can tell."""
    if board.flash.reserved_at_end >= board.flash.size:
        raise BoardError(file, "memory.flash.reserved_at_end", "leaves no flash for the program")
    if board.flash.size % board.flash.page or board.flash.reserved_at_end % board.flash.page:
        raise BoardError(file, "memory.flash.page", "sizes of flash must be whole pages")
    if board.console.receive_buffer & (board.console.receive_buffer - 1):
        raise BoardError(file, "console.receive_buffer", "must be a power of two")
    if "uf2" in board.outputs and board.uf2_family is None:
        raise BoardError(file, "link.uf2_family", "is missing", "the boot loader's number, for the output uf2")
    if not board.linker_script.is_file():
        raise BoardError(file, "link.script", f"there is no file `{board.linker_script}`")


class _Table:
    """One table of the file. It knows which keys were asked for, so that a misspelt one is found."""

    def __init__(self, file: str, path: str, values: dict[str, Any]) -> None:
        self.file = file
        self.path = path
        self.values = values
        self.asked: list[str] = []

    def text(self, key: str) -> str:
        value = self._value(key)
        if not isinstance(value, str):
            raise self._wrong(key, f"must be a string, not {value!r}")
        return value

    def optional_text(self, key: str) -> str | None:
        if key not in self.values:
            self.asked.append(key)
            return None
        return self.text(key)

    def optional_text_list(self, key: str) -> tuple[str, ...] | None:
        if key not in self.values:
            self.asked.append(key)
            return None
        value = self._value(key)
        if not isinstance(value, list) or not value or not all(isinstance(v, str) for v in value):
            raise self._wrong(key, f"must be a list of strings, not {value!r}")
        return tuple(value)

    def optional_list_of(self, key: str, choices: tuple[str, ...]) -> tuple[str, ...] | None:
        values = self.optional_text_list(key)
        for value in values or ():
            if value not in choices:
                raise self._wrong(key, f"`{value}` is none of {', '.join(choices)}")
        return values

    def one_of(self, key: str, choices: tuple[str, ...]) -> str:
        value = self.text(key)
        if value not in choices:
            raise self._wrong(key, f"`{value}` is none of {', '.join(choices)}")
        return value

    def optional_number(self, key: str, low: int, high: int) -> int | None:
        if key not in self.values:
            self.asked.append(key)
            return None
        return self.number(key, low, high)

    def number(self, key: str, low: int, high: int) -> int:
        value = self._value(key)
        if not isinstance(value, int) or isinstance(value, bool):
            raise self._wrong(key, f"must be a whole number, not {value!r}")
        if not low <= value <= high:
            raise self._wrong(key, f"{value} is not in {low} to {high}")
        return value

    def byte_list(self, key: str) -> bytes:
        value = self._value(key)
        if not isinstance(value, list) or not all(type(v) is int and 0 <= v <= 255 for v in value):
            raise self._wrong(key, f"must be a list of bytes, not {value!r}")
        return bytes(value)

    def usb_ids(self, key: str) -> tuple[tuple[int, int], ...]:
        ids = []
        for text in self.optional_text_list(key) or ():
            vendor, colon, product = text.partition(":")
            try:
                if not colon or len(vendor) != 4 or len(product) != 4:
                    raise ValueError
                ids.append((int(vendor, 16), int(product, 16)))
            except ValueError:
                raise self._wrong(key, f"`{text}` is no pair vendor:product such as 2341:0043") from None
        return tuple(ids)

    def table(self, key: str) -> _Table:
        value = self._value(key)
        if not isinstance(value, dict):
            raise self._wrong(key, "must be a table")
        return _Table(self.file, self._path(key), value)

    def refuse_unknown_keys(self) -> None:
        for key in self.values:
            if key not in self.asked:
                close = get_close_matches(key, self.asked, n=1)
                note = f"did you mean `{close[0]}`?" if close else f"known: {', '.join(sorted(self.asked))}"
                raise BoardError(self.file, self._path(key), "is not known", note)

    def _value(self, key: str) -> Any:
        self.asked.append(key)
        if key not in self.values:
            # A misspelt key is better named than the missing one that it stands for.
            others = [k for k in self.values if k not in self.asked]
            close = get_close_matches(key, others, n=1)
            raise self._wrong(key, "is missing", f"is `{close[0]}` meant to be it?" if close else "")
        return self.values[key]

    def _path(self, key: str) -> str:
        return f"{self.path}.{key}" if self.path else key

    def _wrong(self, key: str, message: str, note: str = "") -> BoardError:
        return BoardError(self.file, self._path(key), message, note)
