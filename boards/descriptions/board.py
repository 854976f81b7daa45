"""Describes a board: reads its TOML file, checks it, makes data classes of it.

docs/reference/boards.md has the keys.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from lfc.base.read_file import SETTING, read_file, toml_of
from lfc.boards.descriptions.chips import CHIPS, NONE, USB, Chip
from lfc.boards.descriptions.pins import Pins, read_pins
from lfc.boards.descriptions.table import BoardError as BoardError  # of whoever loads a board
from lfc.boards.descriptions.table import Table

BOARDS_FOLDER = Path(__file__).resolve().parent
FAMILIES_FOLDER = BOARDS_FOLDER / "families"  # what several boards inherit; none of them is a board

ARCHITECTURES = ("avr", "cortexm", "riscv")
BOOT_LOADERS = ("stk500v1", "stk500v2")  # on a serial line
FLASH_METHODS = (*BOOT_LOADERS, "drive", "openocd", "dfu", "esptool", "rvprog", "avrdude", "update")
ESP_CHIPS = {"esp32c3": 5, "esp32c6": 13}  # as esptool names them; their numbers in the head of an image
UPDATED = ("atmega328p", "stm32f100", "stm32f103")  # chips for which runtime/update has a boot loader
RESETS = ("dtr", "none")
LEAST_OF_USB = 16  # bytes of a receive buffer
MOST_MILLIAMPERES = 10_000
SIMAVR_NAME = re.compile(r"[a-z0-9]+")
AVRDUDE_NAME = re.compile(r"[A-Za-z0-9][\w-]*", re.ASCII)
# All that a description may run of QEMU: an option more could run any command (`-chardev`, a monitor's `migrate`).
QEMU_MACHINES = {
    "qemu-system-avr": ("uno", "arduino-uno", "mega2560", "arduino-mega-2560-v3"),
    "qemu-system-arm": ("lm3s6965evb", "microbit", "netduinoplus2", "olimex-stm32-h405", "stm32vldiscovery"),
    "qemu-system-riscv32": ("sifive_e", "sifive_e,revb=true"),
}
OPTIMISED_FOR = ("size", "speed")
OUTPUTS = ("hex", "bin", "uf2", "esp")  # what a board is flashed with, beside the ELF file


@dataclass(frozen=True, slots=True)
class Cpu:
    architecture: str
    triple: str
    c_target: str  # the triple, as the C compiler names it
    model: str  # as LLVM names it
    features: str
    chip: str  # as the port names it
    clock: int  # Hz
    crystal: int  # Hz; 0: the port need not know
    clock_comes_in: bool = False  # from outside, at that frequency; there is no crystal

    @property
    def c_model(self) -> str:
        """As the C compiler wants it, with the features that change the instruction set."""
        added = "".join(f for f in self.features.split(",") if f in ("+e", "+m", "+a", "+c"))
        return self.model.replace("-", "_") + added + ("-i" if "+e" in added else "")


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
    transmit_buffer: int  # the same; 0: there is none
    pins: tuple[int, int] | None  # sending and receiving, on a chip where that can be chosen
    usb_id: tuple[int, int] | None = None  # of a console over USB: as what the board shows itself; vendor, product

    @property
    def is_there(self) -> bool:
        return self.uart != NONE


@dataclass(frozen=True, slots=True)
class Loader:
    """Of updates in the field: where it lies."""

    start: int = 0
    size: int = 0


@dataclass(frozen=True, slots=True)
class FlashMethod:
    """What `method` does not need is 0 or empty."""

    method: str
    baud: int  # of a boot loader
    reset: str  # of a boot loader
    signature: bytes  # of a boot loader
    volume: str  # drive: the name of the volume that the board shows itself as
    ids: tuple[str, ...]  # drive: what the identity that it tells begins with, one of them; empty: whatever it tells
    configuration: tuple[str, ...]  # openocd: its configuration files
    chip: str = ""  # esptool: its name of the chip
    part: str = ""  # avrdude: its name of the chip
    programmer: str = ""  # avrdude: its name of what the chip is reached by
    loader: Loader = Loader()  # update


@dataclass(frozen=True, slots=True)
class RomLoader:
    """A boot loader in the chip's ROM, on a serial line: another way to flash it than `FlashMethod`."""

    identity: int  # of the chip, as it tells it
    baud: int
    reset: str  # dtr: DTR resets and RTS is BOOT0; none: done by hand


@dataclass(frozen=True, slots=True)
class Emulator:
    simavr: str | None  # simavr's name of the chip
    qemu: tuple[str, ...] | None  # the command, up to the machine
    qemu_serial: int  # which of its serial ports is the console
    rp2040js: str | None = None  # the chip, as boards/emulators/js_run names it
    avr8js: str | None = None


@dataclass(frozen=True, slots=True)
class Power:
    """What it draws, in milliamperes."""

    active: float
    idle: float  # while the processor sleeps between two passes


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
    pins: Pins
    watchdog: int  # milliseconds without a pass of the kernel's loop, after which the board is reset; 0: it is off
    safe: tuple[tuple[int, int], ...]  # address and value of the registers that are written first of all at a fault
    flashing: FlashMethod
    rom_loader: RomLoader | None
    probe_target: str | None  # as pyocd names the chip
    usb_ids: tuple[tuple[int, int], ...]  # vendor, product
    emulator: Emulator
    optimise: str = "speed"  # what images are made for, one of OPTIMISED_FOR
    power: Power | None = None

    @property
    def family(self) -> int | None:
        """The number that its boot loader wants to see in an image, if any."""
        return ESP_CHIPS.get(self.flashing.chip, self.uf2_family)


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
    return _board(Table(str(path), "", tables), path.stem, script_folder)


def without_transmit_buffer(board: Board) -> Board:
    """What it sends, it waits for."""
    return replace(board, console=replace(board.console, transmit_buffer=0))


def _read_with_ancestors(path: Path, descendants: tuple[Path, ...]) -> tuple[dict[str, Any], Path]:
    """The merged tables, and the folder of the file that names the linker script."""
    own = _read(path)
    parent = own.pop("inherits", None)
    if parent is None:
        return own, path.parent
    if not isinstance(parent, str):
        raise BoardError(str(path), "inherits", "must be the name of a board")
    found = next((f for f in (path.parent, BOARDS_FOLDER, FAMILIES_FOLDER) if (f / f"{parent}.toml").is_file()), None)
    if found is None:
        families = sorted(p.stem for p in FAMILIES_FOLDER.glob("*.toml"))
        there_are = f"there are: {', '.join([*board_names(), *families])}"
        raise BoardError(str(path), "inherits", f"there is no board `{parent}`", there_are)
    parent_path = (found / f"{parent}.toml").resolve()
    line = (*descendants, path.resolve())
    if parent_path in line:
        raise BoardError(str(path), "inherits", f"`{parent}` inherits from this board itself")
    inherited, script_folder = _read_with_ancestors(parent_path, line)
    names_script = isinstance(own.get("link"), dict) and "script" in own["link"]
    return _merge(inherited, own), path.parent if names_script else script_folder


def _read(path: Path) -> dict[str, Any]:
    try:
        return toml_of(read_file(path, SETTING))
    except OSError as error:
        raise BoardError(str(path), "", f"cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise BoardError(str(path), "", "is not UTF-8 text") from None
    except ValueError as error:
        raise BoardError(str(path), "", f"is not valid TOML: {error}") from None


def _merge(inherited: dict[str, Any], own: dict[str, Any]) -> dict[str, Any]:
    """Tables are merged key by key; everything else is replaced. Another `method` makes the keys beside it void."""
    method = inherited.get("method")
    merged = dict(inherited) if method is None or own.get("method", method) == method else {}
    for key, value in own.items():
        before = merged.get(key)
        merged[key] = _merge(before, value) if isinstance(before, dict) and isinstance(value, dict) else value
    return merged


def _board(top: Table, name: str, script_folder: Path) -> Board:
    cpu = top.table("cpu")
    memory = top.table("memory")
    flash, ram = memory.table("flash"), memory.table("ram")
    link, console, timer = top.table("link"), top.table("console"), top.table("timer")
    method, usb, emulator = top.table("flash"), top.table("usb"), top.table("emulator")
    title = top.text("title")
    processor = Cpu(
        architecture=cpu.one_of("architecture", ARCHITECTURES),
        triple=cpu.text("triple"),
        c_target=cpu.text("c_target"),
        model=cpu.text("model"),
        features=cpu.text("features"),
        chip=cpu.optional_text("chip") or cpu.text("model"),
        clock=cpu.number("clock", 1, 1_000_000_000),
        crystal=cpu.optional_number("crystal", 32_768, 1_000_000_000) or 0,
        clock_comes_in=cpu.flag("clock_comes_in"),
    )
    chip = _known_chip(processor, top.file)
    pins = _pins(console, chip)
    board = Board(
        name=name,
        title=title,
        cpu=processor,
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
            transmit_buffer=console.optional_number("transmit_buffer", 0, 128) or 0,
            pins=pins,
            usb_id=_usb_id(console),
        ),
        tick_timer=timer.text("tick"),
        watchdog=_watchdog(top),
        safe=_safe(top, processor),
        pins=read_pins(top.table("pins"), chip),
        flashing=_flash_method(method),
        rom_loader=_rom_loader(top),
        probe_target=_probe_target(top),
        usb_ids=usb.usb_ids("ids"),
        emulator=Emulator(
            simavr=_simavr(emulator),
            qemu=_qemu(emulator),
            qemu_serial=emulator.optional_number("qemu_serial", 0, 31) or 0,
            rp2040js=emulator.optional_one_of("rp2040js", ("rp2040",)),
            avr8js=emulator.optional_one_of("avr8js", ("atmega328p",)),
        ),
        optimise=link.optional_one_of("optimise", OPTIMISED_FOR) or "speed",
        power=_power(top),
    )
    for table in (flash, ram, memory, cpu, link, console, timer, method, usb, emulator, top):
        table.refuse_unknown_keys()
    _check_sense(board, top.file)
    return board


def _flash_method(table: Table) -> FlashMethod:
    """Each method has its own keys; those of another one are not known."""
    method = table.one_of("method", FLASH_METHODS)
    by_boot_loader = method in BOOT_LOADERS
    return FlashMethod(
        method=method,
        baud=table.number("baud", 300, 4_000_000) if by_boot_loader else 0,
        reset=table.one_of("reset", RESETS) if by_boot_loader or method == "update" else "none",
        signature=table.byte_list("signature") if by_boot_loader else b"",
        volume=table.text("volume") if method == "drive" else "",
        ids=(table.optional_text_list("ids") or ()) if method == "drive" else (),
        configuration=table.text_list("configuration") if method == "openocd" else (),
        chip=table.one_of("chip", tuple(ESP_CHIPS)) if method == "esptool" else "",
        part=_word(table, "part") if method == "avrdude" else "",
        programmer=_word(table, "programmer") if method == "avrdude" else "",
        loader=_loader(table) if method == "update" else Loader(),
    )


def _word(table: Table, key: str) -> str:
    """A name of avrdude's, which goes to its command line."""
    name = table.text(key)
    if not AVRDUDE_NAME.fullmatch(name):
        raise BoardError(table.file, f"flash.{key}", f"must be a name of avrdude's, not {name!r}")
    return name


def _loader(method: Table) -> Loader:
    table = method.table("loader")
    loader = Loader(table.number("start", 0, 2**32 - 1), table.number("size", 1, 2**32 - 1))
    table.refuse_unknown_keys()
    return loader


def _rom_loader(top: Table) -> RomLoader | None:
    table = top.optional_table("rom_loader")
    if table is None:
        return None
    loader = RomLoader(
        identity=table.number("id", 0, 0xFFFF),
        baud=table.number("baud", 1200, 115_200),
        reset=table.one_of("reset", RESETS),
    )
    table.refuse_unknown_keys()
    return loader


def _probe_target(top: Table) -> str | None:
    table = top.optional_table("probe")
    if table is None:
        return None
    target = table.text("target")
    table.refuse_unknown_keys()
    return target


def _simavr(table: Table) -> str | None:
    name = table.optional_text("simavr")
    if name is not None and not SIMAVR_NAME.fullmatch(name):
        raise BoardError(table.file, "emulator.simavr", f"must be simavr's name of a chip, not {name!r}")
    return name


def _qemu(table: Table) -> tuple[str, ...] | None:
    """Whose description it is may be anybody, so it is no command but one of those that are known."""
    command = table.optional_text_list("qemu")
    if command is None:
        return None
    machines = QEMU_MACHINES.get(command[0], ())
    if not machines:
        known = ", ".join(QEMU_MACHINES)
        raise BoardError(table.file, "emulator.qemu", f"{command[0]!r} is not run for a board", f"known: {known}")
    if len(command) != 3 or command[1] != "-M":
        wanted = f'["{command[0]}", "-M", MACHINE]'
        raise BoardError(table.file, "emulator.qemu", f"must be {wanted}, without any other option")
    if command[2] not in machines:
        known = ", ".join(machines)
        raise BoardError(table.file, "emulator.qemu", f"{command[2]!r} is not a known machine", f"known: {known}")
    return command


def _power(top: Table) -> Power | None:
    table = top.optional_table("power")
    if table is None:
        return None
    power = Power(table.decimal("active", MOST_MILLIAMPERES), table.decimal("idle", MOST_MILLIAMPERES))
    table.refuse_unknown_keys()
    return power


def _pins(console: Table, chip: Chip) -> tuple[int, int] | None:
    table = console.optional_table("pins")
    if table is None:
        return None
    pins = table.number("tx", 0, chip.pins - 1), table.number("rx", 0, chip.pins - 1)
    table.refuse_unknown_keys()
    return None if console.values.get("uart") == USB else pins  # a board may inherit those of a UART


def _usb_id(console: Table) -> tuple[int, int] | None:
    ids = console.usb_ids("usb_id")
    if len(ids) > 1:
        raise BoardError(console.file, "console.usb_id", "must be one", 'such as ["1209:0001"]')
    return ids[0] if ids else None


def _watchdog(top: Table) -> int:
    table = top.optional_table("watchdog")
    if table is None:
        return 0
    milliseconds = table.number("milliseconds", 0, 8000)
    table.refuse_unknown_keys()
    if milliseconds and milliseconds < 16:
        raise BoardError(top.file, "watchdog.milliseconds", f"{milliseconds} is not in 16 to 8000, and not 0")
    return milliseconds


def _safe(top: Table, cpu: Cpu) -> tuple[tuple[int, int], ...]:
    table = top.optional_table("faults")
    if table is None:
        return ()
    writes = table.address_values("safe", 0xFF if cpu.architecture == "avr" else 0xFFFFFFFF)
    table.refuse_unknown_keys()
    return writes


def _known_chip(cpu: Cpu, file: str) -> Chip:
    same = sorted(name for name, chip in CHIPS.items() if chip.architecture == cpu.architecture)
    if cpu.chip not in same:
        raise BoardError(file, "cpu.chip", f"the port does not know `{cpu.chip}`", f"it knows: {', '.join(same)}")
    return CHIPS[cpu.chip]


def _check_chip(board: Board, file: str) -> None:
    """What the port knows of the chip."""
    cpu, console = board.cpu, board.console
    chip = CHIPS[cpu.chip]
    for key, stated, right in (("triple", cpu.triple, chip.triple), ("model", cpu.model, chip.model)):
        if stated != right:
            raise BoardError(file, f"cpu.{key}", f"`{stated}` is not that of {cpu.chip}", f"it is `{right}`")
    if console.uart not in chip.uarts:
        raise BoardError(file, "console.uart", f"`{console.uart}` is not one of {', '.join(chip.uarts)}", cpu.chip)
    if board.tick_timer not in chip.ticks:
        raise BoardError(file, "timer.tick", f"`{board.tick_timer}` is not one of {', '.join(chip.ticks)}", cpu.chip)
    over_usb = console.uart == USB
    if over_usb and console.usb_id is None:
        raise BoardError(file, "console.usb_id", "is missing", 'vendor and product, such as ["1209:0001"]')
    if over_usb and console.receive_buffer < LEAST_OF_USB:
        raise BoardError(
            file, "console.receive_buffer", f"must be {LEAST_OF_USB} or more: half of it is a packet", "USB"
        )
    if chip.needs_pins and not over_usb and console.pins is None:
        raise BoardError(file, "console.pins", "is missing", "such as { tx = 0, rx = 1 }")
    if not chip.needs_pins and console.pins is not None:
        raise BoardError(file, "console.pins", f"the pins of {console.uart} cannot be chosen", cpu.chip)
    if chip.needs_crystal and not cpu.crystal:
        raise BoardError(file, "cpu.crystal", "is missing", "its frequency in Hz, from which the clock is derived")


def _check_updates(board: Board, file: str) -> None:
    """There is a boot loader for the chip, beside the flash that is described, and room for what it keeps there."""
    flash, loader, chip = board.flash, board.flashing.loader, board.cpu.chip
    if chip not in UPDATED:
        raise BoardError(file, "flash.method", f"there is no boot loader for updates of {chip}", ", ".join(UPDATED))
    if max(flash.start, loader.start) < min(flash.start + flash.size, loader.start + loader.size):
        raise BoardError(file, "flash.loader", "overlaps memory.flash, which has the program and two slots for images")
    needed = 3 * flash.usable + 5 * flash.page
    if needed > flash.size:
        told = f"three times what is not reserved, and five pages: {needed} bytes"
        raise BoardError(file, "memory.flash.size", "has no room for the program and two slots", told)


def _check_sense(board: Board, file: str) -> None:
    """What no single key can tell."""
    _check_chip(board, file)
    if board.flash.reserved_at_end >= board.flash.size:
        raise BoardError(file, "memory.flash.reserved_at_end", "leaves no flash for the program")
    if board.flash.size % board.flash.page or board.flash.reserved_at_end % board.flash.page:
        raise BoardError(file, "memory.flash.page", "sizes of flash must be whole pages")
    if board.console.receive_buffer & (board.console.receive_buffer - 1):
        raise BoardError(file, "console.receive_buffer", "must be a power of two")
    transmits = board.console.transmit_buffer
    if transmits == 1 or transmits & (transmits - 1):
        raise BoardError(file, "console.transmit_buffer", "must be 0 or a power of two from 2 on")
    if transmits and board.cpu.architecture != "avr":
        raise BoardError(file, "console.transmit_buffer", "must be 0: only the AVR port sends from a buffer")
    if board.flashing.method == "update":
        _check_updates(board, file)
    if "uf2" in board.outputs and board.uf2_family is None:
        raise BoardError(file, "link.uf2_family", "is missing", "the boot loader's number, for the output uf2")
    if "esp" in board.outputs and not board.flashing.chip:
        raise BoardError(file, "link.outputs", "`esp` is for boards that esptool flashes", 'flash.method = "esptool"')
    if not board.linker_script.is_file():
        raise BoardError(file, "link.script", f"there is no file `{board.linker_script}`")
