"""The longest passes of images, cycle for cycle, in simavr; and the command that shows them."""

from __future__ import annotations

import json
import os
import signal
import threading
import time
from pathlib import Path

import pytest

from lfc.boards.descriptions.board import load_board
from lfc.image.firmware import build_firmware
from lfc.mcheck.image.check_image import CheckedImage, flash_of
from lfc.mcheck.image.worst_case_time import measured
from lfc.mcheck.request.request import request_from
from tests.cli.lfc import lfc
from tests.conftest import ROOT
from tests.mcheck.image.images import built, machine_of
from tests.mcheck.image.passes import (
    all_memories,
    compile_riscv_runner,
    compile_runner,
    compile_thumb_runner,
    memory_of,
    run_passes,
)


@pytest.fixture(scope="module")
def runner(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return compile_runner(tmp_path_factory.mktemp("passes"))


@pytest.mark.parametrize(("name", "board"), [("peterson2", "uno"), ("peterson2", "mega2560"), ("peterson3", "uno")])
def test_simavr_takes_as_many_cycles(name: str, board: str, runner: Path) -> None:
    """Of programs without queues that several share, in which state and cursor are all that a pass begins with."""
    with built(ROOT / "examples" / f"{name}.lf", board) as b:
        assert not b.firmware.generated.policies.sleepers_room and not b.firmware.generated.policies.arrivals_room
        longest = [p for p in b.check().longest if p.slot != 0xFF]
        assert longest
        done = run_passes(runner, "simavr", b, b.flash, [memory_of(b, p.block, p.cursor) for p in longest])
        assert [d.cycles for d in done] == [p.cycles for p in longest]


def test_no_pass_takes_longer_in_simavr(runner: Path) -> None:
    """Every state, with every cursor: the longest of each slot's passes is what is told."""
    with built(ROOT / "examples" / "peterson2.lf", "uno") as b:
        told = max(p.cycles for p in b.check().longest)
        done = run_passes(runner, "simavr", b, b.flash, list(all_memories(b)))
        assert max(d.cycles or 0 for d in done) == told


def test_no_pass_takes_longer_on_the_core_of_a_cortexm(tmp_path: Path) -> None:
    with built(ROOT / "examples" / "peterson2.lf", "netduinoplus2") as b:
        told = max(p.cycles for p in b.check().longest)
        done = run_passes(compile_thumb_runner(tmp_path), "core", b, b.flash, list(all_memories(b)))
        assert max(d.cycles or 0 for d in done) == told


def test_no_pass_takes_longer_on_the_core_of_a_riscv(tmp_path: Path) -> None:
    with built(ROOT / "examples" / "peterson2.lf", "hifive1") as b:
        told = max(p.cycles for p in b.check().longest)
        done = run_passes(compile_riscv_runner(tmp_path), "core", b, b.flash, list(all_memories(b)))
        assert max(d.cycles or 0 for d in done) == told


def test_the_command(tmp_path: Path) -> None:
    file = ROOT / "examples" / "traffic.lf"
    told = json.loads(lfc("timing", file, "-b", "uno", "--json", cwd=tmp_path).out)
    assert told["longest"] == max(p["cycles"] for p in told["passes"]) and told["complete"]
    assert all(p["lines"] for p in told["passes"] if p["event"] == "run" and p["process"] != "init")
    assert lfc("timing", file, "-b", "uno", "--max-latency", f"{told['longest']}cycles").exit == 0
    assert lfc("timing", file, "-b", "uno", "--max-latency", f"{told['longest'] - 1}cycles").exit == 5
    assert lfc("timing", file, "-b", "uno", "--max-latency", "soon").exit == 2


@pytest.mark.parametrize("limit", [("--states", "50"), ("--time", "0.001"), ("--memory", "2")])
def test_a_limit_is_told(limit: tuple[str, str]) -> None:
    done = lfc("timing", ROOT / "examples" / "peterson4.lf", "-b", "uno", *limit)
    assert done.exit == 6 and "states, not all;" in done.out and "there may be longer passes" in done.err


ENDLESS = """
MODULE Endless;
PROCESS Worker SERVER; VAR n : UINT8; BEGIN LOOP INC(n); RESCHEDULE END END Worker;
VAR i : UINT8;
BEGIN FOR i := 1 TO 8 DO CREATE Worker END END Endless.
"""
GIVEN_UP = 40.0  # seconds; half of them for the search


def test_ctrl_c_ends_it_at_once(tmp_path: Path) -> None:
    """Of more states than can be visited."""
    (tmp_path / "Endless.lf").write_text(ENDLESS)
    board = load_board("uno")
    machine = machine_of(tmp_path / "Endless.lf", board)
    firmware = build_firmware(board, machine)
    image = CheckedImage(board, firmware, flash_of(dict(firmware.image.flash), board.flash), "")
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    ctrl_c = threading.Timer(0.4, os.kill, (os.getpid(), signal.SIGINT))
    begin = time.monotonic()
    ctrl_c.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            measured(machine, image, request_from(seconds=GIVEN_UP, memory=1 << 30))
    finally:
        ctrl_c.cancel()
        signal.signal(signal.SIGINT, before)
    assert time.monotonic() - begin < GIVEN_UP / 4
