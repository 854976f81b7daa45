"""A block is that of a state exactly if every byte is as it must be.

No assertion names a machine or a program: pytest would show all that is in it.
"""

from __future__ import annotations

import pytest

from lfc.actions.build import build_machine
from lfc.actions.model.machine import Machine
from lfc.diagnostics.model import Diagnostics
from tests.generate.general.program import Profile, generate
from tests.naive.bounds import Bounds
from tests.naive.decode import bounds_of, compare, encode
from tests.naive.evaluator import possible_events, step
from tests.naive.explorer import Conventions, explore
from tests.naive.policies import DrawAtRandom
from tests.naive.running import program_of
from tests.naive.state import State

PROGRAM = """MODULE T; TYPE C = [m(UINT8, INTEGER), e]; PORT c : C; VAR x : INTEGER; y : UINT8;
PROCESS Get(c : C; VAR v : INTEGER) MAX 2; VAR k : INT16; BEGIN k := 513; c?m(y, v) END Get;
PROCESS P(c : C); VAR a : ARRAY 2 OF INTEGER; BEGIN Get(c, a[1]); x := a[1] END P;
PROCESS S(c : C); VAR i : INTEGER; BEGIN SELECT WHEN c!m(7, -2) & (i = 0) THEN WHEN c!e & (i = 1) THEN END END S;
BEGIN NEW(c); CREATE P(c); CREATE S(c) END T."""


def machine_of(text: str) -> tuple[Machine, State]:
    program = program_of(text)
    machine = build_machine(program, Diagnostics())
    return machine, State.initial(program, bounds_of(machine))


def test_each_byte_counts() -> None:
    machine, state = machine_of(PROGRAM)
    slots = {r.body.name: r.first_slot for r in machine.layout.records}
    for items in ([["run", 0]], [["run", slots["T.S"]]]):
        step(state, items)
    block = encode(state, machine)
    same = compare(state, block, machine)
    assert same == []
    for at in range(len(block)):
        changed = bytes([*block[:at], block[at] ^ 1, *block[at + 1 :]])
        differences = compare(state, changed, machine)
        assert len(differences) == 1, at
    shorter = compare(state, block[:-1], machine)
    assert shorter == [f"the block has {len(block) - 1} bytes, not {len(block)}"]


def test_differences_are_named() -> None:
    machine, state = machine_of(PROGRAM)
    slot = {r.body.name: r.first_slot for r in machine.layout.records}["T.P"]
    step(state, [["run", 0]])
    before = encode(state, machine)
    step(state, [["run", slot]])
    said = "\n".join(compare(state, before, machine))
    assert "T.P[0].position (position)" in said
    assert "start T.P line 3, should be waiting T.Get line 2" in said
    assert "k (INT16)" in said and "01 02" in said  # 513 in the callee's frame
    offset = machine.layout.variables[next(v for v in machine.layout.variables if v.name == "x")]
    block = bytearray(encode(state, machine))
    block[offset] = 9
    changed = compare(state, bytes(block), machine)
    assert changed == [f"T.x (INTEGER) at {offset}: 09 00 00 00, should be 00 00 00 00"]


@pytest.mark.parametrize("share", range(3))
def test_generated_states_fit_their_layouts(share: int) -> None:
    """Bounds included: what the compiler makes room for is what the text says."""
    for seed in range(share, 45, 3):
        program = program_of(generate(seed, Profile(small=seed % 2 == 0)).text, f"{seed}.lf")
        machine = build_machine(program, Diagnostics())
        mine, theirs = repr(Bounds.derived(program)), repr(bounds_of(machine))  # short: a machine shows all of itself
        assert mine == theirs, seed
        state = State.initial(program, bounds_of(machine))
        interrupts = machine.layout.interrupts
        assert interrupts == state.tables.interrupts
        policy = DrawAtRandom(seed)
        for number in range(30):
            if not possible_events(state) or state.fault is not None:
                break
            block = encode(state, machine)
            at = number % len(block)
            differences = len(compare(state, bytes([*block[:at], block[at] ^ 1, *block[at + 1 :]]), machine))
            assert differences == 1, seed
            step(state, policy)


def test_different_states_are_different_blocks() -> None:
    """What a block leaves out (steady ports and targets) the rest of it determines."""
    for seed in range(100, 112):
        profile = Profile(size=1, small=True, inputs=False, interrupts=False)
        program = program_of(generate(seed, profile).text, f"{seed}.lf")
        machine = build_machine(program, Diagnostics())
        start = State.initial(program, bounds_of(machine))
        found = explore(program, Conventions(most_states=300), start)
        blocks = {encode(s, machine) for s in found.states}
        assert len(blocks) == len(found.states), seed
