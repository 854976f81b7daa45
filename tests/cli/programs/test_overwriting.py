"""No command writes over what it reads, nor over a source."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.cli.lfc import lfc

PROGRAM = "MODULE P; VAR i : INTEGER; PROPERTY p = ALWAYS i < 4; BEGIN i := 1 END P.\n"
REQUIREMENTS = "[DOCUMENT]\nTITLE: D\n\n[REQUIREMENT]\nUID: A-1\n"
CASES = [
    ("evidence P.lf -b uno --html P.lf", "--html P.lf would overwrite P.lf, which is read: give another name."),
    (
        "evidence P.lf -b uno --requirements r.sdoc --sdoc ./r.sdoc",
        "--sdoc ./r.sdoc would overwrite r.sdoc, which is read",
    ),
    ("check P.lf --trace link", "--trace link would overwrite P.lf, which is read"),
    ("check P.lf --junit Other.lf", "--junit Other.lf would overwrite a source: give another name."),
    ("check P.lf --summary s --certificate s --property p", "--certificate and --summary would both write s"),
    ("check P.lf --checkpoint P.lf", "--checkpoint P.lf would overwrite P.lf"),
    ("check P.lf --checkpoint P.lf --resume P.lf", "--checkpoint P.lf would overwrite P.lf"),
    ("graph P.lf --store P.lf", "--store P.lf would overwrite P.lf"),
    ("run P.lf --schedule t.trace --record t.trace", "--record t.trace would overwrite t.trace, which is read"),
    ("view P.lf -o P.lf", "--output P.lf would overwrite P.lf"),
    ("trace convert t.trace P.lf -o t.trace", "--output t.trace would overwrite t.trace"),
    ("trace msc t.trace P.lf -o P.lf", "--output P.lf would overwrite P.lf"),
    ("hil test P.lf -b uno --emulated --junit lf.toml", "--junit lf.toml would overwrite a source"),
    ("monitor -b uno --log lf.toml", "--log lf.toml would overwrite a source"),
    ("observe P.lf -b uno --emulated --record P.lf", "--record P.lf would overwrite P.lf"),
]


@pytest.mark.parametrize(("line", "said"), CASES, ids=[line.split(" --")[0] for line, _ in CASES])
def test_what_is_read_is_not_written(line: str, said: str, tmp_path: Path) -> None:
    there = {"P.lf": PROGRAM, "Other.lf": PROGRAM, "r.sdoc": REQUIREMENTS, "t.trace": "{}", "lf.toml": ""}
    for name, text in there.items():
        (tmp_path / name).write_text(text)
    os.link(tmp_path / "P.lf", tmp_path / "link")
    done = lfc(*line.split(), cwd=tmp_path)
    assert done.exit == 2 and said in done.err, done.err
    assert {name: (tmp_path / name).read_text() for name in there} == there


def test_what_was_written_before_is_written_again(tmp_path: Path) -> None:
    (tmp_path / "P.lf").write_text(PROGRAM)
    for _ in range(2):
        assert lfc("check", "P.lf", "--junit", "r.xml", cwd=tmp_path).exit == 0
