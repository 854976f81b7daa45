"""`lfc graph`: as many states and transitions as the checker finds, in each form."""

from __future__ import annotations

import json
import re
from pathlib import Path

from tests.cli.lfc import ROOT, lfc

EXAMPLE = ROOT / "examples" / "mutex.lf"
CHOOSES = """MODULE Chooses;
VAR n : INTEGER;
PROCESS P;
BEGIN
  CHOICE n := 1 | n := 2 | ASSERT(FALSE) END
END P;
BEGIN
  CREATE P
END Chooses.
"""


def test_forms_agree_with_the_checker(tmp_path: Path) -> None:
    checked = json.loads(lfc("check", "--json", EXAMPLE, cwd=tmp_path).out)
    states, transitions = checked["states"], checked["transitions"]
    data = json.loads(lfc("graph", "--json", EXAMPLE, cwd=tmp_path).out)
    assert (len(data["states"]), len(data["transitions"])) == (states, transitions)
    aut = lfc("graph", "--form", "aut", EXAMPLE, cwd=tmp_path).out.splitlines()
    assert aut[0] == f"des (0, {transitions}, {states})"
    assert all(re.fullmatch(r'\(\d+, "[^"]+", \d+\)', line) for line in aut[1:])
    dot = lfc("graph", EXAMPLE, cwd=tmp_path).out
    assert dot.count(" -> ") == transitions


def test_a_choice_and_a_fault(tmp_path: Path) -> None:
    (tmp_path / "Chooses.lf").write_text(CHOOSES)
    aut = lfc("graph", "--form", "aut", "Chooses.lf", cwd=tmp_path).out.splitlines()
    assert aut == [
        "des (0, 5, 6)",
        '(0, "initialisation", 1)',
        '(1, "P", 2)',
        '(2, "P, choice 0", 3)',
        '(2, "P, choice 1", 4)',
        '(2, "P, choice 2", 5)',
    ]


TABLE = """MODULE Table;
VAR a : ARRAY 8 OF UINT8; text : ARRAY 4 OF CHAR;
PROCESS P; BEGIN a[3] := 5; RESCHEDULE; text := "hi"; a[3] := 0 END P;
BEGIN CREATE P END Table.
"""


def test_a_state_is_described_by_what_differs_from_the_first(tmp_path: Path) -> None:
    (tmp_path / "Table.lf").write_text(TABLE)
    zeros = "a = [0, 0, 0, 0, 0, 0, 0, 0]"

    def described(*more: str) -> list[str]:
        return re.findall(r's\d+ \[label="([^"]*(?:\\"[^"]*)*)"[],]', lfc("graph", "Table.lf", *more, cwd=tmp_path).out)

    places = ["initialisation: 1:8", "P: 3:9", "P: 3:29"]
    told = [f'0\\n{places[0]}\\n{zeros}\\ntext = \\"\\"', f"1\\n{places[1]}", f"2\\n{places[2]}\\na[3] = 5"]
    assert described()[:4] == [*told, '3\\ntext = \\"hi\\"']
    assert (
        described("--full")[2]
        == f'2\\n{places[2]}\\n{zeros.replace("0, 0, 0, 0, 0]", "5, 0, 0, 0, 0]")}\\ntext = \\"\\"'
    )


def test_what_is_not_drawn(tmp_path: Path) -> None:
    done = lfc("graph", "--most", "5", EXAMPLE, cwd=tmp_path)
    assert done.exit == 2 and "more than 5 states" in done.err
    done = lfc("graph", ROOT / "examples" / "blink.lf", cwd=tmp_path)
    assert done.exit == 2 and "32000 transitions" in done.err


def test_wakes_and_interrupts_are_drawn(tmp_path: Path) -> None:
    example = ROOT / "examples" / "traffic.lf"
    checked = json.loads(lfc("check", "--json", example, cwd=tmp_path).out)
    aut = lfc("graph", "--form", "aut", example, cwd=tmp_path).out
    assert aut.splitlines()[0] == f"des (0, {checked['transitions']}, {checked['states']})"
    assert '"interrupt 1"' in aut and 'wakes"' in aut


def test_with_an_environment_as_the_checker(tmp_path: Path) -> None:
    """The figures of the checker's page."""
    traffic = ROOT / "examples" / "traffic.lf"
    done = lfc("graph", traffic, "--env", traffic.with_name("traffic_env.lf"), "--form", "aut", cwd=tmp_path)
    assert done.exit == 0 and done.out.splitlines()[0] == "des (0, 367, 146)"


def test_with_a_boards_drivers(tmp_path: Path) -> None:
    """To light a lamp, an ATmega reads its port's register; the nRF51 only writes."""
    (tmp_path / "Lamp.lf").write_text("MODULE Lamp; IMPORT GPIO; BEGIN GPIO.Light(TRUE) END Lamp.\n")
    for board, transitions in (("uno", 256), ("microbit", 1)):
        done = lfc("graph", "Lamp.lf", "-b", board, "--form", "aut", cwd=tmp_path)
        assert done.exit == 0 and done.out.splitlines()[0] == f"des (0, {transitions}, 2)"
