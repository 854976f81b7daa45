"""Fixed-point numbers that are computed in 64 bits: the same digits on this machine and on boards."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.lfc import lfc

WIDE = Path(__file__).parent / "wide.lf"


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> str:
    done = lfc("run", WIDE, cwd=tmp_path_factory.mktemp("host"))
    assert done.exit == 0 and len(done.out.splitlines()) == 40
    assert done.out.splitlines()[-1] == "-155278128 -2000000000 -45670038 621 "
    return done.out


@pytest.mark.parametrize("board", ["uno", "microbit", "hifive1", "ch32v003evt"])
def test_boards_print_what_this_machine_prints(board: str, here: str, tmp_path: Path) -> None:
    done = lfc("run", WIDE, "-b", board, "--emulator", "builtin", "--seconds", "20", cwd=tmp_path)
    assert done.out.replace("\r", "") == here
