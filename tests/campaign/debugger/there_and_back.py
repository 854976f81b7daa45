"""Runs by chance in the debugger's stepping object: forwards they are those of the compiled program alone, and n steps
back from anywhere is the block and the clock that were there. The full quota:

    python -m tests.campaign.debugger.there_and_back --count 1000 --seed 1
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial

import pytest

from lfc.actions.build import build_machine
from lfc.codegen.program import generate as code_of
from lfc.diagnostics.model import Diagnostics
from lfc.run import stepper as stepping
from lfc.run.native import host_target
from lfc.run.running import HostRun, Mode, Status, compiled
from lfc.run.stepper import Stepper
from tests.generate.general.program import Profile, generate
from tests.naive.running import program_of
from tests.support.seeds import count_and_seed

STEPS = 60
RUNS_OF_ONE = 10  # of one program
WAYS = 6  # there and back, of each run
MODES = (Mode.ROUND_ROBIN, Mode.RANDOM)


def runs_of(program_seed: int, count: int) -> Iterator[str]:
    """How each of these runs of one program ends; any difference is a failure."""
    program = program_of(generate(program_seed, Profile(small=program_seed % 3 == 0)).text, f"{program_seed}.lf")
    generated = code_of(build_machine(program, Diagnostics()), host_target())
    code = compiled(generated, 1)
    for seed in range(program_seed, program_seed + count):
        yield one_run(seed, partial(HostRun, generated, 1, MODES[seed % 2], seed, code))


def one_run(seed: int, start: Callable[[], HostRun]) -> str:
    """Each `start` is of the same run; only the newest may go on."""
    text = bytes(random.Random(seed).randrange(32, 127) for _ in range(40))
    expected = alone(start(), text)
    stepper = Stepper(start())
    stepper.feed(text)
    blocks, clocks = [stepper.block], [stepper.moment.now]
    status = Status.RAN
    while len(blocks) <= STEPS and status is Status.RAN:
        status, _ = stepper.forward()
        if status is Status.RAN:
            blocks.append(stepper.block)
            clocks.append(stepper.moment.now)
    assert blocks == expected, f"{seed}: another run than without the debugger"
    wander(stepper, blocks, clocks, random.Random(seed))
    return status.name


def alone(run: HostRun, text: bytes) -> list[bytes]:
    """The second opinion: the same run, without a debugger."""
    run.feed(text)
    found = [run.block]
    while len(found) <= STEPS:
        status = run.step()
        if status is Status.WAITING and (wake := run.next_wake()) is not None:
            run.host.now = wake
            status = run.step()
        if status is not Status.RAN:
            break
        found.append(run.block)
    return found


def wander(stepper: Stepper, blocks: list[bytes], clocks: list[int], chance: random.Random) -> None:
    """There and back; then the scheduler goes on from a moment in the past, as it did."""
    stepper.go_to(stepper.at)  # the step that faults is undone by the first step back
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
    at = chance.randrange(stepper.at, len(blocks))
    stepper.go_to(at)
    assert stepper.block == blocks[at]
    stepper.forget()
    for block in blocks[at + 1 :]:
        assert stepper.forward()[0] is Status.RAN and stepper.block == block


def campaign(count: int, seed: int) -> Counter[str]:
    """With few snapshots, so that most ways back are replays."""
    ends: Counter[str] = Counter()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(stepping, "KEPT", 10)
        patch.setattr(stepping, "EVERY", 8)
        for first in range(0, count, RUNS_OF_ONE):
            ends.update(runs_of(seed * 1_000_003 + first, min(RUNS_OF_ONE, count - first)))
    return ends


if __name__ == "__main__":
    options = count_and_seed(__doc__, 1000)
    for how, times in sorted(campaign(options.count, options.seed).items()):
        print(f"{times:6}  {how}")
