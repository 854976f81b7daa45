"""Commands whose `--json` documents the schemas describe: of each schema some that print it in its different forms."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.cli.lfc import lfc
from tests.conftest import ROOT

SCHEMAS = ROOT / "docs" / "reference" / "schemas"
EXAMPLES = ROOT / "examples"
# Schema -> command lines, in a folder that has the examples; {made} is a folder to write to.
COMMANDS: dict[str, tuple[str, ...]] = {
    "actions": ("actions prodcons.lf", "actions traffic.lf"),
    "boards": ("boards",),
    "build": ("build blink.lf -b uno -o {made}/blink.elf", "build blink.lf -b pico -o {made}/pico.elf"),
    "check": (
        "check prodcons.lf",
        "check philosophers.lf -D N=3",
        "check traffic.lf --env traffic_env.lf --fairness none",
        "check traffic.lf --env traffic_env.lf --report",
        "check philosophers.lf --search random --steps 300",
        "check philosophers_ok.lf --states 100",
        "check echo.lf --data symbolic",
        "check prodcons.lf -b uno --image --record",
        "check models/sumproduct.lf --for sum",
        "check philosophers.lf -D N=3 --reductions all --keep-going",
    ),
    "diagnostics": ("check --syntax-only {made}/Slip.lf", "fmt --check prodcons.lf"),
    "doctor": ("doctor",),
    "explain": ("explain LF0602",),
    "codes": ("explain",),
    "failure": ("check --stats prodcons.lf", "size prodcons.lf -b none"),
    "graph": ("graph pingpong.lf",),
    "hil": (
        "hil conform prodcons.lf -b uno --emulated --steps 9",
        "hil conform prodcons.lf -b uno --emulated --steps 9 --record {made}/recorded.json",
    ),
    "hil-test": ("hil test pingpong.lf -b uno --emulated",),
    "layout": ("layout prodcons.lf", "layout traffic.lf"),
    "ltl": ("ltl 'ALWAYS EVENTUALLY p'", "ltl 'p'"),
    "ports": ("ports",),
    "responses": (
        "timing realtime/EmergencyStop.lf -b uno --from 1 --to motor=0",
        "timing realtime/EmergencyStop.lf -b uno --from 1 --to D13 --max-latency 1ms",
    ),
    "run": ("run prodcons.lf", "run prodcons.lf --max-actions 3", "run philosophers.lf"),
    "size": ("size blink.lf -b uno", "size prodcons.lf -b microbit"),
    "slice": ("slice traffic.lf --for neverTwoGreens", "slice models/sumproduct.lf --for sum"),
    "timing": ("timing prodcons.lf -b uno",),
    "trace": ("trace show {made}/recorded.json",),
    "trace-diff": (
        "trace diff {made}/recorded.json {made}/recorded.json",
        "trace diff {made}/recorded.json {made}/other.json",
    ),
    "view": ("view prodcons.lf -o {made}/p.html",),
}
SLIP = "MODULE Slip;\nVAR x : INTEGR;\nBEGIN\n  x := 1\nEND Slip.\n"
AS_LINES = ("run", "hil", "hil-test")  # the document is the last thing on standard error


def make(folder: Path) -> None:
    """What the commands read."""
    (folder / "Slip.lf").write_text(SLIP)
    lfc("run", "prodcons.lf", "--record", folder / "recorded.json", cwd=EXAMPLES)
    lfc("run", "prodcons.lf", "--scheduler", "random", "--record", folder / "other.json", cwd=EXAMPLES)


def document(schema: str, command: str, folder: Path, cwd: Path) -> Any:
    words = [w.strip("'") for w in split(command.format(made=folder))]
    done = lfc(*words, "--json", cwd=cwd)
    return json.loads(done.err[done.err.index("{") :] if schema in AS_LINES else done.out)


def split(command: str) -> list[str]:
    import shlex

    return shlex.split(command)
