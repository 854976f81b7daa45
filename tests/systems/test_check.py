"""Systems in the checker: exact verdicts of examples, of the protocol alone, and of protocols with a fault in them."""

from __future__ import annotations

from pathlib import Path

import pytest

from lfc.diagnostics.model import Diagnostics
from lfc.mcheck.check import check
from lfc.mcheck.model.open_module import close
from lfc.mcheck.request.request import request_from
from lfc.systems import protocol
from lfc.systems.compose import load_any
from tests.conftest import ROOT
from tests.systems.kinds import write_kinds
from tests.systems.loading import NODE, checked, machine_of

SYSTEMS = ROOT / "examples" / "systems"
RING = SYSTEMS / "ring.toml"


def copied(folder: Path, changed: str, into: str) -> Path:
    """The ring with another text."""
    text = RING.read_text()
    assert changed in text
    (folder / "Node.lf").write_text((SYSTEMS / "Node.lf").read_text())
    (folder / "ring.toml").write_text(text.replace(changed, into))
    return folder / "ring.toml"


@pytest.mark.parametrize(
    "program", [RING, f"{RING}:links", f"{RING}:left", SYSTEMS / "three.toml"], ids=lambda p: Path(p).name
)
def test_what_is_generated_has_no_warnings(program: str | Path) -> None:
    diagnostics = Diagnostics()
    assert load_any(str(program), diagnostics) is not None and diagnostics.items == []


def test_a_ring_of_two() -> None:
    result = checked(RING)
    assert (result.verdict, result.states, result.transitions) == ("holds", 237, 571)
    assert [p["verdict"] for p in result.properties] == ["holds"] * 3


def test_a_deadlock_that_no_board_has_alone(tmp_path: Path) -> None:
    """Without a token each waits for the other, and each alone is right with any partner."""
    ring = copied(tmp_path, "first = true", "first = false")
    result = checked(ring)
    assert result.verdict == "deadlock"
    assert result.findings[0].message == "no process is ready; left.Pass, right.Pass wait forever"
    alone = close(machine_of(SYSTEMS / "Node.lf"), str(SYSTEMS / "Node.lf"))
    assert alone is not None
    world = {"outside": alone.assumption, "open_messages": alone.messages, "data": "symbolic"}
    assert check(alone.machine, request_from(reductions="none", threads=1, **world)).verdict == "holds"


def test_two_tokens_are_not_exclusive(tmp_path: Path) -> None:
    ring = copied(tmp_path, '[boards.right]\nrun = "Node.lf"', '[boards.right]\nrun = "Node.lf"\nconst.first = true')
    result = checked(ring)
    assert result.verdict == "property" and "exclusive" in result.findings[0].message


def test_an_election() -> None:
    result = checked(SYSTEMS / "election.toml")
    assert (result.verdict, result.states, result.transitions) == ("holds", 1283, 4421)
    assert [p["verdict"] for p in result.properties] == ["holds"] * 2


@pytest.mark.slow
def test_the_protocol_alone() -> None:
    """Over a line that loses any frame: nothing is lost, twice, or overtaken, and nobody waits for ever."""
    result = checked(f"{RING}:links")
    assert (result.verdict, result.states, result.transitions) == ("holds", 191_609, 953_599)
    assert [(p["name"], p["verdict"]) for p in result.properties] == [("arrives", "holds")]


def test_a_line_that_falls_silent(tmp_path: Path) -> None:
    """Then somebody waits for ever: the only way in which the protocol does not come to an end."""
    ring = copied(tmp_path, "rate = 9600", 'rate = 9600\nfaults = ["silence"]')
    assert {f.kind for f in checked(f"{ring}:links", keep_going=True).findings} == {"partial-deadlock"}
    ring = copied(tmp_path, "rate = 9600", "rate = 9600\nfaults = []")
    assert checked(f"{ring}:links").states == 117_143


SEEDED = [
    ("SENDER", "bit := ~bit; got", "got", {"assertion", "deadlock", "partial-deadlock"}),  # every message is the first
    ("SENDER", "IF got = bit THEN EXIT kept END", "EXIT kept", {"assertion"}),  # any answer will do
    ("SENDER", "THEN EXIT\n", "THEN\n", {"deadlock", "partial-deadlock"}),  # nothing is sent again
    ("RECEIVER", "IF bit = expected THEN Give; expected := ~expected END", "Give", {"assertion"}),  # also what is known
    ("RECEIVER", "Give; expected := ~expected END", "Give END", {"assertion", "partial-deadlock"}),
    ("RECEIVER", "{name}_answers!ack(bit)", "{name}_answers!ack(expected)", {"assertion", "partial-deadlock"}),
]


@pytest.mark.parametrize(("where", "changed", "into", "verdicts"), SEEDED, ids=range(len(SEEDED)))
def test_a_fault_in_the_protocol_is_found(
    where: str, changed: str, into: str, verdicts: set[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    text: str = getattr(protocol, where)
    assert text.count(changed) == 1
    monkeypatch.setattr(protocol, where, text.replace(changed, into))
    assert checked(f"{RING}:links", states=300_000).verdict in verdicts


@pytest.mark.parametrize("model", ["buffer", "protocol"])
def test_values_of_all_kinds(tmp_path: Path, model: str) -> None:
    line = f'[line]\nmodel = "{model}"\n[properties]\nall = "EVENTUALLY (r.seen = 3)"\n'
    assert checked(write_kinds(tmp_path, line)).verdict == "holds"


@pytest.mark.parametrize("few", [
    "PROPERTY few = ALWAYS (rounds < 3);",
    "PROPERTY few;\nBEGIN\n  WHILE rounds < 3 DO RESCHEDULE END;\n  LOOP ACCEPT; RESCHEDULE END\nEND few;",
], ids=["formula", "process"])  # fmt: skip
def test_each_board_has_its_own_property(few: str, tmp_path: Path) -> None:
    """The left one counts 1, 3, the right one 2, 0."""
    ring = copied(tmp_path, "first = true", "first = true")
    (tmp_path / "Node.lf").write_text(NODE.replace("PROCESS Pass", f"{few}\n\nPROCESS Pass", 1))
    result = checked(ring, keep_going=True)
    told = {str(p["name"]): p["verdict"] for p in result.properties}
    ours = {"exclusive": "holds", "comesToLeft": "holds", "comesToRight": "holds"}
    assert told == {"left_few": "property", "right_few": "holds"} | ours
