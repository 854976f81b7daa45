"""What a suite catches of a program's mutants. They run on this machine: it is the suite that is measured, not a
board.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from lfc.actions.as_data import layout_as_data
from lfc.actions.build import build_machine
from lfc.actions.model.machine import Machine
from lfc.base.source import Source
from lfc.codegen.module.generated import FaultSite
from lfc.codegen.program import generate
from lfc.diagnostics.model import Diagnostics
from lfc.front_end.load import check_source
from lfc.hil.coverage import ACTIONS, Covered, CoveredEdge, explored
from lfc.hil.mutants import Mutant
from lfc.hil.suite import Test
from lfc.run.native import host_target
from lfc.run.running import HostRun, Status
from lfc.semantics.modules import ChipModules
from lfc.trace.items import Item, decode, encode

CAUGHT, SURVIVED, EQUIVALENT, UNKNOWN, STILLBORN = "caught", "survived", "equivalent", "not known", "does not compile"


@dataclass(slots=True)
class Judged:
    mutant: Mutant
    fate: str
    by: str = ""  # of one that is caught: decisions, outputs, fault, state
    test: int = 0  # the first that catches it, from 1
    step: int = 0


def judge(
    mutant: Mutant,
    original: Machine,
    covered: Covered,
    tests: list[Test],
    path: Sequence[str | Path],
    chip: ChipModules,
) -> Judged:
    source = original.program.main.source
    machine = compiled_mutant(mutant, source, path, chip)
    if machine is None:
        return Judged(mutant, STILLBORN)
    caught = first_difference(original, machine, covered, tests)
    if caught is not None:
        return Judged(mutant, CAUGHT, *caught)
    if not covered.complete:
        return Judged(mutant, UNKNOWN)
    return Judged(mutant, EQUIVALENT if same_graph(covered, machine) else SURVIVED)


def compiled_mutant(mutant: Mutant, source: Source, path: Sequence[str | Path], chip: ChipModules) -> Machine | None:
    """`source`: of the main module."""
    diagnostics, changed = Diagnostics(), Source(mutant.file, mutant.text)
    if mutant.file == source.path:
        program = check_source(changed, diagnostics, path=path, chip=chip)
    else:
        program = check_source(source, diagnostics, path=path, chip=chip, instead=[changed])
    if program is None or diagnostics.has_errors:
        return None
    machine = build_machine(program, diagnostics, with_environment=False)
    return None if diagnostics.has_errors else machine


def first_difference(
    original: Machine, machine: Machine, covered: Covered, tests: list[Test]
) -> tuple[str, int, int] | None:
    """What shows it, in which test, at which step. The states are compared if both have the same variables in the same
    places, and as many positions."""
    comparable = layout_as_data(original) == layout_as_data(machine)
    comparable = comparable and len(original.positions) == len(machine.positions)
    expected_sites = generate(original, host_target()).sites
    generated = generate(machine, host_target())
    run = HostRun(generated, 1)
    initial = run.block
    for number, test in enumerate(tests, 1):
        run.block = initial
        for step, edge in enumerate(test.edges, 1):
            by = _step_differs(run, edge, expected_sites, generated.sites)
            if by is None and comparable and edge.target is not None and run.block != covered.blocks[edge.target]:
                by = "state"
            if by is not None:
                return by, number, step
    return None


def _step_differs(run: HostRun, edge: CoveredEdge, sites: list[FaultSite], own: list[FaultSite]) -> str | None:
    run.follow(encode(i for i in edge.items if not i.is_output))
    status = run.step()
    run.take_output()
    done = list(decode(run.items))
    if status is Status.FAULT:
        return None if edge.target is None and _decided(done) == _decided(edge.items) else "fault"
    if status is not Status.RAN or _decided(done) != _decided(edge.items):
        return "decisions"
    if edge.target is None:
        return "fault"
    return None if done == edge.items else "outputs"


def _decided(items: list[Item]) -> list[Item]:
    return [i for i in items if not i.is_output]


def same_graph(covered: Covered, machine: Machine) -> bool:
    """Both go through the same steps, with the same outputs, in the same order of discovery: nobody can tell them
    apart. Two graphs that are not the same may still mean the same."""
    other = explored(machine, ACTIONS, len(covered.blocks) + 1)
    return other.complete and (other.seen, other.fingerprint) == (covered.seen, covered.fingerprint)


def judge_all(
    mutants: Sequence[Mutant],
    original: Machine,
    covered: Covered,
    tests: list[Test],
    path: Sequence[str | Path],
    chip: ChipModules,
    wanted: int,
    on_judged: Callable[[Judged], None] = lambda judged: None,
) -> list[Judged]:
    """Those that compile, until there are `wanted`."""
    found: list[Judged] = []
    for mutant in mutants:
        if len(found) >= wanted:
            break
        judged = judge(mutant, original, covered, tests, path, chip)
        if judged.fate != STILLBORN:
            found.append(judged)
            on_judged(judged)
    return found
