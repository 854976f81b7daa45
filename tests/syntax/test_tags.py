"""Requirements that properties, assertions and modules name: `{REQ: SYS-12}`."""

from __future__ import annotations

from pathlib import Path

import pytest

from lfc.base.source import Source
from lfc.diagnostics.model import Diagnostics
from lfc.front_end.format_files import format_source
from lfc.front_end.load import load_program


def program(head: str) -> str:
    return f"MODULE M;\nVAR i : INTEGER;\nPROPERTY {head} ALWAYS i < 4;\nBEGIN\n  i := 1\nEND M.\n"


@pytest.mark.parametrize(
    ("written", "laid_out"),
    [
        ("p{REQ:SYS-12}=", "p {REQ: SYS-12} ="),
        ("p { REQ : SYS - 12 , A ,B-c-007 } =", "p {REQ: SYS-12, A, B-c-007} ="),
        ("p {REQ: (* why *) A} =", "p {REQ: (* why *) A} ="),
    ],
)
def test_layout(written: str, laid_out: str) -> None:
    for text in (program(written), program(laid_out)):
        diagnostics = Diagnostics()
        assert format_source(Source("M.lf", text), diagnostics) == program(laid_out) and not diagnostics.items


@pytest.mark.parametrize(
    ("head", "found"),
    [("p =", ()), ("p {REQ: SYS-12, A, SYS - 12} =", ("SYS-12", "A"))],
)
def test_they_are_known_of_the_property(head: str, found: tuple[str, ...], tmp_path: Path) -> None:
    file = tmp_path / "M.lf"
    file.write_text(program(head))
    loaded = load_program(str(file), Diagnostics())
    assert loaded is not None and loaded.main.properties[0].requirements == found


@pytest.mark.parametrize("head", ["p {SPEC: A} =", "p {REQ: } =", "p {REQ: A-} =", "p {REQ: 12} =", "p {REQ A} ="])
def test_what_is_wrong_is_one_error(head: str, tmp_path: Path) -> None:
    file = tmp_path / "M.lf"
    file.write_text(program(head))
    diagnostics = Diagnostics()
    load_program(str(file), diagnostics)
    assert [d.code[:4] for d in diagnostics.items] == ["LF02"]


TAGGED = """MODULE M {REQ: SYS-4, A};

VAR i : INTEGER;

BEGIN
  i := 1;
  ASSERT(i < 4) {REQ: SYS-14};
  ASSERT(i > 0)
END M.
"""


def test_of_assertions_and_modules(tmp_path: Path) -> None:
    written = TAGGED.replace(" {REQ: SYS-14}", "{REQ:SYS-14}").replace(" {REQ: SYS-4, A}", "{ REQ:SYS - 4,A }")
    for text in (written, TAGGED):
        diagnostics = Diagnostics()
        assert format_source(Source("M.lf", text), diagnostics) == TAGGED and not diagnostics.items
    file = tmp_path / "M.lf"
    file.write_text(TAGGED)
    loaded = load_program(str(file), Diagnostics())
    assert loaded is not None and loaded.main.requirements == ("SYS-4", "A")
    assert [(a.span.line, a.requirements) for a in loaded.main.tagged] == [(7, ("SYS-14",))]


def test_other_statements_name_none(tmp_path: Path) -> None:
    file = tmp_path / "M.lf"
    file.write_text(TAGGED.replace("ASSERT(i < 4) {", "INC(i) {"))
    diagnostics = Diagnostics()
    load_program(str(file), diagnostics)
    said = [(d.code, d.message) for d in diagnostics.items]
    assert said == [("LF0203", "only a PROPERTY, an ASSERT and a MODULE name requirements")]
