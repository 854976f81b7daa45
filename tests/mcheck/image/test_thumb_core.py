"""The simulator of the Cortex-M cores against unicorn, instruction by instruction: every form, in random states."""

from __future__ import annotations

from pathlib import Path

import pytest

from lfc.isa.abi import ThumbStop as Stop
from lfc.isa.thumb.core import READ, SP, STACK, WRITE, ThumbCore
from tests.campaign.boards.thumb import build, compare
from tests.support.seeds import seed_of_this_run

FORMS_OF_M0 = {"call", "MSR", "MRS", "barrier"}
ONLY_OF_M33 = {"acquire, release", "load acquire exclusive"}
ONLY_OF_M4 = {"lanes", "saturating", "select", "long signals"} | ONLY_OF_M33


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("thumb"))


@pytest.mark.parametrize("core", ["m0", "m3", "m4", "m33"])
def test_every_instruction_does_what_unicorn_does(core: str, program: Path) -> None:
    """Registers, flags, memory, special registers, IT blocks and whether an access faults."""
    outcome = compare(program, core, seed_of_this_run(), 20_000, 3)
    assert outcome.differences == []
    assert outcome.steps > 30_000 and outcome.faults > 500
    assert outcome.narrow_words > (12_000 if core == "m0" else 8_000)
    compared = {form for form, places in outcome.forms.items() if places > 5}
    if core == "m0":
        assert compared >= FORMS_OF_M0 and not compared & {"shifted register", "division", "table"}
    else:
        left = set(outcome.forms) - compared
        assert left <= {"m3": ONLY_OF_M4, "m4": ONLY_OF_M33, "m33": set()}[core]


def test_a_stack_pointer_from_elsewhere_to_below_what_was_stored_forgets_nothing() -> None:
    core = ThumbCore(0, 0, bytes.fromhex("8546"), [(0x20000000, 0x1000)])  # mov sp, r0
    core.allow(0x20000000, 0x1000, READ | WRITE | STACK)
    core.state.r[SP], core.state.r[0], core.state.lowest_stack = 0x10000000, 0x20000800, 0x20000F00
    assert core.step() == Stop.RUNS
    assert core.state.r[SP] == 0x20000800
    assert all(right == READ | WRITE | STACK for right in core.allowed[core.index(0x20000000) : 0x1002])
