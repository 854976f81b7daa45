"""A board flashed by a debug probe over SWD, through the Python package pyocd, which is an extra."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

from lfc.base.missing_tool import MissingOnThisMachine
from lfc.boards.descriptions.board import Board
from lfc.boards.flash.exchange import WRITE_AGAIN, Progress
from lfc.boards.serial.failure import FlashError, Stage

ANY = "any"  # the only probe that is there
STM32_IDENTITY = 0xE0042000  # DBGMCU_IDCODE, as of the STM32F1 and F4; its low 12 bits are what the ROM tells as well
CHUNK = 1024  # bytes that are read back at once
WIRES = "check the wires between probe and board (SWDIO, SWCLK, GND), and the power of the board"
PLUGGED = "is the probe plugged in? On Linux its udev rules may be missing"


@dataclass(frozen=True, slots=True)
class PyOcd:
    """What is used of the package."""

    connected: Any  # ConnectHelper.get_all_connected_probes
    session: Any  # Session
    loader: Any  # FlashLoader
    errors: Any  # pyocd.core.exceptions


def load_pyocd() -> PyOcd:
    """Raises MissingOnThisMachine."""
    try:
        from pyocd.core import exceptions
        from pyocd.core.helpers import ConnectHelper
        from pyocd.core.session import Session
        from pyocd.flash.loader import FlashLoader
    except ImportError as error:
        install = "pip install 'lf-toolchain[probe]', or pip install pyocd"
        raise MissingOnThisMachine(f"pyocd, which drives debug probes, cannot be used ({error}): {install}") from None
    return PyOcd(ConnectHelper.get_all_connected_probes, Session, FlashLoader, exceptions)


def flash_by_probe(
    board: Board, content: Mapping[int, bytes], wanted: str, progress: Progress, pyocd: PyOcd | None = None
) -> tuple[str, int]:
    """Writes, reads all back and compares, resets; the probe's name and the number of bytes.

    `wanted`: a probe's ID, or `any`. Raises FlashError, MissingOnThisMachine.
    """
    if board.probe_target is None:
        raise FlashError("open", f"the probe's name for the chip is unknown for {board.name} (`probe.target`)")
    api = pyocd or load_pyocd()
    try:
        probe = chosen_probe(api.connected(blocking=False), wanted)
    except api.errors.Error as error:
        raise FlashError("open", f"the probes cannot be listed: {error}", remedy=PLUGGED) from None
    with ExitStack() as stack:
        target = _connect(api, board, probe, stack)
        _refuse_another_chip(api, board, target)
        _write(api, target, content, progress)
        _verify(api, target, content, progress)
        try:
            progress("start", 0, 1)
            target.reset()
        except api.errors.Error as error:
            raise FlashError("start", f"the board cannot be reset: {error}", remedy="reset it by hand") from None
    return name_of(probe), sum(len(piece) for piece in content.values())


def chosen_probe(there: Sequence[Any], wanted: str) -> Any:
    found = [p for p in there if wanted == ANY or str(p.unique_id).casefold() == wanted.casefold()]
    listed = "".join(f"\n  {name_of(p)}" for p in there)
    there_is = f"; there are:{listed}" if there else "; no probe is connected"
    if not found:
        what = "no probe is connected" if wanted == ANY and not there else f"there is no probe `{wanted}`{there_is}"
        raise FlashError("open", what, remedy=PLUGGED)
    if len(found) > 1:
        raise FlashError("open", f"{len(found)} probes are connected:{listed}", remedy="name one with --probe ID")
    return found[0]


def name_of(probe: Any) -> str:
    return f"{probe.unique_id} ({probe.description})"


def _connect(api: PyOcd, board: Board, probe: Any, stack: ExitStack) -> Any:
    options = {
        "target_override": board.probe_target,
        "connect_mode": "under-reset",
        "resume_on_disconnect": True,
        # else pyocd reads pyocd.yaml, and runs pyocd_user.py, of the working directory
        "no_config": True,
        "user_script": os.devnull,
    }
    try:
        session = stack.enter_context(api.session(probe, options=options))
    except api.errors.TargetSupportError as error:
        pack = f"pyocd pack install {board.probe_target}"
        raise FlashError("open", f"pyocd does not know the chip {board.probe_target}: {error}", remedy=pack) from None
    except api.errors.ProbeError as error:
        remedy = f"another program may use it; {PLUGGED}"
        raise FlashError("open", f"the probe {probe.unique_id} cannot be used: {error}", remedy=remedy) from None
    except api.errors.Error as error:
        raise FlashError("sync", f"no chip responds to the probe {probe.unique_id}: {error}", remedy=WIRES) from None
    return session.target


def _refuse_another_chip(api: PyOcd, board: Board, target: Any) -> None:
    """Where the chip tells which one it is."""
    if board.rom_loader is None:
        return
    try:
        found = target.read32(STM32_IDENTITY) & 0xFFF
    except api.errors.Error as error:
        raise FlashError("signature", f"the chip does not identify itself: {error}", remedy=WIRES) from None
    if found != board.rom_loader.identity:
        raise FlashError(
            "signature",
            f"the chip is not that of {board.name}",
            expected=f"{board.rom_loader.identity:03X}",
            received=f"{found:03X}",
            remedy="is it the right board?",
        )


def _write(api: PyOcd, target: Any, content: Mapping[int, bytes], progress: Progress) -> None:
    total = sum(len(piece) for piece in content.values())
    try:
        loader = api.loader(
            target.session,
            progress=lambda part: progress("write", int(part * total), total),
            chip_erase="sector",
            trust_crc=False,  # pages count as equal when their bytes are
            keep_unwritten=False,
        )
        for address, piece in sorted(content.items()):
            loader.add_data(address, piece)
        loader.commit()
    except api.errors.Error as error:
        stage: Stage = "erase" if isinstance(error, api.errors.FlashEraseFailure) else "write"
        raise FlashError(stage, f"{what_failed(error)}", remedy=f"{WRITE_AGAIN}; is the flash protected?") from None
    except ValueError as error:  # an address that pyocd does not know of this chip
        raise FlashError("write", str(error), remedy="was it built for this board?") from None


def _verify(api: PyOcd, target: Any, content: Mapping[int, bytes], progress: Progress) -> None:
    total, done = sum(len(piece) for piece in content.values()), 0
    for address, piece in sorted(content.items()):
        for at in range(0, len(piece), CHUNK):
            part = piece[at : at + CHUNK]
            try:
                found = bytes(target.read_memory_block8(address + at, len(part)))
            except api.errors.Error as error:
                raise FlashError("verify", what_failed(error), remedy=WRITE_AGAIN) from None
            if found != part:
                first = next((i for i, (x, y) in enumerate(zip(found, part, strict=False)) if x != y), len(found))
                raise FlashError(
                    "verify",
                    f"address {address + at + first:#x} holds other contents",
                    expected=part[first : first + 1].hex().upper(),
                    received=found[first : first + 1].hex().upper(),
                    remedy=WRITE_AGAIN,
                )
            done += len(part)
            progress("verify", done, total)


def what_failed(error: Exception) -> str:
    return str(error) or type(error).__name__
