"""Images executed in some states only: what is tried can be reached, and what is not all is no proof."""

from __future__ import annotations

import random
import threading
from contextlib import closing
from pathlib import Path

import pytest

from lfc.actions.model.machine import Machine
from lfc.boards.descriptions.board import load_board
from lfc.cli.common.exits import Exit
from lfc.image.firmware import build_firmware
from lfc.mcheck.image.check_image import CheckedImage, ImageCheck, flash_of
from lfc.mcheck.image_samples import states_of, tried
from lfc.mcheck.reduction.common.reduction import Question
from lfc.mcheck.request.request import request_from
from lfc.mcheck.request.world import Inputs
from lfc.mcheck.search.search import Search
from lfc.mcheck.symbolic.samples import samples_of
from tests.actions.machines import machine_of_text
from tests.campaign.symbolic.sampling import RANGES, Sampling
from tests.cli.lfc import lfc
from tests.mcheck.image.images import Built, built, flipped, machine_of
from tests.mcheck.searching import search_with

HEATING = """MODULE Heating;
CONST ADC = 78H; HEATER = 25H;
VAR on* : BOOLEAN;
PROCESS Control SERVER;
VAR v, last : UINT8;
BEGIN
  LOOP
    v := PORTIN(ADC);
    RESCHEDULE;
    last := v;
    IF v < 18 THEN on := TRUE ELSIF v > 22 THEN on := FALSE END;
    PORTOUT(HEATER, UINT8(ORD(on)));
    PORTOUT(HEATER + 1, last);
    RESCHEDULE
  END
END Control;
BEGIN CREATE Control END Heating.
"""


KEPT = """
MODULE Kept;
CONST PIN = 10H;
VAR kept* : UINT16;
PROCESS P SERVER;
BEGIN kept := PORTIN16(PIN); LOOP RESCHEDULE END END P;
BEGIN CREATE P END Kept.
"""


def sampled(machine: Machine, most: int, **world: object) -> tuple[list[bytes], bool]:
    found = samples_of(states_of(Question(machine, request_from(data="symbolic", **world))), most)
    return found.blocks, found.whole


def explicit(machine: Machine, **world: object) -> set[bytes]:
    search = search_with(machine, request_from(keep_going=True, inputs=Inputs.ALL, **world))
    try:
        search.run()
        return set(search.all_blocks())
    finally:
        search.close()


@pytest.mark.parametrize("seed", [3, 6, 7, 10, 11])
def test_what_is_tried_can_be_reached(seed: int) -> None:
    machine = machine_of_text(Sampling(seed).text())
    every = explicit(machine, assume=RANGES, states=20_000)
    blocks, whole = sampled(machine, 1 << 40, assume=RANGES)
    assert set(blocks) <= every
    assert not whole or set(blocks) == every
    assert set(sampled(machine, 50, assume=RANGES)[0]) <= every


@pytest.mark.parametrize(
    ("seed", "states", "said"),
    [
        (7, 26, "20 of 26 states were tried"),
        (6, 457, "52 of at most 457 states were tried"),
        (33, 798, "104 of at most 840 states were tried"),
    ],
)
def test_it_is_told_how_many_states_there_are(seed: int, states: int, said: str) -> None:
    """Exactly, or how many at most where boxes share states."""
    machine = machine_of_text(Sampling(seed).text())
    found = states_of(Question(machine, request_from(data="symbolic", assume=RANGES)))
    assert len(explicit(machine, assume=RANGES, states=20_000)) == states
    assert tried(found, samples_of(found, 50)) == said


def test_what_is_not_known_is_not_counted() -> None:
    machine = machine_of_text(HEATING)
    found = states_of(Question(machine, request_from(data="symbolic", states=2)))
    assert tried(found, samples_of(found, 50)) == "3 states were tried, and not all states are known"


def program(folder: Path, bits: int) -> Path:
    text = HEATING if bits == 8 else HEATING.replace("UINT8;", "UINT16;").replace("PORTIN(ADC)", "PORTIN16(ADC)")
    (folder / "Heating.lf").write_text(text.replace(", last)", ", UINT8(last MOD 256))") if bits == 16 else text)
    return folder / "Heating.lf"


def test_few_states_are_all_tried(tmp_path: Path) -> None:
    program(tmp_path, 8)
    both = [
        lfc("check", "Heating.lf", "-b", "uno", "--image", "--data", d, "--no-record", cwd=tmp_path).out
        for d in ("symbolic", "explicit")
    ]
    assert all("the image for uno agrees with the program in every state\n67335 states" in out for out in both)


def test_some_of_many_states_are_no_proof(tmp_path: Path) -> None:
    program(tmp_path, 16)
    found = lfc("check", "Heating.lf", "-b", "uno", "--image", "--data", "symbolic", "--no-record", cwd=tmp_path)
    assert found.exit == Exit.INCONCLUSIVE
    said = "the image was not executed in every state: 120533 of 4295426055 states were tried"
    assert f"inconclusive: {said}" in found.out


def differs(b: Built, flash: bytes, blocks: list[bytes]) -> bool:
    with_search = Search(b.machine, request_from(reductions=("none",), threads=1))
    check = ImageCheck(with_search, b.image(flash), None, 200_000)
    try:
        check.run_in(blocks)
        return bool(check.result().mismatches)
    finally:
        check.close()
        with_search.close()


def test_changed_code_is_found_in_some_states_too(tmp_path: Path) -> None:
    """Of 67,335 states some hundred; whatever these show all states show."""
    r = random.Random(1)
    with built(program(tmp_path, 8), "uno") as b:
        first = b.check()
        blocks, whole = sampled(b.machine, 1_500)
        assert not whole and 10 < len(blocks) < 1_000
        assert not differs(b, b.flash, blocks)
        executed = [at for at in sorted(first.code.instructions) if first.executed[at // 2]]
        caught = missed = 0
        for at in r.sample(executed, 12):
            flash = flipped(b.flash, at, r.randrange(16))
            in_all, in_some = bool(b.check(flash).mismatches), differs(b, flash, blocks)
            assert in_all or not in_some
            caught += in_some
            missed += in_all and not in_some
        assert caught >= 8 and missed <= 1


POLLING = """MODULE Polling;
IMPORT SYSTEM;
CONST STATUS = 0C0H; DATA = 0C6H;
TYPE Wake = [some];
VAR last* : UINT8;
PORT wake : Wake;
PROCESS Receive SERVER;
BEGIN
  LOOP
    SYSTEM.INT[18]?INTERRUPT;
    WHILE PORTIN(STATUS) > 127 DO last := PORTIN(DATA) END;
    SELECT WHEN wake!some THEN ELSE END
  END
END Receive;
PROCESS Wait SERVER;
BEGIN
  LOOP wake?some END
END Wait;
BEGIN NEW(wake); CREATE Receive; CREATE Wait END Polling.
"""


def test_a_device_that_is_polled_for_ever_does_not_hold_it_up(tmp_path: Path) -> None:
    """Whether the action meets another one is not tried for ever; nor are its passes."""
    (tmp_path / "Polling.lf").write_text(POLLING)
    board = load_board("uno")
    machine = machine_of(tmp_path / "Polling.lf", board)
    firmware = build_firmware(board, machine)
    image = CheckedImage(board, firmware, flash_of(dict(firmware.image.flash), board.flash), "")
    blocks = samples_of(states_of(Question(machine, request_from(data="symbolic")), 0.5), 20).blocks
    with closing(Search(machine, request_from(reductions=("none",), threads=1))) as search:
        check = ImageCheck(search, image)
        at_work = threading.Thread(target=check.run_in, args=(blocks,), daemon=True)
        at_work.start()
        at_work.join(60.0)
        assert not at_work.is_alive()
        assert check.result().stopped == "an action reads more values than can be tried"
        check.close()


def test_states_are_not_looked_for_longer_than_somebody_waits(tmp_path: Path) -> None:
    machine = machine_of_text(POLLING)
    asked: list[bool] = []

    def interrupted() -> bool:
        asked.append(True)
        return True

    assert states_of(Question(machine, request_from(data="symbolic")), 0.0, interrupted).interrupted
    assert asked


def test_choosing_states_ends_when_time_is_up() -> None:
    """Within one of 65,536 values, after the next 256; what was chosen before is there."""
    found = states_of(Question(machine_of_text(KEPT), request_from(data="symbolic")))
    whole = samples_of(found, 1 << 20)
    assert whole.whole and len(whole.blocks) > 65_536
    for looks in (0, 1, 7, 100):
        asked: list[int] = []

        def is_over(looks: int = looks, asked: list[int] = asked) -> bool:
            asked.append(0)
            return len(asked) > looks

        some = samples_of(found, 1 << 20, is_over=is_over)
        assert not some.whole and len(asked) == looks + 1
        assert len(some.blocks) <= 256 * looks and set(some.blocks) < set(whole.blocks)
