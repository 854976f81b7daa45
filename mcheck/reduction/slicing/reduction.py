"""Slicing as a reduction: another program is searched, so it is nothing that a search knows."""

from __future__ import annotations

from lfc.actions.model.machine import Machine
from lfc.mcheck.reduction.common.reduction import Question, Reduction
from lfc.mcheck.request.request import Request


class Slicing(Reduction):
    name = "slice"
    counts = "statements"

    def why_not(self, question: Question) -> str:
        return why_no_slice(question.machine, question.request) or question.why_steps_count()


def why_no_slice(machine: Machine, request: Request) -> str:
    if machine.environment is not None:
        return "an environment may observe everything"
    if machine.monitors:
        return "a monitor watches the program (--monitor)"
    if request.world.outside:
        return "the environment uses the module's channels"
    return "the image is executed in every state" if request.image is not None else ""
