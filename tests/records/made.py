"""A record of a check, and what is to be flashed by it."""

from __future__ import annotations

from lfc.records.gate import Candidate
from lfc.records.record import Build, CheckRecord, Scope

RECORD = CheckRecord(
    image="ab" * 32,
    forms={"hex": "ab" * 32, "uf2": "cd" * 32},
    program="12" * 32,
    file="light.lf",
    board="uno",
    board_digest="34" * 32,
    build=Build(),
    scope=Scope(),
    verdict="holds",
    reason="",
    states=7,
    transitions=9,
    errors=(),
    properties={"p": "holds"},
    assumptions=("fairness: A weak",),
    toolchain={"lfc": "0.1.0"},
    checked_at="2026-01-02T03:04:05Z",
    resumed="",
)
CANDIDATE = Candidate("ab" * 32, "uno", "12" * 32, "light.lf")
