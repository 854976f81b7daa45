"""The effects table against compiled actions, on reached blocks and on blocks with other values in their variables."""

from __future__ import annotations

from pathlib import Path

import pytest

from lfc.actions.analysis.effects import Region, action_table
from tests.actions.machines import PROGRAMS, all_programs, machine_of_file, machine_of_text
from tests.actions.soundness import Laboratory, try_program
from tests.conftest import ROOT
from tests.generate.general.program import Profile, generate

CHOSEN = [
    "examples/buffer",
    "examples/calls",
    "examples/hanoi",
    "examples/leader",
    "examples/sieve",
    "examples/window",
    "programs/frames",
    "programs/waits",
    "right/clock_all",
    "right/comm_select",
    "right/interrupts",
    "right/ports_in_messages",
    "right/proc_nested",
    "right/proc_recursion",
    "right/proc_var_parameters",
    "right/system_console",
]


@pytest.mark.parametrize(
    ("file", "name"), [(file, name) for name, file, _ in all_programs() if name in CHOSEN], ids=lambda x: str(x)[-30:]
)
def test_programs(file: Path, name: str) -> None:
    machine = machine_of_file(file)
    assert machine is not None, name
    assert try_program(machine, seed=1, steps=60)


@pytest.mark.parametrize("seed", range(1000, 1012))
def test_generated_programs(seed: int) -> None:
    try_program(machine_of_text(generate(seed, Profile(size=3)).text), seed, steps=30, flips=4)


@pytest.mark.parametrize("without", ["reads", "writes"])
def test_the_laboratory_finds_what_is_missing(without: str) -> None:
    """With any region of a table left out that the run needs, it must complain."""
    machine = machine_of_file(ROOT / "examples" / "semaphore.lf")
    assert machine is not None
    missed = []
    for base in ("block", "positions", "slots", "record") if without == "reads" else ("position", "slots", "record"):
        lab = Laboratory(machine, seed=1)
        for action in lab.table.values():
            kept: list[Region] = [r for r in getattr(action, without) if not r.base.startswith(base)]
            setattr(action, without, kept)
        try:
            for block, policy in lab.reached_blocks(60):
                for slot in lab.ready(block):
                    lab.try_action(block, policy, slot, flips=40)
        except AssertionError:
            continue
        missed.append(base)
    assert not missed


def test_the_programs_here_are_tried_throughout() -> None:
    """Nearly every action of the program about waits is really run."""
    machine = machine_of_file(PROGRAMS / "waits.lf")
    assert machine is not None
    tried = set().union(*(try_program(machine, seed, steps=60) for seed in range(20)))
    actions = {a.position.number for a in action_table(machine)}
    assert len(tried) >= len(actions) - 2, sorted(actions - tried)
