"""Faults that are seeded into the parts of the greenhouse."""

from __future__ import annotations

from pathlib import Path

from tests.cli.lfc import lfc
from tests.conftest import ROOT

FOLDER = ROOT / "examples" / "greenhouse"
CHECKS: dict[str, tuple[int, tuple[str, ...]]] = {"Settings": (2420, ()), "Irrigation": (17889, ("--time", "ordered"))}

SEEDS = [
    ("Settings", "numbers repeat too soon", "RETURN n MOD 3 + 1", "RETURN n MOD 2 + 1"),
    ("Settings", "always in the same place", "(frame[0] MOD PLACES)", "(frame[0] MOD 1)"),
    ("Settings", "finds the older settings", "(cells[BYTES] = After(cells[0]))", "(cells[0] = After(cells[BYTES]))"),
    ("Irrigation", "pumps without water", "(soil < Settings.dry) & (water >= LEAST)", "(soil < Settings.dry)"),
    ("Irrigation", "goes on without water", "(left = 0) OR (water < LEAST) OR", "(left = 0) OR"),
    ("Irrigation", "pumps without an end", "(left = 0) OR (water < LEAST)", "(water < LEAST)"),
    ("Irrigation", "does not rest", "left := REST", "left := 0"),
]


def is_found(seed: tuple[str, str, str, str], folder: Path) -> bool:
    """Whether the check of this part finds the fault."""
    name, _, old, new = seed
    for file in FOLDER.glob("*.lf"):
        (folder / file.name).write_text(file.read_text())
    text = (FOLDER / f"{name}.lf").read_text()
    assert text.count(old) == 1
    (folder / f"{name}.lf").write_text(text.replace(old, new))
    _, options = CHECKS[name]
    return lfc("check", f"{name}Test.lf", "--env", f"{name}Bench.lf", "--no-record", *options, cwd=folder).exit in (
        4,
        5,
    )
