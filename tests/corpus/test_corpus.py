"""The corpus: right programs (golden warnings, canonical layout) and wrong ones (golden diagnostics, one per code)."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from lfc.diagnostics.catalogue import CATALOGUE
from lfc.diagnostics.explain import page
from lfc.diagnostics.model import Diagnostics
from lfc.diagnostics.reading import read_source
from lfc.front_end.format_files import format_source
from tests.conftest import Golden
from tests.support.programs import Case, cases_in, check, rendered

HERE = Path(__file__).resolve().parent
RIGHT = cases_in(HERE / "right")
WRONG = cases_in(HERE / "wrong")

# What the first comment of a program says that shows forms which `lfc fmt` rewrites.
NOT_CANONICAL = "Not in canonical layout."

# Codes that no file can show; the test that does, instead.
SHOWN_ELSEWHERE = {
    "LF0729": "tests/library/test_power.py",
    "LF0901": "tests/front_end/test_reading.py",
    "LF0902": "tests/front_end/test_reading.py",
    "LF0903": "tests/front_end/test_reading.py",
    "LF0907": "tests/front_end/test_reading.py",
    "LF0908": "tests/syntax/test_formatting.py",
    "LF0909": "tests/syntax/test_formatting.py",
    "LF0910": "tests/cli/programs/test_definitions.py",
    "LF0911": "tests/systems/test_description.py",
}


def code_of(case: Case) -> str:
    """`LF0301_unknown_name` shows LF0301."""
    return case.name[:6]


@pytest.mark.parametrize("case", RIGHT, ids=lambda c: c.name)
def test_right(case: Case, golden: Golden) -> None:
    program, diagnostics = check(case.main, case.environments)
    text = rendered(diagnostics, HERE)
    assert program is not None and not diagnostics.has_errors, text
    golden(case.expected, text)


@pytest.mark.parametrize("case", RIGHT, ids=lambda c: c.name)
def test_right_has_the_canonical_layout(case: Case) -> None:
    for file in case.files:
        diagnostics = Diagnostics()
        source = read_source(file, diagnostics)
        assert source is not None
        canonical = format_source(source, diagnostics)
        if NOT_CANONICAL in source.text:
            assert canonical is not None and canonical != source.text, f"{file} says that it is not canonical"
        else:
            assert canonical == source.text, f"lfc fmt {file}"


@pytest.mark.parametrize("case", WRONG, ids=lambda c: c.name)
def test_wrong(case: Case, golden: Golden) -> None:
    _, diagnostics = check(case.main, case.environments)
    text = rendered(diagnostics, HERE)
    assert code_of(case) in {d.code for d in diagnostics.items}, text
    golden(case.expected, text)


@pytest.mark.parametrize("code", sorted(CATALOGUE))
def test_every_code_has_a_page_and_a_wrong_program(code: str) -> None:
    try:
        text = page(code)
    except FileNotFoundError:
        pytest.fail(f"no page lfc/diagnostics/pages/{code}.md")
    assert text is not None and text.startswith(f"# {code}: {CATALOGUE[code].title}\n"), "the page begins otherwise"
    if code in SHOWN_ELSEWHERE:
        assert code in (HERE.parent.parent / SHOWN_ELSEWHERE[code]).read_text(encoding="utf-8")
    else:
        assert any(code_of(c) == code for c in WRONG), f"no program tests/corpus/wrong/{code}_*.lf"


def test_every_wrong_program_shows_a_code_of_the_catalogue() -> None:
    assert WRONG
    assert [c.name for c in WRONG if code_of(c) not in CATALOGUE or not re.fullmatch(r"LF\d{4}_\w+", c.name)] == []


def test_the_corpus_is_large_enough() -> None:
    assert len(WRONG) >= 40
    assert len(RIGHT) + len(WRONG) >= 60


def test_no_expectation_is_left_behind() -> None:
    wanted = {c.expected for c in RIGHT + WRONG}
    there = set((HERE / "right").glob("*.expected")) | set((HERE / "wrong").glob("*.expected"))
    assert there <= wanted
