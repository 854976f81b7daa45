"""Environments vanish from the firmware: the program is the same with and without them, to the letter."""

from __future__ import annotations

from pathlib import Path

import pytest

from lfc.actions.as_data import actions_as_data, layout_as_data
from lfc.actions.build import build_machine
from lfc.actions.model.machine import Machine
from lfc.codegen.module.target import AVR, HOST, THUMBV7M
from lfc.codegen.program import generate
from lfc.diagnostics.model import Diagnostics
from lfc.front_end.load import load_program
from tests.conftest import ROOT

PAIRS = [("traffic", "traffic_env")]


def machine_of(name: str, environments: list[Path], with_environment: bool) -> Machine:
    diagnostics = Diagnostics()
    program = load_program(ROOT / "examples" / f"{name}.lf", diagnostics, environments=environments)
    assert program is not None and not diagnostics.has_errors
    return build_machine(program, diagnostics, with_environment=with_environment)


@pytest.mark.parametrize(("name", "environment"), PAIRS)
@pytest.mark.parametrize("target", [HOST, AVR, THUMBV7M], ids=lambda t: t.name)
def test_the_firmware_is_the_same(name: str, environment: str, target: object) -> None:
    file = ROOT / "examples" / f"{environment}.lf"
    alone = generate(machine_of(name, [], False), target).ir  # type: ignore[arg-type]
    beside = generate(machine_of(name, [file], False), target).ir  # type: ignore[arg-type]
    assert (alone == beside) is True


@pytest.mark.parametrize(("name", "environment"), PAIRS)
def test_the_programs_block_and_actions_are_the_same_in_the_composition(name: str, environment: str) -> None:
    file = ROOT / "examples" / f"{environment}.lf"
    alone, composed = machine_of(name, [], True), machine_of(name, [file], True)
    assert composed.environment is not None
    assert block_of(alone) == block_of(composed)
    assert positions_of(alone) == positions_of(composed)


def block_of(machine: Machine) -> dict[str, object]:
    data = layout_as_data(machine)
    data.pop("environment", None)
    data.pop("properties", None)  # they follow the block
    return data


def positions_of(machine: Machine) -> list[object]:
    return [a["position"] for a in actions_as_data(machine)["actions"]]


def test_the_program_touches_the_same_but_where_it_accesses_ports() -> None:
    file = ROOT / "examples" / "traffic_env.lf"
    alone = actions_as_data(machine_of("traffic", [], True))["actions"]
    composed = actions_as_data(machine_of("traffic", [file], True))["actions"]
    same = 0
    for a, b in zip(alone, composed, strict=True):
        if not any(asked == "out" or asked.startswith("in") for asked in a["asks"]) and a["position"] != 1:
            assert (a["reads"], a["writes"]) == (b["reads"], b["writes"])
            same += 1
    assert same > 3
