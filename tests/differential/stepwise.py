"""Runs a compiled program step by step beside the naive evaluator, and compares the block after every step."""

from __future__ import annotations

import random
from dataclasses import dataclass
from pathlib import Path

from lfc.actions.build import build_machine
from lfc.actions.model.machine import Machine
from lfc.base.source import Source
from lfc.codegen.module.generated import Generated
from lfc.codegen.module.target import HOST
from lfc.codegen.program import generate
from lfc.diagnostics.model import Diagnostics, Severity
from lfc.run.running import HostRun, Mode, Status
from lfc.semantics.analyse import analyse
from lfc.trace.items import decode
from tests.naive.decode import bounds_of, compare
from tests.naive.evaluator import step
from tests.naive.policies import Divergence
from tests.naive.state import State

ROUNDS = 2000  # loop rounds and calls that one action may take here, so that endless ones are quick


@dataclass(slots=True)
class Outcome:
    """`difference` is None when the two agree all the way."""

    steps: int
    status: Status
    difference: str | None


class Rejected(Exception):
    """The front end reports errors."""


def machine_of_source(source: Source) -> Machine:
    """Of a program that must have no errors, without its environment."""
    diagnostics = Diagnostics()
    program = analyse(source, diagnostics)
    if program is not None and not diagnostics.has_errors:
        machine = build_machine(program, diagnostics, with_environment=False)
        if not diagnostics.has_errors:
            return machine
    errors = [d for d in diagnostics.items if d.severity is Severity.ERROR]
    raise Rejected("\n".join(f"{d.code} {d.span} {d.message}" for d in errors))


def machine_of(file: Path) -> Machine:
    return machine_of_source(Source.read(file))


def compile_text(text: str, name: str = "Program.lf") -> Generated:
    return generate(machine_of_source(Source(name, text)), HOST, "edf")


def run_beside_evaluator(generated: Generated, level: int, mode: Mode, seed: int, most_steps: int = 300) -> Outcome:
    return go_beside_evaluator(HostRun(generated, level, mode, seed), mode, seed, most_steps)


def go_beside_evaluator(run: HostRun, mode: Mode, seed: int, most_steps: int = 300) -> Outcome:
    """From the start of a program on, with input and time from `seed`."""
    rng = random.Random(seed)
    generated = run.generated
    run.host.interrupts = 1
    run.host.rounds = ROUNDS
    run.feed(bytes(rng.choice(b"0123456789 abc-\n") for _ in range(rng.randrange(40))))
    machine = generated.machine
    state = State.initial(machine.program, bounds_of(machine))
    differences = compare(state, run.block, machine)
    if differences:
        return Outcome(0, Status.RAN, f"before the first step: {differences}")
    for number in range(most_steps):
        if rng.random() < 0.3:
            run.host.now = (run.host.now + rng.choice([1, 5, 100])) & 0xFFFFFFFF
        status = run.step()
        run.take_output()
        if status is Status.WAITING:
            wake = run.next_wake()
            if wake is None:
                if run.host.in_at < run.host.in_size or mode is not Mode.RANDOM or not machine.layout.interrupts:
                    return Outcome(number, status, None)
                continue
            run.host.now = wake
            continue
        if status not in (Status.RAN, Status.FAULT):
            return Outcome(number, status, None)
        items = [item.to_json() for item in decode(run.items, run.wide)]
        try:
            step(state, items, rounds=ROUNDS)
        except Divergence as divergence:
            return Outcome(number, status, f"step {number}, {items}: {divergence}")
        if status is Status.FAULT:
            return Outcome(number, status, compare_faults(generated, run, state, items))
        if state.fault is not None:
            return Outcome(number, status, f"step {number}, {items}: the evaluator has {state.fault}")
        differences = compare(state, run.block, machine)
        if differences:
            return Outcome(number, status, f"step {number}, {items}: {differences}")
    return Outcome(most_steps, Status.RAN, None)


def compare_faults(generated: Generated, run: HostRun, state: State, items: object) -> str | None:
    fault = run.fault
    site = generated.sites[fault.site]
    if state.fault is None:
        return f"{items}: fault {fault.kind} at {site.span} ({site.text}), none in the evaluator"
    have = (fault.kind, site.span.line)
    want = (state.fault.kind, state.fault.span.line)
    if have != want:
        return f"{items}: fault {have} {site.text}, the evaluator has {want}"
    values = [fault.first, fault.second]
    for mine, theirs in zip(values, state.fault.values, strict=False):
        if (mine - theirs) % (1 << 32):
            return f"{items}: fault {have} with {values}, the evaluator has {state.fault.values}"
    return None


def check_text(text: str, seed: int, levels: tuple[int, ...] = (0, 2), name: str = "Program.lf") -> list[Outcome]:
    """At each level of optimisation, under random decisions and under round-robin."""
    generated = compile_text(text, name)
    outcomes = []
    for level in levels:
        for mode in (Mode.RANDOM, Mode.ROUND_ROBIN):
            outcomes.append(run_beside_evaluator(generated, level, mode, seed))
    return outcomes
