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
        "actions take no time; sleeping processes wake in deadline order (--time discrete)",
        "no interval that Clock.Now measures is longer than 1000 ms, where it wraps (--clock); "
        "ages would do without that, but for the use at Race.lf:5",
    ]


def test_what_makes_no_sense(tmp_path: Path) -> None:
    program = tmp_path / "Race.lf"
    program.write_text(RACE)
    for options, said in [
        (("--time", "soon"), "neither a number of seconds nor one of free, ordered, discrete"),
        (("--time", "-1"), "not in the range"),
        (("--time", "0"), "without --time there is no limit"),
        (("--time", "nan"), "not in the range"),
        (("--time", "inf"), "not in the range"),
        (("--time", "1e300"), "not in the range"),
        (("--clock", "100"), "--clock needs --time discrete"),
        (("--time", "discrete", "--clock", "0"), "not in the range"),
    ]:
        refused = lfc("check", program, *options)
        assert refused.exit == 2
        assert said in refused.err
    program.write_text(RACE.replace("VAR", "PROPERTY p = ALWAYS (Clock.Now < 30);\nVAR"))
    refused = lfc("check", program, "--time", "ordered")
    assert refused.exit not in (0, 4)
    assert "only with --time discrete" in refused.err


READER = """MODULE Reader;
TYPE Line* = [put(UINT8)];
VAR adc AT 78H : UINT16; n : UINT8; got : UINT8;
PORT line* : Line;
PROCESS Takes; BEGIN LOOP line?put(got); ASSERT(got # 200) END END Takes;
BEGIN NEW(line); CREATE Takes; RESCHEDULE; n := UINT8(adc) END Reader.
"""


def test_inputs_that_are_assumed(tmp_path: Path) -> None:
    program = tmp_path / "Reader.lf"
    program.write_text(READER)
    fault = json.loads(lfc("check", "--json", "--no-closing", program).out)
    assert fault["verdict"] == "fault"
    assert ["in16", 256] in fault["errors"][0]["trace"][-1]
    options = ("--no-closing", "--deadlocks", "allow", "--assume", "adc in 0..255", "--data", "explicit")
    held = json.loads(lfc("check", "--json", program, *options).out)
    assert (held["verdict"], "adc in 0..255 (--assume)" in held["assumptions"]) == ("holds", True)
    one_by_one = json.loads(lfc("check", "--json", program, *options, "--inputs", "all").out)
    assert one_by_one["states"] == held["states"]
    refused = lfc("check", program, "--assume", "nothing in 0..1")
    assert (refused.exit, "There is no device register `nothing`; " in refused.err) == (2, True)


def test_a_module_alone_is_closed(tmp_path: Path) -> None:
    program, way = tmp_path / "Reader.lf", tmp_path / "evidence"
    program.write_text(READER.replace("; n := UINT8(adc)", ""))
    found = json.loads(lfc("check", "--json", program, "--rate", "1").out)
    assert found["verdict"] == "assertion"
    assert ["in8", 200] in [item for step in found["errors"][0]["trace"] for item in step]
    assert found["assumptions"] == [
        "while the program is busy, at most 1 event from outside per action (--rate)",
        "the environment sends line.put with every value, at any time (--no-closing leaves it out)",
    ]
    narrowed = json.loads(lfc("check", "--json", program, "--assume", "0FFFF0000H in 0..99").out)
    assert narrowed["verdict"] == "holds"
    text = READER.replace("; n := UINT8(adc)", "").replace("VAR", "PROPERTY p = ALWAYS (got < 255);\nVAR")
    program.write_text(text.replace("ASSERT(got # 200)", "got := 0"))
    refused = lfc("check", program, "--certificate", way, "--assume", "0FFFF0000H in 0..99")
    assert (refused.exit, "--no-closing" in refused.err) == (2, True)
