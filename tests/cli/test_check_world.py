"""What is assumed of the world, on the command line."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.lfc import lfc

RACE = """MODULE Race;
IMPORT Clock;
VAR first : BOOLEAN;
PROCESS Short; BEGIN Clock.Sleep(10); first := TRUE END Short;
PROCESS Long; BEGIN Clock.Sleep(20); ASSERT(first & (Clock.Now = 20)) END Long;
BEGIN CREATE Short; CREATE Long END Race.
"""


def test_modes_of_time(tmp_path: Path) -> None:
    program = tmp_path / "Race.lf"
    program.write_text(RACE)
    free = json.loads(lfc("check", "--json", program).out)
    assert free["verdict"] == "assertion"
    mode = ("--time", "discrete", "--time", "100", "--clock", "1000")
    held = json.loads(lfc("check", "--json", program, *mode).out)
    assert held["verdict"] == "holds"
    assert held["assumptions"] == [
        "actions take no time: sleepers wake in the order of their deadlines (--time discrete)",
        "Clock.Now wraps at 1000 ms (--clock)",
    ]


def test_what_makes_no_sense(tmp_path: Path) -> None:
    program = tmp_path / "Race.lf"
    program.write_text(RACE)
    for options, said in [
        (("--time", "soon"), "neither a number of seconds nor one of free, ordered, discrete"),
        (("--time", "-1"), "not in the range"),
        (("--clock", "100"), "--clock goes with --time discrete"),
        (("--time", "discrete", "--clock", "0"), "not in the range"),
    ]:
        refused = lfc("check", program, *options)
        assert refused.exit == 2
        assert said in refused.err
    program.write_text(RACE.replace("VAR", "PROPERTY p = ALWAYS (Clock.Now < 30);\nVAR"))
    refused = lfc("check", program, "--time", "ordered")
    assert refused.exit not in (0, 4)
    assert "with --time discrete only" in refused.err
