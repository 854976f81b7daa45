"""A test of a suite, done on this machine."""

from __future__ import annotations

from lfc.actions.model.machine import Machine
from lfc.codegen.program import generate
from lfc.hil.coverage import Covered
from lfc.hil.suite import Test
from lfc.run.native import host_target
from lfc.run.running import HostRun, Status
from lfc.trace.items import decode, encode


def follow(machine: Machine, covered: Covered, test: Test) -> None:
    follow_in(HostRun(generate(machine, host_target()), 1), covered, test)


def follow_in(run: HostRun, covered: Covered, test: Test) -> None:
    for edge in test.edges:
        run.follow(encode(edge.items))
        status = run.step()
        assert list(decode(run.items)) == edge.items
        if edge.target is None:
            assert status is Status.FAULT
        else:
            assert status is Status.RAN and run.block == covered.blocks[edge.target]
