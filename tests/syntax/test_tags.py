"""Requirements that properties name: `{REQ: SYS-12}`."""

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
