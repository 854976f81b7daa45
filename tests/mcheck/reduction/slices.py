"""Slices of texts, and checks of them. For tests."""

from __future__ import annotations

from dataclasses import replace

from lfc.base.source import Source
from lfc.mcheck.check import check
from lfc.mcheck.reduction.slicing.claims import claims_of
from lfc.mcheck.reduction.slicing.dependence import Kept, slice_of
from lfc.mcheck.request.request import request_from
from lfc.mcheck.result.result import CheckResult
from tests.differential.stepwise import machine_of_source


def checked(text: str, *only: str, **more: object) -> CheckResult:
    options = request_from(threads=1, only=only, reductions=("slice",)).changed(**more)
    return check(machine_of_source(Source("Program.lf", text)), options)


def kept(text: str, *only: str, passes: bool = False) -> Kept:
    """`passes`: also what has no partner any more, where that is possible."""
    machine = machine_of_source(Source("Program.lf", text))
    claims = claims_of(machine, request_from(only=only))
    return slice_of(machine.program, replace(claims, passes=claims.passes and passes))
