"""Stored graphs that somebody else has made: refused where they are none."""

from __future__ import annotations

import json
import os
import zlib
from pathlib import Path

import pytest

from lfc.mcheck.queries.stored_graph import MAGIC, NotAGraph, read_graph
from tests.cli.lfc import lfc

STATE = [{"i": 0}, {"P": {"line": 3, "ready": True}}, ""]
RIGHT = {"file": "P.lf", "program": "00", "states": [STATE], "edges": [[0, 0, "P"]]}


def packed(told: object) -> bytes:
    return MAGIC + zlib.compress(json.dumps(told).encode())


def test_the_right_one(tmp_path: Path) -> None:
    (tmp_path / "g").write_bytes(packed(RIGHT))
    assert read_graph(str(tmp_path / "g")).states[0].data == {"i": 0}


@pytest.mark.parametrize(
    "content",
    [
        packed(RIGHT | {"states": [[[], {}, ""]]}),
        packed(RIGHT | {"states": [[{}, {"P": 3}, ""]]}),
        packed(RIGHT | {"states": [[{}, {"P": {"line": 1}}, ""]]}),
        packed(RIGHT | {"states": [[{"i": {"x": [None, {}]}}, {}, 4]]}),
        packed(RIGHT | {"edges": [[0, "0", "P"]]}),
        packed(RIGHT | {"edges": [[0, 0, ["P"]]]}),
        packed([RIGHT]),
        MAGIC + zlib.compress(b'{"states": ' + b"[" * 20_000),
        packed(RIGHT)[:-5],
        b"lfgraph2",
    ],
)
def test_others(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "g").write_bytes(content)
    with pytest.raises(NotAGraph):
        read_graph(str(tmp_path / "g"))


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "g")
    done = lfc("query", tmp_path / "g", "AG (i < 3)")
    assert done.exit == 1 and "it is a pipe, not a file" in done.err
