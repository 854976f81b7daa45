"""For pyocd, which loads it by its entry point `pyocd.rtos`: processes of an LF program as threads, so that gdb and
every editor behind `pyocd gdbserver` lists them with their places and what they wait for.

The image's ELF file says where their positions lie and what they mean: that of `pyocd gdbserver --elf IMAGE.elf`, or of
the option `lf.elf`. All processes share one stack, so the registers are those of the chip: they belong to
the first thread, which is what runs now.
"""

from __future__ import annotations

import json
import logging
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from lfc.toolchain.elf import read_section
from lfc.toolchain.failure import ImageError

exceptions: Any = import_module("pyocd.core.exceptions")
Plugin: Any = import_module("pyocd.core.plugin").Plugin
OptionInfo: Any = import_module("pyocd.core.options").OptionInfo
provider: Any = import_module("pyocd.rtos.provider")

LOG = logging.getLogger(__name__)
SECTION = ".lf_tables"
OPTION = "lf.elf"
CHIP = 1  # the thread that stands for whatever runs; gdb knows none with 0
FIRST = 2  # of the processes, by their slots


@dataclass(frozen=True, slots=True)
class Slot:
    """Of the state block: one process may live here."""

    number: int
    name: str
    address: int  # of its position


class Processes:
    """What the ELF file tells of them."""

    def __init__(self, table: dict[str, Any]) -> None:
        self.width = int(table["width"])
        self.slots = [Slot(n, name, address) for n, (name, address) in enumerate(table["slots"])]
        self.positions = table["positions"]

    @staticmethod
    def of(elf: bytes) -> Processes | None:
        """None: it is no image of lfc."""
        try:
            content = read_section(elf, SECTION)
            table = json.loads(content).get("processes") if content else None
            return None if table is None else Processes(table)
        except (ImageError, ValueError, KeyError, TypeError, AttributeError):
            return None

    def told(self, position: int) -> tuple[str, str] | None:
        """Where it is, and what it does there; None: nobody lives."""
        if not 1 <= position <= len(self.positions):
            return None
        file, line, column, ready, text = self.positions[position - 1]
        return f"{file}:{line}:{column}", "ready" if ready else f"waits for {text}"


class Thread(provider.TargetThread):  # type: ignore[misc]
    """A process, or what the chip runs now."""

    def __init__(self, number: int, name: str, description: str, context: Any) -> None:
        super().__init__()
        self._told = (number, name, description, context)

    @property
    def unique_id(self) -> int:
        return self._told[0]

    @property
    def name(self) -> str:
        return self._told[1]

    @property
    def description(self) -> str:
        return self._told[2]

    @property
    def context(self) -> Any:
        return self._told[3]

    @property
    def is_current(self) -> bool:
        return self.unique_id == CHIP


class LfThreads(provider.ThreadProvider):  # type: ignore[misc]
    def __init__(self, target: Any) -> None:
        super().__init__(target)
        self._processes: Processes | None = None
        self._threads: dict[int, Thread] = {}

    def init(self, symbol_provider: Any) -> bool:
        """False: the image is not one of lfc, or nobody has said which it is."""
        self._processes = processes_of(self._target)
        return self._processes is not None

    def invalidate(self) -> None:
        self._threads = {}
        self._last_run_token = -1

    def _build_thread_list(self) -> None:
        context, processes = self._target_context, self._processes
        assert processes is not None
        found = {CHIP: Thread(CHIP, "running now", "the chip's registers", context)}
        for slot in processes.slots:
            try:
                position = int.from_bytes(bytes(context.read_memory_block8(slot.address, processes.width)), "little")
            except exceptions.TransferError:
                continue
            told = processes.told(position)
            if told is not None:
                number = FIRST + slot.number
                found[number] = Thread(number, slot.name, f"{told[0]}  {told[1]}", context)
        self._threads = found

    def get_threads(self) -> list[Thread]:
        self.update_threads()
        return list(self._threads.values())

    def get_thread(self, thread_id: int) -> Thread | None:
        self.update_threads()
        return self._threads.get(thread_id)

    @property
    def is_enabled(self) -> bool:
        return self._processes is not None

    @property
    def current_thread(self) -> Thread | None:
        return self.get_thread(CHIP)

    def is_valid_thread_id(self, thread_id: int) -> bool:
        return self.get_thread(thread_id) is not None

    def get_current_thread_id(self) -> int | None:
        return CHIP if self.is_enabled else None

    def get_actual_current_thread_id(self) -> int | None:
        return self.get_current_thread_id()


def processes_of(target: Any) -> Processes | None:
    """Of the file that is named, or of pyocd's own."""
    known = getattr(target.elf, "_file", None)  # it has no other way to its file
    named = target.session.options.get(OPTION) or getattr(known, "name", None)
    if not named:
        return None
    try:
        with open(named, "rb") as file:
            return Processes.of(file.read())
    except OSError as error:
        LOG.warning("%s cannot be read: %s", named, error.strerror)
        return None


class LfPlugin(Plugin):  # type: ignore[misc]
    def load(self) -> type[LfThreads]:
        return LfThreads

    @property
    def options(self) -> list[Any]:
        return [OptionInfo(OPTION, str, None, "ELF file of the LF program, which tells its processes.")]

    @property
    def name(self) -> str:
        return "lf"

    @property
    def description(self) -> str:
        return "Processes of LF programs"
