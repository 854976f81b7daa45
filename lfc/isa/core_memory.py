"""A core of the simulator with its memory by regions, from Python: what the processors of 32 bits have in common."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

from lfc.isa.kept_failure import KeptFailure
from lfc.isa.library import library

U8 = ctypes.c_uint8


class CoreWithMemory:
    """The first region is the flash; of others start and size. A processor says which structures of C are its own."""

    Region: type[Any]
    State: type[Any]
    Ask: Any
    Tell: Any
    READ: int
    WRITE: int
    ASK: int
    TELL: int

    def __init__(self, flash_start: int, flash: bytes, others: list[tuple[int, int]], **own: int) -> None:
        self.library = library()
        places = [(flash_start, len(flash)), *others]
        size = sum(size for _, size in places)
        self.data, self.allowed = (U8 * size)(), (U8 * size)()
        self.executed = (U8 * (len(flash) // 2 + 1))()
        regions, at = [], 0
        for start, length in places:
            regions.append(self.Region(start, length, at))
            at += length
        self.places = regions
        self._regions = (self.Region * len(regions))(*regions[1:], regions[0])  # what is used most comes first
        self.state = self.State(
            region=self._regions,
            regions=len(regions),
            data=self.data,
            allowed=self.allowed,
            flash_start=flash_start,
            flash_size=len(flash),
            flash_at=0,
            executed=self.executed,
            lowest_stack=0xFFFFFFFF,
            **own,
        )
        self.failure = KeptFailure(self.state)
        self.put(flash_start, flash)
        self.allow(flash_start, len(flash), self.READ)

    def index(self, address: int) -> int:
        return next(int(r.at + address - r.start) for r in self.places if 0 <= address - r.start < r.size)

    def allow(self, address: int, size: int, what: int) -> None:
        at = self.index(address)
        assert at + size <= len(self.allowed)
        ctypes.memset(ctypes.byref(self.allowed, at), what, size)

    def put(self, address: int, content: bytes) -> None:
        at = self.index(address)
        assert at + len(content) <= len(self.data)
        ctypes.memmove(ctypes.byref(self.data, at), content, len(content))

    def get(self, address: int, size: int) -> bytes:
        at = self.index(address)
        return ctypes.string_at(ctypes.byref(self.data, at), size)

    def watch(
        self, ask: Callable[[int, int], int | None] | None = None, tell: Callable[[int, int, int], None] | None = None
    ) -> None:
        """`ask` (address, size) says what a read gives, None: a bad load; `tell` (address, size, value) is told."""

        def asked(_: object, at: int, address: int, size: int) -> bool:
            value = None
            try:
                value = None if ask is None else ask(address, size)
            except BaseException as error:
                self.failure.keep(error)
            if value is None:
                return False
            self.data[at : at + size] = list(value.to_bytes(size, "little"))
            return True

        def told(_: object, at: int, address: int, size: int) -> None:
            try:
                if tell is not None:
                    tell(address, size, int.from_bytes(bytes(self.data[at : at + size]), "little"))
            except BaseException as error:
                self.failure.keep(error)

        self.state.ask, self.state.tell = self.Ask(asked), self.Tell(told)
