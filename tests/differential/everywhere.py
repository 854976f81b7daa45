"""Compiled programs run beside the naive evaluator, optimised and not, under two policies; the list of constructs/."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from lfc.codegen.module.generated import Generated
from lfc.run.running import Mode
from tests.differential.stepwise import run_beside_evaluator

PROGRAMS = Path(__file__).parent / "constructs"
STEPS = 1500
# How many seeds each program is run with, and how its runs end. Those that end well contain assertions.
CASES = {
    "alias_for": (2, {"ENDED"}),
    "bits": (20, {"ENDED", "FAULT"}),
    "control": (2, {"ENDED"}),
    "faults": (60, {"FAULT", "ENDED"}),
    "few_channels": (1, {"FAULT"}),
    "fixed": (20, {"ENDED", "FAULT"}),
    "functions": (4, {"ENDED", "FAULT"}),
    "loops": (8, {"BLOCKED"}),
    "memory": (2, {"ENDED"}),
    "nested": (2, {"ENDED"}),
    "numbers": (1, {"ENDED"}),
    "outside": (3, {"FAULT"}),
    "polled": (6, {"ENDED"}),
    "tables": (20, {"ENDED", "FAULT"}),
    "replicated": (12, {"BLOCKED", "WAITING"}),
    "talk": (6, {"WAITING", "RAN"}),
    "whole_values": (6, {"BLOCKED"}),
}


def run_everywhere(generated: Generated, seeds: int, ends: set[str]) -> None:
    """At no optimisation and at full, under random decisions and round-robin."""
    found: Counter[str] = Counter()
    for level in (0, 2):
        for mode in (Mode.RANDOM, Mode.ROUND_ROBIN):
            for seed in range(1, seeds + 1):
                outcome = run_beside_evaluator(generated, level, mode, seed, STEPS)
                assert outcome.difference is None, f"level {level}, {mode.name}, seed {seed}: {outcome.difference}"
                found[outcome.status.name] += 1
    assert set(found) <= ends and found, found
