"""Lines of boards that may fall silent: what a buffer shows in the place of a link is what the protocol shows."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from lfc.diagnostics.model import Diagnostics
from lfc.mcheck.check import check
from lfc.mcheck.request.request import request_from
from lfc.systems import compose, medium
from lfc.systems.compose import load_any
from tests.systems.loading import RING, found, machine_of

MODELS = ("buffer", "protocol")
SYSTEM = """
[boards.a]
run = "A.lf"
{a}
[boards.b]
run = "B.lf"
{b}
[links.link]
from = "a.out"
to = "b.in"
[line]
model = "{model}"
faults = []
[properties]
heard = "EVENTUALLY b.heard"
"""
FAULT = 'faults = ["silence"]'
BOARD = """MODULE {name};
TYPE Msg = [m];
PORT {port}* : Msg;
VAR heard* : BOOLEAN;
PROCESS Of {mark} WEAK;
BEGIN
  {body}
END Of;
BEGIN NEW({port}); CREATE Of END {name}.
"""
HEARS = ("SERVER", "LOOP in?m; heard := TRUE END")
ONCE = ("", "in?m; heard := TRUE")

# What a sends, how b hears it, and who can be stuck if no line, that of a, or that of b falls silent.
Program = tuple[str, tuple[str, str], set[str], set[str], set[str]]
PROGRAMS: list[Program] = [
    ("out!m", HEARS, set(), set(), set()),  # the link has it
    ("out!m; out!m", HEARS, set(), {"a"}, {"a"}),  # no answer came to the first
    ("LOOP out!m END", HEARS, set(), {"a"}, {"a"}),
    ("out!m", ONCE, set(), {"b"}, {"b"}),
    ("out!m; out!m", ONCE, set(), {"a", "b"}, {"a", "b"}),
    ("SELECT WHEN out!m THEN ELSE END", HEARS, set(), set(), set()),
]


def outcome(folder: Path, sends: str, hears: tuple[str, str], model: str, silent: str) -> tuple[set[str], str]:
    """Which boards can be stuck, and the verdict on the property."""
    faults = {b: FAULT if b in silent else "" for b in "ab"}
    (folder / "A.lf").write_text(BOARD.format(name="A", port="out", mark="", body=sends))
    (folder / "B.lf").write_text(BOARD.format(name="B", port="in", mark=hears[0], body=hears[1]))
    (folder / "two.toml").write_text(SYSTEM.format(model=model, **faults))
    told = check(machine_of(folder / "two.toml"), request_from(reductions="none", keep_going=True, threads=1))
    stuck = {b for f in told.findings for b in re.findall(r"\b([ab])\.Of", f.message)}
    # A property is judged where no other error is.
    return stuck, "" if stuck else str(told.properties[0]["verdict"])


@pytest.mark.parametrize("program", PROGRAMS, ids=range(len(PROGRAMS)))
def test_who_can_be_stuck(tmp_path: Path, program: Program) -> None:
    sends, hears, *expected = program
    for silent, stuck in zip(("", "a", "b"), expected, strict=True):
        buffer, protocol = (outcome(tmp_path, sends, hears, model, silent) for model in MODELS)
        assert buffer == protocol and buffer[0] == stuck, (silent, buffer, protocol)


def test_both_boards(tmp_path: Path) -> None:
    both = [outcome(tmp_path, "LOOP out!m END", HEARS, model, "ab") for model in MODELS]
    assert both == [({"a"}, "")] * 2


def test_what_was_sent_may_never_be_heard(tmp_path: Path) -> None:
    heard = [outcome(tmp_path, "out!m", HEARS, model, silent)[1] for silent in ("", "a") for model in MODELS]
    assert heard == ["holds", "holds", "property", "property"]


SEEDED = [("IF {dead} THEN EXIT END", ""), ("IF ~({dead}) THEN {send} END", "{send}")]


@pytest.mark.parametrize(("text", "instead"), SEEDED, ids=("takes on", "delivers on"))
def test_a_wrong_buffer_is_caught(tmp_path: Path, text: str, instead: str, monkeypatch: pytest.MonkeyPatch) -> None:
    source = Path(medium.__file__).read_text()
    assert source.count(text) == 1
    wrong: dict[str, object] = {"__name__": "wrong"}
    exec(compile(source.replace(text, instead), "wrong", "exec"), wrong)
    monkeypatch.setattr(compose, "main_of_buffers", wrong["main_of_buffers"])
    differ = 0
    for sends, hears, *_ in PROGRAMS:
        buffer, protocol = (outcome(tmp_path, sends, hears, model, "a") for model in MODELS)
        differ += buffer != protocol
    assert differ


def test_words(tmp_path: Path) -> None:
    wrong = RING.replace("[boards.left]", '[boards.left]\nfaults = ["reset"]')
    assert [d.message for d in found(tmp_path, wrong).items] == [
        "`faults` of board `left` is a list of some of silence"
    ]
    taken = RING.replace("boards.right", "boards.silent_left").replace('"right.', '"silent_left.')
    taken = taken.replace("[boards.left]", '[boards.left]\nfaults = ["silence"]').replace("right.inside", "left.inside")
    [one] = found(tmp_path, taken).items
    assert one.message == "`silent_left` says whether the line of board `left` is silent"


def test_a_property_can_ask_whether_a_line_is_silent(tmp_path: Path) -> None:
    (tmp_path / "A.lf").write_text(BOARD.format(name="A", port="out", mark="", body="out!m"))
    (tmp_path / "B.lf").write_text(BOARD.format(name="B", port="in", mark=HEARS[0], body=HEARS[1]))
    text = SYSTEM.format(model="buffer", a=FAULT, b="").replace(
        "EVENTUALLY b.heard", "EVENTUALLY (b.heard OR silent_a)"
    )
    (tmp_path / "two.toml").write_text(text)
    diagnostics = Diagnostics()
    assert load_any(str(tmp_path / "two.toml"), diagnostics) is not None and diagnostics.items == []
    told = check(machine_of(tmp_path / "two.toml"), request_from(reductions="none", threads=1))
    assert told.verdict == "holds"
