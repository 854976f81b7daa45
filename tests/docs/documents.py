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
    "cover": ("cover semaphore.lf", "cover traffic.lf"),
    "cover-properties": ("cover mutex.lf --properties",),
    "diagnostics": ("check --syntax-only {made}/Slip.lf", "fmt --check prodcons.lf"),
    "doctor": ("doctor",),
    "evidence": ("evidence blink.lf -b uno",),
    "export": ("export mutex.lf --as promela", "export mutex.lf --as btor2 -o {made}/mutex.btor2"),
    "explain": ("explain LF0602",),
    "codes": ("explain",),
    "failure": ("check --stats prodcons.lf", "size prodcons.lf -b none"),
    "flash": ("flash blink.lf -b uno -p /dev/none",),
    "graph": ("graph pingpong.lf",),
    "graph-store": ("graph {made}/Race.lf --store {made}/again.graph",),
    "hil": (
        "hil conform prodcons.lf -b uno --emulated --steps 9",
        "hil conform prodcons.lf -b uno --emulated --steps 9 --record {made}/recorded.json",
    ),
    "hil-online": ("hil test --online online/Lamp.lf --command true --steps 3 --quiet 50ms",),
    "hil-system": ("hil conform systems/ring.toml --emulated --steps 200",),
    "hil-test": ("hil test pingpong.lf -b uno --emulated",),
    "layout": ("layout prodcons.lf", "layout traffic.lf"),
    "levels": ("check sweep/Link.lf --levels --for some",),
    "lint": ("lint {made}/test_race.py",),
    "ltl": ("ltl 'ALWAYS EVENTUALLY p'", "ltl 'p'"),
    "observe": ("observe mutex.lf -b uno --emulated --steps 20",),
    "policies": ("layout prodcons.lf --policy",),
    "ports": ("ports",),
    "query": ("query {made}/race.graph 'EF FAULT'", "query {made}/race.graph 'AF (END OR FAULT)'"),
    "query-ends": ("query {made}/race.graph --ends",),
    "query-path": ("query {made}/race.graph --to 'n = 2'", "query {made}/race.graph --to 'n = 9'"),
    "records": ("record show",),
    "refine": (
        "refine refinement/Buffer.lf refinement/Cells.lf",
        "refine refinement/Buffer.lf refinement/Swaps.lf",
        "refine refinement/Buffer.lf refinement/Slow.lf --model failures",
    ),
    "check-time": ("check realtime/Debounce.lf -b uno --time board",),
    "responses": (
        "timing realtime/EmergencyStop.lf -b uno --from 1 --to motor=0",
        "timing realtime/EmergencyStop.lf -b uno --from 1 --to D13 --max-latency 1ms --scheduler both",
    ),
    "run": ("run prodcons.lf", "run prodcons.lf --max-actions 3", "run philosophers.lf"),
    "run-board": ("run prodcons.lf -b uno",),
    "run-system": ("run systems/ring.toml --seconds 0.1",),
    "size": ("size blink.lf -b uno", "size prodcons.lf -b microbit"),
    "slice": ("slice traffic.lf --for neverTwoGreens", "slice models/sumproduct.lf --for sum"),
    "sweep": ("sweep {made}/Race.lf --const most=1..2 --for lost",),
    "timing": ("timing prodcons.lf -b uno", "timing gpio_blink.lf -b uno"),
    "timing-table": ("timing realtime/Debounce.lf -b uno --scheduler edf --max-latency 10cycles",),
    "trace": ("trace show {made}/recorded.json",),
    "trace-diff": (
        "trace diff {made}/recorded.json {made}/recorded.json",
        "trace diff {made}/recorded.json {made}/other.json",
    ),
    "view": ("view prodcons.lf -o {made}/p.html",),
}
RACE = """MODULE Race; CONST most = 2; VAR n : INTEGER;
PROCESS Add; VAR x : INTEGER; BEGIN x := n; RESCHEDULE; n := x + 1 END Add;
PROCESS Look; BEGIN RESCHEDULE; ASSERT(n # 1) END Look;
PROPERTY lost = ALWAYS (n < most);
BEGIN CREATE Add; CREATE Add; CREATE Look END Race.
"""
SLIP = "MODULE Slip;\nVAR x : INTEGR;\nBEGIN\n  x := 1\nEND Slip.\n"
TEST = 'def test_race(board):\n    board.flash("Race.lf")\n    board.expect("done")\n'
AS_LINES = (
    "run",
    "run-board",
    "run-system",
    "hil",
    "hil-online",
    "hil-system",
    "hil-test",
    "observe",
)  # the document is the last thing on standard error


def make(folder: Path) -> None:
    """What the commands read."""
    (folder / "Slip.lf").write_text(SLIP)
    (folder / "Race.lf").write_text(RACE)
    (folder / "test_race.py").write_text(TEST)
    lfc("graph", folder / "Race.lf", "--store", folder / "race.graph", cwd=EXAMPLES)
    lfc("run", "prodcons.lf", "--record", folder / "recorded.json", cwd=EXAMPLES)
    lfc("run", "prodcons.lf", "--scheduler", "random", "--record", folder / "other.json", cwd=EXAMPLES)


def document(schema: str, command: str, folder: Path, cwd: Path) -> Any:
    words = [w.strip("'") for w in split(command.format(made=folder))]
    done = lfc(*words, "--json", cwd=cwd)
    return json.loads(done.err[done.err.index("{") :] if schema in AS_LINES else done.out)


def split(command: str) -> list[str]:
    import shlex

    return shlex.split(command)
