"""Emulated boards with their real boot loaders, behind a pseudo-terminal."""

from __future__ import annotations

from lfc.boards.descriptions.board import load_board
from lfc.boards.emulators.simavr import SimavrOnTerminal
from tests.boards.flash.boot_loaders import MEGA_BOOT, UNO_BOOT, optiboot, stk500boot

UNO, MEGA = load_board("uno"), load_board("mega2560")
LOADERS = {"uno": (UNO, optiboot, UNO_BOOT), "mega2560": (MEGA, stk500boot, MEGA_BOOT)}


def chip(name: str) -> SimavrOnTerminal:
    board, loader, boot = LOADERS[name]
    return SimavrOnTerminal(board, loader(), boot=boot)
