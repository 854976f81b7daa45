"""Faults that are seeded into the control of a motor drive, and the check that finds them."""

from __future__ import annotations

from pathlib import Path

from tests.cli.lfc import Outcome, lfc
from tests.conftest import ROOT
from tests.library.drivers import Seed

EXAMPLES = ROOT / "examples" / "drive"
SHORT = [f"-DControl.{name}" for name in ("SILENCE=2", "HIGH=2", "UP=500", "DOWN=500")]
SEEDS = (
    Seed("does not see the stop", "IF in.stopPressed THEN INCL(causes, emergency) END;", ""),
    Seed("looks at the guard only while it runs", "in.guardOpen & (state # ready)", "in.guardOpen & (state = running)"),
    Seed("slows down when the guard opens", "{emergency, guard, current}", "{emergency, current}"),
    Seed("keeps its speed in a stop", "IF (next = ready) OR (next = stopped) THEN speed := 0 END;", ""),
    Seed("starts with an open guard", "(in.command = go) & ~in.guardOpen &", "(in.command = go) &"),
    Seed("is too fast", "MIN(to, from + UP)", "MIN(to, from + 2 * UP)"),
    Seed("never comes back", "Enter(ready)\n  END\nEND WhileStopped", "Enter(stopped)\n  END\nEND WhileStopped"),
    Seed(
        "starts again in the tick of its reset",
        "    Enter(ready)\n  END\nEND While",
        "    Enter(closing)\n  END\nEND While",
    ),
    Seed("never closes the contactor", "out.contactor := (state = closing) OR", "out.contactor :="),
    Seed("forgets to count the silence anew", "IF ~is THEN ticks := 0 ELSIF", "IF"),
)


def check(folder: Path, *options: str) -> Outcome:
    return lfc("check", folder / "ControlTest.lf", *SHORT, "--no-record", *options)


def is_found(seed: Seed, folder: Path) -> bool:
    text = (EXAMPLES / "Control.lf").read_text()
    (folder / "Control.lf").write_text(seed.put_into(text))
    (folder / "ControlTest.lf").write_text((EXAMPLES / "ControlTest.lf").read_text())
    return check(folder).has_counterexample
