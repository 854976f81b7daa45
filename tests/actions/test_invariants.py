"""What holds for every program: examples, corpus, the programs here, and generated ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from lfc.actions.analysis.effects import Action, action_table, environment_table, property_tables, starts_action
from lfc.actions.flow.lower import targets
from lfc.actions.layout.fields import block_fields, pictures
from lfc.actions.layout.frames import place_of_variable
from lfc.actions.model.machine import BlockLayout, Body, CallWaiting, CannotMove, Machine, Suspend
from lfc.diagnostics.model import Severity
from lfc.semantics.model.types import size_and_alignment
from tests.actions.machines import all_programs, machine_and_diagnostics, machine_of_file, machine_of_text
from tests.generate.general.program import Profile, generate


def check_machine(machine: Machine) -> None:
    check_positions(machine)
    for body in machine.all_bodies():
        check_flow(body)
    parts = [(machine.layout, machine.bodies, 0)]
    if machine.environment is not None:
        parts.append((machine.environment.layout, machine.environment.bodies, machine.layout.size))
    for layout, bodies, start in parts:
        check_fields(layout, start)
        check_pictures(bodies)
    tables = [action_table(machine), environment_table(machine), *property_tables(machine).values()]
    for table in tables:
        for action in table:
            check_action(machine, action)


def check_positions(machine: Machine) -> None:
    numbers = [p.number for p in machine.positions]
    assert numbers == list(range(1, len(numbers) + 1))
    assert all(p.ready == (p.number < machine.layout.first_waiting) for p in machine.positions)
    for point in (point for body in machine.all_bodies() for point in body.points):
        assert point.body.can_wait
        assert (point.waiting is None) == (point.otherwise is not None)


def check_flow(body: Body) -> None:
    """Every block can be reached from a position, and each is the only one of its number."""
    assert [b.number for b in body.blocks] == list(range(len(body.blocks)))
    assert body.entry is not None
    reached = {body.entry} | {p.entry for p in body.positions if p.entry is not None}
    work = list(reached)
    while work:
        block = work.pop()
        assert block.end is not None
        followers = targets(block.end)
        if isinstance(block.end, Suspend | CallWaiting) and block.end.position.entry is not None:
            followers = [*followers, block.end.position.entry]
        for follower in followers:
            if follower not in reached:
                reached.add(follower)
                work.append(follower)
    assert reached == set(body.blocks)
    for p in body.positions:
        assert (p.entry is None) == (p.kind == "waiting")


def check_fields(layout: BlockLayout, start: int) -> None:
    """No two fields share a byte, each is at a multiple of its alignment, and there is no more padding than needed."""
    owned: dict[int, str] = {}
    for f in block_fields(layout):
        assert start <= f.offset and f.offset + f.size <= layout.size
        for byte in range(f.offset, f.offset + f.size):
            assert byte not in owned, f"{f.owner}.{f.name} and {owned[byte]} share byte {byte}"
            owned[byte] = f"{f.owner}.{f.name}"
        if f.type in ("position", "count", "frame"):
            assert f.offset % f.size == 0
    for v, offset in layout.variables.items():
        assert offset % place_of_variable(v)[1] == 0
    run = 0
    for byte in range(start, layout.size):
        run = 0 if byte in owned else run + 1
        assert run < 4 + 3, f"padding that nothing needs before byte {byte}"
    for r in layout.records:
        assert r.body.frame is not None
        for v, offset in r.body.frame.variables.items():
            assert (r.offset + r.frame0 + offset) % place_of_variable(v)[1] == 0
            assert r.stride % place_of_variable(v)[1] == 0
        if r.calls_offset is not None:
            assert r.calls_offset >= r.frame0 + r.body.frame.size
            assert (r.offset + r.calls_offset) % max(b.frame.align for b in r.body.calls_waiting if b.frame) == 0


def check_pictures(bodies: list[Body]) -> None:
    for picture in pictures(bodies):
        frame = picture.body.frame
        assert frame is not None
        end = frame.wait_offset
        for f in picture.fields:
            assert f.offset >= end, f"{f.name} of position {picture.position} overlaps"
            end = f.offset + f.size
            assert f.offset % f.size == 0 or f.type not in ("channel", "offset", "bits")
        assert end <= frame.wait_offset + frame.wait_size
        for clause in picture.point.clauses:
            types = getattr(getattr(clause.event, "message", None), "types", [])
            for offset, t in zip(clause.value_offsets, types, strict=False):
                assert offset % size_and_alignment(t)[1] == 0


def check_action(machine: Machine, action: Action) -> None:
    """Each action ends, or has a loop that it may stay in, or runs into a fault, or (a property) cannot move."""
    body = action.position.body
    dead_end = any(isinstance(b.end, CannotMove) for b in body.blocks)
    faults = any("Assert" in type(s).__name__ for b in body.blocks for s in b.statements)
    assert action.ends or action.endless or dead_end or faults
    assert starts_action(action.position)
    assert any(r.base == "position" for r in action.writes) or not action.ends
    assert all(r.size > 0 and r.offset >= 0 for r in action.reads + action.writes)
    numbers = {p.number for p in machine.positions}
    if body.domain == "program":
        assert all(n in numbers for e in action.ends for n in e.next)


PROGRAMS = all_programs()


@pytest.mark.parametrize(("file", "environments"), [p[1:] for p in PROGRAMS], ids=[p[0] for p in PROGRAMS])
def test_programs(file: Path, environments: list[Path]) -> None:
    machine = machine_of_file(file, environments)
    assert machine is not None
    check_machine(machine)


@pytest.mark.parametrize("seed", range(40))
def test_generated_programs(seed: int) -> None:
    check_machine(machine_of_text(generate(seed, Profile(size=4, properties=seed % 4 == 0)).text))


def test_branches_of_a_choice() -> None:
    for count, codes in ((255, []), (256, ["LF0652"])):
        branches = " | ".join(f"x := {n}" for n in range(count))
        _, diagnostics = machine_and_diagnostics(f"MODULE Main; VAR x : INTEGER; BEGIN CHOICE {branches} END END Main.")
        assert [d.code for d in diagnostics.items if d.severity is Severity.ERROR] == codes
