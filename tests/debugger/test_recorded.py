"""Clients' recorded sessions, played again: the debugger answers as it did then."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.cli.lfc import ROOT
from tests.debugger.programs import COUNTING
from tests.debugger.recorded import DEBUGGER, messages_of, play, sessions, told


@pytest.fixture
def programs(tmp_path: Path) -> Path:
    for name in ("prodcons.lf", "philosophers.lf"):
        shutil.copy(ROOT / "examples" / name, tmp_path)
    (tmp_path / "Counting.lf").write_text(COUNTING, encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize("name", sessions())
def test_the_debugger_answers_as_it_did(name: str, programs: Path) -> None:
    recorded = messages_of(name, programs)
    assert told(play(recorded)) == told(recorded)


def test_clients_were_answered() -> None:
    """Of two clients, and nothing that they asked was refused."""
    assert {name.split("-")[0] for name in sessions()} >= {"emacs", "library"}
    for name in sessions():
        said = [m for who, m in messages_of(name, Path("/")) if who == DEBUGGER]
        assert [m for m in said if m["type"] == "response" and not m["success"]] == []
        for trace in (m["body"]["stackFrames"] for m in said if m.get("command") == "stackTrace"):
            assert len({f["id"] for f in trace}) == len(trace)
