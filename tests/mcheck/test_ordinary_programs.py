"""Fourteen ordinary programs, written from their descriptions alone (examples/ordinary), and what is said of each. Of
each that has no verdict value by value the reason is pinned: it is what values that nobody asks about do to the states.
Data left undetermined, or a model of who types and sends, gives most of those their verdict.
"""

from __future__ import annotations

import json

import pytest

from tests.cli.lfc import lfc
from tests.conftest import ROOT

FOLDER = ROOT / "examples" / "ordinary"
HOLDS = {
    ("BusMaster", ""): 453,
    ("BusStatistics", ""): 670978,
    ("BusStatistics", "uno"): 670978,
    ("BusMaster", "uno"): 453,
    ("Dimmer", ""): 47411,
    ("Dimmer", "uno"): 47411,
    ("Lamp", ""): 2153,
    ("Lamp", "uno"): 2153,
    ("Lift", ""): 40600,
    ("Lift", "uno"): 40600,
    ("Locks", ""): 7178,
    ("Locks", "uno"): 7178,
    ("Pulses", ""): 37,
    ("Pulses", "uno"): 37,
    ("Ring", ""): 57273,
    ("Ring", "uno"): 57273,
    ("Thermostat", ""): 7653,
}
# What is undetermined in them, and what is first among the causes that the checker names.
INCONCLUSIVE = {
    ("Battery", ""): ("the sum of eight samples", "the calls of `Monitor` ("),
    ("Battery", "uno"): ("the sum of eight samples", "the calls of `Monitor` ("),
    ("Climate", ""): ("nine bits that are read one by one", "`halves` ("),
    ("Climate", "uno"): ("nine bits that are read one by one", "`halves` ("),
    ("Coffee", ""): ("two samples beside a counter", "`level` ("),
    ("Coffee", "uno"): ("two samples beside a counter", "`level` ("),
    ("Commands", ""): ("a line of fifteen characters", "`Reader.text` ("),
    ("Commands", "uno"): ("a line of fifteen characters", "`Reader.text` ("),
    ("Modbus", ""): ("a frame of eight bytes", "`Slave.frame` ("),
    ("Modbus", "uno"): ("a frame of eight bytes", "`Slave.frame` ("),
    ("Thermostat", "uno"): ("a sample of ten bits", "`temperature` ("),
}

LEFT = [
    ("Battery", ""),
    ("Coffee", ""),
    ("Coffee", "uno"),
    ("Commands", ""),
    ("Commands", "uno"),
    ("Climate", ""),
    ("Climate", "uno"),
    ("Thermostat", "uno"),
]


# Of those, with a model of the world (examples/env).
WITH_MODELS = {
    ("Commands", ""): ("Typist", 17677),
    ("Commands", "uno"): ("Typist", 17677),
    ("Modbus", ""): ("ModbusMaster", 6011),
    ("Modbus", "uno"): ("ModbusMaster", 6011),
}


def verdict_of(name: str, board: str, *more: str) -> dict[str, object]:
    where = ["-b", board, "--no-record"] if board else []
    found = lfc("check", FOLDER / f"{name}.lf", *where, "--json", "--threads", "1", *more)
    document: dict[str, object] = json.loads(found.out)
    return document


def test_there_are_fourteen() -> None:
    names = sorted(f.stem for f in FOLDER.glob("*.lf"))
    assert len(names) == 14
    assert sorted({n for n, _ in [*HOLDS, *INCONCLUSIVE]}) == names
    assert len(HOLDS) + len(INCONCLUSIVE) == 28
    for f in FOLDER.glob("*.lf"):
        assert 60 <= len(f.read_text().splitlines()) <= 200, f


@pytest.mark.parametrize(("name", "board"), HOLDS)
def test_it_holds(name: str, board: str) -> None:
    found = verdict_of(name, board)
    assert (found["verdict"], found["states"]) == ("holds", HOLDS[name, board])
    assert all(p["verdict"] == "holds" for p in found["properties"])  # type: ignore[attr-defined]


@pytest.mark.parametrize(("name", "board"), LEFT)
def test_it_holds_where_data_is_left_undetermined(name: str, board: str) -> None:
    """By default: nobody asks for it. Value by value there is no verdict, for the reasons that are given below."""
    found = verdict_of(name, board, "--time", "120")
    assert found["verdict"] == "holds"
    assert isinstance(found["symbolic"], dict)
    assert all(p["verdict"] == "holds" for p in found["properties"])  # type: ignore[attr-defined]


def test_what_does_not_matter_is_not_counted() -> None:
    """The counters of the pulses, value by value, are the states that it has: no claim depends on them."""
    found = verdict_of("Pulses", "")
    assert (found["verdict"], found["states"]) == ("holds", 37)


@pytest.mark.parametrize(("name", "board"), INCONCLUSIVE)
def test_it_has_no_verdict_and_the_checker_says_why(name: str, board: str) -> None:
    _, cause = INCONCLUSIVE[name, board]
    limit = (
        ("--time", "1.5") if name in ("Battery", "Climate") else ("--states", "4000")
    )  # one action has very many ways
    found = verdict_of(name, board, *limit, "--reductions", "none")
    assert found["verdict"] == "inconclusive"
    said = found["many_states"]
    assert isinstance(said, dict)
    assert any(str(c).startswith(cause) for c in said["causes"]), said["causes"]
    assert said["changes"]
    asks_for_lines = any("--env Typist.lf (a model that types lines" in str(c) for c in said["changes"])
    assert asks_for_lines == (name in ("Commands", "Modbus"))


@pytest.mark.parametrize(("name", "board"), WITH_MODELS)
def test_it_holds_behind_a_model(name: str, board: str) -> None:
    model, states = WITH_MODELS[name, board]
    found = verdict_of(name, board, "--env", str(ROOT / "examples" / "env" / f"{model}.lf"))
    assert (found["verdict"], found["states"]) == ("holds", states)
    assert found["reason"] == "" and not found["undecided"]


def test_every_program_is_in_one_table() -> None:
    assert not HOLDS.keys() & INCONCLUSIVE.keys()
    assert INCONCLUSIVE.keys() >= {*LEFT, *WITH_MODELS}
