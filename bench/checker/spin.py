"""A model under SPIN: exact, safety, without reductions."""

from __future__ import annotations

import re
import shutil
import tempfile
from pathlib import Path

from bench.checker.measured import Measured, run_measured
from bench.checker.models import Model

FLAGS = ["-w", "-DSAFETY", "-DNOREDUCE", "-DNOFAIR", "-DMEMLIM=16000", "-o", "pan", "pan.c"]
DEPTHS = (1_000_000, 10_000_000, 100_000_000)


def available() -> bool:
    return shutil.which("spin") is not None and shutil.which("gcc") is not None


def measure(model: Model, expected_states: int, repeats: int) -> Measured:
    """`expected_states`: so that its hash table has the size that suits it."""
    bits = max(18, expected_states.bit_length() + 1)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "model.pml").write_text(model.promela())
        walls: dict[str, float] = {}
        runs = []
        compilers = {"tcc": ["tcc"]} if shutil.which("tcc") else {}
        for compiler, command in {**compilers, "gcc": ["gcc", "-O2"]}.items():
            prepare = [
                run_measured(["spin", "-a", "-o3", "model.pml"], folder).seconds
                + run_measured([*command, *FLAGS], folder).seconds
                for _ in range(repeats)
            ]
            runs = [run_pan(model, folder, bits) for _ in range(repeats)]
            walls[compiler] = min(prepare) + min(wall for _, wall in runs)
        measured = min((m for m, _ in runs), key=lambda m: m.seconds)
        measured.walls = walls
        return measured


def run_pan(model: Model, folder: Path, bits: int) -> tuple[Measured, float]:
    for depth in DEPTHS:
        options = [f"-m{depth}", f"-w{bits}", *(["-E"] if model.may_wait else [])]
        ran = run_measured(["./pan", *options], folder)
        if "max search depth too small" not in ran.output:
            break
    if "errors: 0" not in ran.output:
        raise RuntimeError(f"{model.name}.pml: {ran.output}")
    stored = number(r"([\d.e+]+) states, stored", ran.output)
    used = number(r"([\d.]+)\s+(?:actual memory usage for states|equivalent memory usage)", ran.output) * 2**20
    seconds = max(ran.processor_seconds, 0.001)
    transitions = number(r"([\d.e+]+) transitions", ran.output)
    return Measured(round(stored), round(transitions), seconds, round(used), ran.peak_bytes, {}), ran.seconds


def number(pattern: str, text: str) -> float:
    found = re.search(pattern, text)
    if found is None:
        raise RuntimeError(f"SPIN says nothing of {pattern}:\n{text}")
    return float(found.group(1))
