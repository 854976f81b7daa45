"""`lfc refine`: verdicts, counterexamples that can be replayed, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.checking.projects import lfc
from tests.conftest import ROOT

FOLDER = ROOT / "examples" / "refinement"
BUFFER, CELLS, SLOW, SWAPS = (FOLDER / f"{name}.lf" for name in ("Buffer", "Cells", "Slow", "Swaps"))


def test_it_holds(tmp_path: Path) -> None:
    for model, name in (("traces", "traces"), ("failures", "stable failures"), ("fd", "failures and divergences")):
        done = lfc("refine", BUFFER, CELLS, "--on", "in,out", "--model", model, cwd=tmp_path)
        assert done.exit == 0 and done.err == ""
        assert done.out.splitlines()[:2] == [f"Cells.lf refines Buffer.lf ({name})", "visible: in, out"]


def test_an_event_too_many_can_be_replayed(tmp_path: Path) -> None:
    done = lfc("refine", BUFFER, SWAPS, "--json", "--trace", "wrong.trace", cwd=tmp_path)
    found = json.loads(done.out)
    violation = found["violation"]
    assert done.exit == 5 and not found["refines"] and found["visible"] == ["in", "out"]
    assert (violation["kind"], violation["trace"], violation["event"], violation["allowed"]) == (
        "event",
        ["in?put(0)", "in?put(1)"],
        "out!put(1)",
        ["out!put(0)"],
    )
    shown = lfc("trace", "show", "wrong.trace", SWAPS, cwd=tmp_path)
    assert shown.exit == 0 and len(shown.out.splitlines()) >= len(violation["steps"])
    assert "sends put to Takes_out_put" in shown.out.splitlines()[-1] or "receives put" in shown.out


def test_a_refusal_is_told_and_drawn(tmp_path: Path) -> None:
    done = lfc("refine", BUFFER, SLOW, "--model", "failures", "--msc", "slow.mmd", cwd=tmp_path)
    assert done.exit == 5
    assert done.out.splitlines()[2:5] == [
        "after in?put(0):",
        "  Slow.lf can offer just out!put(0)",
        "  Buffer.lf offers at least {in?put(0), in?put(1), out!put(0)}",
    ]
    assert (tmp_path / "slow.mmd").read_text().startswith("sequenceDiagram")
    assert lfc("refine", BUFFER, SLOW, cwd=tmp_path).exit == 0


def test_one_message_of_a_port(tmp_path: Path) -> None:
    text = BUFFER.read_text().replace("put(Bit)]", "put(Bit), stop]")
    (tmp_path / "Buffer.lf").write_text(text)
    (tmp_path / "Ends.lf").write_text(
        text.replace("Buffer", "Ends").replace("DEC(full)\n", "DEC(full)\n      WHEN in?stop THEN full := 0\n", 1)
    )
    there = ("refine", "Buffer.lf", "Ends.lf", "--on")
    assert lfc(*there, "in,out", cwd=tmp_path).exit == 5
    assert lfc(*there, "in.put", cwd=tmp_path).exit == 0


def test_folders_of_projects(tmp_path: Path) -> None:
    for name, file in (("old", CELLS), ("new", SLOW)):
        (tmp_path / name).mkdir()
        (tmp_path / name / file.name).write_text(file.read_text())
        (tmp_path / name / "lf.toml").write_text(f'main = "{file.name}"\nboard = "uno"\n')
    assert lfc("refine", "old", "new", cwd=tmp_path).exit == 0
    done = lfc("refine", "new", "old", cwd=tmp_path)
    assert done.exit == 5 and done.out.startswith("old does not refine new (traces)\n")
    assert lfc("refine", "old", ".", cwd=tmp_path).exit == 2


@pytest.mark.parametrize(
    ("on", "said"),
    [
        ("up", "Buffer.lf has no port `up`; its modules' ports are: in, out."),
        ("in.get", "`in` of Buffer.lf has no message `get`; it has: put."),
        ("in!put", "`in!put` is not a port: write PORT, PORT[2], PORT.MESSAGE or MODULE.PORT."),
    ],
)
def test_ports_that_are_not_there(on: str, said: str, tmp_path: Path) -> None:
    done = lfc("refine", BUFFER, CELLS, "--on", on, cwd=tmp_path)
    assert done.exit == 2 and said in done.err


def test_limits_and_what_cannot_be_compared(tmp_path: Path) -> None:
    done = lfc("refine", BUFFER, CELLS, "--most", "9", cwd=tmp_path)
    assert done.exit == 6 and "Cells.lf has more than 9 states; --most N allows more" in done.err
    wide = BUFFER.read_text().replace("Bit* = 0 .. 1", "Bit* = INTEGER")
    (tmp_path / "Buffer.lf").write_text(wide)
    done = lfc("refine", "Buffer.lf", "Buffer.lf", cwd=tmp_path)
    assert (
        done.exit == 2 and "has too many outcomes in one state" in " ".join(done.err.split()) and "ASSUME" in done.err
    )
    few = wide.replace("PROCESS Keep", "ASSUME in.put IN 3 .. 5;\n\nPROCESS Keep")
    (tmp_path / "Buffer.lf").write_text(few)
    labels = lfc("graph", "Buffer.lf", "--label", "messages", "--on", "in", "--form", "aut", cwd=tmp_path).out
    assert {line.split('"')[1] for line in labels.splitlines()[1:]} == {"tau", *(f"in?put({n})" for n in (3, 4, 5))}
    (tmp_path / "Shut.lf").write_text(SLOW.read_text().replace("Slow", "Shut").replace("in*, out*", "in, out"))
    done = lfc("refine", BUFFER, "Shut.lf", cwd=tmp_path)
    assert (
        done.exit == 2 and "Port `in` is exported by Buffer.lf, so the outside uses it, and not by Shut.lf" in done.err
    )
    polls = SLOW.read_text().replace("Slow", "Polls").replace("in?put(x);", "SELECT WHEN in?put(x) THEN ELSE END;")
    (tmp_path / "Polls.lf").write_text(polls)
    done = lfc("refine", BUFFER, "Polls.lf", cwd=tmp_path)
    assert done.exit == 2 and "asks an exported port without waiting" in done.err


def test_the_graph_with_messages_is_what_is_compared(tmp_path: Path) -> None:
    aut = lfc("graph", SLOW, "--label", "messages", "--form", "aut", cwd=tmp_path).out.splitlines()
    assert aut[0] == "des (0, 28, 19)"
    assert {line.split('"')[1] for line in aut[1:]} == {"tau", "in?put(0)", "in?put(1)", "out!put(0)", "out!put(1)"}
    hidden = lfc("graph", SLOW, "--label", "messages", "--on", "out", "--form", "aut", cwd=tmp_path).out
    assert {line.split('"')[1] for line in hidden.splitlines()[1:]} == {"tau", "out!put(0)", "out!put(1)"}
    assert lfc("graph", SLOW, "--on", "out", cwd=tmp_path).exit == 2


def test_states_as_data(tmp_path: Path) -> None:
    (tmp_path / "Data.lf").write_text(
        "MODULE Data; TYPE C = (red, green); R = RECORD n : INT8; s : SET8 END;\n"
        "VAR b : BOOLEAN; c : C; r : R; t : ARRAY 4 OF CHAR; a : ARRAY 2 OF UINT8;\n"
        'BEGIN b := TRUE; c := green; r.n := -3; r.s := {0, 2}; t := "ab"; a[1] := 200 END Data.\n'
    )
    states = json.loads(lfc("graph", "--json", "Data.lf", cwd=tmp_path).out)["states"]
    assert states[-1]["data"] == {"b": True, "c": "green", "r": {"n": -3, "s": [0, 2]}, "t": "ab", "a": [0, 200]}
    assert (
        states[0]["processes"] == {"initialisation": {"line": 1, "column": 8, "ready": True}}
        and states[1]["processes"] == {}
    )
    shown = json.loads(lfc("graph", "--json", "--show", "c, b", "Data.lf", cwd=tmp_path).out)["states"]
    assert [s["data"] for s in shown] == [{"c": "red", "b": False}, {"c": "green", "b": True}]
    assert shown[1]["values"] == {"c": "green", "b": "TRUE"}
    done = lfc("graph", "--show", "d", "Data.lf", cwd=tmp_path)
    assert done.exit == 2 and "no state has a variable `d`" in done.err
