"""Runs by chance in the debugger's stepping object: forwards they are those of the compiled program alone, and n steps
back from anywhere is the block, the clock and the choices that were there. The full quota:

    python -m tests.campaign.debugger.there_and_back --count 1000 --seed 1
"""

from __future__ import annotations

import random
from collections import Counter

import pytest

from lfc.actions.build import build_machine
from lfc.actions.model.machine import Machine
from lfc.codegen.program import generate as code_of
from lfc.debugger import stepper as stepping
from lfc.debugger.stepper import Stepper
from lfc.diagnostics.model import Diagnostics
from lfc.run.native import host_target
from lfc.run.running import HostRun, Mode, Status
from tests.generate.general.program import Profile, generate
from tests.naive.running import program_of
from tests.support.seeds import count_and_seed

STEPS = 60
WAYS = 6  # there and back, of each run
MODES = (Mode.ROUND_ROBIN, Mode.RANDOM)


def run_one(seed: int) -> str:
    """Returns how the run ended; any difference is a failure of this seed."""
    program = program_of(generate(seed, Profile(small=seed % 3 == 0)).text, f"{seed}.lf")
    machine = build_machine(program, Diagnostics())
    mode = MODES[seed % 2]
    text = bytes(random.Random(seed).randrange(32, 127) for _ in range(40))
    stepper = Stepper(machine, mode=mode, seed=seed)
    stepper.feed(text)
    blocks, clocks = [stepper.block], [stepper.moment.now]
    status = Status.RAN
    while len(blocks) <= STEPS and status is Status.RAN:
        status, _ = stepper.forward()
        if status is Status.RAN:
            blocks.append(stepper.block)
            clocks.append(stepper.moment.now)
    assert blocks == alone(machine, mode, seed, text, len(blocks)), f"{seed}: another run than without the debugger"
    wander(stepper, blocks, clocks, random.Random(seed))
    return status.name


def alone(machine: Machine, mode: Mode, seed: int, text: bytes, count: int) -> list[bytes]:
    """The second opinion: the same run, without a debugger."""
    run = HostRun(code_of(machine, host_target()), 1, mode, seed)
    run.feed(text)
    found = [run.block]
    while len(found) < count:
        status = run.step()
        if status is Status.WAITING:
            wake = run.next_wake()
            assert wake is not None
            run.host.now = wake
            status = run.step()
        assert status is Status.RAN
        found.append(run.block)
    return found


def wander(stepper: Stepper, blocks: list[bytes], clocks: list[int], chance: random.Random) -> None:
    """There and back; then the scheduler goes on from a moment in the past, as it did."""
    for _ in range(WAYS):
        n = chance.randrange(stepper.at + 1)
        here = stepper.at
        for k in range(n):
            assert stepper.back()
            assert (stepper.block, stepper.moment.now) == (blocks[here - k - 1], clocks[here - k - 1])
        for k in range(chance.randrange(n + 1)):
            status, output = stepper.forward()
            assert status is Status.RAN and output == b""
            assert (stepper.block, stepper.moment.now) == (blocks[here - n + k + 1], clocks[here - n + k + 1])
    at = chance.randrange(len(blocks))
    stepper.go_to(at)
    assert stepper.block == blocks[at]


def campaign(count: int, seed: int) -> Counter[str]:
    """With few snapshots, so that most ways back are replays."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(stepping, "KEPT", 10)
        patch.setattr(stepping, "EVERY", 8)
        return Counter(run_one(seed * 1_000_003 + n) for n in range(count))


if __name__ == "__main__":
    for how, times in sorted(campaign(*count_and_seed(__doc__, 1000)).items()):
        print(f"{times:6}  {how}")
