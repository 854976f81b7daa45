"""Systems of the tests, followed in the simulator beside their composition."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from pathlib import Path
from random import Random

from lfc.actions.kept_machine import Wanted
from lfc.actions.kept_machine import machine_of as kept_machine_of
from lfc.actions.model.machine import Machine
from lfc.boards.descriptions.board import Board, load_board
from lfc.boards.network import Network
from lfc.diagnostics.model import Diagnostics
from lfc.hil.systems.follow import Followed, SystemFollower
from lfc.hil.systems.views import common_modules
from lfc.image.firmware import build_firmware
from lfc.systems.boards import images_of, modules_of
from tests.systems.loading import machine_of


class Noisy(Network):
    """Of so many bytes one is damaged or lost on its way to one of the others."""

    def disturb(self, seed: int, one_of: int) -> None:
        self.random, self.one_of, self.damaged = Random(seed), one_of, 0

    def on_the_way(self, data: bytes) -> bytes:
        if self.random.randrange(self.one_of):
            return data
        self.damaged += 1
        return b"" if self.random.random() < 0.5 else bytes(b ^ 1 << self.random.randrange(8) for b in data)


def noisy(seed: int, one_of: int) -> Callable[..., Noisy]:
    def made(boards: Mapping[str, tuple[Board, bytes]], write: Callable[[str, bytes], None]) -> Noisy:
        network = Noisy(boards, write)
        network.disturb(seed, one_of)
        return network

    return made


def follower(
    system: Path,
    images: Path | None = None,
    most: int = 200_000,
    network: Callable[..., Network] = Network,
    said: Callable[[str, bytes], None] = lambda name, text: None,
) -> SystemFollower:
    """`images`: another system file, with the same boards, of which the images are made."""
    return SystemFollower(*boards_of(system, images or system), said, most, network)


@lru_cache(maxsize=1)
def boards_of(system: Path, images: Path) -> tuple[Machine, dict[str, Followed]]:
    """The composition, and the images beside it."""
    whole, diagnostics = machine_of(system), Diagnostics()
    boards: dict[str, Followed] = {}
    for image in images_of(str(images), diagnostics) or ():
        board = load_board(image.board)
        machine = kept_machine_of(Wanted(image.program, board=board, with_environment=False), diagnostics)
        assert machine is not None, [d.message for d in diagnostics.items]
        firmware = build_firmware(board, machine, "rr")
        modules = common_modules(whole, machine, modules_of(str(system), image.name, diagnostics, ()))
        boards[image.name] = Followed(board, machine, firmware.generated, firmware.image.elf, modules)
    return whole, boards
